//! Two runs on one measure: the difference topic by topic, and everything that makes its mean unsure.
//!
//! The one decision: differences are taken per topic and then summed up, so that what two runs share cancels before any
//! error is computed: hard topics, unjudged documents at the same rank, the judges' error rates.

use karat_data::{CollectionFacts, TopicIndex};
use karat_measures::{Aggregate, BoundsKind, Measure, Score};
use karat_stats::Sample;
use karat_stats::estimate::Interval;
use karat_stats::interval::NoInterval;

use super::findings::TopicFindings;
use crate::eval::correction;
use crate::labels::LabelWeights;
use crate::scores::{RunScores, Setting};
use crate::summary::Inference;
use crate::unjudged::Probable;
use crate::unjudged::expected::Expected;
use crate::unjudged::spread::{UnjudgedSpread, spread};

/// One topic of a difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopicDifference {
    /// The topic.
    pub topic: TopicIndex,
    /// First run less second, as the scores are.
    pub observed: f64,
    /// The same as gold judges would probably have it and unjudged documents probably are.
    pub expected: f64,
    /// Least and greatest over all ways of judging.
    pub bounds: Option<(f64, f64)>,
}

/// A difference over topics.
#[derive(Debug, Clone)]
pub struct Difference {
    /// By topic, in the order of topics.
    pub topics: Vec<TopicDifference>,
    /// The means of both runs, treated as the observed differences are.
    pub means: (f64, f64),
    /// Mean of the observed differences.
    pub observed: f64,
    /// Mean of the expected ones.
    pub expected: f64,
    /// Least and greatest mean over all ways of judging.
    pub bounds: Option<(f64, f64)>,
    /// What unjudged documents do by chance.
    pub unjudged: Option<UnjudgedSpread>,
    /// Variance because the judges' error rates are estimated.
    pub judges: Option<f64>,
    /// Whether the judges' errors are known, but not what they do to this measure.
    pub uncorrected: bool,
    /// The width of the measure's range: no difference is larger.
    pub largest: f64,
    /// The means of both runs, treated as the expected differences are.
    expected_means: (f64, f64),
}

/// What relevant documents that no run retrieved make of the bounds of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The bounds allow for them.
    Bounds,
    /// They bring each difference nearer to 0: 0 is among the possible ones.
    Zero,
    /// It is not known how far they take a difference.
    Unknown,
}

impl Reach {
    /// Of a measure.
    pub fn new(measure: &dyn Measure, collection: &CollectionFacts) -> Reach {
        match measure.bounds_kind(collection) {
            BoundsKind::Complete => Reach::Bounds,
            BoundsKind::Retrieved if measure.missed_shrink_differences() => Reach::Zero,
            BoundsKind::Retrieved => Reach::Unknown,
        }
    }

    /// The least and the greatest difference whatever is judged; none where that is not known.
    pub fn hull(self, (low, high): (f64, f64)) -> Option<(f64, f64)> {
        match self {
            Reach::Bounds => Some((low, high)),
            Reach::Zero => Some((low.min(0.0), high.max(0.0))),
            Reach::Unknown => None,
        }
    }
}

/// Bounds that are wider than this leave a difference open; others differ by rounding.
const OPEN: f64 = 1e-12;

/// Which sources an interval is to hold beside the topics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct With {
    /// Unjudged documents, as the model has them.
    pub unjudged: bool,
    /// The calibration of the judges.
    pub judges: bool,
}

impl With {
    /// Everything.
    pub const ALL: With = With { unjudged: true, judges: true };
    /// Topics only.
    pub const TOPICS: With = With { unjudged: false, judges: false };
}

