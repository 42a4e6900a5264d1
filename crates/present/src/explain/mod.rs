//! `karat explain` and `karat measures`: the pages of measures, coefficients, tests, corrections and terms.

mod measure;
mod method;
mod term;

use schemars::JsonSchema;
use serde::Serialize;

pub use measure::{MeasurePage, MeasureRow, MeasuresAnswer, measure_report, measures_report};
pub use method::{MethodPage, coefficient_report, correction_report, family_report, interval_report, test_report};
pub use term::{TERMS, Term, also_term, find_term, term_report};

/// The page of a measure, of a method or of a term.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExplainAnswer {
    /// A measure.
    Measure(MeasurePage),
    /// A coefficient of agreement, a test, a correction or an interval.
    Method(MethodPage),
    /// A term that karat prints.
    Term(Term),
}
