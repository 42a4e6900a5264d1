//! The possible scores over all p' (figures 2 to 4 of the paper).

use super::super::range as ranges;
use super::super::vectors::{Extremes, Rank, score};
use super::super::{PublishedScore, paper};
use super::compare::PublishedSystem;
use super::range::ScoreRange;

/// One panel of the figure.
#[derive(Debug, Clone)]
pub enum FanPanel {
    /// The possible scores of one published score.
    Fan {
        /// What was published.
        published: PublishedScore,
        /// The ranges at p' = 0.01, 0.02, ..., 0.99.
        sweep: Vec<ScoreRange>,
        /// The paper's rankings; none for means.
        paper: Option<PaperCurves>,
    },
    /// No ranking has this score.
    Empty {
        /// Persistence.
        p: f64,
        /// The printed score.
        score: f64,
    },
}

impl FanPanel {
    /// The ranges, none where there is no ranking.
    pub fn sweep(&self) -> &[ScoreRange] {
        match self {
            FanPanel::Fan { sweep, .. } => sweep,
            FanPanel::Empty { .. } => &[],
        }
    }
}

/// A curve: (p', score).
pub type Curve = Vec<(f64, f64)>;

/// Scores of the paper's R_G and R_L over p'.
#[derive(Debug, Clone)]
pub struct PaperCurves {
    /// Of R_G, unjudged documents not relevant.
    pub greatest: Curve,
    /// Of R_L, unjudged documents not relevant.
    pub least: Curve,
    /// Of R'_G and R'_L, unjudged documents relevant, where a residual was given.
    pub unjudged_relevant: Option<(Curve, Curve)>,
}

impl PaperCurves {
    pub(super) fn compute(published: &PublishedScore, sweep: &[ScoreRange]) -> PaperCurves {
        let Extremes { greatest, least } = paper::vectors(published);
        let curve = |ranks: &[Rank], unjudged: f64| -> Curve {
            sweep.iter().map(|range| (range.at, score(ranks, unjudged, range.at))).collect()
        };
        PaperCurves {
            greatest: curve(&greatest, 0.0),
            least: curve(&least, 0.0),
            unjudged_relevant: published.residual().map(|_| (curve(&greatest, 1.0), curve(&least, 1.0))),
        }
    }
}

/// What the printed score of one system allows at other p: means over topics, and gains of any kind.
#[derive(Debug, Clone)]
pub struct SystemFan {
    /// The system's name.
    pub system: String,
    /// Persistence of the printed score.
    pub p: f64,
    /// The printed score.
    pub score: f64,
    /// p', least and greatest score, for p' = 0.01, 0.02, ..., 0.99.
    pub sweep: Vec<(f64, f64, f64)>,
    /// The same at the p that papers use most.
    pub common: Vec<(f64, f64, f64)>,
}

/// What each printed score allows at other p.
pub fn fans(systems: &[PublishedSystem]) -> Vec<SystemFan> {
    let fan = |system: &PublishedSystem| {
        let at = |at: f64| {
            let (low, high) = ranges::graded(&system.published, at);
            (at, low, high)
        };
        SystemFan {
            system: system.name.clone(),
            p: system.published.persistence(),
            score: system.published.score().value,
            sweep: (1..100).map(|hundredth| at(f64::from(hundredth) / 100.0)).collect(),
            common: [0.5, 0.8, 0.9, 0.95].map(at).to_vec(),
        }
    };
    systems.iter().map(fan).collect()
}
