//! What a simulation of rankings answers.

use schemars::JsonSchema;
use serde::Serialize;

use super::RankingNote;

/// What unjudged ranks add to RBP, for each w and q.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SimulatedRankings {
    /// One row per q and w.
    pub cells: Vec<RankingCell>,
    /// Histograms (--histogram).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub histogram: Option<Vec<HistogramBin>>,
    /// Assumptions and findings.
    #[serde(skip)]
    pub notes: Vec<RankingNote>,
}

/// What the unjudged ranks add to RBP, averaged over the queries, for one q and w.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RankingCell {
    /// Probability that a document is relevant.
    pub q: f64,
    /// Weight of a non-relevant document in the urn; 1 is a random ranking.
    pub w: f64,
    /// Simulated mean.
    pub mean: f64,
    /// Exact mean; null where it would take too long.
    pub mean_exact: Option<f64>,
    /// Mean if every unjudged rank is relevant with probability q.
    pub mean_closed_form: f64,
    /// Simulated standard deviation; null with one replication.
    pub std_dev: Option<f64>,
    /// Exact standard deviation; null where it would take too long.
    pub std_dev_exact: Option<f64>,
    /// Standard deviation if every unjudged rank is relevant with probability q.
    pub std_dev_closed_form: f64,
    /// Monte Carlo standard error of the simulated mean; null with one replication.
    pub mean_std_error: Option<f64>,
    /// Monte Carlo standard error of the simulated standard deviation; null with one replication.
    pub std_dev_std_error: Option<f64>,
    /// Interval if every unjudged rank is relevant with probability q.
    pub interval_closed_form: Option<(f64, f64)>,
    /// Method of the interval.
    pub interval_method: Option<&'static str>,
    /// Level of the interval.
    pub level: f64,
    /// Share of the simulated means inside the interval.
    pub coverage_closed_form: Option<f64>,
    /// Simulated standard deviation of one ranking.
    pub list_std_dev: f64,
    /// Exact standard deviation of one ranking; null where it would take too long.
    pub list_std_dev_exact: Option<f64>,
    /// Standard deviation of one ranking if every unjudged rank is relevant with probability q.
    pub list_std_dev_closed_form: f64,
}

/// What a histogram counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BinsOf {
    /// Single rankings, over the possible range.
    List,
    /// Means over the queries, over the observed range.
    Mean,
}

/// One bin of a histogram.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct HistogramBin {
    /// What is counted.
    pub of: BinsOf,
    /// Probability that a document is relevant.
    pub q: f64,
    /// Weight of a non-relevant document in the urn.
    pub w: f64,
    /// Lower edge, inside the bin.
    pub low: f64,
    /// Upper edge, outside the bin except in the last one.
    pub high: f64,
    /// Values in the bin.
    pub count: u64,
    /// Their share of all values.
    pub share: f64,
    /// The share if every unjudged rank is relevant with probability q.
    pub share_closed_form: Option<f64>,
}
