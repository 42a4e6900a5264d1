//! The difference of two ratios of independent arms, with Welch's degrees of freedom.
//!
//! The one decision: Student's t and not the normal. With thousands of users it makes no difference; with ten it keeps the level, and
//! for a mean over users it is Welch's test exactly.

use super::{NoAnswer, Ratio};
use crate::dist::{each_side, student_t};
use crate::estimate::{Interval, Method};

/// Treatment minus control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The difference.
    pub value: f64,
    /// Its standard error.
    pub std_error: f64,
    /// Welch's degrees of freedom.
    pub df: f64,
    /// The difference over its standard error.
    pub t: f64,
    /// Its two-sided p.
    pub p: f64,
    /// Its interval.
    pub interval: Interval,
}

/// Compares two arms.
///
/// # Errors
/// Nothing varies in either arm, or the level is none.
pub fn difference(control: &Ratio, treatment: &Ratio, level: f64) -> Result<Difference, NoAnswer> {
    let (a, b) = (control.variance(), treatment.variance());
    if !matches!(a + b, sum if sum > 0.0) {
        return Err(NoAnswer::Constant);
    }
    let share = |variance: f64, units: u64| variance * variance / (units - 1) as f64;
    let df = ((a + b) * (a + b) / (share(a, control.units) + share(b, treatment.units))).min(1e10);
    let (value, std_error) = (treatment.value - control.value, (a + b).sqrt());
    let t = (value / std_error).clamp(-1e150, 1e150);
    let reach = student_t::upper_quantile(each_side(level)?, df)? * std_error;
    let interval = Interval { low: value - reach, high: value + reach, level, method: Method::StudentT };
    Ok(Difference { value, std_error, df, t, p: student_t::two_sided(t, df)?, interval })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn welch_by_hand() {
        // Variances 1 over 4 units and 1 over 9: of the means 1/4 and 1/9; df (13/36)² / (1/48 + 1/648) = 5.8312.
        let of = |value, units| Ratio::of_equal_units(value, 1.0, units);
        let found = difference(&of(1.0, 4), &of(2.0, 9), 0.95).unwrap();
        assert!((found.std_error - 13f64.sqrt() / 6.0).abs() < 1e-15);
        assert!((found.df - (13.0f64 / 36.0).powi(2) / (1.0 / 48.0 + 1.0 / 648.0)).abs() < 1e-12);
        assert_eq!((found.value, found.t), (1.0, 6.0 / 13f64.sqrt()));
    }

    #[test]
    fn a_mean_over_users_is_welch_as_scipy_has_it() {
        // scipy 1.17.1 (conformance/ab.py): ttest_ind([3, 0, 5, 2, 2], [1, 0, 0, 2, 1, 4], equal_var=False) and its 95% interval.
        let of = |values: &[f64]| Ratio::of(&values.iter().map(|&x| (x, 1.0)).collect::<Vec<_>>()).unwrap();
        let found = difference(&of(&[1.0, 0.0, 0.0, 2.0, 1.0, 4.0]), &of(&[3.0, 0.0, 5.0, 2.0, 2.0]), 0.95).unwrap();
        for (ours, theirs) in
            [(found.t, SCIPY[0]), (found.p, SCIPY[1]), (found.df, SCIPY[2]), (found.interval.low, SCIPY[3])]
        {
            assert!((ours / theirs - 1.0).abs() < 1e-9, "{ours} {theirs}");
        }
    }

    const SCIPY: [f64; 4] = [1.0470719856059014, 0.32628674710505723, 7.835837921835283, -1.2910857460023062];

    #[test]
    fn no_variance_no_test() {
        let flat = Ratio::of_equal_units(0.5, 0.0, 9);
        assert_eq!(difference(&flat, &flat, 0.95), Err(NoAnswer::Constant));
        let one = difference(&flat, &Ratio { unit_variance: 1.0, ..flat }, 0.95).unwrap();
        assert!((one.df - 8.0).abs() < 1e-12 && one.p == 1.0);
    }
}
