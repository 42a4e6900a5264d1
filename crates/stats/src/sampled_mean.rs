//! The mean over topics of totals of which some terms were drawn with known probabilities and looked at: the difference estimator.
//!
//! Every term has a guess. A topic's estimate is its total by the guesses, plus (label − guess) × effect / probability of the terms that were
//! drawn. It is unbiased whatever the guesses are, as long as they do not depend on the topic's own draws; bad guesses only widen the interval.
//!
//! The one decision: topics are the sampling units, so the spread of their estimates holds both errors, of topics and of the sample. With few
//! labels of one kind that spread is not known well; then the interval also has the reach that exact limits of the labels' shares give it.

use crate::dist::{OutOfRange, beta, each_side};
use crate::estimate::{Interval, Method};
use crate::interval::{self, NoInterval};
use crate::sample::Sample;

/// With fewer labels of one kind exact limits are used too.
pub const FEW: f64 = 10.0;

/// One topic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopicEstimate {
    /// The difference estimate.
    pub estimate: f64,
    /// The total by guesses and by terms that were certain to be looked at.
    pub expected: f64,
    /// Variance of the estimate over draws, estimated.
    pub variance: f64,
}

/// Terms whose labels move the mean to one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// What they add to the mean if all their labels are 1 in place of 0.
    pub weight: f64,
    /// Labels, from 0 to 1, of terms that were drawn but not certain to be.
    pub labels: f64,
    /// Their sum.
    pub sum: f64,
}

/// Whether labels of one kind are few.
pub fn are_few(shares: &[Share]) -> bool {
    let total = |of: fn(&Share) -> f64| shares.iter().map(of).sum::<f64>();
    let (ones, labels) = (total(|share| share.sum), total(|share| share.labels));
    labels > 0.0 && ones.min(labels - ones) < FEW
}

/// The interval of the mean.
///
/// # Errors
/// Too few topics, or no spread.
pub fn interval(topics: &[TopicEstimate], shares: &[Share], level: f64) -> Result<Interval, NoInterval> {
    let values: Vec<f64> = topics.iter().map(|topic| topic.estimate).collect();
    let sample = Sample::new(&values).map_err(|_| too_few(values.len()))?;
    let by_spread = interval::t(&sample, level);
    if !are_few(shares) {
        return by_spread;
    }
    let expected: Vec<f64> = topics.iter().map(|topic| topic.expected).collect();
    let over_topics = Sample::new(&expected).map_err(|_| too_few(expected.len()))?;
    let (mut below, mut above) = match interval::t(&over_topics, level) {
        Ok(found) => (over_topics.mean() - found.low, found.high - over_topics.mean()),
        Err(NoInterval::Constant { .. }) => (0.0, 0.0),
        Err(why) => return Err(why),
    };
    (below, above) = (below * below, above * above);
    for share in shares {
        let (lower, upper) = share.reach(level)?;
        (below, above) = (below + lower * lower, above + upper * upper);
    }
    let (low, high) = (sample.mean() - below.sqrt(), sample.mean() + above.sqrt());
    // The wider of the two, on each side.
    let (low, high) = match by_spread {
        Ok(found) => (low.min(found.low), high.max(found.high)),
        Err(NoInterval::Constant { .. }) => (low, high),
        Err(why) => return Err(why),
    };
    Ok(Interval { low, high, level, method: Method::Mover })
}

/// The smallest 1 − level at which the interval excludes 0: the p-value that goes with it.
///
/// # Errors
/// As [`fn@interval`].
pub fn p_value(topics: &[TopicEstimate], shares: &[Share]) -> Result<f64, NoInterval> {
    let excludes = |alpha: f64| -> Result<bool, NoInterval> {
        let found = interval(topics, shares, 1.0 - alpha)?;
        Ok(found.low > 0.0 || found.high < 0.0)
    };
    let (mut inside, mut outside) = (1e-12f64.ln(), 0.999f64.ln());
    if !excludes(outside.exp())? {
        return Ok(1.0);
    }
    if excludes(inside.exp())? {
        return Ok(inside.exp());
    }
    while outside - inside > 1e-9 {
        let middle = f64::midpoint(inside, outside);
        if excludes(middle.exp())? { outside = middle } else { inside = middle }
    }
    Ok(outside.exp())
}

