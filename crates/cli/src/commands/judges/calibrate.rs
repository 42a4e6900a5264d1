//! `karat judges calibrate`

use std::str::FromStr;

use clap::{Args, ValueEnum};
use karat_analysis::judges::{CalibrateOptions, Factor, Sampling, calibrate, pairs};
use karat_data::{Policy, RankedDocuments};
use karat_formats::{Dialect, RunFiles, detect};
use karat_present::Context;
use karat_present::judges::calibrate::pairs_note;
use karat_present::judges::{problems, scale_note};
use karat_report::Provenance;
use karat_stats::Seed;
use karat_stats::judge_error::{Calibration, RateInterval};

use crate::calibration::{Agreed, CalibrationOptions};
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::FiguresOptions;
use crate::labels::LabelOptions;
use crate::options::{OutputOptions, check_level, every_core};
use crate::outputs::Outputs;

/// Estimate the judges' error rates
///
/// From pairs that both bronze and gold judged: how often bronze gives each grade when gold gives a grade, with exact intervals; D, which
/// says how well bronze tells grades apart; and tests whether the error rates depend on topic, system or rank.
/// The answer as JSON (-o judges.json) is what --calibration reads.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    calibration: CalibrationOptions,
    /// Labels of the bronze judges, instead of counts
    #[arg(long, value_name = "LABELS", num_args = 1.., requires = "gold", conflicts_with_all = ["relevant", "table", "calibration", "factors"])]
    bronze: Vec<String>,
    /// Gold labels of some of the same documents
    #[arg(long, value_name = "LABELS", num_args = 1.., requires = "bronze")]
    gold: Vec<String>,
    /// Runs, to test whether the error rate depends on the system or the rank
    #[arg(long, value_name = "RUN", num_args = 1.., requires = "bronze")]
    runs: Vec<String>,
    #[command(flatten)]
    reading: LabelOptions,
    /// How the pairs were chosen; rates of pairs chosen by the bronze label are biased
    #[arg(long, value_enum)]
    sampling: Option<SamplingOption>,
    /// Agreement by a factor, among pairs of one gold grade, such as 'system:bm25=25/30,dense=18/29' (repeatable)
    #[arg(long = "factor", value_name = "NAME:VALUE=AGREED/PAIRS,...")]
    factors: Vec<FactorOption>,
    /// Method of the intervals of rates
    #[arg(long, value_enum, default_value = "clopper-pearson")]
    interval: IntervalOption,
    /// Confidence level of intervals and tests
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    /// Seed of tests that draw tables
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    figures: FiguresOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SamplingOption {
    /// At random from the bronze labels
    Random,
    /// By the gold label, such as until there were enough of each
    Gold,
    /// By the bronze label
    Bronze,
}

impl From<SamplingOption> for Sampling {
    fn from(option: SamplingOption) -> Self {
        match option {
            SamplingOption::Random => Sampling::Random,
            SamplingOption::Gold => Sampling::Gold,
            SamplingOption::Bronze => Sampling::Bronze,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum IntervalOption {
    /// Covers at least the level
    ClopperPearson,
    /// Shorter, covers the level on average
    Jeffreys,
}

#[derive(Debug, Clone)]
struct FactorOption(String, Vec<(String, u64, u64)>);

impl FromStr for FactorOption {
    type Err = String;

    fn from_str(text: &str) -> Result<FactorOption, String> {
        let expected = "expected a name and counts by value, such as 'system:bm25=40/50,dense=30/60'";
        let (name, values) = text.split_once(':').ok_or_else(|| format!("no ':'; {expected}"))?;
        let one = |part: &str| {
            let (value, counts) = part.rsplit_once('=').ok_or_else(|| format!("'{part}' has no '='; {expected}"))?;
            let Agreed(agreed, pairs) = counts.parse().map_err(|error| format!("'{part}': {error}"))?;
            if agreed > pairs {
                return Err(format!(
                    "'{part}': {agreed} agreements of {pairs} pairs; expected no more agreements than pairs"
                ));
            }
            Ok((value.trim().to_owned(), agreed, pairs))
        };
        let values = values.split(',').map(one).collect::<Result<_, String>>()?;
        Ok(FactorOption(name.trim().to_owned(), values))
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    check_level(arguments.level)?;
    arguments.figures.wanted(environment, &arguments.output)?;
    let mut named = arguments.calibration.files();
    named.extend([&arguments.bronze, &arguments.gold, &arguments.runs].into_iter().flatten().cloned());
    Outputs::answer(&arguments.output).check(&named)?;
    let Source { calibration, factors, notes, provenance } = source(arguments, environment)?;
    let sampling = arguments.sampling.map(Sampling::from).or_else(|| arguments.calibration.sampling(environment));
    let (interval, name) = match arguments.interval {
        IntervalOption::ClopperPearson => (RateInterval::ClopperPearson, "clopper-pearson"),
        IntervalOption::Jeffreys => (RateInterval::Jeffreys, "jeffreys"),
    };
    let provenance = arguments
        .calibration
        .provenance(environment, provenance, &calibration)
        .option("sampling", sampling.map_or("unknown", Sampling::name))
        .option("interval", name)
        .option("level", arguments.level)
        .seed(arguments.seed);
    let provenance = if factors.is_empty() { provenance } else { provenance.option("factors", factor_names(&factors)) };
    let (level, seed) = (arguments.level, Seed(arguments.seed));
    let options = CalibrateOptions { calibration, interval, level, sampling, factors, seed };
    let answer = calibrate(&options).map_err(Failure::usage)?;
    let context = Context { version: VERSION, provenance, notes };
    let report = karat_present::judges::calibrate::report(answer, context);
    arguments.figures.write(environment, &report, &arguments.output)
}

fn factor_names(factors: &[Factor]) -> Vec<String> {
    factors.iter().map(|factor| factor.name.clone()).collect()
}

/// The counts, and what else is known of them.
struct Source {
    calibration: Calibration,
    factors: Vec<Factor>,
    notes: Vec<String>,
    provenance: Provenance,
}

/// Counts as they are typed, or pairs from files.
fn source(arguments: &Arguments, environment: &Environment) -> Result<Source, Failure> {
    if arguments.bronze.is_empty() {
        let factor = |FactorOption(name, values): &FactorOption| Factor {
            name: name.clone(),
            values: values.clone(),
            effect: 1.0,
        };
        let factors = arguments.factors.iter().map(factor).collect();
        let (calibration, provenance) = (arguments.calibration.read(environment)?, Provenance::default());
        return Ok(Source { calibration, factors, notes: Vec::new(), provenance });
    }
    let scale = arguments.reading.scale()?;
    let bronze = arguments.reading.read(environment, &arguments.bronze)?;
    let gold = arguments.reading.read_gold(environment, &arguments.gold)?;
    let mut provenance = gold.provenance(bronze.provenance(arguments.reading.provenance(Provenance::default())));
    let ranked = if arguments.runs.is_empty() {
        None
    } else {
        let runs = RunFiles::new(environment.inputs(&arguments.runs)?, detect::RUN, Dialect::Strict);
        let ranked = RankedDocuments::read(&runs, &Policy::default(), every_core())?;
        for run in &ranked.runs {
            provenance = provenance.input_in(run.format, &run.file, run.bytes, run.rows);
        }
        Some(ranked)
    };
    let found = pairs(&bronze.labels, &gold.labels, &scale, ranked.as_ref(), Seed(arguments.seed)).map_err(problems)?;
    let notes = found.notes.iter().map(pairs_note).chain(scale_note(&found.scale)).collect();
    Ok(Source { calibration: found.calibration, factors: found.factors, notes, provenance })
}
