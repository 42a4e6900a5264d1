//! AP: the greatest difference for a given number of newly relevant documents, rank by rank.
//!
//! With n(r) the relevant documents down to rank r and T(n) = n (n + 1) / 2, partial summation of R * AP = sum of k / r_k gives
//!
//! ```text
//! R * AP = sum over r < L of T(n(r)) / (r (r + 1)) + T(n(L)) / L
//! ```
//!
//! for a list down to L. So a difference is a sum over ranks of T(n_a(r)) - T(n_b(r)), and each term depends only on how many newly
//! relevant documents stand down to r in the first list alone, in the second alone and in both. Each term is made as great as
//! it can be for at most m newly relevant documents in all, as if the others did not matter, so the sum is never too small; where
//! two lists have the same documents down to r, the term is what is judged, whatever m. R grows with m alone.
//!
//! One more newly relevant document adds to a term what the first list alone has so far and one, until it has no more of its own;
//! then, if the first list is ahead, by how much it is, for each that both have. So what it adds to the sum is a line in m
//! between the counts at which some rank runs out, and the sums for all m take one pass over the ranks and one over m.

use super::Pair;

/// T(n).
fn triangle(n: f64) -> f64 {
    n * (n + 1.0) / 2.0
}

/// What is known and open down to a rank.
#[derive(Debug, Clone, Copy, Default)]
struct Down {
    /// Judged relevant documents in the first list and in the second.
    known: (f64, f64),
    /// Unjudged ones: in the first list alone, and in both.
    only_a: i64,
    both: i64,
    /// 1 / (r (r + 1)), 1 / L for the last.
    share: f64,
}

impl Down {
    /// The greatest T(n_a) - T(n_b) with at most so many newly relevant documents.
    #[cfg(test)]
    fn greatest(&self, more: i64) -> f64 {
        let alone = self.only_a.min(more);
        let ahead = self.known.0 + alone as f64 > self.known.1;
        let both = if ahead { (more - alone).min(self.both) } else { 0 };
        triangle(self.known.0 + (alone + both) as f64) - triangle(self.known.1 + both as f64)
    }
}

/// The sums of the terms for every number of newly relevant documents from none to `all`.
fn sums(down: &[Down], all: usize) -> Vec<f64> {
    // What the document after the m-th adds: fixed(m) + slope(m) * m, both kept as changes.
    let (mut fixed, mut slope) = (vec![0.0; all + 2], vec![0.0; all + 2]);
    let mut sum = 0.0;
    for here in down {
        sum += here.share * (triangle(here.known.0) - triangle(here.known.1));
        let own = (here.only_a as usize).min(all);
        fixed[0] += here.share * (here.known.0 + 1.0);
        fixed[own] -= here.share * (here.known.0 + 1.0);
        slope[0] += here.share;
        slope[own] -= here.share;
        let ahead = here.known.0 + here.only_a as f64 - here.known.1;
        if ahead > 0.0 {
            let end = (own + here.both as usize).min(all);
            fixed[own] += here.share * ahead;
            fixed[end] -= here.share * ahead;
        }
    }
    let mut sums = Vec::with_capacity(all + 1);
    let (mut step, mut rise) = (0.0, 0.0);
    for more in 0..=all {
        sums.push(sum);
        step += fixed[more];
        rise += slope[more];
        sum += step + rise * more as f64;
    }
    sums
}

/// The greatest difference of AP down to a cut-off, at a level.
pub(crate) fn greatest(pair: &Pair<'_>, cutoff: Option<usize>, level: f64) -> f64 {
    let possible = pair.a.collection.max_grade >= level;
    let all = if possible { pair.open.len() + pair.elsewhere } else { 0 };
    let relevant = f64::from(pair.a.facts.relevant(level));
    let sums = sums(&down(pair, cutoff, level, possible), all);
    let quotient = |(more, sum): (usize, &f64)| {
        let relevant = relevant + more as f64;
        if relevant > 0.0 { sum / relevant } else { 0.0 }
    };
    sums.iter().enumerate().map(quotient).fold(f64::NEG_INFINITY, f64::max)
}

fn down(pair: &Pair<'_>, cutoff: Option<usize>, level: f64, possible: bool) -> Vec<Down> {
    let last = pair.a.ranks.len().max(pair.b.ranks.len()).min(cutoff.unwrap_or(usize::MAX));
    let mut down = vec![Down::default(); last];
    if possible {
        for document in &pair.open {
            let (a, b) = (document.a().unwrap_or(usize::MAX), document.b().unwrap_or(usize::MAX));
            // Enters by its rank in the first list, if that is the better one, and moves to both by the worse rank.
            if a < b
                && let Some(here) = down.get_mut(a - 1)
            {
                here.only_a += 1;
            }
            if let Some(here) = down.get_mut(a.max(b) - 1) {
                here.both += 1;
                here.only_a -= i64::from(a < b);
            }
        }
    }
    let relevant = |ranks: &[karat_data::Judgement], index: usize| {
        f64::from(u8::from(ranks.get(index).is_some_and(|judgement| judgement.is_relevant(level))))
    };
    let mut sum = Down::default();
    for (index, here) in down.iter_mut().enumerate() {
        sum.known.0 += relevant(pair.a.ranks, index);
        sum.known.1 += relevant(pair.b.ranks, index);
        sum.only_a += here.only_a;
        sum.both += here.both;
        let rank = (index + 1) as f64;
        *here = Down { share: if index + 1 < last { 1.0 / (rank * (rank + 1.0)) } else { 1.0 / rank }, ..sum };
    }
    down
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_sums_are_the_literal_ones() {
        let mut state = 5u64;
        let mut dice = |n: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % n as u64) as i64
        };
        for _ in 0..200 {
            let all = 1 + dice(12);
            let down: Vec<Down> = (0..1 + dice(6))
                .map(|rank| {
                    let only_a = dice(all + 1);
                    Down {
                        known: (dice(4) as f64, dice(4) as f64),
                        only_a,
                        both: dice(all - only_a + 1),
                        share: 1.0 / (rank + 1) as f64,
                    }
                })
                .collect();
            for (more, sum) in (0..).zip(sums(&down, all as usize)) {
                let literal: f64 = down.iter().map(|down| down.share * down.greatest(more)).sum();
                assert!((sum - literal).abs() < 1e-9, "{more}: {sum} {literal} {down:?}");
            }
        }
    }
}
