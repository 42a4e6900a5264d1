//! `karat next QRELS RUN...`

use clap::{Args, ValueEnum};
use karat_analysis::judging::next::{NextOptions, completed, next};
use karat_analysis::judging::replay::{ReplayOptions, replay};
use karat_analysis::judging::{About, GainModel, Strategy};
use karat_analysis::scores::check_compatible;
use karat_data::{CollectionFacts, JudgementKind, Policy};
use karat_formats::form::Asked;
use karat_formats::{Dialect, Input, QrelsFacts, RunFiles, read_qrels};
use karat_measures::Measure;
use karat_present::Context;
use karat_present::judging::{next_report, problems, replay_report};
use karat_report::{OptionValue, Provenance, Report};
use karat_stats::Seed;

use super::form::JudgingOptions;
use super::{VERSION, sample, text};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{self, FigureOptions};
use crate::options::{self, Judgements, OutputOptions};

/// Which documents to judge next: those that reduce the uncertainty most.
///
/// Weights are those of Moffat, Webber and Zobel (2007), or the variance that a judgement removes under a model of the gains of
/// unjudged documents.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements so far, or `-` for standard input. Format and compression are detected
    qrels: String,
    /// Runs
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// A measure linear in gain: RBP, P@k, DCG, CG, SDCG, INSQ
    #[arg(short, long, value_name = "MEASURE", default_value = "RBP(p=0.8)")]
    measure: String,
    /// How documents are ranked for judging
    #[arg(long, value_enum, ignore_case = true, default_value = "variance")]
    strategy: StrategyOption,
    /// What becomes more certain
    #[arg(long, value_enum, default_value = "scores")]
    about: AboutOption,
    /// Probability that an unjudged document is relevant; default: estimated from the judged documents
    #[arg(long, value_name = "Q", allow_negative_numbers = true)]
    q: Option<f64>,
    /// At most N documents; default: 20, or no limit with --target
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// Add documents until the bounds are at most this wide
    #[arg(long, value_name = "RESIDUAL", allow_negative_numbers = true)]
    target: Option<f64>,
    /// Hide the judgements and count how many of them each strategy needs
    #[arg(long, conflicts_with_all = ["target", "count", "form"])]
    replay: bool,
    /// Repetitions of the random order (--replay)
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repetitions: u32,
    /// Kendall's tau with the full order that counts as settled (--replay)
    #[arg(long, value_name = "TAU", default_value_t = 0.9, allow_negative_numbers = true)]
    tau: f64,
    /// The lowest grade that is relevant
    #[arg(short = 'l', long, value_name = "GRADE", default_value_t = 1.0, allow_negative_numbers = true)]
    relevance_level: f64,
    /// Use the first N ranks only
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Only these topics: a comma-separated list, or a file with one per line
    #[arg(long, value_name = "LIST|FILE")]
    topics: Option<String>,
    /// The largest grade a document can have; default: the largest in the judgements
    #[arg(long, value_name = "GRADE", allow_negative_numbers = true)]
    max_grade: Option<f64>,
    /// Seed of the random order (--replay)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    figure: FigureOptions,
    #[command(flatten)]
    judging: JudgingOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StrategyOption {
    /// Sum over runs of the weight of the document's rank
    #[value(name = "A")]
    A,
    /// A, with each weight times the run's residual
    #[value(name = "B")]
    B,
    /// B, times the cube of the run's score at the middle of its bounds
    #[value(name = "C")]
    C,
    /// The variance that the judgement removes
    #[value(name = "variance")]
    Variance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AboutOption {
    /// Every run's score
    Scores,
    /// The difference of every two runs
    Differences,
    /// The difference of the two runs with the highest estimated scores
    Top,
}

impl Arguments {
    fn strategy(&self) -> Strategy {
        match self.strategy {
            StrategyOption::A => Strategy::A,
            StrategyOption::B => Strategy::B,
            StrategyOption::C => Strategy::C,
            StrategyOption::Variance => Strategy::Variance,
        }
    }

    fn about(&self) -> About {
        match self.about {
            AboutOption::Scores => About::Scores,
            AboutOption::Differences => About::Differences,
            AboutOption::Top => About::Top,
        }
    }

    fn options<'a>(
        &self,
        judgements: &'a Judgements,
        collection: CollectionFacts,
        measure: &'a dyn Measure,
    ) -> NextOptions<'a> {
        let count = self.count.map(|count| count as usize);
        NextOptions {
            qrels: &judgements.qrels,
            collection,
            measure,
            policy: Policy { depth: self.depth.map(|depth| depth as usize), ..Policy::default() },
            strategy: self.strategy(),
            about: self.about(),
            model: self.q.map_or(GainModel::Bands, GainModel::Given),
            count: count.or(self.target.is_none().then_some(20)),
            target: self.target,
            threads: self.judging.threads.count(),
        }
    }

    /// Reads the judgements, cut to the topics asked for.
    fn judgements(
        &self,
        environment: &Environment,
        input: &Input,
        measures: &[Box<dyn Measure>],
    ) -> Result<Judgements, Failure> {
        let judging = &self.judging;
        let (qrels, facts) = read_qrels(input, judging.formats.qrels(), Dialect::Strict, judging.threads.count())?;
        let judgements = options::cut(environment, qrels, facts, self.topics.as_deref())?;
        let (kind, file) = (judgements.qrels.kind(), &judgements.facts.file);
        check_compatible(&judgements.qrels, measures, file)?;
        if judging.form.form.is_some() && kind != JudgementKind::Grades {
            return Err(Failure::usage(format!("--form adds to plain grades, and {file} holds {kind}")));
        }
        Ok(judgements)
    }

    /// The judgements and the options that a replay has too, as the answer shows them.
    fn provenance(&self, facts: &QrelsFacts, measure: &dyn Measure, collection: &CollectionFacts) -> Provenance {
        Provenance::default()
            .input_in(facts.format, &facts.file, facts.bytes, facts.rows)
            .option("measure", text(measure.spec()))
            .option("relevance_level", self.relevance_level)
            .option("q", self.q.map_or(text("by band"), OptionValue::from))
            .option("depth", self.depth.map_or(text("all"), OptionValue::from))
            .option("topics", self.topics.as_deref().unwrap_or("all"))
            .option("max_grade", collection.max_grade)
    }

    fn check(&self) -> Result<(), Failure> {
        if let Some(q) = self.q.filter(|q| !(0.0..=1.0).contains(q)) {
            return Err(Failure::usage(format!("--q needs a number from 0 to 1, found {q}")));
        }
        if self.q.is_some_and(|q| q == 0.0 || q == 1.0) && self.strategy() == Strategy::Variance && !self.replay {
            return Err(Failure::usage(
                "--q 0 and 1 leave nothing to learn from a judgement, so every weight is 0; give a probability between them, or \
                 another strategy (--strategy A)",
            ));
        }
        if let Some(target) = self.target.filter(|target| !(target.is_finite() && *target >= 0.0)) {
            return Err(Failure::usage(format!("--target needs a number from 0 on, found {target}")));
        }
        if !(self.tau > -1.0 && self.tau <= 1.0) {
            return Err(Failure::usage(format!("--tau needs a number above -1 and at most 1, found {}", self.tau)));
        }
        if !(self.relevance_level.is_finite() && self.relevance_level > 0.0) {
            return Err(Failure::usage(format!("-l needs a number above 0, found {}", self.relevance_level)));
        }
        if self.about() != About::Scores && self.strategy() != Strategy::Variance && !self.replay {
            return Err(Failure::usage(format!(
                "strategy {} is about scores; --about {} needs --strategy variance",
                self.strategy().name(),
                self.about().name()
            )));
        }
        Ok(())
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    arguments.check()?;
    let judging = &arguments.judging;
    let names: Vec<String> = std::iter::once(&arguments.qrels).chain(&arguments.runs).cloned().collect();
    judging.form.check(arguments.figure.outputs(&arguments.output), &names)?;
    judging.form.refuse_layouts()?;
    arguments.figure.wanted(environment, &arguments.output, &names)?;
    if arguments.figure.is_file() && !arguments.replay {
        return Err(Failure::usage("--figure draws a replay; add --replay"));
    }
    let measures = [sample::measure(&arguments.measure, arguments.relevance_level)?];
    let (qrels_input, run_inputs) = options::open(environment, &arguments.qrels, &arguments.runs)?;
    let judgements = arguments.judgements(environment, &qrels_input, &measures)?;
    let collection = options::collection(&judgements, arguments.max_grade, None)?;
    let provenance = arguments.provenance(&judgements.facts, measures[0].as_ref(), &collection);
    let options = arguments.options(&judgements, collection, measures[0].as_ref());
    let runs = judging.runs(run_inputs);
    if arguments.replay {
        let report = replayed(arguments, &runs, &options, provenance)?;
        return figure::write(environment, &report, &arguments.figure, &arguments.output);
    }
    let found = next(&runs, &options).map_err(problems)?;
    let kept = judgements.uncut.as_ref().unwrap_or(&judgements.qrels);
    let rows = if judging.form.form.is_some() { completed(kept, found.form) } else { Vec::new() };
    let (form_notes, provenance) = judging.form.write(environment, &rows, Asked::Unjudged, provenance)?;
    let provenance = provenance
        .option("strategy", arguments.strategy().name())
        .option("about", arguments.about().name())
        .option("count", options.count.map_or(text("all"), |count| OptionValue::from(count as f64)))
        .option("target", arguments.target.map_or(text("none"), OptionValue::from));
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    let mut report = next_report(found.answer, &options, &found.runs, context);
    report.notes.extend(form_notes);
    environment.write(&report, &arguments.output)
}

/// The report of a replay.
fn replayed(
    arguments: &Arguments,
    runs: &RunFiles,
    options: &NextOptions<'_>,
    provenance: Provenance,
) -> Result<Report, Failure> {
    let replay_options =
        ReplayOptions { seed: Seed(arguments.seed), repetitions: arguments.repetitions, threshold: arguments.tau };
    let (answer, facts) = replay(runs, options, &replay_options).map_err(problems)?;
    let provenance =
        provenance.option("tau", arguments.tau).option("repetitions", arguments.repetitions).seed(arguments.seed);
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    Ok(replay_report(answer, (options, &replay_options), &facts, context))
}
