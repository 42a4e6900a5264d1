//! The relative lift, treatment over control minus 1, with Fieller's interval and the delta method's.
//!
//! The one decision: Fieller's is the answer and the delta method's stands beside it. Fieller (1954) inverts a test of b − θ a = 0, so
//! it is right however uncertain the control is, and it says when there is no answer: as soon as the control's own interval
//! includes 0. The delta method would print a finite interval there, and it would be wrong.

use super::{NoAnswer, Ratio};

/// A relative lift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// b/a − 1.
    pub value: f64,
    /// Its interval: Fieller's, or the lifts that resampling does not reject.
    pub interval: (f64, f64),
    /// The delta method's: V\[b/a\] = (V\[b\] + θ² V\[a\])/a².
    pub delta: (f64, f64),
    /// Standard error by the delta method.
    pub std_error: f64,
}

impl Lift {
    /// With an interval found by resampling.
    pub(super) fn resampled(control: &Ratio, treatment: &Ratio, interval: (f64, f64), t: f64) -> Lift {
        let (theta, std_error) = by_delta(control, treatment);
        Lift {
            value: theta - 1.0,
            interval,
            delta: (theta - t * std_error - 1.0, theta + t * std_error - 1.0),
            std_error,
        }
    }
}

/// b/a, and its standard error by the delta method.
fn by_delta(control: &Ratio, treatment: &Ratio) -> (f64, f64) {
    let theta = treatment.value / control.value;
    (theta, (treatment.variance() + theta * theta * control.variance()).sqrt() / control.value.abs())
}

/// The lift of the treatment over the control, `t` standard errors to either side: a quantile of Student's t, or the reach of a sequence.
///
/// # Errors
/// The control's interval includes 0, or nothing varies that the interval would come from.
pub fn lift(control: &Ratio, treatment: &Ratio, t: f64) -> Result<Lift, NoAnswer> {
    let a = control.value;
    let (v_a, v_b) = (control.variance(), treatment.variance());
    let reach = t * v_a.sqrt();
    if a.abs() <= reach {
        return Err(NoAnswer::DenominatorMayBeZero { value: a, low: a - reach, high: a + reach });
    }
    let (theta, std_error) = by_delta(control, treatment);
    // (b − θa)² ≤ t² (V[b] + θ² V[a]) is a quadratic in θ; g < 1 was checked above.
    let g = reach * reach / (a * a);
    let half = t / a.abs() * (v_b * (1.0 - g) + theta * theta * v_a).sqrt();
    if !matches!(half, half if half > 0.0) {
        // No width would say that the lift is known exactly, where nothing is known of its error.
        return Err(NoAnswer::Constant);
    }
    let (low, high) = ((theta - half) / (1.0 - g), (theta + half) / (1.0 - g));
    Ok(Lift {
        value: theta - 1.0,
        interval: (low - 1.0, high - 1.0),
        delta: (theta - t * std_error - 1.0, theta + t * std_error - 1.0),
        std_error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quantile of t with 150 degrees of freedom.
    const T: f64 = 1.975905330;

    fn of(value: f64, variance: f64) -> Ratio {
        Ratio::of_equal_units(value, variance * 100.0, 100)
    }

    #[test]
    fn the_ends_solve_the_quadratic() {
        let (a, b) = (of(0.2, 1e-4), of(0.25, 2e-4));
        let found = lift(&a, &b, T).unwrap();
        for end in [found.interval.0, found.interval.1] {
            let theta = end + 1.0;
            let left = (b.value - theta * a.value).powi(2);
            let right = T * T * (b.variance() + theta * theta * a.variance());
            assert!((left / right - 1.0).abs() < 1e-10, "{left} {right}");
        }
        // θ = 1.25; (2e-4 + 1.5625 · 1e-4)/.04 = .00890625.
        assert!((found.value - 0.25).abs() < 1e-15 && (found.std_error - 0.00890625f64.sqrt()).abs() < 1e-15);
        // Fieller reaches further up than the delta method: the control may be smaller than it looks.
        assert!(found.interval.1 > found.delta.1);
        // A control that is known exactly: both are the interval of b over a.
        let known = lift(&of(0.2, 0.0), &b, T).unwrap();
        assert!((known.interval.0 - known.delta.0).abs() < 1e-15 && (known.interval.1 - known.delta.1).abs() < 1e-15);
    }

    #[test]
    fn a_control_that_may_be_zero_has_no_lift() {
        // .2 with standard error .1 and t(.975, 150) = 1.976: .2 ± .1976 leaves out 0; with .11 it does not.
        assert!(lift(&of(0.2, 0.01), &of(0.25, 1e-4), T).is_ok());
        let refused = lift(&of(0.2, 0.0121), &of(0.25, 1e-4), T).unwrap_err();
        assert!(matches!(refused, NoAnswer::DenominatorMayBeZero { low, .. } if low < 0.0), "{refused:?}");
        assert!(lift(&of(0.0, 0.0), &of(0.25, 1e-4), T).is_err());
    }

    #[test]
    fn no_spread_is_no_certainty() {
        for (a, b) in [(of(1.0, 0.0), of(1.0, 0.0)), (of(1.0, 0.0), of(0.0, 0.0)), (of(0.2, 1e-4), of(0.0, 0.0))] {
            assert_eq!(lift(&a, &b, T), Err(NoAnswer::Constant));
        }
    }
}
