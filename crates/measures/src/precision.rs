//! P@k: the share of relevant documents among the first k.

use karat_data::{CollectionFacts, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::citations;
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::linear::{self, Binary, Form, Weighting};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, RELEVANCE};
use crate::ties::{TieRule, Tied};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "P",
    aliases: &["precision"],
    summary: "Share of the first k documents that are relevant.",
    formula: "P@k = (1/k) * sum over ranks i <= k of rel_i",
    reading: "0.6 at k = 10: six of the ten documents on the first page were relevant.",
    misleads: "Divides by k even when fewer documents are relevant or retrieved, so a topic with 3 relevant documents \
               cannot exceed 0.3 at k = 10; the order within the first k does not matter.",
    citation: citations::VAN_RIJSBERGEN,
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "P@5",
            "1 0 1 - 2",
            "1",
            0.6,
            "ranks 1, 3 and 5 are relevant: 3/5; the unjudged rank 4 could make it 4/5",
        )
        .up_to(2.0),
        Example::new("P(rel=2)@5", "1 0 1 - 2", "1", 0.2, "only rank 5 reaches grade 2: 1/5").up_to(2.0),
    ],
    build: |spec| Ok(Box::new(Precision { cutoff: spec.required_cutoff()?, gain: Binary { level: spec.level()? } })),
};

#[derive(Debug, Clone, Copy)]
struct Precision {
    cutoff: usize,
    gain: Binary,
}

impl Weighting for Precision {
    fn weight(&self, rank: usize) -> f64 {
        if rank <= self.cutoff { 1.0 } else { 0.0 }
    }

    fn tail(&self, _: usize) -> f64 {
        0.0
    }

    fn last(&self) -> Option<usize> {
        Some(self.cutoff)
    }
}

impl Measure for Precision {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).cutoff(self.cutoff).with_level(self.gain.level)
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        // Counted first, divided once, as trec_eval does: 3/5 and not 0.2 + 0.2 + 0.2.
        let counted = linear::score(view, self, &self.gain);
        let share = |count: f64| count / self.cutoff as f64;
        Ok(Score::within(share(counted.value), share(counted.low), share(counted.high)))
    }

    fn linear(&self, _: &CollectionFacts) -> Option<Form<'_>> {
        Some(Form::new(self, self.gain, self.cutoff as f64))
    }

    fn tie_rule<'a>(&'a self, _: &'a Tied<'a>) -> TieRule<'a> {
        TieRule::count(
            move |judgement| judgement.is_relevant(self.gain.level),
            Some(self.cutoff),
            1.0 / self.cutoff as f64,
        )
    }
}
