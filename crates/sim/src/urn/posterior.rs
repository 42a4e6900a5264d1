//! What an urn still holds after the judged ranks of one ranking were seen.
//!
//! The one decision: how many documents are relevant (M) is not known but weighed by how well it explains the judged prefix.
//! Given M the urn goes on as equation 12 says, so mean and variance of what the later ranks add are exact, by dynamic
//! programming over (rank, relevant seen), and a continuation is drawn by drawing M first.

use karat_stats::seed::Stream;

use super::fit::log_chance;
use super::{Moments, ParameterError, Urn};

/// Numbers of relevant documents less likely than this share of the most likely one are left out.
const LEAST: f64 = 1e-9;

/// The urn after a judged prefix.
#[derive(Clone, Debug)]
pub struct Posterior {
    documents: u32,
    weight: f64,
    /// Judged ranks, and the relevant ones among them.
    judged: u32,
    relevant: u32,
    /// Each M with its chance.
    counts: Vec<(u32, f64)>,
    log_evidence: f64,
}

impl Posterior {
    /// Of `documents` (N) each was relevant with probability `share` (q), the others weigh `weight` (w), and the first ranks
    /// were judged as `prefix` says.
    ///
    /// # Errors
    /// A number outside its range, or a prefix longer than there are documents.
    pub fn new(documents: u32, share: f64, weight: f64, prefix: &[bool]) -> Result<Posterior, ParameterError> {
        let legal = documents >= 1
            && share > 0.0
            && share < 1.0
            && weight.is_finite()
            && weight > 0.0
            && prefix.len() <= documents as usize;
        if !legal {
            return Err(ParameterError { documents, share, weight, judged: prefix.len() });
        }
        let (odds, none) = (libm::log(share / (1.0 - share)), f64::from(documents) * libm::log1p(-share));
        let mut log_choose = 0.0;
        let mut logs = Vec::with_capacity(documents as usize + 1);
        for relevant in 0..=documents {
            if relevant > 0 {
                log_choose += libm::log(f64::from(documents - relevant + 1) / f64::from(relevant));
            }
            let (log, _) = log_chance(documents, relevant, weight, prefix);
            logs.push(log_choose + none + f64::from(relevant) * odds + log);
        }
        let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let kept = (0u32..).zip(&logs).map(|(m, log)| (m, libm::exp(log - top))).filter(|(_, chance)| *chance > LEAST);
        let mut counts: Vec<(u32, f64)> = kept.collect();
        let total: f64 = counts.iter().map(|(_, chance)| chance).sum();
        counts.iter_mut().for_each(|(_, chance)| *chance /= total);
        let relevant = prefix.iter().filter(|&&hit| hit).count() as u32;
        let log_evidence = top + libm::log(total);
        Ok(Posterior { documents, weight, judged: prefix.len() as u32, relevant, counts, log_evidence })
    }

    /// The logarithm of the prefix's likelihood.
    pub fn log_evidence(&self) -> f64 {
        self.log_evidence
    }

    /// The chance that each rank below the judged ones is relevant, to the last document or for `depth` ranks.
    pub fn chances(&self, depth: usize) -> Vec<f64> {
        let depth = self.depth(depth);
        let mut chances = vec![0.0; depth];
        self.each_count(depth, |urn, weight, most| {
            let mut states = vec![0.0; most + 2];
            states[0] = weight;
            for (rank, chance) in chances.iter_mut().enumerate() {
                for seen in (0..=most.min(rank)).rev() {
                    let (hit, stay) = self.step(urn, seen, rank);
                    *chance += hit * states[seen];
                    states[seen + 1] += hit * states[seen];
                    states[seen] *= stay;
                }
            }
        });
        chances
    }

