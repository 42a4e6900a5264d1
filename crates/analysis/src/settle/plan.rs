//! How many documents must be judged to decide with a given power, and whether any number can.
//!
//! The one decision: the variance of the estimate has two parts. That over topics stays however much is judged; that of the sample falls with its
//! size. Both are computed from guesses of relevance, the share of relevant documents among each topic's judged ones; how much depends on them is
//! shown by halving and doubling their odds.

use karat_stats::dist::{normal, student_t};
use schemars::JsonSchema;
use serde::Serialize;

use super::draw::{Candidate, Frame};
use super::question::Design;

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
        spread + self.variances(odds).sum::<f64>() / (count * count)
    }

    /// Variance that a sample of so many documents adds.
    fn of_sample(&self, count: usize, odds: f64) -> f64 {
        let topics = self.values().len() as f64;
        let probabilities = self.frame.probabilities(count.max(1));
        let drawn = |variance: f64, probability: f64| {
            if probability > 0.0 { variance * (1.0 / probability - 1.0) } else { 0.0 }
        };
        let sum: f64 = match self.frame.design {
            Design::Documents => {
                let documents = self.frame.topics.iter().flatten().zip(probabilities.iter().flatten());
                documents.map(|(candidate, &probability)| drawn(self.label(candidate, odds), probability)).sum()
            }
            Design::Topics => {
                let of_topic = |own: &Vec<f64>| own.first().copied().unwrap_or(0.0);
                let topics = self.variances(odds).zip(probabilities.iter().map(of_topic));
                topics.map(|(variance, probability)| drawn(variance, probability)).sum()
            }
        };
        sum / (topics * topics)
    }

    /// The variance of the difference because a document's label is not known.
    fn label(&self, candidate: &Candidate, odds: f64) -> f64 {
        let (span, guess) = candidate.spans[self.contrast];
        span * span * guess * (1.0 - guess) * at_odds(guess, odds)
    }

    /// The variances of the topics' differences.
    fn variances(&self, odds: f64) -> impl Iterator<Item = f64> + '_ {
        self.frame.variances[self.contrast].iter().map(move |topic| topic.variance * at_odds(topic.guess, odds))
    }
}

/// By what the variance of a label is multiplied if its odds are.
fn at_odds(guess: f64, odds: f64) -> f64 {
    odds / (1.0 - guess + odds * guess).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_the_odds_by_hand() {
        // A share of 1/5 has odds of 1/4; twice that is 1/2, a share of 1/3: (1/3 x 2/3) / (1/5 x 4/5) = 2/9 x 25/4 = 25/18.
        assert!((at_odds(0.2, 2.0) - 25.0 / 18.0).abs() < 1e-12 && at_odds(0.3, 1.0) == 1.0);
    }
}
