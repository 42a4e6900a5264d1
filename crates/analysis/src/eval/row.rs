//! One row of the answer: a measure of a run, with all sources of its error.

use karat_data::TopicIndex;
use karat_measures::info::Tightness;
use karat_measures::{Aggregate, Measure};
use karat_runtime::jobs;
use karat_stats::estimate::{Estimate, Interval};
use karat_stats::interval::NoInterval;
use karat_stats::{Bounds, Source};

use super::EvalOptions;
use super::answer::{Fields, ScoreRow, ScoreValue, UnjudgedFields, score_value};
use super::correction::{self, Correction};
use super::gold::Prediction;
use crate::scores::{RunScores, Setting};
use crate::settle::estimate::NoSample;
use crate::summary::{Inference, SourceIntervals, Tally, VarianceSources};
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
        level: f64,
        correction: Option<Correction>,
    ) -> Scores {
        let aggregate = measure.info().aggregate;
        let topics = run.of(index).size_hint().1.unwrap_or(0);
        let mut defined = Tally::new(aggregate, measure.info().range, topics);
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
        let unjudged = spread(aggregate, &run.probable_of(index), level);
        Scores { defined, ties: tally, undefined, unjudged, correction }
    }
}

/// One measure of one run, with what only notes need.
pub(super) struct Row {
    /// The row of the answer.
    pub(super) score: ScoreRow,
    /// Why there is no interval.
    pub(super) no_interval: Option<NoInterval>,
    /// Why a judged sample gives no interval.
    pub(super) no_sample: Option<NoSample>,
    /// Topics whose variance over samples of the judgements is known.
    pub(super) sampled: u64,
    /// Topics without a score, and why.
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
        options: &EvalOptions<'_>,
        corrections: &[Vec<Option<Correction>>],
        fields: Fields,
    ) -> Vec<Vec<Row>> {
        let width = setting.measures.len();
        let row = |job: usize| {
            let (run, index) = (job / width, job % width);
            let correction = corrections[run].get(index).copied().flatten();
            let measure = setting.measures[index].as_ref();
            let scores = Scores::collect(&scored[run], (index, measure), options.inference.level, correction);
            Row::new((&scored[run].name, measure), scores, (setting, options), fields)
        };
        let mut rows = jobs::in_order(scored.len() * width, setting.threads, row).into_iter();
        scored.iter().map(|_| rows.by_ref().take(width).collect()).collect()
    }

    /// Without any correction.
    fn plain(score: ScoreRow, sampled: u64, undefined: Vec<(TopicIndex, &'static str)>) -> Row {
        Row { score, no_interval: None, no_sample: None, sampled, undefined, correction: None, predicted: None }
    }

    fn new(
        (run, measure): (&str, &dyn Measure),
        scores: Scores,
        (setting, options): (&Setting<'_>, &EvalOptions<'_>),
        fields: Fields,
    ) -> Row {
        let Scores { defined, ties, undefined, unjudged, correction } = scores;
        let mut score = ScoreRow::without_value((run, measure), options.inference.level, fields);
        (score.topics, score.value) = (defined.topics() as u64, None);
        let sampled = defined.sampled() as u64;
        let Some((estimate, no_interval)) = defined.summarise(&options.inference) else {
            return Row::plain(score, sampled, undefined);
        };
        // A topic that has no estimate yet may have a value once more is judged, so nothing is known of the mean's bounds.
        let incomplete = measure.info().bounds == Tightness::Estimator && !undefined.is_empty();
        let possible = estimate.bounds;
        let mut found = Found::new(estimate);
        unjudged.iter().for_each(|unjudged| found.add_unjudged(unjudged));
        correction.iter().for_each(|correction| found.add_judges(correction, options.inference.level));
        found.keep_within(&options.inference, measure.info().range);
        let Found { estimate, intervals } = found;
        let bounds = possible.filter(|_| setting.bounds && !incomplete).map(|bounds| (bounds.low(), bounds.high()));
        let tie_summary = ties.map_or_else(|| TieSummary::settled(estimate.point), |tally| tally.summarise());
        let counts = measure.info().aggregate == Aggregate::Sum && unjudged.is_none();
        let score = ScoreRow {
            value: Some(score_value(estimate.point, counts)),
            low: bounds.map(|(low, _)| low),
            high: bounds.map(|(_, high)| high),
            bounds_kind: bounds.map(|_| measure.bounds_kind(&setting.collection)),
            std_error: estimate.spread.std_error(),
            interval: ends(&estimate),
            method: estimate.interval.map(|interval| interval.method.name()),
            sources: VarianceSources::from(&estimate.spread),
            ties: fields.ties.then(|| tie_summary.into()),
            unjudged: fields.model.then(|| unjudged_fields(unjudged.as_ref(), estimate.point, possible)),
            intervals: SourceIntervals { bounds: bounds.filter(|(low, high)| high - low > 1e-12), ..intervals },
            tie_summary,
            ..score
        };
        Row { no_interval, correction, ..Row::plain(score, sampled, undefined) }
    }

    /// Puts what gold makes of it in the place of what bronze said.
    pub(super) fn predict(&mut self, measure: &dyn Measure, prediction: Prediction, inference: &Inference) {
        let Prediction { found, bounds } = prediction;
        let outward = |value: f64| measure.info().aggregate.outward(value);
        let point = outward(found.value);
        // For the geometric mean by the delta method, as over topics.
        let scale = if matches!(measure.info().aggregate, Aggregate::GeometricMean { .. }) { point } else { 1.0 };
        let score = &mut self.score;
        score.topics = found.queries as u64;
        score.value = Some(ScoreValue::Number(point));
        // Bronze and gold may judge one document differently, so each goes to its worst end; the measure has a range all the same.
        let (least, greatest) = measure.info().range;
        let possible =
            |(low, high): (f64, f64)| (outward(low).max(least).min(point), outward(high).min(greatest).max(point));
        let bounds = score.low.and(bounds).map(possible);
        (score.low, score.high) = bounds.unzip();
        score.bounds_kind = score.bounds_kind.filter(|_| bounds.is_some());
        score.std_error = (found.std_error() > 0.0).then(|| scale * found.std_error());
        score.sources = VarianceSources {
            topics: Some(scale * scale * found.topics),
            judges: Some(scale * scale * found.judges),
            ..VarianceSources::default()
        };
        let interval = found.interval(inference.level);
        let within = |ends| inference.within(ends, (least, greatest), point);
        score.interval = interval.as_ref().ok().map(|made| within((outward(made.low), outward(made.high))));
        score.method = interval.as_ref().ok().map(|made| made.method.name());
        self.no_interval = interval.err();
        // Of the whole, the topics' share by its variance.
        let share = (found.topics / (found.topics + found.judges)).sqrt();
        let inner = |end: f64| point + share * (end - point);
        score.intervals = SourceIntervals {
            topics: score.interval.map(|(low, high)| (inner(low), inner(high))),
            judges: score.interval,
            bounds,
            ..SourceIntervals::default()
        };
        self.predicted = Some(prediction);
    }

    /// The value as a number; `None` where there is none.
    pub(super) fn number(&self) -> Option<f64> {
        self.score.value.map(ScoreValue::number)
    }
}

