//! `karat judges correct`

use clap::Args;
use karat_report::Provenance;
use karat_stats::Seed;
use karat_stats::judge_error::Summary;
use karat_study::judges::{CorrectQuestion, correct};

use super::check_level;
use crate::calibration::CalibrationOptions;
use crate::commands::VERSION;
use crate::failure::Failure;
use crate::options::OutputOptions;
use crate::output;

/// What would gold judges have said?
///
/// A mean P@1, P@k or binary RBP as bronze judges gave it, and how often they are right; the score corrected for their errors, with the
/// chance of the queries and of the calibration in its standard error (delta method and bootstrap).
#[derive(Debug, Args)]
pub struct Arguments {
    /// Mean score over queries by bronze labels
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    score: f64,
    /// Standard deviation of the score over queries; for P@1 it follows from the score
    #[arg(long, value_name = "SD", allow_negative_numbers = true)]
    sd: Option<f64>,
    /// Queries
    #[arg(long, value_name = "N")]
    n: u64,
    /// What the weights of the judged ranks add up to; below 1 for RBP of a finite list
    #[arg(long, value_name = "W", default_value_t = 1.0, allow_negative_numbers = true)]
    weight: f64,
    #[command(flatten)]
    calibration: CalibrationOptions,
    /// Level of intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    /// Replicates of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    resamples: u32,
    /// Seed of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    check_level(arguments.level)?;
    output::chosen(&arguments.output)?;
    output::spare_inputs(&arguments.output, &arguments.calibration.files())?;
    let calibration = arguments.calibration.read()?;
    let Arguments { score, sd, n, weight, .. } = *arguments;
    let provenance = Provenance::default().option("score", score).option("n", n as f64).option("weight", weight);
    let provenance = sd.into_iter().fold(provenance, |provenance, sd| provenance.option("sd", sd));
    let provenance = arguments.calibration.provenance(provenance, &calibration);
    let question = CorrectQuestion {
        summary: Summary { score, sd, n, weight },
        calibration,
        level: arguments.level,
        resamples: arguments.resamples,
        seed: Seed(arguments.seed),
        provenance: provenance
            .option("level", arguments.level)
            .option("resamples", arguments.resamples)
            .seed(arguments.seed),
        version: VERSION,
    };
    output::write(&correct(question).map_err(Failure::usage)?, &arguments.output)
}