    /// Nearly [`Posterior::chances`], at a hundredth of the cost: given M, the expected numbers of documents drawn stand for
    /// the numbers themselves.
    pub fn rough_chances(&self, depth: usize) -> Vec<f64> {
        let mut chances = vec![0.0; self.depth(depth)];
        for &(relevant, chance) in &self.counts {
            let mut relevant_left = f64::from(relevant - self.relevant);
            let mut others_left = f64::from((self.documents - relevant).saturating_sub(self.judged - self.relevant));
            for by_rank in &mut chances {
                let weighed = relevant_left + self.weight * others_left;
                let hit = if relevant_left > 0.0 { relevant_left / weighed } else { 0.0 };
                *by_rank += chance * hit;
                relevant_left = (relevant_left - hit).max(0.0);
                others_left = (others_left - (1.0 - hit)).max(0.0);
            }
        }
        chances
    }

    /// Mean and variance of Σ wᵢ rᵢ over the ranks below the judged ones; weights beyond the last document count nothing.
    pub fn moments(&self, weights: &[f64]) -> Moments {
        let weights = &weights[..self.depth(weights.len())];
        let (mut mean, mut square) = (0.0, 0.0);
        self.each_count(weights.len(), |urn, chance, most| {
            // The chance of each state, and the parts of the first two moments that come through it.
            let mut states = vec![[0.0; 3]; most + 2];
            states[0][0] = chance;
            for (rank, &weight) in weights.iter().enumerate() {
                for seen in (0..=most.min(rank)).rev() {
                    let (hit, stay) = self.step(urn, seen, rank);
                    let [chance, first, second] = states[seen];
                    let next = &mut states[seen + 1];
                    next[0] += hit * chance;
                    next[1] += hit * (first + weight * chance);
                    next[2] += hit * (second + weight * (2.0 * first + weight * chance));
                    states[seen] = [stay * chance, stay * first, stay * second];
                }
            }
            mean += states.iter().map(|state| state[1]).sum::<f64>();
            square += states.iter().map(|state| state[2]).sum::<f64>();
        });
        Moments { mean, variance: (square - mean * mean).max(0.0) }
    }

    /// Draws the `depth` ranks below the judged ones (fewer where the documents end): whether each is relevant.
    pub fn draw(&self, depth: usize, stream: &mut Stream) -> Vec<bool> {
        let mut unit = stream.unit();
        let drawn = self.counts.iter().find(|(_, chance)| {
            unit -= chance;
            unit < 0.0
        });
        let total = drawn.or(self.counts.last()).map_or(self.relevant, |(m, _)| *m);
        let urn = Urn { documents: self.documents, relevant: total, weight: self.weight };
        let mut seen = 0;
        (0..self.depth(depth))
            .map(|rank| {
                let relevant = stream.unit() < self.step(&urn, seen, rank).0;
                seen += usize::from(relevant);
                relevant
            })
            .collect()
    }

    fn depth(&self, asked: usize) -> usize {
        asked.min((self.documents - self.judged) as usize)
    }

    fn each_count(&self, depth: usize, mut then: impl FnMut(&Urn, f64, usize)) {
        for &(relevant, chance) in &self.counts {
            let urn = Urn { documents: self.documents, relevant, weight: self.weight };
            then(&urn, chance, ((relevant - self.relevant) as usize).min(depth));
        }
    }

