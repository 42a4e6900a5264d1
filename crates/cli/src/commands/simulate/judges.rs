//! `karat simulate judges`

use clap::Args;
use karat_analysis::simulate::judges::{SimulatedJudgesOptions, judges};
use karat_present::{Context, simulate};
use karat_report::Provenance;
use karat_sim::JudgesWorld;
use karat_stats::Seed;

use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, ThreadOptions, check_level};
use crate::output;

/// How do judges' errors change P@k, and does the correction repair it?
///
/// Simulates documents, bronze judges who make errors, and a calibration sample. Reports the mean of observed and corrected scores, and how
/// often their intervals cover the truth. The defaults are the paper's algorithm 2.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Probability of relevance at each rank, comma-separated; default: the paper's .49, .47, ..., .31
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    truth: Vec<f64>,
    /// m_R: probability that bronze labels a relevant document relevant
    #[arg(long, value_name = "RATE", default_value_t = 0.9, allow_negative_numbers = true)]
    relevant: f64,
    /// m_N: probability that bronze labels a non-relevant document non-relevant
    #[arg(long, value_name = "RATE", default_value_t = 0.8, allow_negative_numbers = true)]
    nonrelevant: f64,
    /// n_R: relevant calibration pairs
    #[arg(long, value_name = "N", default_value_t = 250)]
    relevant_pairs: u64,
    /// n_N: non-relevant calibration pairs
    #[arg(long, value_name = "N", default_value_t = 250)]
    nonrelevant_pairs: u64,
    /// Queries per run
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    queries: u32,
    /// Simulated runs
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    runs: u32,
    /// Confidence level of the intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    /// Seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// A number outside its range, or the answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    check_level(arguments.level)?;
    output::chosen(&arguments.output)?;
    let paper = JudgesWorld::paper();
    let world = JudgesWorld {
        truth: if arguments.truth.is_empty() { paper.truth } else { arguments.truth.clone() },
        relevant: arguments.relevant,
        nonrelevant: arguments.nonrelevant,
        pairs: (arguments.relevant_pairs, arguments.nonrelevant_pairs),
        queries: arguments.queries,
    };
    let provenance = Provenance::default()
        .option("truth", world.truth.clone())
        .option("relevant", world.relevant)
        .option("nonrelevant", world.nonrelevant)
        .option("relevant_pairs", world.pairs.0 as f64)
        .option("nonrelevant_pairs", world.pairs.1 as f64)
        .option("queries", world.queries)
        .option("runs", arguments.runs)
        .option("level", arguments.level)
        .seed(arguments.seed);
    let options = SimulatedJudgesOptions {
        world,
        runs: arguments.runs,
        level: arguments.level,
        seed: Seed(arguments.seed),
        threads: arguments.threads.count(),
    };
    let answer = judges(&options).map_err(Failure::usage)?;
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    environment.write(&simulate::judges_report(answer, &options, context), &arguments.output)
}
