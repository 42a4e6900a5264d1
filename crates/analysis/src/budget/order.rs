//! The order in which to judge: what removes most from the source `unjudged` first, by chance and by what the model has to say.
//!
//! The best next document depends on those before it, for what the model says of all that is left counts as one sum. One at a time would cost the
//! number of documents squared. Instead documents are chosen in lots: the best of all that are left, under the sum that the lots before left, half
//! as many as were chosen before. The first documents, which matter, are thus chosen ten at a time.
//!
//! Every lot must look at all that are left: where the sum pulls the other way in the end, documents that were among the last become the best. While
//! little is chosen, though, the sum hardly moves. The next few lots are then chosen from twice as many candidates as they need, for as long as no
//! other document can have become better ([`Candidates::are_best`]). An order is kept as numbers of documents, counted over all topics, because there
//! may be millions.

use super::documents::{Documents, Open, Worth};
use crate::document_effects::chances::{Chances, centre};

/// The smallest lot.
const LOT: usize = 10;
/// No lot is larger than this part of all documents.
const LARGEST_PART: usize = 16;
/// Several lots share their candidates while fewer than this part of all documents are chosen.
const FEW_PART: usize = 512;
/// Such lots together are so many times as large as what is chosen before.
const LOTS_TOGETHER: usize = 8;

/// Documents of all topics, to be put in order.
pub(super) struct Ordering<'a> {
    pub topics: &'a [Documents],
    pub worth: &'a Worth,
    pub chances: &'a Chances,
    /// What the refits say of all documents, less its mean.
    pub refits: &'a [f64],
    /// Chances whose refits have mean 0.
    centred: Chances,
    /// The number of each topic's first document, and that of all documents.
    starts: Vec<u32>,
}

/// A document that may be chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    number: u32,
    /// What its judgement removes from the variance of the sum over topics.
    removed: f64,
}

/// The best documents under one sum.
struct Candidates<'s> {
    best: Vec<Candidate>,
    sum: Sum<'s>,
    /// No other document removes more under that sum.
    others: f64,
}

impl Candidates<'_> {
    /// Whether no other document can remove more than this under another sum. Between the sums what a document of effect e removes changes
    /// by e times the change of its rank's product, twice, or once for each of its two ranks. `largest` is the largest effect by rank.
    fn are_best(&self, removed: f64, sum: &Sum<'_>, largest: &[f64]) -> bool {
        let products = self.sum.products.iter().zip(&sum.products).zip(largest);
        let change = products.map(|((then, now), largest)| largest * (then - now).abs()).fold(0.0, f64::max);
        removed >= self.others + 2.0 * sum.part * change
    }
}

