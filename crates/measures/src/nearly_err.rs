//! NERR8 to NERR11: user models that do what ERR set out to do, numbered by the equations of the paper that proposes them.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::info::{Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::inst::{WANTED, squares_below, wanted};
use crate::measure::Measure;
use crate::scale::{MAX_REL, MIN_REL, Scale};
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, SpecError, Value};
use crate::user_model::{self, UserModel, harmonic};

const AZZOPARDI: Citation = Citation {
    text: "Azzopardi, Mackenzie and Moffat (2021), ERR is not C/W/L: exploring the relationship between expected reciprocal \
           rank and other metrics, ICTIR.",
    bibtex: "@inproceedings{azzopardi2021, author={Leif Azzopardi and Joel Mackenzie and Alistair Moffat}, title={{ERR} is \
             not {C/W/L}: exploring the relationship between expected reciprocal rank and other metrics}, \
             booktitle={ICTIR}, year={2021}}",
};

const MISLEADS: &str = "Not comparable with ERR, which is not a gain per document. gain = (grade - min_rel) / (max_rel \
                        - min_rel) is linear, while ERR's is exponential: fix max_rel to compare collections.";

/// The row of NERR8.
pub static EQUATION_8: MeasureInfo = MeasureInfo {
    name: "NERR8",
    aliases: &["nerr8"],
    summary: "Gain per document for a user who stops when satisfied, at rank k at the latest.",
    formula: "NERR8@k = sum over ranks i of V_i * gain_i / sum over i of V_i, i to k, V_1 = 1, V_(i+1) = V_i * (1 - gain_i)",
    reading: "A document of the largest gain ends the search. If nothing is found, the user looks at all k documents.",
    misleads: MISLEADS,
    citation: AZZOPARDI,
    parameters: &[CUTOFF, MIN_REL, MAX_REL],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("NERR8@3", "1 0", "", 0.25, "gain 1/2: V = 1, 1/2, 1/2: (1/2) / 2").up_to(2.0)],
    build: |spec| NearlyErr::build(spec, &EQUATION_8, Patience::Cutoff(spec.required_cutoff()?)),
};

/// The row of NERR9.
pub static EQUATION_9: MeasureInfo = MeasureInfo {
    name: "NERR9",
    aliases: &["nerr9"],
    summary: "Gain per document for a user who stops when satisfied or, with decreasing probability, without success; \
              at rank k at the latest.",
    formula: "NERR9@k = sum over ranks i of V_i * gain_i / sum over i of V_i, i to k, V_1 = 1, V_(i+1) = V_i * (1 - gain_i) * \
              i / (i + 1)",
    reading: "If nothing is found, the user looks at rank i with probability 1/i.",
    misleads: MISLEADS,
    citation: AZZOPARDI,
    parameters: &[CUTOFF, MIN_REL, MAX_REL],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("NERR9@3", "1 0", "", 6.0 / 17.0, "gain 1/2: V = 1, 1/4, 1/6: (1/2) / (17/12) = 0.3529")
        .up_to(2.0)],
    build: |spec| NearlyErr::build(spec, &EQUATION_9, Patience::Reciprocal(spec.required_cutoff()?)),
};

/// The row of NERR10.
pub static EQUATION_10: MeasureInfo = MeasureInfo {
    name: "NERR10",
    aliases: &["nerr10"],
    summary: "Gain per document for a user who stops when satisfied or, after each rank, with probability 1 - p.",
    formula: "NERR10 = sum over ranks i of V_i * gain_i / sum over i of V_i, V_1 = 1, V_(i+1) = V_i * (1 - gain_i) * p",
    reading: "RBP for a user who also stops when satisfied.",
    misleads: MISLEADS,
    citation: AZZOPARDI,
    parameters: &[
        Parameter {
            name: "p",
            default: "0.9",
            legal: Legal::Described("0 < p < 1"),
            meaning: "persistence: probability that an unsatisfied user goes on to the next rank",
        },
        MIN_REL,
        MAX_REL,
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "NERR10(p=0.5)",
        "1 0",
        "",
        1.0 / 3.0,
        "gain 1/2: V = 1, 1/4, 1/8, 1/16, ...: (1/2) / 1.5",
    )
    .up_to(2.0)],
    build: |spec| {
        let persistence = spec.number("p")?.unwrap_or(0.9);
        if !(persistence > 0.0 && persistence < 1.0) {
            return Err(spec.illegal("p", "0 < p < 1"));
        }
        NearlyErr::build(spec, &EQUATION_10, Patience::Geometric(persistence))
    },
};

