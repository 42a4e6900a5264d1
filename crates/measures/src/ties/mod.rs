//! What the order of documents with equal scores can do to a measure: its least, greatest and expected value over all
//! orders, every order of a group of tied documents being equally likely.
//!
//! The one decision: a measure says what kind of thing it is ([`TieRule`]) and this room does the rest. A rule is exact,
//! or there is no range and the reason is given. A measure that says nothing has its distinct orders enumerated while
//! they are few.

mod cascade;
mod enumerate;
mod lattice;
mod linear;
mod maximum;
mod order;
mod relevant;

use std::borrow::Cow;

use karat_data::{Judgement, TieGroup, TieGroups, TopicView};

use crate::example::Owned;
use crate::info::{Example, MeasureInfo};
use crate::measure::Measure;
use crate::score::Undefined;
use crate::spec;

pub use cascade::cascade;
pub use enumerate::enumerated;
pub use lattice::{Walk, lattice};
pub use maximum::expected_maximum;
pub use relevant::over_relevant;

/// Distinct orders that are enumerated where a measure has no rule of its own.
pub const MOST_ORDERS: f64 = 1e5;

const UNCLEAR: Undefined =
    Undefined { reason: "the depth (-M) cuts through tied documents before the unjudged are taken out (-J)" };

/// A topic of a run with its groups of tied documents.
#[derive(Debug, Clone, Copy)]
pub struct Tied<'a> {
    /// The topic, tied documents in the order that was chosen.
    pub view: TopicView<'a>,
    /// The groups.
    pub groups: TieGroups<'a>,
    /// Distinct orders that may be enumerated.
    pub most_orders: f64,
}

/// What the order of ties can make of a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TieRange {
    /// The least value any order gives.
    pub low: f64,
    /// The greatest value any order gives.
    pub high: f64,
    /// The mean over all orders, or why it is not known.
    pub expected: Result<f64, Undefined>,
}

/// What a document is worth to a measure.
pub type Worth<'a> = Box<dyn Fn(Judgement) -> f64 + 'a>;

/// The mean over all orders, when it is asked for.
pub type Expected<'a> = Box<dyn Fn() -> Result<f64, Undefined> + 'a>;

/// The least and greatest value over all orders.
pub type Ends<'a> = Box<dyn Fn() -> Result<(f64, f64), Undefined> + 'a>;

/// How a measure depends on the order of tied documents. All but the last kind are for measures that see no more of a
/// document than its judgement.
pub enum TieRule<'a> {
    /// Not at all.
    Constant,
    /// value = something that no order changes + sum over ranks of weight(rank) * worth(document), weights not rising.
    Linear {
        /// What a document adds.
        worth: Worth<'a>,
        /// How much of it, by rank from 1; not below 0.
        weight: Box<dyn Fn(usize) -> f64 + 'a>,
    },
    /// The more a document is worth, the higher it should stand: the two sorted orders give the ends.
    Ordered {
        /// What a document is worth.
        worth: Worth<'a>,
        /// The mean.
        expected: Expected<'a>,
        /// How the mean is come by, as a clause.
        how: &'static str,
    },
    /// Ends and mean by a method of its own.
    Own {
        /// The ends.
        ends: Ends<'a>,
        /// The mean.
        expected: Expected<'a>,
        /// How, as a clause.
        how: &'static str,
    },
    /// By scoring every distinct order.
    Enumerated,
}

impl<'a> TieRule<'a> {
    /// Linear in what documents are worth.
    pub fn linear(worth: impl Fn(Judgement) -> f64 + 'a, weight: impl Fn(usize) -> f64 + 'a) -> TieRule<'a> {
        TieRule::Linear { worth: Box::new(worth), weight: Box::new(weight) }
    }

    /// Every document `counts` of the first `cutoff` ranks, or of all, adds `each`.
    pub fn count(counts: impl Fn(Judgement) -> bool + 'a, cutoff: Option<usize>, each: f64) -> TieRule<'a> {
        let last = cutoff.unwrap_or(usize::MAX);
        TieRule::linear(
            move |judgement| if counts(judgement) { each } else { 0.0 },
            move |rank| if rank <= last { 1.0 } else { 0.0 },
        )
    }

    /// Better documents belong higher.
    pub fn ordered(
        worth: impl Fn(Judgement) -> f64 + 'a,
        how: &'static str,
        expected: impl Fn() -> Result<f64, Undefined> + 'a,
    ) -> TieRule<'a> {
        TieRule::Ordered { worth: Box::new(worth), expected: Box::new(expected), how }
    }

    /// In a sentence.
    pub fn sentence(&self) -> Cow<'static, str> {
        match self {
            TieRule::Constant => "the order of tied documents does not matter".into(),
            TieRule::Linear { .. } => {
                "exact: minimum and maximum by sorting the tied documents, mean by the mean gain of each group".into()
            }
            TieRule::Ordered { how, .. } => {
                format!("exact: minimum and maximum by sorting the tied documents, mean {how}").into()
            }
            TieRule::Own { how, .. } => format!("exact: {how}").into(),
            TieRule::Enumerated => format!(
                "exact: every distinct order is scored, up to {MOST_ORDERS} orders; beyond that there is no range"
            )
            .into(),
        }
    }
}

