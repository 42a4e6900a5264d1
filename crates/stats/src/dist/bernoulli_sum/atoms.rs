//! Every sum there is, each with its probability.
//!
//! The one decision: sums that are equal but for rounding are one, so that k equal weights make k + 1 sums and not 2ᵏ
//! (the binomial distribution), while unequal ones are given up when they become too many.

use super::{Points, StandIn, Term, running};

/// More sums than this are not enumerated: 16 weights of general position.
const MOST: usize = 1 << 16;
/// Nor is more work done than this many sums made.
const WORK: usize = 1 << 24;

/// The sums of these terms (ascending weights, all open), or `None` where they are too many.
pub(super) fn enumerate(terms: &[Term]) -> Option<StandIn> {
    let total: f64 = terms.iter().map(|term| term.weight).sum();
    let tie = 4.0 * f64::EPSILON * total;
    let (mut sums, mut work) = (vec![(0.0, 1.0)], 0);
    for term in terms {
        sums = with_term(&sums, *term, tie);
        work += sums.len();
        if sums.len() > MOST || work > WORK {
            return None;
        }
    }
    // Each term rounds once in adding and moves a sum by at most a tie in merging; masses round twice a term and once
    // for each sum in adding up.
    let (count, atoms) = (terms.len() as f64, sums.len() as f64);
    Some(StandIn {
        below: running(sums.iter().map(|sum| sum.1)),
        points: Points::Atoms(sums.into_iter().map(|sum| sum.0).collect()),
        shift: 0.0,
        reach: 2.0 * count * tie,
        slack: (4.0 * count + atoms) * f64::EPSILON,
    })
}

/// The sums without and with one more term, merged in ascending order.
fn with_term(sums: &[(f64, f64)], term: Term, tie: f64) -> Vec<(f64, f64)> {
    let mut merged: Vec<(f64, f64)> = Vec::with_capacity(2 * sums.len());
    let mut push = |sum: f64, mass: f64| match merged.last_mut() {
        Some(last) if sum - last.0 <= tie => last.1 += mass,
        _ => merged.push((sum, mass)),
    };
    let mut without = sums.iter().map(|&(sum, mass)| (sum, mass * (1.0 - term.probability))).peekable();
    for &(sum, mass) in sums {
        let with = sum + term.weight;
        while let Some((sum, mass)) = without.next_if(|next| next.0 <= with) {
            push(sum, mass);
        }
        push(with, mass * term.probability);
    }
    without.for_each(|(sum, mass)| push(sum, mass));
    merged
}
