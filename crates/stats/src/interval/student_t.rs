//! The t interval of a mean.
//!
//! The one decision: mean ± t × standard error, nothing else; its known weakness (short coverage for skewed data) is
//! measured in `tests/coverage.rs` rather than patched.

use super::{HANDFUL, NoInterval, check_sample};
use crate::{
    dist::{each_side, student_t},
    estimate::{Interval, Method},
    sample::Sample,
};

/// The t interval of the mean at `level`, with n − 1 degrees of freedom.
pub fn t(sample: &Sample<'_>, level: f64) -> Result<Interval, NoInterval> {
    let side = each_side(level)?;
    check_sample(sample, HANDFUL)?;
    let have = sample.len();
    let std_error = sample.std_error().map_err(|_| NoInterval::TooFew { have, need: super::HANDFUL })?;
    let reach = student_t::upper_quantile(side, have as f64 - 1.0)? * std_error;
    Ok(Interval { low: sample.mean() - reach, high: sample.mean() + reach, level, method: Method::StudentT })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_numbers_by_table() {
        // 1..5: mean 3, variance 10/4 = 2.5, standard error √0.5. Table: t(0.975, 4) = 2.776445 (NIST, 1.3.6.7.2: 2.776).
        // SciPy 1.17.1: stats.t.ppf(0.975, 4) = 2.7764451051977987.
        let interval = t(&Sample::new(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap(), 0.95).unwrap();
        let reach = 2.7764451051977987 * 0.5f64.sqrt();
        assert!((interval.low - (3.0 - reach)).abs() < 1e-13 && (interval.high - (3.0 + reach)).abs() < 1e-13);
        assert_eq!((interval.level, interval.method), (0.95, Method::StudentT));
    }

    #[test]
    fn reasons_instead_of_nan() {
        let t_of = |values: &[f64], level| t(&Sample::new(values).unwrap(), level).unwrap_err();
        assert_eq!(t_of(&[1.0], 0.95), NoInterval::TooFew { have: 1, need: 5 });
        assert_eq!(t_of(&[1.0, 2.0, 3.0, 4.0], 0.95), NoInterval::TooFew { have: 4, need: 5 });
        assert_eq!(t_of(&[0.1; 9], 0.95), NoInterval::Constant { value: 0.1 });
        assert!(matches!(t_of(&[1.0, 2.0, 3.0, 4.0, 5.0], 95.0), NoInterval::Level(_)));
    }
}
