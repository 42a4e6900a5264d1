//! Bounds of measures of pairs (a relevant and a non-relevant document): bpref and the ROC area over all completions.
//!
//! With every document judged, the k-th relevant document at rank r has r - k non-relevant ones above it. For each number
//! of newly relevant retrieved documents, from the top (high) or the bottom (low), and each number of missed ones, the
//! measure is looked at. What it needs of a completion is a sum over the retrieved relevant documents, and that sum is
//! taken from what never changes (the judged documents above each document), not by going over the ranks again: for u
//! unjudged documents retrieved, m missed and r judged relevant ones, u (r + m + log u) steps.

use karat_data::TopicView;

use super::Open;

/// A completed topic, as far as pairs are concerned.
pub(crate) struct Completed {
    /// Relevant documents, retrieved or not.
    pub relevant: f64,
    /// Non-relevant documents, retrieved or not.
    pub nonrelevant: f64,
    /// Relevant documents retrieved.
    pub found: f64,
    /// Non-relevant documents retrieved.
    pub junk: f64,
    /// The sum over the retrieved relevant documents of the non-relevant ones above them, each at most the limit.
    pub above: f64,
}

/// Steps that are worth it for one topic; above, there are no bounds.
const MOST_STEPS: usize = 20_000_000;

fn too_much(view: &TopicView<'_>, open: Open) -> bool {
    open.retrieved.saturating_mul(view.ranks.len() + open.missed) > MOST_STEPS
}

/// No limit.
pub(crate) fn unlimited(_: usize) -> usize {
    usize::MAX
}

