//! Rankings of which the first ranks are judged: what the others add to RBP, were they judged too (Park 2016, section 3.2).
//!
//! The one decision: numbers are checked here, once; whatever holds a [`RankingModel`] can rely on them.

use std::fmt;

use karat_stats::dist::bernoulli_sum::Term;

use super::counts::Counts;

/// Most documents of a ranking: 32-bit floats still count them exactly.
const MOST_DOCUMENTS: u32 = 10_000_000;
/// Ranks are looked at until what is left is less than this share of all that is unjudged: beyond 64-bit precision.
const REST: f64 = 1.0 / (1u64 << 60) as f64;

/// How many of a ranking's documents are relevant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relevant {
    /// So many (M).
    Exactly(u32),
    /// Each document with this probability (q): M ~ Binomial(N, q).
    Share(f64),
}

/// Urn, user and judging: N documents, M relevant, weight w, persistence p, and the first ranks judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankingModel {
    documents: u32,
    relevant: Relevant,
    weight: f64,
    persistence: f64,
    judged: u32,
}

/// Numbers that make no model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModelError {
    /// N is 0 or too large.
    Documents(u32),
    /// M > N.
    Relevant {
        /// Relevant documents given.
        relevant: u32,
        /// Documents given.
        documents: u32,
    },
    /// q is not a probability.
    Share(f64),
    /// w is not above 0, or too large.
    Weight(f64),
    /// p is not between 0 and 1.
    Persistence(f64),
    /// Every rank is judged.
    Judged {
        /// Judged ranks given.
        judged: u32,
        /// Documents given.
        documents: u32,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::Documents(found) => {
                write!(f, "{found} documents; expected a number from 1 to {MOST_DOCUMENTS}")
            }
            ModelError::Relevant { relevant, documents } => write!(
                f,
                "{relevant} relevant of {documents} documents; expected no more relevant documents than documents"
            ),
            ModelError::Share(found) => {
                write!(f, "q is {found}; expected a number from 0 to 1, the share of documents that are relevant")
            }
            ModelError::Weight(found) => {
                write!(
                    f,
                    "w is {found}; expected a number above 0 (1e-30 to 1e30): 1 is a random ranking, the smaller the better"
                )
            }
            ModelError::Persistence(found) => write!(
                f,
                "p is {found}; expected a number above 0 and below 1, the chance that the user goes on to the next rank"
            ),
            ModelError::Judged { judged, documents } => write!(
                f,
                "{judged} judged ranks of {documents} documents leave nothing unjudged; expected fewer judged ranks than documents"
            ),
        }
    }
}

impl std::error::Error for ModelError {}

impl RankingModel {
    /// Rankings of `documents` (N), of which `relevant` are, the others weighing `weight` (w) in the urn; a user of this
    /// `persistence` (p); the first `judged` ranks judged.
    ///
    /// # Errors
    /// A number outside its range.
    pub fn new(
        documents: u32,
        relevant: Relevant,
        weight: f64,
        persistence: f64,
        judged: u32,
    ) -> Result<RankingModel, ModelError> {
        if !(1..=MOST_DOCUMENTS).contains(&documents) {
            return Err(ModelError::Documents(documents));
        }
        match relevant {
            Relevant::Exactly(relevant) if relevant > documents => {
                return Err(ModelError::Relevant { relevant, documents });
            }
            Relevant::Share(share) if !(0.0..=1.0).contains(&share) => return Err(ModelError::Share(share)),
            Relevant::Exactly(_) | Relevant::Share(_) => {}
        }
        // Beyond these a 32-bit float is 0 or infinite.
        if !(1e-30..=1e30).contains(&weight) {
            return Err(ModelError::Weight(weight));
        }
        if !(persistence > 0.0 && persistence < 1.0) {
            return Err(ModelError::Persistence(persistence));
        }
        if judged >= documents {
            return Err(ModelError::Judged { judged, documents });
        }
        Ok(RankingModel { documents, relevant, weight, persistence, judged })
    }

