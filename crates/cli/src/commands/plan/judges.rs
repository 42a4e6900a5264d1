//! `karat plan judges`

use clap::{ArgGroup, Args};
use karat_analysis::judges::{PlanOptions, PlanTarget, plan};
use karat_present::Context;
use karat_present::judges::plan::error_text;
use karat_report::Provenance;
use karat_stats::judge_error::{Calibration, CalibrationErrors, Summary};

use crate::calibration::CalibrationOptions;
use crate::commands::VERSION;
use crate::commands::judges::compare::ErrorsOption;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, check_level};
use crate::output;
use crate::outputs::Outputs;

/// Plan queries, bronze labels and gold labels: the cheapest mix
///
/// From a score and the judges' error rates now: what is needed to find a true difference between two systems, or to reach a given width
/// of the interval of a corrected score.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("wanted").required(true).args(["difference", "width"]))]
pub struct Arguments {
    /// Current mean score over queries by bronze labels
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    score: f64,
    /// Standard deviation of the score over queries; not needed for P@1
    #[arg(long, value_name = "SD", allow_negative_numbers = true)]
    sd: Option<f64>,
    #[command(flatten)]
    calibration: CalibrationOptions,
    /// True difference between two systems to find
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    difference: Option<f64>,
    /// Largest width of the interval of the corrected score
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    width: Option<f64>,
    /// Probability of finding the difference
    #[arg(long, value_name = "POWER", default_value_t = 0.8, allow_negative_numbers = true)]
    power: f64,
    /// Standard deviation of the difference over queries, if both systems get the same queries
    #[arg(long, value_name = "SD", requires = "difference", allow_negative_numbers = true)]
    paired_sd: Option<f64>,
    /// Whether both systems share one calibration
    #[arg(long, value_enum, default_value = "shared")]
    calibration_errors: ErrorsOption,
    /// Bronze labels per query and system, such as 10 for P@10
    #[arg(long, value_name = "K", default_value_t = 10.0, allow_negative_numbers = true)]
    labels_per_query: f64,
    /// Price of a bronze label
    #[arg(long, value_name = "PRICE", default_value_t = 1.0, allow_negative_numbers = true)]
    bronze_price: f64,
    /// Price of a gold label
    #[arg(long, value_name = "PRICE", default_value_t = 20.0, allow_negative_numbers = true)]
    gold_price: f64,
    /// Confidence level of the test or interval
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    #[command(flatten)]
    output: OutputOptions,
}

impl Arguments {
    fn check(&self) -> Result<(), Failure> {
        if let Some(sd) = self.paired_sd {
            if !(sd > 0.0 && sd <= 1.0) {
                return Err(Failure::usage(format!("--paired-sd: expected a number above 0 and up to 1, found {sd}")));
            }
            if self.width.is_some() {
                return Err(Failure::usage(
                    "--paired-sd is for the difference of two systems, --width for one score; leave out one of the two",
                ));
            }
        }
        for (option, size) in [("--difference", self.difference), ("--width", self.width)] {
            if let Some(size) = size.filter(|size| !(*size > 0.0 && *size < 1.0)) {
                return Err(Failure::usage(format!("{option}: expected a number between 0 and 1, found {size}")));
            }
        }
        Ok(())
    }

    fn target(&self) -> Result<PlanTarget, Failure> {
        let Arguments { power, paired_sd, .. } = *self;
        let errors: CalibrationErrors = self.calibration_errors.into();
        match (self.difference, self.width) {
            (Some(size), _) => Ok(PlanTarget::Difference { size, power, errors, paired_sd }),
            (None, Some(width)) => Ok(PlanTarget::Width(width)),
            (None, None) => Err(Failure::usage("--difference or --width is needed")),
        }
    }

    fn provenance(&self, environment: &Environment, calibration: &Calibration) -> Provenance {
        let provenance = Provenance::default().option("score", self.score);
        let mut provenance = self.calibration.provenance(environment, provenance, calibration);
        let optional = [
            ("sd", self.sd),
            ("difference", self.difference),
            ("width", self.width),
            ("power", self.difference.map(|_| self.power)),
            ("paired_sd", self.paired_sd),
        ];
        for (name, value) in optional.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            provenance = provenance.option(name, value);
        }
        if self.difference.is_some() {
            provenance = provenance.option("calibration_errors", self.calibration_errors.name());
        }
        provenance
            .option("labels_per_query", self.labels_per_query)
            .option("bronze_price", self.bronze_price)
            .option("gold_price", self.gold_price)
            .option("level", self.level)
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
    arguments.check()?;
    let provenance = arguments.provenance(environment, &calibration);
    let options = PlanOptions {
        // Two queries: the fewest that have a variance; it is scaled to the planned number.
        summary: Summary { score: arguments.score, sd: arguments.sd, n: 2, weight: 1.0 },
        calibration,
        target: arguments.target()?,
        level: arguments.level,
        labels_per_query: arguments.labels_per_query,
        bronze_price: arguments.bronze_price,
        gold_price: arguments.gold_price,
    };
    let answer = plan(&options).map_err(|error| Failure::usage(error_text(&error)))?;
    let context = Context { version: VERSION, provenance, notes: arguments.calibration.cautions(environment) };
    environment.write(&karat_present::judges::plan::report(answer, context), &arguments.output)
}
