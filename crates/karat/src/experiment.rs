//! Judgements and runs, and the questions that can be asked of them.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use karat_analysis::budget::{self, BudgetAnswer};
use karat_analysis::compare::answer::Comparisons;
use karat_analysis::compare::verdict::Unjudged;
use karat_analysis::compare::{self, Correcting, More};
use karat_analysis::eval::{self, EvalAnswer};
use karat_analysis::scores::{Setting, check_compatible};
use karat_analysis::sparse::is_sparse;
use karat_analysis::summary::{Inference, IntervalMethod};
use karat_analysis::unjudged::fit_default_model;
use karat_data::{AlignedRuns, CollectionFacts, Condensed, MaxGradeError, MissingTopics, Policy, Qrels, Ties};
use karat_formats::{Dialect, Input, QrelsFacts, RunFiles, detect, files, read_qrels};
use karat_measures::{Measure, spec};
use karat_sim::Design;
use karat_stats::seed::Seed;
use karat_stats::test::{self, Settings};

use crate::{Answer, BudgetOptions, CompareOptions, Error, EvalOptions};

/// Judgements and runs.
///
/// Judgements are read when it is opened, runs with the first question; later questions use what was read. Methods that take the
/// experiment and return it set what its questions share.
pub struct Experiment {
    qrels: Arc<Qrels>,
    facts: QrelsFacts,
    inputs: Vec<Input>,
    runs: RunFiles,
    measures: Vec<String>,
    relevance_level: f64,
    max_grade: Option<f64>,
    policy: Policy,
    level: f64,
    seed: Seed,
    threads: usize,
    kept: OnceLock<Option<Arc<Condensed>>>,
}

impl Experiment {
    /// Judgements and runs from files. Format and compression are detected.
    ///
    /// # Errors
    /// Everything wrong with the judgements.
    pub fn open<P: AsRef<Path>>(
        qrels: impl AsRef<Path>,
        runs: impl IntoIterator<Item = P>,
    ) -> Result<Experiment, Error> {
        let runs = runs.into_iter().map(|run| file(run.as_ref())).collect::<Result<Vec<Input>, Error>>()?;
        Experiment::read(&file(qrels.as_ref())?, runs)
    }

