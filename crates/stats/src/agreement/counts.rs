//! What coefficients are functions of: counts that add up over items, kept by group of items.
//!
//! The one decision: an item with labels of m judges stands for m (m − 1) ordered pairs of labels. [`Tally`] has them twice:
//! each item weighing 1 (observed agreement, Fleiss, Gwet) and each label weighing 1 (Krippendorff's coincidences). Counts are kept for
//! the grades that were given (and the scale's lowest, to which overlap looks), so that a scale of 201 grades costs what is used of it;
//! where a coefficient asks for the declared scale, it is told the places and the number of grades.

use super::{Coefficient, Labels, Of, Undefined};
use std::collections::BTreeMap;

/// Tables of all pairs of judges are kept up to so many pairs of labels; beyond, they are made anew one judge after another.
const MOST_KEPT: usize = 200_000;

/// Numbers that a resample of all pairs may go through; a thousand resamples of it take seconds.
const MOST_RESAMPLED: usize = 100_000;

/// Items labelled by both of two judges: how often the first gave category `a` and the second `b`.
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion {
    categories: usize,
    counts: Vec<f64>,
    /// Where each category stands in the declared scale.
    places: Vec<f64>,
}

impl Confusion {
    /// Where a category stands in the declared scale, from 0.
    pub fn place(&self, category: usize) -> f64 {
        self.places[category]
    }

    /// Categories that are counted: the scale's lowest grade, then those given.
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
    /// The grades that are counted.
    pub(super) scale: Vec<f64>,
    /// Grades of the declared scale.
    pub(super) declared: usize,
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
    fn new(scale: &[f64], declared: usize) -> Tally {
        let k = scale.len();
        let (shares, pairs, coincidences) = (vec![0.0; k], vec![0.0; k * k], vec![0.0; k * k]);
        Tally { scale: scale.to_vec(), declared, labelled: 0.0, shared: 0.0, shares, pairs, coincidences }
    }

