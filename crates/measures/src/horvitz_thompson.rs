//! htP, htRBP and htDCG: linear measures estimated from judgements with the probabilities their documents were chosen
//! with.
//!
//! A measure linear in gain is a total over documents, so the estimate of Horvitz and Thompson is unbiased whatever the
//! probabilities: each judged document counts 1/p times.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::citations;
use crate::cumulated_gain;
use crate::discount::{Discounts, LOG2_3};
use crate::gains::{self, DCG as DCG_FORM, GAINS, Gains};
use crate::info::{Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::linear::{Binary, Gain};
use crate::measure::Measure;
use crate::precision;
use crate::rbp;
use crate::sampled::chosen::{Chosen, by_chance, chosen, variance_of_total};
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, OPTIONAL_CUTOFF, RELEVANCE, SpecError, Value};

const MISLEADS: &str = "Unbiased for any probabilities, if every document of the ranks that count could be chosen. A \
                        document chosen with a small probability has a large weight, so single topics vary widely and \
                        can leave the range of the measure; use the mean and its standard error. Intervals covered the \
                        true mean of 30 or 50 topics in 88 to 97% of samples, the true value of a single topic in 56 to 99%. \
                        There is no standard error if no relevant document of a topic was chosen. It is 0 if none was \
                        chosen from the ranks that count: correct on average and for the mean, but not for that topic.";

/// The row of htP.
pub static PRECISION: MeasureInfo = MeasureInfo {
    name: "htP",
    aliases: &[],
    summary: "P@k estimated from judged documents with weight 1/probability.",
    formula: "htP@k = (1/k) * sum over judged relevant documents at rank i <= k of 1/p, p the probability of having been chosen \
              (1 for methods 0 and 2 of prels, which chose without chance)",
    reading: "Read like P@k. With every probability 1 it is P@k. Its standard error is that of the Horvitz-Thompson \
              estimator: for independently chosen documents the square root of the sum of (1 - p)/p^2 * (1/k)^2, for samples \
              of karat sample (methods from 11 on) Hajek's for a fixed size.",
    misleads: MISLEADS,
    citation: citations::HORVITZ_THOMPSON,
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Probabilities,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("htP@4", "1a 0a0.5 1a0.5 - 1a", "1a", 0.75, "rank 1 counts 1, rank 3 counts 1/0.5: 3/4")
        .marked(JudgementKind::Probabilities)],
    build: |spec| {
        let weights = Weights::Even { cutoff: spec.required_cutoff()? };
        Estimator::boxed(&PRECISION, &precision::INFO, weights, GainKind::Binary(Binary { level: spec.level()? }), spec)
    },
};

/// The row of htRBP.
pub static RBP: MeasureInfo = MeasureInfo {
    name: "htRBP",
    aliases: &[],
    summary: "RBP estimated from judged documents with weight 1/probability.",
    formula: "htRBP = (1-p) * sum over judged relevant documents at rank i of p^(i-1) / q, q the probability of having been \
              chosen (1 for methods 0 and 2 of prels, which chose without chance); htRBP@k counts the first k ranks only",
    reading: "Read like RBP. With every document of the list judged and every q = 1 it is RBP. Its standard error is \
              that of the Horvitz-Thompson estimator for independently chosen documents, and Hajek's for samples of fixed \
              size, which karat sample draws (methods from 11 on).",
    misleads: MISLEADS,
    citation: citations::HORVITZ_THOMPSON,
    parameters: &[
        Parameter {
            name: "p",
            default: "0.8",
            legal: Legal::Described("0 < p < 1"),
            meaning: "persistence: probability of going on to the next rank",
        },
        OPTIONAL_CUTOFF,
        RELEVANCE,
    ],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Probabilities,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("htRBP(p=0.5)", "1a 0a0.5 1a0.25", "1a", 1.0, "rank 1: 0.5; rank 3: 0.125/0.25 = 0.5")
        .marked(JudgementKind::Probabilities)],
    build: |spec| {
        let persistence = spec.number("p")?.unwrap_or(0.8);
        if !(persistence > 0.0 && persistence < 1.0) {
            return Err(spec.illegal("p", "0 < p < 1"));
        }
        let weights = Weights::Geometric { persistence, cutoff: spec.optional_cutoff()? };
        Estimator::boxed(&RBP, &rbp::INFO, weights, GainKind::Binary(Binary { level: spec.level()? }), spec)
    },
};

