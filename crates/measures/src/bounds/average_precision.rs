//! Bounds of AP and of what else depends on its sum of precisions and R: exact, in time linear in the ranks.
//!
//! With r_1 < r_2 < ... the ranks of the relevant documents, R * AP = sum of k / r_k. High: the unjudged documents become
//! relevant from the top, one after the other, and after each the quotient is looked at; missed ones stay non-relevant.
//! Low: from the bottom, and all missed ones are relevant. A document that becomes relevant at rank t adds its own
//! precision and 1/r for each relevant document below it, both at hand in one pass.
//!
//! AP itself is a mean, so it rises exactly when what a document adds is more than the mean so far, and that shows where
//! it turns. High: from one unjudged document to the next below it, with no judged one between them, the addition
//! grows (1 - n/t + constant at rank t, n non-relevant above). So within such a stretch AP falls first and then rises, its
//! ends are all to look at, and the sum over it is known from the harmonic numbers. Low: going up, the addition grows
//! all the way, so AP falls until it first rises, and there the search ends. Lists of which nearly all is
//! unjudged cost hardly more than being looked through ([`average`]).

use std::sync::LazyLock;

use karat_data::{Judgement, TopicView};

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

/// Score of AP: one look at the ranks tells what is judged and what is open, and from that comes the value too.
pub(crate) fn average(view: &TopicView<'_>, cutoff: Option<usize>, level: f64) -> Score {
    let known = Known::of(view, cutoff, level);
    let value = if known.relevant > 0.0 { known.precisions / known.relevant } else { 0.0 };
    if known.open.is_closed() {
        return Score::exact(value);
    }
    Score::within(value, least_average(view, &known).min(value), greatest_average(view, &known).max(value))
}

/// Least and greatest value of such a measure.
pub(crate) fn ends(
    view: &TopicView<'_>,
    cutoff: Option<usize>,
    level: f64,
    measure: impl Fn(f64, f64) -> f64,
) -> (f64, f64) {
    let known = Known::of(view, cutoff, level);
    (low(view, &known, &measure), high(view, &known, &measure))
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
    /// What is not judged.
    open: Open,
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
            open: Open { retrieved: 0, missed: 0 },
        };
        let (mut retrieved, mut pooled) = (0, 0);
        for (index, judgement) in view.ranks.iter().enumerate() {
            match judgement {
                Judgement::Unpooled => retrieved += 1,
                Judgement::PooledUnjudged => (retrieved, pooled) = (retrieved + 1, pooled + 1),
                Judgement::Grade(grade) if grade.value() >= level => {
                    known.found += 1.0;
                    if index < known.cutoff {
                        known.precisions += known.found / (index + 1) as f64;
                        known.reciprocals += known.share(index);
                    }
                }
                Judgement::Grade(_) => {}
            }
        }
        known.open = Open::counted(view, level, retrieved, pooled);
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