    /// N.
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// The law of M.
    pub fn relevant(&self) -> Relevant {
        self.relevant
    }

    /// w.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// q, or M / N: the share of documents expected to be relevant.
    pub fn share(&self) -> f64 {
        match self.relevant {
            Relevant::Exactly(relevant) => f64::from(relevant) / f64::from(self.documents),
            Relevant::Share(share) => share,
        }
    }

    /// What each rank from the first on adds to v if relevant, (1 − p) pⁱ⁻¹ and 0 where judged; down to the last document,
    /// or to where what is left is below 2⁻⁶⁰ of it all.
    pub fn rank_weights(&self) -> Vec<f64> {
        let (mut power, mut start) = (1.0, 1.0);
        let mut weights = Vec::new();
        for rank in 0..self.documents {
            if rank == self.judged {
                start = power;
            } else if rank > self.judged && power < start * REST {
                break;
            }
            weights.push(if rank < self.judged { 0.0 } else { (1.0 - self.persistence) * power });
            power *= self.persistence;
        }
        weights
    }

    /// The greatest v there is: everything unjudged is relevant.
    pub fn greatest(&self) -> f64 {
        self.rank_weights().iter().sum()
    }

    /// Section 2's assumption: each unjudged rank is relevant with probability q, whatever the others are. With w = 1 and M
    /// binomial that is the urn itself.
    pub fn independent_ranks(&self) -> Vec<Term> {
        let weights = self.rank_weights().into_iter().filter(|&weight| weight > 0.0);
        // Weights and share were checked above, so no term is refused.
        weights.filter_map(|weight| Term::new(weight, self.share()).ok()).collect()
    }

    /// The chances of each M.
    pub(super) fn counts(&self) -> Counts {
        Counts::new(self.documents, self.relevant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_stats::dist::bernoulli_sum;

    #[test]
    fn ranks_below_the_judged_ones_count() {
        // p = .5, N = 4, two judged: ranks 3 and 4 weigh .5 · .25 = .125 and .0625.
        let model = RankingModel::new(4, Relevant::Share(0.5), 1.0, 0.5, 2).unwrap();
        assert_eq!(model.rank_weights(), [0.0, 0.0, 0.125, 0.0625]);
        assert_eq!(model.greatest(), 0.1875);
        // Independent with q = 1/2: mean .09375, variance (1/64 + 1/256) / 4 = 5/1024.
        let terms = model.independent_ranks();
        assert_eq!((bernoulli_sum::mean(&terms), bernoulli_sum::variance(&terms)), (0.09375, 5.0 / 1024.0));
    }

    #[test]
    fn ranks_that_no_longer_count_are_left_out() {
        // .5⁶⁰ is the last power not below the limit: ranks 1 to 61.
        let model = RankingModel::new(1_000_000, Relevant::Share(0.5), 1.0, 0.5, 0).unwrap();
        assert_eq!(model.rank_weights().len(), 61);
        assert_eq!(model.greatest(), 1.0);
    }

    #[test]
    fn refusals_say_what_was_expected() {
        let new = RankingModel::new;
        let share = Relevant::Share;
        assert_eq!(new(0, share(0.5), 1.0, 0.8, 0), Err(ModelError::Documents(0)));
        assert_eq!(
            new(9, Relevant::Exactly(10), 1.0, 0.8, 0),
            Err(ModelError::Relevant { relevant: 10, documents: 9 })
        );
        assert!(matches!(new(9, share(1.1), 1.0, 0.8, 0), Err(ModelError::Share(_))));
        assert!(matches!(new(9, share(f64::NAN), 1.0, 0.8, 0), Err(ModelError::Share(_))));
        assert!(matches!(new(9, share(0.5), 0.0, 0.8, 0), Err(ModelError::Weight(_))));
        assert!(matches!(new(9, share(0.5), 1.0, 1.0, 0), Err(ModelError::Persistence(_))));
        let error = new(10, share(0.5), 1.0, 0.8, 10).unwrap_err();
        assert!(error.to_string().contains("leave nothing unjudged; expected fewer"), "{error}");
    }
}
