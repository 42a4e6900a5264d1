//! How sure the order of systems is: the interval of each one's rank over topics drawn again.
//!
//! The one decision: topics are resampled, all systems together, so that what a topic does to all of them cancels. Systems that tie share
//! their ranks; the ends of an interval are ranks that occurred, rounded outwards.

use crate::dist::{OutOfRange, each_side};
use crate::resample::multiplicities;
use crate::seed::Seed;
use crate::test::{SAME, mid_ranks};
use crate::two_way::TwoWay;
use karat_runtime::jobs;

/// Resamples that share a stream: the unit of work of a thread.
const PIECE: u32 = 256;

/// Where a system stands, and where it may stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankInterval {
    /// Its rank by its mean, 1 for the best; systems that tie share the mean of their ranks.
    pub rank: f64,
    /// Lower end: the best rank it may have.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// How often it was first, alone or with others.
    pub first: f64,
}

/// The interval of each system's rank at `level`, from so many resamples of the topics.
///
/// # Errors
/// The level is none, or there are too few resamples for it (five beyond each end).
pub fn rank_intervals(
    scores: &TwoWay,
    level: f64,
    resamples: u32,
    seed: Seed,
    threads: usize,
) -> Result<Vec<RankInterval>, OutOfRange> {
    let side = each_side(level)?;
    if f64::from(resamples) < (5.0 / side - 1e-6).ceil() {
        let (argument, legal) = ("number of resamples", "at least 10 / (1 - level), so that five lie beyond each end");
        return Err(OutOfRange { argument, found: f64::from(resamples), legal });
    }
    let drawn = resampled_ranks(scores, resamples, seed, threads);
    let systems = scores.systems();
    let means = from_best(&scores.system_means());
    let intervals = (0..systems).map(|system| {
        let mut ranks: Vec<f64> = drawn.iter().skip(system).step_by(systems).copied().collect();
        ranks.sort_unstable_by(f64::total_cmp);
        let last = ranks.len() - 1;
        let (low, high) = ((side * last as f64).floor(), ((1.0 - side) * last as f64).ceil());
        let best = drawn.chunks_exact(systems).filter(|ranks| ranks.iter().all(|rank| *rank >= ranks[system]));
        let first = best.count() as f64 / ranks.len() as f64;
        RankInterval { rank: means[system], low: ranks[low as usize], high: ranks[(high as usize).min(last)], first }
    });
    Ok(intervals.collect())
}

/// The ranks of all systems in each resample, one resample after the other.
fn resampled_ranks(scores: &TwoWay, resamples: u32, seed: Seed, threads: usize) -> Vec<f64> {
    let (systems, topics) = (scores.systems(), scores.topics());
    let streams = seed.streams("ranks");
    let pieces = jobs::pieces(resamples, PIECE);
    let drawn = jobs::in_order(pieces.len(), threads, |piece| {
        let mut stream = streams.at(piece as u64);
        let (mut times, mut sums) = (Vec::new(), vec![0.0; systems]);
        let mut ranks = Vec::with_capacity(systems * pieces[piece] as usize);
        for _ in 0..pieces[piece] {
            multiplicities(topics, &mut stream, &mut times);
            sums.fill(0.0);
            for (row, &times) in scores.by_topic().zip(&times).filter(|(_, times)| **times > 0) {
                sums.iter_mut().zip(row).for_each(|(sum, score)| *sum += f64::from(times) * score);
            }
            ranks.extend(from_best(&sums));
        }
        ranks
    });
    drawn.concat()
}

/// Ranks from 1 for the greatest.
fn from_best(numbers: &[f64]) -> Vec<f64> {
    let largest = numbers.iter().fold(0.0f64, |most, number| most.max(number.abs()));
    let turned: Vec<f64> = numbers.iter().map(|number| -number).collect();
    mid_ranks(&turned, SAME * largest).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sure_loser_and_two_of_which_either_may_be_first() {
        // Two topics: a 1, 0 and b 0, 1; c always below. A resample is (1,1), (2,2) or one of each, chances ¼, ¼, ½: a is first, second
        // or ties with b at 1.5, and is first (alone or not) with chance ¾. c is third in every one.
        let table = TwoWay::new(&[[1.0, 0.5], [0.5, 1.0], [0.0, 0.0]]).unwrap();
        let found = rank_intervals(&table, 0.9, 20_000, Seed(1), 1).unwrap();
        assert_eq!(found[2], RankInterval { rank: 3.0, low: 3.0, high: 3.0, first: 0.0 });
        for either in &found[..2] {
            assert_eq!((either.rank, either.low, either.high), (1.5, 1.0, 2.0));
            // sd √(3/16/20000) = 0.003; 5 sd.
            assert!((either.first - 0.75).abs() < 0.0153, "{either:?}");
        }
        assert_eq!(found, rank_intervals(&table, 0.9, 20_000, Seed(1), 3).unwrap());
    }

    #[test]
    fn refusals() {
        let table = TwoWay::new(&[[1.0, 0.5], [0.5, 1.0]]).unwrap();
        assert!(rank_intervals(&table, 1.0, 1000, Seed(1), 1).is_err());
        assert!(rank_intervals(&table, 0.95, 100, Seed(1), 1).is_err());
    }
}
