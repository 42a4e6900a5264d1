//! Do measures, or judges, put runs into the same order? And which topics are hard for all of them?
//!
//! The one decision: an order is that of the runs' means over the topics both sides have, so the interval of an association is over topics drawn
//! again, the same for both sides.

use karat_data::names::text;
use karat_data::{CollectionFacts, Problems, Qrels, RunSource, TopicIndex};
use karat_measures::Measure;
use karat_report::{Column, NumberStyle, Table};
use karat_stats::Sample;
use karat_stats::association::{kendall_tau, pearson, root_mean_square, spearman, tau_a, tau_ap};
use karat_stats::resample;
use karat_stats::test::{SAME, mid_ranks};

use super::many::{everywhere, value};
use super::{CompareOptions, percent};
use crate::scores::{RunScores, Setting, score};

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

/// The table of orders: every two measures, and every measure by the other judgements.
///
/// # Errors
/// The runs cannot be scored by the other judgements.
pub(super) fn orders(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &CompareOptions<'_>,
    scored: &[RunScores],
) -> Result<(Table, Vec<String>), Problems> {
    let level = percent(options.inference.level);
    let mut table = Table::new("orders", "Orders of runs")
        .column("measure_a", "measure")
        .column("measure_b", "and")
        .column("judgements_b", "by")
        .column("topics", "topics");
    for (key, heading) in [("tau_a", "tau_a"), ("tau_b", "tau_b")] {
        table = table.with(Column::new(key, heading).style(NumberStyle::Decimals(3)));
    }
    table = table.with(
        Column::new("tau_b_interval", format!("{level} interval of tau_b")).style(NumberStyle::Decimals(3)).range(),
    );
    for key in ["tau_ap", "spearman", "pearson", "rms", "rbo"] {
        let heading = if key == "tau_ap" { "tau_AP" } else { key };
        table = table.with(Column::new(key, heading).style(NumberStyle::Decimals(3)));
    }
    let mut notes = Vec::new();
    let names: Vec<String> = setting.measures.iter().map(|measure| measure.spec().to_string()).collect();
    let mut push = |names: (&str, &str), judgements: Option<&str>, first: &Scores, second: &Scores| {
        let topics = first.by_topic.len();
        if topics == 0 {
            notes.push(format!("no order of runs by {} and {}: no topic in common", names.0, names.1));
            return;
        }
        let once = vec![1; topics];
        let (a, b) = (first.means(&once), second.means(&once));
        let drawn = resample::percentile(
            topics,
            |times| kendall_tau(&first.means(times), &second.means(times)),
            RESAMPLES,
            options.inference.level,
            options.inference.seed,
        );
        if let Err(why) = &drawn {
            notes.push(format!("no interval of tau_b of {} and {}: {why}", names.0, names.1));
        }
        table.push([
            names.0.into(),
            names.1.into(),
            judgements.unwrap_or("the same").into(),
            topics.into(),
            tau_a(&a, &b).into(),
            kendall_tau(&a, &b).into(),
            drawn.ok().map(|found| (found.low, found.high)).into(),
            tau_ap(&a, &b).into(),
            spearman(&a, &b).into(),
            pearson(&a, &b).into(),
            root_mean_square(&a, &b).into(),
            overlap(&a, &b).into(),
        ]);
    };
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            let shared: Vec<TopicIndex> = {
                let other = everywhere(scored, second);
                everywhere(scored, first).into_iter().filter(|topic| other.contains(topic)).collect()
            };
            let side = |measure| Scores::new(scored, measure, shared.iter().copied());
            push((&names[first], &names[second]), None, &side(first), &side(second));
        }
    }
    if let Some(other) = &options.more.other {
        let again = Setting {
            qrels: other.qrels,
            uncut: None,
            collection: other.collection,
            bounds: false,
            belief: None,
            calibration: None,
            ..*setting
        };
        let others = score(&again, runs)?;
        for (measure, name) in names.iter().enumerate() {
            let there = everywhere(&others, measure);
            let both = everywhere(scored, measure).into_iter().filter_map(|topic| {
                let other = other.qrels.find(setting.qrels.name(topic)).filter(|topic| there.contains(topic))?;
                Some((topic, other))
            });
            let (here, there): (Vec<TopicIndex>, Vec<TopicIndex>) = both.unzip();
            let first = Scores::new(scored, measure, here.into_iter());
            push((name, name), Some(other.file), &first, &Scores::new(&others, measure, there.into_iter()));
        }
    }
    notes.push(format!(
        "orders of {} runs by their means: tau_AP takes the second order for the truth and has no value with ties; rbo is rank-biased overlap at p = {PERSISTENCE}, ties broken every way; rms is the difference of scores",
        scored.len()
    ));
    Ok((table, notes))
}

/// How hard each topic is for the runs together.
pub(super) fn difficulty(setting: &Setting<'_>, scored: &[RunScores]) -> Table {
    let mut table = Table::new("topics", "Topics, hardest first")
        .column("measure", "measure")
        .column("topic", "topic")
        .column("mean", "mean over runs")
        .column("sd", "sd over runs")
        .column("best_run", "best run")
        .column("best", "its score");
    for (place, measure) in setting.measures.iter().enumerate() {
        let mut rows: Vec<(TopicIndex, f64, Option<f64>, usize, f64)> = Vec::new();
        for topic in setting.qrels.topics() {
            let known: Vec<(usize, f64)> = scored
                .iter()
                .enumerate()
                .filter_map(|(run, scores)| Some((run, value(scores, place, topic)?)))
                .collect();
            let values: Vec<f64> = known.iter().map(|(_, value)| *value).collect();
            let Ok(sample) = Sample::new(&values) else { continue };
            // Of equal runs the first.
            let Some(best) = known.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
            rows.push((topic, sample.mean(), sample.sd().ok(), best.0, best.1));
        }
        rows.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.0.cmp(&b.0.0)));
        for (topic, mean, sd, run, best) in rows {
            table.push([
                spec(measure.as_ref()).into(),
                text(setting.qrels.name(topic)).into(),
                mean.into(),
                sd.into(),
                scored[run].name.as_str().into(),
                best.into(),
            ]);
        }
    }
    table
}

fn spec(measure: &dyn Measure) -> String {
    measure.spec().to_string()
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
