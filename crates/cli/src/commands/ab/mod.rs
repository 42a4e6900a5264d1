//! `karat ab`: did click-through change?

mod counts;
mod interleaving;
mod users;

use clap::{Args, Subcommand};
use karat_analysis::ab::Split;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, check_level};
use crate::output;

/// Did click-through change? A/B tests (counts or rows of users) and interleaving
///
/// Counts: `karat ab --a clicks=1200,searches=10000 --b clicks=1310,searches=10050`. Rows of users or searches:
/// `karat ab clicks.csv --unit user --arm arm --metric clicks/searches`. Interleaving: `karat ab interleaving outcomes.csv`.
/// The sample ratio is checked first. Counts allow only the naive test, which is not valid when users search more than once.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    experiment: Option<Experiment>,
    #[command(flatten)]
    test: Test,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    /// Compare two rankings that were shown in one interleaved list
    Interleaving(interleaving::Arguments),
}

/// An A/B test.
#[derive(Debug, Args)]
pub(super) struct Test {
    /// Rows with user, arm and counts (CSV, TSV, JSON, JSON Lines or Parquet), or `-` for standard input. Format is detected
    #[arg(conflicts_with_all = ["a", "b"])]
    file: Option<String>,
    /// Counts of the control: clicks=1200,searches=10000, optionally ,users=4000 and ,name=old
    #[arg(long, value_name = "COUNTS", requires = "b")]
    a: Option<String>,
    /// Counts of another arm (repeatable)
    #[arg(long, value_name = "COUNTS", requires = "a")]
    b: Vec<String>,
    /// Column of the unit that was assigned to an arm
    #[arg(long, value_name = "COLUMN", default_value = "user")]
    unit: String,
    /// Column of the arm
    #[arg(long, value_name = "COLUMN", default_value = "arm")]
    arm: String,
    /// Metric: clicks/searches (column over column), clicks (per row) or clicks/user (per unit). Repeatable; default clicks/searches
    #[arg(short, long = "metric", value_name = "COLUMN[/COLUMN]")]
    metrics: Vec<String>,
    /// Arm that others are compared with; default: the first by name
    #[arg(long, value_name = "ARM")]
    control: Option<String>,
    /// Planned split: 90:10 (control first, then by name) or A=90,B=10; default: equal
    #[arg(long, value_name = "WEIGHTS")]
    split: Option<String>,
    /// Column of the time: dates as 2026-11-15, times as 2026-11-15T08:30 (only the day is used) or numbers; one kind per file
    #[arg(long, value_name = "COLUMN")]
    time: Option<String>,
    /// Intervals and p-values that are valid however often you look
    #[arg(long, requires = "time")]
    peek: bool,
    /// Number of units at which --peek is most precise; choose it before seeing data
    #[arg(long, value_name = "N", default_value_t = karat_stats::ab::DEFAULT_TUNING, value_parser = clap::value_parser!(u64).range(1..))]
    tune: u64,
    /// How to count several clicks on one search
    #[arg(long, value_enum, default_value = "refuse")]
    several: users::SeveralOption,
    /// How to handle units in two arms
    #[arg(long, value_enum, default_value = "error")]
    both_arms: users::BothArmsOption,
    /// Relative lift to plan for, such as 0.02: how many units and days are needed?
    #[arg(long, value_name = "LIFT", allow_negative_numbers = true)]
    lift: Option<f64>,
    /// Power: probability of detecting that lift
    #[arg(long, value_name = "POWER", default_value_t = 0.8, allow_negative_numbers = true)]
    power: f64,
    /// New units per day, all arms together
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    units_per_day: Option<f64>,
    /// Confidence level; tests use 1 - level
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    /// Random seed of the resampling (few or heavy-tailed users)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    if let Some(Experiment::Interleaving(arguments)) = &arguments.experiment {
        return interleaving::run(arguments, environment);
    }
    let test = &arguments.test;
    output::chosen(&test.output)?;
    test.check()?;
    match (&test.file, &test.a) {
        (Some(file), _) => users::run(test, file, environment),
        (None, Some(a)) => counts::run(test, a, environment),
        (None, None) => Err(Failure::usage(
            "nothing to compare: give a file of rows (karat ab clicks.csv --unit user --arm arm --metric clicks/searches) or counts \
             (karat ab --a clicks=1200,searches=10000 --b clicks=1310,searches=10050)",
        )),
    }
}

impl Test {
    fn check(&self) -> Result<(), Failure> {
        check_level(self.level)?;
        if !matches!(self.power, power if (0.5..1.0).contains(&power)) {
            return Err(Failure::usage(format!(
                "--power needs a number of at least 0.5 and below 1, found {}",
                self.power
            )));
        }
        if let Some(lift) = self.lift.filter(|lift| !(lift.is_finite() && *lift > -1.0 && *lift != 0.0)) {
            return Err(Failure::usage(format!(
                "--lift needs a number above -1 other than 0, such as 0.02 for 2%, found {lift}"
            )));
        }
        if let Some(days) = self.units_per_day.filter(|days| !(days.is_finite() && *days > 0.0)) {
            return Err(Failure::usage(format!("--units-per-day needs a number above 0, found {days}")));
        }
        Ok(())
    }

    fn split(&self) -> Result<Option<Split>, Failure> {
        let parse = |text: &String| {
            Split::parse(text).ok_or_else(|| {
                Failure::usage(format!("--split: '{text}' is not a split; expected 90:10 (control first) or A=90,B=10"))
            })
        };
        self.split.as_ref().map(parse).transpose()
    }
}
