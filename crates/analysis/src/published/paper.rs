//! The paper's own rules, word for word where they can be: they stand beside our answers, and nothing is decided by them.
//!
//! They take the printed S for the score itself, decide rank after rank and never turn back. rem(i) is taken without
//! end (pⁱ), as the paper does where it counts vectors (section 6): cut at d it would forbid 0111… at p = S = 0.5.

use super::depth::{contribution, significant_ranks};
use super::score::PublishedScore;
use super::vectors::{Extremes, Rank, score};
use super::{ROUNDING, power};

/// R_G and R_L by the rules of sections 3 and 5, R'_G with unjudged ranks early, R'_L with them late.
pub fn vectors(published: &PublishedScore) -> Extremes {
    Extremes { greatest: vector(published, true), least: vector(published, false) }
}

fn vector(published: &PublishedScore, greatest: bool) -> Vec<Rank> {
    let (p, target) = (published.persistence(), published.score().value);
    let residual = published.residual().map(|residual| residual.value);
    let (mut ones, mut zeros) = (0.0, 0.0);
    let mut ranks = Vec::with_capacity(published.depth());
    for rank in 1..=published.depth() {
        let (con, rem) = (contribution(p, rank), power(p, rank));
        let relevant = if ones + con > target + ROUNDING {
            false
        } else if ones + rem < target - ROUNDING {
            true
        } else {
            match residual {
                None => greatest,
                Some(residual) if greatest => zeros + rem >= target - (con + ones) + residual - ROUNDING,
                Some(residual) => ones + rem < target + residual - ROUNDING,
            }
        };
        if relevant {
            ones += con;
        } else {
            zeros += con;
        }
        ranks.push(if relevant { Rank::Relevant } else { Rank::Not });
    }
    if let Some(residual) = residual {
        mark_unjudged(&mut ranks, p, residual, greatest);
    }
    ranks
}

/// Section 5.2: zeros become unjudged until they weigh ε. (It prints acc(i) where the weight marked so far is meant.)
fn mark_unjudged(ranks: &mut [Rank], p: f64, residual: f64, early: bool) {
    let weight = |rank: usize| contribution(p, rank + 1);
    let mut zeros_below: f64 = (0..ranks.len()).filter(|&at| ranks[at] == Rank::Not).map(weight).sum();
    let mut marked = 0.0;
    for (at, rank) in ranks.iter_mut().enumerate().filter(|(_, rank)| **rank == Rank::Not) {
        zeros_below -= weight(at);
        let fits = marked + weight(at) <= residual + ROUNDING;
        let needed = marked + zeros_below < residual - ROUNDING;
        if fits && (early || needed) {
            *rank = Rank::Unjudged;
            marked += weight(at);
        }
    }
}

/// The paper's range at another p: R_G and R_L scored there, cut to the significant ranks at a lower p, at a higher p
/// with 1s after R_G and 0s after R_L (section 4.2); with a residual also with the unjudged ranks relevant.
pub fn range(published: &PublishedScore, at: f64) -> (f64, f64) {
    let Extremes { greatest, least } = vectors(published);
    let significant = significant_ranks(at, published.precision());
    let seen = |ranks: &[Rank], unjudged: f64| score(&ranks[..significant.min(ranks.len())], unjudged, at);
    let appended = (power(at, greatest.len()) - power(at, significant)).max(0.0);
    let scores = [0.0, 1.0].map(|unjudged| [seen(&greatest, unjudged) + appended, seen(&least, unjudged)]);
    let scores = scores.as_flattened();
    (scores.iter().copied().fold(1.0, f64::min), scores.iter().copied().fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::super::Printed;
    use super::super::vectors::written;
    use super::*;

    fn published(p: f64, score: f64, residual: Option<f64>, precision: f64) -> PublishedScore {
        let printed = |value| Printed::new(value, precision).unwrap();
        PublishedScore::new(p, printed(score), residual.map(printed)).unwrap()
    }

    #[test]
    fn two_vectors_at_one_half() {
        // Section 6: at p = 0.5 a score has two vectors, one that ends in 0s and one that ends in 1s.
        let found = vectors(&published(0.5, 0.5, None, 1e-2));
        assert_eq!((written(&found.greatest), written(&found.least)), ("10000000".into(), "01111111".into()));
    }

    #[test]
    fn convergence_of_figure_3() {
        // As p' falls to 0 the score becomes that of rank 1 alone. r₁ is 1 in R_L, or 0 in R_G, or free; at equality (S = p
        // or S = 1 - p), where the paper says forced, it is free wherever both 1000... and 0111... score S.
        let expected = [
            (0.2, 0.2, ("0", "0")), // 0.2 < con(1) = 0.8: rank 1 is not relevant, though S = p
            (0.2, 0.8, ("1", "1")), // rem(1) = 0.2 < 0.8: rank 1 is relevant, though S = 1 - p
            (0.5, 0.2, ("0", "0")), // 0.2 < con(1) = 0.5
            (0.5, 0.5, ("1", "0")), // 1000... and 0111...
            (0.5, 0.8, ("1", "1")), // rem(1) = 0.5 < 0.8
            (0.8, 0.2, ("1", "0")), // 1000... scores 0.2 = 1 - p, and so does 0 with 0.25 of what follows
            (0.8, 0.5, ("1", "0")),
            (0.8, 0.8, ("1", "0")), // 0111... scores 0.8 = p
        ];
        for (p, score, first) in expected {
            let found = vectors(&published(p, score, None, 1e-4));
            assert_eq!((&written(&found.greatest)[..1], &written(&found.least)[..1]), first, "p = {p}, S = {score}");
        }
        let printed = Printed::new(0.5, 1e-4).unwrap();
        let ninth = PublishedScore::new(0.2, printed, None).unwrap();
        assert!(ninth.check_binary().is_err(), "the ninth panel is infeasible");
    }

    #[test]
    fn a_residual_by_the_rules() {
        // p = 0.5, S = 0.5, ε = 0.25 to one digit (5 ranks): R_G = 1 and then 0s, rank 2 weighs 0.25 and is marked.
        let found = vectors(&published(0.5, 0.5, Some(0.25), 0.1));
        assert_eq!(written(&found.greatest), "1?000");
    }
}
