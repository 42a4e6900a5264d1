//! How often judged documents are relevant where the unjudged documents stand, with an upper limit: what a tipping point is held against.
//!
//! The one decision: a rate is by bands of ranks, weighted as the unjudged documents are, because relevance falls with the rank. A judged document
//! deep in a list was judged because another run had it high, and says little about unjudged ones; where enough runs were pooled, only documents
//! that no other run brought into the pool count.

use std::collections::BTreeMap;

use karat_data::{Judgement, RankedDocuments, TopicIndex};
use karat_stats::dist::beta;

use super::super::lists::Lists;

/// The last rank of each band; a last band has all deeper ranks.
const ENDS: [usize; 12] = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, usize::MAX];
/// Bands.
pub(super) const BANDS: usize = ENDS.len();
/// Fewer judged documents give no rate.
const FEWEST: f64 = 5.0;
/// Pooled runs, besides the run itself, from which on only documents of the run's own count.
const POOLED_RUNS: usize = 5;
/// A rank is pooled where this share of its documents is judged.
const POOLED_SHARE: f64 = 0.98;
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
    unique: Vec<Cells>,
    /// To what rank each run was pooled; 0: not.
    pooled_to: Vec<usize>,
}

impl JudgedRates {
    /// From all topics; `gain` is from 0 to 1.
    pub fn collect<'a>(
        read: &RankedDocuments,
        topics: &[TopicIndex],
        lists: impl Fn(usize) -> Lists<'a>,
        gain: impl Fn(f64) -> f64,
    ) -> JudgedRates {
        let runs = read.runs.len();
        let pooled_to = pooled_to(runs, topics.len(), &lists);
        let (mut own, mut unique) = (vec![Cells::new(); runs], vec![Cells::new(); runs]);
        let mut brought_by: Vec<u32> = Vec::new();
        for at in 0..topics.len() {
            let lists = lists(at);
            brought_by.clear();
            brought_by.resize(lists.documents(), 0);
            for (run, &depth) in pooled_to.iter().enumerate() {
                lists.list(run).iter().take(depth).for_each(|&document| brought_by[document as usize] += 1);
            }
            for run in 0..runs {
                for (rank, &document) in (1..).zip(lists.list(run)) {
                    let Some(grade) = lists.known(document).grade() else { continue };
                    let (band, gain) = (band(rank), gain(grade));
                    let add = |cells: &mut Cells| {
                        let cell = &mut cells.entry(topics[at].0).or_default()[band];
                        *cell = Cell { count: cell.count + 1.0, gain: cell.gain + gain };
                    };
                    add(&mut own[run]);
                    if rank <= pooled_to[run] && brought_by[document as usize] == 1 {
                        add(&mut unique[run]);
                    }
                }
            }
        }
        JudgedRates { own, unique, pooled_to }
    }

    /// The rate of a run where the weights by band are these.
    pub fn of(&self, run: usize, weights: &[f64; BANDS]) -> Rate {
        let others = self.pooled_to.iter().enumerate().filter(|(other, depth)| *other != run && **depth > 0).count();
        let unique = (others >= POOLED_RUNS).then(|| rate(&self.unique[run], weights)).flatten();
        match unique {
            Some((rate, upper)) => Rate { rate: Some(rate), upper, unique: true },
            None => rate(&self.own[run], weights).map_or(UNKNOWN, |(rate, upper)| Rate {
                rate: Some(rate),
                upper,
                unique: false,
            }),
        }
    }

    /// The run with the highest rate, of those that have one.
    pub fn best(&self, weights: &[f64; BANDS]) -> (Option<usize>, Rate) {
        let known = (0..self.own.len()).map(|run| (run, self.of(run, weights)));
        let rated = known.filter_map(|(run, rate)| Some((rate.rate?, run, rate)));
        let best = rated.reduce(|best, other| if other.0 > best.0 { other } else { best });
        best.map_or((None, UNKNOWN), |(_, run, rate)| (Some(run), rate))
    }
}

/// To what rank the documents of each run are judged, but for a few.
fn pooled_to<'a>(runs: usize, topics: usize, lists: &impl Fn(usize) -> Lists<'a>) -> Vec<usize> {
    let mut seen: Vec<Vec<(u32, u32)>> = vec![Vec::new(); runs];
    for at in 0..topics {
        let lists = lists(at);
        for (run, seen) in seen.iter_mut().enumerate() {
            let list = lists.list(run);
            if seen.len() < list.len() {
                seen.resize(list.len(), (0, 0));
            }
            for (rank, &document) in seen.iter_mut().zip(list) {
                rank.0 += 1;
                rank.1 += u32::from(matches!(lists.known(document), Judgement::Grade(_)));
            }
        }
    }
    let is_pooled = |&(shown, judged): &(u32, u32)| f64::from(judged) >= POOLED_SHARE * f64::from(shown);
    seen.iter().map(|ranks| ranks.iter().take_while(|rank| is_pooled(rank)).count()).collect()
}

/// A weighted rate and its upper limit; `None` with too few documents.
fn rate(cells: &Cells, weights: &[f64; BANDS]) -> Option<(f64, f64)> {
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
    Some((rate, upper_limit(cells, rate, (&of_gain, &of_count))))
}

/// The bands that stand for one: itself, and where it has too few documents shallower ones, then deeper ones.
fn sources(totals: &[Cell; BANDS], band: usize) -> Option<std::ops::Range<usize>> {
    let enough =
        |range: &std::ops::Range<usize>| totals[range.clone()].iter().map(|cell| cell.count).sum::<f64>() >= FEWEST;
    let shallower = (0..=band).rev().map(|first| first..band + 1);
    let deeper = (band + 1..BANDS).map(|last| 0..last + 1);
    shallower.chain(deeper).find(enough)
}

/// The upper limit of a rate, topics being drawn: that of Clopper and Pearson with as many documents as would give the variance over topics.
fn upper_limit(cells: &Cells, rate: f64, (of_gain, of_count): (&[f64; BANDS], &[f64; BANDS])) -> f64 {
    let (mut squares, mut topics, mut documents) = (0.0, 0.0, 0.0);
    for cells in cells.values() {
        let used = cells.iter().enumerate().filter(|(band, cell)| of_gain[*band] > 0.0 && cell.count > 0.0);
        let (mut residual, mut any) = (0.0, 0.0);
        for (band, cell) in used {
            residual += of_gain[band] * cell.gain - of_count[band] * cell.count;
            any += cell.count;
        }
        squares += residual * residual;
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
