//! What a test of this size can detect, and how many units a lift takes.

use karat_stats::ab::{Planned, Ratio, detectable, units_needed};
use schemars::JsonSchema;
use serde::Serialize;

use super::counts::CountsOptions;
use super::sample_ratio::SampleRatioCheck;
use super::users::{Pair, UsersOptions};

/// What a test by counts can detect, if no user repeats.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CountsPower {
    /// The arm.
    pub arm: String,
    /// Smallest difference that the test detects with this power.
    pub detectable_difference: Option<f64>,
    /// The same relative to the control.
    pub detectable_lift: Option<f64>,
    /// The lift given, or else the observed one.
    pub lift: Option<f64>,
    /// Trials of all arms needed to detect that lift.
    pub units_needed: Option<f64>,
    /// Power.
    pub power: f64,
}

/// What a test over units can detect.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UsersPower {
    /// The metric.
    pub metric: String,
    /// The arm.
    pub arm: String,
    /// Smallest difference that the test detects with this power.
    pub detectable_difference: Option<f64>,
    /// The same relative to the control.
    pub detectable_lift: Option<f64>,
    /// The lift given, or else the observed one.
    pub lift: Option<f64>,
    /// Units of all arms needed to detect that lift.
    pub units_needed: Option<f64>,
    /// Days until there are so many.
    pub days_needed: Option<f64>,
    /// Power.
    pub power: f64,
}

/// Each arm against the first.
pub(super) fn of_counts(rates: &[Ratio], check: &SampleRatioCheck, options: &CountsOptions) -> Vec<CountsPower> {
    let row = |arm: usize| {
        let (a, b) = (&rates[0], &rates[arm]);
        let plan = planned(check, arm, options.level, options.power);
        // A rate of 0 or 1 has no variance to plan with.
        let varies = a.unit_variance > 0.0 && b.unit_variance > 0.0;
        let smallest = detectable(a, b, &plan).ok().filter(|_| varies);
        let lift = options.lift.or_else(|| (a.value > 0.0).then(|| b.value / a.value - 1.0));
        CountsPower {
            arm: check.arms[arm].arm.clone(),
            detectable_difference: smallest,
            detectable_lift: smallest.filter(|_| a.value > 0.0).map(|smallest| smallest / a.value),
            lift,
            units_needed: lift.filter(|_| varies).and_then(|lift| units_needed(a, b, lift * a.value, &plan).ok()),
            power: options.power,
        }
    };
    (1..rates.len()).map(row).collect()
}

/// One comparison of units, with so many new units per day.
pub(super) fn of_users(
    pair: &Pair,
    metric: &str,
    check: &SampleRatioCheck,
    per_day: Option<f64>,
    options: &UsersOptions,
) -> UsersPower {
    let (a, b) = (&pair.control, &pair.own);
    let plan = planned(check, pair.arm, options.level, options.power);
    let smallest = detectable(a, b, &plan).ok();
    let observed = pair.observed_lift();
    let lift = options.lift.or(observed);
    let needed = lift.and_then(|lift| units_needed(a, b, lift * a.value, &plan).ok());
    UsersPower {
        metric: metric.to_owned(),
        arm: check.arms[pair.arm].arm.clone(),
        detectable_difference: smallest,
        detectable_lift: smallest.filter(|_| a.value > 0.0 && observed.is_some()).map(|smallest| smallest / a.value),
        lift,
        units_needed: needed,
        days_needed: needed.zip(per_day).map(|(needed, per_day)| (needed / per_day).ceil()),
        power: options.power,
    }
}

fn planned(check: &SampleRatioCheck, arm: usize, level: f64, power: f64) -> Planned {
    let share = |arm: usize| check.arms[arm].planned_share;
    Planned { level, power, control: share(0), treatment: share(arm) }
}
