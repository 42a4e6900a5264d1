//! Bounds of measures of pairs (a relevant and a non-relevant document): bpref and the ROC area over all completions.
//!
//! With every document judged, the k-th relevant document at rank r has r - k non-relevant ones above it. For each number
//! of newly relevant retrieved documents, from the top (high) or the bottom (low), and each number of missed ones, the
//! measure is looked at: quadratic in the number of unjudged documents, with a constant amount of work for each pair.

use karat_data::TopicView;

use super::Open;

/// A completed topic, as far as pairs are concerned.
pub(crate) struct Completed<'a> {
    /// Relevant documents, retrieved or not.
    pub relevant: f64,
    /// Non-relevant documents, retrieved or not.
    pub nonrelevant: f64,
    /// Relevant documents retrieved.
    pub found: f64,
    /// Non-relevant documents retrieved.
    pub junk: f64,
    /// For each limit, the sum over the retrieved relevant documents of min(non-relevant ones above, limit).
    clipped: &'a [f64],
    /// The sum without a limit.
    pub above: f64,
}

impl Completed<'_> {
    /// Sum over the retrieved relevant documents of min(non-relevant documents above, limit).
    pub fn above_at_most(&self, limit: f64) -> f64 {
        self.clipped.get(limit as usize).copied().unwrap_or(self.above)
    }
}

/// Steps that are worth it for one topic; above, there are no bounds.
const MOST_STEPS: usize = 20_000_000;

fn too_much(view: &TopicView<'_>, open: Open) -> bool {
    open.retrieved.saturating_mul(view.ranks.len() + open.missed) > MOST_STEPS
}

/// Least and greatest value over all completions, `None` where there are too many documents to try all numbers of them; a completion without a value is passed over.
pub(crate) fn bounds(
    view: &TopicView<'_>,
    level: f64,
    value: impl Fn(&Completed<'_>) -> Option<f64>,
) -> Option<(f64, f64)> {
    let open = Open::of(view, level);
    if too_much(view, open) {
        return None;
    }
    let relevant = f64::from(view.facts.relevant(level));
    let judged_non = f64::from(view.facts.judged_nonrelevant(level));
    // Where no grade reaches the level, the unjudged documents all turn out non-relevant.
    let unjudged = Open::all(view);
    let total = judged_non + (unjudged.retrieved + unjudged.missed) as f64;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut work = Work::default();
    for from_top in [true, false] {
        for newly in 0..=open.retrieved {
            work.complete(view, level, open.retrieved, newly, from_top);
            for missed in 0..=open.missed {
                let more = (newly + missed) as f64;
                let completed = Completed {
                    relevant: relevant + more,
                    nonrelevant: total - more,
                    found: work.found,
                    junk: view.ranks.len() as f64 - work.found,
                    clipped: &work.clipped,
                    above: work.above,
                };
                if let Some(value) = value(&completed) {
                    low = low.min(value);
                    high = high.max(value);
                }
            }
        }
    }
    low.is_finite().then_some((low, high))
}

/// Least and greatest value of a measure that falls with every missed relevant document, so that only the two extremes of
/// their number matter. It is given, for each number of non-relevant documents, how many relevant ones have so many above
/// them, and R.
pub(crate) fn ends(view: &TopicView<'_>, level: f64, value: impl Fn(&[f64], f64) -> f64) -> Option<(f64, f64)> {
    let open = Open::of(view, level);
    if too_much(view, open) {
        return None;
    }
    let relevant = f64::from(view.facts.relevant(level));
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut work = Work::default();
    for newly in 0..=open.retrieved {
        let known = relevant + newly as f64;
        work.complete(view, level, open.retrieved, newly, true);
        high = high.max(value(&work.at, known));
        work.complete(view, level, open.retrieved, newly, false);
        low = low.min(value(&work.at, known + open.missed as f64));
    }
    Some((low, high))
}

#[derive(Default)]
struct Work {
    found: f64,
    above: f64,
    /// How many retrieved relevant documents have so many non-relevant ones above them.
    at: Vec<f64>,
    clipped: Vec<f64>,
}

impl Work {
    /// Makes the first or last `newly` of the unjudged documents relevant and the others not.
    fn complete(&mut self, view: &TopicView<'_>, level: f64, unjudged: usize, newly: usize, from_top: bool) {
        self.at.clear();
        self.at.resize(view.ranks.len() + 1, 0.0);
        let (mut junk, mut met) = (0, 0);
        (self.found, self.above) = (0.0, 0.0);
        for judgement in view.ranks {
            let becomes = if judgement.is_judged() {
                judgement.is_relevant(level)
            } else {
                met += 1;
                if from_top { met <= newly } else { met + newly > unjudged && newly > 0 }
            };
            if becomes {
                self.at[junk] += 1.0;
                self.found += 1.0;
                self.above += junk as f64;
            } else {
                junk += 1;
            }
        }
        // clipped[t] = sum of min(n, t): from t to t + 1 it grows by the documents with more than t above them.
        self.clipped.clear();
        let (mut sum, mut beyond) = (0.0, self.found);
        for at in &self.at {
            self.clipped.push(sum);
            beyond -= at;
            sum += beyond;
        }
    }
}
