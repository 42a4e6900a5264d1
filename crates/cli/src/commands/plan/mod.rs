//! `karat plan`: what would decide it?

mod judges;
pub(super) mod topics;

use clap::{Args, Subcommand};

use crate::environment::Environment;
use crate::failure::Failure;

/// What would decide it?
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// Number of queries, bronze labels and gold labels needed, and the cheapest mix
    Judges(judges::Arguments),
    /// Number of topics needed to detect a difference, or what a number of topics can show
    Topics(topics::Arguments),
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    match &arguments.question {
        Question::Judges(arguments) => judges::run(arguments, environment),
        Question::Topics(arguments) => topics::run(arguments, environment),
    }
}
