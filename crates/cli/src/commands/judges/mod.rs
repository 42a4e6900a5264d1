//! `karat judges`: do they agree, how wrong are they, and what would gold judges have said?

mod agree;
mod calibrate;
pub mod compare;
mod correct;
mod merge;
mod summary;

pub use summary::Side;

use clap::{Args, Subcommand};

use crate::environment::Environment;
use crate::failure::Failure;

/// Do the judges agree, how wrong are they, and what would gold judges have said?
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// Do the judges agree, and what does that mean for the systems?
    Agree(agree::Arguments),
    /// How wrong are the judges? Error rates from pairs that gold judged too
    Calibrate(calibrate::Arguments),
    /// One label from several judges'
    Merge(merge::Arguments),
    /// What would gold judges have said? One score, corrected for the judges' errors
    Correct(correct::Arguments),
    /// Is one system better, and does that survive the judges' errors?
    Compare(compare::Arguments),
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    match &arguments.question {
        Question::Agree(arguments) => agree::run(arguments, environment),
        Question::Merge(arguments) => merge::run(arguments, environment),
        Question::Calibrate(arguments) => calibrate::run(arguments, environment),
        Question::Correct(arguments) => correct::run(arguments, environment),
        Question::Compare(arguments) => compare::run(arguments, environment),
    }
}
