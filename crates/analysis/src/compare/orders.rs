//! Do measures, or judges, put runs into the same order? And which topics are hard for all of them?
//!
//! The one decision: an order is that of the runs' means over the topics both sides have, so the interval of an association is over topics drawn
//! again, the same for both sides.

use karat_data::names::text;
use karat_data::{CollectionFacts, Qrels, RunSource, TopicIndex};
use karat_measures::Measure;
use karat_stats::Sample;
use karat_stats::association::{kendall_tau, pearson, root_mean_square, spearman, tau_a, tau_ap};
use karat_stats::resample;
use karat_stats::test::{SAME, mid_ranks};

use super::CompareOptions;
use super::answer::{DifficultyRow, OrderRow};
use super::many::{everywhere, value};
use super::notes::CompareNote;
use crate::scores::{RunScores, ScoreError, Setting, score};
use crate::values::SAME_JUDGEMENTS;

/// Fewer runs have no order worth the name.
pub(super) const FEWEST_RUNS: usize = 3;
/// Persistence of the overlap of orders: nine in ten go on to the next rank.
const PERSISTENCE: f64 = 0.9;
/// Resamples behind intervals.
const RESAMPLES: u32 = 2000;

/// Judgements that the same runs are scored by too.
pub struct OtherJudgements<'a> {
    /// The judgements.
    pub qrels: &'a Qrels,
    /// What holds for their collection.
    pub collection: CollectionFacts,
    /// Their file.
    pub file: &'a str,
}

/// One side of a comparison of orders: by topic, the scores of all runs.
struct Scores {
    by_topic: Vec<Vec<f64>>,
}

impl Scores {
    fn new(scored: &[RunScores], measure: usize, topics: impl Iterator<Item = TopicIndex>) -> Scores {
        let of_topic = |topic| scored.iter().filter_map(|run| value(run, measure, topic)).collect();
        Scores { by_topic: topics.map(of_topic).collect() }
    }

    /// Means over topics that come so many times.
    fn means(&self, times: &[u32]) -> Vec<f64> {
        let mut sums = vec![0.0; self.by_topic.first().map_or(0, Vec::len)];
        let count: u32 = times.iter().sum();
        for (row, &times) in self.by_topic.iter().zip(times).filter(|(_, times)| **times > 0) {
            sums.iter_mut().zip(row).for_each(|(sum, score)| *sum += f64::from(times) * score);
        }
        // Means that differ by rounding only are ties.
        let size = sums.iter().fold(0.0f64, |size, sum| size.max(sum.abs()));
        let unit = size * SAME * 100.0;
        sums.iter()
            .map(|sum| if unit > 0.0 { (sum / unit).round() * unit } else { 0.0 } / f64::from(count.max(1)))
            .collect()
    }
}

/// Rank-biased overlap of two orders of the same runs, the mean over all ways of breaking ties: the overlap is linear in the share that two tops have
/// in common, and a run of a group of ties is among the first d with a chance.
fn overlap(a: &[f64], b: &[f64]) -> f64 {
    let chances = |numbers: &[f64]| -> Vec<(f64, f64)> {
        let falling: Vec<f64> = numbers.iter().map(|number| -number).collect();
        let ranks = mid_ranks(&falling, 0.0).0;
        // A group of ties of size t with mid rank m stands at the ranks from m − (t − 1)/2 on.
        let size = |rank: f64| ranks.iter().filter(|other| **other == rank).count() as f64;
        ranks.iter().map(|&rank| (rank - (size(rank) - 1.0) / 2.0, size(rank))).collect()
    };
    let (of_a, of_b) = (chances(a), chances(b));
    let within = |(start, size): (f64, f64), depth: f64| ((depth - start + 1.0) / size).clamp(0.0, 1.0);
    let (mut sum, mut weight) = (0.0, 1.0 - PERSISTENCE);
    for depth in (1..=a.len()).map(|depth| depth as f64) {
        let common: f64 = of_a.iter().zip(&of_b).map(|(a, b)| within(*a, depth) * within(*b, depth)).sum();
        sum += weight * common / depth;
        weight *= PERSISTENCE;
    }
    // Below the last run both have everything in common.
    sum + PERSISTENCE.powi(a.len() as i32)
}

/// Two sides of a comparison of orders.
struct Sides<'a> {
    measures: (&'a str, &'a str),
    judgements: &'a str,
    scores: (Scores, Scores),
}

impl Sides<'_> {
    /// How alike the two orders are; a note where there is no topic in common.
    fn row(&self, options: &CompareOptions<'_>, notes: &mut Vec<CompareNote>) -> Option<OrderRow> {
        let (first, second) = &self.scores;
        let names = || (self.measures.0.to_owned(), self.measures.1.to_owned());
        let (measure_a, measure_b) = names();
        let topics = first.by_topic.len();
        if topics == 0 {
            notes.push(CompareNote::NoOrder(measure_a, measure_b));
            return None;
        }
        let once = vec![1; topics];
        let (a, b) = (first.means(&once), second.means(&once));
        let tau = |times: &[u32]| kendall_tau(&first.means(times), &second.means(times));
        let drawn = resample::percentile(topics, tau, RESAMPLES, options.inference.level, options.inference.seed);
        if let Err(why) = drawn {
            let (a, b) = names();
            notes.push(CompareNote::NoOrderInterval(a, b, why));
        }
        Some(OrderRow {
            measure_a,
            measure_b,
            judgements_b: self.judgements.to_owned(),
            topics,
            tau_a: tau_a(&a, &b),
            tau_b: kendall_tau(&a, &b),
            tau_b_interval: drawn.ok().map(|found| (found.low, found.high)),
            tau_ap: tau_ap(&a, &b),
            spearman: spearman(&a, &b),
            pearson: pearson(&a, &b),
            rms: root_mean_square(&a, &b),
            rbo: overlap(&a, &b),
        })
    }
}

