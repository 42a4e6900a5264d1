//! The test of a mean difference that trusts nothing but the range: it keeps its level where rare large losses may not have been seen.
//!
//! The one decision: it is the interval [`bounded`](crate::interval::bounded) turned around. One more topic with the largest possible loss is
//! added, topics get uniform random weights, and p is the probability that the weighted mean is on the wrong side of 0.

use super::{Alternative, Calculation, Example, NoTest, Of, Outcome, Settings, TestInfo};
use crate::dist::dirichlet_mean::DirichletMean;
use crate::sample::Sample;

pub(super) const ROW: TestInfo = TestInfo {
    name: "bounded",
    title: "test of a bounded mean",
    statistic: "mean difference",
    formula: "p = P(sum(w d) <= 0) with weights w uniform over all weights that sum to 1 (Dirichlet(1, ..., 1)), over the differences d and one \
              more of -1, the largest possible loss; two-sided: twice the smaller of both sides",
    reading: "Tests the mean difference and assumes only that scores lie between 0 and 1, not that the topics show every kind of difference. \
              It keeps its level where a system loses much on rare topics, which t and randomization do not.",
    misleads: "It finds much less than t or randomization: small differences are rarely significant below 100 topics, because a few unseen \
               losses of 1 could cancel them. Its level is proven for differences of two values only, but was never found violated.",
    citation: "Gaffke (2005), Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable, \
               Mathematical Methods of Statistics 14(4); Learned-Miller and Thomas (2019), arXiv 1905.06208",
    of: Of::Differences(run),
    example: Example {
        differences: &[1.0, 1.0, 0.5, 0.5, 0.0],
        second: &[],
        statistic: 0.6,
        p: 2.0 / 9.0,
        within: 1e-10,
        derivation: "weights are exponential variables E over their sum; E of the added loss exceeds sum(d E) with probability 1 / ((1 + 1)^2 \
                     (1 + .5)^2) = 1/9; twice that",
    },
};

fn run(differences: &Sample<'_>, alternative: Alternative, settings: &Settings) -> Result<Outcome, NoTest> {
    let (largest, values) = (settings.largest, differences.values());
    let seen = values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    if !(largest.is_finite() && largest > 0.0 && largest >= seen) {
        let expected = "a finite number, at least as large as every difference";
        return Err(NoTest::Setting { what: "largest possible difference", found: largest, expected });
    }
    // The probability that the mean is not on this side, should the unseen be at its worst.
    let against = |turn: f64| -> Result<f64, NoTest> {
        let turned = values.iter().map(|value| turn * value).chain([-largest]);
        let mean = DirichletMean::new(turned);
        let mean =
            mean.map_err(|error| NoTest::Setting { what: error.argument, found: error.found, expected: error.legal })?;
        Ok(mean.cdf(0.0))
    };
    let n = values.len();
    let sides = if alternative == Alternative::TwoSided { 2.0 } else { 1.0 };
    Ok(Outcome {
        statistic: differences.mean(),
        p: alternative.p(against(1.0)?, against(-1.0)?).max(f64::MIN_POSITIVE),
        // Every difference the largest: the added topic has more weight than all others with probability 2^-n.
        smallest_p: Some((sides / 2f64.powi(n.min(1000) as i32)).min(1.0)),
        calculation: Calculation::Distribution,
        used: n,
        posterior: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::{beta, binomial};
    use crate::interval::bounded;

    fn p(values: &[f64], alternative: Alternative) -> f64 {
        ROW.run(&Sample::new(values).unwrap(), alternative, &Settings::default()).unwrap().p
    }

    #[test]
    fn wins_and_losses_of_one_are_a_binomial_test() {
        // Seven won and two lost by 1: the added loss makes three. P(Beta(7, 3) ≤ ½) = P(at least 7 heads of 9).
        let values = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0];
        let heads = binomial::sf(6, 9, 0.5).unwrap();
        assert!((p(&values, Alternative::Greater) - heads).abs() < 1e-12);
        assert!((p(&values, Alternative::TwoSided) - 2.0 * heads).abs() < 1e-12);
        assert!((p(&values, Alternative::Greater) - beta::cdf(0.5, 7.0, 3.0).unwrap()).abs() < 1e-12);
    }

    #[test]
    fn all_topics_won_by_a_tenth_is_not_significant_before_thirty_nine() {
        // Two-sided 2 / 1.1ⁿ for n equal differences of .1: 1.1^38 = 37.4, 1.1^39 = 41.1 > 40.
        assert!(p(&[0.1; 38], Alternative::TwoSided) > 0.05 && p(&[0.1; 39], Alternative::TwoSided) < 0.05);
        assert!((p(&[0.1; 10], Alternative::TwoSided) - 2.0 / 1.1f64.powi(10)).abs() < 1e-11);
    }

    #[test]
    fn it_is_the_interval_turned_around() {
        let values = [0.2, 0.4, -0.1, 0.3, 0.5, 0.25, 0.6, 0.3, -0.05, 0.7, 0.4, 0.35];
        let sample = Sample::new(&values).unwrap();
        let found = p(&values, Alternative::TwoSided);
        // At the level 1 − p the lower end is 0.
        let interval = bounded(&sample, (-1.0, 1.0), 1.0 - found).unwrap();
        assert!(interval.low.abs() < 1e-9 && found < 0.2, "{found} {interval:?}");
    }

    #[test]
    fn the_largest_difference_is_checked_and_matters() {
        let sample = Sample::new(&[1.0, 2.0, 0.5, 3.0, 1.0]).unwrap();
        let with = |largest| ROW.run(&sample, Alternative::TwoSided, &Settings { largest, ..Settings::default() });
        assert!(
            matches!(with(1.0), Err(NoTest::Setting { .. }))
                && matches!(with(f64::INFINITY), Err(NoTest::Setting { .. }))
        );
        // 2 / Π (1 + d/3) = 2 / (4/3 · 5/3 · 7/6 · 2 · 4/3) = .28929.
        let expected = 2.0 / (4.0 / 3.0 * 5.0 / 3.0 * 7.0 / 6.0 * 2.0 * 4.0 / 3.0);
        assert!((with(3.0).unwrap().p - expected).abs() < 1e-11 && with(10.0).unwrap().p > with(3.0).unwrap().p);
    }
}
