//! How often judged documents are relevant where the unjudged documents stand, with an upper limit: what a tipping point is held against.
//!
//! The one decision: a rate is by bands of ranks, weighted as the unjudged documents are, because relevance falls with the rank. A judged document
//! deep in a list was judged because another run had it high, and says little about unjudged ones; where enough runs were pooled, only documents
//! that no other run brought into the pool count.

use std::collections::BTreeMap;

use karat_data::TopicIndex;
use karat_stats::dist::beta;

use super::super::RunPair;
use super::pools::Pools;
use crate::lists::Lists;

/// The last rank of each band; a last band has all deeper ranks.
const ENDS: [usize; 12] = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, usize::MAX];
/// Bands.
pub(super) const BANDS: usize = ENDS.len();
/// Fewer judged documents give no rate.
const FEWEST: f64 = 5.0;
/// A band with fewer judged documents is helped out by others.
const ENOUGH: f64 = 20.0;
/// Pooled runs, besides the run itself, from which on only documents of the run's own count.
const POOLED_RUNS: usize = 5;
/// Level of the upper limits, one-sided.
const LEVEL: f64 = 0.95;

/// The band of a rank, from 1.
pub(super) fn band(rank: usize) -> usize {
    ENDS.iter().position(|end| rank <= *end).unwrap_or(BANDS - 1)
}

/// A rate of relevance among judged documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// The rate; `None` with fewer than five documents.
    pub rate: Option<f64>,
    /// Its upper 95% limit; 1 with fewer than five documents.
    pub upper: f64,
    /// Whether only documents count that no other run brought into the pool.
    pub unique: bool,
}

/// Nothing is known.
const UNKNOWN: Rate = Rate { rate: None, upper: 1.0, unique: false };

/// Judged documents of a run on one topic and band.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    count: f64,
    gain: f64,
}

/// Judged documents of a run, by topic and band.
type Cells = BTreeMap<u32, [Cell; BANDS]>;

/// The judged documents of all runs.
pub(super) struct JudgedRates {
    own: Vec<Cells>,
    /// Documents that one pooled run alone brought into the pool, of all pooled runs.
    unique: Cells,
    pooled: Vec<bool>,
}

impl JudgedRates {
    /// From all topics; `gain` is from 0 to 1.
    pub fn collect<'a>(
        pools: &Pools,
        topics: &[TopicIndex],
        lists: impl Fn(usize) -> Lists<'a>,
        gain: impl Fn(f64) -> f64,
    ) -> JudgedRates {
        let runs = pools.depths.len();
        let (mut own, mut unique) = (vec![Cells::new(); runs], Cells::new());
        let mut brought_by: Vec<u32> = Vec::new();
        for (at, topic) in topics.iter().enumerate() {
            let lists = lists(at);
            pools.count(&lists, &mut brought_by);
            for (run, own) in own.iter_mut().enumerate() {
                for (rank, &document) in (1..).zip(lists.list(run)) {
                    let Some(grade) = lists.known(document).grade() else { continue };
                    let (band, gain) = (band(rank), gain(grade));
                    let add = |cells: &mut Cells| {
                        let cell = &mut cells.entry(topic.0).or_default()[band];
                        *cell = Cell { count: cell.count + 1.0, gain: cell.gain + gain };
                    };
                    add(own);
                    if rank <= pools.depths[run] && brought_by[document as usize] == 1 {
                        add(&mut unique);
                    }
                }
            }
        }
        JudgedRates { own, unique, pooled: (0..runs).map(|run| pools.is_pooled(run)).collect() }
    }

    /// The rate of a run where the weights by band are these. Where both runs of a pair were pooled, with enough others, that of documents that one run alone
    /// brought into the pool takes the place of its own.
    pub fn of(&self, run: usize, weights: &[f64; BANDS], alike: bool) -> Rate {
        let others = self.pooled.iter().enumerate().filter(|(other, pooled)| *other != run && **pooled).count();
        let unique = (alike && others >= POOLED_RUNS).then(|| rate(&self.unique, weights)).flatten();
        match unique {
            Some((rate, upper)) => Rate { rate: Some(rate), upper, unique: true },
            None => rate(&self.own[run], weights).map_or(UNKNOWN, |(rate, upper)| Rate {
                rate: Some(rate),
                upper,
                unique: false,
            }),
        }
    }

    /// Whether judged documents allow two runs' unjudged documents to be relevant equally often: those of the run that trails are not relevant more often
    /// than the leader's.
    pub fn allow_equal(&self, (leader, other): RunPair, weights: &[f64; BANDS]) -> bool {
        let rate = |run: usize| Some(weighted(&self.own[run], weights)?.rate);
        rate(other).zip(rate(leader)).is_some_and(|(other, leader)| other <= leader)
    }

    /// The run with the highest rate, of those that have one; among pooled runs where only those are concerned.
    pub fn best(&self, weights: &[f64; BANDS], alike: bool) -> (Option<usize>, Rate) {
        let concerned = (0..self.own.len()).filter(|&run| !alike || self.pooled[run]);
        let rated = concerned.map(|run| (run, self.of(run, weights, alike)));
        let rated = rated.filter_map(|(run, rate)| Some((rate.rate?, run, rate)));
        let best = rated.reduce(|best, other| if other.0 > best.0 { other } else { best });
        best.map_or((None, UNKNOWN), |(_, run, rate)| (Some(run), rate))
    }
}

