//! What keeps an evaluation from being made.

use karat_data::Problems;

use crate::scores::ScoreError;

/// Why there is no answer.
#[derive(Debug)]
pub enum EvalError {
    /// Something is wrong with the runs.
    Runs(ScoreError),
    /// A judgement has a grade that the calibration does not have.
    GradeNotCalibrated {
        /// The file of the judgements.
        file: String,
        /// The grade.
        grade: f64,
        /// The topic.
        topic: String,
        /// The document.
        document: String,
        /// The grades of the calibration.
        known: Vec<f64>,
    },
    /// Gold judged topics that bronze did not judge.
    GoldTopics {
        /// The file of gold judgements.
        file: String,
        /// The first of these topics.
        topics: Vec<Vec<u8>>,
    },
    /// Gold judged fewer than two topics.
    FewGoldTopics {
        /// The file of gold judgements.
        file: String,
        /// How many.
        found: usize,
    },
}

impl From<Problems> for EvalError {
    fn from(problems: Problems) -> Self {
        EvalError::Runs(problems.into())
    }
}

impl From<ScoreError> for EvalError {
    fn from(error: ScoreError) -> Self {
        EvalError::Runs(error)
    }
}
