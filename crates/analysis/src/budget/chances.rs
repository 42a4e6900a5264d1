//! How likely a document is relevant by its ranks, as tables.
//!
//! The one decision: models know ranks and nothing else of a document, so a document needs to keep its ranks only. Its chance, and what each refit
//! of the model says of it, are looked up.

use crate::unjudged::Belief;

/// The ranks of a document in the runs, from 1; 0 where a run does not have it.
pub(super) type Ranks = [u32; 2];

/// Chances by rank.
#[derive(Debug, Clone, Default)]
pub(super) struct Chances {
    chances: Vec<f64>,
    /// What the refits say, rank by rank.
    refits: Vec<f64>,
    groups: usize,
}

impl Chances {
    /// For ranks down to `deepest`.
    pub fn new(belief: &Belief, deepest: usize) -> Chances {
        let mut table = Chances { groups: belief.chances(1).1.len(), ..Chances::default() };
        for rank in 1..=deepest {
            let (chance, refits) = belief.chances(rank);
            table.chances.push(chance);
            table.refits.extend_from_slice(&refits);
        }
        table
    }

    /// Groups of topics that were left out in turn.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The chance of a document: the mean over the ranks it has, as truths are drawn.
    pub fn chance(&self, ranks: Ranks) -> f64 {
        match ranks {
            [0, 0] => 0.0,
            [rank, 0] | [0, rank] => self.chances[rank as usize - 1],
            [a, b] => (self.chances[a as usize - 1] + self.chances[b as usize - 1]) / 2.0,
        }
    }

    /// Calls `with` with the number of each refit and what it says of the document.
    pub fn each_refit(&self, ranks: Ranks, mut with: impl FnMut(usize, f64)) {
        let row = |rank: u32| &self.refits[(rank as usize - 1) * self.groups..][..self.groups];
        match ranks {
            [0, 0] => {}
            [rank, 0] | [0, rank] => row(rank).iter().enumerate().for_each(|(group, refit)| with(group, *refit)),
            [a, b] => {
                let both = row(a).iter().zip(row(b)).enumerate();
                both.for_each(|(group, (a, b))| with(group, (a + b) / 2.0));
            }
        }
    }

    /// The product of what the refits say of the document with other numbers of theirs, and with itself.
    pub fn products(&self, ranks: Ranks, others: &[f64]) -> (f64, f64) {
        let row = |rank: u32| &self.refits[(rank as usize - 1) * self.groups..][..self.groups];
        match ranks {
            [0, 0] => (0.0, 0.0),
            [rank, 0] | [0, rank] => {
                let row = row(rank);
                (dot(row, others), dot(row, row))
            }
            [a, b] => {
                let (a, b) = (row(a), row(b));
                // (a + b)/2 with others, and with itself.
                let with = (dot(a, others) + dot(b, others)) / 2.0;
                (with, (dot(a, a) + 2.0 * dot(a, b) + dot(b, b)) / 4.0)
            }
        }
    }

    /// The same table with what the refits say less its mean over them: all that their spread depends on.
    pub fn centred(&self) -> Chances {
        let mut table = self.clone();
        for row in table.refits.chunks_mut(self.groups.max(1)) {
            centre(row);
        }
        table
    }
}

/// The sum of products, in four sums that do not wait for each other.
fn dot(one: &[f64], other: &[f64]) -> f64 {
    let (ones, others) = (one.chunks_exact(4), other.chunks_exact(4));
    let rest: f64 = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (one, other) in ones.zip(others) {
        for (sum, (a, b)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += a * b;
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Takes the mean out.
pub(super) fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|value| *value -= mean);
}

#[cfg(test)]
pub(super) fn table(rows: &[(f64, &[f64])]) -> Chances {
    Chances {
        chances: rows.iter().map(|(chance, _)| *chance).collect(),
        refits: rows.iter().flat_map(|(_, refits)| refits.iter().copied()).collect(),
        groups: rows.first().map_or(0, |(_, refits)| refits.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_any_length() {
        // 1² + ... + n² = n (n + 1) (2n + 1)/6.
        for n in 0..12 {
            let numbers: Vec<f64> = (1..=n).map(f64::from).collect();
            let n = f64::from(n);
            assert_eq!(dot(&numbers, &numbers), n * (n + 1.0) * (2.0 * n + 1.0) / 6.0);
        }
    }

    #[test]
    fn a_document_in_both_runs_has_the_mean_of_its_ranks() {
        let chances = table(&[(0.5, &[0.4, 0.8]), (0.25, &[0.2, 0.4])]);
        assert_eq!([[1, 0], [0, 2], [1, 2], [0, 0]].map(|ranks| chances.chance(ranks)), [0.5, 0.25, 0.375, 0.0]);
        // (.4 + .2)/2 and (.8 + .4)/2; centred rows ∓.2 and ∓.1, so ∓.15.
        let mut found = Vec::new();
        chances.each_refit([1, 2], |_, refit| found.push(refit));
        chances.centred().each_refit([2, 1], |_, refit| found.push(refit));
        // With (1, 2): .3 + 1.2, and with itself .09 + .36; of rank 2 alone .2 + .8, and .04 + .16.
        let (both, one) = (chances.products([1, 2], &[1.0, 2.0]), chances.products([0, 2], &[1.0, 2.0]));
        found.extend([both.0, both.1, one.0, one.1]);
        for (found, expected) in found.iter().zip([0.3, 0.6, -0.15, 0.15, 1.5, 0.45, 1.0, 0.2]) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }
}