    /// Judgements and runs from anywhere: `Input::bytes("qrels", text)` is one in memory.
    ///
    /// # Errors
    /// Everything wrong with the judgements.
    pub fn read(qrels: &Input, runs: Vec<Input>) -> Result<Experiment, Error> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (qrels, facts) = read_qrels(qrels, detect::QRELS, Dialect::Strict, threads)?;
        Ok(Experiment {
            qrels: Arc::new(qrels),
            facts,
            runs: run_files(&runs),
            inputs: runs,
            measures: Vec::new(),
            relevance_level: 1.0,
            max_grade: None,
            policy: Policy::default(),
            level: 0.95,
            seed: Seed(1),
            threads,
            kept: OnceLock::new(),
        })
    }

    /// The simulated collection of `karat demo`: 50 topics, four runs.
    ///
    /// # Errors
    /// None that a caller could cause.
    pub fn demo() -> Result<Experiment, Error> {
        let world = Design::default().simulate(Seed(1)).map_err(|error| Error::Options(error.to_string()))?;
        let runs = world.runs.iter().map(|run| Input::bytes(run.name, run.bytes.as_slice())).collect();
        Experiment::read(&Input::bytes("qrels.txt", world.qrels), runs)
    }

    /// The runs at these places, from 0, in that order. What was read stays read.
    ///
    /// # Errors
    /// There is no run at a place.
    pub fn select(self, places: impl IntoIterator<Item = usize>) -> Result<Experiment, Error> {
        let places: Vec<usize> = places.into_iter().collect();
        if let Some(place) = places.iter().find(|place| **place >= self.inputs.len()) {
            return Err(Error::Options(format!("no run at place {place}: there are {}", self.inputs.len())));
        }
        let inputs: Vec<Input> = places.iter().map(|place| self.inputs[*place].clone()).collect();
        let runs = run_files(&inputs);
        let kept = match self.kept.get() {
            Some(kept) => {
                let all = AlignedRuns::again(&self.qrels, &self.runs, kept.clone());
                OnceLock::from(all.some(&places, &runs).kept())
            }
            None => OnceLock::new(),
        };
        Ok(Experiment { inputs, runs, kept, ..self })
    }

    /// The measures: `AP`, `nDCG@10`, `RBP(p=0.8)`, and names of trec_eval. Without, each question has its defaults.
    #[must_use]
    pub fn measures<M: Into<String>>(self, measures: impl IntoIterator<Item = M>) -> Experiment {
        Experiment { measures: measures.into_iter().map(Into::into).collect(), ..self }
    }

    /// The minimum grade that counts as relevant in binary measures. Default: 1.
    #[must_use]
    pub fn relevance_level(self, grade: f64) -> Experiment {
        Experiment { relevance_level: grade, ..self }
    }

    /// The largest possible grade. Default: the largest in the judgements.
    #[must_use]
    pub fn max_grade(self, grade: f64) -> Experiment {
        Experiment { max_grade: Some(grade), ..self }
    }

    /// Use only the first so many ranks. Default: all.
    #[must_use]
    pub fn depth(self, ranks: usize) -> Experiment {
        let policy = Policy { depth: Some(ranks), ..self.policy };
        self.with_policy(policy)
    }

    /// The order of documents with equal scores. Default: by document name, as trec_eval does.
    #[must_use]
    pub fn ties(self, ties: Ties) -> Experiment {
        let policy = Policy { ties, ..self.policy };
        self.with_policy(policy)
    }

    /// How judged topics that are missing in a run are treated. Default: as empty result lists.
    #[must_use]
    pub fn missing_topics(self, missing_topics: MissingTopics) -> Experiment {
        let policy = Policy { missing_topics, ..self.policy };
        self.with_policy(policy)
    }

    /// The confidence level. Default: 0.95.
    #[must_use]
    pub fn level(self, level: f64) -> Experiment {
        Experiment { level, ..self }
    }

    /// The seed of all random numbers. Default: 1.
    #[must_use]
    pub fn seed(self, seed: u64) -> Experiment {
        Experiment { seed: Seed(seed), ..self }
    }

    /// The number of threads. Default: all cores. It does not change results.
    #[must_use]
    pub fn threads(self, threads: usize) -> Experiment {
        Experiment { threads: threads.max(1), ..self }
    }

    /// Scores of all runs, with intervals and bounds.
    ///
    /// # Errors
    /// Everything wrong with the runs, or an option that is not possible.
    pub fn eval(&self, options: &EvalOptions) -> Result<Answer<EvalAnswer>, Error> {
        let has_grades = self.qrels.kind().has_grades();
        let measures =
            self.build_measures(if has_grades { eval::DEFAULT_MEASURES } else { eval::PREFERENCE_MEASURES })?;
        let setting = self.setting(&measures)?;
        let options = eval::EvalOptions {
            inference: self.inference(options.interval),
            by_query: options.by_query,
            draws: 0,
            gold: None,
            sampled: Vec::new(),
            score_bands: None,
        };
        let evaluation = eval::eval(&setting, &self.aligned()?, &options)?;
        let notes = karat_present::eval::notes(&setting, &evaluation, None);
        Ok(Answer { answer: evaluation.answer, notes })
    }

    /// Which run is better, and whether that survives topics, unjudged documents and judges.
    ///
    /// # Errors
    /// Everything wrong with the runs, fewer than two, or an option that is not possible.
    pub fn compare(&self, options: &CompareOptions) -> Result<Answer<Comparisons>, Error> {
        check_between_0_and_1("power", options.power)?;
        let measures = self.build_measures(compare::DEFAULT_MEASURES)?;
        let setting = self.setting(&measures)?;
        let runs = self.aligned()?;
        let options = compare::CompareOptions {
            all_pairs: options.all_pairs,
            baseline: options.baseline.as_deref(),
            tests: compare::select_tests(known_tests(&options.tests)?),
            correction: Correcting::default_for(options.all_pairs),
            settings: Settings {
                permutations: options.permutations,
                seed: self.seed,
                threads: self.threads,
                ..Settings::default()
            },
            inference: self.inference(options.interval),
            power: options.power,
            strict: options.strict,
            by_query: options.by_query,
            margin: options.margin,
            unjudged: if setting.bounds { Unjudged::Tested } else { Unjudged::Sparse },
            relevance_model: None,
            more: More { sensitivity: options.sensitivity, other: None },
        };
        let compared = compare::compare(&setting, &runs, &options)?;
        let answer = karat_present::compare::answer(&setting, &options, &compared);
        Ok(Answer { answer, notes: karat_present::compare::notes(&setting, &compared, None) })
    }

    /// Where the uncertainty of one measure comes from, for one run or the difference of two, and the cheapest way to shrink it.
    ///
    /// # Errors
    /// Everything wrong with the runs, not one or two of them, not one measure, or an option that is not possible.
    pub fn budget(&self, options: &BudgetOptions) -> Result<Answer<BudgetAnswer>, Error> {
        if let Some(width) = options.target_width.filter(|width| !(width.is_finite() && *width > 0.0)) {
            return Err(Error::Options(format!("target_width needs a number above 0, found {width}")));
        }
        let measures = self.build_measures(budget::DEFAULT_MEASURES)?;
        let setting = Setting { bounds: false, ..self.setting(&measures)? };
        let runs = self.aligned()?;
        let draws = options.draws.unwrap_or(budget::DEFAULT_DRAWS);
        let model = fit_default_model(&setting.model_data(), &runs, self.relevance_level, draws, self.seed)?;
        let own = budget::BudgetOptions {
            level: self.level,
            prices: options.prices,
            model: Some(model),
            draws: options.draws,
            seed: self.seed,
        };
        let mut answer = budget::budget(&setting, &runs, &own)?.answer(options.target_width);
        karat_present::budget::name_units(&mut answer);
        let notes = karat_present::budget::notes(&answer, None);
        Ok(Answer { answer, notes })
    }

    /// Under another policy the lists are others: they are read anew.
    fn with_policy(self, policy: Policy) -> Experiment {
        Experiment { policy, kept: OnceLock::new(), ..self }
    }

    /// The runs, read with the first question.
    fn aligned(&self) -> Result<AlignedRuns<'_>, Error> {
        if let Some(kept) = self.kept.get() {
            return Ok(AlignedRuns::again(&self.qrels, &self.runs, kept.clone()));
        }
        let runs = AlignedRuns::read(&self.qrels, &self.runs, &self.policy, true, self.threads)?;
        // Two threads that ask at once read the same: whichever is kept.
        let _ = self.kept.set(runs.kept());
        Ok(runs)
    }

    fn build_measures(&self, defaults: &[&str]) -> Result<Vec<Box<dyn Measure>>, Error> {
        if !(self.relevance_level.is_finite() && self.relevance_level > 0.0) {
            let found = self.relevance_level;
            return Err(Error::Options(format!("relevance_level needs a number above 0, found {found}")));
        }
        let given: Vec<&str> = self.measures.iter().map(String::as_str).collect();
        Ok(spec::build_all(if given.is_empty() { defaults } else { &given }, self.relevance_level)?)
    }

    fn setting<'a>(&'a self, measures: &'a [Box<dyn Measure>]) -> Result<Setting<'a>, Error> {
        check_between_0_and_1("level", self.level)?;
        check_compatible(&self.qrels, measures, &self.facts.file)?;
        let collection = CollectionFacts::new(&self.qrels, self.max_grade, None).map_err(
            |MaxGradeError { given, least, most }| {
                Error::Options(format!(
                    "max_grade needs a number from {least} (the largest grade in {}) to {most}, found {given}",
                    self.facts.file
                ))
            },
        )?;
        let sparse = measures.iter().all(|measure| is_sparse(&self.qrels, measure.as_ref(), &collection));
        Ok(Setting {
            qrels: &self.qrels,
            uncut: None,
            collection,
            policy: self.policy,
            measures,
            bounds: !sparse,
            detect_sparse: true,
            relevance_model: None,
            calibration: None,
            threads: self.threads,
        })
    }

    fn inference(&self, method: IntervalMethod) -> Inference {
        Inference { method, level: self.level, seed: self.seed }
    }
}

fn run_files(inputs: &[Input]) -> RunFiles {
    RunFiles::new(inputs.to_vec(), detect::RUN, Dialect::Strict)
}

fn file(path: &Path) -> Result<Input, Error> {
    let name = path.to_str().ok_or_else(|| {
        Error::Options(format!("{}: the name is not UTF-8\nhelp: rename the file, or give it as Input", path.display()))
    })?;
    Ok(files::input(name))
}

/// The names of tests of paired differences; others are an error.
fn known_tests(names: &[String]) -> Result<impl Iterator<Item = &str>, Error> {
    let pairs = |test: &&test::TestInfo| matches!(test.of, test::Of::Differences(_));
    let known: Vec<&str> = test::TESTS.iter().filter(pairs).map(|test| test.name).collect();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Error::Options(format!("unknown test '{name}'; expected one of {}", known.join(", ")))),
        None => Ok(names.iter().map(String::as_str)),
    }
}

fn check_between_0_and_1(option: &str, value: f64) -> Result<(), Error> {
    let inside = value > 0.0 && value < 1.0;
    if inside { Ok(()) } else { Err(Error::Options(format!("{option} needs a number between 0 and 1, found {value}"))) }
}