impl<'a> Ordering<'a> {
    /// Of these documents; `refits` are their [`centred_refits`].
    pub fn new(topics: &'a [Documents], worth: &'a Worth, chances: &'a Chances, refits: &'a [f64]) -> Ordering<'a> {
        let ends = topics.iter().scan(0, |end, topic| {
            *end += topic.open.len() as u32;
            Some(*end)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        Ordering { topics, worth, chances, refits, centred: chances.centred(), starts }
    }

    /// How many documents there are.
    fn count(&self) -> usize {
        self.starts.last().map_or(0, |end| *end as usize)
    }

    /// A document by its number: the place of its topic, and itself.
    #[inline]
    pub fn document(&self, number: u32) -> (usize, Open) {
        let topic = self.starts.partition_point(|start| *start <= number) - 1;
        (topic, self.topics[topic].open.get((number - self.starts[topic]) as usize))
    }

    /// Takes a document out of what the refits say.
    pub fn remove(&self, open: Open, left: &mut [f64]) {
        let effect = self.worth.effect(open.weight);
        self.centred.each_refit(open.ranks, |group, refit| left[group] -= effect * refit);
    }

    /// The numbers of all documents in order.
    pub fn order(&self) -> Vec<u32> {
        let (all, largest) = (self.count(), self.largest_effects());
        let (mut left, mut order) = (self.refits.to_vec(), Vec::with_capacity(all));
        let mut is_chosen = vec![false; all];
        while order.len() < all {
            let few = order.len() < all / FEW_PART;
            let wanted = if few { LOTS_TOGETHER * (order.len() + LOT) } else { lot(order.len(), all) };
            let wanted = wanted.min(all - order.len());
            let mut candidates = self.best(&is_chosen, if few { 2 * wanted } else { wanted }, self.sum(&left));
            let (start, end) = (order.len(), order.len() + wanted);
            while order.len() < end {
                let (size, sum) = (lot(order.len(), all).min(all - order.len()), self.sum(&left));
                if size > candidates.best.len() {
                    break;
                }
                if order.len() > start {
                    self.look_again(&mut candidates.best, &sum);
                }
                best_first(&mut candidates.best, size);
                let least = candidates.best[size - 1].removed;
                if order.len() > start && !candidates.are_best(least, &sum, &largest) {
                    break;
                }
                for chosen in candidates.best.drain(..size) {
                    self.remove(self.document(chosen.number).1, &mut left);
                    is_chosen[chosen.number as usize] = true;
                    order.push(chosen.number);
                }
            }
        }
        order
    }

    /// By rank, the largest effect of a document, whatever its sign.
    fn largest_effects(&self) -> Vec<f64> {
        let mut largest = vec![0.0f64; self.chances.deepest()];
        for open in self.topics.iter().flat_map(|topic| topic.open.iter()) {
            let effect = self.worth.effect(open.weight).abs();
            for rank in open.ranks.into_iter().filter(|rank| *rank > 0) {
                let known = &mut largest[rank as usize - 1];
                *known = known.max(effect);
            }
        }
        largest
    }

    /// What each of the first `most` judgements in order removes from the variance of the sum over topics.
    pub fn removed(&self, order: &[u32], most: usize) -> Vec<f64> {
        let (mut left, mut removed) = (self.refits.to_vec(), Vec::new());
        while removed.len() < most.min(order.len()) {
            let end = removed.len() + lot(removed.len(), order.len());
            let (lot, sum) = (&order[removed.len()..end.min(order.len())], self.sum(&left));
            removed.extend(lot.iter().map(|&number| {
                let (topic, open) = self.document(number);
                sum.removed(&self.topics[topic], open)
            }));
            lot.iter().for_each(|&number| self.remove(self.document(number).1, &mut left));
        }
        removed.truncate(most);
        removed
    }

    /// The best `count` documents that are not chosen.
    fn best<'s>(&'s self, is_chosen: &[bool], count: usize, sum: Sum<'s>) -> Candidates<'s> {
        // Room for a few more than are wanted.
        let room = count + (count / 4).max(1_000);
        let mut found: Vec<Candidate> = Vec::with_capacity(room.min(self.count()));
        let mut others = f64::NEG_INFINITY;
        let mut number = 0;
        for topic in self.topics {
            for open in topic.open.iter() {
                // A bound that is quickly known leaves most of them out.
                let may_be_best = |bound: f64| bound >= others || bound.is_nan();
                if !is_chosen[number as usize] && may_be_best(sum.at_most(topic, open)) {
                    found.push(Candidate { number, removed: sum.removed(topic, open) });
                    if found.len() == room {
                        others = keep_best(&mut found, count);
                    }
                }
                number += 1;
            }
        }
        if found.len() > count {
            others = keep_best(&mut found, count);
        }
        Candidates { best: found, sum, others }
    }

    /// Computes what candidates remove under another sum.
    fn look_again(&self, candidates: &mut [Candidate], sum: &Sum<'_>) {
        for candidate in candidates {
            let (topic, open) = self.document(candidate.number);
            candidate.removed = sum.removed(&self.topics[topic], open);
        }
    }

    /// The sum `left`, to see what documents remove under it.
    fn sum<'s>(&'s self, left: &[f64]) -> Sum<'s> {
        let groups = left.len().max(1) as f64;
        Sum { ordering: self, products: self.centred.products(left), part: (groups - 1.0) / groups }
    }
}

/// What the refits say of all that is left.
struct Sum<'s> {
    ordering: &'s Ordering<'s>,
    /// By rank, the product of the sum with what the refits say of the rank.
    products: Vec<f64>,
    /// The jackknife's (G − 1)/G.
    part: f64,
}

