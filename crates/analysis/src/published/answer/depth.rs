//! `published depth`: table 1 of the paper, and figure 1.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::depth::{contribution, significant_ranks};

/// Options of `published depth`; persistences and precisions are checked.
#[derive(Debug)]
pub struct DepthOptions {
    /// Each p.
    pub persistences: Vec<f64>,
    /// Each precision.
    pub precisions: Vec<f64>,
    /// Whether the contributions by rank are wanted.
    pub contributions: bool,
}

/// How many ranks a printed score can show.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DepthAnswer {
    /// For one p and one precision.
    #[serde(flatten)]
    pub one: Option<SignificantRanks>,
    /// For every p and precision, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depths: Option<Vec<SignificantRanks>>,
    /// Contribution of each of the first ranks, with `--figure`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contributions: Option<Vec<Contribution>>,
}

impl DepthAnswer {
    /// One row or all.
    pub fn rows(&self) -> &[SignificantRanks] {
        self.depths.as_deref().unwrap_or(self.one.as_slice())
    }
}

/// The significant ranks at one p and precision.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SignificantRanks {
    /// Persistence.
    pub p: f64,
    /// Precision of the printed score.
    pub precision: f64,
    /// Number of significant ranks.
    pub depth: usize,
    /// Weight of all ranks below them.
    pub below: f64,
}

/// What a relevant document adds to RBP.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Contribution {
    /// Rank, from 1.
    pub rank: usize,
    /// Persistence.
    pub p: f64,
    /// What a relevant document at this rank adds.
    pub contribution: f64,
}

/// Ranks of figure 1.
const SHOWN: usize = 20;

/// How many ranks count?
pub fn depth(options: &DepthOptions) -> DepthAnswer {
    let mut rows = Vec::new();
    for &p in &options.persistences {
        for &precision in &options.precisions {
            let depth = significant_ranks(p, precision);
            rows.push(SignificantRanks { p, precision, depth, below: p.powf(depth as f64) });
        }
    }
    let ranks = |&p: &f64| (1..=SHOWN).map(move |rank| Contribution { rank, p, contribution: contribution(p, rank) });
    let contributions = options.contributions.then(|| options.persistences.iter().flat_map(ranks).collect());
    let (one, depths) = if rows.len() == 1 { (rows.pop(), None) } else { (None, Some(rows)) };
    DepthAnswer { one, depths, contributions }
}