    fn add_item(&mut self, labels: &[(u32, u16)], category: &[usize]) {
        let m = labels.len() as f64;
        if labels.is_empty() {
            return;
        }
        self.labelled += 1.0;
        labels.iter().for_each(|label| self.shares[category[label.1 as usize]] += 1.0 / m);
        if labels.len() < 2 {
            return;
        }
        self.shared += 1.0;
        let k = self.scale.len();
        let mut given = vec![0.0; k];
        labels.iter().for_each(|label| given[category[label.1 as usize]] += 1.0);
        let used: Vec<usize> = (0..k).filter(|&a| given[a] > 0.0).collect();
        for &a in &used {
            for &b in &used {
                let ordered = given[a] * (given[b] - f64::from(u8::from(a == b)));
                self.pairs[a * k + b] += ordered / (m * (m - 1.0));
                self.coincidences[a * k + b] += ordered / (m - 1.0);
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
    /// The grades that are counted.
    scale: Vec<f64>,
    /// Their places in the declared scale.
    places: Vec<f64>,
    declared: usize,
    /// Pairs of judges with an item in common; none where there are too many to keep.
    pairs: Vec<Pair>,
    groups: Vec<Group>,
    /// The labels, categories as counted, where the tables of pairs are too many to keep: items by judge, and judges by item.
    unkept: Option<Unkept>,
}

#[derive(Clone, Debug)]
struct Unkept {
    by_judge: Vec<Vec<(u32, usize)>>,
    by_item: Vec<Vec<(u32, usize)>>,
}

impl Unkept {
    fn new(labels: &Labels, category: &[usize]) -> Unkept {
        let mut by_judge = vec![Vec::new(); labels.judges()];
        let mut by_item = Vec::with_capacity(labels.items());
        for item in 0..labels.items() {
            let given = labels.of(item).iter().map(|&(judge, place)| (judge, category[usize::from(place)]));
            let given: Vec<(u32, usize)> = given.collect();
            given.iter().for_each(|&(judge, own)| by_judge[judge as usize].push((item as u32, own)));
            by_item.push(given);
        }
        Unkept { by_judge, by_item }
    }
}

/// The places of the scale that labels use, the first always among them.
fn used_places(labels: &Labels) -> Vec<usize> {
    let mut used = vec![false; labels.scale().len()];
    used[0] = true;
    (0..labels.items()).flat_map(|item| labels.of(item)).for_each(|label| used[usize::from(label.1)] = true);
    (0..used.len()).filter(|&place| used[place]).collect()
}

/// A cell of the pairs' tables, and items in it.
type PairCell = (u32, f64);

/// The pairs of judges with an item in common, and by group the cells of their tables of `k` by `k`.
fn pair_cells(
    labels: &Labels,
    category: &[usize],
    k: usize,
    groups: usize,
    group_of: impl Fn(usize) -> usize,
) -> (Vec<Pair>, Vec<Vec<PairCell>>) {
    let mut pairs: BTreeMap<Pair, u32> = BTreeMap::new();
    let mut cells = vec![BTreeMap::<(Pair, u32), f64>::new(); groups];
    for item in 0..labels.items() {
        let given = labels.of(item);
        for (place, one) in given.iter().enumerate() {
            for other in &given[place + 1..] {
                pairs.insert((one.0, other.0), 0);
                let cell = (category[usize::from(one.1)] * k + category[usize::from(other.1)]) as u32;
                *cells[group_of(item)].entry(((one.0, other.0), cell)).or_default() += 1.0;
            }
        }
    }
    pairs.values_mut().zip(0..).for_each(|(number, next)| *number = next);
    let numbered = |((pair, cell), items): (&(Pair, u32), &f64)| {
        let number = pairs.get(pair).copied().unwrap_or(0);
        (number * (k * k) as u32 + cell, *items)
    };
    let numbers = cells.iter().map(|cells| cells.iter().map(numbered).collect()).collect();
    (pairs.into_keys().collect(), numbers)
}

#[derive(Clone, Debug)]
struct Group {
    tally: Tally,
    cells: Vec<PairCell>,
}

impl Counted {
    /// Every item counted once, in one group.
    pub fn new(labels: &Labels) -> Counted {
        Counted::by_group(labels, &vec![0; labels.items()])
    }

    /// Items by group, the query they belong to; items without a group number (a list cut short) are in group 0.
    pub fn by_group(labels: &Labels, groups: &[usize]) -> Counted {
        let declared = labels.scale().len();
        let kept = used_places(labels);
        let mut category = vec![0; declared];
        kept.iter().enumerate().for_each(|(number, &place)| category[place] = number);
        let scale: Vec<f64> = kept.iter().map(|&place| labels.scale()[place]).collect();
        let places: Vec<f64> = kept.iter().map(|&place| place as f64).collect();
        let group_of = |item: usize| groups.get(item).copied().unwrap_or(0);
        let count = (0..labels.items()).map(group_of).max().map_or(1, |last| last + 1);
        let mut tallies = vec![Tally::new(&scale, declared); count];
        (0..labels.items()).for_each(|item| tallies[group_of(item)].add_item(labels.of(item), &category));
        let of_item = |item: usize| labels.of(item).len() * labels.of(item).len().saturating_sub(1) / 2;
        if (0..labels.items()).map(of_item).sum::<usize>() > MOST_KEPT {
            let groups = tallies.into_iter().map(|tally| Group { tally, cells: Vec::new() }).collect();
            let unkept = Some(Unkept::new(labels, &category));
            return Counted { scale, places, declared, pairs: Vec::new(), groups, unkept };
        }
        let (pairs, cells) = pair_cells(labels, &category, scale.len(), count, group_of);
        let groups = tallies.into_iter().zip(cells).map(|(tally, cells)| Group { tally, cells }).collect();
        Counted { scale, places, declared, pairs, groups, unkept: None }
    }

    /// Whether resampling a coefficient that is a mean over pairs of judges would take too long.
    pub(super) fn too_many_pairs(&self, coefficient: &Coefficient) -> bool {
        let cells: usize = self.groups.iter().map(|group| group.cells.len()).sum();
        let work = cells + self.pairs.len() * self.scale.len() * self.scale.len();
        // One pair is never too many.
        matches!(coefficient.of, Of::TwoJudges(_))
            && (self.unkept.is_some() || self.pairs.len() > 1 && work > MOST_RESAMPLED)
    }

    /// How often two judges gave an item these places of the scale, over all pairs; of each pair the lower judge first.
    pub fn places_together(&self) -> BTreeMap<(usize, usize), f64> {
        let k = self.scale.len();
        let mut sums = vec![0.0; k * k];
        for (cell, items) in self.groups.iter().flat_map(|group| &group.cells) {
            sums[*cell as usize % (k * k)] += items;
        }
        if let Some(unkept) = &self.unkept {
            for given in &unkept.by_item {
                // Of the labels before it, so many of each category.
                let mut before = vec![0.0; k];
                for &(_, own) in given {
                    (0..k).for_each(|other| sums[other * k + own] += before[other]);
                    before[own] += 1.0;
                }
            }
        }
        let place = |number: usize| self.places[number] as usize;
        let cells = sums.into_iter().enumerate().filter(|(_, items)| *items > 0.0);
        cells.map(|(cell, items)| ((place(cell / k), place(cell % k)), items)).collect()
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
                let mut sum = Tally::new(&self.scale, self.declared);
                taken().for_each(|(group, &times)| sum.add(&group.tally, f64::from(times)));
                of(&sum)
            }
            Of::TwoJudges(of) => {
                if let Some(unkept) = &self.unkept {
                    return self.mean_of_unkept(unkept, of);
                }
                let k = self.scale.len();
                let mut cells = vec![0.0; self.pairs.len() * k * k];
                for (group, &times) in taken() {
                    group.cells.iter().for_each(|(cell, items)| cells[*cell as usize] += f64::from(times) * items);
                }
                mean_of_pairs(cells.chunks_exact(k * k), &self.places, of)
            }
        }
    }

    /// The table of a pair of judges, over all items; judges as [`Counted::pairs`] has them.
    pub fn confusion(&self, pair: (u32, u32)) -> Option<Confusion> {
        let number = self.pairs.iter().position(|&known| known == pair)?;
        let k = self.scale.len();
        let mut confusion = Confusion { categories: k, counts: vec![0.0; k * k], places: self.places.clone() };
        let size = confusion.counts.len();
        for (cell, items) in self.groups.iter().flat_map(|group| &group.cells) {
            if *cell as usize / size == number {
                confusion.counts[*cell as usize % size] += items;
            }
        }
        Some(confusion)
    }

    /// The mean over all pairs, whose tables are made for one judge at a time.
    fn mean_of_unkept(&self, unkept: &Unkept, of: fn(&Confusion) -> Result<f64, Undefined>) -> Result<f64, Undefined> {
        let size = self.scale.len() * self.scale.len();
        let mut mean = Mean::default();
        for (judge, own) in unkept.by_judge.iter().enumerate() {
            let mut tables: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
            for &(item, first) in own {
                for &(other, second) in unkept.by_item[item as usize].iter().filter(|label| label.0 as usize > judge) {
                    let table = tables.entry(other).or_insert_with(|| vec![0.0; size]);
                    table[first * self.scale.len() + second] += 1.0;
                }
            }
            tables.values().for_each(|table| mean.add(table, &self.places, of));
        }
        mean.value()
    }
}

/// The mean over the pairs that have a value.
struct Mean {
    sum: f64,
    defined: f64,
    reason: Undefined,
}

impl Default for Mean {
    fn default() -> Mean {
        Mean { sum: 0.0, defined: 0.0, reason: Undefined::NoOverlap }
    }
}

impl Mean {
    fn add(&mut self, table: &[f64], places: &[f64], of: fn(&Confusion) -> Result<f64, Undefined>) {
        match of(&Confusion { categories: places.len(), counts: table.to_vec(), places: places.to_vec() }) {
            Ok(value) => (self.sum, self.defined) = (self.sum + value, self.defined + 1.0),
            Err(Undefined::NoOverlap) => {}
            Err(other) => self.reason = other,
        }
    }

