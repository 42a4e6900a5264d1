//! Cohen's kappa, plain and weighted.

use super::{Coefficient, Confusion, Example, Of, Undefined, beyond_chance};

const CITATION: &str = "Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological \
                        Measurement 20(1)";
const WEIGHTED_CITATION: &str = "Cohen (1968), Weighted kappa, Psychological Bulletin 70(4)";

pub(super) const ROW: Coefficient = Coefficient {
    name: "cohen",
    title: "Cohen's kappa",
    formula: "(Po - Pe) / (1 - Pe), Pe = sum over grades of (share of judge 1) x (share of judge 2)",
    reading: "Agreement beyond chance; chance uses each judge's own grade shares. Judges with different shares score \
              higher than with pooled shares. With more than two judges: the mean over all pairs.",
    citation: CITATION,
    beyond_chance: true,
    of: Of::TwoJudges(|confusion| kappa(confusion, |a, b| if a == b { 0.0 } else { 1.0 })),
    example: Example {
        table: &[&[70, 10], &[20, 300]],
        value: 0.26 / 0.335,
        derivation: "Po = .925, Pe = .8 x .775 + .2 x .225 = .665; .26 / .335",
    },
};

pub(super) const LINEAR: Coefficient = Coefficient {
    name: "cohen_linear",
    title: "Cohen's kappa, linear weights",
    formula: "1 - (sum of |a - b| observed) / (sum of |a - b| expected), a and b places in the scale",
    reading: "A disagreement by two grades counts twice as much as by one. Distances are numbers of steps on the \
              scale, not differences of values. With more than two judges: the mean over all pairs.",
    citation: WEIGHTED_CITATION,
    beyond_chance: true,
    of: Of::TwoJudges(|confusion| kappa(confusion, |a, b| (a - b).abs())),
    example: Example {
        table: &[&[1, 1, 0], &[0, 1, 0], &[0, 0, 1]],
        value: 1.0 - 0.25 / (14.0 / 16.0),
        derivation: "observed 1/4; shares (2,1,1)/4 and (1,2,1)/4, expected (2x2x1 + 2x1x2 + 1x1x1 + 1x1x1 + 1x1x2 + 1x2x1)/16 = 14/16",
    },
};

pub(super) const QUADRATIC: Coefficient = Coefficient {
    name: "cohen_quadratic",
    title: "Cohen's kappa, quadratic weights",
    formula: "1 - (sum of (a - b)^2 observed) / (sum of (a - b)^2 expected), a and b places in the scale",
    reading: "Large disagreements dominate, as in a correlation. It rises with the number of grades, so compare only \
              values for the same scale. With more than two judges: the mean over all pairs.",
    citation: WEIGHTED_CITATION,
    beyond_chance: true,
    of: Of::TwoJudges(|confusion| kappa(confusion, |a, b| (a - b) * (a - b))),
    example: Example {
        table: &[&[1, 1, 0], &[0, 1, 0], &[0, 0, 1]],
        value: 1.0 - 0.25 / (20.0 / 16.0),
        derivation: "observed 1/4; expected with squares (2x2 + 2x1x4 + 1 + 1 + 1x1x4 + 1x2)/16 = 20/16",
    },
};

/// 1 − observed disagreement / expected disagreement; with 0 and 1 as distances that is (Po − Pe)/(1 − Pe).
fn kappa(confusion: &Confusion, distance: fn(f64, f64) -> f64) -> Result<f64, Undefined> {
    let (first, second) = confusion.shares().ok_or(Undefined::NoOverlap)?;
    let items = confusion.items();
    let k = confusion.categories();
    let (mut observed, mut expected) = (0.0, 0.0);
    for (a, first) in first.iter().enumerate() {
        for (b, second) in second.iter().enumerate().take(k) {
            let apart = distance(confusion.place(a), confusion.place(b));
            observed += apart * confusion.at(a, b) / items;
            expected += apart * first * second;
        }
    }
    // In the form of `beyond_chance`, so that "no chance to disagree" has one definition.
    beyond_chance(1.0 - observed, 1.0 - expected)
}
