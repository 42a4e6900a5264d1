//! What can go wrong, and the exit status that says so.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use karat_analysis::unjudged::NoBelief;
use karat_data::{Problem, ProblemKind, Problems};
use karat_measures::SpecError;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The arguments make no sense. Empty when the message was already given.
    Usage(String),
    /// Inputs are wrong or cannot be read.
    Inputs(Problems),
    /// The answer could not be written.
    Output(String),
    /// The answer was given, and is not the one a gate wants.
    Gate(String),
    /// The work was stopped before there was an answer.
    Stopped,
}

impl Failure {
    /// A mistake in the arguments.
    pub fn usage(message: impl Display) -> Failure {
        Failure::Usage(message.to_string())
    }

    /// Says what is wrong on standard error, and returns the exit status: 1 for a gate, 2 for usage and input, 3 for files
    /// that cannot be read or written.
    pub fn report(self) -> ExitCode {
        let (message, status) = match self {
            Failure::Usage(message) => (message, 2),
            Failure::Inputs(problems) => {
                let unreadable = problems.kept().iter().all(|problem| problem.kind == ProblemKind::Unreadable);
                (problems.to_string(), if unreadable { 3 } else { 2 })
            }
            Failure::Output(message) => (message, 3),
            Failure::Gate(message) => (message, 1),
            // 128 and the number of SIGINT, as shells say it.
            Failure::Stopped => ("interrupted".into(), 130),
        };
        if !message.is_empty() {
            // Nothing more can be done when standard error is closed too.
            // File names and arguments may hold anything; the lines of the message are its own.
            let safe: Vec<String> = message.lines().map(karat_data::names::shown).collect();
            let _ = writeln!(std::io::stderr(), "karat: {}", safe.join("\n"));
        }
        ExitCode::from(status)
    }
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

impl From<NoBelief> for Failure {
    fn from(why: NoBelief) -> Self {
        match why {
            NoBelief::Runs(problems) => Failure::Inputs(problems),
            other => Failure::usage(other),
        }
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        Failure::usage(error)
    }
}
