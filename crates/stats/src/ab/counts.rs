//! Two proportions by their counts: the z test that takes every trial for independent.
//!
//! The one decision: it is called naive wherever it is shown. When users search more than once, their searches are alike, and the
//! variance p(1 − p)/n is too small by the design effect; [`design_effect_limit`] says how large that may be before the finding goes.

use super::{NoAnswer, critical};
use crate::dist::{OutOfRange, normal};
use crate::estimate::{Interval, Method};

/// Successes out of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proportion {
    successes: u64,
    trials: u64,
}

impl Proportion {
    /// So many successes in so many trials.
    ///
    /// # Errors
    /// No trial, more successes than trials, or more than a float counts exactly.
    pub fn new(successes: u64, trials: u64) -> Result<Proportion, NoAnswer> {
        let out = |argument, found: u64, legal| Err(OutOfRange { argument, found: found as f64, legal }.into());
        match (successes, trials) {
            (_, 0) => out("trials", 0, "at least 1"),
            (_, more) if more > 1 << 53 => out("trials", more, "a count to 9e15"),
            (more, trials) if more > trials => out("successes", more, "at most the number of trials"),
            _ => Ok(Proportion { successes, trials }),
        }
    }

    /// The share.
    pub fn value(self) -> f64 {
        self.successes as f64 / self.trials as f64
    }

    /// Trials.
    pub fn trials(self) -> u64 {
        self.trials
    }

    /// Variance of one trial, p(1 − p).
    pub fn variance(self) -> f64 {
        let p = self.value();
        p * (1.0 - p)
    }

    /// Wilson's interval of the share.
    ///
    /// # Errors
    /// The level is none.
    pub fn wilson(self, level: f64) -> Result<(f64, f64), NoAnswer> {
        let (p, n, z) = (self.value(), self.trials as f64, critical(level)?);
        let z2 = z * z;
        let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let reach = z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        // At 0 and n successes the end is exact; the formula's rounding must not step outside.
        let low = if self.successes == 0 { 0.0 } else { (middle - reach).max(0.0) };
        let high = if self.successes == self.trials { 1.0 } else { (middle + reach).min(1.0) };
        Ok((low, high))
    }
}

/// The naive comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Naive {
    /// Treatment minus control.
    pub difference: f64,
    /// Its standard error, each share with its own variance.
    pub std_error: f64,
    /// Newcombe's interval of the difference (from Wilson's of each share).
    pub interval: Interval,
    /// The z statistic, with the variance of the pooled share.
    pub z: f64,
    /// Its two-sided p.
    pub p: f64,
}

/// Compares two shares as if every trial were independent.
///
/// # Errors
/// All trials of both succeeded, or none did; the level is none.
pub fn naive(control: Proportion, treatment: Proportion, level: f64) -> Result<Naive, NoAnswer> {
    let (a, b) = (control.value(), treatment.value());
    let (n_a, n_b) = (control.trials as f64, treatment.trials as f64);
    let pooled = (control.successes as f64 + treatment.successes as f64) / (n_a + n_b);
    let variance = pooled * (1.0 - pooled) * (1.0 / n_a + 1.0 / n_b);
    if variance <= 0.0 {
        return Err(NoAnswer::Constant);
    }
    let ((low_a, high_a), (low_b, high_b)) = (control.wilson(level)?, treatment.wilson(level)?);
    let difference = b - a;
    let z = difference / variance.sqrt();
    let interval = Interval {
        low: difference - (b - low_b).hypot(high_a - a),
        high: difference + (high_b - b).hypot(a - low_a),
        level,
        method: Method::Mover,
    };
    let std_error = (control.variance() / n_a + treatment.variance() / n_b).sqrt();
    Ok(Naive { difference, std_error, interval, z, p: normal::two_sided(z)? })
}

/// The design effect (true variance over naive) at which a z statistic is no longer significant: (z / critical z)². Below 1 it never was.
///
/// # Errors
/// The level is none.
pub fn design_effect_limit(z: f64, level: f64) -> Result<f64, NoAnswer> {
    let ratio = z / critical(level)?;
    Ok(ratio * ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_and_twenty_of_a_hundred() {
        // Pooled .15: variance .15 · .85 · (2/100) = .00255; z = .1/√.00255.
        let found = naive(Proportion::new(10, 100).unwrap(), Proportion::new(20, 100).unwrap(), 0.95).unwrap();
        assert!((found.z - 0.1 / 0.00255f64.sqrt()).abs() < 1e-14);
        // √(.09/100 + .16/100) = .05.
        assert!((found.std_error - 0.05).abs() < 1e-15);
        // 1.96² · (1/1.9803)⁻² ...: z²/z²crit, z² = .01/.00255 = 3.9216, 3.8415 the 5% point of chi-squared: 1.0209.
        assert!((design_effect_limit(found.z, 0.95).unwrap() - 3.921568627 / 3.841458821).abs() < 1e-8);
    }

    #[test]
    fn as_statsmodels_has_it() {
        // statsmodels 0.15.0 (see conformance/ab.py): proportions_ztest([1310, 1200], [10050, 10000]) and
        // confint_proportions_2indep(1310, 10050, 1200, 10000, method="newcomb"), proportion_confint(1200, 10000, method="wilson").
        let (a, b) = (Proportion::new(1200, 10_000).unwrap(), Proportion::new(1310, 10_050).unwrap());
        let found = naive(a, b, 0.95).unwrap();
        for (ours, theirs) in [
            (found.z, STATSMODELS[0]),
            (found.p, STATSMODELS[1]),
            (found.interval.low, STATSMODELS[2]),
            (found.interval.high, STATSMODELS[3]),
            (a.wilson(0.95).unwrap().0, STATSMODELS[4]),
            (a.wilson(0.95).unwrap().1, STATSMODELS[5]),
        ] {
            assert!((ours / theirs - 1.0).abs() < 1e-9, "{ours} {theirs}");
        }
    }

    const STATSMODELS: [f64; 6] = [
        2.213888996012664,
        0.026836415894403016,
        0.0011861215151665432,
        0.01951046161645937,
        0.11377634165473127,
        0.12651549710698293,
    ];

    #[test]
    fn refusals_and_ends() {
        assert!(Proportion::new(3, 2).is_err() && Proportion::new(0, 0).is_err());
        let (none, all) = (Proportion::new(0, 9).unwrap(), Proportion::new(9, 9).unwrap());
        assert_eq!(naive(none, none, 0.95), Err(NoAnswer::Constant));
        assert_eq!(naive(all, all, 0.95), Err(NoAnswer::Constant));
        assert_eq!((none.wilson(0.95).unwrap().0, all.wilson(0.95).unwrap().1), (0.0, 1.0));
        let apart = naive(none, all, 0.95).unwrap();
        assert!(apart.interval.low > 0.0 && (apart.interval.high - 1.0).abs() < 1e-12, "{apart:?}");
        assert!(naive(none, all, 1.5).is_err());
    }
}