    /// The mean, or a reason when no pair has a value.
    fn value(&self) -> Result<f64, Undefined> {
        if self.defined > 0.0 { Ok(self.sum / self.defined) } else { Err(self.reason) }
    }
}

/// The mean over the pairs that have a value; the reason of the first when none has.
fn mean_of_pairs<'a>(
    tables: impl Iterator<Item = &'a [f64]>,
    places: &[f64],
    of: fn(&Confusion) -> Result<f64, Undefined>,
) -> Result<f64, Undefined> {
    let mut mean = Mean::default();
    tables.for_each(|table| mean.add(table, places, of));
    mean.value()
}

#[cfg(test)]
mod tests {
    use super::super::COEFFICIENTS;
    use super::*;

    #[test]
    fn grades_nobody_gave_cost_nothing_and_count() {
        // Observed 2/4; on places 0, 100, 200 of 201 grades. Randolph (.5 − 1/201)/(1 − 1/201) = 99.5/200.
        let scale: Vec<f64> = (-100..=100).map(f64::from).collect();
        let mut labels = Labels::new(&scale, 2).unwrap();
        for (a, b) in [(-100.0, -100.0), (0.0, 0.0), (0.0, 100.0), (100.0, 0.0)] {
            labels.push([(0, a), (1, b)]).unwrap();
        }
        let counted = Counted::new(&labels);
        let value = |name: &str| counted.value(super::super::find(name).unwrap()).unwrap();
        assert_eq!(counted.scale.len(), 3);
        assert!((value("randolph") - 99.5 / 200.0).abs() < 1e-12);
        // Shares (1, 2, 1)/4 of both. Linear: observed 2 · 100/4 = 50; expected 100 (4 · 2 + 2 · 2)/16 = 75. 1 − 50/75.
        assert!((value("cohen_linear") - 1.0 / 3.0).abs() < 1e-12);
        // AC1: (3/16 + 4/16 + 3/16)/200 = .003125; (.5 − .003125)/(1 − .003125).
        assert!((value("gwet_ac1") - 0.496875 / 0.996875).abs() < 1e-12);
        // Three of four items are relevant to both, and the fourth to neither.
        assert_eq!(value("overlap"), 1.0);
        assert_eq!(counted.places_together()[&(100, 200)], 1.0);
    }

    #[test]
    fn many_judges_as_few() {
        // 700 judges of one item: 244,650 pairs of labels, of which half (a, b) with a and b of the same parity, less one each.
        let mut labels = Labels::new(&[0.0, 1.0], 700).unwrap();
        labels.push((0..700).map(|judge| (judge, (judge % 2) as f64))).unwrap();
        let counted = Counted::new(&labels);
        assert!(counted.unkept.is_some());
        // Overlap: 350 · 349/2 pairs 1, 350² pairs 0, the others found nothing relevant.
        let (both, one) = (350.0 * 349.0 / 2.0, 350.0 * 350.0);
        assert!((counted.value(super::super::find("overlap").unwrap()).unwrap() - both / (both + one)).abs() < 1e-12);
        assert_eq!(counted.places_together()[&(1, 1)], both);
        assert_eq!(counted.places_together()[&(0, 1)] + counted.places_together()[&(1, 0)], one);
    }

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
