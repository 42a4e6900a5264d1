//! Measures linear in gain: P@k, RBP, DCG, CG and their kin.
//!
//! Two functions in (the weight of a rank, the weight below a depth); score, bounds and the measure's [`Form`] out, from
//! which follow mean and variance under chances of relevance, and judging priorities. A measure is a user model: how much
//! attention each rank gets.

use karat_data::{CollectionFacts, Judgement, TopicView};

use crate::score::Score;

/// Attention by rank.
pub trait Weighting {
    /// The weight of a rank, from 1. Zero below a cut-off.
    fn weight(&self, rank: usize) -> f64;

    /// The weight of `rank` from that of the rank before: the same number as [`Weighting::weight`] up to rounding,
    /// where a weight is cheaper that way (RBP's running product instead of a power at every rank).
    #[inline]
    fn next(&self, rank: usize, _before: f64) -> f64 {
        self.weight(rank)
    }

    /// The sum of the weights of all ranks below `depth` that could still hold a document the user would see: 0 for a
    /// measure with a cut-off (a list that ends early has nothing there), p^depth for RBP (the list could have gone on).
    fn tail(&self, depth: usize) -> f64;

    /// Ranks from this one on have weight 0.
    fn last(&self) -> Option<usize>;
}

/// What a document is worth by its judgement.
pub trait Gain {
    /// The gain of a grade.
    fn of(&self, grade: f64) -> f64;

    /// The greatest gain a document of this collection can have, or the least number above all of them.
    fn greatest(&self, collection: &CollectionFacts) -> f64;

    /// The least gain any document can have (0, unless a custom gain is negative).
    fn least(&self, collection: &CollectionFacts) -> f64;
}

/// Score and bounds of a linear measure: unjudged documents count 0 in the value, the least gain in `low`, the greatest
/// in `high`; the tail counts as unjudged.
pub fn score(view: &TopicView<'_>, weighting: &impl Weighting, gain: &impl Gain) -> Score {
    let depth = weighting.last().unwrap_or(usize::MAX).min(view.ranks.len());
    let (mut value, mut unjudged, mut weight) = (0.0, 0.0, 0.0);
    for (index, judgement) in view.ranks[..depth].iter().enumerate() {
        weight = if index == 0 { weighting.weight(1) } else { weighting.next(index + 1, weight) };
        match *judgement {
            Judgement::Grade(grade) => value += weight * gain.of(grade.value()),
            Judgement::PooledUnjudged | Judgement::Unpooled => unjudged += weight,
        }
    }
    unjudged += weighting.tail(depth);
    let (least, greatest) = (gain.least(&view.collection), gain.greatest(&view.collection));
    if unjudged == 0.0 {
        return Score::exact(value);
    }
    Score::within(value, value + unjudged * least, value + unjudged * greatest)
}

/// A measure as the sum over ranks of weight × gain, for those who ask what one judgement can do, or put chances in the place
/// of judgements.
pub struct Form<'a> {
    weighting: &'a dyn Weighting,
    by: f64,
    /// What documents are worth.
    pub gain: Box<dyn Gain + 'a>,
}

impl<'a> Form<'a> {
    /// The form of `weighting` and `gain`, its weights divided by `by` (k for P@k).
    pub fn new(weighting: &'a dyn Weighting, gain: impl Gain + 'a, by: f64) -> Form<'a> {
        Form { weighting, by, gain: Box::new(gain) }
    }

    /// What a gain of 1 at a rank, from 1, adds to the score.
    pub fn weight(&self, rank: usize) -> f64 {
        if self.last().is_some_and(|last| rank > last) { 0.0 } else { self.weighting.weight(rank) / self.by }
    }

    /// What gains of 1 at all ranks below a list of so many documents would add, see [`Weighting::tail`].
    pub fn tail(&self, ranks: usize) -> f64 {
        self.weighting.tail(self.depth(ranks)) / self.by
    }

    /// Ranks below this one have weight 0.
    pub fn last(&self) -> Option<usize> {
        self.weighting.last()
    }

    /// How many of `ranks` can count.
    pub fn depth(&self, ranks: usize) -> usize {
        self.last().unwrap_or(usize::MAX).min(ranks)
    }
}

/// Gain 1 for a document at or above a level, else 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binary {
    /// The least grade that is relevant.
    pub level: f64,
}

impl Gain for Binary {
    #[inline]
    fn of(&self, grade: f64) -> f64 {
        if grade >= self.level { 1.0 } else { 0.0 }
    }

    /// 0 when the collection's largest grade is below the level: then nothing can be relevant.
    fn greatest(&self, collection: &CollectionFacts) -> f64 {
        self.of(collection.max_grade)
    }

    fn least(&self, _: &CollectionFacts) -> f64 {
        0.0
    }
}