/// The row of htDCG.
pub static DCG: MeasureInfo = MeasureInfo {
    name: "htDCG",
    aliases: &[],
    summary: "DCG estimated from judged documents with weight 1/probability.",
    formula: "htDCG = sum over judged documents at rank i of (gain / log2(i + 1)) / p, p the probability of having been chosen \
              (1 for methods 0 and 2 of prels, which chose without chance); htDCG@k stops at rank k",
    reading: "Read like DCG. With every document of the list judged and every p = 1 it is DCG. Its standard error is \
              that of the Horvitz-Thompson estimator for independently chosen documents, and Hajek's for samples of fixed \
              size, which karat sample draws (methods from 11 on).",
    misleads: MISLEADS,
    citation: citations::HORVITZ_THOMPSON,
    parameters: &[OPTIONAL_CUTOFF, DCG_FORM, GAINS],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Probabilities,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "htDCG@3",
        "1a 2a0.5 2a0.25 2a",
        "",
        1.0 + 4.0 / LOG2_3 + 4.0,
        "1/log2(2) + (2/0.5)/log2(3) + (2/0.25)/log2(4)",
    )
    .marked(JudgementKind::Probabilities)
    .up_to(2.0)],
    build: |spec| {
        let weights = Weights::Discounted { cutoff: spec.optional_cutoff()? };
        let gains = GainKind::Graded(Gains::of_spec(spec, false)?);
        Estimator::boxed(&DCG, &cumulated_gain::DISCOUNTED, weights, gains, spec)
    },
};

#[derive(Debug, Clone, Copy)]
enum Weights {
    Even { cutoff: usize },
    Geometric { persistence: f64, cutoff: Option<usize> },
    Discounted { cutoff: Option<usize> },
}

impl Weights {
    fn cutoff(self) -> Option<usize> {
        match self {
            Weights::Even { cutoff } => Some(cutoff),
            Weights::Geometric { cutoff, .. } | Weights::Discounted { cutoff } => cutoff,
        }
    }

    /// The weight of a rank, from 1.
    fn at(self, rank: usize) -> f64 {
        match self {
            _ if self.cutoff().is_some_and(|cutoff| rank > cutoff) => 0.0,
            Weights::Even { cutoff } => 1.0 / cutoff as f64,
            Weights::Geometric { persistence, .. } => (1.0 - persistence) * libm::pow(persistence, (rank - 1) as f64),
            Weights::Discounted { .. } => 1.0 / Discounts::get().at(rank),
        }
    }
}

#[derive(Debug, Clone)]
enum GainKind {
    Binary(Binary),
    Graded(Gains),
}

impl GainKind {
    fn of(&self, grade: f64) -> f64 {
        match self {
            GainKind::Binary(gain) => gain.of(grade),
            GainKind::Graded(gains) => gains.of(grade),
        }
    }
}

struct Estimator {
    info: &'static MeasureInfo,
    weights: Weights,
    gain: GainKind,
    /// What is estimated; its bounds are what full judgement could give.
    full: Box<dyn Measure>,
}

impl Estimator {
    fn boxed(
        info: &'static MeasureInfo,
        full: &'static MeasureInfo,
        weights: Weights,
        gain: GainKind,
        spec: &MeasureSpec,
    ) -> Result<Box<dyn Measure>, SpecError> {
        Ok(Box::new(Estimator { info, weights, gain, full: (full.build)(spec)? }))
    }

    /// What a document adds to the measure, once.
    fn worth(&self, document: &Chosen) -> f64 {
        document.rank.map_or(0.0, |rank| self.weights.at(rank) * self.gain.of(document.grade))
    }
}

impl Measure for Estimator {
    fn info(&self) -> &'static MeasureInfo {
        self.info
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(self.info);
        let spec = match self.weights {
            Weights::Geometric { persistence, .. } => spec.with("p", Value::Number(persistence)),
            Weights::Even { .. } | Weights::Discounted { .. } => spec,
        };
        let spec = match &self.gain {
            GainKind::Binary(Binary { level }) => spec.with_level(*level),
            GainKind::Graded(gains) => gains.print(spec),
        };
        spec.optional(self.weights.cutoff())
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        Ok(Score { value: self.value(view)?, ..self.full.score(view)? })
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let value = chosen(view)?.iter().map(|document| document.weight() * self.worth(document)).sum::<f64>();
        if value.is_finite() { Ok(value) } else { Err(gains::TOO_LARGE) }
    }

    /// Horvitz and Thompson's estimate, unbiased over all samples. It is 0 where nothing chosen adds to the value; where the
    /// whole topic has no relevant document among the chosen, that says nothing and is not told. (Not telling it for every
    /// such list would bias the mean's standard error, which takes topics that do not tell to be like the others.)
    fn sampling_variance(&self, view: &TopicView<'_>) -> Option<f64> {
        let documents = chosen(view).ok()?;
        if by_chance(&documents) && documents.iter().all(|document| self.gain.of(document.grade) == 0.0) {
            return None;
        }
        let variance = variance_of_total(&documents, |document| self.worth(document));
        variance.is_finite().then_some(variance)
    }
}

