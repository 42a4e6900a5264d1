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

/// Did click-through change? Arms of an A/B test by counts or by rows of users, and interleaved rankings.
///
/// Three ways to ask. Counts: `karat ab --a clicks=1200,searches=10000 --b clicks=1310,searches=10050`. Rows of users or of searches:
/// `karat ab clicks.csv --unit user --arm arm --metric clicks/searches`. Outcomes of interleaving: `karat ab interleaving outcomes.csv`.
/// The sample ratio is checked first. Counts only allow the naive test, which is wrong when users search more than once.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    question: Option<Question>,
    #[command(flatten)]
    test: Test,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// Whose results are clicked, when two rankings are shown in one list?
    Interleaving(interleaving::Arguments),
}

/// An A/B test.
#[derive(Debug, Args)]
pub(super) struct Test {
    /// Rows with a user, an arm and counts (CSV, TSV, JSON, JSON Lines or Parquet, told from content; `-` is standard input)
    #[arg(conflicts_with_all = ["a", "b"])]
    file: Option<String>,
    /// Counts of the control, such as clicks=1200,searches=10000 (then also ,users=4000 and ,name=old)
    #[arg(long, value_name = "COUNTS", requires = "b")]
    a: Option<String>,
    /// Counts of another arm; may be repeated
    #[arg(long, value_name = "COUNTS", requires = "a")]
    b: Vec<String>,
    /// The column of the unit that was assigned to an arm
    #[arg(long, value_name = "COLUMN", default_value = "user")]
    unit: String,
    /// The column of the arm
    #[arg(long, value_name = "COLUMN", default_value = "arm")]
    arm: String,
    /// A rate: two columns as clicks/searches; one column alone is over rows, and over the unit's column it is over units. May be
    /// repeated; clicks/searches when not given
    #[arg(short, long = "metric", value_name = "COLUMN[/COLUMN]")]
    metrics: Vec<String>,
    /// The arm that others are compared with; the first in the order of names when not given
    #[arg(long, value_name = "ARM")]
    control: Option<String>,
    /// How units were to be split: 90:10 (the control first, then the others in the order of names), or A=90,B=10; equal when not given
    #[arg(long, value_name = "WEIGHTS")]
    split: Option<String>,
    /// The column of the time: rows are looked at time by time. Dates as 2026-11-15, times as 2026-11-15T08:30 (the day counts) or
    /// numbers, and one of these in the whole file
    #[arg(long, value_name = "COLUMN")]
    time: Option<String>,
    /// Intervals and p that hold at every look, however often one looks
    #[arg(long, requires = "time")]
    peek: bool,
    /// Units of both arms at which --peek is tightest; choose it before the data
    #[arg(long, value_name = "N", default_value_t = karat_stats::ab::DEFAULT_TUNING, value_parser = clap::value_parser!(u64).range(1..))]
    tune: u64,
    /// What several clicks on one search count
    #[arg(long, value_enum, default_value = "refuse")]
    several: users::SeveralOption,
    /// What is done with units that are in two arms
    #[arg(long, value_enum, default_value = "error")]
    both_arms: users::BothArmsOption,
    /// A relative lift that is to be found, such as 0.02: how many units, and days, does that take?
    #[arg(long, value_name = "LIFT", allow_negative_numbers = true)]
    lift: Option<f64>,
    /// The chance to find it
    #[arg(long, value_name = "POWER", default_value_t = 0.8, allow_negative_numbers = true)]
    power: f64,
    /// New units a day, all arms together, for the days that it takes
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    units_per_day: Option<f64>,
    /// Level of intervals, and 1 - level of the tests
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    if let Some(Question::Interleaving(arguments)) = &arguments.question {
        return interleaving::run(arguments, environment);
    }
    let test = &arguments.test;
    output::chosen(&test.output)?;
    test.check()?;
    match (&test.file, &test.a) {
        (Some(file), _) => users::run(test, file, environment),
        (None, Some(a)) => counts::run(test, a, environment),
        (None, None) => Err(Failure::usage(
            "there is nothing to compare; give a file of rows (karat ab clicks.csv --unit user --arm arm --metric clicks/searches), or counts \
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
        let parse = |text: &String| Split::parse(text).map_err(|why| Failure::usage(format!("--split: {why}")));
        self.split.as_ref().map(parse).transpose()
    }
}
