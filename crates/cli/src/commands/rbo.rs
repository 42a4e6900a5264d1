//! `karat rbo RUN RUN...`

use clap::Args;
use karat_analysis::rbo::{Question, rbo};
use karat_formats::{Dialect, RunFiles, detect};

use super::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, ThreadOptions};
use crate::output;

/// How alike are these runs, whatever was judged?
#[derive(Debug, Args)]
pub struct Arguments {
    /// Runs, at least two; each is compared with each (formats are told from content)
    #[arg(required = true, num_args = 2.., value_name = "RUN")]
    runs: Vec<String>,
    /// Persistence: the probability of going on to the next rank, between 0 and 1
    #[arg(short, long = "persistence", value_name = "P", default_value_t = 0.9, allow_negative_numbers = true)]
    persistence: f64,
    /// List every query too
    #[arg(short = 'q', long)]
    by_query: bool,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let persistence = arguments.persistence;
    if !(persistence > 0.0 && persistence < 1.0) {
        return Err(Failure::usage(format!("-p needs a number between 0 and 1, found {persistence}")));
    }
    // Below it the weights of ranks, p^k, are no numbers of full precision any more.
    if persistence < 1e-100 {
        return Err(Failure::usage(format!("-p needs a number from 1e-100, found {persistence}")));
    }
    output::chosen(&arguments.output)?;
    output::refuse_overwrite(&arguments.output, &arguments.runs)?;
    let runs = RunFiles::new(environment.inputs(&arguments.runs)?, detect::RUN, Dialect::Strict);
    let threads = arguments.threads.count();
    let question = Question { persistence, by_query: arguments.by_query, threads, version: VERSION };
    environment.write(&rbo(&runs, &question)?, &arguments.output)
}
