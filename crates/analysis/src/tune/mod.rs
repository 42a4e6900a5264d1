//! Choose on development topics, report on test topics.
//!
//! The best of many runs scores higher on the topics it was chosen by than on new topics. The one decision: on test topics only the chosen run
//! and the baseline are reported, and this optimism is estimated from the development topics alone, by cross-validating
//! the choice ([`karat_stats::selection`]), without opening the test topics.

mod answer;
mod results;

use karat_data::{Problems, RunFacts, RunSource, TopicIndex, Visitor};
use karat_measures::{Aggregate, Measure};
use karat_stats::seed::Seed;
use karat_stats::selection::{CrossValidated, NoFolds, Plan, cross_validate};
use karat_stats::two_way::{NotTwoWay, TwoWay};

use crate::compare::UnknownBaseline;
use crate::compare::{Comparison, everywhere, scores_on};
use crate::scores::{RunScores, ScoreError, Setting, score};
pub use answer::{FoldResult, Parameter, TestComparison, TuneAnswer, TuneNote, TunedRun};
pub use results::tune;

/// How the choice is cross-validated.
#[derive(Debug, Clone, Copy)]
pub struct Folds {
    /// Folds; when not given ten, or as many as there are topics.
    pub count: Option<u32>,
    /// How often topics are split anew.
    pub repeats: u32,
    /// Resamples behind the standard error of the optimism.
    pub resamples: u32,
    /// For splits and resamples.
    pub seed: Seed,
}

/// Options of the answer.
pub struct TuneOptions {
    /// Confidence level.
    pub level: f64,
    /// Each run's parameters, in the order of runs; empty where there are none.
    pub parameters: Vec<Vec<Parameter>>,
    /// How the choice was cross-validated.
    pub folds: Folds,
}

/// Why nothing can be chosen.
#[derive(Debug)]
pub enum TuneError {
    /// Something is wrong with the runs.
    Runs(ScoreError),
    /// No run has the baseline's name.
    Baseline(UnknownBaseline),
    /// Too few runs or topics.
    TooFew(NotTwoWay),
    /// The topics cannot be split into folds.
    Folds(NoFolds),
    /// The measure is not a mean over topics.
    NotAveraged {
        /// The measure.
        measure: String,
    },
    /// Not exactly one measure.
    MeasureCount(usize),
}

impl From<Problems> for TuneError {
    fn from(problems: Problems) -> Self {
        TuneError::Runs(problems.into())
    }
}

impl From<ScoreError> for TuneError {
    fn from(error: ScoreError) -> Self {
        TuneError::Runs(error)
    }
}

/// The choice on development topics.
pub struct Development {
    /// All runs.
    pub scored: Vec<RunScores>,
    /// Topics for which every run has a score.
    pub topics: Vec<TopicIndex>,
    /// Development topics without a score in some run.
    pub left_out: usize,
    /// The choice.
    pub cross: CrossValidated,
    /// The baseline's place.
    pub baseline: usize,
}

impl Development {
    /// The name of the run that was chosen.
    pub fn chosen(&self) -> &str {
        &self.scored[self.cross.chosen].name
    }
}

/// How often test topics were opened before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EarlierLooks {
    /// Times that exactly these topics were opened.
    pub same: u64,
    /// Times that some of them were opened, with others.
    pub some: u64,
    /// Lines of the record that cannot be read: there may have been more looks.
    pub unreadable: u64,
    /// What was chosen then, each once, in that order.
    pub chosen: Vec<String>,
    /// The record.
    pub log: String,
}

/// The results on test topics.
pub struct TestResults {
    /// The runs that are reported on: the chosen one and the baseline, or all of them.
    pub scored: Vec<RunScores>,
    /// Test topics.
    pub topics: usize,
    /// The chosen run less the baseline; `None` where the baseline was chosen.
    pub comparison: Option<Comparison>,
    /// Earlier looks.
    pub before: EarlierLooks,
}

/// Chooses the run with the best mean of the one measure of the setting, whose judgements are those of the development topics.
///
/// # Errors
/// Everything wrong with the runs; fewer than two; too few topics for the folds; a measure that is not a mean over topics.
pub fn choose(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    baseline: Option<&str>,
    folds: &Folds,
) -> Result<Development, TuneError> {
    mean_of_topics(setting.measures)?;
    let scored = score(setting, runs)?;
    let baseline = crate::compare::baseline(&scored, baseline).map_err(TuneError::Baseline)?;
    let topics = everywhere(&scored, 0);
    let values = TwoWay::new(&scores_on(&scored, 0, &topics)).map_err(TuneError::TooFew)?;
    let count = folds.count.unwrap_or_else(|| DEFAULT_FOLDS.min(topics.len() as u32));
    let plan = Plan {
        folds: count,
        repeats: folds.repeats,
        resamples: folds.resamples,
        seed: folds.seed,
        threads: setting.threads,
    };
    let cross = cross_validate(&values, &plan).map_err(TuneError::Folds)?;
    let left_out = setting.qrels.len() - topics.len();
    Ok(Development { scored, topics, left_out, cross, baseline })
}

/// The default number of folds.
const DEFAULT_FOLDS: u32 = 10;

fn mean_of_topics(measures: &[Box<dyn Measure>]) -> Result<(), TuneError> {
    match measures {
        [one] if one.info().aggregate == Aggregate::Mean => Ok(()),
        [one] => Err(TuneError::NotAveraged { measure: one.spec().to_string() }),
        several => Err(TuneError::MeasureCount(several.len())),
    }
}

/// Runs under names given to them before, so that a part of them goes by the names they have among all.
pub struct Named<'a, S> {
    /// The runs.
    pub runs: S,
    /// Their names.
    pub names: Vec<&'a str>,
}

impl<S: RunSource> RunSource for Named<'_, S> {
    fn visit(&self, threads: usize, visitor: &dyn Visitor) -> Result<Vec<RunFacts>, Problems> {
        let mut facts = self.runs.visit(threads, visitor)?;
        facts.iter_mut().zip(&self.names).for_each(|(facts, name)| facts.tag = Some((*name).to_owned()));
        Ok(facts)
    }
}
