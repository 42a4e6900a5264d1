//! What to judge: a pool, a sample with recorded probabilities, the documents whose judgement says most.
//!
//! The one decision behind the room: a question here returns a report and, beside it, the rows of a file for judges
//! ([`FormRow`]). The file is an ordinary judgement file, so that `karat eval` reads what comes back.

pub mod draw;
mod gain_model;
pub mod next;
pub mod pool;
mod priority;
pub mod replay;
pub mod sample;
mod world;

use karat_data::{Problem, Problems, Qrels, RankedDocuments};
use karat_report::{Provenance, Report};

pub use gain_model::GainModel;
pub use priority::{About, Strategy};

/// A row of a file for judges.
#[derive(Debug, Clone, PartialEq)]
pub struct FormRow {
    /// The topic.
    pub topic: Vec<u8>,
    /// The document.
    pub docno: Vec<u8>,
    /// The grade it has already, negative for none; `None` where a judge is asked for it.
    pub grade: Option<f64>,
    /// The stratum it is in, from 1.
    pub stratum: u32,
    /// The probability it was chosen with.
    pub probability: f64,
}

/// A report, and the rows of the file that goes with it.
#[derive(Debug)]
pub struct Answer {
    /// What is said.
    pub report: Report,
    /// What is to be judged.
    pub form: Vec<FormRow>,
}

/// The runs after the files given before them.
fn with_runs(mut provenance: Provenance, documents: &RankedDocuments) -> Provenance {
    for run in &documents.runs {
        provenance = provenance.input_in(run.format, &run.file, run.bytes, run.rows);
    }
    provenance
}

/// Every run has a topic of the judgements.
fn in_common(qrels: &Qrels, documents: &RankedDocuments) -> Result<(), Problems> {
    let mut problems = Problems::default();
    for (run, facts) in documents.runs.iter().enumerate() {
        let common = documents.topics.iter().any(|topic| topic.has(run) && qrels.find(&topic.name).is_some());
        if !common {
            let remedy =
                "check that run and judgements belong together and write topics alike (leading zeros, prefixes)";
            let expected = "at least one topic of the judgements";
            problems.push(Problem::of_file(&facts.file, expected, "none of them among its topics", remedy));
        }
    }
    problems.into_result()
}
