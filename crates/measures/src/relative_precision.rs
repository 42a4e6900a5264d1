//! RelativeP@k: precision at k against the best that k ranks allow.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::counts::Counts;
use crate::citations;
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, RELEVANCE};
use crate::ties::{TieRule, Tied};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "RelativeP",
    aliases: &["relative_P"],
    summary: "P@k divided by the greatest P@k any ranking of this topic could have.",
    formula: "RelativeP@k = (sum over ranks i <= k of rel_i) / min(k, R)",
    reading: "Precision if k is at most R, else recall; 1 is always possible.",
    misleads: "Its meaning differs between topics with few and with many relevant documents, and R counts only the \
               known ones.",
    citation: citations::BUCKLEY_VOORHEES_2005,
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("RelativeP@5", "1 0 1 0 0", "1", 2.0 / 3.0, "2 found, at most min(5, 3) could be: 2/3"),
        Example::new("RelativeP@2", "1 0 1 0 0", "1", 0.5, "1 found, at most min(2, 3) could be: 1/2"),
    ],
    build: |spec| Ok(Box::new(RelativePrecision { cutoff: spec.required_cutoff()?, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct RelativePrecision {
    cutoff: usize,
    level: f64,
}

impl Measure for RelativePrecision {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).cutoff(self.cutoff).with_level(self.level)
    }

    fn missed_shrink_differences(&self) -> bool {
        // A count over the lesser of k and R.
        true
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let share = |found: f64, relevant: f64| {
            let possible = relevant.min(self.cutoff as f64);
            if possible == 0.0 { 0.0 } else { found / possible }
        };
        Ok(Counts::of(view, Some(self.cutoff), self.level).score(share))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        match self.cutoff.min(tied.view.facts.relevant(self.level) as usize) {
            0 => TieRule::Constant,
            possible => {
                TieRule::count(|judgement| judgement.is_relevant(self.level), Some(self.cutoff), 1.0 / possible as f64)
            }
        }
    }
}
