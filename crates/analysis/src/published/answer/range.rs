//! `published range`: the possible scores at another p, or at many.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::error::PublishedError;
use super::super::range::{self as ranges, Bound};
use super::super::{Printed, PublishedScore};
use super::fan::{FanPanel, PaperCurves};

/// Options of `published range`. Every p is combined with every score: one of each, or a grid.
#[derive(Debug)]
pub struct RangeOptions {
    /// Each p; checked.
    pub persistences: Vec<f64>,
    /// Each score.
    pub scores: Vec<Printed>,
    /// The residual of all, if one was printed.
    pub residual: Option<Printed>,
    /// The other p, one or many; checked.
    pub at: Vec<f64>,
    /// Whether the scores are means over topics, for which there is no binary range.
    pub mean: bool,
    /// Whether the ranges over all p are wanted, for the figure.
    pub figure: bool,
}

/// The possible scores at another p.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RangeAnswer {
    /// For one score and one other p.
    #[serde(flatten)]
    pub one: Option<ScoreRange>,
    /// For every p, score and other p, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranges: Option<Vec<ScoreRange>>,
    /// The ranges over all p, with `--figure`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fan: Option<Vec<ScoreRange>>,
    /// Panels of the figure: scores from the highest down, p from left to right.
    #[serde(skip)]
    pub panels: Vec<FanPanel>,
    /// Scores that no ranking has.
    #[serde(skip)]
    pub refused: Vec<PublishedError>,
}

impl RangeAnswer {
    /// One row or all.
    pub fn rows(&self) -> &[ScoreRange] {
        self.ranges.as_deref().unwrap_or(self.one.as_slice())
    }
}

/// The possible scores at one other p.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ScoreRange {
    /// Persistence of the printed score.
    pub p: f64,
    /// The printed score.
    pub score: f64,
    /// The other persistence.
    pub at: f64,
    /// Least score, for one topic with binary relevance; null with `--mean`.
    pub low: Option<f64>,
    /// Greatest score, for one topic with binary relevance; null with `--mean`.
    pub high: Option<f64>,
    /// What is known of `low`.
    pub low_is: Option<Tightness>,
    /// What is known of `high`.
    pub high_is: Option<Tightness>,
    /// Least score, for gains from 0 to 1 and for means over topics.
    pub low_graded: f64,
    /// Greatest score, for gains from 0 to 1 and for means over topics.
    pub high_graded: f64,
    /// What is known of the graded range.
    pub graded_is: Tightness,
    /// Least score by the paper's method; null with `--mean`.
    pub low_paper: Option<f64>,
    /// Greatest score by the paper's method; null with `--mean`.
    pub high_paper: Option<f64>,
}

/// What is known of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tightness {
    /// A ranking that prints so comes within 1e-9 of it.
    Exact,
    /// No ranking lies beyond, but none is known to come so far.
    Sound,
}

impl ScoreRange {
    /// `effort` as in [`ranges::range`]; none for means.
    fn compute(published: &PublishedScore, at: f64, effort: Option<usize>) -> ScoreRange {
        let (low_graded, high_graded) = ranges::graded(published, at);
        let single = effort.map(|effort| ranges::range(published, at, effort));
        let is = |bound: Bound| if bound.exact { Tightness::Exact } else { Tightness::Sound };
        ScoreRange {
            p: published.persistence(),
            score: published.score().value,
            at,
            low: single.map(|range| range.low.value),
            high: single.map(|range| range.high.value),
            low_is: single.map(|range| is(range.low)),
            high_is: single.map(|range| is(range.high)),
            low_graded,
            high_graded,
            graded_is: Tightness::Exact,
            low_paper: single.map(|range| range.paper.0),
            high_paper: single.map(|range| range.paper.1),
        }
    }
}

/// Beyond so many p a search at each is kept short.
const FEW: usize = 20;
const SHORT: usize = 500;

/// What might the scores be at another p?
///
/// # Errors
/// Score and residual exceed 1, or none of the scores is possible for a single ranking.
pub fn range(options: &RangeOptions) -> Result<RangeAnswer, PublishedError> {
    let (mut rows, mut panels, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    let effort = if options.at.len() <= FEW { ranges::THOROUGH } else { SHORT };
    // Scores from the top down, p from left to right: the paper's figure 3.
    let scores = options.scores.iter().rev();
    for (score, &p) in scores.flat_map(|score| options.persistences.iter().map(move |p| (score, p))) {
        let published = PublishedScore::new(p, *score, options.residual)?;
        let possible = if options.mean { Ok(()) } else { published.check_binary() };
        if let Err(error) = possible {
            refused.push(error);
            panels.push(FanPanel::Empty { p, score: score.value });
            continue;
        }
        let compute = |at: f64, effort: usize| ScoreRange::compute(&published, at, (!options.mean).then_some(effort));
        rows.extend(options.at.iter().map(|&at| compute(at, effort)));
        if options.figure {
            let sweep: Vec<ScoreRange> =
                (1..100).map(|hundredth| compute(f64::from(hundredth) / 100.0, SHORT)).collect();
            let paper = (!options.mean).then(|| PaperCurves::compute(&published, &sweep));
            panels.push(FanPanel::Fan { published, sweep, paper });
        }
    }
    let nothing = rows.is_empty() && panels.iter().all(|panel| matches!(panel, FanPanel::Empty { .. }));
    if let Some(error) = refused.first().filter(|_| nothing) {
        return Err(error.clone());
    }
    let one = rows.len() == 1 && refused.is_empty();
    let (one, ranges) = match options.at.is_empty() {
        true => (None, None),
        false if one => (rows.pop(), None),
        false => (None, Some(rows)),
    };
    let fan = options.figure.then(|| panels.iter().flat_map(FanPanel::sweep).cloned().collect());
    let panels = if options.figure { panels } else { Vec::new() };
    Ok(RangeAnswer { one, ranges, fan, panels, refused })
}