impl Difference {
    /// The topics that both runs have a score for.
    pub fn new(
        setting: &Setting<'_>,
        measure: usize,
        (place, (a, b)): (usize, (usize, usize)),
        scored: &[RunScores],
        findings: Option<&[TopicFindings]>,
        level: f64,
    ) -> Difference {
        let mut both = ByTopic::collect(setting, measure, (place, (a, b)), scored, findings);
        let judges = both.correct(setting, measure);
        let (means, expected_means) = (mean_of_both(&both.values), mean_of_both(&both.expected_values));
        let ByTopic { topics, probable, .. } = both;
        let uncorrected = setting.calibration.is_some() && judges.is_none();
        let whole: Vec<&Probable> = probable.iter().collect();
        let unjudged = (whole.len() == topics.len()).then(|| spread(Aggregate::Mean, &whole, level)).flatten();
        let mean = |of: &dyn Fn(&TopicDifference) -> Option<f64>| -> Option<f64> {
            let sum = topics.iter().map(of).sum::<Option<f64>>()?;
            Some(sum / topics.len() as f64).filter(|_| !topics.is_empty())
        };
        let low = mean(&|topic| topic.bounds.map(|bounds| bounds.0));
        let high = mean(&|topic| topic.bounds.map(|bounds| bounds.1));
        let (least, greatest) = setting.measures[measure].info().range;
        Difference {
            largest: greatest - least,
            means,
            expected_means,
            observed: mean(&|topic| Some(topic.observed)).unwrap_or(0.0),
            expected: mean(&|topic| Some(topic.expected)).unwrap_or(0.0),
            bounds: low.zip(high).filter(|_| setting.bounds),
            unjudged,
            judges,
            uncorrected,
            topics,
        }
    }

    /// Puts the expected differences in the place of the observed ones.
    pub fn use_expected(&mut self) {
        self.topics.iter_mut().for_each(|topic| topic.observed = topic.expected);
        self.observed = self.expected;
        self.means = self.expected_means;
    }

    /// Whether no judgement can change the difference on any topic.
    pub fn is_closed(&self) -> bool {
        let closed = |topic: &TopicDifference| topic.bounds.is_some_and(|(low, high)| high - low <= OPEN);
        self.topics.iter().all(closed)
    }

    /// The observed differences.
    pub fn values(&self) -> Vec<f64> {
        self.topics.iter().map(|topic| topic.observed).collect()
    }

    /// Variance of the mean over topics.
    pub fn over_topics(&self) -> Option<f64> {
        let values = self.values();
        let error = Sample::new(&values).ok()?.std_error().ok()?;
        Some(error * error)
    }

    /// The interval of the mean difference with these sources.
    ///
    /// # Errors
    /// Too few topics, or no spread among them.
    pub fn interval(&self, inference: &Inference, with: With) -> Result<Interval, NoInterval> {
        let mut found = inference.of_differences(&self.values(), self.largest)?;
        if let Some(unjudged) = self.unjudged.filter(|_| with.unjudged) {
            found = unjudged.widen(self.observed, found);
        }
        Ok(match self.judges.filter(|_| with.judges) {
            Some(judges) => correction::widen(self.observed, found, judges, inference.level),
            None => found,
        })
    }

    /// The interval that holds what full judgements would show: from the lower limit of the mean of the least differences to the upper limit of
    /// the mean of the greatest ones. None where either has no spread, with too few topics, without bounds, or where it is not known how far relevant
    /// documents that no run retrieved take a difference.
    pub fn interval_all(&self, inference: &Inference, reach: Reach) -> Option<(f64, f64)> {
        let of = |end: &dyn Fn((f64, f64)) -> f64| -> Option<(f64, f64)> {
            let values: Vec<f64> =
                self.topics.iter().map(|topic| Some(end(reach.hull(topic.bounds?)?))).collect::<Option<_>>()?;
            match inference.of_differences(&values, self.largest) {
                Ok(found) => Some((found.low, found.high)),
                // Beyond what scores can differ by there is nothing to be unsure of.
                Err(NoInterval::Constant { value }) if value.abs() >= self.largest => Some((value, value)),
                Err(_) => None,
            }
        };
        Some((of(&|(low, _)| low)?.0, of(&|(_, high)| high)?.1)).filter(|_| self.bounds.is_some())
    }
}

/// The means of two runs over the topics of their difference.
fn mean_of_both(values: &[(f64, f64)]) -> (f64, f64) {
    let (a, b) = values.iter().fold((0.0, 0.0), |(first, second), (a, b)| (first + a, second + b));
    let count = values.len().max(1) as f64;
    (a / count, b / count)
}

/// The differences of two runs by topic.
#[derive(Default)]
struct ByTopic {
    topics: Vec<TopicDifference>,
    /// The scores of both runs as they are.
    values: Vec<(f64, f64)>,
    /// The same as the model expects them.
    expected_values: Vec<(f64, f64)>,
    /// What the model says of them, where it says something.
    probable: Vec<Probable>,
    /// How the weight of each run falls on grades, where scores are corrected for the judges' errors.
    weights: (Vec<LabelWeights>, Vec<LabelWeights>),
}

