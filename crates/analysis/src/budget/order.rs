//! The order in which to judge: what takes most out of the source `unjudged` first, by chance and by what the model has to say.
//!
//! The best next document depends on those before it, for what the model says of all that is left counts as one sum. One at a time would cost the
//! number of documents squared. Instead documents are chosen by the lot: the best of all that are left, under the sum that the lots before it left, and half
//! as many as were chosen before. The first documents, which matter, are thus chosen ten at a time, and n documents in some log₁.₅(n/20) lots. Every lot must look at
//! all that are left: where the sum pulls the other way in the end, documents that were among the last become the best.

use super::chances::{Chances, centre};
use super::documents::{Documents, Open, Worth};

/// The smallest lot.
const LOT: usize = 10;

/// A document in the order of judging.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chosen {
    pub topic: u32,
    /// Its place among those open of the topic.
    pub place: u32,
    /// What its judgement takes out of the variance of the sum over topics.
    pub removed: f64,
}

/// Documents of all topics, to be put in order.
pub(super) struct Ordering<'a> {
    pub topics: &'a [Documents],
    pub worth: &'a Worth,
    pub chances: &'a Chances,
}

impl Ordering<'_> {
    /// The document chosen.
    pub fn open(&self, chosen: &Chosen) -> (&Documents, &Open) {
        let topic = &self.topics[chosen.topic as usize];
        (topic, &topic.open[chosen.place as usize])
    }

    /// What the refits say of everything open, summed over topics.
    pub fn refits(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.chances.groups()];
        for topic in self.topics {
            for open in &topic.open {
                let effect = self.worth.effect(open.weight);
                self.chances.each_refit(open.ranks, |group, refit| sums[group] += effect * refit);
            }
            sums.iter_mut().zip(&topic.below).for_each(|(sum, below)| *sum += below);
        }
        sums
    }

    /// All documents in order.
    pub fn order(&self) -> Vec<Chosen> {
        let mut all: Vec<Chosen> = Vec::with_capacity(self.topics.iter().map(|topic| topic.open.len()).sum());
        for (topic, documents) in (0..).zip(self.topics) {
            all.extend((0..documents.open.len() as u32).map(|place| Chosen { topic, place, removed: 0.0 }));
        }
        let (mut left, centred) = (self.refits(), self.chances.centred());
        centre(&mut left);
        let mut done = 0;
        while done < all.len() {
            let end = (done + LOT.max(done / 2)).min(all.len());
            self.best_first(&mut all[done..], end - done, &left, &centred);
            all[done..end].sort_unstable_by(before);
            for chosen in &all[done..end] {
                let effect = self.worth.effect(self.open(chosen).1.weight);
                centred.each_refit(self.open(chosen).1.ranks, |group, refit| left[group] -= effect * refit);
            }
            done = end;
        }
        all
    }

    /// Puts the `count` best first, in any order.
    fn best_first(&self, all: &mut [Chosen], count: usize, left: &[f64], centred: &Chances) {
        for chosen in all.iter_mut() {
            chosen.removed = self.removed(chosen, left, centred);
        }
        if count < all.len() {
            all.select_nth_unstable_by(count, before);
        }
    }

    /// The document's own variance, and what is gone of the sum of squares of what the refits say once it is out of the sum.
    fn removed(&self, chosen: &Chosen, left: &[f64], centred: &Chances) -> f64 {
        let (topic, open) = self.open(chosen);
        let (effect, groups) = (self.worth.effect(open.weight), left.len().max(1) as f64);
        let mut of_fit = 0.0;
        centred.each_refit(open.ranks, |group, refit| of_fit += effect * refit * (2.0 * left[group] - effect * refit));
        let own = topic.together * self.worth.variance(open.weight, self.chances.chance(open.ranks));
        own + (groups - 1.0) / groups * of_fit
    }
}

fn before(a: &Chosen, b: &Chosen) -> std::cmp::Ordering {
    b.removed.total_cmp(&a.removed).then((a.topic, a.place).cmp(&(b.topic, b.place)))
}

#[cfg(test)]
mod tests {
    use karat_stats::seed::Seed;

    use super::*;
    use crate::budget::chances::table;

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
    fn left_over(ordering: &Ordering<'_>, order: &[Chosen]) -> f64 {
        let mut refits = ordering.refits();
        let centred = ordering.chances.centred();
        centre(&mut refits);
        let fit = |refits: &[f64]| 0.75 * refits.iter().map(|sum| sum * sum).sum::<f64>();
        let own = |chosen: &Chosen| {
            let (topic, open) = ordering.open(chosen);
            topic.together * ordering.worth.variance(open.weight, ordering.chances.chance(open.ranks))
        };
        let (mut chance, mut sum) = (order.iter().map(own).sum::<f64>(), 0.0);
        for chosen in order {
            chance -= own(chosen);
            let open = ordering.open(chosen).1;
            centred.each_refit(open.ranks, |group, refit| refits[group] -= open.weight * refit);
            sum += chance + fit(&refits);
        }
        sum
    }

    /// Always the best of all that are left, so many at once.
    fn rounds(ordering: &Ordering<'_>, lot: usize) -> Vec<Chosen> {
        let (mut left, mut order) = (ordering.order(), Vec::new());
        let (mut refits, centred) = (ordering.refits(), ordering.chances.centred());
        centre(&mut refits);
        while !left.is_empty() {
            ordering.best_first(&mut left, usize::MAX, &refits, &centred);
            left.sort_unstable_by(before);
            for best in left.drain(..lot.min(left.len())) {
                let open = ordering.open(&best).1;
                centred.each_refit(open.ranks, |group, refit| refits[group] -= open.weight * refit);
                order.push(best);
            }
        }
        order
    }

    #[test]
    fn as_good_as_choosing_one_by_one() {
        for seed in 0..5 {
            let (topics, chances) = random(seed, 30);
            let ordering = Ordering { topics: &topics, worth: &Worth::EFFECT, chances: &chances };
            let order = ordering.order();
            // Every document once.
            let mut places: Vec<(u32, u32)> = order.iter().map(|chosen| (chosen.topic, chosen.place)).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), 30 * 40);
            let (lots, singly) = (left_over(&ordering, &order), left_over(&ordering, &rounds(&ordering, 1)));
            let even = left_over(&ordering, &rounds(&ordering, (30usize * 40).div_ceil(60).max(10)));
            // Sixty lots of equal size, which cost more, are no better.
            assert!(lots < 1.005 * singly && lots < even, "{lots} {singly} {even}");
        }
    }

    #[test]
    fn without_refits_the_order_is_by_variance() {
        let open = [0.1, 0.3, -0.2, 0.3].map(|weight| Open { weight, ranks: [1, 0] });
        let topics = [Documents { open: open.into(), ..Documents::default() }];
        let chances = table(&[(0.5, &[])]);
        let order = Ordering { topics: &topics, worth: &Worth::EFFECT, chances: &chances }.order();
        // Equal ones as they come; .3² · .5 · .5 = .0225.
        assert_eq!(order.iter().map(|chosen| chosen.place).collect::<Vec<_>>(), [1, 3, 2, 0]);
        assert!((order[0].removed - 0.0225).abs() < 1e-15);
    }
}
