//! `karat eval QRELS RUN...`

use clap::{Args, ValueEnum};
use karat_stats::judge_error::worth;
use karat_stats::seed::Seed;
use karat_study::eval::{Question, correction, eval};
use karat_study::scores::{Setting, suits};
use karat_study::summary::{Inference, IntervalMethod};
use karat_study::unjudged::believe;

use super::VERSION;
use crate::calibration;
use crate::failure::Failure;
use crate::options::{self, EvaluationOptions, Judgements, OutputOptions};
use crate::output;

/// What is computed when nobody says.
const DEFAULT_MEASURES: &[&str] = &["AP", "nDCG@10", "P@10", "RR", "RBP(p=0.8)", "Judged@10"];

/// The same for preferences, from which no grade can be read.
const PREFERENCE_MEASURES: &[&str] = &["PrefRatio", "PrefPairs", "PrefGroups", "PrefGroupsR"];

/// How good is each run, and how sure is that?
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input)
    qrels: String,
    /// Runs (likewise)
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// List every query too
    #[arg(short = 'q', long)]
    by_query: bool,
    /// Confidence level of intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    /// How intervals over the topics are made
    #[arg(long, value_enum, default_value = "t")]
    interval: IntervalOption,
    /// Resamples of the bootstrap; more make its ends steadier from seed to seed
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(200..))]
    resamples: u32,
    /// Draws of the unjudged documents' judgements, for measures without a closed form (--unjudged q=0.1, band, fit, urn)
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    draws: u32,
    /// Correct linear measures (P, RBP, DCG, CG) for the judges' errors, as karat judges calibrate -o FILE found them
    #[arg(long, value_name = "FILE")]
    calibration: Option<String>,
    /// Seed of everything random (the bootstrap, draws of unjudged documents)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum IntervalOption {
    /// Student's t
    T,
    /// Bias-corrected and accelerated bootstrap over topics
    Bca,
}

impl IntervalOption {
    fn name(self) -> &'static str {
        match self {
            IntervalOption::T => "t",
            IntervalOption::Bca => "bca",
        }
    }
}

impl Arguments {
    /// A note of the choices that are not the defaults: a table alone does not show them.
    fn choices(&self) -> Vec<String> {
        let mut made = self.evaluation.choices();
        if matches!(self.interval, IntervalOption::Bca) {
            made.push(format!("--interval bca ({} resamples, seed {})", self.resamples, self.seed));
        }
        if made.is_empty() { made } else { vec![format!("asked for: {}", made.join(", "))] }
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let options = &arguments.evaluation;
    if !(arguments.level > 0.0 && arguments.level < 1.0) {
        return Err(Failure::usage(format!("--level needs a number between 0 and 1, found {}", arguments.level)));
    }
    let chances = options.chances()?;
    output::chosen(&arguments.output)?;
    let files: Vec<String> =
        std::iter::once(&arguments.qrels).chain(&arguments.runs).chain(&arguments.calibration).cloned().collect();
    output::spare_inputs(&arguments.output, &files)?;
    let mut measures = options.measures(DEFAULT_MEASURES)?;
    let (qrels_input, run_inputs) = options::open(&arguments.qrels, &arguments.runs)?;
    let judgements = options.qrels(&qrels_input)?;
    let collection = options.collection(&judgements)?;
    let Judgements { qrels, uncut, facts } = &judgements;
    if !qrels.kind().has_grades() {
        measures = options.measures(PREFERENCE_MEASURES)?;
    }
    suits(qrels, &measures, &facts.file)?;
    let calibration = arguments.calibration.as_deref().map(calibration::from_file).transpose()?;
    if let Some(known) = &calibration {
        correction::suits(qrels, known, &facts.file)?;
        worth(known.grades(), known).map_err(|error| Failure::usage(format!("--calibration: {error}")))?;
    }
    let policy = options.policy();
    let setting = Setting {
        qrels,
        uncut: uncut.as_ref(),
        collection,
        policy,
        measures: &measures,
        bounds: options.why_no_bounds().is_none(),
        belief: None,
        calibration: calibration.as_ref(),
        threads: options.threads.count(),
    };
    let runs = options.runs(run_inputs);
    let belief = match chances {
        Some(treatment) => {
            let (level, seed) = (options.relevance_level, Seed(arguments.seed));
            Some(believe(&setting, &runs, treatment, level, arguments.draws, seed)?)
        }
        None => None,
    };
    let setting = Setting { belief: belief.as_ref(), ..setting };
    let provenance = options
        .provenance(facts, &measures, &collection)
        .option("level", arguments.level)
        .option("interval", arguments.interval.name())
        .option("resamples", arguments.resamples)
        .seed(arguments.seed);
    let provenance = calibration::provenance(provenance, arguments.calibration.as_deref());
    let provenance = if chances.is_some() { provenance.option("draws", arguments.draws) } else { provenance };
    let method = match arguments.interval {
        IntervalOption::T => IntervalMethod::StudentT,
        IntervalOption::Bca => IntervalMethod::Bca { resamples: arguments.resamples },
    };
    let question = Question {
        inference: Inference { method, level: arguments.level, seed: Seed(arguments.seed) },
        by_query: arguments.by_query,
        no_bounds: options.why_no_bounds(),
        provenance,
        version: VERSION,
        notes: arguments.choices(),
        title: "Evaluation",
    };
    let report = eval(&setting, &runs, question)?;
    output::write(&report, &arguments.output)
}
