//! Why documents cannot be selected.

use karat_data::Problems;

use super::Strategy;
use crate::scores::ScoreError;

/// What needs a measure linear in gain: there a document has a weight that no judgement changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeedsWeights {
    /// A strategy that is about weights.
    Strategy(Strategy),
    /// A target: elsewhere the width after a judgement depends on the grade.
    Target,
    /// A replay.
    Replay,
}

/// What a measure is not for.
#[derive(Debug)]
pub enum MeasureError {
    /// The measure is not linear in gain.
    NotLinear {
        /// The measure.
        measure: String,
        /// What needs that.
        what: NeedsWeights,
    },
    /// No judgement of a single document has an effect on the measure that could be computed.
    NoEffect {
        /// The measure.
        measure: String,
    },
    /// The measure has no value for some relevance of the unjudged documents.
    Undefined {
        /// The measure.
        measure: String,
        /// The topic.
        topic: String,
    },
    /// The measure cannot be estimated from a sample of documents.
    NotFromDocuments {
        /// The measure.
        measure: String,
    },
}

/// Why there is no selection, or no replay.
#[derive(Debug)]
pub enum JudgingError {
    /// The runs cannot be read.
    Runs(ScoreError),
    /// Runs that share no topic with the judgements.
    NoCommonTopic {
        /// Their files.
        files: Vec<String>,
    },
    /// The measure does not work with these options.
    Measure(MeasureError),
    /// No grade reaches the level from which documents are relevant, so no judgement could matter.
    NoGrade {
        /// The level.
        level: f64,
        /// The largest grade.
        largest: f64,
    },
    /// A difference needs two runs, and so does a random share.
    OneRun {
        /// Whether it is for a random share.
        random: bool,
    },
    /// The target is below what stays open whatever is judged.
    TargetTooSmall {
        /// The target.
        target: f64,
        /// The smallest possible.
        least: f64,
    },
    /// No pooled document is judged.
    NothingJudgedInPool,
    /// A replay needs three runs.
    TooFewRuns(usize),
    /// No retrieved document is judged, so nothing can be replayed.
    NothingToReplay,
}

impl From<MeasureError> for JudgingError {
    fn from(error: MeasureError) -> Self {
        JudgingError::Measure(error)
    }
}

impl From<Problems> for JudgingError {
    fn from(problems: Problems) -> Self {
        JudgingError::Runs(problems.into())
    }
}

impl From<ScoreError> for JudgingError {
    fn from(error: ScoreError) -> Self {
        JudgingError::Runs(error)
    }
}