    /// The chances that the rank after `rank` more is relevant, and that it is not, when `seen` of them were.
    fn step(&self, urn: &Urn, seen: usize, rank: usize) -> (f64, f64) {
        let (relevant, others) = (self.relevant + seen as u32, self.judged - self.relevant + (rank - seen) as u32);
        let hit = urn.next_is_relevant(relevant, others);
        // No document that is not relevant is left: 1 - hit is 0, and not what rounding made of it.
        let stay = if urn.documents - urn.relevant > others { 1.0 - hit } else { 0.0 };
        (hit, stay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::urn::{RankingModel, Relevant};
    use karat_stats::Seed;

    #[test]
    fn two_documents_by_hand() {
        // N = 2, q = 1/2, w = 1: the second is relevant with 1/2, whatever the first was. With w = 1/2 and a relevant first:
        // M = 2 has 1/4 · 1, M = 1 has 1/2 · 1/(1 + 1/2) = 1/3; so M = 2 has (1/4)/(7/12) = 3/7, and that is the second's chance.
        let even = Posterior::new(2, 0.5, 1.0, &[true]).unwrap();
        assert!((even.chances(5)[0] - 0.5).abs() < 1e-15 && even.chances(5).len() == 1);
        let found = Posterior::new(2, 0.5, 0.5, &[true]).unwrap();
        assert!((found.chances(1)[0] - 3.0 / 7.0).abs() < 1e-15);
        assert!((found.log_evidence() - (7.0f64 / 12.0).ln()).abs() < 1e-14);
        let moments = found.moments(&[0.5]);
        assert!((moments.mean - 1.5 / 7.0).abs() < 1e-15 && (moments.variance - 0.25 * 12.0 / 49.0).abs() < 1e-15);
    }

    #[test]
    fn nothing_judged_is_the_model_itself() {
        // Of the first three ranks v counts all; the model's own recursion says the same.
        let model = RankingModel::new(30, Relevant::Share(0.2), 0.3, 0.8, 0).unwrap();
        let expected = model.moments().unwrap();
        let found = Posterior::new(30, 0.2, 0.3, &[]).unwrap().moments(&model.rank_weights());
        assert!((found.mean - expected.mean).abs() < 1e-9 && (found.variance - expected.variance).abs() < 1e-9);
    }

    #[test]
    fn averaged_over_prefixes_it_is_the_model_again() {
        // All 2⁴ prefixes, each with its likelihood: the expected rest adds up to the model's, and so does its square.
        let model = RankingModel::new(20, Relevant::Share(0.3), 0.2, 0.8, 4).unwrap();
        let weights = model.rank_weights();
        let (mut all, mut mean, mut square) = (0.0, 0.0, 0.0);
        for bits in 0..16u32 {
            let prefix: Vec<bool> = (0..4).map(|rank| bits >> rank & 1 == 1).collect();
            let posterior = Posterior::new(20, 0.3, 0.2, &prefix).unwrap();
            let (chance, moments) = (posterior.log_evidence().exp(), posterior.moments(&weights[4..]));
            all += chance;
            mean += chance * moments.mean;
            square += chance * (moments.variance + moments.mean * moments.mean);
        }
        let expected = model.moments().unwrap();
        assert!((all - 1.0).abs() < 1e-9 && (mean - expected.mean).abs() < 1e-9);
        assert!((square - mean * mean - expected.variance).abs() < 1e-9);
    }

    #[test]
    fn draws_have_these_moments() {
        let posterior = Posterior::new(40, 0.2, 0.3, &[true, true, false]).unwrap();
        let (chances, streams) = (posterior.chances(10), Seed(4).streams("posterior"));
        let draws: u32 = 20_000;
        let mut hits = [0u32; 10];
        for draw in 0..draws {
            let ranks = posterior.draw(10, &mut streams.at(u64::from(draw)));
            ranks.iter().zip(&mut hits).for_each(|(&hit, count)| *count += u32::from(hit));
        }
        // Five standard errors: 5 √(.25/20000) = .0177.
        assert!(hits.iter().zip(&chances).all(|(&n, q)| (f64::from(n) / f64::from(draws) - q).abs() < 0.0177));
    }

    #[test]
    fn rough_chances_are_near() {
        for weight in [0.05, 0.2, 1.0] {
            let posterior = Posterior::new(100, 0.2, weight, &[true, true, false, true, false]).unwrap();
            let (exact, rough) = (posterior.chances(95), posterior.rough_chances(95));
            let off = exact.iter().zip(&rough).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 0.02, "{weight}: {off}");
        }
    }

    #[test]
    fn refusals() {
        assert!(Posterior::new(2, 0.0, 1.0, &[]).is_err());
        assert!(Posterior::new(2, 0.5, 0.0, &[]).is_err());
        assert!(Posterior::new(1, 0.5, 1.0, &[true, true]).is_err());
        assert!(Posterior::new(2, 0.5, 1.0, &[true, true]).unwrap().chances(3).is_empty());
    }
}
