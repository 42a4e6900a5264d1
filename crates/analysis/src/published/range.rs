//! The lowest and highest RBP that a ranking may have at another p, given what was printed.
//!
//! Two answers. *Graded*: gains anywhere in [0, 1]; this holds for graded relevance and for means over topics, because the
//! mean of RBP scores is the RBP of the mean gains. The gain goes where it counts most, first ranks first for a lower p,
//! so that the extremes are 1 1 1 f 0 0 … and 0 0 f 1 1 …: a closed form, and attained. *Binary*: gains 0 or 1, one topic. A search
//! over beginnings of rankings, bounded by the closed form for what follows. It stops when bound and found ranking
//! agree (exact), or when it has looked long enough (sound, and never wider than graded).
//!
//! Both hold over the whole interval that was printed. The low end is 1 minus the high end of the complement: swap 0s
//! and 1s, and every score s becomes 1 − s at every p.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::possible::{Possible, possible};
use super::score::PublishedScore;
use super::{ROUNDING, paper};

/// One end of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// Its value.
    pub value: f64,
    /// Whether a ranking that prints so comes as close to it as [`CLOSE`]; otherwise none is known to, and the bound is
    /// only sound: no ranking lies beyond.
    pub exact: bool,
}

/// The possible scores at one p.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// That p.
    pub at: f64,
    /// Binary relevance, one topic.
    pub low: Bound,
    /// Binary relevance, one topic.
    pub high: Bound,
    /// Gains from 0 to 1, or a mean over topics; attained.
    pub low_graded: f64,
    /// Gains from 0 to 1, or a mean over topics; attained.
    pub high_graded: f64,
    /// The paper's own, from R_G and R_L of the printed score alone; not sound.
    pub paper: (f64, f64),
}

/// How near bound and ranking must be for the bound to be called exact.
pub const CLOSE: f64 = 1e-9;

/// Beginnings of rankings looked at when a person asks; some milliseconds.
pub const THOROUGH: usize = 20_000;

/// The range at another p (checked). `effort` is the number of beginnings of rankings looked at for each end.
pub fn range(published: &PublishedScore, at: f64, effort: usize) -> Range {
    let (low_graded, high_graded) = graded(published, at);
    let (low, high) = binary(published, at, effort);
    Range { at, low, high, low_graded, high_graded, paper: paper::range(published, at) }
}

/// The graded range.
pub fn graded(published: &PublishedScore, at: f64) -> (f64, f64) {
    let (low, high) = published.judged();
    let p = published.persistence();
    (1.0 - graded_high(p, at, 1.0 - low), graded_high(p, at, high))
}

/// The binary range.
pub fn binary(published: &PublishedScore, at: f64, effort: usize) -> (Bound, Bound) {
    let (low, high) = published.judged();
    let p = published.persistence();
    // A completion must split into judged and unjudged documents of the printed weights; not every ranking of the right
    // total does, so that with a residual the ends are sound and no more is claimed.
    let whole = published.residual().is_none();
    let claim = |bound: Bound| Bound { exact: bound.exact && whole, ..bound };
    let above = claim(binary_high(p, at, (low, high), effort));
    let below = claim(binary_high(p, at, (1.0 - high, 1.0 - low), effort));
    (Bound { value: 1.0 - below.value, ..below }, above)
}

/// The highest score at `at` of gains in [0, 1] that score `score` at p.
pub fn graded_high(persistence: f64, at: f64, score: f64) -> f64 {
    match at.total_cmp(&persistence) {
        Ordering::Less => early(persistence, at, score),
        Ordering::Equal => score,
        // Gains as late as can be are the complement of gains as early as can be.
        Ordering::Greater => 1.0 - early(persistence, at, 1.0 - score),
    }
}

/// The score at `at` of 1 1 1 f 0 0 …, with as many 1s as `score` pays for at p.
fn early(p: f64, at: f64, score: f64) -> f64 {
    if score >= 1.0 {
        return 1.0;
    }
    if score <= 0.0 {
        return 0.0;
    }
    // n ones score 1 − pⁿ.
    let mut ones = ((1.0 - score).ln() / p.ln()).floor().max(0.0);
    if p.powf(ones) < 1.0 - score {
        ones = (ones - 1.0).max(0.0);
    }
    let fraction = ((p.powf(ones) - (1.0 - score)) / (p.powf(ones) * (1.0 - p))).clamp(0.0, 1.0);
    1.0 - at.powf(ones) * (1.0 - fraction * (1.0 - at))
}

