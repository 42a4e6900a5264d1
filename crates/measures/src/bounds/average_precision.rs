//! Bounds of AP and of what else depends on its sum of precisions and R: exact, in time linear in the ranks.
//!
//! With r_1 < r_2 < ... the ranks of the relevant documents, R * AP = sum of k / r_k. High: the unjudged documents become
//! relevant from the top, one after the other, and after each the quotient is looked at; missed ones stay non-relevant.
//! Low: from the bottom, and all missed ones are relevant. A document that becomes relevant at rank t adds its own
//! precision and 1/r for each relevant document below it, both at hand in one pass.

use karat_data::TopicView;

use super::Open;
use crate::score::Score;

/// AP from the sum of precisions and R.
pub(crate) fn quotient(sum: f64, relevant: f64) -> f64 {
    if relevant > 0.0 { (sum / relevant).min(1.0) } else { 0.0 }
}

/// Score of a measure of (sum of precisions down to the cut-off, R) that rises with the sum and falls with R.
pub(crate) fn score(
    view: &TopicView<'_>,
    cutoff: Option<usize>,
    level: f64,
    value: f64,
    measure: impl Fn(f64, f64) -> f64,
) -> Score {
    if Open::of(view, level).is_closed() {
        return Score::exact(value);
    }
    let (low, high) = ends(view, cutoff, level, measure);
    // The bounds add the same terms in another order than the value.
    Score::within(value, low.min(value), high.max(value))
}

/// Least and greatest value of such a measure.
pub(crate) fn ends(
    view: &TopicView<'_>,
    cutoff: Option<usize>,
    level: f64,
    measure: impl Fn(f64, f64) -> f64,
) -> (f64, f64) {
    let known = Known::of(view, cutoff, level);
    (low(view, &known, Open::of(view, level), &measure), high(view, &known, &measure))
}

/// What is judged.
struct Known {
    cutoff: usize,
    level: f64,
    /// Relevant documents in the judgements.
    relevant: f64,
    /// Relevant documents among the ranks.
    found: f64,
    /// Sum of the precisions at their ranks, and of 1/rank, both down to the cut-off.
    precisions: f64,
    reciprocals: f64,
}

impl Known {
    fn of(view: &TopicView<'_>, cutoff: Option<usize>, level: f64) -> Known {
        let relevant = f64::from(view.facts.relevant(level));
        let mut known = Known {
            cutoff: cutoff.unwrap_or(usize::MAX),
            level,
            relevant,
            found: 0.0,
            precisions: 0.0,
            reciprocals: 0.0,
        };
        for (index, judgement) in view.ranks.iter().enumerate() {
            if judgement.is_relevant(level) {
                known.found += 1.0;
                let share = known.share(index);
                known.precisions += known.found * share;
                known.reciprocals += share;
            }
        }
        known
    }

    /// What a document at a rank (from 0) adds for each relevant document down to itself: 1/rank, nothing below the
    /// cut-off.
    #[inline]
    fn share(&self, index: usize) -> f64 {
        if index < self.cutoff { 1.0 / (index + 1) as f64 } else { 0.0 }
    }
}

fn high(view: &TopicView<'_>, known: &Known, measure: &impl Fn(f64, f64) -> f64) -> f64 {
    let mut best = measure(known.precisions, known.relevant);
    let (mut sum, mut seen, mut below, mut added) = (known.precisions, 0.0, known.reciprocals, 0.0);
    // Below the cut-off a document can only lengthen the denominator.
    let last = known.cutoff.min(view.ranks.len());
    for (index, judgement) in view.ranks[..last].iter().enumerate() {
        if judgement.is_relevant(known.level) {
            seen += 1.0;
            below -= known.share(index);
        } else if !judgement.is_judged() {
            added += 1.0;
            sum += (seen + added) * known.share(index) + below;
            best = best.max(measure(sum, known.relevant + added));
        }
    }
    best
}

fn low(view: &TopicView<'_>, known: &Known, open: Open, measure: &impl Fn(f64, f64) -> f64) -> f64 {
    let relevant = known.relevant + open.missed as f64;
    let mut least = measure(known.precisions, relevant);
    let (mut sum, mut above, mut below, mut added) = (known.precisions, known.found, 0.0, 0.0);
    for (index, judgement) in view.ranks.iter().enumerate().rev() {
        if judgement.is_relevant(known.level) {
            above -= 1.0;
            below += known.share(index);
        } else if !judgement.is_judged() {
            added += 1.0;
            sum += (above + 1.0) * known.share(index) + below;
            below += known.share(index);
            least = least.min(measure(sum, relevant + added));
        }
    }
    least
}
