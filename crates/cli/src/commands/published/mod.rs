//! `karat published`: what can be said from RBP scores printed in papers with different p?

pub(crate) mod compare;
mod depth;
mod range;
mod study;
mod typed;
mod vectors;

use clap::{Args, Subcommand};

use crate::environment::Environment;
use crate::failure::Failure;

/// What can be said from RBP scores printed in papers with different p?
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// How many ranks count at a p and a precision?
    Depth(depth::Arguments),
    /// Which rankings can a printed score come from?
    Vectors(vectors::Arguments),
    /// What might the score be at another p?
    Range(range::Arguments),
    /// Which of the systems scores higher, where that can be told?
    Compare(compare::Arguments),
    /// How often would that decide between real runs, and is it ever wrong?
    Study(study::Arguments),
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    match &arguments.question {
        Question::Depth(arguments) => depth::run(arguments, environment),
        Question::Vectors(arguments) => vectors::run(arguments, environment),
        Question::Range(arguments) => range::run(arguments, environment),
        Question::Compare(arguments) => compare::run(arguments, environment),
        Question::Study(arguments) => study::run(arguments, environment),
    }
}
