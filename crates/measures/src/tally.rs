//! Counting documents of a ranking: what the set measures and the bounds of counts have in common.

use karat_data::{Judgement, TopicView};

/// The ranks down to a cut-off, or all of them.
#[inline]
pub fn first<'a>(view: &TopicView<'a>, cutoff: Option<usize>) -> &'a [Judgement] {
    &view.ranks[..cutoff.unwrap_or(usize::MAX).min(view.ranks.len())]
}

/// Documents judged at `level` or above.
#[inline]
pub fn relevant(ranks: &[Judgement], level: f64) -> usize {
    ranks.iter().filter(|judgement| judgement.is_relevant(level)).count()
}

/// Documents without a grade.
#[inline]
pub fn unjudged(ranks: &[Judgement]) -> usize {
    ranks.iter().filter(|judgement| !judgement.is_judged()).count()
}

/// The greatest count [`relevant`] could become: the unjudged count too, unless no grade reaches the level.
#[inline]
pub fn possibly_relevant(view: &TopicView<'_>, ranks: &[Judgement], level: f64) -> usize {
    let more = if view.collection.max_grade >= level { unjudged(ranks) } else { 0 };
    relevant(ranks, level) + more
}