impl Sum<'_> {
    /// What the judgement of a document removes: its own variance, and what is gone of the sum of squares of what the refits say
    /// once it is out of the sum, 2 e r·left − e² r².
    fn removed(&self, topic: &Documents, open: Open) -> f64 {
        let effect = self.ordering.worth.effect(open.weight);
        let removed =
            self.at_most(topic, open) - self.part * effect * effect * self.ordering.centred.square(open.ranks);
        // What has no number comes last.
        if removed.is_nan() { f64::NEG_INFINITY } else { removed }
    }

    /// The same without the last term, which is never negative.
    #[inline]
    fn at_most(&self, topic: &Documents, open: Open) -> f64 {
        let Ordering { worth, chances, .. } = self.ordering;
        let at = |rank: u32| self.products[rank as usize - 1];
        let product = match open.ranks {
            [0, 0] => 0.0,
            [rank, 0] | [0, rank] => at(rank),
            [a, b] => (at(a) + at(b)) / 2.0,
        };
        let variance = topic.together * worth.variance(open.weight, chances.chance(open.ranks));
        variance + self.part * 2.0 * worth.effect(open.weight) * product
    }
}

/// Puts the `count` best candidates first, in order.
fn best_first(candidates: &mut [Candidate], count: usize) {
    if count < candidates.len() {
        candidates.select_nth_unstable_by(count, before);
    }
    candidates[..count].sort_unstable_by(before);
}

/// Keeps the best `count` of them; none of the others removes more than the number returned.
fn keep_best(found: &mut Vec<Candidate>, count: usize) -> f64 {
    found.select_nth_unstable_by(count - 1, before);
    found.truncate(count);
    found[count - 1].removed
}

/// What the refits say of everything open, summed over topics, less its mean.
pub(super) fn centred_refits(topics: &[Documents], worth: &Worth, chances: &Chances) -> Vec<f64> {
    let mut sums = vec![0.0; chances.groups()];
    for topic in topics {
        for open in topic.open.iter() {
            let effect = worth.effect(open.weight);
            chances.each_refit(open.ranks, |group, refit| sums[group] += effect * refit);
        }
        sums.iter_mut().zip(&topic.below).for_each(|(sum, below)| *sum += below);
    }
    centre(&mut sums);
    sums
}

/// The size of the next lot.
fn lot(chosen: usize, all: usize) -> usize {
    (chosen / 2).min(all / LARGEST_PART).max(LOT)
}

fn before(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.removed.total_cmp(&a.removed).then(a.number.cmp(&b.number))
}

#[cfg(test)]
mod tests {
    use karat_stats::seed::Seed;

    use super::*;
    use crate::document_effects::chances::table;

    const GROUPS: usize = 4;

    /// Topics of random documents: a model whose refits disagree, and differences that pull both ways.
    fn random(seed: u64, topics: usize) -> (Vec<Documents>, Chances) {
        let mut stream = Seed(seed).stream("order", 0);
        let rows: Vec<(f64, Vec<f64>)> = (1..=40)
            .map(|rank| {
                let chance = 0.5 / f64::from(rank);
                (chance, (0..GROUPS).map(|_| chance * (0.8 + 0.4 * stream.unit())).collect())
            })
            .collect();
        let chances = table(&rows.iter().map(|(chance, refits)| (*chance, refits.as_slice())).collect::<Vec<_>>());
        let topic = |_| {
            let open = (1..=40).map(|rank| Open { weight: (stream.unit() - 0.3) / f64::from(rank), ranks: [rank, 0] });
            Documents { open: open.collect(), ..Documents::default() }
        };
        ((0..topics).map(topic).collect(), chances)
    }

