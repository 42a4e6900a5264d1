//! Success@k: whether any of the first k documents is relevant.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::difference::{Pair, greatest_first};
use crate::info::{Citation, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, RELEVANCE};
use crate::tally;
use crate::ties::{self, TieRule, Tied};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "Success",
    aliases: &["success", "hit_rate"],
    summary: "1 if any of the first k documents is relevant, else 0.",
    formula: "Success@k = max over ranks i <= k of rel_i",
    reading: "The mean is the share of topics with something relevant on the first k ranks.",
    misleads: "One relevant document counts as much as ten, so many topics are needed to separate systems.",
    citation: Citation {
        text: "Craswell and Hawking (2004), Overview of the TREC 2004 Web Track, TREC.",
        bibtex: "@inproceedings{craswell2004, author={Nick Craswell and David Hawking}, title={Overview of the \
                 {TREC} 2004 {Web} Track}, booktitle={TREC}, year={2004}}",
    },
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("Success@2", "0 0 1", "", 0.0, "the first relevant document is at rank 3"),
        Example::new("Success@3", "0 0 1", "", 1.0, "the first relevant document is at rank 3"),
    ],
    build: |spec| Ok(Box::new(Success { cutoff: spec.required_cutoff()?, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct Success {
    cutoff: usize,
    level: f64,
}

impl Measure for Success {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).cutoff(self.cutoff).with_level(self.level)
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let ranks = tally::first(view, Some(self.cutoff));
        if ranks.iter().any(|judgement| judgement.is_relevant(self.level)) {
            return Ok(Score::exact(1.0));
        }
        let possible = tally::possibly_relevant(view, ranks, self.level) > 0;
        Ok(Score::within(0.0, 0.0, if possible { 1.0 } else { 0.0 }))
    }

    fn difference(&self, pair: &Pair<'_>) -> Option<(f64, f64)> {
        Some(pair.ends(|pair| greatest_first(pair, Some(self.cutoff), self.level, |_| 1.0)))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let stop = ties::relevance(self.level);
        TieRule::ordered(stop, "from the chance that no relevant document is among the first k", move || {
            Ok(ties::cascade(tied, stop, |_| 1.0, Some(self.cutoff)))
        })
    }
}
