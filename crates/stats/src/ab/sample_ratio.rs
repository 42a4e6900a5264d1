//! Sample ratio: did the arms get as many units as planned? Checked first, because otherwise no result is valid.
//!
//! The one decision: the threshold is .001 and not .05. The check is made for every test, so it must seldom cry wolf; and real
//! faults (a redirect that loses users, bots in one arm) are far beyond it.

use super::NoAnswer;
use crate::dist::{OutOfRange, chi_squared};

/// Below this p the sample ratio is taken for wrong.
pub const SAMPLE_RATIO_THRESHOLD: f64 = 0.001;

/// The check.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleRatio {
    /// Units expected in each arm.
    pub expected: Vec<f64>,
    /// Pearson's statistic.
    pub chi_squared: f64,
    /// Degrees of freedom, arms − 1.
    pub df: u64,
    /// Its p.
    pub p: f64,
}

impl SampleRatio {
    /// Whether chance explains the split.
    pub fn holds(&self) -> bool {
        self.p >= SAMPLE_RATIO_THRESHOLD
    }
}

/// Checks units of each arm against the weights by which they were assigned.
///
/// # Errors
/// Fewer than two arms, no units, or weights that are none.
pub fn sample_ratio(units: &[u64], weights: &[f64]) -> Result<SampleRatio, NoAnswer> {
    if units.len() < 2 || weights.len() != units.len() {
        return Err(NoAnswer::TooFew { what: "arms", have: units.len().min(weights.len()) as u64, need: 2 });
    }
    if let Some(&found) = weights.iter().find(|weight| !(weight.is_finite() && **weight > 0.0)) {
        return Err(OutOfRange { argument: "share of an arm", found, legal: "a number above 0" }.into());
    }
    let total: u64 = units.iter().sum();
    if total == 0 {
        return Err(NoAnswer::TooFew { what: "units", have: 0, need: 1 });
    }
    let all: f64 = weights.iter().sum();
    let expected: Vec<f64> = weights.iter().map(|weight| weight / all * total as f64).collect();
    let statistic = units.iter().zip(&expected).map(|(&n, e)| (n as f64 - e) * (n as f64 - e) / e).sum::<f64>();
    let df = units.len() as u64 - 1;
    Ok(SampleRatio { expected, chi_squared: statistic, df, p: chi_squared::sf(statistic, df as f64)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand_and_as_scipy_has_it() {
        // 60 and 40 of 100, planned 50:50: 100/50 + 100/50 = 4; with one degree of freedom p is that of z = 2, .0455.
        let found = sample_ratio(&[60, 40], &[1.0, 1.0]).unwrap();
        assert!((found.chi_squared - 4.0).abs() < 1e-15 && (found.p - 0.045500263896358).abs() < 1e-12);
        assert!(found.holds());
        // scipy 1.17.1 (conformance/ab.py): chisquare([1012, 89, 119], [.8 · 1220, .1 · 1220, .1 · 1220]).
        let found = sample_ratio(&[1012, 89, 119], &[80.0, 10.0, 10.0]).unwrap();
        assert!(
            (found.chi_squared / SCIPY[0] - 1.0).abs() < 1e-9 && (found.p / SCIPY[1] - 1.0).abs() < 1e-9,
            "{found:?}"
        );
        assert_eq!(found.df, 2);
        assert!(!sample_ratio(&[600, 400], &[1.0, 1.0]).unwrap().holds());
    }

    const SCIPY: [f64; 2] = [10.327868852459016, 0.005719153773506742];

    #[test]
    fn refusals() {
        assert!(sample_ratio(&[5], &[1.0]).is_err() && sample_ratio(&[0, 0], &[1.0, 1.0]).is_err());
        assert!(sample_ratio(&[5, 5], &[1.0, 0.0]).is_err() && sample_ratio(&[5, 5], &[1.0, f64::NAN]).is_err());
    }
}
