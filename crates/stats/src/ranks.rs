//! Rank sets: the ranks a system may have, given simultaneous intervals of all differences.
//!
//! The one decision: a system's rank is 1 + the number of systems that are better. Those that are surely better are above it, those that are
//! surely worse below, and nothing is said of the others. So when all intervals hold, all rank sets do.

use crate::test::{SAME, mid_ranks};

/// Where a system stands, and where it may stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankSet {
    /// The best rank it may have: 1 + the systems that are surely better.
    pub low: usize,
    /// The worst: all systems less those that are surely worse.
    pub high: usize,
}

/// The rank sets of so many systems from lower and upper limits of mean differences, first less second.
pub fn rank_sets(systems: usize, limits: impl Iterator<Item = ((usize, usize), (f64, f64))>) -> Vec<RankSet> {
    let mut sets = vec![RankSet { low: 1, high: systems }; systems];
    for ((first, second), (low, high)) in limits {
        let (better, worse) = if low > 0.0 {
            (first, second)
        } else if high < 0.0 {
            (second, first)
        } else {
            continue;
        };
        sets[worse].low += 1;
        sets[better].high -= 1;
    }
    sets
}

/// Ranks from 1 for the greatest mean; systems that tie share the mean of their ranks.
pub fn ranks_by_mean(means: &[f64]) -> Vec<f64> {
    let largest = means.iter().fold(0.0f64, |most, mean| most.max(mean.abs()));
    let turned: Vec<f64> = means.iter().map(|mean| -mean).collect();
    mid_ranks(&turned, SAME * largest).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_by_hand() {
        // Of four systems 0 is surely better than 3 and than 2, 1 surely better than 3; nothing is known of 0 and 1, of 1 and 2, of 2 and 3.
        let limits = [
            ((0, 1), (-0.1, 0.2)),
            ((0, 2), (0.1, 0.3)),
            ((3, 0), (-0.5, -0.1)),
            ((1, 2), (0.0, 0.3)),
            ((1, 3), (0.1, 0.4)),
            ((2, 3), (-0.1, 0.1)),
        ];
        let sets = rank_sets(4, limits.into_iter()).into_iter().map(|set| (set.low, set.high)).collect::<Vec<_>>();
        assert_eq!(sets, [(1, 2), (1, 3), (2, 4), (3, 4)]);
        assert_eq!(rank_sets(2, std::iter::empty()), [RankSet { low: 1, high: 2 }; 2]);
    }

    #[test]
    fn systems_that_tie_share_their_ranks() {
        // 0.1 + 0.2 is 0.3 but for rounding: both are second and third.
        assert_eq!(ranks_by_mean(&[0.1 + 0.2, 0.5, 0.3, 0.1]), [2.5, 1.0, 2.5, 4.0]);
    }
}