fn too_few(have: usize) -> NoInterval {
    NoInterval::TooFew { have, need: interval::HANDFUL }
}

impl Share {
    /// How far the mean may lie below and above the estimate because of these labels: exact limits of their share (Clopper and Pearson). Labels
    /// between 0 and 1 spread less than those of 0 and 1 with the same mean, so the limits hold for them too.
    fn reach(&self, level: f64) -> Result<(f64, f64), OutOfRange> {
        let side = each_side(level)?;
        let others = self.labels - self.sum;
        let share = if self.labels > 0.0 { self.sum / self.labels } else { 0.5 };
        let low = if self.sum > 0.0 { beta::quantile(side, self.sum, others + 1.0)? } else { 0.0 };
        let high = if others > 0.0 { beta::upper_quantile(side, self.sum + 1.0, others)? } else { 1.0 };
        let (less, more) = (self.weight.abs() * (share - low).max(0.0), self.weight.abs() * (high - share).max(0.0));
        Ok(if self.weight >= 0.0 { (less, more) } else { (more, less) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics(estimates: &[f64]) -> Vec<TopicEstimate> {
        estimates.iter().map(|&estimate| TopicEstimate { estimate, expected: estimate, variance: 0.0 }).collect()
    }

    #[test]
    fn with_enough_labels_it_is_students() {
        // 1 to 5: mean 3, standard error sqrt(.5), t(.975, 4) = 2.7764451.
        let shares = [Share { weight: 0.5, labels: 40.0, sum: 20.0 }];
        let found = interval(&topics(&[1.0, 2.0, 3.0, 4.0, 5.0]), &shares, 0.95).unwrap();
        assert!((found.high - 3.0 - 2.776_445_105 * 0.5f64.sqrt()).abs() < 1e-8 && found.method == Method::StudentT);
        // t = 3 / sqrt(.5) = 4.2426 with 4 degrees of freedom: p = .01324 (SciPy 1.17.1: 2 * t.sf(4.242640687, 4) = .013235613).
        let p = p_value(&topics(&[1.0, 2.0, 3.0, 4.0, 5.0]), &shares).unwrap();
        assert!((p - 0.013_235_6).abs() < 1e-6, "{p}");
    }

    #[test]
    fn with_few_labels_exact_limits_count() {
        // None of 20 is 1: the upper limit is 1 − .025^(1/20) = .16843, times .5 = .08422; topics alone reach 1.9633.
        let shares = [Share { weight: 0.5, labels: 20.0, sum: 0.0 }];
        let found = interval(&topics(&[1.0, 2.0, 3.0, 4.0, 5.0]), &shares, 0.95).unwrap();
        let t = 2.776_445_105 * 0.5f64.sqrt();
        assert!((found.high - 3.0 - (t * t + 0.084_22f64.powi(2)).sqrt()).abs() < 1e-5, "{found:?}");
        assert!((found.low - (3.0 - t)).abs() < 1e-7 && found.method == Method::Mover);
        // A negative weight reaches the other way.
        let turned = [Share { weight: -0.5, ..shares[0] }];
        let found = interval(&topics(&[1.0, 2.0, 3.0, 4.0, 5.0]), &turned, 0.95).unwrap();
        assert!((3.0 - found.low - (t * t + 0.084_22f64.powi(2)).sqrt()).abs() < 1e-5, "{found:?}");
    }

    #[test]
    fn few_is_few_of_either_kind() {
        let share = |labels: f64, sum: f64| [Share { weight: 1.0, labels, sum }];
        assert!(are_few(&share(40.0, 9.0)) && are_few(&share(40.0, 31.0)) && !are_few(&share(40.0, 10.0)));
        // Everything was certain to be looked at: nothing is drawn.
        assert!(!are_few(&share(0.0, 0.0)));
    }

    #[test]
    fn no_spread_no_interval() {
        let same = topics(&[0.5; 8]);
        assert!(matches!(interval(&same, &[], 0.95), Err(NoInterval::Constant { .. })));
        assert!(matches!(interval(&same[..3], &[], 0.95), Err(NoInterval::TooFew { have: 3, .. })));
    }
}
