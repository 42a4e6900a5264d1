//! From per-topic scores to an [`Estimate`] for the run: the summary, its bounds, its chance over topics.
//!
//! The topics are taken as a sample of the queries people have; that is what the standard error and the interval speak
//! of. Bounds are means of bounds: logic, not chance.
//!
//! Where a topic's score was inferred from a sample of its judgements, the scatter of the topics' scores already holds that
//! chance: the variance of n scores is that of the topics' true scores plus the mean of their sampling variances (two-stage
//! sampling, Cochran 1977, section 10.3). So the part due to the sample of judgements is taken out of the variance over
//! topics and booked under its own name; the two are not added up twice.

use karat_measures::{Aggregate, BoundsKind, Score};
use karat_stats::estimate::{Bounds, Estimate, Interval, Source, Spread};
use karat_stats::interval::{self, Bootstrap, NoInterval};
use karat_stats::sample::Sample;
use karat_stats::seed::Seed;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// How the interval over topics is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IntervalMethod {
    /// Student's t.
    #[default]
    StudentT,
    /// Bias-corrected and accelerated bootstrap.
    Bca {
        /// How many resamples.
        resamples: u32,
    },
}

/// How the topics are taken as a sample.
#[derive(Debug, Clone, Copy)]
pub struct Inference {
    /// The method.
    pub method: IntervalMethod,
    /// The confidence level, such as 0.95.
    pub level: f64,
    /// For the bootstrap.
    pub seed: Seed,
}

impl Inference {
    /// The interval of a mean.
    pub(crate) fn interval(&self, sample: &Sample<'_>) -> Result<Interval, NoInterval> {
        match self.method {
            IntervalMethod::StudentT => interval::t(sample, self.level),
            IntervalMethod::Bca { resamples } => Bootstrap::new(sample, resamples, self.seed)?.bca(self.level),
        }
    }
}

/// A kind of bounds by its name.
pub(crate) fn serialize_bounds_kind<S: Serializer>(
    kind: &Option<BoundsKind>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    kind.map(BoundsKind::name).serialize(serializer)
}

/// Variances by source, those that apply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct VarianceSources {
    /// Sampling of topics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topics: Option<f64>,
    /// Unjudged documents, under the relevance model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unjudged: Option<f64>,
    /// Calibration of the judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judges: Option<f64>,
    /// Sampling of judgements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judgement_sampling: Option<f64>,
    /// Random draws of karat itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monte_carlo: Option<f64>,
}

impl From<&Spread> for VarianceSources {
    fn from(spread: &Spread) -> Self {
        VarianceSources {
            topics: spread.variance_of(Source::Topics),
            unjudged: spread.variance_of(Source::Unjudged),
            judges: spread.variance_of(Source::Judges),
            judgement_sampling: spread.variance_of(Source::JudgementSampling),
            monte_carlo: spread.variance_of(Source::MonteCarlo),
        }
    }
}

/// Intervals around one value by how many sources of error they include.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SourceIntervals {
    /// Topic sampling error.
    pub topics: Option<(f64, f64)>,
    /// And unjudged documents, under the relevance model.
    pub unjudged: Option<(f64, f64)>,
    /// And judge errors.
    pub judges: Option<(f64, f64)>,
    /// Bounds: no interval, but all that is possible.
    pub bounds: Option<(f64, f64)>,
}

impl SourceIntervals {
    /// The widest interval, which includes all sources.
    pub fn whole(&self) -> Option<(f64, f64)> {
        self.judges.or(self.unjudged).or(self.topics)
    }
}

/// The estimate for a run, and why there is no interval where there is none. `None` without any score.
pub fn summarise(
    aggregate: Aggregate,
    scores: &[Score],
    inference: &Inference,
) -> Option<(Estimate, Option<NoInterval>)> {
    let mut tally = Tally::new(aggregate, scores.len());
    scores.iter().for_each(|score| tally.push(*score));
    tally.summarise(inference)
}

/// The scores of one measure as they come, topic by topic: only the values are kept, for their spread.
pub struct Tally {
    aggregate: Aggregate,
    /// The values that are averaged, see [`Aggregate::inward`].
    inward: Vec<f64>,
    low: f64,
    high: f64,
    bounded: bool,
    /// The sum of the known variances over samples of the judgements, and of how many topics.
    sampling: (f64, usize),
}

impl Tally {
    /// For about so many topics.
    pub fn new(aggregate: Aggregate, topics: usize) -> Tally {
        Tally { aggregate, inward: Vec::with_capacity(topics), low: 0.0, high: 0.0, bounded: true, sampling: (0.0, 0) }
    }