impl ScoreRow {
    /// The row of a measure that has no value.
    fn without_value((run, measure): (&str, &dyn Measure), level: f64, fields: Fields) -> ScoreRow {
        ScoreRow {
            run: run.to_owned(),
            measure: measure.spec().to_string(),
            topics: 0,
            value: None,
            low: None,
            high: None,
            bounds_kind: None,
            std_error: None,
            interval: None,
            level,
            method: None,
            sources: VarianceSources::default(),
            ties: fields.ties.then(|| TieSummary::default().into()),
            unjudged: fields.model.then_some(UnjudgedFields { unjudged_interval: None, unjudged_method: None }),
            sampled: None,
            intervals: SourceIntervals::default(),
            tie_summary: TieSummary::default(),
        }
    }
}

/// An estimate over topics, to which further sources of error are added.
struct Found {
    estimate: Estimate,
    intervals: SourceIntervals,
}

impl Found {
    fn new(estimate: Estimate) -> Found {
        let intervals = SourceIntervals { topics: ends(&estimate), ..SourceIntervals::default() };
        Found { estimate, intervals }
    }

    /// Unjudged documents, under the relevance model.
    fn add_unjudged(&mut self, unjudged: &UnjudgedSpread) {
        let estimate = &mut self.estimate;
        let over_topics = estimate.spread.variance_of(Source::Topics).unwrap_or(0.0);
        let with = estimate.spread.with(Source::Unjudged, unjudged.beside(over_topics));
        let with = with.and_then(|with| match unjudged.monte_carlo {
            Some(variance) => with.with(Source::MonteCarlo, variance),
            None => Ok(with),
        });
        estimate.spread = with.unwrap_or(estimate.spread);
        estimate.interval = estimate.interval.map(|interval| unjudged.widen(estimate.point, interval));
        self.intervals.unjudged = ends(estimate);
    }

