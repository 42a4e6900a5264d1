//! Rank-biased overlap of two rankings that need not hold the same things nor have the same length (Webber, Moffat and
//! Zobel 2010, A similarity measure for indefinite rankings, ACM TOIS 28(4)).
//!
//! RBO = (1 - p) * sum over depths d of p^(d-1) * A_d, A_d the share that the first d of both have in common. A list that
//! ends leaves a residual: what could still come decides between `min` and `max`. `extrapolated` supposes that the
//! agreement at the end goes on.

use std::collections::HashSet;
use std::hash::Hash;

/// The overlap of two rankings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankBiasedOverlap {
    /// The value if the agreement seen at the end goes on; `None` where a list is empty, and nothing was seen.
    pub extrapolated: Option<f64>,
    /// The least it could be, however the lists go on.
    pub min: f64,
    /// The greatest it could be.
    pub max: f64,
}

/// The overlap of `a` and `b`, in each of which nothing may come twice, at a persistence between 0 and 1; `None` where it
/// is not.
pub fn rank_biased_overlap<T: Eq + Hash>(a: &[T], b: &[T], persistence: f64) -> Option<RankBiasedOverlap> {
    let p = persistence;
    if !(p > 0.0 && p < 1.0) {
        return None;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let overlaps = overlaps(short, long);
    let (s, l) = (short.len(), long.len());
    let at = |depth: usize| depth.checked_sub(1).map_or(0.0, |index| overlaps[index] as f64);
    let (x_s, x_l) = (at(s), at(l));
    let front = (1.0 - p) / p;

    // Section 4.2: what is common so far stays, nothing is added. The tail of the sum of p^d / d is a logarithm.
    let mut power = 1.0;
    let (mut below_end, mut base, mut of_short) = (0.0, 0.0, 0.0);
    // The most that depth d can have in common: each document not yet seen of a list may be one of the other's.
    let mut most = 0.0;
    for d in 1..=l {
        power *= p;
        let depth = d as f64;
        below_end += (at(d) - x_l) * power / depth;
        base += at(d) * power / depth;
        most += at(d) * power / depth;
        if d > s {
            let missing = (d - s) as f64;
            most += missing * power / depth;
            of_short += if s > 0 { x_s * missing / (s as f64 * depth) * power } else { 0.0 };
        }
    }
    let at_end = power;
    // From depth l + s - X_l on everything can be in common.
    let complete = (l + s - x_l as usize).max(l + 1);
    for d in l + 1..complete {
        power *= p;
        most += (x_l + (2 * d - s - l) as f64) * power / d as f64;
    }
    let max = front * most + p.powf(complete as f64 - 1.0);
    // Equation 32.
    let extrapolated = (s > 0).then(|| front * (base + of_short) + ((x_l - x_s) / l as f64 + x_s / s as f64) * at_end);
    let min = front * (below_end - x_l * (1.0 - p).ln());
    Some(possible(extrapolated, min, max))
}

/// Rounding must not lead out of what is possible.
fn possible(extrapolated: Option<f64>, min: f64, max: f64) -> RankBiasedOverlap {
    let max = max.clamp(min.clamp(0.0, 1.0), 1.0);
    let extrapolated = extrapolated.map(|value| value.clamp(0.0, 1.0));
    RankBiasedOverlap { extrapolated, min: min.clamp(0.0, max), max }
}

/// How many are common to the first d of both, for every d up to the longer length; the shorter list stays as it is
/// below its end.
fn overlaps<T: Eq + Hash>(short: &[T], long: &[T]) -> Vec<usize> {
    let (mut of_short, mut of_long) = (HashSet::with_capacity(short.len()), HashSet::with_capacity(long.len()));
    let mut common = 0;
    let mut all = Vec::with_capacity(long.len());
    for (index, item) in long.iter().enumerate() {
        of_long.insert(item);
        common += usize::from(of_short.contains(item));
        if let Some(other) = short.get(index) {
            of_short.insert(other);
            common += usize::from(of_long.contains(other));
        }
        all.push(common);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn by_hand() {
        let of = |a: &[u8], b: &[u8], p| rank_biased_overlap(a, b, p).unwrap();
        // One list is the beginning of the other, p = 1/2. A_1 = 1. If the short one goes on with b, all is common: max 1.
        // If nothing is ever added A_d = 1/d: (1/2) * sum of (1/2)^(d-1) / d = ln 2. Equation 32: 1/2 + 1/8 + 1/8 + 1/4.
        let one = of(b"a", b"ab", 0.5);
        assert!(near(one.min, 2f64.ln()) && near(one.max, 1.0) && near(one.extrapolated.unwrap(), 1.0));
        // Equal lists of three, p = 0.9: 1 where it goes on so. If not, (1/9) (-2 p - p^2 / 2 + 3 ln 10).
        let equal = of(b"abc", b"abc", 0.9);
        assert!(near(equal.min, (-1.8 - 0.405 + 3.0 * 10f64.ln()) / 9.0) && near(equal.max, 1.0));
        assert!(near(equal.extrapolated.unwrap(), 1.0));
        // Nothing in common, one each, p = 1/2: at most A_1 = 0 and 1 from depth 2 on, 1/2.
        let apart = of(b"a", b"b", 0.5);
        assert_eq!((apart.extrapolated, apart.min), (Some(0.0), 0.0));
        assert!(near(apart.max, 0.5));
        // ab against ba, p = 1/2: A_1 = 0, and 1 from depth 2 on: (1/2) (1/2 + 1/4 + ...) = 1/2.
        assert!(near(of(b"ab", b"ba", 0.5).extrapolated.unwrap(), 0.5));
        // Nothing seen: anything is possible.
        let nothing = of(b"", b"", 0.9);
        assert_eq!((nothing.extrapolated, nothing.min, nothing.max), (None, 0.0, 1.0));
        assert_eq!(of(b"", b"ab", 0.9).extrapolated, None);
        assert!(rank_biased_overlap(b"a", b"a", 1.0).is_none() && rank_biased_overlap(b"a", b"a", f64::NAN).is_none());
    }

    /// The definition, of lists so long that the rest does not count.
    fn literal(a: &[u32], b: &[u32], p: f64) -> f64 {
        overlaps(a, b)
            .iter()
            .zip(1i32..)
            .map(|(&common, d)| (1.0 - p) * p.powi(d - 1) * common as f64 / f64::from(d))
            .sum()
    }

    #[test]
    fn continued_lists_stay_between_the_ends_and_reach_them() {
        let p = 0.8;
        for seed in 0..200 {
            let mut random = Seed(seed).stream("rbo", 0);
            let mut shuffled = |from: u32, to: u32| {
                let mut list: Vec<u32> = (from..to).collect();
                for at in (1..list.len()).rev() {
                    list.swap(at, random.below(at as u64 + 1) as usize);
                }
                list
            };
            let (mut a, mut b) = (shuffled(0, 12), shuffled(0, 12));
            a.truncate(seed as usize % 7);
            b.truncate(seed as usize / 7 % 9);
            let overlap = rank_biased_overlap(&a, &b, p).unwrap();
            let order = shuffled(0, 150);
            let continued = |list: &[u32], rest: &mut dyn Iterator<Item = u32>| {
                let mut all = list.to_vec();
                all.extend(rest.filter(|item| !list.contains(item)));
                all.truncate(140);
                all
            };
            // Any continuation; 0.8^140 is below 1e-13.
            let any = literal(&continued(&a, &mut order.iter().copied()), &continued(&b, &mut (0..150).rev()), p);
            assert!(overlap.min - 1e-9 <= any && any <= overlap.max + 1e-9, "{a:?} {b:?}: {any} {overlap:?}");
            // Nothing in common any more.
            let apart = literal(&continued(&a, &mut (1000..1150)), &continued(&b, &mut (2000..2150)), p);
            assert!((apart - overlap.min).abs() < 1e-9, "{a:?} {b:?}: {apart} {overlap:?}");
            // Each goes on with what the other has, then both alike.
            let (first, second) = (b.clone(), a.clone());
            let alike = literal(
                &continued(&a, &mut first.into_iter().chain(3000..3150)),
                &continued(&b, &mut second.into_iter().chain(3000..3150)),
                p,
            );
            assert!((alike - overlap.max).abs() < 1e-9, "{a:?} {b:?}: {alike} {overlap:?}");
            if let Some(value) = overlap.extrapolated {
                assert!(overlap.min <= value + 1e-12 && value <= overlap.max + 1e-12, "{a:?} {b:?}: {overlap:?}");
            }
        }
    }
}
