//! What coefficients are functions of: counts that add up over items, kept by group of items.
//!
//! The one decision: an item with labels of m judges stands for m (m − 1) ordered pairs of labels. [`Tally`] has them twice:
//! each item weighing 1 (observed agreement, Fleiss, Gwet) and each label weighing 1 (Krippendorff's coincidences).

use super::{Coefficient, Labels, Of, Undefined};
use std::collections::BTreeMap;

/// Items labelled by both of two judges: how often the first gave category `a` and the second `b`.
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion {
    categories: usize,
    counts: Vec<f64>,
}

impl Confusion {
    /// No items yet.
    pub fn new(categories: usize) -> Confusion {
        Confusion { categories, counts: vec![0.0; categories * categories] }
    }

    /// Categories of the scale.
    pub fn categories(&self) -> usize {
        self.categories
    }

    /// Items with category `a` of the first judge and `b` of the second.
    pub fn at(&self, a: usize, b: usize) -> f64 {
        self.counts[a * self.categories + b]
    }

    /// All items.
    pub fn items(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The share of each category in the first judge's labels and in the second's; `None` without items.
    pub fn shares(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let items = self.items();
        let k = self.categories;
        let first = (0..k).map(|a| (0..k).map(|b| self.at(a, b)).sum::<f64>() / items).collect();
        let second = (0..k).map(|b| (0..k).map(|a| self.at(a, b)).sum::<f64>() / items).collect();
        (items > 0.0).then_some((first, second))
    }

    /// The share of items on which they agree; `None` without items.
    pub fn agreement(&self) -> Option<f64> {
        let items = self.items();
        (items > 0.0).then(|| (0..self.categories).map(|a| self.at(a, a)).sum::<f64>() / items)
    }
}

/// Counts over any number of judges.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// The scale's grades.
    pub(super) scale: Vec<f64>,
    /// Items with a label, and with at least two.
    pub(super) labelled: f64,
    pub(super) shared: f64,
    /// Sum over labelled items of the share of their labels in each category.
    pub(super) shares: Vec<f64>,
    /// Ordered pairs of an item's labels, each item weighing 1: n_c (n_k − δ) / (m (m − 1)).
    pub(super) pairs: Vec<f64>,
    /// The same, each label weighing 1: n_c (n_k − δ) / (m − 1), Krippendorff's coincidences.
    pub(super) coincidences: Vec<f64>,
}

impl Tally {
    fn new(scale: &[f64]) -> Tally {
        let k = scale.len();
        let (shares, pairs, coincidences) = (vec![0.0; k], vec![0.0; k * k], vec![0.0; k * k]);
        Tally { scale: scale.to_vec(), labelled: 0.0, shared: 0.0, shares, pairs, coincidences }
    }

    fn add_item(&mut self, labels: &[(u32, u16)]) {
        let m = labels.len() as f64;
        if labels.is_empty() {
            return;
        }
        self.labelled += 1.0;
        labels.iter().for_each(|label| self.shares[label.1 as usize] += 1.0 / m);
        if labels.len() < 2 {
            return;
        }
        self.shared += 1.0;
        let k = self.scale.len();
        for (place, one) in labels.iter().enumerate() {
            for other in labels.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, other)| other) {
                let cell = one.1 as usize * k + other.1 as usize;
                self.pairs[cell] += 1.0 / (m * (m - 1.0));
                self.coincidences[cell] += 1.0 / (m - 1.0);
            }
        }
    }

    fn add(&mut self, other: &Tally, times: f64) {
        self.labelled += times * other.labelled;
        self.shared += times * other.shared;
        let lists = [(&mut self.shares, &other.shares), (&mut self.pairs, &other.pairs)];
        for (sum, terms) in lists.into_iter().chain([(&mut self.coincidences, &other.coincidences)]) {
            sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum += times * term);
        }
    }

    /// Mean over items of the share of pairs of labels that are equal; `None` where no item has two.
    pub fn agreement(&self) -> Option<f64> {
        let k = self.scale.len();
        let equal: f64 = (0..k).map(|a| self.pairs[a * k + a]).sum();
        (self.shared > 0.0).then(|| equal / self.shared)
    }

    /// Mean over labelled items of the share of each category; `None` without items.
    pub fn mean_shares(&self) -> Option<Vec<f64>> {
        (self.labelled > 0.0).then(|| self.shares.iter().map(|share| share / self.labelled).collect())
    }
}

/// Two judges, the lower number first.
type Pair = (u32, u32);

/// Labels counted by group.
#[derive(Clone, Debug)]
pub struct Counted {
    scale: Vec<f64>,
    /// Pairs of judges with an item in common.
    pairs: Vec<Pair>,
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    tally: Tally,
    /// Cell of the pairs' tables, and items in it.
    cells: Vec<(u32, f64)>,
}

impl Counted {
    /// Every item counted once, in one group.
    pub fn new(labels: &Labels) -> Counted {
        Counted::by_group(labels, &vec![0; labels.items()])
    }

