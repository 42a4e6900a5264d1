//! `karat plan topics`

use clap::{ArgGroup, Args, ValueEnum};
use karat_analysis::plan_topics::{Correcting, Of, Question, Wanted, from_pilot, from_sd};
use karat_analysis::scores::Setting;
use karat_report::{OptionValue, Provenance};

use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{self, EvaluationOptions, OutputOptions, Prepared, check_level, note_choices};
use crate::output;

/// What is planned for when nobody says.
const DEFAULT_MEASURES: &[&str] = &["AP", "nDCG@10", "RBP(p=0.8)"];

/// How many topics would show a difference, or what can so many topics show?
///
/// From pilot runs (--qrels, --runs), or from a standard deviation over topics (--sd).
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("wanted").required(true).args(["difference", "half_width", "count"]))]
#[command(group = ArgGroup::new("from").required(true).args(["runs", "sd"]))]
#[command(mut_arg("topics", |list| list.long("only-topics")))]
pub struct Arguments {
    /// Judgements of the pilot
    #[arg(long, value_name = "QRELS", requires = "runs")]
    qrels: Option<String>,
    /// Pilot runs: their differences say how much differences spread
    #[arg(long, value_name = "RUN", num_args = 1.., requires = "qrels")]
    runs: Vec<String>,
    /// Standard deviation over topics of the difference of two systems (of a score with --of score)
    #[arg(long, value_name = "SD", allow_negative_numbers = true)]
    sd: Option<f64>,
    /// Topics from which --sd was estimated
    #[arg(long, value_name = "N", requires = "sd", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    sd_topics: Option<u64>,
    /// Find a true difference of this size
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    difference: Option<f64>,
    /// Make the interval at most so wide to either side
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    half_width: Option<f64>,
    /// The reverse: what so many topics can show
    #[arg(id = "count", long = "topics", value_name = "N", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    count: Option<u64>,
    /// What the interval is of; score when there is one pilot run
    #[arg(long, value_enum)]
    of: Option<OfOption>,
    /// The probability with which the difference is found
    #[arg(long, value_name = "POWER", default_value_t = 0.8, allow_negative_numbers = true)]
    power: f64,
    /// Level of the tests or intervals, all of them together
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    /// Systems in the experiment that is planned; as many as there are pilot runs, or 2
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    systems: Option<u32>,
    /// Which of them are compared
    #[arg(long, value_enum, default_value = "all")]
    pairs: PairsOption,
    /// How the level is divided among pairs; tukey for all pairs, bonferroni with --pairs baseline
    #[arg(long, value_enum)]
    correction: Option<CorrectionOption>,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OfOption {
    /// Of the difference of two systems
    Difference,
    /// Of one system's mean score
    Score,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PairsOption {
    /// Every pair
    All,
    /// Each with a baseline
    Baseline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CorrectionOption {
    /// Tukey's test of all pairs
    Tukey,
    /// The level over the number of pairs
    Bonferroni,
    /// None: each at the whole level
    None,
}

impl Arguments {
    fn of(&self) -> Result<Of, Failure> {
        let one = self.runs.len() == 1;
        match self.of {
            Some(OfOption::Difference) if one => Err(Failure::usage(
                "--of difference needs at least two pilot runs; give another one to --runs, or a standard deviation to --sd",
            )),
            Some(OfOption::Score) | None if (one || self.of.is_some()) && self.difference.is_some() => {
                Err(Failure::usage(
                    "--difference is between two systems: give at least two pilot runs, or --sd of their differences (for the interval of one score: --half-width)",
                ))
            }
            Some(OfOption::Score) => Ok(Of::Score),
            None if one => Ok(Of::Score),
            Some(OfOption::Difference) | None => Ok(Of::Difference),
        }
    }

    fn correcting(&self, of: Of, systems: u32) -> Result<Correcting, Failure> {
        let comparisons = match (of, self.pairs) {
            (Of::Score, _) => systems,
            (Of::Difference, PairsOption::All) => systems * (systems - 1) / 2,
            (Of::Difference, PairsOption::Baseline) => systems - 1,
        };
        let all = of == Of::Difference && self.pairs == PairsOption::All;
        match self.correction {
            Some(CorrectionOption::Tukey) if !all => {
                Err(Failure::usage("--correction tukey is for all pairs of systems; choose bonferroni"))
            }
            // Intervals of scores are usually read one by one.
            None if of == Of::Score => Ok(Correcting::None),
            Some(CorrectionOption::None) => Ok(Correcting::None),
            _ if comparisons == 1 => Ok(Correcting::None),
            Some(CorrectionOption::Tukey) => Ok(Correcting::Tukey),
            None if all => Ok(Correcting::Tukey),
            Some(CorrectionOption::Bonferroni) | None => Ok(Correcting::Bonferroni(comparisons)),
        }
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
    check_level(arguments.level)?;
    above_0("--sd", arguments.sd)?;
    above_0("--difference", arguments.difference)?;
    above_0("--half-width", arguments.half_width)?;
    if !(arguments.power > 1.0 - arguments.level && arguments.power < 1.0) {
        return Err(Failure::usage(format!(
            "--power needs a number above {} (1 - level, the chance of finding a difference that is not there) and below 1, found {}",
            karat_report::NumberStyle::Significant(2).show(1.0 - arguments.level),
            arguments.power
        )));
    }
    output::chosen(&arguments.output)?;
    let of = arguments.of()?;
    let systems = arguments.systems.unwrap_or_else(|| {
        let least = if of == Of::Score { 1 } else { 2 };
        u32::try_from(arguments.runs.len()).unwrap_or(u32::MAX).clamp(least, 10_000)
    });
    let wanted = match (arguments.difference, arguments.half_width, arguments.count) {
        (Some(size), ..) => Wanted::Difference(size),
        (_, Some(width), _) => Wanted::HalfWidth(width),
        (.., Some(topics)) => Wanted::Topics(topics),
        _ => return Err(Failure::usage("say what is wanted: --difference, --half-width or --topics")),
    };
    let correcting = arguments.correcting(of, systems)?;
    let named = |provenance: Provenance| -> Provenance {
        let correction = match correcting {
            Correcting::Tukey => "tukey",
            Correcting::Bonferroni(_) => "bonferroni",
            Correcting::None => "none",
        };
        let count = arguments.count.map(|count| count as f64);
        let given = [
            ("sd", arguments.sd),
            ("sd_topics", arguments.sd_topics.map(|topics| topics as f64)),
            ("difference", arguments.difference),
            ("half_width", arguments.half_width),
            ("planned_topics", count),
        ];
        given
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .fold(provenance, |provenance, (name, value)| provenance.option(name, OptionValue::from(value)))
            .option("power", arguments.power)
            .option("level", arguments.level)
            .option("systems", systems)
            .option("correction", correction)
    };
    let question = |provenance: Provenance, notes: Vec<String>| Question {
        wanted,
        of,
        power: arguments.power,
        level: arguments.level,
        systems,
        correcting,
        baseline: arguments.pairs == PairsOption::Baseline,
        provenance: named(provenance),
        version: VERSION,
        notes,
    };
    let report = match (&arguments.qrels, arguments.sd) {
        (_, Some(sd)) => from_sd(sd, arguments.sd_topics, question(Provenance::default(), Vec::new())),
        (Some(qrels), None) => {
            let options = &arguments.evaluation;
            let files: Vec<String> =
                std::iter::once(qrels).chain(&arguments.runs).chain(&options.topics).cloned().collect();
            output::refuse_overwrite(&arguments.output, &files)?;
            let measures = options.measures(DEFAULT_MEASURES)?;
            let (qrels_input, run_inputs) = options::open(environment, qrels, &arguments.runs)?;
            let prepared = Prepared::read(options, environment, &qrels_input, measures, None)?;
            let setting = Setting { bounds: false, ..prepared.setting(options) };
            let provenance = options.provenance(&prepared.judgements.facts, &prepared.measures, &prepared.collection);
            let notes = note_choices(&options.choices());
            from_pilot(&setting, &options.runs(run_inputs), question(provenance, notes))?
        }
        (None, None) => return Err(Failure::usage("give pilot runs (--qrels, --runs) or a standard deviation (--sd)")),
    };
    environment.write(&report.map_err(Failure::usage)?, &arguments.output)
}
