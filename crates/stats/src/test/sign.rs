//! The sign test.

use super::{Alternative, Calculation, Example, NoTest, Of, Outcome, SAME, Settings, TestInfo};
use crate::dist::binomial;
use crate::sample::Sample;

pub(super) const ROW: TestInfo = TestInfo {
    name: "sign",
    title: "sign test",
    statistic: "topics won, without ties",
    formula: "p from the binomial with chance 1/2 of the topics won among those not tied; ties (|d| up to the tie setting) are dropped",
    reading: "Tests whether one system wins more topics, by any margin. Exact. Ties (differences of 0, or up to --tie) \
              are dropped.",
    misleads: "It does not test the mean: a system may win most topics by a small margin and have the lower mean. If \
               differences are skewed, it rejects equal means more often with more topics. The definition of a tie \
               changes the result.",
    citation: "Arbuthnot (1710), An argument for divine providence, Philosophical Transactions 27; Conover (1999), Practical \
               Nonparametric Statistics, section 3.4",
    of: Of::Differences(run),
    example: Example {
        differences: &[0.1, 0.2, 0.1, 0.3, 0.0, -0.2],
        second: &[],
        statistic: 4.0,
        p: 0.375,
        within: 1e-12,
        derivation: "4 won, 1 lost, 1 tied; of 5 coins 4 or 5 heads: (5 + 1) / 32, twice",
    },
};

fn run(differences: &Sample<'_>, alternative: Alternative, settings: &Settings) -> Result<Outcome, NoTest> {
    if !(settings.tie >= 0.0 && settings.tie.is_finite()) {
        return Err(NoTest::Setting { what: "tie", found: settings.tie, expected: "a number from 0" });
    }
    let largest = differences.values().iter().fold(0.0f64, |most, d| most.max(d.abs()));
    // A hair wider, so that 0.3 − 0.29 is a tie of 0.01.
    let tie = settings.tie * (1.0 + SAME) + SAME * largest;
    let count = |wanted: fn(f64) -> f64| differences.values().iter().filter(|d| wanted(**d) > tie).count() as u64;
    let (won, lost) = (count(|d| d), count(|d| -d));
    let used = won + lost;
    if used == 0 {
        return Err(NoTest::AllZero);
    }
    // The chance of k or fewer; the counts are within every limit of `binomial`.
    let at_most = |k: u64| binomial::cdf(k, used, 0.5).unwrap_or(1.0);
    let sides = if alternative == Alternative::TwoSided { 2.0 } else { 1.0 };
    Ok(Outcome {
        statistic: won as f64,
        p: alternative.p(at_most(lost), at_most(won)),
        smallest_p: Some((sides / 2f64.powi(used.min(1100) as i32)).min(1.0)),
        calculation: Calculation::Exact,
        used: used as usize,
        posterior: None,
    })
}