/// How alike the orders are: of every two measures, and of every measure by the other judgements.
///
/// # Errors
/// The runs cannot be scored by the other judgements.
pub(super) fn orders(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &CompareOptions<'_>,
    scored: &[RunScores],
    notes: &mut Vec<CompareNote>,
) -> Result<Vec<OrderRow>, ScoreError> {
    let names: Vec<String> = setting.measures.iter().map(|measure| measure.spec().to_string()).collect();
    let mut rows = Vec::new();
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            let other = everywhere(scored, second);
            let mut shared = everywhere(scored, first);
            shared.retain(|topic| other.contains(topic));
            let side = |measure| Scores::new(scored, measure, shared.iter().copied());
            let measures = (names[first].as_str(), names[second].as_str());
            let sides = Sides { measures, judgements: SAME_JUDGEMENTS, scores: (side(first), side(second)) };
            rows.extend(sides.row(options, notes));
        }
    }
    if let Some(other) = &options.more.other {
        for (measure, scores) in by_other_judgements(setting, runs, scored, other)?.into_iter().enumerate() {
            let measures = (names[measure].as_str(), names[measure].as_str());
            rows.extend(Sides { measures, judgements: other.file, scores }.row(options, notes));
        }
    }
    notes.push(CompareNote::Orders { runs: scored.len(), persistence: PERSISTENCE });
    Ok(rows)
}

/// By measure: the scores by the judgements given and by the others, on the topics that both have.
fn by_other_judgements(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    scored: &[RunScores],
    other: &OtherJudgements<'_>,
) -> Result<Vec<(Scores, Scores)>, ScoreError> {
    let again = Setting {
        qrels: other.qrels,
        uncut: None,
        collection: other.collection,
        bounds: false,
        detect_sparse: false,
        relevance_model: None,
        calibration: None,
        ..*setting
    };
    let others = score(&again, runs)?;
    let of_measure = |measure: usize| {
        let there = everywhere(&others, measure);
        let both = everywhere(scored, measure).into_iter().filter_map(|topic| {
            let other = other.qrels.find(setting.qrels.name(topic)).filter(|topic| there.contains(topic))?;
            Some((topic, other))
        });
        let (here, there): (Vec<TopicIndex>, Vec<TopicIndex>) = both.unzip();
        (Scores::new(scored, measure, here.into_iter()), Scores::new(&others, measure, there.into_iter()))
    };
    Ok((0..setting.measures.len()).map(of_measure).collect())
}

/// How hard each topic is for the runs together, hardest first.
pub(super) fn difficulty(setting: &Setting<'_>, scored: &[RunScores]) -> Vec<DifficultyRow> {
    let of_measure = |(place, measure): (usize, &dyn Measure)| {
        let row = |topic: TopicIndex| {
            let known = scored.iter().filter_map(|run| Some((run, value(run, place, topic)?)));
            let known: Vec<(&RunScores, f64)> = known.collect();
            let values: Vec<f64> = known.iter().map(|(_, value)| *value).collect();
            let sample = Sample::new(&values).ok()?;
            // Of equal runs the first.
            let (run, best) = known.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
            Some(DifficultyRow {
                measure: measure.spec().to_string(),
                topic: text(setting.qrels.name(topic)),
                mean: sample.mean(),
                sd: sample.sd().ok(),
                best_run: run.name.clone(),
                best: *best,
            })
        };
        let mut rows: Vec<DifficultyRow> = setting.qrels.topics().filter_map(row).collect();
        // Stable: topics that are equally hard stay in the order of the judgements.
        rows.sort_by(|a, b| a.mean.total_cmp(&b.mean));
        rows
    };
    setting.measures.iter().map(AsRef::as_ref).enumerate().flat_map(of_measure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_of_orders_by_hand() {
        // The same order: everything in common at every depth.
        assert!((overlap(&[3.0, 2.0, 1.0], &[9.0, 5.0, 1.0]) - 1.0).abs() < 1e-15);
        // Two runs turned, p = 0.9: A_1 = 0, A_2 = 1: 0.1 · 0 + 0.09 · 1 + 0.81 = 0.9.
        assert!((overlap(&[2.0, 1.0], &[1.0, 2.0]) - 0.9).abs() < 1e-15);
        // One side tied: the mean of 1 and 0.9, the two ways of breaking it.
        assert!((overlap(&[2.0, 1.0], &[1.0, 1.0]) - 0.95).abs() < 1e-15);
        // Both tied: of the four ways two agree.
        assert!((overlap(&[1.0, 1.0], &[1.0, 1.0]) - 0.95).abs() < 1e-15);
        // The same as the overlap of lists, which has no ties: 0 1 2 3 against 1 0 3 2.
        let lists = karat_stats::association::rank_biased_overlap(&[0, 1, 2, 3], &[1, 0, 3, 2], 0.9).unwrap();
        let orders = overlap(&[4.0, 3.0, 2.0, 1.0], &[3.0, 4.0, 1.0, 2.0]);
        assert!((orders - lists.extrapolated.unwrap()).abs() < 1e-12);
    }
}
