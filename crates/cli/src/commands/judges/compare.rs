//! `karat judges compare`

use clap::{Args, ValueEnum};
use karat_analysis::judges::{CompareOptions, compare};
use karat_present::Context;
use karat_report::Provenance;
use karat_stats::judge_error::{Calibration, CalibrationErrors, Observed};

use super::Side;
use crate::calibration::{self, Agreed, CalibrationOptions};
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, check_level};
use crate::output;
use crate::outputs::Outputs;

/// Compare two systems, given the judges' errors
///
/// Runs three tests: naive (no judge errors), independent (the error of the calibration counted for each system) and shared (one
/// calibration for both systems, so its error partly cancels in the difference). With one calibration shared decides, with two
/// independent.
///
/// For two grades only. For more grades, use karat compare --calibration, which reads the labels of each query.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The first system, such as score=0.6260,sd=0.414,n=10278
    #[arg(long, value_name = "NUMBERS")]
    a: Side,
    /// The second system
    #[arg(long, value_name = "NUMBERS")]
    b: Side,
    /// Standard deviation of the difference over queries, if both systems had the same queries
    #[arg(long, value_name = "SD", allow_negative_numbers = true)]
    paired_sd: Option<f64>,
    #[command(flatten)]
    calibration: CalibrationOptions,
    /// Second system's own calibration: relevant pairs
    #[arg(long, value_name = "AGREED/PAIRS", requires = "b_nonrelevant", conflicts_with = "b_calibration")]
    b_relevant: Option<Agreed>,
    /// Second system's own calibration: non-relevant pairs
    #[arg(long, value_name = "AGREED/PAIRS", requires = "b_relevant", conflicts_with = "b_calibration")]
    b_nonrelevant: Option<Agreed>,
    /// Second system's own calibration: a file
    #[arg(long, value_name = "FILE")]
    b_calibration: Option<String>,
    /// Which test decides; default: shared with one calibration, independent with two
    #[arg(long, value_enum)]
    calibration_errors: Option<ErrorsOption>,
    /// Confidence level of the interval
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    #[command(flatten)]
    output: OutputOptions,
}

/// Whether two systems share the calibration and its error.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ErrorsOption {
    /// One calibration serves both systems
    Shared,
    /// Each system has its own calibration
    Independent,
}

impl ErrorsOption {
    /// The choice as it is typed.
    pub fn name(self) -> &'static str {
        match self {
            ErrorsOption::Shared => "shared",
            ErrorsOption::Independent => "independent",
        }
    }
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
    fn calibration_b(&self, environment: &Environment) -> Result<Option<Calibration>, Failure> {
        if let (Some(relevant), Some(nonrelevant)) = (self.b_relevant, self.b_nonrelevant) {
            let made = Calibration::binary((relevant.0, relevant.1), (nonrelevant.0, nonrelevant.1));
            return made.map(Some).map_err(|error| Failure::usage(format!("b: {error}")));
        }
        self.b_calibration.as_deref().map(|file| calibration::from_file(environment, file)).transpose()
    }

    fn provenance(
        &self,
        environment: &Environment,
        calibration: &Calibration,
        calibration_b: Option<&Calibration>,
    ) -> Provenance {
        let mut provenance = self.calibration.provenance(environment, Provenance::default(), calibration);
        for (name, side) in [("a", self.a), ("b", self.b)] {
            let sd = side.summary.sd.map_or(String::new(), |sd| format!(",sd={sd}"));
            let text = format!("score={}{sd},n={},weight={}", side.summary.score, side.summary.n, side.summary.weight);
            provenance = provenance.option(name, text);
        }
        if let Some(sd) = self.paired_sd {
            provenance = provenance.option("paired_sd", sd);
        }
        if let Some(errors) = self.calibration_errors {
            provenance = provenance.option("calibration_errors", errors.name());
        }
        if let Some(own) = calibration_b {
            provenance = provenance.option("b_table", calibration::table(own));
        }
        let file = self.b_calibration.iter();
        let provenance = file.fold(provenance, |provenance, file| {
            provenance.option("b_calibration", file.as_str()).input(file.as_str(), environment.size(file), 1)
        });
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
    Outputs::answer(&arguments.output).check(&files)?;
    let (calibration, calibration_b) =
        (arguments.calibration.read(environment)?, arguments.calibration_b(environment)?);
    if calibration_b.is_some() && matches!(arguments.calibration_errors, Some(ErrorsOption::Shared)) {
        return Err(Failure::usage(
            "--calibration-errors shared: b has its own calibration; leave out one of the two options",
        ));
    }
    let provenance = arguments.provenance(environment, &calibration, calibration_b.as_ref());
    let options = CompareOptions {
        observed: Observed { a: arguments.a.summary, b: arguments.b.summary, paired_sd: arguments.paired_sd },
        calibration,
        calibration_b,
        errors: arguments.calibration_errors.map(Into::into),
        level: arguments.level,
    };
    let answer = compare(&options).map_err(Failure::usage)?;
    let mut notes = arguments.calibration.cautions(environment);
    for caution in calibration::cautions(environment, arguments.b_calibration.as_deref()) {
        if !notes.contains(&caution) {
            notes.push(caution);
        }
    }
    let context = Context { version: VERSION, provenance, notes };
    environment.write(&karat_present::judges::compare::report(answer, context), &arguments.output)
}
