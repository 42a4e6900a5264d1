//! What can be said from RBP scores printed in papers, computed with different p? (Zhang, Park, Moffat 2008.)
//!
//! The one decision: a printed score is an interval ([`Printed`]), and every answer holds for all of it. The modules:
//! [`depth`] (how many ranks a printed digit can show), [`vectors`] (the rankings that print so), [`range`](mod@range) (their scores at
//! another p), [`compare`] (whose score is higher there), [`paper`] (the paper's own rules, for comparison). [`answer`] has the typed
//! answers of the commands, and [`study`](mod@study) tests the method on real runs.

pub mod answer;
pub mod compare;
pub mod count;
pub mod depth;
pub mod error;
pub mod paper;
pub mod possible;
pub mod printed;
pub mod range;
pub mod score;
pub mod study;
pub mod vectors;

pub use compare::{Verdict, verdict};
pub use depth::significant_ranks;
pub use error::PublishedError;
pub use printed::Printed;
pub use range::{Bound, Range, range};
pub use score::PublishedScore;
pub use vectors::{Extremes, Rank, Search, SearchEnd};

/// What floating point may do to a sum of weights that is at most 1: bounds are closed within it.
pub(crate) const ROUNDING: f64 = 1e-13;

/// RBP of a vector of gains: (1 − p) Σ gᵢ pⁱ⁻¹.
pub fn rbp(gains: impl IntoIterator<Item = f64>, persistence: f64) -> f64 {
    let mut weight = 1.0 - persistence;
    let mut sum = 0.0;
    for gain in gains {
        sum += gain * weight;
        weight *= persistence;
    }
    sum
}

/// pⁿ.
pub(crate) fn power(persistence: f64, ranks: usize) -> f64 {
    persistence.powf(ranks as f64)
}

#[cfg(test)]
mod tests {
    use super::rbp;

    #[test]
    fn the_papers_examples() {
        // Section 2: 11010001 at p = 0.5 is 0.5 + 0.25 + 0.0625 + 0.00390625, printed 0.816.
        assert_eq!(rbp([1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], 0.5), 0.816_406_25);
        // Section 3: 10001 at p = 0.8 is 0.2 + 0.2 · 0.4096 = 0.28192; the paper prints 0.2812.
        assert!((rbp([1.0, 0.0, 0.0, 0.0, 1.0], 0.8) - 0.28192).abs() < 1e-15);
    }
}