    /// One more topic.
    #[inline]
    pub fn push(&mut self, score: Score) {
        self.inward.push(self.aggregate.inward(score.value));
        match score.bounds() {
            Some((low, high)) => {
                self.low += self.aggregate.inward(low);
                self.high += self.aggregate.inward(high);
            }
            None => self.bounded = false,
        }
    }

    /// The variance of that topic's score over samples of its judgements, where it is known.
    pub fn push_sampling(&mut self, variance: f64) {
        self.sampling.0 += variance;
        self.sampling.1 += 1;
    }

    /// Topics whose variance over samples of the judgements is known.
    pub fn sampled(&self) -> usize {
        self.sampling.1
    }

    /// The variance of the mean over samples of the judgements. Topics that do not tell theirs are taken to have the mean
    /// of the others. Only for plain means: no estimator has another summary.
    fn sampling(&self) -> Option<f64> {
        let (sum, known) = self.sampling;
        let plain = self.aggregate == Aggregate::Mean && known > 0;
        plain.then(|| sum / known as f64 / self.inward.len() as f64)
    }

    /// Topics so far.
    pub fn topics(&self) -> usize {
        self.inward.len()
    }

    /// From a sum of inward values to the measure's scale; sums are left to right, as trec_eval adds them.
    fn whole(&self, sum: f64) -> f64 {
        match self.aggregate {
            Aggregate::Sum => sum,
            aggregate => aggregate.outward(sum / self.inward.len() as f64),
        }
    }

