//! Choose on development topics, report on test topics.
//!
//! The best of many runs looks better on the topics it was chosen by than it is. The one decision: what is reported of test topics is the chosen run
//! and the baseline only, and how much better the choice looks than it is gets estimated from the development topics alone, by cross-validating
//! the choice ([`karat_stats::selection`]), so that nobody has to open the test topics to learn it.

mod report;

use karat_data::{Problem, Problems, RunFacts, RunSource, TopicIndex, Visitor};
use karat_measures::{Aggregate, Measure};
use karat_report::Provenance;
use karat_stats::seed::Seed;
use karat_stats::selection::{CrossValidated, NoFolds, Plan, cross_validate};
use karat_stats::two_way::TwoWay;

use crate::compare::{Comparison, everywhere, scores_on};
use crate::scores::{RunScores, Setting, score};
pub use report::report;

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

/// What is asked beyond the choice.
pub struct Question {
    /// Confidence level.
    pub level: f64,
    /// What each run's parameters are, in the order of runs; empty where nobody said.
    pub parameters: Vec<Vec<(String, String)>>,
    /// Whether folds are listed for people too.
    pub list_folds: bool,
    /// How the choice was cross-validated.
    pub folds: Folds,
    /// Where the numbers come from; the runs are added here.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
    /// Notes of the caller's, before the study's own.
    pub notes: Vec<String>,
}

/// What development topics say.
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
pub struct Before {
    /// Times that exactly these topics were.
    pub same: u64,
    /// Times that some of them were, with others.
    pub some: u64,
    /// Lines of the record that cannot be read: there may have been more looks.
    pub unreadable: u64,
    /// What was chosen then, each once, in that order.
    pub chosen: Vec<String>,
    /// The record.
    pub log: String,
}

/// What test topics say.
pub struct Opened {
    /// The runs that are reported on: the chosen one and the baseline, or all of them.
    pub scored: Vec<RunScores>,
    /// Test topics.
    pub topics: usize,
    /// The chosen run less the baseline; `None` where the baseline was chosen.
    pub comparison: Option<Comparison>,
    /// Its verdict in words; empty without a comparison.
    pub because: String,
    /// Earlier times.
    pub before: Before,
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
) -> Result<Development, Problems> {
    mean_of_topics(setting.measures)?;
    let scored = score(setting, runs)?;
    let baseline = crate::compare::baseline(&scored, baseline)?;
    let topics = everywhere(&scored, 0);
    let values = TwoWay::new(&scores_on(&scored, 0, &topics)).map_err(|why| {
        Problem::of_file(
            "RUN",
            "at least two runs, with scores on at least two development topics",
            why.to_string(),
            "give more runs or topics",
        )
    })?;
    let count = folds.count.unwrap_or_else(|| DEFAULT_FOLDS.min(topics.len() as u32));
    let plan = Plan {
        folds: count,
        repeats: folds.repeats,
        resamples: folds.resamples,
        seed: folds.seed,
        threads: setting.threads,
    };
    let cross = cross_validate(&values, &plan).map_err(|why| {
        let remedy = match why {
            NoFolds::Empty { .. } => "choose fewer folds, or give more development topics",
            _ => "choose at least 2 folds and 1 repeat",
        };
        Problem::of_file("--folds", "folds that all have topics", why.to_string(), remedy)
    })?;
    let left_out = setting.qrels.len() - topics.len();
    Ok(Development { scored, topics, left_out, cross, baseline })
}

/// Folds when nobody says.
const DEFAULT_FOLDS: u32 = 10;

fn mean_of_topics(measures: &[Box<dyn Measure>]) -> Result<(), Problems> {
    match measures {
        [one] if one.info().aggregate == Aggregate::Mean => Ok(()),
        [one] => {
            let remedy = "take the measure it sums up (AP for GMAP)";
            Err(Problem::of_file("-m", "a measure that is averaged over topics", one.spec().to_string(), remedy).into())
        }
        several => {
            let remedy = "choose by one; others can be asked of karat eval afterwards";
            Err(Problem::of_file("-m", "one measure to choose by", several.len().to_string(), remedy).into())
        }
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
