//! Errors of a command, their text on standard error, and the exit status.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use karat_analysis::compare::CompareError;
use karat_analysis::eval::EvalError;
use karat_analysis::scores::ScoreError;
use karat_analysis::unjudged::ModelError;
use karat_data::{Problem, ProblemKind, Problems};
use karat_measures::SpecError;
use karat_present::model_error;

/// What starts an error message.
const ERROR: &str = "error: ";

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Invalid arguments. Empty when the message was already printed.
    Usage(String),
    /// Inputs are wrong or cannot be read.
    Inputs(Problems),
    /// The result could not be written.
    Output(String),
    /// The result was written, and a gate on it failed.
    Gate(String),
    /// Interrupted before there was a result.
    Stopped,
}

impl Failure {
    /// A mistake in the arguments.
    pub fn usage(message: impl Display) -> Failure {
        Failure::Usage(message.to_string())
    }

    /// Prints the error on standard error and returns the exit status: 1 for a gate, 2 for usage and input, 3 for files
    /// that cannot be read or written.
    pub fn report(self) -> ExitCode {
        let (message, status) = match self {
            // Already printed.
            Failure::Usage(message) if message.is_empty() => return ExitCode::from(2),
            Failure::Usage(message) => (format!("{ERROR}{message}"), 2),
            Failure::Inputs(problems) => {
                let unreadable = problems.kept().iter().all(|problem| problem.kind == ProblemKind::Unreadable);
                let mut text = String::new();
                // Writing to a string does not fail.
                let _ = problems.fmt_prefixed(ERROR, &mut text);
                (text, if unreadable { 3 } else { 2 })
            }
            Failure::Output(message) => (format!("{ERROR}{message}"), 3),
            Failure::Gate(message) => (format!("{ERROR}{message}"), 1),
            // 128 plus the number of SIGINT, as shells report it.
            Failure::Stopped => (format!("{ERROR}interrupted"), 130),
        };
        // File names and arguments may contain control characters; the line breaks are the message's own.
        let width = crate::output::error_width();
        let safe: Vec<String> = message.lines().map(|line| wrapped(&karat_data::names::shown(line), width)).collect();
        // Nothing more can be done when standard error is closed too.
        let _ = writeln!(std::io::stderr(), "{}", safe.join("\n"));
        ExitCode::from(status)
    }
}

/// A line of a message, broken where the terminal ends.
fn wrapped(line: &str, width: Option<u16>) -> String {
    let start = [ERROR, "help: "].into_iter().find(|start| line.starts_with(start));
    let indent = start.map_or_else(|| line.len() - line.trim_start_matches(' ').len(), str::len);
    let (start, rest) = line.split_at(indent);
    let mut out = start.to_owned();
    karat_report::wrap(rest, width, indent, &mut out);
    out
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Failure::Inputs(problems)
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Failure::Inputs(problem.into())
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        Failure::Inputs(karat_present::eval::problems(error))
    }
}

impl From<ScoreError> for Failure {
    fn from(error: ScoreError) -> Self {
        Failure::Inputs(karat_present::score_error::problems(error))
    }
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        Failure::Inputs(karat_present::compare::problems(error))
    }
}

impl From<ModelError> for Failure {
    fn from(why: ModelError) -> Self {
        match why {
            ModelError::Runs(problems) => Failure::Inputs(problems),
            other => Failure::usage(model_error::reason(&other)),
        }
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        Failure::usage(error)
    }
}
