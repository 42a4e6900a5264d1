//! `karat explain` and `karat measures`: the pages of measures, coefficients, tests and corrections.

mod measure;
mod method;

use schemars::JsonSchema;
use serde::Serialize;

pub use measure::{MeasurePage, MeasureRow, MeasuresAnswer, measure_report, measures_report};
pub use method::{MethodPage, coefficient_report, correction_report, test_report, tukey_report};

/// The page of a measure, or of a method.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExplainAnswer {
    /// A measure.
    Measure(MeasurePage),
    /// A coefficient of agreement, a test or a correction.
    Method(MethodPage),
}
