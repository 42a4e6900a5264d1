//! `karat judges`: how wrong are they, and what would gold judges have said?

mod calibrate;
pub mod compare;
mod correct;
mod summary;

pub use summary::Side;

use clap::{Args, Subcommand};

use crate::failure::Failure;

/// How wrong are the judges, and what would gold judges have said?
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// How wrong are the judges? Error rates from pairs that gold judged too
    Calibrate(calibrate::Arguments),
    /// What would gold judges have said? One score, corrected for the judges' errors
    Correct(correct::Arguments),
    /// Is one system better, and does that survive the judges' errors?
    Compare(compare::Arguments),
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.question {
        Question::Calibrate(arguments) => calibrate::run(arguments),
        Question::Correct(arguments) => correct::run(arguments),
        Question::Compare(arguments) => compare::run(arguments),
    }
}

/// A level is a level.
///
/// # Errors
/// It is none.
pub fn check_level(level: f64) -> Result<(), Failure> {
    if level > 0.0 && level < 1.0 {
        return Ok(());
    }
    Err(Failure::usage(format!("--level needs a number between 0 and 1, found {level}")))
}
