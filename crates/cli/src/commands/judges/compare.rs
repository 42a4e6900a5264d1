//! `karat judges compare`

use clap::{Args, ValueEnum};
use karat_analysis::judges::{CompareQuestion, compare};
use karat_report::Provenance;
use karat_stats::judge_error::{Calibration, CalibrationErrors, Observed};

use super::Side;
use crate::calibration::{self, Agreed, CalibrationOptions};
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, check_level};
use crate::output;

/// Is one system better, and does that survive the judges' errors?
///
/// Three answers side by side: naive (bronze taken at its word), independent (the calibration's error added for each system, the paper's
/// equation 10) and shared (one calibration serves both, so its error cancels in the difference). Shared is the answer when there is one
/// calibration, independent when there are two.
///
/// For two grades only: a graded difference needs to know how each system's grades go together over queries, which no mean and deviation tell. Correct
/// each system's labels with karat eval --calibration, query by query.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The first system, such as score=0.6260,sd=0.414,n=10278
    #[arg(long, value_name = "NUMBERS")]
    a: Side,
    /// The second system
    #[arg(long, value_name = "NUMBERS")]
    b: Side,
    /// Both had the same queries: standard deviation over them of the difference
    #[arg(long, value_name = "SD", allow_negative_numbers = true)]
    paired_sd: Option<f64>,
    #[command(flatten)]
    calibration: CalibrationOptions,
    /// The second system's own calibration: relevant pairs
    #[arg(long, value_name = "AGREED/PAIRS", requires = "b_nonrelevant", conflicts_with = "b_calibration")]
    b_relevant: Option<Agreed>,
    /// The second system's own calibration: non-relevant pairs
    #[arg(long, value_name = "AGREED/PAIRS", requires = "b_relevant", conflicts_with = "b_calibration")]
    b_nonrelevant: Option<Agreed>,
    /// The second system's own calibration: a file
    #[arg(long, value_name = "FILE")]
    b_calibration: Option<String>,
    /// Which p is the answer; by default the number of calibrations decides
    #[arg(long, value_enum)]
    calibration_errors: Option<ErrorsOption>,
    /// Level of the interval
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    #[command(flatten)]
    output: OutputOptions,
}

/// How the errors of the calibration enter.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ErrorsOption {
    /// One calibration serves both systems
    Shared,
    /// Each system has a calibration of its own
    Independent,
}

impl From<ErrorsOption> for CalibrationErrors {
    fn from(option: ErrorsOption) -> Self {
        match option {
            ErrorsOption::Shared => CalibrationErrors::Shared,
            ErrorsOption::Independent => CalibrationErrors::Independent,
        }
    }
}

impl Arguments {
    fn own(&self, environment: &Environment) -> Result<Option<Calibration>, Failure> {
        if let (Some(relevant), Some(nonrelevant)) = (self.b_relevant, self.b_nonrelevant) {
            let made = Calibration::binary((relevant.0, relevant.1), (nonrelevant.0, nonrelevant.1));
            return made.map(Some).map_err(|error| Failure::usage(format!("of b: {error}")));
        }
        self.b_calibration.as_deref().map(|file| calibration::from_file(environment, file)).transpose()
    }

    fn provenance(&self, environment: &Environment, calibration: &Calibration) -> Provenance {
        let mut provenance = self.calibration.provenance(environment, Provenance::default(), calibration);
        for (name, side) in [("a", self.a), ("b", self.b)] {
            let sd = side.summary.sd.map_or(String::new(), |sd| format!(",sd={sd}"));
            let text = format!("score={}{sd},n={},weight={}", side.summary.score, side.summary.n, side.summary.weight);
            provenance = provenance.option(name, text);
        }
        if let Some(sd) = self.paired_sd {
            provenance = provenance.option("paired_sd", sd);
        }
        provenance.option("level", self.level)
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    check_level(arguments.level)?;
    output::chosen(&arguments.output)?;
    let mut files = arguments.calibration.files();
    files.extend(arguments.b_calibration.clone());
    output::refuse_overwrite(&arguments.output, &files)?;
    let (calibration, own) = (arguments.calibration.read(environment)?, arguments.own(environment)?);
    if own.is_some() && matches!(arguments.calibration_errors, Some(ErrorsOption::Shared)) {
        return Err(Failure::usage(
            "--calibration-errors shared, but b has a calibration of its own; leave out one of the two",
        ));
    }
    let question = CompareQuestion {
        observed: Observed { a: arguments.a.summary, b: arguments.b.summary, paired_sd: arguments.paired_sd },
        provenance: arguments.provenance(environment, &calibration),
        calibration,
        own,
        errors: arguments.calibration_errors.map(Into::into),
        level: arguments.level,
        version: VERSION,
    };
    let mut report = compare(question).map_err(Failure::usage)?;
    let cautions = [
        arguments.calibration.cautions(environment),
        calibration::cautions(environment, arguments.b_calibration.as_deref()),
    ]
    .concat();
    for caution in cautions {
        if !report.notes.contains(&caution) {
            report.notes.push(caution);
        }
    }
    environment.write(&report, &arguments.output)
}
