//! The kappa of the slides and the IR book: pooled marginals, Scott's pi.

use super::{Coefficient, Confusion, Example, Of, Undefined, beyond_chance};

pub(super) const ROW: Coefficient = Coefficient {
    name: "pooled",
    title: "Kappa with pooled shares (Scott's pi)",
    formula: "(Po - Pe) / (1 - Pe), Pe = sum over grades of (mean share of both judges)^2",
    reading: "The kappa of IR textbooks: chance uses the grade shares of both judges together. Never larger than \
              Cohen's kappa. With more than two judges: the mean over all pairs.",
    citation: "Scott (1955), Reliability of content analysis, Public Opinion Quarterly 19(3)",
    beyond_chance: true,
    of: Of::TwoJudges(pooled),
    example: Example {
        table: &[&[70, 10], &[20, 300]],
        value: 0.2596875 / 0.3346875,
        derivation: "Po = .925; relevant 630/800 = .7875, Pe = .7875^2 + .2125^2 = .6653125; .2596875 / .3346875",
    },
};

fn pooled(confusion: &Confusion) -> Result<f64, Undefined> {
    let (first, second) = confusion.shares().ok_or(Undefined::NoOverlap)?;
    let observed = confusion.agreement().ok_or(Undefined::NoOverlap)?;
    let chance = first.iter().zip(&second).map(|(a, b)| ((a + b) / 2.0).powi(2)).sum();
    beyond_chance(observed, chance)
}
