//! Scores estimated from a judged sample of the unjudged documents, in the place of what judgements alone give.

use karat_measures::Measure;
use karat_stats::Method;
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::ScoreValue;
use super::row::Row;
use crate::settle::estimate::{NoSample, SampleFacts, SampledDifference};
use crate::summary::{Inference, SourceIntervals, VarianceSources};
use crate::ties::TieSummary;

/// What a sample says of one measure of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledScore {
    /// The place of the measure.
    pub measure: usize,
    /// The place of the run.
    pub run: usize,
    /// The sample.
    pub facts: SampleFacts,
    /// The score.
    pub found: SampledDifference,
}

/// The judged sample that a score was estimated from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct SampledRow {
    /// Documents that were drawn.
    pub drawn: usize,
    /// Those with a label.
    pub judged: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// The interval's error at this look: with several looks less than 1 - level, so that the intervals of all looks together keep the level.
    pub alpha: f64,
    /// The number of this look, where several are planned or allowed.
    pub look: Option<u32>,
}

/// The sample of a row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct SampledField {
    /// The judged sample that value, error and interval are estimated from; with `--sample`.
    pub sampled: SampledRow,
}

/// Puts estimates in the place of scores.
pub(super) fn apply(
    rows: &mut [Vec<Row>],
    measures: &[Box<dyn Measure>],
    found: &[SampledScore],
    inference: &Inference,
) {
    for one in found {
        let row = rows.get_mut(one.run).and_then(|run| run.get_mut(one.measure));
        if let Some((row, measure)) = row.zip(measures.get(one.measure)) {
            row.settle(measure.as_ref(), one, inference);
        }
    }
}

impl Row {
    fn settle(&mut self, measure: &dyn Measure, sampled: &SampledScore, inference: &Inference) {
        let SampledScore { facts, found, .. } = sampled;
        let point = found.difference;
        let method = if found.few { Method::Mover } else { Method::StudentT };
        let interval = found.interval.ok().map(|ends| inference.within(ends, measure.info().range, point));
        let variance = found.topics + found.sampling;
        // Of the whole, the topics' share by its variance.
        let share = if variance > 0.0 { (found.topics / variance).sqrt() } else { 1.0 };
        let inner = |end: f64| point + share * (end - point);
        let score = &mut self.score;
        score.value = Some(ScoreValue::Number(point));
        score.std_error = (variance > 0.0).then(|| variance.sqrt());
        score.interval = interval;
        score.method = interval.map(|_| method.name());
        score.sources = VarianceSources {
            topics: Some(found.topics),
            judgement_sampling: Some(found.sampling),
            ..VarianceSources::default()
        };
        score.intervals = SourceIntervals {
            topics: interval.map(|(low, high)| (inner(low), inner(high))),
            unjudged: interval,
            bounds: score.intervals.bounds,
            ..SourceIntervals::default()
        };
        score.tie_summary = TieSummary::default();
        let look = facts.look.map(|(look, _)| look);
        let SampleFacts { drawn, judged, seed, alpha, .. } = *facts;
        score.sampled = Some(SampledField { sampled: SampledRow { drawn, judged, seed, alpha, look } });
        self.no_interval = match found.interval {
            Err(NoSample::Interval(why)) => Some(why),
            _ => None,
        };
        self.no_sample = found.interval.err();
    }
}