#[cfg(test)]
mod tests {
    use karat_data::CollectionFacts;

    use super::*;
    use crate::example::Owned;

    #[test]
    fn the_variance_by_hand() {
        // Rank 1 was certain; rank 3, p = 1/2, weight 1/4: (1/2) * 4 / 16 = 1/8.
        let kind = JudgementKind::Probabilities;
        let topic = Owned::parse_marked(kind, "1a 0a0.5 1a0.5 -", "1a0.1", CollectionFacts::default()).unwrap();
        let measure = (PRECISION.build)(&MeasureSpec::new(&PRECISION).cutoff(4)).unwrap();
        assert!((measure.sampling_variance(&topic.view()).unwrap() - 0.125).abs() < 1e-15);
    }

    #[test]
    fn a_sample_without_relevant_documents_does_not_tell_its_error() {
        for text in ["htP@3", "htRBP(p=0.7)@3", "htDCG@3"] {
            let measure = crate::spec::parse(text, 1.0).unwrap().build().unwrap();
            let variance = |ranking: &str, missed: &str| {
                let kind = JudgementKind::Probabilities;
                let topic = Owned::parse_marked(kind, ranking, missed, CollectionFacts::default()).unwrap();
                measure.sampling_variance(&topic.view())
            };
            assert_eq!(variance("0a0.5 - 0a", ""), None, "{text}");
            assert_eq!(variance("0a - -", "0a0.5"), None, "{text}");
            // Nothing was left to chance.
            assert_eq!(variance("0a - 0a", ""), Some(0.0), "{text}");
            // Relevant documents were chosen, none of them retrieved: 0, right on the average over samples only.
            assert_eq!(variance("0a0.5 - -", "1a0.5"), Some(0.0), "{text}");
        }
    }

    /// Over all samples of independently chosen documents the mean of the estimate is the measure's own value, and the
    /// mean of the estimated variance is the variance.
    #[test]
    fn unbiased_over_all_samples() {
        let documents = [("1", 0.5), ("2", 0.25), ("0", 0.5), ("1", 0.75)];
        let view = |signs: &[String]| {
            let kind = JudgementKind::Probabilities;
            let collection = CollectionFacts { max_grade: 2.0, ..CollectionFacts::default() };
            Owned::parse_marked(kind, &signs.join(" "), "", collection).unwrap()
        };
        for text in ["htP@3", "htRBP(p=0.7)", "htDCG(dcg=exp-log2)@4"] {
            let measure = crate::spec::parse(text, 1.0).unwrap().build().unwrap();
            let all: Vec<String> = documents.iter().map(|(grade, _)| format!("{grade}a")).collect();
            let truth = measure.value(&view(&all).view()).unwrap();
            let (mut mean, mut square, mut variance) = (0.0, 0.0, 0.0);
            for sample in 0..1u32 << documents.len() {
                let mut chance = 1.0;
                let signs = documents.iter().enumerate().map(|(at, (grade, p))| {
                    let drawn = sample >> at & 1 == 1;
                    chance *= if drawn { *p } else { 1.0 - p };
                    if drawn { format!("{grade}a{p}") } else { "-".to_owned() }
                });
                let signs: Vec<String> = signs.collect();
                let topic = view(&signs);
                let value = measure.value(&topic.view()).unwrap();
                mean += chance * value;
                square += chance * value * value;
                // 0 where it is not known, that is where nothing relevant was drawn.
                variance += chance * measure.sampling_variance(&topic.view()).unwrap_or(0.0);
            }
            assert!((mean - truth).abs() < 1e-12, "{text}: {mean}, {truth}");
            assert!((square - mean * mean - variance).abs() < 1e-12, "{text}: {variance}");
        }
    }
}
