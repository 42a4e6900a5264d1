//! `karat tune QRELS RUN...`

mod log;
mod manifest;

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use karat_analysis::compare::{self, Comparison, Correcting, DECIDING, compare};
use karat_analysis::scores::{RunScores, Setting, score};
use karat_analysis::summary::{Inference, IntervalMethod};
use karat_analysis::tune::{Development, Folds, Named, TestResults, TuneOptions, choose, tune};
use karat_data::{Problem, Qrels, RunSource};
use karat_formats::Input;
use karat_present::Context;
use karat_present::compare::verdict_text::{self, Wording};
use karat_present::words::list_names;
use karat_report::Provenance;
use karat_stats::correction::HOLM;
use karat_stats::seed::Seed;
use karat_stats::test::{self, Settings};

use super::VERSION;
use crate::command::ScoringInputs;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{
    self, Draws, EvaluationOptions, Judgements, OutputOptions, check_level, named_topics, note_choices,
};
use crate::output;
use crate::outputs::Outputs;
use log::{Entry, Log};

/// The default measure.
pub(super) const DEFAULT_MEASURE: &[&str] = &["nDCG@10"];

/// Choose on development topics, report on test topics
///
/// Chooses the run with the best mean on development topics and reports it and the baseline on test topics. The optimism of the
/// choice is estimated from the development topics. Every look at test topics is recorded.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements file of all topics. Format and compression are detected
    qrels: String,
    /// Two or more runs to choose from
    #[arg(value_name = "RUN", required_unless_present = "manifest", conflicts_with = "manifest")]
    runs: Vec<String>,
    /// Table of runs instead (CSV or TSV): column `run` with files relative to the table, other columns with parameters
    #[arg(long, value_name = "FILE")]
    manifest: Option<String>,
    /// Development topics: a comma-separated list, or a file with one per line [default: all that are not test topics]
    #[arg(long, value_name = "LIST|FILE")]
    dev: Option<String>,
    /// Test topics; none may be a development topic
    #[arg(long, value_name = "LIST|FILE")]
    test: Option<String>,
    /// Folds of the cross-validation; given, they are listed [default: 10, or the number of topics if fewer]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..))]
    folds: Option<u32>,
    /// Number of random splits into folds
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: u32,
    /// Name of the run to compare with [default: the first run]
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Show test scores of every run
    #[arg(long, requires = "test")]
    reveal: bool,
    /// File that records looks at test topics [default: karat-tune.log next to -o, or in the current folder]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Confidence level
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// Number of permutations of the randomisation test
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(200..))]
    permutations: u32,
    /// Resamples for the standard error of the optimism
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(50..=100_000))]
    resamples: u32,
    /// Number of simulated judgements of the unjudged documents
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    draws: u32,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: OutputOptions,
}

/// The topics on either side.
struct Sides {
    dev: HashSet<Vec<u8>>,
    test: Option<HashSet<Vec<u8>>>,
}

impl Arguments {
    fn check(&self) -> Result<(), Failure> {
        check_level(self.level)?;
        self.evaluation.chances()?;
        output::chosen(&self.output).map(drop)
    }

    fn sides(&self, environment: &Environment, qrels: &Qrels, file: &str) -> Result<Sides, Failure> {
        let listed = |option: &str, text: &Option<String>| {
            text.as_deref().map(|text| named_topics(environment, option, text, qrels, file)).transpose()
        };
        let (dev, test) = (listed("--dev", &self.dev)?, listed("--test", &self.test)?);
        let dev = dev.unwrap_or_else(|| {
            let all = qrels.topics().map(|topic| qrels.name(topic).to_vec());
            all.filter(|name| test.as_ref().is_none_or(|test| !test.contains(name))).collect()
        });
        let mut both: Vec<&Vec<u8>> = test.iter().flatten().filter(|name| dev.contains(*name)).collect();
        both.sort();
        if !both.is_empty() {
            let found = list_names(both.iter().map(|name| name.as_slice()), both.len());
            let remedy = "remove them from one list: report a run on topics that it was not chosen by";
            return Err(Problem::of_file("--test", "no development topic among the test topics", found, remedy).into());
        }
        if dev.is_empty() {
            return Err(Failure::usage("--test has all judged topics; leave some to choose by"));
        }
        Ok(Sides { dev, test })
    }

