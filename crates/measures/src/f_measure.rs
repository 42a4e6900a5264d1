//! F: the weighted harmonic mean of precision and recall, of the first k documents and of all retrieved.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::counts::Counts;
use crate::citations;
use crate::info::{Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, RELEVANCE, SpecError, Value};
use crate::ties::{TieRule, Tied};

const BETA: Parameter = Parameter {
    name: "beta",
    default: "1",
    legal: Legal::Described("a number from 0"),
    meaning: "how many times as important recall is as precision",
};

/// The row of F at a cut-off.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "F",
    aliases: &["f1"],
    summary: "Weighted harmonic mean of P@k and R@k.",
    formula: "F@k = (1 + beta^2) * P@k * R@k / (beta^2 * P@k + R@k)",
    reading: "High only when both precision and recall at k are; with beta = 2 recall weighs more, with 0.5 precision.",
    misleads: "If k is far from R, the largest possible value is well below 1.",
    citation: citations::VAN_RIJSBERGEN,
    parameters: &[CUTOFF, BETA, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("F@4", "1 0 1 0 1", "1 1 1", 0.4, "P = 2/4, R = 2/6: 2 * 1/2 * 1/3 / (1/2 + 1/3) = 0.4")],
    build: |spec| {
        let weight = Weight::Beta(beta(spec)?);
        Ok(Box::new(FMeasure { cutoff: Some(spec.required_cutoff()?), weight, level: spec.level()? }))
    },
};

/// The row of F of all retrieved documents.
pub static SET: MeasureInfo = MeasureInfo {
    name: "SetF",
    aliases: &["set_F"],
    summary: "Weighted harmonic mean of precision and recall of all retrieved documents.",
    formula: "SetF = (1 + beta^2) * SetP * SetR / (beta^2 * SetP + SetR)",
    reading: "High only if most retrieved documents are relevant and most relevant documents are retrieved.",
    misleads: "Order is ignored, and a run that always retrieves 1000 documents has low precision by construction. \
               trec_eval's set_F.x gives x = beta^2: its set_F.2 is beta = 1.414, written SetF(x=2) here.",
    citation: citations::VAN_RIJSBERGEN,
    parameters: &[
        BETA,
        Parameter {
            name: "x",
            default: "",
            legal: Legal::Described("a number from 0, and no beta"),
            meaning: "beta squared, as in trec_eval",
        },
        RELEVANCE,
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("SetF", "1 0 1 0", "1 1 1 1", 0.4, "P = 2/4, R = 2/6: 2 * 1/2 * 1/3 / (1/2 + 1/3) = 0.4"),
        Example::new(
            "SetF(beta=2)",
            "1 0 1 0",
            "1 1 1 1",
            5.0 / 14.0,
            "P = 1/2, R = 1/3: 5 * 1/6 / (4/2 + 1/3) = (5/6)/(7/3) = 5/14",
        ),
        Example::new("SetF(x=4)", "1 0 1 0", "1 1 1 1", 5.0 / 14.0, "x = 4 is beta = 2: 5/14"),
    ],
    build: |spec| {
        let weight = match spec.number("x")? {
            Some(x) if spec.number("beta")?.is_none() && x >= 0.0 => Weight::Square(x),
            Some(_) => return Err(spec.illegal("x", "a number from 0, and no beta")),
            None => Weight::Beta(beta(spec)?),
        };
        Ok(Box::new(FMeasure { cutoff: None, weight, level: spec.level()? }))
    },
};

fn beta(spec: &MeasureSpec) -> Result<f64, SpecError> {
    let beta = spec.number("beta")?.unwrap_or(1.0);
    if beta >= 0.0 && (beta * beta).is_finite() { Ok(beta) } else { Err(spec.illegal("beta", BETA.legal)) }
}

/// The weight of recall as it was given, so that it prints back.
#[derive(Debug, Clone, Copy)]
enum Weight {
    Beta(f64),
    Square(f64),
}

impl Weight {
    fn square(self) -> f64 {
        match self {
            Weight::Beta(beta) => beta * beta,
            Weight::Square(x) => x,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct FMeasure {
    cutoff: Option<usize>,
    weight: Weight,
    level: f64,
}

impl Measure for FMeasure {
    fn info(&self) -> &'static MeasureInfo {
        if self.cutoff.is_some() { &INFO } else { &SET }
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(self.info());
        let spec = match self.weight {
            Weight::Beta(1.0) => spec,
            Weight::Beta(beta) => spec.with("beta", Value::Number(beta)),
            Weight::Square(x) => spec.with("x", Value::Number(x)),
        };
        spec.with_level(self.level).optional(self.cutoff)
    }

    fn missed_shrink_differences(&self) -> bool {
        // With a cut-off, (1 + beta^2) times a count over beta^2 R + k; else k is the length of the list, which differs.
        self.cutoff.is_some()
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let depth = self.cutoff.unwrap_or(view.ranks.len()) as f64;
        let square = self.weight.square();
        let mean = |found: f64, relevant: f64| {
            if found == 0.0 {
                return 0.0;
            }
            let (precision, recall) = (found / depth, found / relevant);
            (square + 1.0) * precision * recall / (square * precision + recall)
        };
        Ok(Counts::of(view, self.cutoff, self.level).score(mean))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        // With c found of R among k, P = c/k and R = c/R give F = (1 + beta^2) c / (beta^2 R + k): linear in c.
        let looked_at = self.cutoff.unwrap_or(tied.view.ranks.len()) as f64;
        let relevant = f64::from(tied.view.facts.relevant(self.level));
        if relevant == 0.0 || looked_at == 0.0 {
            return TieRule::Constant;
        }
        let square = self.weight.square();
        let each = 1.0 / (square / (square + 1.0) * relevant + looked_at / (square + 1.0));
        TieRule::count(|judgement| judgement.is_relevant(self.level), self.cutoff, each)
    }
}
