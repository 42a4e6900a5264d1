//! ERR_IA and nERR_IA: expected reciprocal rank, averaged over subtopics.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::subtopics::{Novelty, Unfound};
use crate::citations;
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, RELEVANCE, SpecError};
use crate::subtopics::{self, GREEDY_LIMIT, Subtopics};

/// The chance that a document relevant to a subtopic satisfies a user who wanted it: ERR's (2^1 - 1) / 2^1.
const SATISFIED: f64 = 0.5;

/// The row of ERR_IA.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "ERR_IA",
    aliases: &["ERR-IA"],
    summary: "Expected reciprocal rank at which a user stops, averaged over subtopics, divided by the maximum of any \
              ranking.",
    formula: "ERR_IA@k = sum over ranks i <= k of G_i / i / (S * sum over i <= k of (1/2)^(i-1) / i), G_i = sum over subtopics s \
              of document i of (1/2)^(documents above i relevant to s), S subtopics with a relevant document",
    reading: "Every user wants one subtopic, and all subtopics are equally likely. Each relevant document satisfies \
              half of the remaining users.",
    misleads: "Not the average of ERR: like ndeval, it divides by the score of a ranking of perfect documents, so 1 is \
               possible in principle (ndeval omits this at k = 1). Subtopics are equally likely, and grades are \
               treated as binary.",
    citation: citations::CHAPELLE,
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Subtopics,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "ERR_IA@2",
            "a ab",
            "b",
            1.75 / 2.5,
            "G = 1 and 0.5 + 1: 1 + 1.5/2 = 1.75; two subtopics, at most 2 * (1 + 0.5/2) = 2.5: 0.7",
        )
        .marked(JudgementKind::Subtopics),
        Example::new("ERR_IA@1", "a", "b", 0.5, "one of two subtopics at rank 1: 1 / (2 * 1)")
            .marked(JudgementKind::Subtopics),
    ],
    build: |spec| ErrIa::build(spec, &INFO),
};

/// The row of nERR_IA.
pub static NORMALIZED: MeasureInfo = MeasureInfo {
    name: "nERR_IA",
    aliases: &["nERR-IA"],
    summary: "ERR_IA divided by that of a greedy ideal ranking of the judged documents.",
    formula: "nERR_IA@k = (sum over ranks i <= k of G_i / i) / (the same of the ideal ranking), G_i = sum over subtopics s of \
              document i of (1/2)^(documents above i relevant to s); the ideal ranking takes at each rank the document with the \
              greatest G, of equal ones that with the largest docno",
    reading: "1 when each rank adds as much as any document could.",
    misleads: "The ideal ranking is greedy, as in ndeval: scores can exceed 1, and the choice among equal documents \
               can change the ideal slightly. Rank 1 has the largest weight; ranks below 5 hardly matter.",
    citation: citations::CHAPELLE,
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, GREEDY_LIMIT),
    needs: JudgementKind::Subtopics,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "nERR_IA@2",
        "a ab",
        "b",
        1.75 / 2.25,
        "1 + (0.5 + 1)/2 = 1.75; ideal: ab (2), then a or b (0.5): 2 + 0.5/2 = 2.25: 0.7778",
    )
    .marked(JudgementKind::Subtopics)],
    build: |spec| ErrIa::build(spec, &NORMALIZED),
};

#[derive(Debug, Clone, Copy)]
struct ErrIa {
    info: &'static MeasureInfo,
    cutoff: usize,
    level: f64,
}

impl ErrIa {
    fn build(spec: &MeasureSpec, info: &'static MeasureInfo) -> Result<Box<dyn Measure>, SpecError> {
        Ok(Box::new(ErrIa { info, cutoff: spec.required_cutoff()?, level: spec.level()? }))
    }
}

fn reciprocal(rank: usize) -> f64 {
    1.0 / rank as f64
}

impl Measure for ErrIa {
    fn info(&self) -> &'static MeasureInfo {
        self.info
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(self.info).with_level(self.level).cutoff(self.cutoff)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let topic = Subtopics::of(view, self.level)?;
        let sum = subtopics::discounted(topic.novelty(SATISFIED, self.cutoff), reciprocal);
        let normalized = std::ptr::eq(self.info, &NORMALIZED);
        let greatest = subtopics::greatest(SATISFIED, self.cutoff, reciprocal);
        let ideal = if normalized {
            subtopics::discounted(topic.ideal_novelty(SATISFIED, self.cutoff), reciprocal)
        } else {
            topic.len() as f64 * greatest
        };
        let novelty = Novelty { alpha: SATISFIED, cutoff: self.cutoff };
        Ok(match Unfound::of(&topic, view, self.level, self.cutoff) {
            None => Score::exact(if topic.is_empty() { 0.0 } else { sum / ideal }),
            Some(unfound) if normalized => novelty.share(&topic, view, &unfound, (sum, ideal), reciprocal),
            Some(unfound) => novelty.mean(&topic, view, &unfound, sum, greatest, (reciprocal, 0.0)),
        })
    }
}
