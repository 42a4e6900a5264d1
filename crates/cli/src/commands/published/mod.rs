//! `karat published`: compare RBP scores printed in papers with different p.

pub(crate) mod compare;
mod depth;
mod range;
mod study;
mod typed;
mod vectors;

use clap::{Args, Subcommand};

use crate::environment::Environment;
use crate::failure::Failure;

/// Compare RBP scores printed in papers with different p
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// How many ranks matter at a given p and precision
    Depth(depth::Arguments),
    /// Find the rankings that a printed score can come from
    Vectors(vectors::Arguments),
    /// Possible scores at another p
    Range(range::Arguments),
    /// Decide which system scores higher, where the printed scores allow it
    Compare(compare::Arguments),
    /// Measure on real runs how often printed scores decide, and how often wrongly
    Study(study::Arguments),
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    match &arguments.command {
        Command::Depth(arguments) => depth::run(arguments, environment),
        Command::Vectors(arguments) => vectors::run(arguments, environment),
        Command::Range(arguments) => range::run(arguments, environment),
        Command::Compare(arguments) => compare::run(arguments, environment),
        Command::Study(arguments) => study::run(arguments, environment),
    }
}
