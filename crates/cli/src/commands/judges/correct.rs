//! `karat judges correct`

use clap::{Args, ValueEnum};
use karat_analysis::judges::{CorrectOptions, Observation, correct};
use karat_present::Context;
use karat_report::Provenance;
use karat_stats::Seed;
use karat_stats::judge_error::{Calibration, Shares, Summary};

use crate::calibration::CalibrationOptions;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, check_level};
use crate::output;
use crate::outputs::Outputs;

/// Correct one score for the judges' errors
///
/// Takes a mean P@1, P@k or binary RBP by bronze labels and the error rates of the bronze judges; estimates the score by gold labels. The
/// standard error covers both queries and calibration (delta method and bootstrap). With --shares instead of --score: DCG (or CG,
/// --discount none) of any number of grades, by the inverse of the matrix of error rates.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Mean score over queries by bronze labels
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, required_unless_present = "shares")]
    score: Option<f64>,
    /// Instead of --score: share of each bronze grade (lowest first) at each rank, such as '0.5,0.5,0;0.5,0,0.5'
    #[arg(long, value_name = "ROWS", conflicts_with_all = ["score", "sd", "weight"])]
    shares: Option<String>,
    /// Gain of each grade, for --shares; default: the grades themselves
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "shares", allow_negative_numbers = true)]
    gains: Vec<f64>,
    /// Discount of each rank, for --shares
    #[arg(long, value_enum, default_value = "log2", requires = "shares")]
    discount: DiscountOption,
    /// Standard deviation of the score over queries; not needed for P@1
    #[arg(long, value_name = "SD", allow_negative_numbers = true)]
    sd: Option<f64>,
    /// Number of queries
    #[arg(long, value_name = "N")]
    n: u64,
    /// Sum of the weights of the judged ranks; below 1 for RBP of a finite list
    #[arg(long, value_name = "W", default_value_t = 1.0, allow_negative_numbers = true)]
    weight: f64,
    #[command(flatten)]
    calibration: CalibrationOptions,
    /// Confidence level of intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    /// Bootstrap replicates
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    resamples: u32,
    /// Seed of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
enum DiscountOption {
    /// 1/log2(rank + 1): DCG
    Log2,
    /// 1: CG
    None,
}

impl Arguments {
    fn observation(&self, calibration: &Calibration) -> Result<Observation, Failure> {
        let Some(text) = &self.shares else {
            // clap requires one of the two.
            let score = self.score.unwrap_or(f64::NAN);
            return Ok(Observation::Score(Summary { score, sd: self.sd, n: self.n, weight: self.weight }));
        };
        let wrong = |cell: &str| {
            Failure::usage(format!(
                "--shares: '{cell}' is not a number; expected shares from 0 to 1, with commas between grades and semicolons between ranks"
            ))
        };
        let row = |row: &str| row.split(',').map(|cell| cell.trim().parse().map_err(|_| wrong(cell.trim()))).collect();
        let ranks = text.split(';').map(row).collect::<Result<Vec<Vec<f64>>, Failure>>()?;
        let weight = |rank: usize| match self.discount {
            DiscountOption::Log2 => 1.0 / ((rank + 1) as f64).log2(),
            DiscountOption::None => 1.0,
        };
        let weights = (1..=ranks.len()).map(weight).collect();
        let gains = if self.gains.is_empty() { calibration.grades().to_vec() } else { self.gains.clone() };
        Ok(Observation::Shares(Shares { ranks, weights, gains, n: self.n }))
    }

    fn provenance(&self, observation: &Observation) -> Provenance {
        let provenance = Provenance::default().option("n", self.n as f64);
        match observation {
            Observation::Score(summary) => {
                let provenance = provenance.option("score", summary.score).option("weight", summary.weight);
                summary.sd.into_iter().fold(provenance, |provenance, sd| provenance.option("sd", sd))
            }
            Observation::Shares(shares) => provenance
                .option("shares", self.shares.as_deref().unwrap_or_default())
                .option("gains", shares.gains.clone())
                .option("discount", if self.discount == DiscountOption::Log2 { "log2" } else { "none" }),
        }
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    check_level(arguments.level)?;
    output::chosen(&arguments.output)?;
    Outputs::answer(&arguments.output).check(&arguments.calibration.files())?;
    let calibration = arguments.calibration.read(environment)?;
    let observation = arguments.observation(&calibration)?;
    let provenance = arguments.provenance(&observation);
    let provenance = arguments.calibration.provenance(environment, provenance, &calibration);
    let provenance =
        provenance.option("level", arguments.level).option("resamples", arguments.resamples).seed(arguments.seed);
    let options = CorrectOptions {
        observation,
        calibration,
        level: arguments.level,
        resamples: arguments.resamples,
        seed: Seed(arguments.seed),
    };
    let answer = correct(&options).map_err(Failure::usage)?;
    let context = Context { version: VERSION, provenance, notes: arguments.calibration.cautions(environment) };
    environment.write(&karat_present::judges::correct::report(answer, context), &arguments.output)
}