    /// Items by group, the query they belong to; items without a group number (a list cut short) are in group 0.
    pub fn by_group(labels: &Labels, groups: &[usize]) -> Counted {
        let k = labels.scale().len();
        let group_of = |item: usize| groups.get(item).copied().unwrap_or(0);
        let count = (0..labels.items()).map(group_of).max().map_or(1, |last| last + 1);
        let mut pairs: BTreeMap<Pair, u32> = BTreeMap::new();
        let mut tallies = vec![Tally::new(labels.scale()); count];
        let mut cells = vec![BTreeMap::<(Pair, u32), f64>::new(); count];
        for item in 0..labels.items() {
            let given = labels.of(item);
            tallies[group_of(item)].add_item(given);
            for (place, one) in given.iter().enumerate() {
                for other in &given[place + 1..] {
                    pairs.insert((one.0, other.0), 0);
                    let cell = u32::from(one.1) * k as u32 + u32::from(other.1);
                    *cells[group_of(item)].entry(((one.0, other.0), cell)).or_default() += 1.0;
                }
            }
        }
        pairs.values_mut().zip(0..).for_each(|(number, next)| *number = next);
        let numbered = |((pair, cell), items): (&(Pair, u32), &f64)| {
            let number = pairs.get(pair).copied().unwrap_or(0);
            (number * (k * k) as u32 + cell, *items)
        };
        let groups = tallies.into_iter().zip(&cells);
        let groups =
            groups.map(|(tally, cells)| Group { tally, cells: cells.iter().map(numbered).collect() }).collect();
        Counted { scale: labels.scale().to_vec(), pairs: pairs.into_keys().collect(), groups }
    }

    /// Groups with at least one item labelled by two judges.
    pub fn groups(&self) -> usize {
        self.groups.iter().filter(|group| group.tally.shared > 0.0).count()
    }

    /// Groups in all.
    pub(super) fn slots(&self) -> usize {
        self.groups.len()
    }

    /// Items labelled by at least two judges.
    pub fn items(&self) -> u64 {
        self.groups.iter().map(|group| group.tally.shared).sum::<f64>() as u64
    }

    /// Pairs of judges with an item in common.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// The coefficient over all items.
    ///
    /// # Errors
    /// It is undefined, with the reason.
    pub fn value(&self, coefficient: &Coefficient) -> Result<f64, Undefined> {
        self.weighted(coefficient, &vec![1; self.groups.len()])
    }

    /// The coefficient with every group taken so many times.
    pub(super) fn weighted(&self, coefficient: &Coefficient, times: &[u32]) -> Result<f64, Undefined> {
        let taken = || self.groups.iter().zip(times).filter(|(_, times)| **times > 0);
        match coefficient.of {
            Of::AnyJudges(of) => {
                let mut sum = Tally::new(&self.scale);
                taken().for_each(|(group, &times)| sum.add(&group.tally, f64::from(times)));
                of(&sum)
            }
            Of::TwoJudges(of) => {
                let k = self.scale.len();
                let mut cells = vec![0.0; self.pairs.len() * k * k];
                for (group, &times) in taken() {
                    group.cells.iter().for_each(|(cell, items)| cells[*cell as usize] += f64::from(times) * items);
                }
                mean_of_pairs(cells.chunks_exact(k * k), k, of)
            }
        }
    }

    /// The table of a pair of judges, over all items; judges as [`Counted::pairs`] has them.
    pub fn confusion(&self, pair: (u32, u32)) -> Option<Confusion> {
        let number = self.pairs.iter().position(|&known| known == pair)?;
        let mut confusion = Confusion::new(self.scale.len());
        let size = confusion.counts.len();
        for (cell, items) in self.groups.iter().flat_map(|group| &group.cells) {
            if *cell as usize / size == number {
                confusion.counts[*cell as usize % size] += items;
            }
        }
        Some(confusion)
    }
}

/// The mean over the pairs that have a value; the reason of the first when none has.
fn mean_of_pairs<'a>(
    tables: impl Iterator<Item = &'a [f64]>,
    categories: usize,
    of: fn(&Confusion) -> Result<f64, Undefined>,
) -> Result<f64, Undefined> {
    let (mut sum, mut defined, mut reason) = (0.0, 0.0, Undefined::NoOverlap);
    for table in tables {
        match of(&Confusion { categories, counts: table.to_vec() }) {
            Ok(value) => (sum, defined) = (sum + value, defined + 1.0),
            Err(Undefined::NoOverlap) => {}
            Err(other) => reason = other,
        }
    }
    if defined > 0.0 { Ok(sum / defined) } else { Err(reason) }
}

#[cfg(test)]
mod tests {
    use super::super::COEFFICIENTS;
    use super::*;

    #[test]
    fn groups_add_up_to_the_whole() {
        let mut labels = Labels::new(&[0.0, 1.0, 2.0], 3).unwrap();
        for item in 0..30usize {
            let grade = |judge: usize| ((item * (judge + 2) + judge) % 3) as f64;
            labels.push((0..3).filter(|judge| (item + judge) % 5 > 0).map(|judge| (judge, grade(judge)))).unwrap();
        }
        let groups: Vec<usize> = (0..30).map(|item| item % 4).collect();
        let (whole, split) = (Counted::new(&labels), Counted::by_group(&labels, &groups));
        assert_eq!((whole.groups(), split.groups(), whole.pairs().len()), (1, 4, 3));
        assert_eq!(whole.items(), split.items());
        for row in COEFFICIENTS {
            let (a, b) = (whole.value(row).unwrap(), split.value(row).unwrap());
            assert!((a - b).abs() < 1e-12, "{}: {a} {b}", row.name);
            // Taking all groups twice changes no share, so nothing but Krippendorff's small-sample term.
            let twice = split.weighted(row, &[2; 4]).unwrap();
            assert!(row.name.starts_with("krippendorff") || (a - twice).abs() < 1e-12, "{}", row.name);
        }
        let (pair, confusion) = (labels.pair(0, 2), whole.confusion((0, 2)).unwrap());
        assert_eq!(Counted::new(&pair).confusion((0, 1)), Some(confusion));
    }
}