impl<'a> Tied<'a> {
    /// The whole ranking in blocks whose inner order is open: the groups, and every other rank by itself.
    pub fn blocks(&self) -> impl Iterator<Item = TieGroup<'a>> + use<'a> {
        let ranks = self.view.ranks;
        let mut groups = self.groups.iter().peekable();
        let mut next = 0;
        std::iter::from_fn(move || {
            let block = match groups.next_if(|group| group.start == next) {
                Some(group) => group,
                None => TieGroup { start: next, end: next + 1, members: ranks.get(next..next + 1)?, documents: &[] },
            };
            next = block.end;
            Some(block)
        })
    }
}

/// The least and greatest value of a measure over all orders of tied documents.
///
/// # Errors
/// Why there is none; the measure's own reason where some order has no value.
pub fn ends(measure: &dyn Measure, tied: &Tied<'_>) -> Result<(f64, f64), Undefined> {
    let value = measure.value(&tied.view)?;
    if tied.groups.is_unclear() {
        return Err(UNCLEAR);
    }
    let (low, high) = match measure.tie_rule(tied) {
        TieRule::Constant => (value, value),
        TieRule::Linear { worth, .. } | TieRule::Ordered { worth, .. } => order::sorted_ends(measure, tied, &worth)?,
        TieRule::Own { ends, .. } => ends()?,
        TieRule::Enumerated => {
            let all = enumerate::all(measure, tied)?;
            (all.low, all.high)
        }
    };
    // The order at hand is one of them, whatever rounding says.
    let (low, high) = (low.min(value), high.max(value));
    if low.is_finite() && high.is_finite() { Ok((low, high)) } else { Err(Undefined::TOO_LARGE) }
}

/// The least, greatest and expected value of a measure over all orders of tied documents.
///
/// # Errors
/// As [`ends`].
pub fn range(measure: &dyn Measure, tied: &Tied<'_>) -> Result<TieRange, Undefined> {
    let (low, high) = ends(measure, tied)?;
    let value = measure.value(&tied.view)?;
    let expected = match measure.tie_rule(tied) {
        TieRule::Constant => Ok(value),
        TieRule::Linear { worth, weight } => Ok(value + linear::expected_change(tied, &worth, &weight)),
        TieRule::Ordered { expected, .. } | TieRule::Own { expected, .. } => expected(),
        TieRule::Enumerated => enumerate::all(measure, tied).map(|all| all.expected),
    };
    let expected =
        expected.and_then(|mean| if mean.is_finite() { Ok(mean.clamp(low, high)) } else { Err(Undefined::TOO_LARGE) });
    Ok(TieRange { low, high, expected })
}

/// How a measure's range over the orders of ties comes about, in a sentence; by the example of the first of its row.
pub fn sentence(info: &MeasureInfo) -> Cow<'static, str> {
    let of = |example: &Example| -> Option<Cow<'static, str>> {
        let measure = spec::parse(example.measure, 1.0).and_then(|spec| spec.build()).ok()?;
        let topic = Owned::of(example).ok()?;
        let tied = Tied { view: topic.view(), groups: TieGroups::default(), most_orders: MOST_ORDERS };
        Some(measure.tie_rule(&tied).sentence())
    };
    info.examples.first().and_then(of).unwrap_or_else(|| TieRule::Enumerated.sentence())
}

/// 1 for a document judged at `level` or above, else 0.
pub fn relevance(level: f64) -> impl Fn(Judgement) -> f64 + Copy {
    move |judgement| if judgement.is_relevant(level) { 1.0 } else { 0.0 }
}
