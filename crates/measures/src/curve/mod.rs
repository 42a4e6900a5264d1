//! Curves as data: points to tabulate, average or draw; nothing here draws.
//!
//! The one decision: a curve is computed from the same counts as the measures beside it, so that a table of
//! `IPrec@r` and the drawn curve cannot disagree, and the area under [`roc`] is `ROCArea`.

mod interpolated;
mod precision_recall;
mod roc;

pub use interpolated::{Interpolated, eleven_points, mean_curve};
pub use precision_recall::{Points, PrecisionRecall, precision_recall};
pub use roc::{RocPoint, area, roc};

/// Why a curve over recall may not exist.
pub(crate) const NOTHING_RELEVANT: &str = "no document is known to be relevant, so recall is undefined";
