//! Interpolated precision: as a function of recall, at the eleven standard levels, and averaged over topics.

use karat_data::TopicView;

use crate::aggregate::Aggregate;
use crate::curve::NOTHING_RELEVANT;
use crate::interpolated::{ELEVEN, Rounding, at_levels};
use crate::score::Undefined;

/// Interpolated precision of one topic as a function of recall: a staircase that never rises.
#[derive(Debug, Clone, PartialEq)]
pub struct Interpolated {
    relevant: u32,
    /// The value once so many relevant documents (index + 1) are wanted.
    steps: Vec<f64>,
}

impl Interpolated {
    /// Of a topic.
    ///
    /// # Errors
    /// Nothing is relevant.
    pub fn of(view: &TopicView<'_>, level: f64) -> Result<Interpolated, Undefined> {
        let relevant = view.facts.relevant(level);
        if relevant == 0 {
            return Err(Undefined { reason: NOTHING_RELEVANT });
        }
        let hits = view.ranks.iter().enumerate().filter(|(_, judgement)| judgement.is_relevant(level));
        let mut steps: Vec<f64> =
            hits.enumerate().map(|(found, (index, _))| (found + 1) as f64 / (index + 1) as f64).collect();
        // P_interp(r) = max over r' >= r of P(r'): the running maximum from the end.
        let mut best = 0.0f64;
        for step in steps.iter_mut().rev() {
            best = best.max(*step);
            *step = best;
        }
        Ok(Interpolated { relevant, steps })
    }

    /// The greatest precision at any recall of at least `recall`; 0 where recall never gets there.
    pub fn at(&self, recall: f64) -> f64 {
        let wanted = Rounding::Definition.count(recall, self.relevant).max(1) as usize;
        self.steps.get(wanted - 1).copied().unwrap_or(0.0)
    }

    /// The corners of the staircase: (recall, precision) at every relevant document found.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = (f64, f64)> + '_ {
        let relevant = f64::from(self.relevant);
        self.steps.iter().enumerate().map(move |(index, step)| ((index + 1) as f64 / relevant, *step))
    }
}

/// Interpolated precision at recall 0, 0.1, ... 1; all 0 where nothing is relevant, as in trec_eval's averages.
pub fn eleven_points(view: &TopicView<'_>, level: f64, rounding: Rounding) -> [f64; 11] {
    let mut points = [0.0; 11];
    at_levels(view, level, &ELEVEN, rounding, |index, precision| points[index] = precision);
    points
}

/// The mean of several topics' curves, point by point; `None` for no curve.
pub fn mean_curve<const N: usize>(curves: &[[f64; N]]) -> Option<[f64; N]> {
    if curves.is_empty() {
        return None;
    }
    let mut mean = [0.0; N];
    for (index, point) in mean.iter_mut().enumerate() {
        *point = Aggregate::Mean.of(curves.iter().map(|curve| curve[index]))?;
    }
    Some(mean)
}