    /// The estimate, and why there is no interval where there is none. `None` without any score.
    pub fn summarise(&self, inference: &Inference) -> Option<(Estimate, Option<NoInterval>)> {
        let aggregate = self.aggregate;
        if self.inward.is_empty() {
            return None;
        }
        let point = self.whole(self.inward.iter().sum());
        let bounds = self.bounded.then(|| Bounds::new(self.whole(self.low), self.whole(self.high)).ok()).flatten();
        let mut estimate = Estimate { point, bounds, spread: Spread::unknown(), interval: None };
        if aggregate == Aggregate::Sum {
            // A total over these topics; as a sample of other topics it would be a total of something else.
            return Some((estimate, None));
        }
        let Ok(sample) = Sample::new(&self.inward) else { return Some((estimate, None)) };
        // Where samples of the judgements make more of a spread than the topics show, the interval must not be narrower.
        let mut stretch = 1.0;
        // Topics that all score alike show no spread; that is not the knowledge that there is none.
        if let Ok(error) = sample.std_error()
            && !sample.is_constant()
        {
            // For the geometric mean by the delta method: the error of exp(m) is exp(m) times the error of m.
            let scale = if matches!(aggregate, Aggregate::GeometricMean { .. }) { point } else { 1.0 };
            let variance = (error * scale) * (error * scale);
            let topics = self.sampling().map_or(variance, |sampling| (variance - sampling).max(0.0));
            stretch = self.sampling().map_or(1.0, |sampling| (sampling / variance).sqrt().max(1.0));
            estimate.spread = Spread::unknown().with(Source::Topics, topics).unwrap_or_default();
        }
        if let Some(sampling) = self.sampling() {
            estimate.spread = estimate.spread.with(Source::JudgementSampling, sampling).unwrap_or(estimate.spread);
        }
        match inference.interval(&sample) {
            Ok(made) => {
                let (low, high) = (aggregate.outward(made.low), aggregate.outward(made.high));
                let stretched = |end: f64| if stretch > 1.0 { point + (end - point) * stretch } else { end };
                estimate.interval = Some(Interval { low: stretched(low), high: stretched(high), ..made });
                Some((estimate, None))
            }
            Err(reason) => Some((estimate, Some(reason))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFERENCE: Inference = Inference { method: IntervalMethod::StudentT, level: 0.95, seed: Seed(1) };

    fn scores(values: &[f64]) -> Vec<Score> {
        values.iter().map(|&value| Score::within(value, value, value + 0.1)).collect()
    }

    #[test]
    fn mean_bounds_error_and_interval_by_hand() {
        // 0, .25, .5, .75, 1: mean .5; variance 0.15625 (n-1 = 4: 2*(.25+.0625)/4); error sqrt(.15625/5) = .1767767;
        // t(.975, 4) = 2.7764451: .5 ± .4908107.
        let (estimate, none) = summarise(Aggregate::Mean, &scores(&[0.0, 0.25, 0.5, 0.75, 1.0]), &INFERENCE).unwrap();
        assert!(none.is_none());
        assert_eq!(estimate.point, 0.5);
        let bounds = estimate.bounds.unwrap();
        assert!((bounds.low() - 0.5).abs() < 1e-15 && (bounds.high() - 0.6).abs() < 1e-15);
        assert!((estimate.spread.std_error().unwrap() - 0.176_776_695_296_636_9).abs() < 1e-15);
        let interval = estimate.interval.unwrap();
        assert!((interval.low - 0.009_189_3).abs() < 1e-6 && (interval.high - 0.990_810_7).abs() < 1e-6);
    }

    #[test]
    fn a_geometric_mean_has_its_interval_on_the_scale_of_logarithms() {
        let geometric = Aggregate::GeometricMean { floor: 1e-5 };
        let (estimate, _) = summarise(geometric, &scores(&[0.1, 0.2, 0.4, 0.8, 0.1]), &INFERENCE).unwrap();
        let interval = estimate.interval.unwrap();
        assert!(interval.low > 0.0 && interval.low < estimate.point && estimate.point < interval.high);
        // The interval is symmetric in logarithms: point² = low · high.
        assert!((interval.low * interval.high - estimate.point * estimate.point).abs() < 1e-12);
    }

    #[test]
    fn the_part_of_the_sampled_judgements_is_taken_out_of_the_scatter_of_topics() {
        // The scores of the first test: variance of the mean .15625/5 = .03125. Sampling variances .02, .03, .01 and .04
        // of four topics, mean .025, the fifth taken like them: .025/5 = .005; the topics' own part .03125 - .005.
        let tally = |variances: &[f64]| {
            let mut tally = Tally::new(Aggregate::Mean, 5);
            scores(&[0.0, 0.25, 0.5, 0.75, 1.0]).into_iter().for_each(|score| tally.push(score));
            variances.iter().for_each(|&variance| tally.push_sampling(variance));
            tally.summarise(&INFERENCE).unwrap().0.spread
        };
        let spread = tally(&[0.02, 0.03, 0.01, 0.04]);
        assert!((spread.variance_of(Source::JudgementSampling).unwrap() - 0.005).abs() < 1e-15);
        assert!((spread.variance_of(Source::Topics).unwrap() - 0.02625).abs() < 1e-15);
        assert!((spread.std_error().unwrap() - 0.03125_f64.sqrt()).abs() < 1e-15);
        // More than all the scatter there is: nothing is left for the topics, and the error is the sampling's.
        // The interval stretches with it: 2.7764451 errors, √(.1/.03125) times as wide as topics alone would have it.
        let mut stretched = Tally::new(Aggregate::Mean, 5);
        scores(&[0.0, 0.25, 0.5, 0.75, 1.0]).into_iter().for_each(|score| stretched.push(score));
        (0..5).for_each(|_| stretched.push_sampling(0.5));
        let interval = stretched.summarise(&INFERENCE).unwrap().0.interval.unwrap();
        assert!((interval.high - 0.5 - 2.776_445_1 * 0.1_f64.sqrt()).abs() < 1e-6);
        let spread = tally(&[0.5; 5]);
        assert_eq!(spread.variance_of(Source::Topics), Some(0.0));
        assert!((spread.std_error().unwrap() - 0.1_f64.sqrt()).abs() < 1e-15);
        // One topic: nothing is known of topics, but of its sample.
        let mut one = Tally::new(Aggregate::Mean, 1);
        one.push(Score::exact(0.3));
        one.push_sampling(0.04);
        let (estimate, none) = one.summarise(&INFERENCE).unwrap();
        assert!(none.is_some() && estimate.spread.variance_of(Source::Topics).is_none());
        assert!((estimate.spread.std_error().unwrap() - 0.2).abs() < 1e-15);
    }

    #[test]
    fn few_topics_get_a_reason_and_sums_no_chance() {
        let (estimate, none) = summarise(Aggregate::Mean, &scores(&[0.1, 0.2]), &INFERENCE).unwrap();
        assert!(estimate.interval.is_none() && matches!(none, Some(NoInterval::TooFew { have: 2, need: 5 })));
        let (estimate, _) = summarise(Aggregate::Sum, &scores(&[1.0, 2.0]), &INFERENCE).unwrap();
        assert_eq!((estimate.point, estimate.spread.std_error()), (3.0, None));
        assert!(summarise(Aggregate::Mean, &[], &INFERENCE).is_none());
    }
}
