//! From typed answers to what people read: tables, notes, figures and the report page.
//!
//! The only crate with sentences, one file per answer. It computes nothing: every number comes from an answer of
//! [`karat_analysis`].

pub mod ab;
pub mod budget;
pub mod check;
pub mod compare;
pub mod eval;
pub mod explain;
pub mod figures;
pub mod judges;
pub mod judging;
pub mod model_error;
pub mod page;
pub mod plan_topics;
pub mod published;
pub mod rbo;
pub mod sampled;
pub mod score_error;
pub mod settle;
pub mod simulate;
pub mod tune;
pub mod words;

use karat_data::RunFacts;
use karat_report::{Provenance, Report};

/// What a command knows besides the answer: which version made it, from what, and notes that come before the answer's own.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The program's version.
    pub version: &'static str,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// Notes of the caller's.
    pub notes: Vec<String>,
}

impl Context {
    /// With the runs after the files given before them.
    #[must_use]
    pub fn with_runs(mut self, runs: &[RunFacts]) -> Context {
        for facts in runs {
            self.provenance = self.provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
        }
        self
    }

    /// A report with nothing in it yet but this.
    pub fn report(self, title: impl Into<String>, command: &'static str) -> Report {
        Report { provenance: self.provenance, notes: self.notes, ..Report::new(title, command, self.version) }
    }
}
