//! `karat next QRELS RUN...`

use clap::{Args, ValueEnum};
use karat_analysis::judging::next::{NextAnswer, NextOptions, completed, next};
use karat_analysis::judging::replay::{ReplayOptions, replay};
use karat_analysis::judging::{About, GainModel, RandomShare, Selection, Strategy};
use karat_analysis::scores::{Setting, check_compatible};
use karat_analysis::unjudged::{RelevanceModel, Treatment, fit_model};
use karat_data::names::shown;
use karat_data::{AlignedRuns, CollectionFacts, JudgementKind, Policy, RunSource};
use karat_formats::form::Asked;
use karat_formats::{Dialect, Input, QrelsFacts, RunFiles, read_qrels};
use karat_measures::Measure;
use karat_present::Context;
use karat_present::judging::{NextFacts, next_report, no_relevance_model, problems, replay_report};
use karat_report::{OptionValue, Provenance, Report};
use karat_stats::Seed;

use super::form::JudgingOptions;
use super::{VERSION, sample, text};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{self, FigureOptions};
use crate::options::{self, Judgements, OutputOptions};

/// Documents where no number is given.
const DEFAULT_COUNT: usize = 20;

/// Which documents to judge next: those that reduce the uncertainty most.
///
/// The priority of a document is the variance of the mean score that its judgement removes: effect^2 p (1 - p) / topics^2. The effect is the score with
/// the document relevant less the score with it not (weight times gain for RBP, P, DCG), p the probability that it is relevant. The strategies A, B
/// and C are those of Moffat, Webber and Zobel (2007).
///
/// next shrinks bounds; karat settle draws a random sample, which gives an unbiased estimate and a verdict.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements so far, or `-` for standard input. Format and compression are detected
    qrels: String,
    /// Runs
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// A measure: RBP, P@k, nDCG@k, AP, RR, ... --target, --replay and the strategies A, B and C need one linear in gain (RBP, P@k, DCG, CG,
    /// SDCG, INSQ)
    #[arg(short, long, value_name = "MEASURE", default_value = "RBP(p=0.8)")]
    measure: String,
    /// How documents are ranked for judging
    #[arg(long, value_enum, ignore_case = true, default_value = "variance")]
    strategy: StrategyOption,
    /// What becomes more certain
    #[arg(long, value_enum, default_value = "scores")]
    about: AboutOption,
    /// Probability that an unjudged document is relevant; default: estimated from the judged documents (for measures that are not linear by the
    /// relevance model of karat budget)
    #[arg(long, value_name = "Q", allow_negative_numbers = true)]
    q: Option<f64>,
    /// At most N documents; default: 20, or no limit with --target
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// Draw this share of the documents at random, from all others that can change a difference of two runs. The form is then a sample for karat
    /// compare --sample
    #[arg(long, value_name = "SHARE", conflicts_with_all = ["target", "replay"], allow_negative_numbers = true)]
    random_share: Option<f64>,
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
    /// Seed of the random share, and of the random order (--replay)
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

    /// Documents in all.
    fn count(&self) -> Option<usize> {
        self.count.map(|count| count as usize).or(self.target.is_none().then_some(DEFAULT_COUNT))
    }

    fn setting<'a>(
        &self,
        judgements: &'a Judgements,
        collection: CollectionFacts,
        measures: &'a [Box<dyn Measure>],
    ) -> Setting<'a> {
        Setting {
            qrels: &judgements.qrels,
            uncut: judgements.uncut.as_ref(),
            collection,
            policy: Policy { depth: self.depth.map(|depth| depth as usize), ..Policy::default() },
            measures,
            bounds: true,
            detect_sparse: false,
            relevance_model: None,
            calibration: None,
            threads: self.judging.threads.count(),
        }
    }

    fn options<'a>(
        &self,
        setting: &'a Setting<'a>,
        measure: &'a dyn Measure,
        relevance_model: Option<&'a RelevanceModel>,
    ) -> NextOptions<'a> {
        let drawn = |share: f64| (share * self.count().unwrap_or(0) as f64).round().max(1.0) as usize;
        let random = self.random_share.map(|share| RandomShare {
            count: drawn(share),
            seed: Seed(self.seed),
            choices: self.choices(),
        });
        NextOptions {
            setting,
            measure,
            strategy: self.strategy(),
            about: self.about(),
            model: self.q.map_or(GainModel::Bands, GainModel::Given),
            relevance_model,
            count: self.count(),
            target: self.target,
            random,
        }
    }

    /// Options that change scores, as the record of a sample has them: `karat compare --sample` wants the same.
    fn choices(&self) -> Vec<String> {
        let level = (self.relevance_level != 1.0).then(|| format!("-l {}", self.relevance_level));
        let depth = self.depth.map(|depth| format!("-M {depth}"));
        let topics = self.topics.as_ref().map(|topics| format!("--topics {topics}"));
        let max_grade = self.max_grade.map(|grade| format!("--max-grade {grade}"));
        let mut made: Vec<String> = [level, depth, topics, max_grade].into_iter().flatten().collect();
        made.extend(self.judging.formats.choices());
        made.sort();
        made
    }

    /// How likely unjudged documents are relevant, for a measure that is not linear in gain.
    fn relevance_model(&self, setting: &Setting<'_>, runs: &dyn RunSource) -> Result<RelevanceModel, Failure> {
        let treatment = self.q.map_or(Treatment::Fit, Treatment::Given);
        fit_model(&setting.model_data(), runs, treatment, self.relevance_level, 0, Seed(self.seed))
            .map_err(|why| no_relevance_model(why, &self.measure).into())
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
        let is_linear = measure.linear(collection).is_some();
        Provenance::default()
            .input_in(facts.format, &facts.file, facts.bytes, facts.rows)
            .option("measure", text(measure.spec()))
            .option("relevance_level", self.relevance_level)
            .option("q", self.q.map_or(text(if is_linear { "by band" } else { "fit" }), OptionValue::from))
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
        if let Some(share) = self.random_share.filter(|share| !(*share > 0.0 && *share <= 1.0)) {
            return Err(Failure::usage(format!("--random-share needs a number above 0 and at most 1, found {share}")));
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
    arguments.check_outputs(environment)?;
    let judging = &arguments.judging;
    let measures = [sample::measure(&arguments.measure, arguments.relevance_level)?];
    let measure = measures[0].as_ref();
    let (qrels_input, run_inputs) = options::open(environment, &arguments.qrels, &arguments.runs)?;
    let judgements = arguments.judgements(environment, &qrels_input, &measures)?;
    let collection = options::collection(&judgements, arguments.max_grade, None)?;
    let provenance = arguments.provenance(&judgements.facts, measure, &collection);
    let setting = arguments.setting(&judgements, collection, &measures);
    let runs = judging.runs(run_inputs);
    if arguments.replay {
        let report = replayed(arguments, &runs, &arguments.options(&setting, measure, None), provenance)?;
        return figure::write(environment, &report, &arguments.figure, &arguments.output);
    }
    // A relevance model reads the runs too.
    let is_linear = measure.linear(&collection).is_some();
    let (found, options);
    let model;
    if is_linear || !RelevanceModel::concerns(measure) {
        options = arguments.options(&setting, measure, None);
        found = next(&runs, &options).map_err(problems)?;
    } else {
        let aligned = AlignedRuns::read(setting.qrels, runs, &setting.policy, true, setting.threads)?;
        model = arguments.relevance_model(&setting, &aligned)?;
        options = arguments.options(&setting, measure, Some(&model));
        found = next(&aligned, &options).map_err(problems)?;
    }
    let (written, provenance) = arguments.write(environment, &judgements, &found, provenance)?;
    let provenance = arguments.own_options(provenance);
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    let facts = NextFacts { options: &options, form: arguments.form_name() };
    let mut report = next_report(found.answer, &facts, &found.runs, context);
    report.notes.extend(written);
    environment.write(&report, &arguments.output)
}

impl Arguments {
    /// The options make sense, and no output is written over an input or a form.
    fn check_outputs(&self, environment: &Environment) -> Result<(), Failure> {
        self.check()?;
        let judging = &self.judging;
        let names: Vec<String> = std::iter::once(&self.qrels).chain(&self.runs).cloned().collect();
        judging.form.check(self.figure.outputs(&self.output), &names)?;
        judging.form.refuse_layouts()?;
        self.figure.wanted(environment, &self.output, &names)?;
        if self.figure.is_file() && !self.replay {
            return Err(Failure::usage("--figure draws a replay; add --replay"));
        }
        if self.random_share.is_some() {
            judging.form.check_record()?;
        }
        Ok(())
    }

    fn form_name(&self) -> Option<String> {
        self.judging.form.form.as_ref().map(|path| shown(&path.to_string_lossy()).to_string())
    }

    /// Writes the form, if there is to be one: with all judgements so far, or a sample alone with its record beside it.
    fn write(
        &self,
        environment: &Environment,
        judgements: &Judgements,
        found: &Selection<NextAnswer>,
        provenance: Provenance,
    ) -> Result<(Vec<String>, Provenance), Failure> {
        let form = &self.judging.form;
        if let Some(record) = &found.answer.record {
            return form.write_sample(environment, (&found.form, record), provenance);
        }
        let kept = judgements.uncut.as_ref().unwrap_or(&judgements.qrels);
        let rows = if form.form.is_some() { completed(kept, found.form.clone()) } else { Vec::new() };
        form.write(environment, &rows, Asked::Unjudged, provenance)
    }

    /// Options that a replay does not have.
    fn own_options(&self, provenance: Provenance) -> Provenance {
        let provenance = provenance
            .option("strategy", self.strategy().name())
            .option("about", self.about().name())
            .option("count", self.count().map_or(text("all"), |count| OptionValue::from(count as f64)))
            .option("target", self.target.map_or(text("none"), OptionValue::from));
        match self.random_share {
            Some(share) => provenance.option("random_share", share).seed(self.seed),
            None => provenance,
        }
    }
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
