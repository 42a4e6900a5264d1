//! One line of the answer: a measure of a run, with all that makes it unsure.

use karat_data::TopicIndex;
use karat_measures::info::BoundsKind;
use karat_measures::{Aggregate, Measure};
use karat_report::Cell;
use karat_runtime::jobs;
use karat_stats::estimate::{Estimate, Interval};
use karat_stats::interval::NoInterval;
use karat_stats::{Bounds, Source};

use super::correction::{self, Correction};
use super::gold::Prediction;
use super::{Question, Shown};
use crate::scores::{RunScores, Setting};
use crate::summary::{Inference, SourceIntervals, Tally};
use crate::ties::{TieSummary, TieTally};
use crate::unjudged::spread::{UnjudgedSpread, spread};

/// One measure's scores over the topics of a run.
struct Scores {
    defined: Tally,
    /// Where the run has ties that could be seen.
    ties: Option<TieTally>,
    undefined: Vec<(TopicIndex, &'static str)>,
    /// What unjudged documents do, where chances stand for their judgements.
    unjudged: Option<UnjudgedSpread>,
    correction: Option<Correction>,
}

impl Scores {
    fn collect(
        run: &RunScores,
        (index, measure): (usize, &dyn Measure),
        question: &Question<'_>,
        correction: Option<Correction>,
    ) -> Scores {
        let aggregate = measure.info().aggregate;
        let topics = run.of(index).size_hint().1.unwrap_or(0);
        let mut defined = Tally::new(aggregate, topics);
        let mut tally = (!run.ties.is_empty()).then(|| TieTally::new(aggregate));
        let mut undefined = Vec::new();
        // Both lists are in the order of topics, so they are walked side by side.
        let mut ties = run.ties.iter().peekable();
        let sampled = !run.sampling.is_empty();
        for (topic, scored) in run.of(index) {
            let tied = ties.next_if(|(other, _)| *other == topic).map(|(_, ties)| ties);
            match scored {
                Ok(score) => {
                    defined.push(*score);
                    if sampled {
                        run.sampling_of(topic, index).into_iter().for_each(|v| defined.push_sampling(v));
                    }
                    tally.iter_mut().for_each(|tally| tally.push(*score, tied.map(|ties| &ties[index])));
                }
                Err(reason) => undefined.push((topic, reason.reason)),
            }
        }
        let unjudged = spread(aggregate, &run.probable_of(index), question.inference.level);
        Scores { defined, ties: tally, undefined, unjudged, correction }
    }
}

/// One measure of one run.
pub(super) struct Row {
    pub(super) topics: u64,
    pub(super) value: Cell,
    pub(super) bounds: Option<(f64, f64)>,
    pub(super) std_error: Option<f64>,
    pub(super) interval: Option<(f64, f64)>,
    /// The same by how many of the sources it includes.
    pub(super) intervals: SourceIntervals,
    /// The interval over unjudged documents alone, and how it was made.
    pub(super) probable: Option<(f64, f64)>,
    pub(super) probable_method: Option<&'static str>,
    pub(super) method: Option<&'static str>,
    pub(super) sources: Vec<(&'static str, f64)>,
    pub(super) no_interval: Option<NoInterval>,
    /// Topics whose variance over samples of the judgements is known.
    pub(super) sampled: u64,
    pub(super) ties: TieSummary,
    pub(super) undefined: Vec<(TopicIndex, &'static str)>,
    /// What correction for the judges' errors did.
    pub(super) correction: Option<Correction>,
    /// What gold's labels of some queries did.
    pub(super) predicted: Option<Prediction>,
}

impl Row {
    /// The rows of all measures for each run. Each is a piece of work of its own, so that many topics, or a bootstrap over
    /// them, are shared among the threads.
    pub(super) fn all(
        scored: &[RunScores],
        setting: &Setting<'_>,
        question: &Question<'_>,
        corrections: &[Vec<Option<Correction>>],
    ) -> Vec<Vec<Row>> {
        let width = setting.measures.len();
        let row = |job: usize| {
            let (run, index) = (job / width, job % width);
            let correction = corrections[run].get(index).copied().flatten();
            let measure = setting.measures[index].as_ref();
            let scores = Scores::collect(&scored[run], (index, measure), question, correction);
            Row::of(measure, scores, question)
        };
        let mut rows = jobs::in_order(scored.len() * width, setting.threads, row).into_iter();
        scored.iter().map(|_| rows.by_ref().take(width).collect()).collect()
    }

    fn of(measure: &dyn Measure, scores: Scores, question: &Question<'_>) -> Row {
        let Scores { defined, ties, undefined, unjudged, correction } = scores;
        let believe = question.no_bounds.is_some();
        // A topic that has no estimate yet may have a value once more is judged, so nothing is known of the mean's bounds.
        let incomplete = measure.info().bounds == BoundsKind::Estimator && !undefined.is_empty();
        let aggregate = measure.info().aggregate;
        let (topics, sampled) = (defined.topics() as u64, defined.sampled() as u64);
        let Some((mut estimate, no_interval)) = defined.summarise(&question.inference) else {
            return Row {
                topics,
                value: Cell::Missing,
                bounds: None,
                std_error: None,
                interval: None,
                intervals: SourceIntervals::default(),
                probable: None,
                probable_method: None,
                method: None,
                sources: Vec::new(),
                no_interval: None,
                sampled,
                ties: TieSummary::default(),
                undefined,
                correction: None,
                predicted: None,
            };
        };
        let ends = |estimate: &Estimate| estimate.interval.map(|interval| (interval.low, interval.high));
        let mut intervals = SourceIntervals { topics: ends(&estimate), ..SourceIntervals::default() };
        if let Some(unjudged) = unjudged {
            let over_topics = estimate.spread.variance_of(Source::Topics).unwrap_or(0.0);
            let with = estimate.spread.with(Source::Unjudged, unjudged.beside(over_topics));
            let with = with.and_then(|with| match unjudged.monte_carlo {
                Some(variance) => with.with(Source::MonteCarlo, variance),
                None => Ok(with),
            });
            estimate.spread = with.unwrap_or(estimate.spread);
            estimate.interval = estimate.interval.map(|interval| unjudged.widen(estimate.point, interval));
            intervals.unjudged = ends(&estimate);
        }
        if let Some(found) = correction {
            let level = question.inference.level;
            let mut beside = found.judges;
            if let Some(drawn) = found.drawn {
                // Expected scores scatter less than the mean does from one sample of topics to another.
                let shown = estimate.spread.variance_of(Source::Topics);
                let ratio = shown.filter(|&shown| shown > 0.0).map_or(1.0, |shown| (drawn.topics / shown).sqrt());
                let stretched = |end: f64| estimate.point + ratio * (end - estimate.point);
                estimate.interval = estimate.interval.map(|interval| Interval {
                    low: stretched(interval.low),
                    high: stretched(interval.high),
                    ..interval
                });
                match &mut intervals {
                    SourceIntervals { unjudged: Some(ends), .. } | SourceIntervals { topics: Some(ends), .. } => {
                        *ends = (stretched(ends.0), stretched(ends.1));
                    }
                    _ => {}
                }
                let with = estimate.spread.with(Source::Topics, drawn.topics);
                let with = with.and_then(|with| with.with(Source::MonteCarlo, drawn.monte_carlo));
                estimate.spread = with.unwrap_or(estimate.spread);
                beside += drawn.monte_carlo;
            }
            estimate.spread = estimate.spread.with(Source::Judges, found.judges).unwrap_or(estimate.spread);
            let widen = |interval| correction::widen(estimate.point, interval, beside, level);
            estimate.interval = estimate.interval.map(widen);
            intervals.judges = ends(&estimate);
        }
        let bounds = estimate.bounds.filter(|_| !believe && !incomplete).map(|bounds| (bounds.low(), bounds.high()));
        intervals.bounds = bounds.filter(|(low, high)| high - low > 1e-12);
        Row {
            topics,
            value: if aggregate == Aggregate::Sum && unjudged.is_none() {
                Cell::Count(estimate.point as u64)
            } else {
                Cell::Number(estimate.point)
            },
            bounds,
            std_error: estimate.spread.std_error(),
            interval: ends(&estimate),
            intervals,
            probable: unjudged.map(|unjudged| within(unjudged.alone(estimate.point), estimate.bounds)),
            probable_method: unjudged.map(|unjudged| unjudged.method.name()),
            method: estimate.interval.map(|interval| interval.method.name()),
            sources: estimate.spread.known().map(|(source, variance)| (source.name(), variance)).collect(),
            no_interval,
            sampled,
            ties: ties.map_or_else(|| TieSummary::settled(estimate.point), |tally| tally.summarise()),
            undefined,
            correction,
            predicted: None,
        }
    }

    /// Puts what gold makes of it in the place of what bronze said.
    pub(super) fn predict(&mut self, measure: &dyn Measure, prediction: Prediction, level: f64) {
        let Prediction { found, bounds } = prediction;
        let outward = |value: f64| measure.info().aggregate.outward(value);
        let point = outward(found.value);
        // For the geometric mean by the delta method, as over topics.
        let scale = if matches!(measure.info().aggregate, Aggregate::GeometricMean { .. }) { point } else { 1.0 };
        self.topics = found.queries as u64;
        self.value = Cell::Number(point);
        // Bronze and gold may judge one document differently, so each goes to its worst end; what is asked for has a range all the same.
        let (least, greatest) = measure.info().range;
        let possible =
            |(low, high): (f64, f64)| (outward(low).max(least).min(point), outward(high).min(greatest).max(point));
        self.bounds = self.bounds.and(bounds).map(possible);
        self.std_error = (found.std_error() > 0.0).then(|| scale * found.std_error());
        self.sources = vec![
            (Source::Topics.name(), scale * scale * found.topics),
            (Source::Judges.name(), scale * scale * found.judges),
        ];
        let interval = found.interval(level);
        self.interval = interval.as_ref().ok().map(|made| (outward(made.low), outward(made.high)));
        self.method = interval.as_ref().ok().map(|made| made.method.name());
        self.no_interval = interval.err();
        // Of the whole, the topics' share by its variance.
        let share = (found.topics / (found.topics + found.judges)).sqrt();
        let inner = |end: f64| point + share * (end - point);
        self.intervals = SourceIntervals {
            topics: self.interval.map(|(low, high)| (inner(low), inner(high))),
            judges: self.interval,
            bounds: self.bounds,
            ..SourceIntervals::default()
        };
        self.predicted = Some(prediction);
    }

    /// The value as a number; `None` where there is none.
    pub(super) fn number(&self) -> Option<f64> {
        match self.value {
            Cell::Number(value) => Some(value),
            Cell::Count(count) => Some(count as f64),
            _ => None,
        }
    }

    /// A range for people: of a count, counts.
    fn range(&self, ends: Option<(f64, f64)>) -> Cell {
        match (&self.value, ends) {
            (Cell::Count(_), Some((low, high))) => Cell::Text(format!("{low}–{high}")),
            (_, ends) => ends.into(),
        }
    }

    pub(super) fn for_people(&self, measure: &str, run: &str, shown: Shown) -> Vec<Cell> {
        let mut cells = vec![measure.into(), run.into(), self.value.clone()];
        if shown.ties {
            cells.extend([self.range(self.ties.ends), self.ties.expected.into()]);
        }
        if shown.bounds {
            cells.push(self.range(self.bounds));
        }
        if shown.probable {
            cells.push(self.probable.into());
        }
        cells.extend([self.std_error.into(), self.interval.into(), self.topics.into()]);
        cells
    }

    pub(super) fn for_data(&self, measure: &str, run: &str, inference: &Inference, shown: Shown) -> Vec<Cell> {
        let mut cells = vec![
            run.into(),
            measure.into(),
            self.topics.into(),
            self.value.clone(),
            self.bounds.map(|(low, _)| low).into(),
            self.bounds.map(|(_, high)| high).into(),
            self.std_error.into(),
            self.interval.into(),
            inference.level.into(),
            self.method.into(),
            Cell::Map(self.sources.clone()),
        ];
        if shown.ties {
            let (low, high) = self.ties.ends.unzip();
            cells.extend([low.into(), high.into(), self.ties.expected.into()]);
        }
        if shown.probable {
            cells.extend([self.probable.into(), self.probable_method.into()]);
        }
        cells
    }

    pub(super) fn note(&self, measure: &str, run: &str, notes: &mut Vec<String>) {
        if let Some((_, reason)) = self.undefined.first() {
            let count = self.undefined.len();
            let plural = if count == 1 { "topic" } else { "topics" };
            notes.push(format!("{measure} of {run} leaves out {count} {plural} where it is undefined ({reason})"));
        }
    }

    pub(super) fn why_no_interval(&self) -> Option<String> {
        self.no_interval.as_ref().map(|reason| match reason {
            NoInterval::TooFew { have, need } => {
                let topics = if *have == 1 { "topic is" } else { "topics are" };
                format!("{have} {topics} too few; an interval needs {need}")
            }
            NoInterval::Constant { .. } => "all topics have the same score".into(),
            other => other.to_string(),
        })
    }
}

/// What is probable is possible: an interval ends where the bounds do.
fn within((low, high): (f64, f64), bounds: Option<Bounds>) -> (f64, f64) {
    bounds
        .map_or((low, high), |bounds| (low.clamp(bounds.low(), bounds.high()), high.clamp(bounds.low(), bounds.high())))
}
