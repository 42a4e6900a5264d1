//! Mean and variance of v, exactly: no ranking is drawn.
//!
//! The one decision: dynamic programming over (rank, relevant seen so far). Each state carries its chance and the first
//! two moments of v so far, so that the dependence between ranks is all in it. M is mixed over at the end.

use super::{RankingModel, Urn};

/// Most steps before it is left to the simulation: about a second.
const WORK: u64 = 1 << 29;

/// The first two moments of what the unjudged ranks of one ranking add to RBP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// `E[v]`.
    pub mean: f64,
    /// Var(v).
    pub variance: f64,
}

impl RankingModel {
    /// Mean and variance of v, over M too where it is drawn. `None` where that would take more than 2²⁹ steps, which are
    /// ranks that count × relevant documents among them × numbers of relevant documents that may be.
    pub fn moments(&self) -> Option<Moments> {
        let weights = self.rank_weights();
        let counts = self.counts();
        let steps = |relevant: u32| u64::from(relevant.min(weights.len() as u32) + 1) * weights.len() as u64;
        if counts.iter().map(|(relevant, _)| steps(relevant)).sum::<u64>() > WORK {
            return None;
        }
        let (mut first, mut second) = (0.0, 0.0);
        for (relevant, chance) in counts.iter() {
            let urn = Urn { documents: self.documents(), relevant, weight: self.weight() };
            let (mean, square) = of_urn(&urn, &weights);
            first += chance * mean;
            second += chance * square;
        }
        Some(Moments { mean: first, variance: (second - first * first).max(0.0) })
    }
}

/// Chance of a state, and the parts of `E[v]` and `E[v²]` that come through it.
type State = [f64; 3];

