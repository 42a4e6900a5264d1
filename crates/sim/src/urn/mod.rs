//! The urn: a ranking of known quality, drawn document by document.
//!
//! Park (2016), section 3.2, equation 12. Of N documents M are relevant; the next document is relevant with probability
//!
//! ```text
//! P(relevant | c_b, c_w) = (M - c_b) / ((M - c_b) + w (N - M - c_w))
//! ```
//!
//! where c_b relevant and c_w other documents were drawn before. With w = 1 the ranking is random, with w = 0 it is
//! perfect. That is sampling without replacement in which a relevant document weighs 1 and any other w.
//!
//! One urn is here. What its rankings hide below the judged ranks is [`RankingModel`], exactly ([`Moments`]) and
//! simulated ([`Simulated`]); which urn judged rankings came from is [`fit`], and what is left in it after a judged prefix is
//! [`Posterior`].

mod counts;
pub mod fit;
mod lanes;
mod model;
mod moments;
mod posterior;
mod simulate;

pub use model::{ModelError, RankingModel, Relevant};
pub use moments::Moments;
pub use posterior::Posterior;
pub use simulate::{Experiment, ListStatistics, Simulated};

use std::fmt;

use karat_stats::seed::Stream;

/// N documents, M of them relevant, and the weight w of a document that is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Urn {
    documents: u32,
    relevant: u32,
    weight: f64,
}

/// Numbers that make no urn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UrnError {
    /// More relevant documents than documents.
    Relevant {
        /// Documents given.
        documents: u32,
        /// Relevant documents given.
        relevant: u32,
    },
    /// The weight is negative or not finite.
    Weight(f64),
}

impl fmt::Display for UrnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UrnError::Relevant { documents, relevant } => {
                write!(f, "{relevant} relevant of {documents} documents; expected no more relevant than there are")
            }
            UrnError::Weight(weight) => write!(f, "weight {weight}; expected a number from 0 (perfect), 1 is random"),
        }
    }
}

impl std::error::Error for UrnError {}

/// Numbers after which nothing can be left in an urn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterError {
    /// N given.
    pub documents: u32,
    /// q given.
    pub share: f64,
    /// w given.
    pub weight: f64,
    /// Judged ranks given.
    pub judged: usize,
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParameterError { documents, share, weight, judged } = self;
        write!(
            f,
            "{documents} documents, q = {share}, w = {weight}, {judged} judged ranks; expected at least 1 document, q above 0 \
             and below 1, w above 0, and no more judged ranks than documents"
        )
    }
}

impl std::error::Error for ParameterError {}