/// Least and greatest value over all completions, `None` where there are too many documents to try all numbers of them; a
/// completion without a value is passed over. `limit` says from R how many of the non-relevant documents above a relevant
/// one count; it must not fall as R grows.
pub(crate) fn bounds(
    view: &TopicView<'_>,
    level: f64,
    limit: impl Fn(usize) -> usize,
    value: impl Fn(&Completed) -> Option<f64>,
) -> Option<(f64, f64)> {
    let open = Open::of(view, level);
    if too_much(view, open) {
        return None;
    }
    let relevant = view.facts.relevant(level) as usize;
    let judged_non = view.facts.judged_nonrelevant(level) as usize;
    // Where no grade reaches the level, the unjudged documents all turn out non-relevant.
    let unjudged = Open::all(view);
    let total = judged_non + unjudged.retrieved + unjudged.missed;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let ranks = Ranks::of(view, level);
    let mut own = Vec::with_capacity(ranks.relevant.len());
    for from_top in [true, false] {
        for newly in 0..=open.retrieved {
            let found = ranks.relevant.len() + newly;
            let mut sums = ranks.complete(newly, from_top, limit(relevant + newly), &mut own);
            for missed in 0..=open.missed {
                let more = newly + missed;
                let completed = Completed {
                    relevant: (relevant + more) as f64,
                    nonrelevant: (total - more) as f64,
                    found: found as f64,
                    junk: (view.ranks.len() - found) as f64,
                    above: sums.at_most(limit(relevant + more)) as f64,
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

/// What stands above the documents that are or may turn out relevant, in rank order.
struct Ranks {
    /// For each judged relevant document the judged non-relevant and the unjudged ones above it.
    relevant: Vec<(usize, usize)>,
    /// For each unjudged document the judged non-relevant ones above it.
    unjudged: Vec<usize>,
    /// The sum of the first so many of these.
    sums: Vec<usize>,
}

impl Ranks {
    fn of(view: &TopicView<'_>, level: f64) -> Ranks {
        let (mut relevant, mut unjudged, mut sums) = (Vec::new(), Vec::new(), vec![0]);
        let (mut nonrelevant, mut sum) = (0, 0);
        for judgement in view.ranks {
            if !judgement.is_judged() {
                unjudged.push(nonrelevant);
                sum += nonrelevant;
                sums.push(sum);
            } else if judgement.is_relevant(level) {
                relevant.push((nonrelevant, unjudged.len()));
            } else {
                nonrelevant += 1;
            }
        }
        Ranks { relevant, unjudged, sums }
    }

    /// With the first or last `newly` of the unjudged documents relevant and the others not: sums for limits from `limit`.
    fn complete<'a>(&'a self, newly: usize, from_top: bool, limit: usize, own: &'a mut Vec<usize>) -> Sums<'a> {
        own.clear();
        let others = self.unjudged.len() - newly;
        // The newly relevant are together: from the top none of the other unjudged ones is above them, from the bottom all.
        let (start, shift) = if from_top {
            own.extend(self.relevant.iter().map(|&(junk, unjudged)| junk + unjudged.saturating_sub(newly)));
            (0, 0)
        } else {
            own.extend(self.relevant.iter().map(|&(junk, unjudged)| junk + unjudged.min(others)));
            (others, others)
        };
        let above = &self.unjudged[start..start + newly];
        let at = above.partition_point(|junk| junk + shift <= limit);
        let sum = self.sums[start + at] - self.sums[start] + at * shift;
        Sums { judged: Clipped { above: own, shift: 0, at: 0, sum: 0 }, newly: Clipped { above, shift, at, sum } }
    }
}

/// Sums over the judged and over the newly relevant documents.
struct Sums<'a> {
    judged: Clipped<'a>,
    newly: Clipped<'a>,
}

impl Sums<'_> {
    /// Both; limits must not fall from call to call.
    fn at_most(&mut self, limit: usize) -> usize {
        self.judged.at_most(limit) + self.newly.at_most(limit)
    }
}

/// The sum of min(above + shift, limit) over documents in rank order, so that those below the limit come first.
struct Clipped<'a> {
    above: &'a [usize],
    shift: usize,
    /// How many are known to be at most the limit, and their sum.
    at: usize,
    sum: usize,
}

impl Clipped<'_> {
    #[inline]
    fn at_most(&mut self, limit: usize) -> usize {
        while let Some(above) = self.above.get(self.at).map(|above| above + self.shift)
            && above <= limit
        {
            self.sum += above;
            self.at += 1;
        }
        self.sum + (self.above.len() - self.at) * limit
    }
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
    /// How many retrieved relevant documents have so many non-relevant ones above them.
    at: Vec<f64>,
}

impl Work {
    /// Makes the first or last `newly` of the unjudged documents relevant and the others not.
    fn complete(&mut self, view: &TopicView<'_>, level: f64, unjudged: usize, newly: usize, from_top: bool) {
        self.at.clear();
        self.at.resize(view.ranks.len() + 1, 0.0);
        let (mut junk, mut met) = (0, 0);
        for judgement in view.ranks {
            let becomes = if judgement.is_judged() {
                judgement.is_relevant(level)
            } else {
                met += 1;
                if from_top { met <= newly } else { met + newly > unjudged && newly > 0 }
            };
            if becomes {
                self.at[junk] += 1.0;
            } else {
                junk += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use karat_data::{CollectionFacts, Grade, Judgement, TopicFacts};
    use proptest::prelude::*;

    use super::*;

    fn judgement() -> impl Strategy<Value = Judgement> {
        prop_oneof![
            4 => Just(Judgement::Unpooled),
            1 => Just(Judgement::PooledUnjudged),
            2 => Just(Judgement::Grade(Grade::ZERO)),
            2 => Just(Judgement::Grade(Grade::ONE)),
        ]
    }

    /// The literal form: every completion goes over the ranks and adds up what stands above each relevant document.
    fn literal(
        view: &TopicView<'_>,
        level: f64,
        limit: impl Fn(usize) -> usize,
        value: impl Fn(&Completed) -> Option<f64>,
    ) -> Option<(f64, f64)> {
        let (open, all) = (Open::of(view, level), Open::all(view));
        let relevant = view.facts.relevant(level) as usize;
        let others = view.facts.judged_nonrelevant(level) as usize + all.retrieved + all.missed;
        let mut values = Vec::new();
        for from_top in [true, false] {
            for newly in 0..=open.retrieved {
                for missed in 0..=open.missed {
                    let (mut junk, mut met, mut found, mut above) = (0, 0, 0, 0);
                    let most = limit(relevant + newly + missed);
                    for judgement in view.ranks {
                        met += usize::from(!judgement.is_judged());
                        let becomes = if from_top { met <= newly } else { met + newly > open.retrieved };
                        let may = open.retrieved > 0 && !judgement.is_judged();
                        if judgement.is_relevant(level) || may && becomes {
                            found += 1;
                            above += junk.min(most);
                        } else {
                            junk += 1;
                        }
                    }
                    values.extend(value(&Completed {
                        relevant: (relevant + newly + missed) as f64,
                        nonrelevant: (others - newly - missed) as f64,
                        found: found as f64,
                        junk: junk as f64,
                        above: above as f64,
                    }));
                }
            }
        }
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        low.is_finite().then_some((low, high))
    }

    proptest! {
        /// Bit for bit: sums are of whole numbers, and what is made of them is the same function.
        #[test]
        fn sums_from_what_never_changes_are_those_of_going_over_the_ranks(
            ranks in prop::collection::vec(judgement(), 0..30),
            (more_relevant, more_not) in (0u32..4, 0u32..6),
            (missed, below) in (0u32..4, 0u32..4),
            max_grade in prop_oneof![4 => Just(1.0), 1 => Just(0.0)],
        ) {
            let count = |is: &dyn Fn(&Judgement) -> bool| ranks.iter().filter(|one| is(one)).count() as u32;
            let found = count(&|one| one.is_relevant(1.0));
            let others = count(&|one| one.is_judged_nonrelevant(1.0));
            let pooled = count(&|one| *one == Judgement::PooledUnjudged);
            let grades = [(Grade::ZERO, others + more_not), (Grade::ONE, found + more_relevant)];
            let facts = TopicFacts { grades: &grades, pooled_unjudged: pooled + missed };
            let collection = CollectionFacts { max_grade, ..CollectionFacts::default() };
            let view = TopicView { ranks: &ranks, below, facts, collection, details: Default::default() };
            let bpref = |of: &Completed| {
                let divisor = of.nonrelevant.min(of.relevant);
                let lost = if divisor == 0.0 { 0.0 } else { of.above / divisor };
                Some(if of.relevant == 0.0 { 0.0 } else { (of.found - lost) / of.relevant })
            };
            let area = |of: &Completed| {
                let pairs = of.relevant * of.nonrelevant;
                let tied = (of.relevant - of.found) * (of.nonrelevant - of.junk);
                (pairs > 0.0).then(|| (of.found * of.nonrelevant - of.above + 0.5 * tied) / pairs)
            };
            let limits: [fn(usize) -> usize; 4] = [unlimited, |relevant| relevant, |relevant| 10 + relevant, |_| 2];
            for limit in limits {
                prop_assert_eq!(bounds(&view, 1.0, limit, bpref), literal(&view, 1.0, limit, bpref));
                prop_assert_eq!(bounds(&view, 1.0, limit, area), literal(&view, 1.0, limit, area));
            }
        }
    }
}
