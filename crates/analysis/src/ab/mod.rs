//! A/B tests and interleaving: did clicks change?
//!
//! One file per kind of data: counts ([`counts()`]), rows of users or searches ([`users()`]), outcomes of interleaving
//! ([`interleaving()`]). The sample ratio is checked first. When it is wrong, no comparison gets a verdict.

mod counts;
mod error;
mod interleaving;
mod looks;
mod metric;
mod note;
mod outcomes;
mod power;
pub mod rows;
mod sample_ratio;
mod times;
mod unit_name;
mod users;
mod users_answer;
mod users_comparison;
mod users_notes;
mod verdict;

pub use counts::{Counts, CountsAnswer, CountsArm, CountsComparison, CountsOptions, FEWEST_EXPECTED, counts};
pub use error::{AbError, CrossedUnit, RowError, TimeError, TooFewUnits};
pub use interleaving::{
    InterleavingAnswer, InterleavingOptions, InterleavingTest, OutcomeCounts, Preference, Scheme, TestName,
    interleaving,
};
pub use looks::SequenceLook;
pub use metric::{Denominator, Metric};
pub use note::{AbNote, ComparisonName, InterleavingNote};
pub use outcomes::{Outcome, Outcomes};
pub use power::{CountsPower, UsersPower};
pub use sample_ratio::{ArmUnits, SampleRatioCheck, Split};
pub use times::TimeKind;
pub use unit_name::UnitName;
pub use users::{UsersOptions, users};
pub use users_answer::{Refused, TestUsed, UsersAnswer, UsersArm, UsersComparison};
pub use verdict::{Verdict, VerdictReason};
