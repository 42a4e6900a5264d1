//! alpha_nDCG and alpha_DCG: discounted gain where a subtopic seen before is worth less.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::subtopics::{Novelty, Unfound};
use crate::discount::{Discounts, LOG2_3};
use crate::info::{Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE, SpecError};
use crate::subtopics::{self, ALPHA, GREEDY_LIMIT, Subtopics};

const CLARKE: Citation = Citation {
    text: "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Buettcher and MacKinnon (2008), Novelty and diversity in \
           information retrieval evaluation, SIGIR.",
    bibtex: "@inproceedings{clarke2008, author={Charles L. A. Clarke and Maheedhar Kolla and Gordon V. Cormack and Olga \
             Vechtomova and Azin Ashkan and Stefan B{\\\"u}ttcher and Ian MacKinnon}, title={Novelty and diversity in \
             information retrieval evaluation}, booktitle={SIGIR}, pages={659--666}, year={2008}}",
};

/// The largest cut-off: what no ranking exceeds is summed rank by rank.
const DEEPEST: usize = 1_000_000;

const CUTOFF: Parameter = Parameter {
    name: "cutoff",
    default: "",
    legal: Legal::Rank { most: Some(1_000_000), optional: false },
    meaning: "number of ranks, such as @20",
};

/// The row of alpha_nDCG.
pub static NORMALIZED: MeasureInfo = MeasureInfo {
    name: "alpha_nDCG",
    aliases: &["alpha-nDCG", "α_nDCG"],
    summary: "Discounted gain over subtopics with discounted repetition, divided by that of a greedy ideal ranking.",
    formula: "alpha_nDCG@k = DCG / ideal DCG, DCG = sum over ranks i <= k of G_i / log2(i + 1), G_i = sum over subtopics s of \
              document i of (1 - alpha)^(documents above i relevant to s); the ideal ranking takes at each rank the document \
              with the greatest G, of equal ones that with the largest docno",
    reading: "1 when each rank adds as much as any document could. alpha = 0.5: a subtopic that was covered once \
              before counts half.",
    misleads: "The ideal ranking is greedy, as in ndeval, because the optimal one is hard to compute. So scores can \
               exceed 1, by at most 0.58. If documents add the same gain, the choice by docno can change the ideal \
               (observed: by 1.6%). ndeval ranks by the rank column of a run, karat by score. Subtopics without a \
               relevant document do not count; grades are treated as binary.",
    citation: CLARKE,
    parameters: &[CUTOFF, ALPHA, RELEVANCE],
    range: (0.0, GREEDY_LIMIT),
    needs: JudgementKind::Subtopics,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "alpha_nDCG@2",
            "a ab",
            "b",
            (1.0 + 1.5 / LOG2_3) / (2.0 + 0.5 / LOG2_3),
            "G = 1 and 0.5 + 1; ideal: ab (2), then b or a (0.5): (1 + 1.5/log2(3)) / (2 + 0.5/log2(3)) = 0.8406",
        )
        .marked(JudgementKind::Subtopics),
        Example::new(
            "alpha_nDCG(alpha=0)@2",
            "a a0 ab",
            "",
            1.0 / (2.0 + 1.0 / LOG2_3),
            "rank 1 adds 1, rank 2 nothing; ideal: ab (2), a (1): 1 / (2 + 1/log2(3)) = 0.3801",
        )
        .marked(JudgementKind::Subtopics),
    ],
    build: |spec| AlphaDcg::build(spec, &NORMALIZED),
};

/// The row of alpha_DCG.
pub static PLAIN: MeasureInfo = MeasureInfo {
    name: "alpha_DCG",
    aliases: &["alpha-DCG", "α_DCG"],
    summary: "Discounted gain over subtopics with discounted repetition, divided by the maximum of any ranking.",
    formula: "alpha_DCG@k = sum over ranks i <= k of G_i / log2(i + 1) / (S * sum over i <= k of (1 - alpha)^(i-1) / \
              log2(i + 1)), G_i = sum over subtopics s of document i of (1 - alpha)^(documents above i relevant to s), S \
              subtopics with a relevant document",
    reading: "1 only if every document were relevant to every subtopic; needs no ideal ranking of the collection.",
    misleads: "Despite its name not a plain sum: like ndeval, karat divides by the score of a ranking of perfect \
               documents. The largest possible value depends on the collection; alpha_nDCG corrects for that.",
    citation: CLARKE,
    parameters: &[CUTOFF, ALPHA, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Subtopics,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "alpha_DCG@2",
        "a ab",
        "b",
        (1.0 + 1.5 / LOG2_3) / (2.0 * (1.0 + 0.5 / LOG2_3)),
        "G = 1 and 0.5 + 1; two subtopics: (1 + 1.5/log2(3)) / (2 * (1 + 0.5/log2(3))) = 0.7398",
    )
    .marked(JudgementKind::Subtopics)],
    build: |spec| AlphaDcg::build(spec, &PLAIN),
};

#[derive(Debug, Clone, Copy)]
struct AlphaDcg {
    info: &'static MeasureInfo,
    cutoff: usize,
    alpha: f64,
    level: f64,
    /// What one subtopic can add.
    greatest: f64,
}

impl AlphaDcg {
    fn build(spec: &MeasureSpec, info: &'static MeasureInfo) -> Result<Box<dyn Measure>, SpecError> {
        let (cutoff, alpha) = (spec.required_cutoff()?, subtopics::alpha(spec)?);
        if cutoff > DEEPEST {
            return Err(spec.illegal("cutoff", CUTOFF.legal));
        }
        let greatest = subtopics::greatest(alpha, cutoff, discount());
        Ok(Box::new(AlphaDcg { info, cutoff, alpha, level: spec.level()?, greatest }))
    }
}

fn discount() -> impl Fn(usize) -> f64 {
    let discounts = Discounts::get();
    move |rank| 1.0 / discounts.at(rank)
}

impl Measure for AlphaDcg {
    fn info(&self) -> &'static MeasureInfo {
        self.info
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(self.info).with_unless("alpha", self.alpha, 0.5).with_level(self.level).cutoff(self.cutoff)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let topic = Subtopics::of(view, self.level)?;
        let dcg = subtopics::discounted(topic.novelty(self.alpha, self.cutoff), discount());
        let normalized = std::ptr::eq(self.info, &NORMALIZED);
        let ideal = if normalized {
            subtopics::discounted(topic.ideal_novelty(self.alpha, self.cutoff), discount())
        } else {
            topic.len() as f64 * self.greatest
        };
        let novelty = Novelty { alpha: self.alpha, cutoff: self.cutoff };
        Ok(match Unfound::of(&topic, view, self.level, self.cutoff) {
            None => Score::exact(if topic.is_empty() { 0.0 } else { dcg / ideal }),
            Some(unfound) if normalized => novelty.share(&topic, view, &unfound, (dcg, ideal), discount()),
            Some(unfound) => novelty.mean(&topic, view, &unfound, dcg, self.greatest, (discount(), 0.0)),
        })
    }
}
