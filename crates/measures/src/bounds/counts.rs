//! Bounds of measures that count relevant documents down to a rank and divide by something that depends on R.

use karat_data::TopicView;

use super::Open;
use crate::score::Score;
use crate::tally;

/// What is known and open down to a rank.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    /// Judged relevant documents down to the rank.
    pub found: f64,
    /// Unjudged ones down to the rank that could be relevant.
    pub open: f64,
    /// Relevant documents in the judgements.
    pub relevant: f64,
    /// Unjudged documents that could be relevant, elsewhere: below the rank, or pooled and not retrieved.
    pub elsewhere: f64,
}

impl Counts {
    /// Down to a cut-off, or of all ranks.
    pub fn of(view: &TopicView<'_>, cutoff: Option<usize>, level: f64) -> Counts {
        let ranks = tally::first(view, cutoff);
        let all = Open::of(view, level);
        let open = if all.is_closed() { 0 } else { tally::unjudged(ranks) };
        Counts {
            found: tally::relevant(ranks, level) as f64,
            open: open as f64,
            relevant: f64::from(view.facts.relevant(level)),
            elsewhere: (all.retrieved + all.missed - open) as f64,
        }
    }

    /// The score of a measure that is a function of the count and of R, rises with each relevant document that is
    /// counted, and falls with each that is elsewhere.
    pub fn score(&self, measure: impl Fn(f64, f64) -> f64) -> Score {
        Score::within(
            measure(self.found, self.relevant),
            measure(self.found, self.relevant + self.elsewhere),
            measure(self.found + self.open, self.relevant + self.open),
        )
    }
}

/// Least and greatest of (relevant among the first w) / w, where w depends on R: every number of newly relevant documents
/// is tried, the window filled with as many of them as it takes (high) or must take (low).
pub(crate) fn window(view: &TopicView<'_>, level: f64, width: impl Fn(usize) -> usize) -> (f64, f64) {
    let open = Open::of(view, level);
    let relevant = view.facts.relevant(level) as usize;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut reached, mut found, mut unjudged) = (0, 0usize, 0usize);
    for more in 0..=open.retrieved + open.missed {
        let width = width(relevant + more);
        // Windows only grow.
        for judgement in &view.ranks[reached.min(view.ranks.len())..width.min(view.ranks.len())] {
            found += usize::from(judgement.is_relevant(level));
            unjudged += usize::from(!judgement.is_judged());
        }
        reached = reached.max(width);
        let outside = open.retrieved.saturating_sub(unjudged) + open.missed;
        let (least, most) = (found + more.saturating_sub(outside), found + more.min(unjudged));
        let share = |count: usize| if width == 0 { 0.0 } else { count as f64 / width as f64 };
        low = low.min(share(least));
        high = high.max(share(most));
    }
    (low, high)
}
