//! How many units would show a difference, and which difference would so many units show?
//!
//! The one decision: from the variance between units that was seen, by the normal approximation, for one two-sided test. Several
//! comparisons with a correction need more; the report says so.

use super::{NoAnswer, Ratio, critical};
use crate::dist::{OutOfRange, normal};

/// What is planned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planned {
    /// Confidence level of the test.
    pub level: f64,
    /// The chance to find what is there.
    pub power: f64,
    /// The share of all units that goes to the control; with the treatment's they need not add up to 1.
    pub control: f64,
    /// The treatment's.
    pub treatment: f64,
}

impl Planned {
    /// z of the level plus z of the power.
    fn reach(&self) -> Result<f64, NoAnswer> {
        let legal = "a number of at least 0.5 and below 1, such as 0.8";
        if !matches!(self.power, power if (0.5..1.0).contains(&power)) {
            return Err(OutOfRange { argument: "power", found: self.power, legal }.into());
        }
        Ok(critical(self.level)? + normal::quantile(self.power)?)
    }

    /// Variance of the difference, times the number of all units.
    fn variance(&self, control: &Ratio, treatment: &Ratio) -> f64 {
        control.unit_variance / self.control + treatment.unit_variance / self.treatment
    }
}

/// All units of the test, whatever their arm, so that this difference is found.
///
/// # Errors
/// The difference is 0, nothing varies, or the plan has a number out of range.
pub fn units_needed(control: &Ratio, treatment: &Ratio, difference: f64, plan: &Planned) -> Result<f64, NoAnswer> {
    if !matches!(difference.abs(), size if size > 0.0 && size.is_finite()) {
        return Err(OutOfRange { argument: "difference", found: difference, legal: "a number other than 0" }.into());
    }
    let variance = plan.variance(control, treatment);
    if variance <= 0.0 {
        return Err(NoAnswer::Constant);
    }
    let ratio = plan.reach()? / difference;
    Ok((ratio * ratio * variance).ceil())
}

/// The difference that the units of these arms would show, as the standard error is.
///
/// # Errors
/// Nothing varies, or the plan has a number out of range.
pub fn detectable(control: &Ratio, treatment: &Ratio, plan: &Planned) -> Result<f64, NoAnswer> {
    let variance = control.variance() + treatment.variance();
    if variance <= 0.0 {
        return Err(NoAnswer::Constant);
    }
    Ok(plan.reach()? * variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_textbook_sixteen() {
        // 80% power at 5%: (1.95996 + .84162)² = 7.8489, so n of each arm is 2 · 7.8489 σ²/δ²; the rule of thumb says 16.
        let of = Ratio::of_equal_units(0.2, 1.0, 50);
        let plan = Planned { level: 0.95, power: 0.8, control: 0.5, treatment: 0.5 };
        let all = units_needed(&of, &of, 0.1, &plan).unwrap();
        let reach: f64 = 1.959963984540054 + 0.8416212335729143;
        assert_eq!(all, (4.0 * reach * reach / 0.01).ceil());
        assert_eq!(all, 3140.0);
        // What fifty units each can show: reach · √(2/50).
        assert!((detectable(&of, &of, &plan).unwrap() - reach * 0.2).abs() < 1e-12);
        // A hundredth of the traffic to the treatment: 1/.99 + 1/.01 = 101.0101 in place of 4.
        let slim = Planned { control: 0.99, treatment: 0.01, ..plan };
        let slim = units_needed(&of, &of, 0.1, &slim).unwrap();
        assert!((slim / all - 25.2525).abs() < 0.01, "{slim}");
    }

    #[test]
    fn the_power_is_what_was_asked_for() {
        // With the units found, the difference over its standard error has mean reach; P(N(reach, 1) > 1.96) = power.
        let of = Ratio::of_equal_units(0.2, 2.5, 50);
        let plan = Planned { level: 0.95, power: 0.9, control: 0.3, treatment: 0.7 };
        let all = units_needed(&of, &of, 0.05, &plan).unwrap();
        let std_error = (2.5 / (0.3 * all) + 2.5 / (0.7 * all)).sqrt();
        let power = normal::sf(1.959963984540054 - 0.05 / std_error).unwrap();
        assert!((power - 0.9).abs() < 1e-4, "{power}");
    }

    #[test]
    fn refusals() {
        let of = Ratio::of_equal_units(0.2, 1.0, 50);
        let flat = Ratio { unit_variance: 0.0, ..of };
        let plan = Planned { level: 0.95, power: 0.8, control: 0.5, treatment: 0.5 };
        assert!(units_needed(&of, &of, 0.0, &plan).is_err() && units_needed(&flat, &flat, 0.1, &plan).is_err());
        assert!(units_needed(&of, &of, 0.1, &Planned { power: 0.3, ..plan }).is_err());
        assert!(units_needed(&of, &of, 0.1, &Planned { level: 1.0, ..plan }).is_err());
        assert!(detectable(&flat, &flat, &plan).is_err());
    }
}
