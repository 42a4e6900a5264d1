//! Welch's t test of two samples of different topics, and the degrees of freedom of a sum of variances.

use super::{Alternative, Example, NoTest, Of, Outcome, TestInfo, t};
use crate::sample::Sample;

pub(super) const ROW: TestInfo = TestInfo {
    name: "welch",
    title: "Welch's t test (unpaired)",
    statistic: "difference of the means over its standard error",
    formula: "t = (mean(a) - mean(b)) / sqrt(v), v = var(a)/n + var(b)/m; degrees of freedom v^2 / ((var(a)/n)^2/(n-1) + \
              (var(b)/m)^2/(m-1))",
    reading: "For systems that answered different topics. Variances may differ.",
    misleads: "For systems with the same topics it ignores the pairing and loses most of the power: use t.",
    citation: "Welch (1947), The generalization of Student's problem when several different population variances are involved, \
               Biometrika 34(1/2); Satterthwaite (1946), An approximate distribution of estimates of variance components, \
               Biometrics Bulletin 2(6)",
    of: Of::TwoSamples(run),
    example: Example {
        differences: &[1.0, 3.0],
        second: &[4.0, 6.0],
        statistic: -2.121_320_343_559_642_4,
        p: 0.167_949_705_662_156_28,
        within: 1e-12,
        derivation: "means 2 and 5, variances 2 and 2: t = -3 / sqrt(1 + 1) = -2.1213; degrees of freedom 4 / (1 + 1) = 2; \
                     p = 1 - 2.1213 / sqrt(2 + 4.5) = 0.1679",
    },
};

fn run(first: &Sample<'_>, second: &Sample<'_>, alternative: Alternative) -> Result<Outcome, NoTest> {
    let part = |sample: &Sample<'_>| {
        let n = sample.len();
        let variance = sample.variance().map_err(|_| NoTest::TooFew { have: n, need: 2 })?;
        Ok((variance / n as f64, n as f64 - 1.0))
    };
    let difference = first.mean() - second.mean();
    let (variance, df) = satterthwaite(&[part(first)?, part(second)?]).ok_or(if difference == 0.0 {
        NoTest::AllZero
    } else {
        NoTest::Constant { value: difference }
    })?;
    t::from_statistic(difference / variance.sqrt(), df, first.len() + second.len(), alternative)
}

/// The variance of a sum of independent parts, each a variance with the degrees of freedom it was estimated on, and the degrees of
/// freedom of their sum. `None` where nothing varies.
pub fn satterthwaite(parts: &[(f64, f64)]) -> Option<(f64, f64)> {
    let variance: f64 = parts.iter().map(|part| part.0).sum();
    // A part without variance has no say in the degrees of freedom.
    let squares: f64 =
        parts.iter().filter(|part| part.0 > 0.0).map(|(variance, df)| variance * variance / df.max(1.0)).sum();
    (variance > 0.0 && squares > 0.0).then(|| (variance, variance * variance / squares))
}
