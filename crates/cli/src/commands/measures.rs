//! `karat measures`

use clap::Args;
use karat_present::{Context, explain};

use super::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;

/// List all measures
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// The answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let context = Context { version: VERSION, ..Context::default() };
    environment.write(&explain::measures_report(context), &arguments.output)
}
