//! How often rank sets hold the true ranks.

use karat_stats::Seed;
use karat_stats::max_t::MaxT;
use karat_stats::ranks::{RankSet, rank_sets, ranks_by_mean};
use karat_stats::resample::multiplicities;
use karat_stats::two_way::TwoWay;

use super::methods::{DRAWS, LEVEL, adjusted};
use super::worlds::{World, all_pairs};
use super::{json, mean_over};

/// Standard deviation of a system's scores beyond what all share; of a difference 1.4 times that.
const SD: f64 = 0.1;
/// Resamples of the percentile bootstrap.
const RESAMPLES: usize = 500;

/// The last system is the best; each is `step` better than the one before.
pub fn coverage(world: &World, worlds: usize, step: f64) -> String {
    let pairs = all_pairs(world.systems);
    let systems = world.systems;
    let shares = mean_over(worlds, |index| {
        let scores = world.draw(&format!("ranks {step}"), index, |system| system as f64 * step / SD);
        let Ok(table) = TwoWay::new(&scores) else { return [0.0; 6] };
        let intervals = MaxT::new(&table, &pairs, DRAWS, Seed(index), 1).ok().and_then(|test| test.intervals(LEVEL));
        let known = pairs.iter().copied().zip(intervals.unwrap_or_default());
        let sets = rank_sets(systems, known.filter_map(|(pair, interval)| Some((pair, interval?))));
        let [all, best, width] = measure(&sets);
        let [all_before, best_before, width_before] = measure(&percentiles(&scores, index));
        [all, best, width, all_before, best_before, width_before]
    });
    let names = ["all", "best", "width", "bootstrap, all", "bootstrap, best", "bootstrap, width"];
    json(&names.into_iter().zip(shares).collect::<Vec<_>>())
}

/// How often rank sets hold, and how often max-T finds some pair the wrong way round.
pub fn mixed(world: &World, worlds: usize, step: f64) -> String {
    let pairs = all_pairs(world.systems);
    let shares = mean_over(worlds, |index| {
        let scores = world.draw(&format!("mixed {step}"), index, |system| system as f64 * step / SD);
        let Ok(table) = TwoWay::new(&scores) else { return [0.0; 4] };
        let intervals = MaxT::new(&table, &pairs, DRAWS, Seed(index), 1).ok().and_then(|test| test.intervals(LEVEL));
        let known = pairs.iter().copied().zip(intervals.unwrap_or_default());
        let sets = rank_sets(world.systems, known.filter_map(|(pair, interval)| Some((pair, interval?))));
        let [all, best, width] = measure(&sets);
        let [max_t, ..] = adjusted(&scores, &pairs, index);
        let sum = |system: usize| scores[system].iter().sum::<f64>();
        // The second of a pair is truly better.
        let wrong = pairs.iter().zip(max_t).any(|(&(a, b), p)| p <= LEVEL && sum(a) > sum(b));
        [all, best, width, f64::from(u8::from(wrong))]
    });
    let names = ["all", "best", "width", "wrong way"];
    json(&names.into_iter().zip(shares).collect::<Vec<_>>())
}

/// Whether the sets of all systems hold, whether that of the best does, and their mean number of ranks.
fn measure(sets: &[RankSet]) -> [f64; 3] {
    let holds = |(system, set): (usize, &RankSet)| (set.low..=set.high).contains(&(sets.len() - system));
    let last = sets.len() - 1;
    let width = sets.iter().map(|set| (set.high - set.low + 1) as f64).sum::<f64>() / sets.len() as f64;
    let truth = |holds: bool| f64::from(u8::from(holds));
    [truth(sets.iter().enumerate().all(holds)), truth(holds((last, &sets[last]))), width]
}

/// What rank sets replace: percentiles of each system's rank over resampled topics.
fn percentiles(scores: &[Vec<f64>], seed: u64) -> Vec<RankSet> {
    let mut stream = Seed(seed).stream("bootstrap", 0);
    let (topics, mut times) = (scores[0].len(), Vec::new());
    let mut ranks = vec![Vec::with_capacity(RESAMPLES); scores.len()];
    for _ in 0..RESAMPLES {
        multiplicities(topics, &mut stream, &mut times);
        let sum = |scores: &Vec<f64>| scores.iter().zip(&times).map(|(score, times)| score * f64::from(*times)).sum();
        let sums: Vec<f64> = scores.iter().map(sum).collect();
        ranks.iter_mut().zip(ranks_by_mean(&sums)).for_each(|(ranks, rank)| ranks.push(rank));
    }
    let set = |mut ranks: Vec<f64>| {
        ranks.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| ranks[(share * (RESAMPLES - 1) as f64).round() as usize];
        RankSet { low: at(LEVEL / 2.0).floor() as usize, high: at(1.0 - LEVEL / 2.0).ceil() as usize }
    };
    ranks.into_iter().map(set).collect()
}
