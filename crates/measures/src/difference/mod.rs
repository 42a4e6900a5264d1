//! What unjudged documents could still do to the difference of two lists' scores.
//!
//! The one decision: the bound is of the difference, not the difference of bounds. A document that both lists have is
//! one document, with one grade; at the same rank in both it cancels. And what one list retrieved, the other missed: it
//! counts in the other's number of relevant documents, which the other's own bounds know nothing of.

mod average_precision;
mod counts;
mod first;

pub(crate) use average_precision::greatest as greatest_average_precision;
pub(crate) use counts::greatest_share;
pub(crate) use first::greatest_first;

use std::num::NonZeroU32;

use karat_data::{Judgement, TopicView};

use crate::linear::Form;
use crate::measure::Measure;

/// An unjudged document's ranks in two lists, from 1; `None` where a list does not have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenDocument {
    a: Option<NonZeroU32>,
    b: Option<NonZeroU32>,
}

impl OpenDocument {
    /// With its rank in the first list and in the second.
    pub fn new(a: Option<u32>, b: Option<u32>) -> OpenDocument {
        OpenDocument { a: a.and_then(NonZeroU32::new), b: b.and_then(NonZeroU32::new) }
    }

    /// In the first.
    pub fn a(self) -> Option<usize> {
        self.a.map(|rank| rank.get() as usize)
    }

    /// In the second.
    pub fn b(self) -> Option<usize> {
        self.b.map(|rank| rank.get() as usize)
    }

    fn swapped(self) -> OpenDocument {
        OpenDocument { a: self.b, b: self.a }
    }

    /// Whether the first list has it down to a rank, and whether the second has.
    fn down_to(self, last: usize) -> (bool, bool) {
        let within = |rank: Option<usize>| rank.is_some_and(|rank| rank <= last);
        (within(self.a()), within(self.b()))
    }
}

/// Two lists for one topic, and the unjudged documents in them.
#[derive(Debug, Clone)]
pub struct Pair<'a> {
    a: TopicView<'a>,
    b: TopicView<'a>,
    open: Vec<OpenDocument>,
    /// Further documents that may turn out relevant: pooled and in neither list, or below a depth.
    elsewhere: usize,
}

/// The unjudged documents of two lists, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenCounts {
    /// In either list.
    pub all: usize,
    /// The pooled ones among them.
    pub pooled: usize,
    /// Not pooled: those that the first list does not have, and those that the second does not have.
    pub missed: (u32, u32),
    /// Not pooled: those that were cut off the first list, and off the second.
    pub cut: (u32, u32),
}

impl<'a> Pair<'a> {
    /// Of two lists of one topic. `open` has every unjudged document of either list once.
    pub fn new(a: TopicView<'a>, b: TopicView<'a>, open: Vec<OpenDocument>) -> Pair<'a> {
        let at = |view: &TopicView<'_>, rank: Option<usize>| rank.and_then(|rank| view.ranks.get(rank - 1)).copied();
        let mut counts = OpenCounts { all: open.len(), pooled: 0, missed: (0, 0), cut: (0, 0) };
        for document in &open {
            if at(&a, document.a()).or(at(&b, document.b())) == Some(Judgement::PooledUnjudged) {
                counts.pooled += 1;
            } else {
                counts.missed.0 += u32::from(document.a.is_none());
                counts.missed.1 += u32::from(document.b.is_none());
            }
        }
        Pair::counted(a, b, open, counts)
    }

    /// Of two lists that were cut below the last rank that matters, for a measure that looks no deeper. `open` has the unjudged documents
    /// that are left in either list; the counts are of the whole lists.
    pub fn counted(a: TopicView<'a>, b: TopicView<'a>, open: Vec<OpenDocument>, counts: OpenCounts) -> Pair<'a> {
        let below = a.below + b.below;
        let not_retrieved = (a.facts.pooled_unjudged as usize).saturating_sub(counts.pooled);
        Pair {
            elsewhere: not_retrieved + below as usize + (counts.all - open.len()),
            a: TopicView { below: below + counts.missed.0 + counts.cut.0, ..a },
            b: TopicView { below: below + counts.missed.1 + counts.cut.1, ..b },
            open,
        }
    }

    /// The first list; what only the second retrieved counts as missed by it.
    pub fn a(&self) -> &TopicView<'a> {
        &self.a
    }

    /// The second list, likewise.
    pub fn b(&self) -> &TopicView<'a> {
        &self.b
    }

    /// The unjudged documents of either list.
    pub fn open(&self) -> &[OpenDocument] {
        &self.open
    }

    /// Whether no judgement is missing.
    fn is_closed(&self) -> bool {
        self.open.is_empty() && self.elsewhere == 0
    }

    /// The lists exchanged.
    pub fn swapped(&self) -> Pair<'a> {
        let open = self.open.iter().map(|document| document.swapped()).collect();
        Pair { a: self.b, b: self.a, open, elsewhere: self.elsewhere }
    }

    /// Least and greatest from what gives the greatest.
    pub(crate) fn ends(&self, greatest: impl Fn(&Pair<'a>) -> f64) -> (f64, f64) {
        // Not -0.
        (0.0 - greatest(&self.swapped()), greatest(self))
    }
}

