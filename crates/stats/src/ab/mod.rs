//! A/B tests: did a rate change between arms to which units (users) were assigned by chance?
//!
//! The one decision: the unit that was assigned is the unit that is counted. A rate such as clicks over searches is a ratio of two
//! means over users, so its variance comes from users (jackknife), not from searches. The z test that takes every search for an
//! independent trial is here under the name `naive`, because people expect to see it, and to show how far it is off.

mod comparison;
mod counts;
mod difference;
mod interleaving;
mod lift;
mod power;
mod ratio;
mod resampling;
mod running;
mod sample_ratio;
mod sequence;
mod studentised;

pub use comparison::{
    Comparison, EFFECTIVE_UNITS, EFFECTIVE_UNITS_MANY, RESAMPLED_BELOW, RESAMPLED_TO, Refusal, Settings, Side,
    UsersTest, compare,
};
pub use counts::{Naive, Proportion, design_effect_limit, naive};
pub use difference::{Difference, difference};
pub use interleaving::{Margin, SignTest, margin, sign_test};
pub use lift::{Lift, lift};
pub use power::{Planned, detectable, units_needed};
pub use ratio::Ratio;
pub use resampling::Resampled;
pub use running::Running;
pub use sample_ratio::{SAMPLE_RATIO_THRESHOLD, SampleRatio, sample_ratio};
pub use sequence::{
    DEFAULT_TUNING, Look, MINIMUM_EFFECTIVE_UNITS, MINIMUM_SPREAD_UNITS, MINIMUM_UNITS, SPREAD_UNITS_OF_AN_ARM,
    Sequence, UNITS_WITHOUT_SPREAD, Waiting, waiting,
};

use std::fmt;

use crate::dist::OutOfRange;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoAnswer {
    /// An argument outside its range.
    OutOfRange(OutOfRange),
    /// Fewer units than two.
    TooFew {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        have: u64,
        /// How many are needed.
        need: u64,
    },
    /// The denominator adds up to nothing.
    NoDenominator,
    /// Nothing varies, so chance cannot be judged.
    Constant,
    /// The rate of the control is within its error of 0, so a ratio to it may be anything.
    DenominatorMayBeZero {
        /// The control's value.
        value: f64,
        /// Lower end of its interval.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Nobody won.
    NothingDecided,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::OutOfRange(error) => error.fmt(f),
            NoAnswer::TooFew { what, have, need } => write!(f, "{have} {what}; at least {need} needed"),
            NoAnswer::NoDenominator => f.write_str("the denominator is 0"),
            NoAnswer::Constant => f.write_str("the units of each arm have the same value"),
            NoAnswer::DenominatorMayBeZero { .. } => {
                f.write_str("the control's interval includes 0, so a ratio to it may be anything")
            }
            NoAnswer::NothingDecided => f.write_str("neither side won anywhere"),
        }
    }
}

impl std::error::Error for NoAnswer {}

impl From<OutOfRange> for NoAnswer {
    fn from(error: OutOfRange) -> Self {
        NoAnswer::OutOfRange(error)
    }
}

/// The point of the standard normal with (1 - level)/2 above it.
pub(crate) fn critical(level: f64) -> Result<f64, NoAnswer> {
    Ok(crate::dist::normal::upper_quantile(crate::dist::each_side(level)?)?)
}
