//! `karat plan topics`

use clap::{ArgGroup, Args, ValueEnum};
use karat_analysis::plan_topics::{
    Goal, LevelCorrection, PlanTopicsAnswer, PlanTopicsError, PlanTopicsOptions, Quantity, plan_from_pilot,
    plan_from_sd,
};
use karat_analysis::scores::Setting;
use karat_present::{Context, plan_topics};
use karat_report::{NumberStyle, OptionValue, Provenance};

use crate::command::ScoringInputs;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{EvaluationOptions, OutputOptions, check_level, note_choices};
use crate::output;
use crate::outputs::Outputs;

/// The default measures.
pub(in crate::commands) const DEFAULT_MEASURES: &[&str] = &["AP", "nDCG@10", "RBP(p=0.8)"];

/// Number of topics needed to detect a difference, or what a number of topics can show
///
/// Plans from pilot runs (--qrels, --runs) or from a standard deviation over topics (--sd).
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("wanted").required(true).args(["difference", "half_width", "count"]))]
#[command(group = ArgGroup::new("from").required(true).args(["runs", "sd"]))]
#[command(mut_arg("topics", |list| list.long("only-topics")))]
pub struct Arguments {
    /// Judgements of the pilot
    #[arg(long, value_name = "QRELS", requires = "runs")]
    qrels: Option<String>,
    /// Pilot runs, to estimate how much differences vary between topics
    #[arg(long, value_name = "RUN", num_args = 1.., requires = "qrels")]
    runs: Vec<String>,
    /// Standard deviation over topics of the difference of two systems (with --of score: of a score)
    #[arg(long, value_name = "SD", allow_negative_numbers = true)]
    sd: Option<f64>,
    /// Number of topics from which --sd was estimated
    #[arg(long, value_name = "N", requires = "sd", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    sd_topics: Option<u64>,
    /// Detect a true difference of this size
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    difference: Option<f64>,
    /// Reach an interval of at most this half width
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    half_width: Option<f64>,
    /// Show what this number of topics can detect
    #[arg(id = "count", long = "topics", value_name = "N", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    count: Option<u64>,
    /// What the interval is for [default: difference; score with one pilot run]
    #[arg(long, value_enum)]
    of: Option<OfOption>,
    /// Probability of detecting the difference
    #[arg(long, value_name = "POWER", default_value_t = 0.8, allow_negative_numbers = true)]
    power: f64,
    /// Confidence level of all tests or intervals together
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    /// Systems in the planned experiment [default: the number of pilot runs, or 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    systems: Option<u32>,
    /// Which systems are compared
    #[arg(long, value_enum, default_value = "all")]
    pairs: PairsOption,
    /// Correction for several comparisons [default: max_t for all pairs, bonferroni with --pairs baseline]
    #[arg(long, value_enum)]
    correction: Option<CorrectionOption>,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OfOption {
    /// The difference of two systems
    Difference,
    /// One system's mean score
    Score,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PairsOption {
    /// Every pair
    All,
    /// Each system with a baseline
    Baseline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CorrectionOption {
    /// Max-T over all pairs, as the pilot runs vary
    #[value(name = "max_t")]
    MaxT,
    /// Tukey's test of all pairs, for systems that vary alike
    Tukey,
    /// Divide the error rate by the number of comparisons
    Bonferroni,
    /// No correction
    None,
}

impl Arguments {
    fn quantity(&self) -> Result<Quantity, Failure> {
        let one = self.runs.len() == 1;
        match self.of {
            Some(OfOption::Difference) if one => Err(Failure::usage(
                "--of difference needs at least two pilot runs; add one to --runs, or give a standard deviation with --sd",
            )),
            Some(OfOption::Score) | None if (one || self.of.is_some()) && self.difference.is_some() => {
                Err(Failure::usage(
                    "--difference needs at least two pilot runs, or --sd of their differences (for the interval of one score use --half-width)",
                ))
            }
            Some(OfOption::Score) => Ok(Quantity::Score),
            None if one => Ok(Quantity::Score),
            Some(OfOption::Difference) | None => Ok(Quantity::Difference),
        }
    }

    fn level_correction(&self, quantity: Quantity, systems: u32) -> Result<LevelCorrection, Failure> {
        let comparisons = match (quantity, self.pairs) {
            (Quantity::Score, _) => systems,
            (Quantity::Difference, PairsOption::All) => systems * (systems - 1) / 2,
            (Quantity::Difference, PairsOption::Baseline) => systems - 1,
        };
        let all = quantity == Quantity::Difference && self.pairs == PairsOption::All;
        match self.correction {
            Some(CorrectionOption::MaxT | CorrectionOption::Tukey) if !all => {
                Err(Failure::usage("--correction max_t and tukey are for all pairs of systems; use bonferroni"))
            }
            // Intervals of scores are usually read one by one.
            None if quantity == Quantity::Score => Ok(LevelCorrection::None),
            Some(CorrectionOption::None) => Ok(LevelCorrection::None),
            _ if comparisons == 1 => Ok(LevelCorrection::None),
            Some(CorrectionOption::Tukey) => Ok(LevelCorrection::Tukey),
            Some(CorrectionOption::MaxT) => Ok(LevelCorrection::MaxT),
            None if all => Ok(LevelCorrection::MaxT),
            Some(CorrectionOption::Bonferroni) | None => Ok(LevelCorrection::Bonferroni(comparisons)),
        }
    }

    fn goal(&self) -> Result<Goal, Failure> {
        match (self.difference, self.half_width, self.count) {
            (Some(size), ..) => Ok(Goal::Difference(size)),
            (_, Some(width), _) => Ok(Goal::HalfWidth(width)),
            (.., Some(topics)) => Ok(Goal::Topics(topics)),
            _ => Err(Failure::usage("give a goal: --difference, --half-width or --topics")),
        }
    }

    fn check(&self) -> Result<(), Failure> {
        check_level(self.level)?;
        above_0("--sd", self.sd)?;
        above_0("--difference", self.difference)?;
        above_0("--half-width", self.half_width)?;
        if self.power > 1.0 - self.level && self.power < 1.0 {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "--power needs a number above {} (1 - level, the false positive rate) and below 1, found {}",
            NumberStyle::Significant(2).show(1.0 - self.level),
            self.power
        )))
    }

    fn options(&self) -> Result<PlanTopicsOptions, Failure> {
        let quantity = self.quantity()?;
        let systems = self.systems.unwrap_or_else(|| {
            let least = if quantity == Quantity::Score { 1 } else { 2 };
            u32::try_from(self.runs.len()).unwrap_or(u32::MAX).clamp(least, 10_000)
        });
        Ok(PlanTopicsOptions {
            goal: self.goal()?,
            quantity,
            power: self.power,
            level: self.level,
            systems,
            correction: self.level_correction(quantity, systems)?,
            baseline: self.pairs == PairsOption::Baseline,
        })
    }

    fn provenance(&self, options: &PlanTopicsOptions, provenance: Provenance) -> Provenance {
        let correction = match options.correction {
            LevelCorrection::MaxT => "max_t",
            LevelCorrection::Tukey => "tukey",
            LevelCorrection::Bonferroni(_) => "bonferroni",
            LevelCorrection::None => "none",
        };
        let given = [
            ("sd", self.sd),
            ("sd_topics", self.sd_topics.map(|topics| topics as f64)),
            ("difference", self.difference),
            ("half_width", self.half_width),
            ("planned_topics", self.count.map(|count| count as f64)),
        ];
        given
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .fold(provenance, |provenance, (name, value)| provenance.option(name, OptionValue::from(value)))
            .option("power", self.power)
            .option("level", self.level)
            .option("systems", options.systems)
            .option("correction", correction)
    }
}

fn above_0(option: &str, value: Option<f64>) -> Result<(), Failure> {
    match value.filter(|value| !(*value > 0.0 && value.is_finite())) {
        Some(value) => Err(Failure::usage(format!("{option} needs a number above 0, found {value}"))),
        None => Ok(()),
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    arguments.check()?;
    output::chosen(&arguments.output)?;
    let options = arguments.options()?;
    let (answer, context) = match (&arguments.qrels, arguments.sd) {
        (_, Some(sd)) => {
            let provenance = arguments.provenance(&options, Provenance::default());
            let answer = plan_from_sd(sd, arguments.sd_topics, &options).map_err(failure)?;
            (answer, Context { version: VERSION, provenance, notes: Vec::new() })
        }
        (Some(qrels), None) => from_pilot(arguments, environment, qrels, &options)?,
        (None, None) => return Err(Failure::usage("give pilot runs (--qrels, --runs) or a standard deviation (--sd)")),
    };
    environment.write(&plan_topics::report(answer, &options, context), &arguments.output)
}

fn from_pilot(
    arguments: &Arguments,
    environment: &Environment,
    qrels: &String,
    planned: &PlanTopicsOptions,
) -> Result<(PlanTopicsAnswer, Context), Failure> {
    let options = &arguments.evaluation;
    let inputs = ScoringInputs { qrels, runs: &arguments.runs, evaluation: options, calibration: None };
    Outputs::answer(&arguments.output).check(&inputs.files(None))?;
    let (prepared, run_inputs) = inputs.read(environment, DEFAULT_MEASURES)?;
    prepared.check_level_reached()?;
    let setting = Setting { bounds: false, ..prepared.setting(options) };
    let (answer, runs) = plan_from_pilot(&setting, &options.runs(run_inputs), planned).map_err(failure)?;
    let provenance = inputs.provenance(environment, &prepared, |options| arguments.provenance(planned, options));
    let provenance = runs
        .iter()
        .fold(provenance, |provenance, facts| provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows));
    Ok((answer, Context { version: VERSION, provenance, notes: note_choices(&options.choices()) }))
}

fn failure(error: PlanTopicsError) -> Failure {
    match error {
        PlanTopicsError::Runs(error) => error.into(),
        PlanTopicsError::Pilot(errors) => plan_topics::problems(&errors).into(),
        PlanTopicsError::OutOfRange(error) => Failure::usage(error),
    }
}
