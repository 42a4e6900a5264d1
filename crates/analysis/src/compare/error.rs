//! Why runs cannot be compared.

use karat_data::Problems;

use crate::scores::ScoreError;

/// Why there is no comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum CompareError {
    /// The runs cannot be scored.
    Runs(ScoreError),
    /// No run has the baseline's name.
    Baseline(UnknownBaseline),
    /// Measures that are not means over topics.
    NotAveraged(Vec<String>),
    /// Fewer than two runs.
    TooFewRuns(usize),
    /// Two runs without a topic that both have a score for.
    NoCommonTopic {
        /// The file of the second.
        file: String,
        /// The first run.
        a: String,
        /// The second run.
        b: String,
    },
}

/// A baseline that is none of the runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownBaseline {
    /// The name given.
    pub name: String,
    /// The names of the runs.
    pub runs: Vec<String>,
}

impl From<ScoreError> for CompareError {
    fn from(error: ScoreError) -> Self {
        CompareError::Runs(error)
    }
}

impl From<Problems> for CompareError {
    fn from(problems: Problems) -> Self {
        CompareError::Runs(problems.into())
    }
}

impl From<UnknownBaseline> for CompareError {
    fn from(error: UnknownBaseline) -> Self {
        CompareError::Baseline(error)
    }
}
