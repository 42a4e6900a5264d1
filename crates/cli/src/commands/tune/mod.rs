//! `karat tune QRELS RUN...`

mod log;
mod manifest;

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use karat_analysis::compare::difference::Inference;
use karat_analysis::compare::{self, Comparison, Correcting, DECIDING, compare};
use karat_analysis::scores::{Setting, list_names, score};
use karat_analysis::tune::{Development, Folds, Named, Opened, Question, choose, report};
use karat_data::{Problem, Qrels};
use karat_formats::Input;
use karat_present::compare::verdict_text;
use karat_stats::correction::HOLM;
use karat_stats::seed::Seed;
use karat_stats::test::{self, Settings};

use super::VERSION;
use crate::failure::Failure;
use crate::options::{
    self, Draws, EvaluationOptions, Judgements, OutputOptions, Prepared, UnjudgedOption, check_level, named_topics,
    note_choices,
};
use crate::output;
use crate::outside::Outside;
use log::{Entry, Log};

/// What is chosen by when nobody says.
const DEFAULT_MEASURE: &[&str] = &["nDCG@10"];

/// Choose on development topics, report on test topics.
///
/// The run with the best mean on development topics is chosen; on test topics only it and the baseline are reported. How much better the choice
/// looks than it is gets estimated from the development topics. Every look at test topics is recorded.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements of all topics (their format, and gz, zst, bz2, xz, are told from content)
    qrels: String,
    /// Runs to choose from, at least two
    #[arg(value_name = "RUN", required_unless_present = "manifest", conflicts_with = "manifest")]
    runs: Vec<String>,
    /// A table of runs instead (CSV or TSV): a column `run` with files, beside the table or absolute, other columns with their parameters
    #[arg(long, value_name = "FILE")]
    manifest: Option<String>,
    /// Topics to choose by: a comma-separated list, or a file with one a line; all that are not test topics when not given
    #[arg(long, value_name = "LIST|FILE")]
    dev: Option<String>,
    /// Topics to report on, none of which may be a development topic
    #[arg(long, value_name = "LIST|FILE")]
    test: Option<String>,
    /// Folds in which the choice is cross-validated, and list them; ten, or as many as topics, when not given
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..))]
    folds: Option<u32>,
    /// How often topics are split into folds anew
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: u32,
    /// The run that the chosen one is compared with, by name; the first when not given
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Show test scores of every run
    #[arg(long, requires = "test")]
    reveal: bool,
    /// Where looks at test topics are recorded; karat-tune.log beside -o, or in the current folder
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Confidence level
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// Random draws of the randomisation test
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(200..))]
    permutations: u32,
    /// Resamples behind the standard error of the optimism
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(50..=100_000))]
    resamples: u32,
    /// Draws of the unjudged documents' judgements
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    draws: u32,
    /// Seed of everything random
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
    fn sides(&self, outside: &Outside, qrels: &Qrels, file: &str) -> Result<Sides, Failure> {
        let listed = |option: &str, text: &Option<String>| {
            text.as_deref().map(|text| named_topics(outside, option, text, qrels, file)).transpose()
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
            let remedy = "take them off one of the lists: a run is not to be reported on topics it was chosen by";
            return Err(Problem::of_file("--test", "no development topic among the test topics", found, remedy).into());
        }
        if dev.is_empty() {
            return Err(Failure::usage("--test takes all judged topics; leave some to choose by"));
        }
        Ok(Sides { dev, test })
    }

    fn draws(&self) -> Draws {
        Draws { count: self.draws, seed: self.seed }
    }

    fn log(&self) -> PathBuf {
        let beside = || output::file(&self.output).and_then(|file| file.parent()).map(|folder| folder.join(log::NAME));
        self.log.clone().or_else(beside).unwrap_or_else(|| log::NAME.into())
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, outside: &Outside) -> Result<(), Failure> {
    let options = &arguments.evaluation;
    check_level(arguments.level)?;
    options.chances()?;
    output::chosen(&arguments.output)?;
    let listed = arguments.manifest.as_deref().map(|file| manifest::read(outside, file)).transpose()?;
    let (runs, parameters) = match listed {
        Some(rows) => rows.into_iter().map(|row| (row.run, row.parameters)).unzip(),
        None => (arguments.runs.clone(), Vec::new()),
    };
    if runs.len() < 2 {
        return Err(Failure::usage("tune needs at least two runs to choose from (one run alone: karat eval)"));
    }
    let files: Vec<String> = std::iter::once(&arguments.qrels)
        .chain(&runs)
        .chain(&arguments.manifest)
        .chain(&arguments.dev)
        .chain(&arguments.test)
        .chain(&options.topics)
        .cloned()
        .collect();
    output::spare_inputs(&arguments.output, &files)?;
    let log = Log::new(arguments.log(), &files, output::file(&arguments.output))?;
    let measures = options.measures(DEFAULT_MEASURE)?;
    let (qrels_input, run_inputs) = options::open(outside, &arguments.qrels, &runs)?;
    let prepared = Prepared::read(options, outside, &qrels_input, measures, None)?;
    let Judgements { qrels, uncut, facts } = &prepared.judgements;
    let sides = arguments.sides(outside, qrels, &facts.file)?;
    let dev = qrels.restricted_to(|name| sides.dev.contains(name));
    let setting = Setting {
        qrels: &dev,
        uncut: Some(uncut.as_ref().unwrap_or(qrels)),
        bounds: false,
        ..prepared.setting(options)
    };
    let source = options.runs(run_inputs.clone());
    let belief = options.asked_belief(&setting, &source, arguments.draws())?;
    let setting = Setting { belief: belief.as_ref(), ..setting };
    let folds = Folds {
        count: arguments.folds,
        repeats: arguments.repeats,
        resamples: arguments.resamples,
        seed: Seed(arguments.seed),
    };
    let development = choose(&setting, &source, arguments.baseline.as_deref(), &folds)?;
    let opened = match &sides.test {
        Some(names) => {
            let test = qrels.restricted_to(|name| names.contains(name));
            let setting = Setting { qrels: &test, belief: None, ..setting };
            let (scored, comparison) = look(arguments, &setting, &run_inputs, &development)?;
            let entry = Entry {
                measure: setting.measures[0].spec().to_string(),
                qrels: &qrels_input,
                runs: &run_inputs,
                dev: &sides.dev,
                test: names,
                chosen: development.chosen(),
                baseline: &development.scored[development.baseline].name,
            };
            let because = comparison.as_ref().map_or_else(String::new, |comparison| {
                verdict_text::because(&comparison.verdict, (entry.chosen, entry.baseline))
            });
            Some(Opened { scored, topics: test.len(), comparison, because, before: log.append(&entry)? })
        }
        None => None,
    };
    let mut provenance = options
        .provenance(facts, &prepared.measures, &prepared.collection)
        .option("dev", arguments.dev.as_deref().unwrap_or("all others"))
        .option("test", arguments.test.as_deref().unwrap_or("none"))
        .option("baseline", arguments.baseline.as_deref().unwrap_or("first"))
        .option("folds", development.cross.folds.len() as f64)
        .option("repeats", arguments.repeats)
        .option("resamples", arguments.resamples)
        .option("level", arguments.level)
        .option("reveal", arguments.reveal)
        .seed(arguments.seed);
    if let Some(manifest) = &arguments.manifest {
        provenance = provenance.option("manifest", manifest.as_str());
    }
    let question = Question {
        level: arguments.level,
        parameters,
        list_folds: arguments.folds.is_some(),
        folds,
        provenance,
        version: VERSION,
        notes: note_choices(&options.choices()),
    };
    outside.write(&report(&setting, &development, opened.as_ref(), question), &arguments.output)
}