impl ByTopic {
    fn collect(
        setting: &Setting<'_>,
        measure: usize,
        (place, (a, b)): (usize, (usize, usize)),
        scored: &[RunScores],
        findings: Option<&[TopicFindings]>,
    ) -> ByTopic {
        let mut both = ByTopic::default();
        let sparse = setting.is_sparse(setting.measures[measure].as_ref());
        for topic in setting.qrels.topics() {
            let score = |run: usize| scored[run].topics.get(topic).and_then(|scores| scores[measure].as_ref().ok());
            let Some((first, second)) = score(a).zip(score(b)) else { continue };
            let observed = first.value - second.value;
            let found = findings.map(|findings| &findings[topic.0 as usize]);
            let bounds = found.and_then(|found| found.bounds(measure, place)).or_else(|| closed(first, second));
            let bounds = bounds.filter(|_| !sparse);
            let open = bounds.is_none_or(|(low, high)| high - low > OPEN);
            let modelled = found.and_then(|found| modelled(found, measure, (place, (a, b)), (observed, open)));
            let expected = match &modelled {
                Some(Probable::Expected(expected)) => expected.mean,
                // What no judgement can change is not left to the rounding of a mean.
                Some(Probable::Drawn { values, .. }) if open && !values.is_empty() => {
                    values.iter().sum::<f64>() / values.len() as f64
                }
                _ => observed,
            };
            let values = (first.value, second.value);
            both.values.push(values);
            let expected_values = found.filter(|_| modelled.is_some());
            let expected_values = expected_values.and_then(|found| found.values(measure, (a, b), values));
            both.expected_values.push(expected_values.unwrap_or(values));
            both.probable.extend(modelled);
            if setting.calibration.is_some() {
                both.weights.0.push(scored[a].labels_of(topic, measure));
                both.weights.1.push(scored[b].labels_of(topic, measure));
            }
            both.topics.push(TopicDifference { topic, observed, expected, bounds });
        }
        both
    }

    /// Corrects the differences for the judges' errors, where that can be done; returns the variance of the calibration.
    fn correct(&mut self, setting: &Setting<'_>, measure: usize) -> Option<f64> {
        let (measure, calibration) = (setting.measures[measure].as_ref(), setting.calibration?);
        let shifts = |weights: &[LabelWeights]| correction::shifts(measure, &setting.collection, calibration, weights);
        let (first, second) = &self.weights;
        let apart = first
            .iter()
            .zip(second)
            .map(|(first, second)| Some(first.as_ref()?.iter().zip(second.as_ref()?).map(|(a, b)| a - b).collect()));
        let (apart, found) = shifts(&apart.collect::<Vec<LabelWeights>>())?;
        for (topic, shift) in self.topics.iter_mut().zip(apart) {
            topic.observed += shift;
            topic.expected += shift;
            topic.bounds = topic.bounds.map(|(low, high)| (low + shift, high + shift));
        }
        // The correction is linear in the weights, so the difference of both shifts is the shift of the difference.
        let ((first, _), (second, _)) = shifts(first).zip(shifts(second))?;
        for values in [&mut self.values, &mut self.expected_values] {
            for ((a, b), (first, second)) in values.iter_mut().zip(first.iter().zip(&second)) {
                (*a, *b) = (*a + first, *b + second);
            }
        }
        Some(found.judges)
    }
}

/// What the model says of a topic's difference; where no judgement can change it, that it is as observed.
fn modelled(
    found: &TopicFindings,
    measure: usize,
    (place, (a, b)): (usize, (usize, usize)),
    (observed, open): (f64, bool),
) -> Option<Probable> {
    if let Some(added) = found.expected(measure, place) {
        let refits = added.refits.iter().map(|more| if open { observed + more } else { observed }).collect();
        let (mean, variance) = if open { (observed + added.mean, added.variance) } else { (observed, 0.0) };
        return Some(Probable::Expected(Expected { mean, variance, refits, terms: None, judged: observed }));
    }
    let (first, second) = found.draws(a, measure).zip(found.draws(b, measure))?;
    let values = first.iter().zip(second).map(|(first, second)| if open { first - second } else { observed });
    Some(Probable::Drawn { values: values.collect(), has_one_model: found.has_one_model() })
}

/// Without lists only what no judgement can change is known.
fn closed(a: &Score, b: &Score) -> Option<(f64, f64)> {
    let fixed = |score: &Score| score.low == score.value && score.high == score.value;
    (fixed(a) && fixed(b)).then_some((a.value - b.value, a.value - b.value))
}
