//! `karat judges`: agreement, error rates, merged labels and corrected scores.

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

/// Agreement and error rates of judges, and scores corrected for their errors
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure the agreement of judges and its effect on the scores
    Agree(agree::Arguments),
    /// Estimate the judges' error rates from pairs that gold judged too
    Calibrate(calibrate::Arguments),
    /// Merge the labels of several judges into one
    Merge(merge::Arguments),
    /// Correct one score for the judges' errors
    Correct(correct::Arguments),
    /// Compare two systems, given the judges' errors
    Compare(compare::Arguments),
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    match &arguments.command {
        Command::Agree(arguments) => agree::run(arguments, environment),
        Command::Merge(arguments) => merge::run(arguments, environment),
        Command::Calibrate(arguments) => calibrate::run(arguments, environment),
        Command::Correct(arguments) => correct::run(arguments, environment),
        Command::Compare(arguments) => compare::run(arguments, environment),
    }
}
