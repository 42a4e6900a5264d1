//! What to judge: a pool, a sample with recorded probabilities, the documents whose judgement says most.
//!
//! The one decision behind the room: a function here returns an answer and, with it, the rows of a judging form
//! ([`karat_data::FormRow`]). The form is an ordinary judgement file, so that `karat eval` reads what comes back.

mod by_effect;
mod error;
mod gain_model;
pub mod next;
mod open;
pub mod pool;
mod priority;
mod random_share;
pub mod replay;
mod replayer;
pub mod sample;
mod world;

use karat_data::{CollectionFacts, FormRow, Qrels, RankedDocuments, RunFacts};
use karat_measures::Measure;

pub use error::{JudgingError, MeasureError, NeedsWeights};
pub use gain_model::GainModel;
pub use priority::{About, Strategy};
pub use random_share::RandomShare;

/// The documents that were selected for judging.
#[derive(Debug)]
pub struct Selection<A> {
    /// The answer.
    pub answer: A,
    /// The rows of the judging form.
    pub form: Vec<FormRow>,
    /// What is known of the runs.
    pub runs: Vec<RunFacts>,
}

/// A document can be relevant to the measure.
fn check_level(measure: &dyn Measure, collection: &CollectionFacts) -> Result<(), JudgingError> {
    let largest = collection.max_grade;
    match measure.level().filter(|&level| level > largest) {
        Some(level) => Err(JudgingError::NoGrade { level, largest }),
        None => Ok(()),
    }
}

/// Some run has a topic of the judgements, where there are judgements.
fn check_some_common_topic(qrels: Option<&Qrels>, documents: &RankedDocuments) -> Result<(), JudgingError> {
    let Some(qrels) = qrels else { return Ok(()) };
    if documents.topics.iter().any(|topic| qrels.find(&topic.name).is_some()) {
        return Ok(());
    }
    Err(JudgingError::NoCommonTopic { files: documents.runs.iter().map(|facts| facts.file.clone()).collect() })
}

/// Every run has a topic of the judgements.
fn check_common_topics(qrels: &Qrels, documents: &RankedDocuments) -> Result<(), JudgingError> {
    let common = |run: usize| documents.topics.iter().any(|topic| topic.has(run) && qrels.find(&topic.name).is_some());
    let without: Vec<String> = documents
        .runs
        .iter()
        .enumerate()
        .filter(|(run, _)| !common(*run))
        .map(|(_, facts)| facts.file.clone())
        .collect();
    if without.is_empty() { Ok(()) } else { Err(JudgingError::NoCommonTopic { files: without }) }
}