/// Opens the test topics: scores of the runs that may be seen, and the chosen run less the baseline.
fn look(
    arguments: &Arguments,
    setting: &Setting<'_>,
    inputs: &[Input],
    development: &Development,
) -> Result<(Vec<karat_analysis::scores::RunScores>, Option<Comparison>), Failure> {
    let options = &arguments.evaluation;
    let (chosen, baseline) = (development.cross.chosen, development.baseline);
    let some = |places: &[usize]| Named {
        runs: options.runs(places.iter().map(|&place| inputs[place].clone()).collect()),
        names: places.iter().map(|&place| development.scored[place].name.as_str()).collect(),
    };
    let all: Vec<usize> = (0..inputs.len()).collect();
    let both = [chosen, baseline];
    let shown: &[usize] = match (arguments.reveal, chosen == baseline) {
        (true, _) => &all,
        (false, true) => &both[..1],
        (false, false) => &both,
    };
    let scored = score(setting, &some(shown))?;
    if chosen == baseline {
        return Ok((scored, None));
    }
    let no_bounds = options.why_no_bounds();
    let setting = Setting { bounds: no_bounds.is_none(), ..*setting };
    let pair = some(&both);
    let belief = options.belief(&setting, &pair, arguments.draws())?;
    let question = compare::CompareOptions {
        all_pairs: false,
        baseline: None,
        tests: ["t", DECIDING].into_iter().filter_map(test::find).collect(),
        correction: Correcting::Rule(HOLM),
        settings: Settings {
            permutations: arguments.permutations,
            seed: Seed(arguments.seed),
            threads: setting.threads,
            ..Settings::default()
        },
        inference: Inference { level: arguments.level, bca: None, seed: Seed(arguments.seed) },
        power: 0.8,
        strict: false,
        by_query: false,
        belief,
        expected: matches!(options.unjudged, UnjudgedOption::Probable(_)),
        more: compare::More::default(),
    };
    let mut compared = compare(&setting, &pair, &question)?;
    Ok((scored, compared.comparisons.pop()))
}
