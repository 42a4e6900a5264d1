//! R@k: the share of the relevant documents that are among the first k.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::counts::Counts;
use crate::citations;
use crate::difference::{Pair, greatest_share};
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, RELEVANCE};
use crate::ties::{TieRule, Tied};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "R",
    aliases: &["Recall", "recall"],
    summary: "Share of the relevant documents that are among the first k.",
    formula: "R@k = (1/R) * sum over ranks i <= k of rel_i",
    reading: "0.6 at k = 100: six in ten of the known relevant documents were found by rank 100.",
    misleads: "R counts only known relevant documents, so recall is overestimated if the pool missed some. With fewer \
               relevant documents than k, even a poor ranking can reach 1; with more, no ranking can.",
    citation: citations::VAN_RIJSBERGEN,
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("R@4", "1 0 1 0 1", "1", 0.5, "2 of 4 relevant documents are in the first 4: 2/4")],
    build: |spec| Ok(Box::new(Recall { cutoff: spec.required_cutoff()?, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct Recall {
    cutoff: usize,
    level: f64,
}

impl Measure for Recall {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).cutoff(self.cutoff).with_level(self.level)
    }

    fn missed_shrink_differences(&self) -> bool {
        // A count over R.
        true
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let share = |found: f64, relevant: f64| if relevant == 0.0 { 0.0 } else { found / relevant };
        Ok(Counts::of(view, Some(self.cutoff), self.level).score(share))
    }

    fn difference(&self, pair: &Pair<'_>) -> Option<(f64, f64)> {
        Some(pair.ends(|pair| greatest_share(pair, self.cutoff, self.level)))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        match tied.view.facts.relevant(self.level) {
            0 => TieRule::Constant,
            relevant => TieRule::count(
                |judgement| judgement.is_relevant(self.level),
                Some(self.cutoff),
                1.0 / f64::from(relevant),
            ),
        }
    }
}