    /// The judges' errors, as the calibration estimates them.
    fn add_judges(&mut self, correction: &Correction, level: f64) {
        let mut variance = correction.judges;
        if let Some(drawn) = correction.drawn {
            self.stretch(drawn.topics);
            let with = self.estimate.spread.with(Source::Topics, drawn.topics);
            let with = with.and_then(|with| with.with(Source::MonteCarlo, drawn.monte_carlo));
            self.estimate.spread = with.unwrap_or(self.estimate.spread);
            variance += drawn.monte_carlo;
        }
        let estimate = &mut self.estimate;
        estimate.spread = estimate.spread.with(Source::Judges, correction.judges).unwrap_or(estimate.spread);
        let widen = |interval| correction::widen(estimate.point, interval, variance, level);
        estimate.interval = estimate.interval.map(widen);
        self.intervals.judges = ends(estimate);
    }

    /// Intervals within the range of the measure, where the method says so.
    fn keep_within(&mut self, inference: &Inference, range: (f64, f64)) {
        let Found { estimate, intervals } = self;
        let within = |ends: (f64, f64)| inference.within(ends, range, estimate.point);
        estimate.interval = estimate.interval.map(|interval| {
            let (low, high) = within((interval.low, interval.high));
            Interval { low, high, ..interval }
        });
        for ends in [&mut intervals.topics, &mut intervals.unjudged, &mut intervals.judges] {
            *ends = ends.map(within);
        }
    }

    /// Intervals as wide as this variance over topics makes them: expected scores scatter less than the mean does from one sample of
    /// topics to another.
    fn stretch(&mut self, topics: f64) {
        let estimate = &mut self.estimate;
        let shown = estimate.spread.variance_of(Source::Topics);
        let ratio = shown.filter(|&shown| shown > 0.0).map_or(1.0, |shown| (topics / shown).sqrt());
        let point = estimate.point;
        let stretched = |end: f64| point + ratio * (end - point);
        estimate.interval = estimate.interval.map(|interval| Interval {
            low: stretched(interval.low),
            high: stretched(interval.high),
            ..interval
        });
        let widest = self.intervals.unjudged.as_mut().or(self.intervals.topics.as_mut());
        widest.into_iter().for_each(|ends| *ends = (stretched(ends.0), stretched(ends.1)));
    }
}

fn ends(estimate: &Estimate) -> Option<(f64, f64)> {
    estimate.interval.map(|interval| (interval.low, interval.high))
}

/// The interval over unjudged documents alone.
fn unjudged_fields(unjudged: Option<&UnjudgedSpread>, point: f64, possible: Option<Bounds>) -> UnjudgedFields {
    UnjudgedFields {
        unjudged_interval: unjudged.map(|unjudged| within(unjudged.alone(point), possible)),
        unjudged_method: unjudged.map(|unjudged| unjudged.method.name()),
    }
}

/// What is probable is possible: an interval ends where the bounds do.
fn within((low, high): (f64, f64), bounds: Option<Bounds>) -> (f64, f64) {
    bounds
        .map_or((low, high), |bounds| (low.clamp(bounds.low(), bounds.high()), high.clamp(bounds.low(), bounds.high())))
}