/// The beginning of a ranking: what it scores, how much weight is left below it, and how high it could come.
#[derive(Debug, Clone, Copy)]
struct Beginning {
    /// Its score at p and the weight of the ranks below it, pⁱ.
    score: f64,
    left: f64,
    /// The same at the other p.
    score_at: f64,
    left_at: f64,
    bound: f64,
    /// Whether the bound is the score of a ranking that begins so.
    attained: bool,
}

impl PartialEq for Beginning {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Beginning {}
impl PartialOrd for Beginning {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Beginning {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

/// What is asked of every ranking, and by which p it is scored.
struct Highest {
    persistence: f64,
    at: f64,
    low: f64,
    high: f64,
}

/// How near a score must be to the upper end to be that end: a sum of some ranks is off by less.
const TIE: f64 = ROUNDING / 10.0;

impl Highest {
    /// Whether this is what the ranks below may still score, and not only near it. With each rank the score of a ranking
    /// needs a digit more, so that only beginnings whose rest weighs a unit of the digit after the last printed one
    /// or more end where the printed interval ends; further down a float cannot tell a tie from a near miss.
    fn ties(&self, room: f64, rest: f64, left: f64) -> bool {
        left >= ((self.high - self.low) / 10.0).max(1e4 * TIE) && (room - rest).abs() <= TIE
    }

    fn beginning(&self, score: f64, left: f64, score_at: f64, left_at: f64) -> Option<Beginning> {
        let room = self.high - score;
        for (rest, rest_at) in [(left, left_at), (0.0, 0.0)] {
            // All ranks below are relevant, or none is, and the ranking scores the upper end itself.
            if self.ties(room, rest, left) {
                return Some(Beginning { score, left, score_at, left_at, bound: score_at + rest_at, attained: true });
            }
        }
        // What the ranks below must score, on their own scale.
        let (least, greatest) = ((self.low - score) / left, room / left);
        let slack = ROUNDING / left;
        if greatest < -slack || least > 1.0 + slack {
            return None;
        }
        if let Possible::No { .. } = possible(self.persistence, least - slack, greatest + slack) {
            return None;
        }
        // All that is left may be relevant, or is too little to matter. The bound holds whatever floating point did; a ranking
        // is claimed only where it did nothing.
        let attained = greatest - slack >= 1.0 || left_at < CLOSE / 10.0;
        let most = if attained { 1.0 } else { graded_high(self.persistence, self.at, greatest + slack) };
        let bound = score_at + left_at * most;
        Some(Beginning { score, left, score_at, left_at, bound, attained })
    }

    /// The same with one rank more, relevant or not.
    fn further(&self, from: &Beginning, relevant: bool) -> Option<Beginning> {
        let gain = f64::from(u8::from(relevant));
        let (p, at) = (self.persistence, self.at);
        self.beginning(
            from.score + gain * from.left * (1.0 - p),
            from.left * p,
            from.score_at + gain * from.left_at * (1.0 - at),
            from.left_at * at,
        )
    }

    /// The score of one ranking that begins so: each rank as the closed form would have it, where it can be.
    fn complete(&self, from: &Beginning) -> f64 {
        let relevant_first = self.at < self.persistence;
        let mut ranking = *from;
        while !ranking.attained {
            let next = self.further(&ranking, relevant_first).or_else(|| self.further(&ranking, !relevant_first));
            let Some(next) = next else { return 0.0 };
            ranking = next;
        }
        // What is left counts as nothing, or all of it is relevant.
        if ranking.left_at < CLOSE / 10.0 { ranking.score_at } else { ranking.bound }
    }
}

/// The highest score at `at` of a binary ranking that scores in the interval at p. Best bound first.
fn binary_high(persistence: f64, at: f64, (low, high): (f64, f64), effort: usize) -> Bound {
    if at == persistence {
        return Bound { value: high, exact: persistence >= 0.5 };
    }
    let highest = Highest { persistence, at, low, high };
    let mut open: BinaryHeap<Beginning> = highest.beginning(0.0, 1.0, 0.0, 1.0).into_iter().collect();
    let mut found: f64 = 0.0;
    let mut bound = high.max(graded_high(persistence, at, high));
    for _ in 0..effort.max(1) {
        let Some(best) = open.pop() else { break };
        bound = best.bound;
        if !best.attained {
            found = found.max(highest.complete(&best));
        }
        if best.attained || bound <= found + CLOSE {
            return Bound { value: bound, exact: true };
        }
        open.extend([true, false].into_iter().filter_map(|relevant| highest.further(&best, relevant)));
    }
    let bound = open.peek().map_or(bound, |best| best.bound).max(found);
    Bound { value: bound, exact: bound <= found + CLOSE }
}

#[cfg(test)]
mod tests;
