//! RR: one over the rank of the first relevant document.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::difference::{Pair, greatest_first};
use crate::info::{Citation, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF, RELEVANCE};
use crate::tally;
use crate::ties::{self, TieRule, Tied};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "RR",
    aliases: &["MRR", "recip_rank", "mrr", "reciprocal_rank"],
    summary: "One over the rank of the first relevant document.",
    formula: "RR = 1 / (rank of the first relevant document); 0 without one, or none down to rank k for RR@k",
    reading: "1, 0.5, 0.33: the first relevant document was first, second, third.",
    misleads: "Everything after the first relevant document is ignored. Steps are uneven: moving from rank 1 to 2 \
               costs as much as from 2 to not retrieved. So the mean is dominated by the first rank and by the tie \
               order.",
    citation: Citation {
        text: "Kantor and Voorhees (2000), The TREC-5 confusion track, Information Retrieval 2.",
        bibtex: "@article{kantor2000, author={Paul B. Kantor and Ellen M. Voorhees}, title={The {TREC}-5 confusion \
                 track}, journal={Information Retrieval}, volume={2}, pages={165--176}, year={2000}}",
    },
    parameters: &[OPTIONAL_CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("RR", "0 - 1 1", "", 1.0 / 3.0, "first relevant at rank 3; the unjudged rank 2 could make it 1/2"),
        Example::new("RR@2", "0 0 1", "", 0.0, "nothing relevant in the first 2"),
    ],
    build: |spec| Ok(Box::new(ReciprocalRank { cutoff: spec.optional_cutoff()?, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct ReciprocalRank {
    cutoff: Option<usize>,
    level: f64,
}

impl Measure for ReciprocalRank {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).optional(self.cutoff).with_level(self.level)
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        // A completion can only bring the first relevant document forward, to the first unjudged rank.
        let possible = view.collection.max_grade >= self.level;
        let mut high = None;
        for (index, judgement) in tally::first(view, self.cutoff).iter().enumerate() {
            let value = || 1.0 / (index + 1) as f64;
            if judgement.is_relevant(self.level) {
                return Ok(Score::within(value(), value(), high.unwrap_or_else(value)));
            }
            if possible && high.is_none() && !judgement.is_judged() {
                high = Some(value());
            }
        }
        Ok(Score::within(0.0, 0.0, high.unwrap_or(0.0)))
    }

    fn difference(&self, pair: &Pair<'_>) -> Option<(f64, f64)> {
        Some(pair.ends(|pair| greatest_first(pair, self.cutoff, self.level, |rank| 1.0 / rank as f64)))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let stop = ties::relevance(self.level);
        TieRule::ordered(stop, "from the chance that no relevant document stands above each rank", move || {
            Ok(ties::cascade(tied, stop, |rank| 1.0 / rank as f64, self.cutoff))
        })
    }
}
