//! Many runs at once: where each stands, who cannot be told from whom, and how much of the spread is whose.
//!
//! The one decision: the ranks that a run may have follow from intervals of all differences that hold together. Twice: with unjudged documents
//! treated as not relevant, and from limits that hold whatever they are.

use karat_data::TopicIndex;
use karat_measures::Measure;
use karat_stats::Sample;
use karat_stats::anova::{Part, decompose};
use karat_stats::groups::Groups;
use karat_stats::max_t::{Bounded, MaxT, simultaneous_limits};
use karat_stats::ranks::{RankSet, rank_sets, ranks_by_mean};
use karat_stats::two_way::{NotTwoWay, TwoWay};

use super::answer::{DecompositionRow, Grouping, SystemRow, VarianceSource};
use super::family::{Family, max_t};
use super::notes::CompareNote;
use super::{CompareOptions, Comparison, RunPair};
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
    /// By measure: the test of all pairs together.
    pub families: &'a [Option<Family>],
}

/// Choices of signs behind limits for unjudged documents; each serves twice. Of 10,000 draws, 5% have a standard error of 0.2%.
const SIGNS: u32 = 5_000;

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
        let all_pairs = self.options.all_pairs;
        let means = scores.system_means();
        let mut order: Vec<usize> = (0..means.len()).collect();
        order.sort_by(|&a, &b| means[b].total_cmp(&means[a]).then(a.cmp(&b)));
        let ranks = ranks_by_mean(&means);
        let (sets, sets_of_all) = self.rank_sets(measure);
        let letters = all_pairs.then(|| letters(measure, &order, self.comparisons)).flatten();
        if all_pairs && letters.is_none() {
            notes.push(CompareNote::NoGroups(self.measure(measure)));
        }
        let ends = |set: RankSet| (set.low as f64, set.high as f64);
        let row = |(at, &run): (usize, &usize)| SystemRow {
            measure: self.measure(measure),
            run: self.names[run].clone(),
            value: means[run],
            rank: Some(ranks[run]),
            rank_interval: Some(ends(sets[run])),
            rank_interval_all: sets_of_all.as_ref().map(|sets| ends(sets[run])),
            grouping: all_pairs.then(|| Grouping { groups: letters.as_ref().map(|letters| letters[at].clone()) }),
        };
        order.iter().enumerate().map(row).collect()
    }

    /// The rank sets of all runs, with unjudged documents treated as not relevant, and whatever they are; the latter only where the bounds of all
    /// pairs are known.
    fn rank_sets(&self, measure: usize) -> (Vec<RankSet>, Option<Vec<RankSet>>) {
        let runs = self.scored.len();
        let pairs: Vec<RunPair> = (0..runs).flat_map(|a| (a + 1..runs).map(move |b| (a, b))).collect();
        let made;
        let test = match &self.families[measure] {
            Some(Family::MaxT(test)) if self.options.all_pairs => Some(test),
            _ => {
                made = max_t(self.scored, measure, &pairs, self.options);
                made.as_ref()
            }
        };
        let alpha = 1.0 - self.options.inference.level;
        // Without a critical value, or a spread, no run is surely better than another.
        let intervals = test.and_then(|test| test.intervals(alpha)).unwrap_or_else(|| vec![None; pairs.len()]);
        let known = pairs.iter().zip(intervals).filter_map(|(&pair, interval)| Some((pair, interval?)));
        let sets = rank_sets(runs, known);
        let bounded = self.bounded(measure, &pairs);
        let of_all = bounded.map(|bounded| {
            let wider = |(a, b): (&RankSet, RankSet)| RankSet { low: a.low.min(b.low), high: a.high.max(b.high) };
            if bounded.iter().all(is_closed) {
                return sets.clone();
            }
            let limits = test.and_then(|test| self.limits(test, &bounded)).unwrap_or_default();
            let limits = pairs.iter().copied().zip(limits);
            sets.iter().zip(rank_sets(runs, limits)).map(wider).collect()
        });
        (sets, of_all)
    }

    /// Least and greatest differences of all pairs on the topics that all runs have a score for.
    fn bounded(&self, measure: usize, pairs: &[RunPair]) -> Option<Vec<Bounded>> {
        // Corrected differences are shifted, and scores as they are have other bounds.
        if !self.options.all_pairs || !self.setting.bounds || self.setting.calibration.is_some() {
            return None;
        }
        let mut shared = vec![false; self.setting.qrels.len()];
        everywhere(self.scored, measure).into_iter().for_each(|topic| shared[topic.0 as usize] = true);
        let comparisons: Vec<&Comparison> =
            self.comparisons.iter().filter(|comparison| comparison.measure == measure).collect();
        if !comparisons.iter().map(|comparison| comparison.pair).eq(pairs.iter().copied()) {
            return None;
        }
        let bounded = |comparison: &&Comparison| {
            let mut topics = comparison.difference.topics.iter().filter(|topic| shared[topic.topic.0 as usize]);
            topics.try_fold(Bounded::default(), |mut bounded, topic| {
                let (low, high) = topic.bounds?;
                bounded.low.push(low);
                bounded.high.push(high);
                Some(bounded)
            })
        };
        comparisons.iter().map(bounded).collect()
    }

    /// Limits of all pairs that hold together, whatever the unjudged documents are; `None` where they would separate no two runs.
    fn limits(&self, test: &MaxT, bounded: &[Bounded]) -> Option<Vec<(f64, f64)>> {
        let settings = self.options.settings;
        let alpha = 1.0 - self.options.inference.level;
        let least = test.critical(alpha)?;
        // Most often no pair is far enough apart, however the draws fall.
        if !bounded.iter().any(|pair| excludes_0(pair, least)) {
            return None;
        }
        let signs = SIGNS.min(settings.permutations);
        let limits = simultaneous_limits(bounded, alpha, least, signs, settings.seed, settings.threads)?;
        let open =
            |(low, high): (Option<f64>, Option<f64>)| (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
        Some(limits.into_iter().map(open).collect())
    }
}

/// Whether no judgement can change the pair's differences.
fn is_closed(pair: &Bounded) -> bool {
    pair.low.iter().zip(&pair.high).all(|(low, high)| high - low <= 1e-12)
}

/// Whether limits so many standard errors out exclude 0.
fn excludes_0(pair: &Bounded, errors: f64) -> bool {
    let passes = |values: &[f64], side: f64| {
        let sample = Sample::new(values).ok();
        sample.is_some_and(|sample| sample.std_error().is_ok_and(|error| side * sample.mean() > errors * error))
    };
    passes(&pair.low, 1.0) || passes(&pair.high, -1.0)
}

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
