//! The interval of a mean of values with a known range, for any distribution of them (Gaffke 2005; Learned-Miller and Thomas 2019).
//!
//! The one decision: each end is a quantile of the sample's mean under uniform random weights, after one more value was added at that end of the
//! range. That value stands for what the sample did not show: so the interval covers where spread is no guide, because most values are equal, few
//! are large, or none are. For values that are 0 or 1 it is Clopper and Pearson's interval.

use super::{HANDFUL, NoInterval};
use crate::dist::dirichlet_mean::DirichletMean;
use crate::dist::{check, each_side};
use crate::estimate::{Interval, Method};
use crate::sample::Sample;

/// The interval of the mean of values from `least` to `greatest`, at `level`.
///
/// # Errors
/// Fewer than five values, a value outside the range, or a level that is none. Equal values are no error: their range says what others may be.
pub fn bounded(sample: &Sample<'_>, (least, greatest): (f64, f64), level: f64) -> Result<Interval, NoInterval> {
    let side = each_side(level)?;
    if sample.len() < HANDFUL {
        return Err(NoInterval::TooFew { have: sample.len(), need: HANDFUL });
    }
    let finite = least.is_finite() && greatest.is_finite() && least < greatest;
    check(finite, "range", greatest - least, "finite ends, the lower one first").map_err(NoInterval::Range)?;
    let values = sample.values();
    for &value in values {
        check((least..=greatest).contains(&value), "value", value, "a value inside the range")
            .map_err(NoInterval::Range)?;
    }
    let upper =
        |values: &mut dyn Iterator<Item = f64>, end: f64| DirichletMean::new(values.chain([end]))?.upper_quantile(side);
    let high = upper(&mut values.iter().copied(), greatest)?;
    // The lower end mirrors the upper one.
    let low = -upper(&mut values.iter().map(|value| -value), -least)?;
    let mean = sample.mean();
    Ok(Interval { low: low.min(mean).max(least), high: high.max(mean).min(greatest), level, method: Method::Bounded })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::binomial::clopper_pearson;

    fn of(values: &[f64]) -> Interval {
        bounded(&Sample::new(values).unwrap(), (0.0, 1.0), 0.95).unwrap()
    }

    #[test]
    fn zeros_and_ones_give_clopper_and_pearson() {
        for (ones, n) in [(0, 10), (1, 10), (5, 10), (10, 10), (3, 50), (49, 50)] {
            let values: Vec<f64> = (0..n).map(|place| f64::from(u8::from(place < ones))).collect();
            let (found, exact) = (of(&values), clopper_pearson(ones, n, 0.95).unwrap());
            assert!(
                (found.low - exact.low).abs() < 1e-10 && (found.high - exact.high).abs() < 1e-10,
                "{found:?} {exact:?}"
            );
        }
    }

    #[test]
    fn equal_values_by_hand() {
        // Five times .4: the added value has weight W ~ Beta(1, 5), P(W > w) = (1 − w)^5 = .025 at w = 1 − .025^(1/5) = .5218238.
        // High: .4 + .6 w = .7130943; low: .4 − .4 w = .1912705.
        let found = of(&[0.4; 5]);
        let w = 1.0 - 0.025f64.powf(0.2);
        assert!((found.high - (0.4 + 0.6 * w)).abs() < 1e-10 && (found.high - 0.713_094_3).abs() < 1e-7);
        assert!((found.low - 0.4 * (1.0 - w)).abs() < 1e-10 && (found.low - 0.191_270_5).abs() < 1e-7);
    }

    #[test]
    fn a_range_moves_with_its_values_and_contains_the_interval() {
        let values = [0.0, 0.02, 0.05, 0.11, 0.3, 0.3, 0.9];
        let moved = values.map(|value| 2.0 * value - 1.0);
        let (found, other) = (of(&values), bounded(&Sample::new(&moved).unwrap(), (-1.0, 1.0), 0.95).unwrap());
        assert!(
            (2.0 * found.low - 1.0 - other.low).abs() < 1e-10 && (2.0 * found.high - 1.0 - other.high).abs() < 1e-10
        );
        assert!(found.low >= 0.0 && found.high <= 1.0 && found.contains(0.24));
        assert_eq!(found.method, Method::Bounded);
    }

    #[test]
    fn reasons() {
        let of = |values: &[f64], range, level| bounded(&Sample::new(values).unwrap(), range, level).unwrap_err();
        assert_eq!(of(&[0.0; 4], (0.0, 1.0), 0.95), NoInterval::TooFew { have: 4, need: 5 });
        assert!(matches!(of(&[0.0, 0.1, 0.2, 0.3, 1.5], (0.0, 1.0), 0.95), NoInterval::Range(_)));
        assert!(matches!(of(&[0.0; 5], (0.0, f64::INFINITY), 0.95), NoInterval::Range(_)));
        assert!(matches!(of(&[0.0; 5], (0.0, 1.0), 1.0), NoInterval::Level(_)));
    }
}
