//! `karat plan judges`

use clap::{ArgGroup, Args};
use karat_analysis::judges::{PlanQuestion, Wanted, plan};
use karat_report::Provenance;
use karat_stats::judge_error::{CalibrationErrors, Summary};

use crate::calibration::CalibrationOptions;
use crate::commands::VERSION;
use crate::commands::judges::compare::ErrorsOption;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, check_level};
use crate::output;

/// How many queries, bronze and gold labels, and the cheapest mix of them?
///
/// From what a score and its judges are like now: what it takes to find a true difference between two systems, or to make the interval of a
/// corrected score so narrow.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("wanted").required(true).args(["difference", "width"]))]
pub struct Arguments {
    /// Mean score over queries by bronze labels, as it is now
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    score: f64,
    /// Standard deviation of the score over queries; for P@1 it follows from the score
    #[arg(long, value_name = "SD", allow_negative_numbers = true)]
    sd: Option<f64>,
    #[command(flatten)]
    calibration: CalibrationOptions,
    /// Find a true difference of this size between two systems
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    difference: Option<f64>,
    /// Make the interval of the corrected score no wider than this
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    width: Option<f64>,
    /// The probability with which the difference is found
    #[arg(long, value_name = "POWER", default_value_t = 0.8, allow_negative_numbers = true)]
    power: f64,
    /// Both systems get the same queries: standard deviation over them of the difference
    #[arg(long, value_name = "SD", requires = "difference", allow_negative_numbers = true)]
    paired_sd: Option<f64>,
    /// Whether one calibration serves both systems
    #[arg(long, value_enum, default_value = "shared")]
    calibration_errors: ErrorsOption,
    /// Bronze labels that a query needs for one system, such as 10 for P@10
    #[arg(long, value_name = "K", default_value_t = 10.0, allow_negative_numbers = true)]
    labels_per_query: f64,
    /// Price of a bronze label
    #[arg(long, value_name = "PRICE", default_value_t = 1.0, allow_negative_numbers = true)]
    bronze_price: f64,
    /// Price of a gold label
    #[arg(long, value_name = "PRICE", default_value_t = 20.0, allow_negative_numbers = true)]
    gold_price: f64,
    /// Level of the test or interval
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    #[command(flatten)]
    output: OutputOptions,
}

fn paired_sd_given(arguments: &Arguments) -> Result<Option<f64>, Failure> {
    match arguments.paired_sd {
        Some(sd) if !(sd > 0.0 && sd <= 1.0) => {
            Err(Failure::usage(format!("--paired-sd needs a number above 0 and up to 1, found {sd}")))
        }
        given => Ok(given),
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    check_level(arguments.level)?;
    output::chosen(&arguments.output)?;
    output::refuse_overwrite(&arguments.output, &arguments.calibration.files())?;
    let calibration = arguments.calibration.read(environment)?;
    if let Some(sd) = paired_sd_given(arguments)?
        && arguments.width.is_some()
    {
        return Err(Failure::usage(format!(
            "--paired-sd {sd} is of the difference of two systems; --width asks for one score: leave out one of the two"
        )));
    }
    for (option, size) in [("--difference", arguments.difference), ("--width", arguments.width)] {
        if let Some(size) = size.filter(|size| !(*size > 0.0 && *size < 1.0)) {
            return Err(Failure::usage(format!(
                "{option} needs a number between 0 and 1 (the score is a share of relevant documents), found {size}"
            )));
        }
    }
    let Arguments { score, sd, power, paired_sd, level, .. } = *arguments;
    let errors: CalibrationErrors = arguments.calibration_errors.into();
    let wanted = match (arguments.difference, arguments.width) {
        (Some(size), _) => Wanted::Difference { size, power, errors, paired_sd },
        (None, Some(width)) => Wanted::Width(width),
        (None, None) => return Err(Failure::usage("say what is wanted: --difference or --width")),
    };
    let named = |provenance: Provenance, name: &str, value: Option<f64>| {
        value.into_iter().fold(provenance, |provenance, value| provenance.option(name, value))
    };
    let mut provenance =
        arguments.calibration.provenance(environment, Provenance::default().option("score", score), &calibration);
    for (name, value) in [
        ("sd", sd),
        ("difference", arguments.difference),
        ("width", arguments.width),
        ("power", arguments.difference.map(|_| power)),
        ("paired_sd", paired_sd),
    ] {
        provenance = named(provenance, name, value);
    }
    let question = PlanQuestion {
        // Two queries: the least of which a variance is made; it is only scaled.
        summary: Summary { score, sd, n: 2, weight: 1.0 },
        calibration,
        wanted,
        level,
        labels_per_query: arguments.labels_per_query,
        prices: (arguments.bronze_price, arguments.gold_price),
        provenance: provenance
            .option("labels_per_query", arguments.labels_per_query)
            .option("bronze_price", arguments.bronze_price)
            .option("gold_price", arguments.gold_price)
            .option("level", level),
        version: VERSION,
    };
    let mut report = plan(question).map_err(Failure::usage)?;
    report.notes.extend(arguments.calibration.cautions(environment));
    environment.write(&report, &arguments.output)
}
