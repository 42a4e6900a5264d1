//! One file per command: arguments to a study, its report to the output.

pub mod ab;
pub mod budget;
pub mod check;
pub mod compare;
pub mod convert;
pub mod demo;
mod demo_clicks;
mod demo_labels;
mod demo_page;
pub mod eval;
pub mod explain;
mod form;
pub mod judges;
pub mod measures;
pub mod next;
pub mod plan;
pub mod pool;
pub mod published;
pub mod rbo;
pub mod report;
pub mod reproduce;
pub mod sample;
pub mod schema;
pub mod simulate;

pub mod trec_eval;
pub mod tune;

use karat_report::OptionValue;

/// The program's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Text options for the provenance.
pub fn text(value: impl ToString) -> OptionValue {
    OptionValue::from(value.to_string())
}
