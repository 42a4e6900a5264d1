//! The typed answer of `tune`: what was chosen, and how it did.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::EarlierLooks;

/// The chosen run on development and test topics.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TuneAnswer {
    /// The measure to choose by.
    pub measure: String,
    /// The chosen run.
    pub chosen: String,
    /// The baseline.
    pub baseline: String,
    /// Number of runs to choose from.
    pub candidates: usize,
    /// Number of development topics.
    pub dev_topics: usize,
    /// Mean of the chosen run on development topics.
    pub dev_value: f64,
    /// Its confidence interval, which ignores the choosing.
    pub dev_interval: Option<(f64, f64)>,
    /// Estimated mean of such a choice on new topics.
    pub fresh_value: f64,
    /// Its approximate confidence interval.
    pub fresh_interval: Option<(f64, f64)>,
    /// Estimated optimism: `dev_value` - `fresh_value`.
    pub optimism: f64,
    /// Standard error of the optimism.
    pub optimism_std_error: Option<f64>,
    /// Share of folds that choose the same run.
    pub stability: f64,
    /// Number of test topics.
    pub test_topics: Option<usize>,
    /// Mean of the chosen run on test topics.
    pub test_value: Option<f64>,
    /// Its confidence interval.
    pub test_interval: Option<(f64, f64)>,
    /// `dev_value` - `test_value`.
    pub fall: Option<f64>,
    /// Standard error of the fall.
    pub fall_std_error: Option<f64>,
    /// Lead over the baseline on development topics less that on test topics.
    pub lead_fall: Option<f64>,
    /// Standard error of `lead_fall`.
    pub lead_fall_std_error: Option<f64>,
    /// How often exactly these test topics were opened before.
    pub opened_before: Option<u64>,
    /// All runs, best on development topics first.
    pub runs: Vec<TunedRun>,
    /// The chosen run compared with the baseline on test topics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Vec<TestComparison>>,
    /// The folds of the first split.
    pub folds: Vec<FoldResult>,
    /// Confidence level.
    #[serde(skip)]
    pub level: f64,
    /// Warnings and remarks.
    #[serde(skip)]
    pub notes: Vec<TuneNote>,
}

/// One run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TunedRun {
    /// The run.
    pub run: String,
    /// Its parameters, with a manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<Parameter>>,
    /// Mean on development topics.
    pub dev_value: Option<f64>,
    /// Its confidence interval.
    pub dev_interval: Option<(f64, f64)>,
    /// Share of folds that choose it.
    pub chosen_share: f64,
    /// Mean on test topics, for runs that are shown.
    pub test_value: Option<f64>,
    /// Its confidence interval.
    pub test_interval: Option<(f64, f64)>,
    /// Whether it is the chosen run.
    pub chosen: bool,
    /// Whether it is the baseline.
    pub baseline: bool,
}

/// A parameter of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// The chosen run (a) compared with the baseline (b) on test topics.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TestComparison {
    /// The chosen run.
    pub a: String,
    /// The baseline.
    pub b: String,
    /// Number of topics.
    pub topics: usize,
    /// a - b.
    pub difference: f64,
    /// Its confidence interval.
    pub interval: Option<(f64, f64)>,
    /// Its bounds over all judgements of the unjudged documents.
    pub bounds: Option<(f64, f64)>,
    /// p of the randomisation test.
    pub p: Option<f64>,
    /// p of the t test.
    pub p_t: Option<f64>,
    /// Topics that a wins, ties and loses, as won/tied/lost.
    #[serde(serialize_with = "write_wins")]
    #[schemars(with = "String")]
    pub wins: (u64, u64, u64),
    /// The better run, or "undecided".
    pub better: String,
    /// "a", "b" or "undecided".
    pub verdict: &'static str,
    /// The reason for the verdict, in words.
    pub because: String,
}

/// The choice made without one fold.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FoldResult {
    /// Number of the fold, from 1.
    pub fold: u64,
    /// Number of topics in the fold.
    pub topics: usize,
    /// The run chosen on the other folds.
    pub chosen: String,
    /// Its mean on the other folds.
    pub elsewhere: f64,
    /// Its mean on this fold.
    pub here: f64,
    /// The baseline's mean on this fold.
    pub baseline: f64,
    /// The topics of the fold.
    pub names: Vec<String>,
}

/// A warning or remark.
#[derive(Debug, Clone, PartialEq)]
pub enum TuneNote {
    /// The test topics were opened before, or may have been.
    OpenedBefore(EarlierLooks),
    /// Runs with the same mean on development topics.
    Ties(Vec<String>),
    /// Topics without a score in some run: the first of their names, and their number.
    LeftOut(Vec<Vec<u8>>),
    /// Too few development topics.
    FewTopics(usize),
    /// How the choice was cross-validated.
    CrossValidation {
        /// Folds.
        folds: usize,
        /// Splits into folds.
        repeats: u32,
        /// Seed.
        seed: u64,
    },
    /// There are no test topics.
    NoTestTopics,
    /// Test scores of all runs are shown.
    AllRevealed,
    /// What the falls contain.
    Falls,
}

fn write_wins<S: Serializer>((won, tied, lost): &(u64, u64, u64), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{won}/{tied}/{lost}"))
}
