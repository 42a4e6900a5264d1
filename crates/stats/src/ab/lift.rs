//! The relative lift, treatment over control minus 1, with Fieller's interval and the delta method's.
//!
//! The one decision: Fieller's is the answer and the delta method's stands beside it. Fieller (1954) inverts a test of b − θ a = 0, so
//! it is right however uncertain the control is, and it says when there is no answer: as soon as the control's own interval
//! includes 0. The delta method would print a finite interval there, and it would be wrong.

use super::{NoAnswer, Ratio};
use crate::dist::{each_side, student_t};

/// A relative lift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// b/a − 1.
    pub value: f64,
    /// Fieller's interval.
    pub fieller: (f64, f64),
    /// The delta method's: V\[b/a\] = (V\[b\] + θ² V\[a\])/a².
    pub delta: (f64, f64),
    /// Standard error by the delta method.
    pub std_error: f64,
}

/// The lift of the treatment over the control, with the t quantile of `df` degrees of freedom.
///
/// # Errors
/// The control's interval includes 0, nothing varies that the interval would come from, or level and degrees of freedom are none.
pub fn lift(control: &Ratio, treatment: &Ratio, df: f64, level: f64) -> Result<Lift, NoAnswer> {
    let (a, b) = (control.value, treatment.value);
    let (v_a, v_b) = (control.variance(), treatment.variance());
    let t = student_t::upper_quantile(each_side(level)?, df)?;
    let reach = t * v_a.sqrt();
    if a.abs() <= reach {
        return Err(NoAnswer::DenominatorMayBeZero { value: a, low: a - reach, high: a + reach });
    }
    let theta = b / a;
    // (b − θa)² ≤ t² (V[b] + θ² V[a]) is a quadratic in θ; g < 1 was checked above.
    let g = reach * reach / (a * a);
    let half = t / a.abs() * (v_b * (1.0 - g) + theta * theta * v_a).sqrt();
    if !matches!(half, half if half > 0.0) {
        // No width would say that the lift is known exactly, where nothing is known of its error.
        return Err(NoAnswer::Constant);
    }
    let (low, high) = ((theta - half) / (1.0 - g), (theta + half) / (1.0 - g));
    let std_error = (v_b + theta * theta * v_a).sqrt() / a.abs();
    Ok(Lift {
        value: theta - 1.0,
        fieller: (low - 1.0, high - 1.0),
        delta: (theta - t * std_error - 1.0, theta + t * std_error - 1.0),
        std_error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: f64, variance: f64) -> Ratio {
        Ratio { value, unit_variance: variance * 100.0, units: 100 }
    }

    #[test]
    fn the_ends_solve_the_quadratic() {
        let (a, b, df) = (of(0.2, 1e-4), of(0.25, 2e-4), 150.0);
        let found = lift(&a, &b, df, 0.95).unwrap();
        let t = student_t::upper_quantile(0.025, df).unwrap();
        for end in [found.fieller.0, found.fieller.1] {
            let theta = end + 1.0;
            let left = (b.value - theta * a.value).powi(2);
            let right = t * t * (b.variance() + theta * theta * a.variance());
            assert!((left / right - 1.0).abs() < 1e-10, "{left} {right}");
        }
        // θ = 1.25; (2e-4 + 1.5625 · 1e-4)/.04 = .00890625.
        assert!((found.value - 0.25).abs() < 1e-15 && (found.std_error - 0.00890625f64.sqrt()).abs() < 1e-15);
        // Fieller reaches further up than the delta method: the control may be smaller than it looks.
        assert!(found.fieller.1 > found.delta.1);
        // A control that is known exactly: both are the interval of b over a.
        let known = lift(&of(0.2, 0.0), &b, df, 0.95).unwrap();
        assert!((known.fieller.0 - known.delta.0).abs() < 1e-15 && (known.fieller.1 - known.delta.1).abs() < 1e-15);
    }

    #[test]
    fn a_control_that_may_be_zero_has_no_lift() {
        // .2 with standard error .1 and t(.975, 150) = 1.976: .2 ± .1976 leaves out 0; with .11 it does not.
        assert!(lift(&of(0.2, 0.01), &of(0.25, 1e-4), 150.0, 0.95).is_ok());
        let refused = lift(&of(0.2, 0.0121), &of(0.25, 1e-4), 150.0, 0.95).unwrap_err();
        assert!(matches!(refused, NoAnswer::DenominatorMayBeZero { low, .. } if low < 0.0), "{refused:?}");
        assert!(lift(&of(0.0, 0.0), &of(0.25, 1e-4), 150.0, 0.95).is_err());
    }

    #[test]
    fn no_spread_is_no_certainty() {
        for (a, b) in [(of(1.0, 0.0), of(1.0, 0.0)), (of(1.0, 0.0), of(0.0, 0.0)), (of(0.2, 1e-4), of(0.0, 0.0))] {
            assert_eq!(lift(&a, &b, 150.0, 0.95), Err(NoAnswer::Constant));
        }
    }
}
