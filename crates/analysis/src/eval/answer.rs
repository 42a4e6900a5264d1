//! The answer of `karat eval` as programs read it.

use karat_data::Qrels;
use karat_data::names::text;
use karat_measures::{Aggregate, BoundsKind, Measure};
use schemars::JsonSchema;
use serde::Serialize;

use super::gold::GoldScores;
use super::sampled::SampledField;
use crate::score_bands::ScoreBands;
use crate::scored::Scored;
use crate::scores::{RunScores, Setting};
use crate::summary::{SourceIntervals, VarianceSources, serialize_bounds_kind};
use crate::ties::TieSummary;
use crate::unjudged::ModelComparison;

/// Scores of all runs, and what makes them uncertain.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EvalAnswer {
    /// One row per measure and run.
    pub scores: Vec<ScoreRow>,
    /// The relevance models of unjudged documents and their fit; with `--unjudged band`, `fit` or `urn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<Vec<ModelComparison>>,
    /// One row per run, measure and topic; with `-q`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_query: Option<Vec<QueryRow>>,
    /// Whether scores are calibrated probabilities; with `--score-bands`.
    #[serde(flatten)]
    pub score_bands: Option<ScoreBands>,
}

/// One measure of one run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ScoreRow {
    /// The run.
    pub run: String,
    /// The measure.
    pub measure: String,
    /// Topics that the value summarises.
    pub topics: u64,
    /// The value over these topics.
    pub value: Option<ScoreValue>,
    /// Least value over all judgements of the unjudged documents.
    pub low: Option<f64>,
    /// Greatest value over all judgements of the unjudged documents.
    pub high: Option<f64>,
    /// "complete": the bounds hold whatever is judged; "retrieved": they assume that no relevant document is left unretrieved.
    #[serde(serialize_with = "serialize_bounds_kind")]
    #[schemars(with = "Option<String>")]
    pub bounds_kind: Option<BoundsKind>,
    /// Standard error with all sources.
    pub std_error: Option<f64>,
    /// Confidence interval with all sources.
    pub interval: Option<(f64, f64)>,
    /// Confidence level.
    pub level: f64,
    /// How the interval was made.
    pub method: Option<&'static str>,
    /// Variances by source, those that apply.
    pub sources: VarianceSources,
    /// Values over all orders of tied documents; with `--ties range`.
    #[serde(flatten)]
    pub ties: Option<TieFields>,
    /// The value if everything were judged; with a relevance model.
    #[serde(flatten)]
    pub unjudged: Option<UnjudgedFields>,
    /// The judged sample that the value is estimated from; with `--sample`.
    #[serde(flatten)]
    pub sampled: Option<SampledField>,
    /// The interval by how many of the sources it includes.
    #[serde(skip)]
    pub intervals: SourceIntervals,
    /// What other orders of tied documents give, where it is known.
    #[serde(skip)]
    pub tie_summary: TieSummary,
}

/// A value: a count, or any other number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ScoreValue {
    /// A number of documents or topics.
    Count(u64),
    /// Any other value.
    Number(f64),
}

impl ScoreValue {
    /// As a number.
    pub fn number(self) -> f64 {
        match self {
            ScoreValue::Count(count) => count as f64,
            ScoreValue::Number(value) => value,
        }
    }
}

/// What orders of tied documents give.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct TieFields {
    /// Least value over all orders.
    pub ties_low: Option<f64>,
    /// Greatest value over all orders.
    pub ties_high: Option<f64>,
    /// Mean over all orders.
    pub ties_expected: Option<f64>,
}

impl From<TieSummary> for TieFields {
    fn from(TieSummary { ends, expected, .. }: TieSummary) -> Self {
        let (ties_low, ties_high) = ends.unzip();
        TieFields { ties_low, ties_high, ties_expected: expected }
    }
}

