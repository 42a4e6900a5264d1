//! How many rankings print so? Exactly where that can be counted, else a bound from both sides.
//!
//! Up to [`COUNTED`] ranks: all sums of the first half of the ranks, sorted, against all sums of the second. Beyond: sums
//! are put on a grid, rounded down, and counted there; d ranks lose at most d steps of the grid, so that the count in
//! the interval widened by d steps is too large and in the interval narrowed by d steps too small.

use super::ROUNDING;
use super::depth::contribution;
use super::score::PublishedScore;

/// The greatest depth at which rankings are counted exactly.
pub const COUNTED: usize = 40;

/// Steps of the grid.
const GRID: usize = 1 << 16;

/// The number of rankings, as base-10 logarithms where it is too large for a float.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Count {
    /// Exactly so many.
    Exactly(u64),
    /// At least and at most 10 to these powers; −∞ for none.
    Between(f64, f64),
}

/// Counts the rankings of so many ranks that print as a published score. With a residual every rank may also be unjudged, and only the
/// score's interval is looked at: then it is a bound.
pub fn count(published: &PublishedScore, depth: usize) -> Count {
    let weights: Vec<f64> = (1..=depth).map(|rank| contribution(published.persistence(), rank)).collect();
    let (low, high) = (published.score().low() - ROUNDING, published.score().high() + ROUNDING);
    if published.residual().is_none() && depth <= COUNTED {
        return Count::Exactly(in_the_middle(&weights, low, high));
    }
    let kinds_of_zero = if published.residual().is_none() { 1.0 } else { 2.0 };
    let (least, greatest) = on_a_grid(&weights, low, high, kinds_of_zero);
    Count::Between(if kinds_of_zero > 1.0 { f64::NEG_INFINITY } else { least }, greatest)
}

fn in_the_middle(weights: &[f64], low: f64, high: f64) -> u64 {
    let (first, second) = weights.split_at(weights.len() / 2);
    let (first, second) = (sums(first), sums(second));
    // As the first sum grows, the window for the second one falls.
    let (mut from, mut to) = (second.len(), second.len());
    let mut count = 0;
    for sum in first {
        while from > 0 && second[from - 1] >= low - sum {
            from -= 1;
        }
        while to > 0 && second[to - 1] > high - sum {
            to -= 1;
        }
        count += to.saturating_sub(from) as u64;
    }
    count
}

/// The sums of all subsets, in order.
fn sums(weights: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for weight in weights {
        sums.extend_from_within(..);
        let half = sums.len() / 2;
        sums[half..].iter_mut().for_each(|sum| *sum += weight);
    }
    sums.sort_unstable_by(f64::total_cmp);
    sums
}

fn on_a_grid(weights: &[f64], low: f64, high: f64, kinds_of_zero: f64) -> (f64, f64) {
    let mut counts = vec![0.0; GRID + 1];
    counts[0] = 1.0;
    // Counts are kept below the greatest float by a common power of ten.
    let mut exponent = 0.0;
    for weight in weights {
        let step = (weight * GRID as f64) as usize;
        for at in (0..=GRID).rev() {
            let shifted = if at >= step { counts[at - step] } else { 0.0 };
            counts[at] = counts[at] * kinds_of_zero + shifted;
        }
        let largest = counts.iter().copied().fold(0.0, f64::max);
        if largest > 1e200 {
            counts.iter_mut().for_each(|count| *count /= 1e200);
            exponent += 200.0;
        }
    }
    let lost = weights.len() as f64 / GRID as f64;
    let total = |from: f64, to: f64| -> f64 {
        let cell = |x: f64| x * GRID as f64;
        let within = |at: usize| at as f64 >= cell(from) && at as f64 <= cell(to);
        let sum: f64 = (0..=GRID).filter(|&at| within(at)).map(|at| counts[at]).sum();
        exponent + sum.log10()
    };
    (total(low, high - lost), total(low - lost, high))
}

#[cfg(test)]
mod tests {
    use super::super::{Printed, Search};
    use super::*;

    fn published(p: f64, score: f64, precision: f64) -> PublishedScore {
        PublishedScore::new(p, Printed::new(score, precision).unwrap(), None).unwrap()
    }

    #[test]
    fn the_count_is_the_length_of_the_list() {
        for (p, score) in [(0.5, 0.3), (0.6, 0.42), (0.8, 0.9), (0.3, 0.7)] {
            let published = published(p, score, 0.01);
            let depth = published.depth();
            let listed = Search::descending(&published, depth).count() as u64;
            assert_eq!(count(&published, depth), Count::Exactly(listed), "p = {p}");
            assert_eq!(listed, Search::ascending(&published, depth).count() as u64);
        }
    }

    #[test]
    fn the_grid_holds_the_exact_count() {
        let published = published(0.8, 0.42, 0.01);
        let Count::Exactly(exact) = count(&published, 24) else { panic!("24 ranks are counted") };
        let weights: Vec<f64> = (1..=24).map(|rank| contribution(0.8, rank)).collect();
        let (least, greatest) = on_a_grid(&weights, 0.415, 0.425, 1.0);
        let exact = (exact as f64).log10();
        assert!(least <= exact && exact <= greatest && greatest - least < 0.2, "{least} {exact} {greatest}");
    }
}