    fn draws(&self) -> Draws {
        Draws { count: self.draws, seed: self.seed }
    }

    fn cross_validation(&self) -> Folds {
        Folds { count: self.folds, repeats: self.repeats, resamples: self.resamples, seed: Seed(self.seed) }
    }

    fn provenance(&self, development: &Development, provenance: Provenance) -> Provenance {
        let mut provenance = provenance
            .option("dev", self.dev.as_deref().unwrap_or("all others"))
            .option("test", self.test.as_deref().unwrap_or("none"))
            .option("baseline", self.baseline.as_deref().unwrap_or("first"))
            .option("folds", development.cross.folds.len() as f64)
            .option("repeats", self.repeats)
            .option("resamples", self.resamples)
            .option("permutations", self.permutations)
            .option("draws", self.draws)
            .option("level", self.level)
            .option("reveal", self.reveal)
            .seed(self.seed);
        if let Some(manifest) = &self.manifest {
            provenance = provenance.option("manifest", manifest.as_str());
        }
        for run in &development.scored {
            let facts = &run.topics.facts;
            provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
        }
        provenance
    }

    fn log(&self) -> PathBuf {
        let beside = || output::file(&self.output).and_then(|file| file.parent()).map(|folder| folder.join(log::NAME));
        self.log.clone().or_else(beside).unwrap_or_else(|| log::NAME.into())
    }
}

/// The runs' files and parameters.
type Candidates = (Vec<String>, Vec<Vec<karat_analysis::tune::Parameter>>);

fn candidates(arguments: &Arguments, environment: &Environment) -> Result<Candidates, Failure> {
    let listed = arguments.manifest.as_deref().map(|file| manifest::read(environment, file)).transpose()?;
    let (runs, parameters): Candidates = match listed {
        Some(rows) => rows.into_iter().map(|row| (row.run, row.parameters)).unzip(),
        None => (arguments.runs.clone(), Vec::new()),
    };
    if runs.len() < 2 {
        return Err(Failure::usage("tune needs at least two runs to choose from (for one run use karat eval)"));
    }
    Ok((runs, parameters))
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let options = &arguments.evaluation;
    arguments.check()?;
    let (runs, parameters) = candidates(arguments, environment)?;
    let inputs = ScoringInputs { qrels: &arguments.qrels, runs: &runs, evaluation: options, calibration: None };
    let files = inputs.files([&arguments.manifest, &arguments.dev, &arguments.test].into_iter().flatten());
    let log = arguments.log();
    Outputs::answer(&arguments.output).and("--log", Some(&log)).check(&files)?;
    let log = Log::new(log);
    let (qrels_input, run_inputs) = options::open(environment, &arguments.qrels, &runs)?;
    let prepared = inputs.prepare(environment, &qrels_input, DEFAULT_MEASURE)?;
    prepared.check_level_reached()?;
    let Judgements { qrels, uncut, facts } = &prepared.judgements;
    let sides = arguments.sides(environment, qrels, &facts.file)?;
    let dev = qrels.restricted_to(|name| sides.dev.contains(name));
    let uncut = Some(uncut.as_ref().unwrap_or(qrels));
    let setting = Setting { qrels: &dev, uncut, bounds: false, ..prepared.setting(options) };
    let source = options.runs(run_inputs.clone());
    let relevance_model = options.requested_model(&setting, &source, arguments.draws())?;
    let setting = Setting { relevance_model: relevance_model.as_ref(), ..setting };
    let folds = arguments.cross_validation();
    let development =
        choose(&setting, &source, arguments.baseline.as_deref(), &folds).map_err(karat_present::tune::problems)?;
    let tested = match &sides.test {
        Some(test) => {
            let topics = TestTopics { qrels: &qrels_input, runs: &run_inputs, dev: &sides.dev, test, log: &log };
            let test = qrels.restricted_to(|name| test.contains(name));
            Some(topics.open(arguments, &Setting { qrels: &test, relevance_model: None, ..setting }, &development)?)
        }
        None => None,
    };
    let provenance = inputs.provenance(environment, &prepared, |own| arguments.provenance(&development, own));
    let context = Context { version: VERSION, provenance, notes: note_choices(&options.choices()) };
    let tune_options = TuneOptions { level: arguments.level, parameters, folds };
    let answer = tune(&setting, &development, tested.as_ref(), &tune_options);
    let because = tested.and_then(|tested| tested.comparison).map(|comparison| why(&development, &comparison));
    let report = karat_present::tune::report(answer, because, arguments.folds.is_some(), context);
    environment.write(&report, &arguments.output)
}