/// The row of NERR11.
pub static EQUATION_11: MeasureInfo = MeasureInfo {
    name: "NERR11",
    aliases: &["nerr11"],
    summary: "Gain per document for a user who stops when satisfied, or as in INSQ with T relevant documents wanted.",
    formula: "NERR11 = sum over ranks i of V_i * gain_i / sum over i of V_i, V_1 = 1, V_(i+1) = V_i * (1 - gain_i) * ((i - 1 + \
              2T) / (i + 2T))^2;  NERR11@k: the user stops at rank k at the latest",
    reading: "INSQ for a user who also stops when satisfied.",
    misleads: "Not comparable with ERR, which is not a gain per document. The list is continued with non-relevant \
               documents without end; cwl_eval and ir_measures stop at rank 1000, so their value is NERR11@1000. Fix \
               max_rel to compare collections.",
    citation: AZZOPARDI,
    parameters: &[WANTED, crate::spec::OPTIONAL_CUTOFF, MIN_REL, MAX_REL],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "NERR11(T=1)",
            "1 0",
            "",
            0.5 / (std::f64::consts::PI * std::f64::consts::PI / 3.0 - 1.5),
            "gain 1/2: V = 1, then (1/2)(2/3)^2, (1/2)(2/4)^2, ...: (1/2) / (1 + 2 (pi^2/6 - 1 - 1/4)) = 0.2794",
        )
        .up_to(2.0),
        Example::new("NERR11(T=1)@2", "1 1", "", 0.5, "gain 1/2 at both ranks: 1/2 whoever looks at them").up_to(2.0),
    ],
    build: |spec| {
        let patience = Patience::Target(wanted(spec)?, spec.optional_cutoff()?);
        NearlyErr::build(spec, &EQUATION_11, patience)
    },
};

/// What makes an unsatisfied user stop.
#[derive(Debug, Clone, Copy)]
enum Patience {
    /// The cut-off alone.
    Cutoff(usize),
    /// i / (i + 1), to a cut-off.
    Reciprocal(usize),
    /// The same chance after every rank.
    Geometric(f64),
    /// INSQ's chance for so much gain wanted, perhaps to a cut-off.
    Target(f64, Option<usize>),
}

/// Terms added one by one where there is no closed form: enough for gains from 0.01.
const MOST_TERMS: usize = 10_000;

/// The score rises with each gain: the derivative by gain_i has the sign of V_i - patience_i * V_i * (sum over j > i of
/// (gain_j - score) V_j / V_(i+1)), and the sum over j > i of gain_j V_j / V_(i+1) is at most 1, being a chance of
/// being satisfied.
#[derive(Debug, Clone, Copy)]
struct NearlyErr {
    info: &'static MeasureInfo,
    patience: Patience,
    scale: Scale,
}

impl NearlyErr {
    fn build(
        spec: &MeasureSpec,
        info: &'static MeasureInfo,
        patience: Patience,
    ) -> Result<Box<dyn Measure>, SpecError> {
        Ok(Box::new(NearlyErr { info, patience, scale: Scale::of_spec(spec)? }))
    }

    fn cutoff(&self) -> Option<usize> {
        match self.patience {
            Patience::Cutoff(cutoff) | Patience::Reciprocal(cutoff) => Some(cutoff),
            Patience::Geometric(_) => None,
            Patience::Target(_, cutoff) => cutoff,
        }
    }
}

impl UserModel for NearlyErr {
    #[inline]
    fn goes_on(&self, rank: usize, gain: f64, _: f64) -> f64 {
        let rank = rank as f64;
        let patient = match self.patience {
            Patience::Cutoff(_) => 1.0,
            Patience::Reciprocal(_) => rank / (rank + 1.0),
            Patience::Geometric(persistence) => persistence,
            Patience::Target(target, _) => {
                let root = (rank - 1.0 + 2.0 * target) / (rank + 2.0 * target);
                root * root
            }
        };
        patient * (1.0 - gain)
    }

    fn below(&self, depth: usize, _: f64) -> f64 {
        match self.patience {
            Patience::Cutoff(cutoff) => cutoff.saturating_sub(depth) as f64,
            // (d+1)/(d+1) + (d+1)/(d+2) + ... + (d+1)/k
            Patience::Reciprocal(cutoff) => (depth + 1) as f64 * (harmonic(cutoff) - harmonic(depth)),
            Patience::Geometric(persistence) => 1.0 / (1.0 - persistence),
            Patience::Target(target, cutoff) => squares_below(depth as f64 + 2.0 * target, depth, cutoff),
        }
    }

    fn below_at(&self, depth: usize, total: f64, gain: f64) -> Option<f64> {
        let unsatisfied = 1.0 - gain;
        match self.patience {
            // As with P@k: what is not there is not unjudged.
            Patience::Cutoff(_) | Patience::Reciprocal(_) => None,
            Patience::Geometric(persistence) => Some(1.0 / (1.0 - persistence * unsatisfied)),
            Patience::Target(_, cutoff) => {
                let last = cutoff.unwrap_or(usize::MAX).min(depth + MOST_TERMS);
                let (mut looks, mut sum) = (1.0, 0.0);
                for rank in depth + 1..=last {
                    sum += looks;
                    looks *= self.goes_on(rank, gain, total);
                    if looks < f64::EPSILON * f64::EPSILON {
                        return Some(sum);
                    }
                }
                // What is left is at most what a user would do who is never satisfied.
                Some(if cutoff == Some(last) { sum } else { sum + looks * self.below(last, total) })
            }
        }
    }
}

impl Measure for NearlyErr {
    fn info(&self) -> &'static MeasureInfo {
        self.info
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(self.info);
        let spec = match self.patience {
            Patience::Geometric(persistence) => spec.with("p", Value::Number(persistence)),
            Patience::Target(target, _) => spec.with("T", Value::Number(target)),
            Patience::Cutoff(_) | Patience::Reciprocal(_) => spec,
        };
        self.scale.print(spec).optional(self.cutoff())
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        Ok(user_model::score(view, self, self.scale.in_collection(&view.collection), self.cutoff()))
    }
}
