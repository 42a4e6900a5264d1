//! The answer of an A/B test over units.

use schemars::JsonSchema;
use serde::Serialize;

use super::looks::SequenceLook;
use super::note::AbNote;
use super::power::UsersPower;
use super::sample_ratio::SampleRatioCheck;
use super::unit_name::UnitName;
use super::verdict::{Verdict, VerdictReason};

/// An A/B test over units.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UsersAnswer {
    /// Did each arm get the units that it should have?
    pub sample_ratio: SampleRatioCheck,
    /// The arms, the control first, for each metric.
    pub arms: Vec<UsersArm>,
    /// Each arm against the control, for each metric.
    pub comparisons: Vec<UsersComparison>,
    /// What the test can detect.
    pub power: Vec<UsersPower>,
    /// The comparisons at every time, where that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence: Option<Vec<SequenceLook>>,
    /// Warnings and assumptions.
    #[serde(skip)]
    pub notes: Vec<AbNote>,
    /// The unit.
    #[serde(skip)]
    pub unit: UnitName,
}

/// The value of a metric in one arm.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UsersArm {
    /// The metric.
    pub metric: String,
    /// The arm.
    pub arm: String,
    /// Whether it is the control.
    pub control: bool,
    /// Units in the arm.
    pub units: u64,
    /// Units with equal denominators that would weigh as much: (sum of denominators)² over the sum of their squares.
    pub effective_units: f64,
    /// Sum of the column above.
    pub numerator: f64,
    /// Sum of the column below.
    pub denominator: f64,
    /// Numerator over denominator.
    pub value: f64,
    /// Standard error by the jackknife over units.
    pub std_error: Option<f64>,
    /// Interval of the value; with `--peek` valid at all looks together, and null where fewer than 20 units carry the variance.
    pub interval: Option<(f64, f64)>,
    /// Confidence level.
    pub level: f64,
}

/// Where p and intervals come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestUsed {
    /// The larger p of a permutation test of units and a test by random signs.
    Resampling,
    /// Welch's t.
    T,
    /// The confidence sequence.
    Sequence,
}

/// Why no verdict may rest on a p-value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    /// An arm has too few effective units.
    FewEffectiveUnits,
    /// The smaller of two unequal arms, or with `--peek` any arm, has hardly any events.
    FewEvents,
    /// Intervals of two looks exclude each other.
    LooksContradict,
}

/// One metric of one arm against the control.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UsersComparison {
    /// The metric.
    pub metric: String,
    /// The control.
    pub control: String,
    /// The arm compared with it.
    pub arm: String,
    /// Value of the control.
    pub control_value: f64,
    /// Value of the arm.
    pub arm_value: f64,
    /// Value of the arm minus value of the control.
    pub difference: f64,
    /// Standard error of the difference.
    pub std_error: Option<f64>,
    /// Interval of the difference, by `test`; with `--peek` valid at all looks together.
    pub interval: Option<(f64, f64)>,
    /// With `--peek`: the interval by Welch's t, valid for one look at a planned time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_fixed: Option<(f64, f64)>,
    /// Difference relative to the control.
    pub lift: Option<f64>,
    /// Interval of the lift, by `test` (Fieller's, where that is not resampling); with `--peek` valid at all looks together.
    pub lift_interval: Option<(f64, f64)>,
    /// Interval of the lift by the delta method, for comparison.
    pub lift_interval_delta: Option<(f64, f64)>,
    /// Welch's t: the difference over its standard error.
    pub t: Option<f64>,
    /// Its degrees of freedom.
    pub df: Option<f64>,
    /// Where p and the intervals come from.
    pub test: Option<TestUsed>,
    /// Permutations, and changes of signs, where units were resampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<u32>,
    /// p-value of `test`; with `--peek` valid at all looks together.
    pub p: Option<f64>,
    /// With `--peek`: p-value of Welch's t, valid for one look at a planned time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_fixed: Option<f64>,
    /// p-value of the confidence sequence, valid at all looks together.
    pub p_sequence: Option<f64>,
    /// The p-value that decides, after Holm's correction.
    pub p_adjusted: Option<f64>,
    /// p-value of the z test that ignores that users repeat.
    pub p_naive: Option<f64>,
    /// Variance of the difference over the variance that the naive test assumes.
    pub design_effect: Option<f64>,
    /// How the arm compares with the control.
    pub verdict: Verdict,
    /// Why no verdict may rest on the p-value, however small.
    pub refused: Option<Refused>,
    /// Why, in one sentence.
    // Worded where the answer is presented; empty until then.
    pub because: String,
    /// Confidence level.
    pub level: f64,
    /// What the verdict rests on.
    #[serde(skip)]
    pub reason: VerdictReason,
}