/// The value if everything were judged, under the relevance model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct UnjudgedFields {
    /// Its interval for these topics.
    pub unjudged_interval: Option<(f64, f64)>,
    /// How that interval was made.
    pub unjudged_method: Option<&'static str>,
}

/// One topic of a run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct QueryRow {
    /// The run.
    pub run: String,
    /// The measure.
    pub measure: String,
    /// The topic.
    pub topic: String,
    /// The value; `null` where the measure is undefined.
    pub value: Option<ScoreValue>,
    /// Least value over all judgements of the unjudged documents.
    pub low: Option<f64>,
    /// Greatest value over all judgements of the unjudged documents.
    pub high: Option<f64>,
    /// The value by gold labels; with `--gold`.
    #[serde(flatten)]
    pub gold: Option<GoldField>,
    /// The error of sampled judgements.
    #[serde(flatten)]
    pub sampling: Option<SamplingField>,
    /// Values over all orders of tied documents; with `--ties range`.
    #[serde(flatten)]
    pub ties: Option<TieFields>,
}

/// The value of a topic by gold labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct GoldField {
    /// The value; `null` where gold did not judge the topic.
    pub gold: Option<f64>,
}

/// The error of a value that was inferred from sampled judgements.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct SamplingField {
    /// Its standard error.
    pub std_error: Option<f64>,
}

/// Which fields there are beyond those that are always there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub(super) ties: bool,
    pub(super) sampling: bool,
    pub(super) model: bool,
}

/// Every topic of every run.
pub(super) fn query_rows(
    setting: &Setting<'_>,
    scored: &[RunScores],
    gold: Option<&GoldScores>,
    fields: Fields,
) -> Vec<QueryRow> {
    let mut rows = Vec::new();
    for (place, run) in scored.iter().enumerate() {
        for (index, measure) in setting.measures.iter().enumerate() {
            let named = Named { run, index, measure: measure.as_ref(), name: measure.spec().to_string() };
            for (topic, found) in run.of(index) {
                let by_gold = gold.map(|gold| GoldField {
                    gold: gold.of(place, topic, index).and_then(|scored| Some(scored.as_ref().ok()?.value)),
                });
                rows.push(QueryRow { gold: by_gold, ..named.row(setting, topic, found, fields) });
            }
        }
    }
    rows
}

/// A measure of a run.
struct Named<'a> {
    run: &'a RunScores,
    index: usize,
    measure: &'a dyn Measure,
    name: String,
}

impl Named<'_> {
    fn row(&self, setting: &Setting<'_>, topic: karat_data::TopicIndex, found: &Scored, fields: Fields) -> QueryRow {
        let (qrels, run): (&Qrels, &RunScores) = (setting.qrels, self.run);
        let score = found.as_ref().ok();
        let counts = self.measure.info().aggregate == Aggregate::Sum && !fields.model;
        let bounds = score.and_then(|score| score.bounds()).filter(|_| setting.bounds);
        let ties = match (score, run.ties_of(topic)) {
            (Some(score), None) => TieSummary::settled(score.value),
            (Some(_), Some(ties)) => TieSummary::of(&ties[self.index]),
            (None, _) => TieSummary::default(),
        };
        let std_error = || run.sampling_of(topic, self.index).filter(|_| score.is_some()).map(f64::sqrt);
        QueryRow {
            run: run.name.clone(),
            measure: self.name.clone(),
            topic: text(qrels.name(topic)),
            value: score.map(|score| score_value(score.value, counts)),
            low: bounds.map(|(low, _)| low),
            high: bounds.map(|(_, high)| high),
            gold: None,
            sampling: fields.sampling.then(|| SamplingField { std_error: std_error() }),
            ties: fields.ties.then(|| ties.into()),
        }
    }
}

/// A value as a count, or as any other number.
pub(super) fn score_value(value: f64, counts: bool) -> ScoreValue {
    if counts { ScoreValue::Count(value as u64) } else { ScoreValue::Number(value) }
}
