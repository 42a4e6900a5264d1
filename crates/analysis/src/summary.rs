//! From per-topic scores to an [`Estimate`] for the run: the summary, its bounds, its chance over topics.
//!
//! The topics are taken as a sample of the queries people have; that is what the standard error and the interval speak
//! of. Bounds are means of bounds: logic, not chance.
//!
//! Where a topic's score was inferred from a sample of its judgements, the scatter of the topics' scores already holds that
//! chance: the variance of n scores is that of the topics' true scores plus the mean of their sampling variances (two-stage
//! sampling, Cochran 1977, section 10.3). So the part due to the sample of judgements is taken out of the variance over
//! topics and booked under its own name; the two are not added up twice.

use karat_measures::{Aggregate, BoundsKind, MeasureInfo, Score};
use karat_stats::estimate::{Bounds, Estimate, Interval, Source, Spread};
use karat_stats::interval::{self, Bootstrap, HANDFUL, NoInterval};
use karat_stats::sample::Sample;
use karat_stats::seed::Seed;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// How the interval over topics is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IntervalMethod {
    /// Of scores the one that [`interval::choose`] chooses, of differences Student's t; within the range of the measure.
    #[default]
    Auto,
    /// Student's t.
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
    /// The interval of the mean of scores with this range. Infinite ends, or a score outside, say that the range is not known.
    pub(crate) fn of_scores(&self, sample: &Sample<'_>, range: (f64, f64)) -> Result<Interval, NoInterval> {
        match self.method {
            IntervalMethod::Auto => interval::automatic(sample, Some(range), self.level),
            IntervalMethod::StudentT | IntervalMethod::Bca { .. } => self.interval(sample),
        }
    }

    /// The interval of a mean difference; differences are even enough for t where scores are not, and their range is twice as wide, so that
    /// an interval that rests on it alone would decide little.
    pub(crate) fn interval(&self, sample: &Sample<'_>) -> Result<Interval, NoInterval> {
        match self.method {
            IntervalMethod::Auto | IntervalMethod::StudentT => interval::t(sample, self.level),
            IntervalMethod::Bca { resamples } => Bootstrap::new(sample, resamples, self.seed)?.bca(self.level),
        }
    }

    /// The interval of the mean of paired differences, none of which can be larger than `largest`, the width of the measure's range.
    ///
    /// # Errors
    /// Fewer than five, or the same difference on every topic but for the rounding of floats: that shows no spread, which is not the
    /// knowledge that there is none, so it has no interval and supports no verdict.
    pub fn of_differences(&self, differences: &[f64], largest: f64) -> Result<Interval, NoInterval> {
        let too_few = NoInterval::TooFew { have: differences.len(), need: HANDFUL };
        let sample = Sample::new(differences).map_err(|_| too_few)?;
        if sample.len() >= HANDFUL && interval::is_constant(&sample) {
            return Err(NoInterval::Constant { value: sample.mean() });
        }
        let found = self.interval(&sample)?;
        let (low, high) = self.within((found.low, found.high), (-largest, largest), sample.mean());
        Ok(Interval { low, high, ..found })
    }

    /// With [`IntervalMethod::Auto`] an interval ends where the range of the measure does, if the value itself is inside.
    pub(crate) fn within(&self, (low, high): (f64, f64), (least, greatest): (f64, f64), point: f64) -> (f64, f64) {
        let cut = self.method == IntervalMethod::Auto && (least..=greatest).contains(&point);
        if cut { (low.max(least), high.min(greatest)) } else { (low, high) }
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

/// The estimate for a run by a measure, and why there is no interval where there is none. `None` without any score.
pub fn summarise(
    measure: &MeasureInfo,
    scores: &[Score],
    inference: &Inference,
) -> Option<(Estimate, Option<NoInterval>)> {
    let mut tally = Tally::new(measure.aggregate, measure.range, scores.len());
    scores.iter().for_each(|score| tally.push(*score));
    tally.summarise(inference)
}

/// The scores of one measure as they come, topic by topic: only the values are kept, for their spread.
pub struct Tally {
    aggregate: Aggregate,
    /// Least and greatest value that is averaged.
    range: (f64, f64),
    /// The values that are averaged, see [`Aggregate::inward`].
    inward: Vec<f64>,
    low: f64,
    high: f64,
    bounded: bool,
    /// The sum of the known variances over samples of the judgements, and of how many topics.
    sampling: (f64, usize),
}

impl Tally {
    /// For a measure with this range, and about so many topics.
    pub fn new(aggregate: Aggregate, (least, greatest): (f64, f64), topics: usize) -> Tally {
        let range = (aggregate.inward(least), aggregate.inward(greatest));
        let inward = Vec::with_capacity(topics);
        Tally { aggregate, range, inward, low: 0.0, high: 0.0, bounded: true, sampling: (0.0, 0) }
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
        match inference.of_scores(&sample, self.range) {
            Ok(made) => {
                let (low, high) = (aggregate.outward(made.low), aggregate.outward(made.high));
                let stretched = |end: f64| if stretch > 1.0 { point + (end - point) * stretch } else { end };
                let range = (aggregate.outward(self.range.0), aggregate.outward(self.range.1));
                let (low, high) = inference.within((stretched(low), stretched(high)), range, point);
                estimate.interval = Some(Interval { low, high, ..made });
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

    const AUTO: Inference = Inference { method: IntervalMethod::Auto, ..INFERENCE };
    const UNIT: (f64, f64) = (0.0, 1.0);

    fn of(aggregate: Aggregate, values: &[f64], inference: &Inference) -> Option<(Estimate, Option<NoInterval>)> {
        let mut tally = Tally::new(aggregate, UNIT, values.len());
        scores(values).into_iter().for_each(|score| tally.push(score));
        tally.summarise(inference)
    }

    fn scores(values: &[f64]) -> Vec<Score> {
        values.iter().map(|&value| Score::within(value, value, value + 0.1)).collect()
    }

    #[test]
    fn mean_bounds_error_and_interval_by_hand() {
        // 0, .25, .5, .75, 1: mean .5; variance 0.15625 (n-1 = 4: 2*(.25+.0625)/4); error sqrt(.15625/5) = .1767767;
        // t(.975, 4) = 2.7764451: .5 ± .4908107.
        let (estimate, none) = of(Aggregate::Mean, &[0.0, 0.25, 0.5, 0.75, 1.0], &INFERENCE).unwrap();
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
        let (estimate, _) = of(geometric, &[0.1, 0.2, 0.4, 0.8, 0.1], &INFERENCE).unwrap();
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
            let mut tally = Tally::new(Aggregate::Mean, UNIT, 5);
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
        let mut stretched = Tally::new(Aggregate::Mean, UNIT, 5);
        scores(&[0.0, 0.25, 0.5, 0.75, 1.0]).into_iter().for_each(|score| stretched.push(score));
        (0..5).for_each(|_| stretched.push_sampling(0.5));
        let interval = stretched.summarise(&INFERENCE).unwrap().0.interval.unwrap();
        assert!((interval.high - 0.5 - 2.776_445_1 * 0.1_f64.sqrt()).abs() < 1e-6);
        let spread = tally(&[0.5; 5]);
        assert_eq!(spread.variance_of(Source::Topics), Some(0.0));
        assert!((spread.std_error().unwrap() - 0.1_f64.sqrt()).abs() < 1e-15);
        // One topic: nothing is known of topics, but of its sample.
        let mut one = Tally::new(Aggregate::Mean, UNIT, 1);
        one.push(Score::exact(0.3));
        one.push_sampling(0.04);
        let (estimate, none) = one.summarise(&INFERENCE).unwrap();
        assert!(none.is_some() && estimate.spread.variance_of(Source::Topics).is_none());
        assert!((estimate.spread.std_error().unwrap() - 0.2).abs() < 1e-15);
    }

    #[test]
    fn auto_knows_the_range_and_stays_inside() {
        let interval = |aggregate, values: &[f64], inference| of(aggregate, values, inference).unwrap().0.interval;
        // No success in ten: 1 - .025^(1/10) = .3084971; t has nothing to say.
        let found = interval(Aggregate::Mean, &[0.0; 10], &AUTO).unwrap();
        assert!(
            found.low == 0.0 && (found.high - 0.308_497_1).abs() < 1e-7 && found.method.name() == "clopper_pearson"
        );
        assert_eq!(interval(Aggregate::Mean, &[0.0; 10], &INFERENCE), None);
        // Mean .6 of .2, .5, .9, 1, .4: t reaches to 1.0210688.
        let values = [0.2, 0.5, 0.9, 1.0, 0.4];
        let (plain, cut) = (interval(Aggregate::Mean, &values, &INFERENCE), interval(Aggregate::Mean, &values, &AUTO));
        assert!((plain.unwrap().high - 1.021_068_8).abs() < 1e-6 && cut.unwrap().high == 1.0);
        // Logarithms of .00001 to 1 have a range too: the interval of a geometric mean does not leave 0 to 1.
        let geometric = Aggregate::GeometricMean { floor: 1e-5 };
        let found = interval(geometric, &[0.0, 0.0, 0.0, 0.0, 0.9], &AUTO).unwrap();
        assert!(
            found.low >= 1e-5 * (1.0 - 1e-9) && found.high < 1.0 && found.method.name() == "bounded_mean",
            "{found:?}"
        );
    }

    #[test]
    fn equal_differences_have_no_interval() {
        let of = |values: &[f64], inference: &Inference| inference.of_differences(values, 1.0);
        // .3 - .2 and .2 - .1 differ in the last digits only.
        let noise = [0.3 - 0.2, 0.2 - 0.1, 0.5 - 0.4, 0.1, 0.9 - 0.8, 0.7 - 0.6];
        assert!(noise.iter().any(|value| *value != 0.1));
        for inference in [AUTO, INFERENCE, Inference { method: IntervalMethod::Bca { resamples: 1000 }, ..AUTO }] {
            assert!(matches!(of(&noise, &inference), Err(NoInterval::Constant { .. })));
            assert!(matches!(of(&[0.1; 12], &inference), Err(NoInterval::Constant { .. })));
            assert_eq!(of(&[0.1, 0.2], &inference), Err(NoInterval::TooFew { have: 2, need: 5 }));
        }
        // t within what differences can be: mean .88, variance (4 · .0144 + .2304)/4 = .072, error .12, times 2.7764451: 1.2131734.
        let values = [1.0, 1.0, 1.0, 1.0, 0.4];
        assert!((of(&values, &INFERENCE).unwrap().high - 1.213_173_4).abs() < 1e-6);
        assert_eq!(of(&values, &AUTO).unwrap().high, 1.0);
    }

    #[test]
    fn few_topics_get_a_reason_and_sums_no_chance() {
        let (estimate, none) = of(Aggregate::Mean, &[0.1, 0.2], &INFERENCE).unwrap();
        assert!(estimate.interval.is_none() && matches!(none, Some(NoInterval::TooFew { have: 2, need: 5 })));
        let (estimate, _) = of(Aggregate::Sum, &[1.0, 2.0], &INFERENCE).unwrap();
        assert_eq!((estimate.point, estimate.spread.std_error()), (3.0, None));
        assert!(of(Aggregate::Mean, &[], &INFERENCE).is_none());
    }
}
