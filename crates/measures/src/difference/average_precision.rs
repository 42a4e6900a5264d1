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
//! it can be for m newly relevant documents in all, as if the others did not matter, so the sum is never too small; where
//! two lists have the same documents down to r, the term is what is judged, whatever m. R grows with m alone.

use super::{OpenDocument, Pair};

/// T(n).
fn triangle(n: f64) -> f64 {
    n * (n + 1.0) / 2.0
}

/// What is known and open down to a rank.
#[derive(Debug, Clone, Copy, Default)]
struct Down {
    /// Judged relevant documents in the first list and in the second.
    known: (f64, f64),
    /// Unjudged ones: in the first list alone, in both, in the second alone.
    only_a: f64,
    both: f64,
    only_b: f64,
    /// 1 / (r (r + 1)), 1 / L for the last.
    share: f64,
}

impl Down {
    /// The greatest T(n_a) - T(n_b) with `more` newly relevant documents of `all` that could be.
    fn greatest(&self, more: f64, all: f64) -> f64 {
        // First those that help, then those that do no harm, elsewhere; then those in both, which cost less than those of the second alone.
        let alone = self.only_a.min(more);
        let ahead = self.known.0 + alone > self.known.1;
        let outside = all - self.only_a - self.both - self.only_b;
        let left = more - alone;
        let both = if ahead { left.min(self.both) } else { (left - outside).clamp(0.0, self.both) };
        let against = (left - both - outside).max(0.0);
        triangle(self.known.0 + alone + both) - triangle(self.known.1 + both + against)
    }
}

/// The greatest difference of AP down to a cut-off, at a level.
pub(crate) fn greatest(pair: &Pair<'_>, cutoff: Option<usize>, level: f64) -> f64 {
    let possible = pair.a.collection.max_grade >= level;
    let down = down(pair, cutoff, level, possible);
    let all = if possible { pair.open.len() + pair.elsewhere } else { 0 };
    let relevant = f64::from(pair.a.facts.relevant(level));
    let at = |more: f64| down.iter().map(|down| down.share * down.greatest(more, all as f64)).sum::<f64>();
    // With all that could help, and nothing that harms.
    let free = |down: &Down| {
        let ahead = down.known.0 + down.only_a > down.known.1;
        let both = if ahead { down.both } else { 0.0 };
        down.share * (triangle(down.known.0 + down.only_a + both) - triangle(down.known.1 + both))
    };
    let most: f64 = down.iter().map(free).sum();
    let mut best = if relevant > 0.0 { at(0.0) / relevant } else { 0.0 };
    for more in (1..=all).map(|more| more as f64) {
        // From here on the denominator only grows.
        if most > 0.0 && most / (relevant + more) <= best {
            break;
        }
        best = best.max(at(more) / (relevant + more));
    }
    best
}

fn down(pair: &Pair<'_>, cutoff: Option<usize>, level: f64, possible: bool) -> Vec<Down> {
    let last = pair.a.ranks.len().max(pair.b.ranks.len()).min(cutoff.unwrap_or(usize::MAX));
    let mut down = vec![Down::default(); last];
    if possible {
        for &OpenDocument { a, b } in &pair.open {
            let (a, b) = (a.unwrap_or(usize::MAX), b.unwrap_or(usize::MAX));
            let (first, second) = (a.min(b), a.max(b));
            // Enters by the better rank, and moves to both by the worse.
            let mut change = |rank: usize, by: f64, both: f64| {
                if let Some(here) = down.get_mut(rank.wrapping_sub(1)) {
                    *(if a <= b { &mut here.only_a } else { &mut here.only_b }) += by;
                    here.both += both;
                }
            };
            change(first, 1.0, 0.0);
            change(second, -1.0, 1.0);
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
        sum.only_b += here.only_b;
        let rank = (index + 1) as f64;
        *here = Down { share: if index + 1 < last { 1.0 / (rank * (rank + 1.0)) } else { 1.0 / rank }, ..sum };
    }
    down
}
