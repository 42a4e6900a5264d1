//! Why runs cannot be scored.

use karat_data::{JudgementKind, Problems};

/// Why there are no scores.
#[derive(Debug, Clone, PartialEq)]
pub enum ScoreError {
    /// Something is wrong with the data.
    Data(Problems),
    /// Runs that go by the name of an earlier one.
    SameName(Vec<SameName>),
    /// Runs that lack judged topics, where the policy makes that an error.
    MissingTopics(Vec<MissingTopicsOf>),
    /// Judgements that do not say what measures need.
    WrongJudgements {
        /// The file of the judgements.
        file: String,
        /// What they say.
        found: JudgementKind,
        /// Each measure that needs others, and what it needs.
        measures: Vec<(String, JudgementKind)>,
    },
}

/// A run that goes by the name of an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SameName {
    /// The name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// The file of the earlier run.
    pub earlier: String,
    /// The format of its file.
    pub format: &'static str,
    /// Whether the file has a tag.
    pub has_tag: bool,
}

/// A run that lacks judged topics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTopicsOf {
    /// Its file.
    pub file: String,
    /// The topics.
    pub topics: Vec<Vec<u8>>,
}

impl From<Problems> for ScoreError {
    fn from(problems: Problems) -> Self {
        ScoreError::Data(problems)
    }
}
