//! Measures that add a term for every relevant document, by what stands above it: AP, bpref, BinG, ROC area, infAP.

use karat_data::{Judgement, TieGroup};

/// How many of some kind of document are among the first ones drawn from a group, without putting back: the
/// hypergeometric distribution, one draw after the other.
struct Drawn {
    population: usize,
    kind: usize,
    draws: usize,
    chances: Vec<f64>,
}

impl Drawn {
    /// Nothing drawn yet from a population with so many of the kind.
    fn new(population: usize, kind: usize) -> Drawn {
        let mut chances = vec![0.0; kind + 1];
        chances[0] = 1.0;
        Drawn { population, kind, draws: 0, chances }
    }

    /// The chance of each count, from 0.
    fn chances(&self) -> &[f64] {
        &self.chances[..=self.kind.min(self.draws)]
    }

    /// One more draw; nothing happens when all are drawn.
    fn draw(&mut self) {
        let left = (self.population - self.draws) as f64;
        if left == 0.0 {
            return;
        }
        let next = |count: usize| (self.kind - count) as f64 / left;
        for count in (0..=self.kind.min(self.draws + 1)).rev() {
            let stays = self.chances[count] * (1.0 - next(count));
            let comes = if count == 0 { 0.0 } else { self.chances[count - 1] * next(count - 1) };
            // The last of the kind may be certain to come: rounding must not leave less than nothing.
            self.chances[count] = (stays + comes).max(0.0);
        }
        self.draws += 1;
    }
}

/// The expected sum over the relevant documents of a group that are shown, of `term(place, above)`: the place in the group
/// from 0, and how many of the group's `counted` documents stand above it. O(places * counted).
pub fn over_relevant(
    group: &TieGroup<'_>,
    relevant: impl Fn(&Judgement) -> bool,
    counted: impl Fn(&Judgement) -> bool,
    term: impl Fn(usize, usize) -> f64,
) -> f64 {
    let documents = group.members.len();
    let found = group.members.iter().filter(|judgement| relevant(judgement)).count();
    if found == 0 {
        return 0.0;
    }
    // Any relevant document may stand at a place; the others above it are drawn from those that are left.
    let itself = group.members.iter().any(|judgement| relevant(judgement) && counted(judgement));
    let kind = group.members.iter().filter(|judgement| counted(judgement)).count() - usize::from(itself);
    let mut drawn = Drawn::new(documents - 1, kind);
    let mut sum = 0.0;
    for place in 0..group.shown() {
        let terms = drawn.chances().iter().enumerate();
        sum += terms.map(|(above, chance)| chance * term(place, above)).sum::<f64>();
        drawn.draw();
    }
    sum * found as f64 / documents as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_is_hypergeometric() {
        // 2 of 5 are of the kind. After 2 draws: 0 with 3/5 * 2/4 = .3, 2 with 2/5 * 1/4 = .1, 1 with .6.
        let mut drawn = Drawn::new(5, 2);
        drawn.draw();
        assert!(drawn.chances().iter().zip([0.6, 0.4]).all(|(a, b)| (a - b).abs() < 1e-15));
        drawn.draw();
        assert!(drawn.chances().iter().zip([0.3, 0.6, 0.1]).all(|(a, b)| (a - b).abs() < 1e-15));
        (0..3).for_each(|_| drawn.draw());
        assert!(drawn.chances().iter().zip([0.0, 0.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-15));
        drawn.draw();
        assert_eq!(drawn.draws, 5);
    }
}
