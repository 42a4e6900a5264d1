//! Many runs at once: where each stands, who cannot be told from whom, and how much of the spread is whose.

use karat_data::TopicIndex;
use karat_measures::Measure;
use karat_stats::anova::{Part, decompose};
use karat_stats::groups::Groups;
use karat_stats::ranks::{RankInterval, rank_intervals};
use karat_stats::two_way::{NotTwoWay, TwoWay};

use super::answer::{DecompositionRow, Grouping, SystemRow, VarianceSource};
use super::notes::CompareNote;
use super::{CompareOptions, Comparison};
use crate::scores::{RunScores, Setting};

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

/// What the standings of runs are made from.
pub(super) struct Standings<'a> {
    pub setting: &'a Setting<'a>,
    pub options: &'a CompareOptions<'a>,
    pub names: &'a [String],
    pub scored: &'a [RunScores],
    pub comparisons: &'a [Comparison],
}

impl Standings<'_> {
    /// Where each run stands, best first, measure by measure.
    pub fn systems(&self, notes: &mut Vec<CompareNote>) -> Vec<SystemRow> {
        let mut rows = Vec::new();
        for measure in 0..self.setting.measures.len() {
            match two_way(self.scored, measure) {
                Ok(scores) => rows.extend(self.of_measure(measure, &scores, notes)),
                Err(why) => notes.push(CompareNote::NoRanks(self.measure(measure), why)),
            }
        }
        if self.options.all_pairs {
            notes.push(CompareNote::Groups);
        }
        rows
    }

    fn measure(&self, measure: usize) -> String {
        self.setting.measures[measure].spec().to_string()
    }

    fn of_measure(&self, measure: usize, scores: &TwoWay, notes: &mut Vec<CompareNote>) -> Vec<SystemRow> {
        let CompareOptions { inference, settings, all_pairs, .. } = self.options;
        let means = scores.system_means();
        let mut order: Vec<usize> = (0..means.len()).collect();
        order.sort_by(|&a, &b| means[b].total_cmp(&means[a]).then(a.cmp(&b)));
        let ranks = rank_intervals(scores, inference.level, RESAMPLES, settings.seed, settings.threads);
        if let Err(why) = &ranks {
            notes.push(CompareNote::NoRankIntervals(self.measure(measure), *why));
        }
        let letters = all_pairs.then(|| letters(measure, &order, self.comparisons)).flatten();
        if *all_pairs && letters.is_none() {
            notes.push(CompareNote::NoGroups(self.measure(measure)));
        }
        let row = |(at, &run): (usize, &usize)| {
            let rank: Option<RankInterval> = ranks.as_ref().ok().map(|ranks| ranks[run]);
            SystemRow {
                measure: self.measure(measure),
                run: self.names[run].clone(),
                value: means[run],
                rank: rank.map(|rank| rank.rank),
                rank_interval: rank.map(|rank| (rank.low, rank.high)),
                first: rank.map(|rank| rank.first),
                grouping: all_pairs.then(|| Grouping { groups: letters.as_ref().map(|letters| letters[at].clone()) }),
            }
        };
        order.iter().enumerate().map(row).collect()
    }
}

/// Resamples behind intervals of ranks.
const RESAMPLES: u32 = 10_000;

/// The letters of runs in this order: two share one where their comparison is undecided.
pub fn letters(measure: usize, order: &[usize], comparisons: &[Comparison]) -> Option<Vec<String>> {
    let runs = order.len();
    let mut decided = vec![false; runs * runs];
    let of_measure = |comparison: &&Comparison| comparison.measure == measure;
    for comparison in comparisons.iter().filter(of_measure) {
        let (a, b) = comparison.pair;
        let apart = comparison.verdict.better().is_some();
        decided[a * runs + b] = apart;
        decided[b * runs + a] = apart;
    }
    Groups::new(runs, |a, b| decided[order[a] * runs + order[b]]).ok().map(|groups| groups.letters())
}

/// How much of the variance of scores is between runs, between topics, and neither.
pub(super) fn decomposition(measures: &[Box<dyn Measure>], scored: &[RunScores]) -> Vec<DecompositionRow> {
    let of_measure = |(place, measure): (usize, &dyn Measure)| {
        let found = decompose(&two_way(scored, place).ok()?);
        let parts = [
            (VarianceSource::Runs, found.systems),
            (VarianceSource::Topics, found.topics),
            (VarianceSource::Rest, found.rest),
        ];
        let row = |(source, part): (VarianceSource, Part)| DecompositionRow {
            measure: measure.spec().to_string(),
            source,
            sum_of_squares: part.squares,
            df: part.df,
            share: part.share,
            variance: part.variance,
            f: part.f,
            p: part.p,
        };
        Some(parts.map(row))
    };
    measures.iter().map(AsRef::as_ref).enumerate().filter_map(of_measure).flatten().collect()
}