/// `E[v]` and `E[v²]` of one urn's rankings.
fn of_urn(urn: &Urn, weights: &[f64]) -> (f64, f64) {
    let most = (urn.relevant as usize).min(weights.len());
    let mut states: Vec<State> = vec![[0.0; 3]; most + 2];
    states[0][0] = 1.0;
    for (rank, &weight) in weights.iter().enumerate() {
        // From the most relevant seen down, so that a state is read before it is changed.
        for seen in (0..=most.min(rank)).rev() {
            let [chance, first, second] = states[seen];
            let hit = urn.next_is_relevant(seen as u32, (rank - seen) as u32);
            let next = &mut states[seen + 1];
            next[0] += hit * chance;
            next[1] += hit * (first + weight * chance);
            next[2] += hit * (second + weight * (2.0 * first + weight * chance));
            // Not `chance - hit * chance`: what is left keeps its digits, and is 0 where no other document is.
            let stay = if urn.documents - urn.relevant > (rank - seen) as u32 { 1.0 - hit } else { 0.0 };
            states[seen] = [stay * chance, stay * first, stay * second];
        }
    }
    states.iter().fold((0.0, 0.0), |(mean, square), state| (mean + state[1], square + state[2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::urn::Relevant;
    use karat_stats::dist::bernoulli_sum;

    fn model(documents: u32, relevant: Relevant, weight: f64, judged: u32) -> RankingModel {
        RankingModel::new(documents, relevant, weight, 0.8, judged).unwrap()
    }

    /// `E[v]` and Var(v) by going through all 2ᴺ rankings of M relevant documents.
    fn brute_force(model: &RankingModel, relevant: u32) -> (f64, f64) {
        let urn = Urn::new(model.documents(), relevant, model.weight()).unwrap();
        let weights = model.rank_weights();
        let (mut total, mut first, mut second) = (0.0, 0.0, 0.0);
        for ranking in (0u32..1 << model.documents()).filter(|ranking| ranking.count_ones() == relevant) {
            let (mut chance, mut seen, mut v) = (1.0, 0, 0.0);
            for rank in 0..model.documents() {
                let hit = urn.next_is_relevant(seen, rank - seen);
                if ranking >> rank & 1 == 1 {
                    chance *= hit;
                    v += weights[rank as usize];
                    seen += 1;
                } else {
                    chance *= 1.0 - hit;
                }
            }
            total += chance;
            first += chance * v;
            second += chance * v * v;
        }
        assert!((total - 1.0).abs() < 1e-12);
        (first, second)
    }

    #[test]
    fn two_documents_by_hand() {
        // N = 2, M = 1, one judged, w = 1/3: the relevant one is first with 1/(1 + 1/3) = 3/4, so second with 1/4, where it adds
        // .2 · .8 = .16. Mean .04, variance .16² · 3/16 = .0048.
        let found = model(2, Relevant::Exactly(1), 1.0 / 3.0, 1).moments().unwrap();
        assert!((found.mean - 0.04).abs() < 1e-16 && (found.variance - 0.0048).abs() < 1e-16);
    }

    #[test]
    fn equals_going_through_all_rankings() {
        for weight in [0.05, 0.5, 1.0, 3.0] {
            for judged in [0, 1, 4] {
                for relevant in 0..=9 {
                    let model = model(9, Relevant::Exactly(relevant), weight, judged);
                    let (mean, square) = brute_force(&model, relevant);
                    let found = model.moments().unwrap();
                    assert!((found.mean - mean).abs() < 1e-14, "{model:?}");
                    assert!((found.variance - (square - mean * mean)).abs() < 1e-14, "{model:?}");
                }
                // Mixed over M by hand: C(9, M) .3ᴹ .7⁹⁻ᴹ.
                let model = model(9, Relevant::Share(0.3), weight, judged);
                let (mut choose, mut mean, mut square) = (1.0, 0.0, 0.0);
                for relevant in 0..=9i32 {
                    let chance = choose * 0.3f64.powi(relevant) * 0.7f64.powi(9 - relevant);
                    let (first, second) = brute_force(&model, relevant as u32);
                    mean += chance * first;
                    square += chance * second;
                    choose *= f64::from(9 - relevant) / f64::from(relevant + 1);
                }
                let found = model.moments().unwrap();
                assert!((found.mean - mean).abs() < 1e-14 && (found.variance - (square - mean * mean)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn weight_one_is_the_closed_form() {
        // Park 2016: E[v] = q (p¹⁰ − p¹⁰⁰) and sd(v) for p = .8, ranks 11 to 100.
        let printed = [
            (0.05, 0.005369, 0.007801),
            (0.2, 0.021475, 0.014317),
            (0.35, 0.037581, 0.017071),
            (0.5, 0.053687, 0.017896),
        ];
        for (q, mean, sd) in printed {
            let model = model(100, Relevant::Share(q), 1.0, 10);
            let found = model.moments().unwrap();
            assert!((found.mean - mean).abs() < 5e-7 && (found.variance.sqrt() - sd).abs() < 5e-7, "{q} {found:?}");
            let terms = model.independent_ranks();
            assert!((found.mean - bernoulli_sum::mean(&terms)).abs() < 1e-14);
            assert!((found.variance - bernoulli_sum::variance(&terms)).abs() < 1e-15);
        }
    }

    #[test]
    fn the_mean_rises_as_the_ranking_improves() {
        // Not what the paper says: a better ranking leaves more of the relevant documents just below rank 10.
        let mean = |weight, q| model(100, Relevant::Share(q), weight, 10).moments().unwrap().mean;
        assert!((mean(1.0, 0.5) - 0.0537).abs() < 5e-5 && mean(0.05, 0.5) > 0.0995, "{}", mean(0.05, 0.5));
        for q in [0.1, 0.2, 0.3, 0.5] {
            assert!(mean(0.05, q) > mean(1.0, q), "{q}");
        }
    }

    #[test]
    fn too_much_work_is_declined() {
        let model = RankingModel::new(1_000_000, Relevant::Share(0.5), 0.5, 0.9999, 10).unwrap();
        assert!(model.moments().is_none());
        // A large collection alone is no reason: only ranks that count are gone through.
        let model = RankingModel::new(100_000, Relevant::Share(0.01), 0.5, 0.8, 10).unwrap();
        assert!(model.moments().is_some());
    }
}
