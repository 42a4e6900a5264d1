//! The answer of `judges agree`.

use karat_data::{RunFacts, State};
use schemars::JsonSchema;
use serde::Serialize;

use super::effect::{SystemsByJudge, SystemsNote};
use crate::judges::scale::Scale;

/// How far judges agree.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AgreeAnswer {
    /// Coefficients over all judges.
    pub agreement: Vec<Agreement>,
    /// Coefficients of every pair of judges, if there are 3 to 20 judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Vec<PairAgreement>>,
    /// How often two judges give two grades to a document: of two judges in their order, of more the lower grade first.
    pub confusion: Vec<GradePair>,
    /// Documents judged by several, by query.
    pub by_query: Vec<QueryAgreement>,
    /// Scores of the runs by each judge's labels, if runs were given.
    #[serde(flatten)]
    pub systems: Option<SystemsByJudge>,
    /// What people read besides.
    #[serde(skip)]
    pub background: AgreeBackground,
}

/// What words, figures and provenance need besides the fields of the answer.
#[derive(Debug, Clone)]
pub struct AgreeBackground {
    /// The judges.
    pub judges: Vec<String>,
    /// The scale.
    pub scale: Scale,
    /// Confidence level of intervals.
    pub level: f64,
    /// Counts by the grades of two judges, of more than two both ways; `None` if the scale has too many grades.
    pub matrix: Option<Vec<Vec<f64>>>,
    /// The runs.
    pub runs: Vec<RunFacts>,
    /// What a reader should know.
    pub notes: Vec<AgreeNote>,
}

/// A coefficient over all judges.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Agreement {
    /// Its name.
    pub coefficient: &'static str,
    /// Its name for people.
    #[serde(skip)]
    pub title: &'static str,
    /// Its value; null with a `reason`.
    pub value: Option<f64>,
    /// Its interval over queries; null with a `reason`.
    pub interval: Option<(f64, f64)>,
    /// `good` from 0.8, `fair` from 0.67, else `dubious`; null for a coefficient without correction for chance.
    pub band: Option<&'static str>,
    /// Judges.
    pub judges: usize,
    /// Documents with labels of two or more judges.
    pub items: u64,
    /// Queries of these documents.
    pub queries: usize,
    /// Confidence level of the interval.
    pub level: f64,
    /// Why there is no value or no interval.
    pub reason: Option<String>,
}

/// A coefficient of two judges.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PairAgreement {
    /// One judge.
    pub a: String,
    /// The other.
    pub b: String,
    /// Name of the coefficient.
    pub coefficient: &'static str,
    /// Its value; null with a `reason`.
    pub value: Option<f64>,
    /// `good` from 0.8, `fair` from 0.67, else `dubious`; null for a coefficient without correction for chance.
    pub band: Option<&'static str>,
    /// Documents that both judged.
    pub items: u64,
    /// Queries of these documents.
    pub queries: usize,
    /// Why there is no value or no interval.
    pub reason: Option<String>,
    /// Its interval over queries.
    pub interval: Option<(f64, f64)>,
}

/// How often two judges give two grades to a document.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GradePair {
    /// Grade of one judge.
    pub grade_a: f64,
    /// Grade of the other.
    pub grade_b: f64,
    /// Pairs of labels.
    pub pairs: u64,
    /// Share of all pairs of labels.
    pub share: Option<f64>,
}

/// Documents of a query that several judged.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct QueryAgreement {
    /// The query.
    pub topic: String,
    /// Documents judged by two or more.
    pub judged: u64,
    /// Those that got different grades.
    pub disagreements: u64,
}

/// What a reader should know.
#[derive(Debug, Clone, PartialEq)]
pub enum AgreeNote {
    /// About the systems' scores.
    Systems(SystemsNote),
    /// Labels not counted because the judge labelled the document twice.
    Repeated(u64),
    /// Labels without a grade, by state.
    NotGrades(Vec<(State, usize)>),
    /// Documents with one grade only.
    JudgedOnce {
        /// How many.
        once: u64,
        /// Of how many.
        documents: usize,
    },
    /// Some coefficients are means over pairs of judges.
    MeansOverPairs,
    /// Too many judges to list pairs.
    ManyJudges {
        /// Judges.
        judges: usize,
        /// Judges up to which pairs are listed.
        most: usize,
    },
    /// How intervals are made.
    Resamples(u32),
}