fn low(view: &TopicView<'_>, known: &Known, measure: &impl Fn(f64, f64) -> f64) -> f64 {
    let relevant = known.relevant + known.open.missed as f64;
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

/// As [`high`] for AP, in one step for each stretch of unjudged documents.
fn greatest_average(view: &TopicView<'_>, known: &Known) -> f64 {
    let mut best = quotient(known.precisions, known.relevant);
    let (mut sum, mut seen, mut below, mut added) = (known.precisions, 0.0, known.reciprocals, 0.0);
    let ranks = &view.ranks[..known.cutoff.min(view.ranks.len())];
    let mut start = 0;
    while start < ranks.len() {
        let unjudged = ranks[start..].iter().take_while(|judgement| !judgement.is_judged()).count();
        let end = start + unjudged;
        if unjudged > 0 {
            // At rank t stand t - n relevant documents, n of those above the stretch being non-relevant.
            let nonrelevant = start as f64 - seen - added;
            added += unjudged as f64;
            sum += unjudged as f64 * (1.0 + below) - nonrelevant * reciprocals(start, end);
            best = best.max(quotient(sum, known.relevant + added));
        }
        if ranks.get(end).is_some_and(|judgement| judgement.is_relevant(known.level)) {
            seen += 1.0;
            below -= known.share(end);
        }
        start = end + 1;
    }
    best
}

/// As [`low`] for AP, which ends where AP rises.
fn least_average(view: &TopicView<'_>, known: &Known) -> f64 {
    let relevant = known.relevant + known.open.missed as f64;
    let mut least = quotient(known.precisions, relevant);
    let (mut sum, mut above, mut below, mut added) = (known.precisions, known.found, 0.0, 0.0);
    for (index, judgement) in view.ranks.iter().enumerate().rev() {
        let share = known.share(index);
        if judgement.is_relevant(known.level) {
            above -= 1.0;
            below += share;
        } else if !judgement.is_judged() {
            let more = (above + 1.0) * share + below;
            if more >= least {
                break;
            }
            added += 1.0;
            sum += more;
            below += share;
            least = least.min(quotient(sum, relevant + added));
        }
    }
    least
}

const TABLED: usize = 1024;

/// The sum of 1/rank over the first so many ranks.
static HARMONIC: LazyLock<[f64; TABLED]> = LazyLock::new(|| {
    let mut sum = 0.0;
    std::array::from_fn(|ranks| {
        sum += if ranks == 0 { 0.0 } else { 1.0 / ranks as f64 };
        sum
    })
});

/// The sum of 1/rank over the ranks after the first `start` down to `end`.
fn reciprocals(start: usize, end: usize) -> f64 {
    let tabled = end.min(TABLED - 1);
    let first = if start < tabled { HARMONIC[tabled] - HARMONIC[start] } else { 0.0 };
    (start.max(tabled)..end).fold(first, |sum, index| sum + 1.0 / (index + 1) as f64)
}

#[cfg(test)]
mod tests {
    use karat_data::{Grade, TopicFacts};
    use proptest::prelude::*;

    use super::*;

    fn judgement() -> impl Strategy<Value = Judgement> {
        prop_oneof![
            6 => Just(Judgement::Unpooled),
            1 => Just(Judgement::PooledUnjudged),
            1 => Just(Judgement::Grade(Grade::ZERO)),
            1 => Just(Judgement::Grade(Grade::ONE)),
        ]
    }

    proptest! {
        #[test]
        fn stretches_and_an_early_end_are_what_looking_at_every_number_finds(
            // Short lists with much of everything, and ones that are longer than the table and nearly all unjudged.
            short in prop::collection::vec(judgement(), 0..40),
            repeated in prop_oneof![3 => Just(1usize), 1 => 2usize..60],
            more_relevant in 0u32..4,
            missed in 0u32..3,
            below in 0u32..3,
            cutoff in prop_oneof![Just(None), (1usize..60).prop_map(Some)],
        ) {
            let ranks: Vec<Judgement> = short.iter().flat_map(|&judgement| {
                let times = if judgement.is_judged() { 1 } else { repeated };
                std::iter::repeat_n(judgement, times)
            }).collect();
            let found = ranks.iter().filter(|judgement| judgement.is_relevant(1.0)).count() as u32;
            let pooled = ranks.iter().filter(|judgement| **judgement == Judgement::PooledUnjudged).count() as u32;
            let grades = [(Grade::ONE, found + more_relevant)];
            let facts = TopicFacts { grades: &grades, pooled_unjudged: pooled + missed };
            let view = TopicView {
                ranks: &ranks, below, facts, collection: Default::default(), details: Default::default(),
            };
            let known = Known::of(&view, cutoff, 1.0);
            let (least, greatest) = ends(&view, cutoff, 1.0, quotient);
            prop_assert_eq!(known.open, Open::of(&view, 1.0));
            prop_assert_eq!(average(&view, cutoff, 1.0).value, crate::average_precision::value(&view, cutoff, 1.0));
            prop_assert!((least_average(&view, &known) - least).abs() < 1e-12);
            prop_assert!((greatest_average(&view, &known) - greatest).abs() < 1e-12);
        }
    }

    #[test]
    fn sums_of_reciprocals_across_the_end_of_the_table() {
        // 1/3 + 1/4, and the last rank of the table with the two after it.
        assert!((reciprocals(2, 4) - 7.0 / 12.0).abs() < 1e-15);
        let after: f64 = (1023..=1025).map(|rank| 1.0 / f64::from(rank)).sum();
        assert!((reciprocals(1022, 1025) - after).abs() < 1e-12);
        assert!((reciprocals(2000, 2001) - 1.0 / 2001.0).abs() < 1e-18);
        assert_eq!(reciprocals(1023, 1023), 0.0);
    }
}