/// Least and greatest difference (first less second) over all ways of judging what is unjudged, of the measure's
/// [`Measure::bounds_kind`]. Exact for measures linear in gain
/// and for nDCG, recall, reciprocal rank and success; never too narrow, but wider than need be, for others. `None` where the
/// measure has no bounds, or no value on this topic.
pub fn bounds(measure: &dyn Measure, pair: &Pair<'_>) -> Option<(f64, f64)> {
    let (a, b) = (measure.score(&pair.a).ok()?, measure.score(&pair.b).ok()?);
    let now = a.value - b.value;
    let collection = &pair.a.collection;
    // A linear measure's user may read on below the list, and complete bounds may know of documents elsewhere.
    let settled = || {
        measure.linear(collection).is_none() && !(measure.counts_missed() && measure.bounds_are_complete(collection))
    };
    if pair.is_closed() && settled() {
        return Some((now, now));
    }
    let ((a_low, a_high), (b_low, b_high)) = (a.bounds()?, b.bounds()?);
    let apart = (a_low - b_high, a_high - b_low);
    let together = match measure.linear(collection) {
        Some(form) => Some(pair.ends(|pair| greatest_linear(&form, pair))),
        None => measure.difference(pair),
    };
    let (low, high) = together.map_or(apart, |(low, high)| (low.max(apart.0), high.min(apart.1)));
    // The same terms are added in another order.
    Some(if measure.is_about_judging() { (low, high) } else { (low.min(now), high.max(now)) })
}

/// A linear measure: every document has the weight it has in the first list less that in the second.
fn greatest_linear(form: &Form<'_>, pair: &Pair<'_>) -> f64 {
    let collection = &pair.a.collection;
    let (least, greatest) = (form.gain.least(collection), form.gain.greatest(collection));
    let judged = |view: &TopicView<'_>| -> f64 {
        let ranks = &view.ranks[..form.depth(view.ranks.len())];
        let gain = |(rank, judgement): (usize, &Judgement)| {
            judgement.grade().map_or(0.0, |grade| form.weight(rank) * form.gain.of(grade))
        };
        (1..).zip(ranks).map(gain).sum()
    };
    let weight = |rank: Option<usize>| rank.map_or(0.0, |rank| form.weight(rank));
    let open: f64 = pair
        .open
        .iter()
        .map(|document| {
            let weight = weight(document.a()) - weight(document.b());
            if weight > 0.0 { weight * greatest } else { weight * least }
        })
        .sum();
    let below = form.tail(pair.a.ranks.len()) * greatest - form.tail(pair.b.ranks.len()) * least;
    judged(&pair.a) - judged(&pair.b) + open + below
}