impl Urn {
    /// An urn of `documents` (N), `relevant` (M) of them relevant, the others weighing `weight` (w).
    ///
    /// # Errors
    /// M > N, or w is negative or not finite.
    pub fn new(documents: u32, relevant: u32, weight: f64) -> Result<Urn, UrnError> {
        if relevant > documents {
            return Err(UrnError::Relevant { documents, relevant });
        }
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(UrnError::Weight(weight));
        }
        Ok(Urn { documents, relevant, weight })
    }

    /// Equation 12: the chance that the next document is relevant when `relevant` (c_b) and `others` (c_w) were drawn.
    /// 0 from an urn without relevant documents, an empty one included.
    pub fn next_is_relevant(&self, relevant: u32, others: u32) -> f64 {
        let relevant_left = f64::from(self.relevant.saturating_sub(relevant));
        let others_left = f64::from((self.documents - self.relevant).saturating_sub(others));
        if relevant_left == 0.0 { 0.0 } else { relevant_left / (relevant_left + self.weight * others_left) }
    }

    /// Draws the first `depth` ranks, best first: whether each is relevant. Shorter when the urn runs out.
    pub fn draw(&self, depth: u32, stream: &mut Stream) -> Vec<bool> {
        let (mut relevant, mut others) = (0, 0);
        let ranks = 0..depth.min(self.documents);
        ranks
            .map(|_| {
                let hit = stream.unit() < self.next_is_relevant(relevant, others);
                if hit {
                    relevant += 1
                } else {
                    others += 1
                }
                hit
            })
            .collect()
    }

    /// The exact chance that each of the first `depth` ranks is relevant, by dynamic programming over (rank, relevant
    /// seen so far); ranks beyond the last document have 0.
    pub fn relevance_by_rank(&self, depth: u32) -> Vec<f64> {
        let mut seen = vec![0.0; self.relevant as usize + 1];
        seen[0] = 1.0;
        let mut chances = vec![0.0; depth as usize];
        for rank in 0..depth.min(self.documents) {
            let mut after = vec![0.0; seen.len()];
            for (relevant, &chance) in seen.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                let hit = chance * self.next_is_relevant(relevant as u32, rank - relevant as u32);
                chances[rank as usize] += hit;
                after[relevant] += chance - hit;
                if let Some(next) = after.get_mut(relevant + 1) {
                    *next += hit;
                }
            }
            seen = after;
        }
        chances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_stats::Seed;

    /// The share of draws that are relevant, by rank.
    fn simulated(urn: Urn, depth: u32, draws: u64) -> Vec<f64> {
        let mut hits = vec![0u32; depth as usize];
        let streams = Seed(5).streams("urn");
        for draw in 0..draws {
            let ranking = urn.draw(depth, &mut streams.at(draw));
            ranking.iter().zip(&mut hits).for_each(|(&hit, count)| *count += u32::from(hit));
        }
        hits.iter().map(|&count| f64::from(count) / draws as f64).collect()
    }

    #[test]
    fn three_documents_by_hand() {
        // N = 3, M = 1, w = 1/2. Rank 1: 1/(1 + 2w) = 1/2. Rank 2: 1/2 · 1/(1 + w) = 1/2 · 2/3 = 1/3. Rank 3: the rest, 1/6.
        let urn = Urn::new(3, 1, 0.5).unwrap();
        assert_eq!(urn.next_is_relevant(0, 0), 0.5);
        assert_eq!(urn.next_is_relevant(0, 1), 1.0 / 1.5);
        assert_eq!(urn.next_is_relevant(0, 2), 1.0);
        assert_eq!(urn.next_is_relevant(1, 0), 0.0);
        let close = |found: &[f64], expected: &[f64]| {
            assert_eq!(found.len(), expected.len());
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?} {expected:?}");
        };
        close(&urn.relevance_by_rank(4), &[0.5, 1.0 / 3.0, 1.0 / 6.0, 0.0]);

        // The same by going through all six orders of the documents, which weigh 1 (the relevant one), w and w: an order
        // has the product over its ranks of weight / weight left.
        let weights = [1.0, 0.5, 0.5];
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]];
        let mut by_rank = [0.0; 3];
        for order in orders {
            let mut left = 2.0;
            let mut chance = 1.0;
            for document in order {
                chance *= weights[document] / left;
                left -= weights[document];
            }
            by_rank[order.iter().position(|&document| document == 0).unwrap()] += chance;
        }
        close(&urn.relevance_by_rank(3), &by_rank);
    }

    #[test]
    fn weight_one_is_a_random_ranking() {
        let urn = Urn::new(20, 5, 1.0).unwrap();
        // Every rank is relevant with M/N = 1/4: exactly so by the recursion (up to rounding),
        assert!(urn.relevance_by_rank(20).iter().all(|chance| (chance - 0.25).abs() < 1e-14));
        // and within five standard errors of it when drawn 20 000 times: 5 √(.25 · .75 / 20000) = .0153.
        let found = simulated(urn, 20, 20_000);
        assert!(found.iter().all(|share| (share - 0.25).abs() < 0.0153), "{found:?}");
    }

    #[test]
    fn a_small_weight_ranks_better_and_draws_agree_with_the_recursion() {
        let exact = |weight| Urn::new(100, 10, weight).unwrap().relevance_by_rank(100);
        // Rank 1 is 10 / (10 + 90 w): .1 at w = 1, .357 at w = .2, .690 at w = .05.
        for (weight, first) in [(1.0, 0.1), (0.2, 10.0 / 28.0), (0.05, 10.0 / 14.5)] {
            assert!((exact(weight)[0] - first).abs() < 1e-15);
            // All ten relevant documents are somewhere among the hundred.
            assert!((exact(weight).iter().sum::<f64>() - 10.0).abs() < 1e-12);
        }
        let gain = |weight| exact(weight)[..10].iter().sum::<f64>();
        assert!(gain(0.05) > gain(0.2) && gain(0.2) > gain(1.0));
        assert!(exact(0.2).windows(2).all(|pair| pair[0] > pair[1]));
        // 20 000 draws at w = .2: no rank is above .36, so five standard errors are at most 5 √(.36 · .64 / 20000) = .0170.
        let found = simulated(Urn::new(100, 10, 0.2).unwrap(), 100, 20_000);
        assert!(found.iter().zip(exact(0.2)).all(|(share, chance)| (share - chance).abs() < 0.017));
    }

    #[test]
    fn edges_and_refusals() {
        let perfect = Urn::new(4, 2, 0.0).unwrap();
        assert_eq!(perfect.relevance_by_rank(4), [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(perfect.draw(9, &mut Seed(1).stream("edge", 0)), [true, true, false, false]);
        assert_eq!(Urn::new(2, 0, 1.0).unwrap().relevance_by_rank(2), [0.0, 0.0]);
        assert_eq!(Urn::new(2, 2, 1.0).unwrap().relevance_by_rank(3), [1.0, 1.0, 0.0]);
        assert_eq!(Urn::new(0, 0, 1.0).unwrap().draw(3, &mut Seed(1).stream("edge", 0)), []);
        assert!(Urn::new(1, 2, 1.0).is_err());
        assert!([-0.1, f64::NAN, f64::INFINITY].iter().all(|&weight| Urn::new(2, 1, weight).is_err()));
    }
}
