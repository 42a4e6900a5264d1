//! How many documents must be judged to decide with a given power, and whether any number can.
//!
//! The one decision: the variance of the estimate has two parts. That over topics stays however much is judged; that of the sample falls with its
//! size. Both are computed from guesses of relevance, the share of relevant documents among each topic's judged ones; how much depends on them is
//! shown by halving and doubling their odds.

use karat_stats::dist::{normal, student_t};
use schemars::JsonSchema;
use serde::Serialize;

use super::draw::Frame;

/// Fewer documents are never planned: what so few labels can say was not measured.
pub const LEAST: usize = 40;

/// What is planned.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Planned {
    /// Documents to judge, in all; null if no number is enough.
    pub count: Option<usize>,
    /// The power that they are for.
    pub power: f64,
    /// The difference that is to be found.
    pub difference: f64,
    /// Whether the spread over topics alone prevents a decision, however much is judged.
    pub blocked_by_topics: bool,
    /// Fewest and most documents if the odds of relevance are half or twice what judged documents suggest; null where no number is enough.
    pub count_range: Option<(usize, usize)>,
    /// The smallest difference that can be found with this power if everything is judged.
    pub detectable_difference: f64,
    /// Unjudged documents that can change the difference.
    pub documents: usize,
}

/// The plan of one measure and pair.
pub struct Planner<'f> {
    frame: &'f Frame,
    contrast: usize,
    power: f64,
    level: f64,
}

impl<'f> Planner<'f> {
    /// For the contrast at this place; the level is that which its p must reach.
    pub fn new(frame: &'f Frame, contrast: usize, power: f64, level: f64) -> Planner<'f> {
        Planner { frame, contrast, power, level }
    }

    /// The difference that the guesses lead one to expect.
    pub fn expected_difference(&self) -> f64 {
        let values: Vec<f64> = self.values();
        values.iter().sum::<f64>() / values.len().max(1) as f64
    }

    /// How many documents show this difference.
    pub fn plan(&self, difference: f64) -> Planned {
        let count = self.count(difference, 1.0);
        let around = self.count(difference, 0.5).zip(self.count(difference, 2.0));
        Planned {
            count,
            power: self.power,
            difference,
            blocked_by_topics: count.is_none(),
            count_range: around.zip(count).map(|((a, b), own)| (a.min(b).min(own), a.max(b).max(own))),
            detectable_difference: self.reach() * self.over_topics(1.0).sqrt(),
            documents: self.frame.len(),
        }
    }

    fn values(&self) -> Vec<f64> {
        self.frame.expected[self.contrast].iter().flatten().copied().collect()
    }

    /// Standard errors that a difference must have to be found with the power.
    fn reach(&self) -> f64 {
        let topics = self.values().len() as f64;
        let side = 0.5 * (1.0 - self.level);
        let quantile = student_t::upper_quantile(side, (topics - 1.0).max(1.0)).unwrap_or(f64::INFINITY);
        quantile + normal::quantile(self.power).unwrap_or(0.0)
    }

    /// The fewest documents, where there are enough; `odds` multiplies the odds of relevance.
    fn count(&self, difference: f64, odds: f64) -> Option<usize> {
        let wanted = (difference.abs() / self.reach()).powi(2);
        let enough = |count: usize| self.over_topics(odds) + self.of_sample(count, odds) <= wanted;
        let (mut few, mut many) = (0, self.frame.len());
        if !enough(many) {
            return None;
        }
        while many - few > 1 {
            let middle = usize::midpoint(few, many);
            if enough(middle) { many = middle } else { few = middle }
        }
        Some(many.max(LEAST.min(self.frame.len())))
    }

    /// Variance of the mean over topics: of the expected differences, and of what the labels will add to it.
    fn over_topics(&self, odds: f64) -> f64 {
        let values = self.values();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0) / count;
        let labels = self.labels(odds).flatten().sum::<f64>() + self.frame.covariance[self.contrast];
        spread + labels.max(0.0) / (count * count)
    }

    /// Variance that a sample of so many documents adds.
    fn of_sample(&self, count: usize, odds: f64) -> f64 {
        let topics = self.values().len() as f64;
        let probabilities = self.frame.probabilities(count.max(1));
        let one = |(variance, probability): (f64, &f64)| {
            if *probability > 0.0 { variance * (1.0 / probability - 1.0) } else { 0.0 }
        };
        let of_topic =
            |(own, probabilities): (Vec<f64>, &Vec<f64>)| own.into_iter().zip(probabilities).map(one).sum::<f64>();
        let own = self.labels(odds).map(Iterator::collect);
        own.zip(&probabilities).map(of_topic).sum::<f64>() / (topics * topics)
    }

    /// By topic and document: the variance of the difference because the label is not known.
    fn labels(&self, odds: f64) -> impl Iterator<Item = impl Iterator<Item = f64> + '_> + '_ {
        let contrast = self.contrast;
        let variance = move |candidate: &super::draw::Candidate| {
            let (span, guess) = candidate.spans[contrast];
            let share = odds * guess / (1.0 - guess + odds * guess);
            span * span * share * (1.0 - share)
        };
        self.frame.topics.iter().map(move |own| own.iter().map(variance))
    }
}
