//! `karat rbo RUN RUN...`

use clap::Args;
use karat_analysis::rbo::{RboOptions, rbo};
use karat_formats::{Dialect, RunFiles, detect};
use karat_present::Context;
use karat_present::rbo as present;
use karat_report::Provenance;

use super::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, ThreadOptions};
use crate::output;
use crate::outputs::Outputs;

/// How similar are these runs? Rank-biased overlap, without judgements
#[derive(Debug, Args)]
pub struct Arguments {
    /// Two or more runs; each is compared with each. Formats are detected
    #[arg(required = true, num_args = 2.., value_name = "RUN")]
    runs: Vec<String>,
    /// Persistence: probability of reading on to the next rank, between 0 and 1
    #[arg(short, long = "persistence", value_name = "P", default_value_t = 0.9, allow_negative_numbers = true)]
    persistence: f64,
    /// Also list every query
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
    // Smaller values lose precision in the weights of ranks, p^k.
    if persistence < 1e-100 {
        return Err(Failure::usage(format!("-p needs a number of at least 1e-100, found {persistence:?}")));
    }
    output::chosen(&arguments.output)?;
    Outputs::answer(&arguments.output).check(&arguments.runs)?;
    let runs = RunFiles::new(environment.inputs(&arguments.runs)?, detect::RUN, Dialect::Strict);
    let options = RboOptions { persistence, by_query: arguments.by_query, threads: arguments.threads.count() };
    let answer = rbo(&runs, &options, present::repeated_document).map_err(present::problems)?;
    let mut provenance = Provenance::default().option("p", persistence);
    for run in &answer.runs {
        provenance = provenance.input_in(run.format, &run.file, run.bytes, run.rows);
    }
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    environment.write(&present::report(answer, &options, context), &arguments.output)
}
