//! NRBP and nNRBP: rank-biased precision where a subtopic seen before is worth less.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::subtopics::{Novelty, Unfound};
use crate::info::{Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE, SpecError};
use crate::subtopics::{self, ALPHA, GREEDY_LIMIT, Subtopics};

const CLARKE: Citation = Citation {
    text: "Clarke, Kolla and Vechtomova (2009), An effectiveness measure for ambiguous and underspecified queries, ICTIR.",
    bibtex: "@inproceedings{clarke2009, author={Charles L. A. Clarke and Maheedhar Kolla and Olga Vechtomova}, title={An \
             effectiveness measure for ambiguous and underspecified queries}, booktitle={ICTIR}, pages={188--199}, \
             year={2009}}",
};

const BETA: Parameter = Parameter {
    name: "beta",
    default: "0.5",
    legal: Legal::Described("0 < beta < 1"),
    meaning: "patience: probability of going on to the next rank",
};

/// The row of NRBP.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "NRBP",
    aliases: &["nrbp"],
    summary: "Rank-biased gain over subtopics with discounted repetition, divided by the maximum of any ranking.",
    formula: "NRBP = (1 - (1 - alpha) * beta) / S * sum over ranks i of beta^(i-1) * G_i, G_i = sum over subtopics s of \
              document i of (1 - alpha)^(documents above i relevant to s), S subtopics with a relevant document",
    reading: "1 only if every document were relevant to every subtopic. beta = 0.5 looks at two documents on average.",
    misleads: "With beta = 0.5, nearly all weight is on the first three ranks. Scores for different beta are not \
               comparable.",
    citation: CLARKE,
    parameters: &[ALPHA, BETA, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Subtopics,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "NRBP",
        "a ab",
        "b",
        0.75 / 2.0 * 1.75,
        "(1 - 0.25)/2 * (1 + 0.5 * 1.5) = 0.375 * 1.75 = 0.65625",
    )
    .marked(JudgementKind::Subtopics)],
    build: |spec| Nrbp::build(spec, &INFO),
};

/// The row of nNRBP.
pub static NORMALIZED: MeasureInfo = MeasureInfo {
    name: "nNRBP",
    aliases: &["nnrbp"],
    summary: "NRBP divided by that of a greedy ideal ranking of the judged documents.",
    formula: "nNRBP = NRBP / NRBP of the ideal ranking, which takes at each rank the document that adds most, of equal ones that \
              with the largest docno",
    reading: "1 when each rank adds as much as any document could.",
    misleads: "The ideal ranking is greedy, as in ndeval: scores can exceed 1. If nothing is relevant, ndeval prints \
               nan; karat gives 0, as for other measures.",
    citation: CLARKE,
    parameters: &[ALPHA, BETA, RELEVANCE],
    range: (0.0, GREEDY_LIMIT),
    needs: JudgementKind::Subtopics,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "nNRBP(alpha=0.5,beta=0.8)",
        "a ab",
        "b",
        2.2 / 2.72,
        "1 + 0.8 * 1.5 = 2.2; ideal: ab (2), b (0.5), a (0.5): 2 + 0.8 * 0.5 + 0.64 * 0.5 = 2.72",
    )
    .marked(JudgementKind::Subtopics)],
    build: |spec| Nrbp::build(spec, &NORMALIZED),
};

#[derive(Debug, Clone, Copy)]
struct Nrbp {
    info: &'static MeasureInfo,
    alpha: f64,
    beta: f64,
    level: f64,
}

impl Nrbp {
    fn build(spec: &MeasureSpec, info: &'static MeasureInfo) -> Result<Box<dyn Measure>, SpecError> {
        let beta = spec.number("beta")?.unwrap_or(0.5);
        if !(beta > 0.0 && beta < 1.0) {
            return Err(spec.illegal("beta", BETA.legal));
        }
        Ok(Box::new(Nrbp { info, alpha: subtopics::alpha(spec)?, beta, level: spec.level()? }))
    }

    /// Gains by rank, each beta times as much as the one before.
    fn rank_biased(&self, gains: impl IntoIterator<Item = f64>) -> f64 {
        let mut weight = 1.0;
        let mut sum = 0.0;
        for gain in gains {
            sum += weight * gain;
            weight *= self.beta;
        }
        sum
    }
}

impl Measure for Nrbp {
    fn info(&self) -> &'static MeasureInfo {
        self.info
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(self.info).with_unless("alpha", self.alpha, 0.5);
        spec.with_unless("beta", self.beta, 0.5).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let topic = Subtopics::of(view, self.level)?;
        let sum = self.rank_biased(topic.novelty(self.alpha, usize::MAX));
        let unfound = Unfound::of(&topic, view, self.level, usize::MAX);
        let novelty = Novelty { alpha: self.alpha, cutoff: usize::MAX };
        let discount = |rank: usize| libm::pow(self.beta, (rank - 1) as f64);
        if std::ptr::eq(self.info, &NORMALIZED) {
            // The first rank of the ideal adds 1 or more: ranks whose weight is below 1e-20 change nothing.
            let depth = (libm::log(1e-20) / libm::log(self.beta)).ceil() as usize + 1;
            let ideal = self.rank_biased(topic.ideal_novelty(self.alpha, depth));
            return Ok(match unfound {
                None => Score::exact(if topic.is_empty() { 0.0 } else { sum / ideal }),
                Some(unfound) => novelty.share(&topic, view, &unfound, (sum, ideal), discount),
            });
        }
        // One subtopic that every document of an endless list is relevant to.
        let greatest = 1.0 / (1.0 - (1.0 - self.alpha) * self.beta);
        // As RBP's, this user reads on below the list, whatever is judged of it.
        let possible = view.collection.max_grade >= self.level;
        let tail = if possible { discount(view.ranks.len() + 1) * greatest } else { 0.0 };
        let unfound = unfound.unwrap_or_else(|| Unfound::none(&topic, possible));
        Ok(novelty.mean(&topic, view, &unfound, sum, greatest, (discount, tail)))
    }
}