/// A weighted rate, with what the gain and the number of each band add to its error on one topic.
struct Weighted {
    rate: f64,
    of_gain: [f64; BANDS],
    of_count: [f64; BANDS],
}

impl Weighted {
    /// What a topic adds to the error of the rate.
    fn residual(&self, cells: &[Cell; BANDS]) -> f64 {
        let one = |(band, cell): (usize, &Cell)| self.of_gain[band] * cell.gain - self.of_count[band] * cell.count;
        cells.iter().enumerate().map(one).sum()
    }
}

/// A weighted rate and its upper limit; `None` with too few documents.
fn rate(cells: &Cells, weights: &[f64; BANDS]) -> Option<(f64, f64)> {
    let found = weighted(cells, weights)?;
    Some((found.rate, upper_limit(cells, &found)))
}

fn weighted(cells: &Cells, weights: &[f64; BANDS]) -> Option<Weighted> {
    let mut totals = [Cell::default(); BANDS];
    for cell in cells.values() {
        for (total, cell) in totals.iter_mut().zip(cell) {
            *total = Cell { count: total.count + cell.count, gain: total.gain + cell.gain };
        }
    }
    let whole: f64 = weights.iter().sum();
    if whole <= 0.0 {
        return None;
    }
    // The rate is a sum of gains times `of_gain`; its error by topic also takes off documents times `of_count`.
    let (mut rate, mut of_gain, mut of_count) = (0.0, [0.0; BANDS], [0.0; BANDS]);
    for (band, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        let sources = sources(&totals, band)?;
        let sum = |of: fn(&Cell) -> f64| totals[sources.clone()].iter().map(of).sum::<f64>();
        let (count, gain) = (sum(|cell| cell.count), sum(|cell| cell.gain));
        let (own, share) = (gain / count, weight / whole);
        rate += share * own;
        for band in sources {
            of_gain[band] += share / count;
            of_count[band] += share * own / count;
        }
    }
    Some(Weighted { rate, of_gain, of_count })
}

/// The bands that stand for one: itself, and where it has too few documents shallower ones, then deeper ones, then all.
fn sources(totals: &[Cell; BANDS], band: usize) -> Option<std::ops::Range<usize>> {
    let count = |range: &std::ops::Range<usize>| totals[range.clone()].iter().map(|cell| cell.count).sum::<f64>();
    let shallower = (0..=band).rev().map(|first| first..band + 1);
    let deeper = (band + 1..BANDS).map(|last| 0..last + 1);
    let enough = shallower.chain(deeper).find(|range| count(range) >= ENOUGH);
    enough.or(Some(0..BANDS).filter(|all| count(all) >= FEWEST))
}

/// The upper limit of a rate, topics being drawn: that of Clopper and Pearson with as many documents as would give the variance over topics.
fn upper_limit(cells: &Cells, found: &Weighted) -> f64 {
    let rate = found.rate;
    let (mut squares, mut topics, mut documents) = (0.0, 0.0, 0.0);
    for cells in cells.values() {
        let used = cells.iter().enumerate().filter(|(band, _)| found.of_gain[*band] > 0.0);
        let any: f64 = used.map(|(_, cell)| cell.count).sum();
        squares += found.residual(cells).powi(2);
        topics += f64::from(u8::from(any > 0.0));
        documents += any;
    }
    if topics < 2.0 {
        return 1.0;
    }
    let variance = squares * topics / (topics - 1.0);
    let worth = if variance > 0.0 { (rate * (1.0 - rate) / variance).clamp(1.0, documents) } else { topics };
    let relevant = (rate * worth).min(worth);
    if worth - relevant <= 0.0 {
        return 1.0;
    }
    beta::quantile(LEVEL, relevant + 1.0, worth - relevant).unwrap_or(1.0).max(rate)
}

#[cfg(test)]
mod tests;
