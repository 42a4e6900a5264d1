//! Many runs at once: where each stands, who cannot be told from whom, and how much of the spread is whose.

use karat_data::TopicIndex;
use karat_measures::Measure;
use karat_report::{Cell, Column, NumberStyle, Table};
use karat_stats::anova::{Part, decompose};
use karat_stats::groups::Groups;
use karat_stats::ranks::{RankInterval, rank_intervals};
use karat_stats::two_way::{NotTwoWay, TwoWay};

use super::{CompareOptions, Compared, Comparison};
use crate::eval::percent;
use crate::scores::RunScores;

/// The topics that every run has a score of the measure for.
pub(crate) fn everywhere(scored: &[RunScores], measure: usize) -> Vec<TopicIndex> {
    let first = scored.first().into_iter().flat_map(|first| first.of(measure)).map(|(topic, _)| topic);
    first.filter(|&topic| scored.iter().all(|run| value(run, measure, topic).is_some())).collect()
}

/// A run's score of the measure for a topic.
pub fn value(run: &RunScores, measure: usize, topic: TopicIndex) -> Option<f64> {
    run.topics.get(topic).and_then(|scores| scores[measure].as_ref().ok()).map(|score| score.value)
}

/// All runs' scores of a measure on these topics.
pub(crate) fn scores_on(scored: &[RunScores], measure: usize, topics: &[TopicIndex]) -> Vec<Vec<f64>> {
    scored.iter().map(|run| topics.iter().filter_map(|&topic| value(run, measure, topic)).collect()).collect()
}

/// All runs' scores of a measure on the topics that every run has a score for.
pub(crate) fn two_way(scored: &[RunScores], measure: usize) -> Result<TwoWay, NotTwoWay> {
    TwoWay::new(&scores_on(scored, measure, &everywhere(scored, measure)))
}

/// Where each run stands, best first, measure by measure.
pub fn systems(
    measures: &[Box<dyn Measure>],
    options: &CompareOptions<'_>,
    compared: &Compared,
) -> (Table, Vec<String>) {
    let scored = &compared.scored;
    let level = percent(options.inference.level);
    let grouped = options.all_pairs;
    let mut table = Table::new("systems", "Runs")
        .column("measure", "measure")
        .column("run", "run")
        .column("value", "value")
        .with(Column::new("rank", "rank").style(NumberStyle::Given))
        .with(Column::new("rank_interval", format!("{level} interval of rank")).style(NumberStyle::Given).range())
        .with(Column::new("first", "share of resamples first").style(NumberStyle::Decimals(2)));
    if grouped {
        table = table.column("groups", "groups");
    }
    let mut notes = Vec::new();
    for (place, measure) in measures.iter().enumerate() {
        let name = measure.spec().to_string();
        let scores = match two_way(scored, place) {
            Ok(scores) => scores,
            Err(why) => {
                notes.push(format!("no ranks by {name}: {why}"));
                continue;
            }
        };
        let means = scores.system_means();
        let mut order: Vec<usize> = (0..means.len()).collect();
        order.sort_by(|&a, &b| means[b].total_cmp(&means[a]).then(a.cmp(&b)));
        let settings = options.settings;
        let ranks = rank_intervals(&scores, options.inference.level, RESAMPLES, settings.seed, settings.threads);
        let of = |run: usize| -> Option<RankInterval> { ranks.as_ref().ok().map(|ranks| ranks[run]) };
        if let Err(why) = &ranks {
            notes.push(format!("no intervals of ranks by {name}: {why}"));
        }
        let letters = grouped.then(|| letters(place, &order, compared)).flatten();
        if grouped && letters.is_none() {
            notes.push(format!("no groups by {name}: the pairs that differ need too many"));
        }
        for (at, &run) in order.iter().enumerate() {
            let mut row: Vec<Cell> = vec![
                name.as_str().into(),
                compared.names[run].as_str().into(),
                means[run].into(),
                of(run).map(|rank| rank.rank).into(),
                of(run).map(|rank| (rank.low, rank.high)).into(),
                of(run).map(|rank| rank.first).into(),
            ];
            if grouped {
                row.push(letters.as_ref().map(|letters| letters[at].clone()).into());
            }
            table.push(row);
        }
    }
    if grouped {
        notes.push("runs that share a letter have no verdict between them".into());
    }
    (table, notes)
}

/// Resamples behind intervals of ranks.
const RESAMPLES: u32 = 10_000;

/// The letters of runs in this order: two share one where their comparison is undecided.
pub fn letters(measure: usize, order: &[usize], compared: &Compared) -> Option<Vec<String>> {
    let runs = order.len();
    let mut decided = vec![false; runs * runs];
    let of_measure = |comparison: &&Comparison| comparison.measure == measure;
    for comparison in compared.comparisons.iter().filter(of_measure) {
        let (a, b) = comparison.pair;
        let apart = comparison.verdict.winner.is_some();
        decided[a * runs + b] = apart;
        decided[b * runs + a] = apart;
    }
    Groups::new(runs, |a, b| decided[order[a] * runs + order[b]]).ok().map(|groups| groups.letters())
}

/// How much of the spread of scores is between runs, between topics, and neither.
pub fn decomposition(measures: &[Box<dyn Measure>], scored: &[RunScores]) -> Table {
    let mut table = Table::new("decomposition", "Where scores differ")
        .column("measure", "measure")
        .column("source", "source")
        .with(Column::new("sum_of_squares", "sum of squares"))
        .with(Column::new("df", "df").style(NumberStyle::Given))
        .with(Column::new("share", "share").style(NumberStyle::Decimals(3)))
        .with(Column::new("variance", "variance").style(NumberStyle::Significant(3)))
        .with(Column::new("f", "F").style(NumberStyle::Decimals(2)))
        .with(Column::new("p", "p").style(NumberStyle::P));
    for (place, measure) in measures.iter().enumerate() {
        let Ok(scores) = two_way(scored, place) else { continue };
        let found = decompose(&scores);
        let parts: [(&str, &Part); 3] =
            [("runs", &found.systems), ("topics", &found.topics), ("runs x topics, with error", &found.rest)];
        for (source, part) in parts {
            table.push([
                measure.spec().to_string().into(),
                source.into(),
                part.squares.into(),
                part.df.into(),
                part.share.into(),
                part.variance.into(),
                part.f.into(),
                part.p.into(),
            ]);
        }
    }
    table
}
