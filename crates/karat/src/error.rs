//! The one error type.

use std::fmt;

use karat_analysis::budget::BudgetError;
use karat_analysis::compare::CompareError;
use karat_analysis::eval::EvalError;
use karat_analysis::scores::ScoreError;
use karat_data::{Problem, Problems};
use karat_measures::SpecError;

/// Why there is no answer. Its text names the file, the line and the field, says what was expected and found, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Files are wrong or cannot be read, or the question cannot be answered from them.
    Inputs(Problems),
    /// An option has a value that is not possible.
    Options(String),
}

impl Error {
    /// The problems of the files, one by one, with their places as data.
    pub fn problems(&self) -> &[Problem] {
        match self {
            Error::Inputs(problems) => problems.kept(),
            Error::Options(_) => &[],
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Inputs(problems) => problems.fmt(f),
            Error::Options(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Error::Inputs(problems)
    }
}

impl From<ScoreError> for Error {
    fn from(error: ScoreError) -> Self {
        Error::Inputs(karat_present::score_error::problems(error))
    }
}

impl From<CompareError> for Error {
    fn from(error: CompareError) -> Self {
        Error::Inputs(karat_present::compare::problems(error))
    }
}

impl From<EvalError> for Error {
    fn from(error: EvalError) -> Self {
        Error::Inputs(karat_present::eval::problems(error))
    }
}

impl From<BudgetError> for Error {
    fn from(error: BudgetError) -> Self {
        Error::Inputs(karat_present::budget::problems(error))
    }
}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Self {
        Error::Options(error.to_string())
    }
}
