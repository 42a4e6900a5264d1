//! Accuracy@k: the share of the whole collection that the first k documents classify rightly.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::counts::Counts;
use crate::citations;
use crate::info::{Behaviour, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, RELEVANCE};
use crate::tally;
use crate::ties::{TieRule, Tied};

const UNKNOWN_SIZE: &str = "the size of the collection is not known (--documents)";
const TOO_SMALL: &str = "the collection is said to be smaller than what was retrieved and judged relevant";

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "Accuracy",
    aliases: &["accuracy"],
    summary: "Share of the collection that is classified correctly if the first k documents are called relevant.",
    formula: "Accuracy@k = (TP + TN) / N, with the first k as the retrieved set and N documents in the collection",
    reading: "The accuracy of a classifier that calls the first k documents relevant and all others not relevant.",
    misleads: "Nearly all documents are not relevant, so even retrieving nothing scores close to 1. Do not use it to \
               choose systems. ir_measures uses the name for another measure: the share of retrieved pairs in the \
               right order, with unjudged documents as non-relevant. ROCArea is similar to that but uses judged \
               documents only.",
    citation: citations::MANNING,
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Undefined(UNKNOWN_SIZE),
        nothing_relevant: Behaviour::Undefined(UNKNOWN_SIZE),
        nothing_retrieved: Behaviour::Undefined(UNKNOWN_SIZE),
    },
    examples: &[
        Example::new("Accuracy@3", "1 0 1 0", "1", 0.98, "TP 2, FP 1, FN 1, TN 96 of 100: (2 + 96)/100").among(100)
    ],
    build: |spec| Ok(Box::new(Accuracy { cutoff: spec.required_cutoff()?, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct Accuracy {
    cutoff: usize,
    level: f64,
}

impl Measure for Accuracy {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).cutoff(self.cutoff).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let documents = view.collection.documents.ok_or(Undefined { reason: UNKNOWN_SIZE })?;
        let ranks = tally::first(view, Some(self.cutoff));
        let found = tally::relevant(ranks, self.level) as u64;
        let false_positives = ranks.len() as u64 - found;
        let false_negatives = u64::from(view.facts.relevant(self.level)).saturating_sub(found);
        if documents == 0 || documents < found + false_positives + false_negatives {
            return Err(Undefined { reason: TOO_SMALL });
        }
        let right = (documents - false_positives - false_negatives) as f64;
        let counts = Counts::of(view, Some(self.cutoff), self.level);
        // A newly relevant document among the first k was a false positive; elsewhere it becomes a false negative, as far
        // as the collection has room for one.
        let lost = counts.elsewhere.min(right - found as f64);
        let share = |right: f64| right / documents as f64;
        Ok(Score::within(share(right), share(right - lost), share(right + counts.open)))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        // One relevant document more is one false positive and one false negative less. The fewer are found, the more
        // documents the collection must have, so where the worst order has a value all orders have one.
        let each = tied.view.collection.documents.map_or(0.0, |documents| 2.0 / documents as f64);
        TieRule::count(|judgement| judgement.is_relevant(self.level), Some(self.cutoff), each)
    }
}