    /// What is left of `unjudged` after each judgement, in that order, added up.
    fn left_over(ordering: &Ordering<'_>, order: &[u32]) -> f64 {
        let mut refits = ordering.refits.to_vec();
        let fit = |refits: &[f64]| 0.75 * refits.iter().map(|sum| sum * sum).sum::<f64>();
        let own = |number: &u32| {
            let (topic, open) = ordering.document(*number);
            let variance = ordering.worth.variance(open.weight, ordering.chances.chance(open.ranks));
            ordering.topics[topic].together * variance
        };
        let (mut chance, mut sum) = (order.iter().map(own).sum::<f64>(), 0.0);
        for number in order {
            chance -= own(number);
            ordering.remove(ordering.document(*number).1, &mut refits);
            sum += chance + fit(&refits);
        }
        sum
    }

    /// Always the best of all that are left, so many at once.
    fn rounds(ordering: &Ordering<'_>, lot: usize) -> Vec<u32> {
        let (mut left, mut order) = (ordering.refits.to_vec(), Vec::new());
        let mut all: Vec<Candidate> =
            (0..ordering.count() as u32).map(|number| Candidate { number, removed: 0.0 }).collect();
        while !all.is_empty() {
            let size = all.len();
            ordering.look_again(&mut all, &ordering.sum(&left));
            best_first(&mut all, size);
            for best in all.drain(..lot.min(size)) {
                ordering.remove(ordering.document(best.number).1, &mut left);
                order.push(best.number);
            }
        }
        order
    }

    /// By definition: every lot is the best of all that are left.
    fn literal(ordering: &Ordering<'_>) -> Vec<u32> {
        let (mut left, mut order) = (ordering.refits.to_vec(), Vec::new());
        let all = ordering.count();
        let mut rest: Vec<Candidate> = (0..all as u32).map(|number| Candidate { number, removed: 0.0 }).collect();
        while !rest.is_empty() {
            let size = lot(order.len(), all).min(rest.len());
            ordering.look_again(&mut rest, &ordering.sum(&left));
            best_first(&mut rest, size);
            for best in rest.drain(..size) {
                ordering.remove(ordering.document(best.number).1, &mut left);
                order.push(best.number);
            }
        }
        order
    }

    #[test]
    fn shared_candidates_change_nothing() {
        for seed in 0..5 {
            // 12 000 documents: lots share candidates while fewer than 23 are chosen.
            let (topics, chances) = random(seed, 300);
            let refits = centred_refits(&topics, &Worth::EFFECT, &chances);
            let ordering = Ordering::new(&topics, &Worth::EFFECT, &chances, &refits);
            assert_eq!(ordering.order(), literal(&ordering));
        }
    }

    #[test]
    fn as_good_as_choosing_one_by_one() {
        for seed in 0..5 {
            let (topics, chances) = random(seed, 30);
            let refits = centred_refits(&topics, &Worth::EFFECT, &chances);
            let ordering = Ordering::new(&topics, &Worth::EFFECT, &chances, &refits);
            let order = ordering.order();
            // Every document once.
            let mut numbers = order.clone();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..30 * 40).collect::<Vec<u32>>());
            let (lots, singly) = (left_over(&ordering, &order), left_over(&ordering, &rounds(&ordering, 1)));
            let even = left_over(&ordering, &rounds(&ordering, (30usize * 40).div_ceil(60).max(10)));
            // Sixty lots of equal size, which cost more, are no better.
            assert!(lots < 1.005 * singly && lots < even, "{lots} {singly} {even}");
        }
    }

    #[test]
    fn without_refits_the_order_is_by_variance() {
        let open = [0.1, 0.3, -0.2, 0.3].map(|weight| Open { weight, ranks: [1, 0] });
        let topics = [Documents { open: open.into_iter().collect(), ..Documents::default() }];
        let chances = table(&[(0.5, &[])]);
        let refits = centred_refits(&topics, &Worth::EFFECT, &chances);
        let ordering = Ordering::new(&topics, &Worth::EFFECT, &chances, &refits);
        let order = ordering.order();
        // Equal ones as they come; .3² · .5 · .5 = .0225, .2² · .5 · .5 = .01.
        assert_eq!(order, [1, 3, 2, 0]);
        let removed = ordering.removed(&order, 3);
        assert!((removed[0] - 0.0225).abs() < 1e-15 && (removed[2] - 0.01).abs() < 1e-15 && removed.len() == 3);
    }
}
