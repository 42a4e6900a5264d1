//! What gold judges would have said: error rates of bronze judges, scores corrected for them, and how sure that is.
//!
//! The paper (noisy judgements) has a binary half (equations 3 to 14) and a graded half (15 to 18). The one decision: both are one
//! calculation. [`Calibration`] holds counts (gold grade by bronze grade), 𝒥 their shares by row; a linear measure is
//! x·v with x the weight that fell on each bronze grade and v the gains, and its corrected value is xᵀ 𝒥⁻¹ v. For two grades
//! that is equation 5, and the tests hold the two forms to one answer.
//!
//! The assumption behind all of it: errors do not depend on the system, the rank or the topic. [`crate::contingency`] tests it.

mod bootstrap;
mod calibration;
mod compare;
mod correct;
pub mod posterior;
pub mod ppi;

pub use bootstrap::{Redraw, from_shares, non_parametric, parametric};
pub use calibration::{Calibration, CalibrationError, Clustering, Discrimination, RateInterval};
pub use compare::{CalibrationErrors, Comparison, Observed, TwoTailed, compare};
pub use correct::{Corrected, CorrectionError, Harm, Shares, Summary, by_counts, graded, linear, proportion, worth};
