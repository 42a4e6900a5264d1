//! What can be wrong with a published score.

use super::score::PublishedScore;

/// Why a published score cannot be used, or no ranking has it.
#[derive(Debug, Clone, PartialEq)]
pub enum PublishedError {
    /// This text is no number from 0 to 1.
    NotAScore(String),
    /// A precision must be above 0 (from 1e-15) and at most 1.
    Precision(f64),
    /// A persistence must be above 0 and below 1.
    Persistence(f64),
    /// A persistence so near to 1 that scores depend on more ranks than any list has.
    PersistenceTooHigh {
        /// As given.
        p: f64,
        /// The highest that is accepted.
        highest: f64,
    },
    /// Score and residual exceed 1 together.
    AboveOne {
        /// The printed score.
        score: f64,
        /// The printed residual.
        residual: f64,
    },
    /// No single ranking with binary relevance has this score.
    NoBinaryRanking {
        /// The printed score.
        score: f64,
        /// Its persistence.
        p: f64,
        /// The greatest possible score below.
        below: f64,
        /// The least possible score above.
        above: f64,
    },
    /// The printed digits show more ranks than are searched.
    TooManyRanks {
        /// The published score.
        published: PublishedScore,
        /// Ranks that are searched at most.
        most: usize,
    },
    /// Every ranking was tried, and none has this score and residual.
    NoRanking(PublishedScore),
    /// The search was given up before it was clear whether a ranking has this score and residual.
    SearchGaveUp(PublishedScore),
}
