//! How likely a document is relevant by its ranks, as tables.
//!
//! The one decision: models know ranks and nothing else of a document, so a document needs to keep its ranks only. Its chance, and what each refit
//! of the model says of it, are looked up.

use crate::unjudged::RelevanceModel;

/// The ranks of a document in the runs, from 1; 0 where a run does not have it.
pub(crate) type Ranks = [u32; 2];

/// Chances by rank.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chances {
    chances: Vec<f64>,
    /// What the refits say, rank by rank.
    refits: Vec<f64>,
    groups: usize,
}

impl Chances {
    /// For ranks down to `deepest`.
    pub fn new(relevance_model: &RelevanceModel, deepest: usize) -> Chances {
        let mut table = Chances { groups: relevance_model.chances(1).1.len(), ..Chances::default() };
        for rank in 1..=deepest {
            let (chance, refits) = relevance_model.chances(rank);
            table.chances.push(chance);
            table.refits.extend_from_slice(&refits);
        }
        table
    }

    /// The deepest rank.
    pub fn deepest(&self) -> usize {
        self.chances.len()
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

    /// The same of ranks in any number of runs.
    pub fn of_ranks(&self, ranks: &[u32]) -> f64 {
        let shown = ranks.iter().filter(|rank| **rank > 0);
        let count = shown.clone().count().max(1) as f64;
        shown.map(|rank| self.chances[*rank as usize - 1]).sum::<f64>() / count
    }

    /// Calls `with` with the number of each refit and what it says of the document.
    pub fn each_refit(&self, ranks: Ranks, mut with: impl FnMut(usize, f64)) {
        match ranks {
            [0, 0] => {}
            [rank, 0] | [0, rank] => self.row(rank).iter().enumerate().for_each(|(group, refit)| with(group, *refit)),
            [a, b] => {
                let both = self.row(a).iter().zip(self.row(b)).enumerate();
                both.for_each(|(group, (a, b))| with(group, (a + b) / 2.0));
            }
        }
    }

    /// What the refits say of a rank.
    fn row(&self, rank: u32) -> &[f64] {
        &self.refits[(rank as usize - 1) * self.groups..][..self.groups]
    }

    /// The sum of squares of what the refits say of the document.
    pub fn square(&self, ranks: Ranks) -> f64 {
        let mut sum = 0.0;
        self.each_refit(ranks, |_, refit| sum += refit * refit);
        sum
    }

    /// By rank, the product of what the refits say with other numbers of theirs.
    pub fn products(&self, others: &[f64]) -> Vec<f64> {
        let product = |rank| self.row(rank).iter().zip(others).map(|(refit, other)| refit * other).sum();
        (1..=self.chances.len() as u32).map(product).collect()
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

/// Takes the mean out.
pub(crate) fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|value| *value -= mean);
}

#[cfg(test)]
pub(crate) fn table(rows: &[(f64, &[f64])]) -> Chances {
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
    fn a_document_in_both_runs_has_the_mean_of_its_ranks() {
        let chances = table(&[(0.5, &[0.4, 0.8]), (0.25, &[0.2, 0.4])]);
        let pairs = [[1, 0], [0, 2], [1, 2], [0, 0]];
        assert_eq!(pairs.map(|ranks| chances.chance(ranks)), [0.5, 0.25, 0.375, 0.0]);
        assert_eq!(pairs.map(|ranks| chances.of_ranks(&ranks)), [0.5, 0.25, 0.375, 0.0]);
        // (.5 + .25 + .5)/3.
        assert!((chances.of_ranks(&[1, 0, 2, 1]) - 1.25 / 3.0).abs() < 1e-15);
        // (.4 + .2)/2 and (.8 + .4)/2; centred rows ∓.2 and ∓.1, so ∓.15.
        let mut found = Vec::new();
        chances.each_refit([1, 2], |_, refit| found.push(refit));
        chances.centred().each_refit([2, 1], |_, refit| found.push(refit));
        // Ranks 1 and 2 with (1, 2): .4 + 1.6, .2 + .8. Squares: .3² + .6², .2² + .4².
        found.extend(chances.products(&[1.0, 2.0]));
        found.extend([chances.square([1, 2]), chances.square([0, 2])]);
        for (found, expected) in found.iter().zip([0.3, 0.6, -0.15, 0.15, 2.0, 1.0, 0.45, 0.2]) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }
}