/// The power that the number of topics needed is for.
const POWER: f64 = 0.8;

/// Why the verdict on the test topics is what it is.
fn why(development: &Development, comparison: &Comparison) -> String {
    let (chosen, baseline) = (development.chosen(), development.scored[development.baseline].name.as_str());
    let all = [chosen.to_owned(), baseline.to_owned()];
    verdict_text::because(&comparison.verdict, (chosen, baseline), Wording::new(comparison, &all, 1, POWER))
}

/// Test topics, which are opened under record.
struct TestTopics<'a> {
    qrels: &'a Input,
    runs: &'a [Input],
    dev: &'a HashSet<Vec<u8>>,
    test: &'a HashSet<Vec<u8>>,
    log: &'a Log,
}

impl TestTopics<'_> {
    /// Opens the test topics, and records that.
    fn open(
        &self,
        arguments: &Arguments,
        setting: &Setting<'_>,
        development: &Development,
    ) -> Result<TestResults, Failure> {
        let (scored, comparison) = self.look(arguments, setting, development)?;
        let entry = Entry {
            measure: setting.measures[0].spec().to_string(),
            qrels: self.qrels,
            runs: self.runs,
            dev: self.dev,
            test: self.test,
            chosen: development.chosen(),
            baseline: &development.scored[development.baseline].name,
        };
        Ok(TestResults { scored, topics: setting.qrels.len(), comparison, before: self.log.append(&entry)? })
    }

    /// Scores of the runs that may be seen, and the chosen run less the baseline.
    fn look(
        &self,
        arguments: &Arguments,
        setting: &Setting<'_>,
        development: &Development,
    ) -> Result<(Vec<RunScores>, Option<Comparison>), Failure> {
        let options = &arguments.evaluation;
        let (chosen, baseline) = (development.cross.chosen, development.baseline);
        let some = |places: &[usize]| Named {
            runs: options.runs(places.iter().map(|&place| self.runs[place].clone()).collect()),
            names: places.iter().map(|&place| development.scored[place].name.as_str()).collect(),
        };
        let all: Vec<usize> = (0..self.runs.len()).collect();
        let both = [chosen, baseline];
        let shown: &[usize] = match (arguments.reveal, chosen == baseline) {
            (true, _) => &all,
            (false, true) => &both[..1],
            (false, false) => &both,
        };
        let scored = score(setting, &some(shown))?;
        let comparison = if chosen == baseline { None } else { compare_pair(arguments, setting, &some(&both))? };
        Ok((scored, comparison))
    }
}

/// The chosen run less the baseline.
fn compare_pair(
    arguments: &Arguments,
    setting: &Setting<'_>,
    pair: &dyn RunSource,
) -> Result<Option<Comparison>, Failure> {
    let options = &arguments.evaluation;
    let setting = Setting { bounds: options.why_no_bounds().is_none(), ..*setting };
    let relevance_model = options.requested_model(&setting, pair, arguments.draws())?;
    let seed = Seed(arguments.seed);
    let compare_options = compare::CompareOptions {
        all_pairs: false,
        baseline: None,
        tests: ["t", DECIDING].into_iter().filter_map(test::find).collect(),
        correction: Correcting::Rule(HOLM),
        settings: Settings {
            permutations: arguments.permutations,
            seed,
            threads: setting.threads,
            ..Settings::default()
        },
        inference: Inference { method: IntervalMethod::Auto, level: arguments.level, seed },
        power: POWER,
        strict: false,
        by_query: false,
        margin: None,
        unjudged: options.treatment(),
        relevance_model,
        more: compare::More::default(),
    };
    Ok(compare(&setting, pair, &compare_options)?.comparisons.pop())
}
