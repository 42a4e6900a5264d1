//! From topics to the run: what unjudged documents do to the mean (Park 2016, equations 6 to 8).
//!
//! The one decision: three parts are kept apart until the end. What the documents do by chance, the model taken as right; what the
//! model may be off, by the jackknife over groups of topics; what our own draws are off. The first two are the source
//! `unjudged`, the third `monte_carlo`.

use karat_measures::Aggregate;
use karat_stats::dist::normal;
use karat_stats::estimate::{Interval, Method};
use karat_stats::interval::BernoulliMean;

use super::Probable;

/// Steps an exact distribution may take: some hundredths of a second. Its error, told by its own bounds, widens the interval
/// by a few hundredths.
const STEPS: f64 = (1 << 24) as f64;

/// What unjudged documents do to a run's mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnjudgedSpread {
    /// Variance by chance and by the error of the fit.
    pub variance: f64,
    /// Variance by our own draws, where there were any.
    pub monte_carlo: Option<f64>,
    /// How far below and above the mean the interval over unjudged documents goes.
    pub reach: (f64, f64),
    /// How it was made.
    pub method: Method,
}

/// Of these topics; `None` where the measure has nothing unjudged in it, or there is no topic.
pub fn spread(aggregate: Aggregate, topics: &[&Probable], level: f64) -> Option<UnjudgedSpread> {
    let quantile = normal::upper_quantile((1.0 - level) / 2.0).ok()?;
    match topics.first()? {
        Probable::AsIs => None,
        Probable::Drawn(first) => {
            let lists: Vec<&[f64]> = topics.iter().filter_map(|topic| topic.draws()).collect();
            let whole = |draw: usize| {
                let sum: f64 =
                    lists.iter().filter_map(|list| list.get(draw)).map(|&value| aggregate.inward(value)).sum();
                if aggregate == Aggregate::Sum { sum } else { aggregate.outward(sum / lists.len() as f64) }
            };
            let drawn: Vec<f64> = (0..first.len()).map(whole).collect();
            let count = drawn.len() as f64;
            let mean = drawn.iter().sum::<f64>() / count;
            let variance =
                drawn.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0).max(1.0);
            let reach = quantile * variance.sqrt();
            let monte_carlo = Some(variance / count);
            Some(UnjudgedSpread { variance, monte_carlo, reach: (reach, reach), method: Method::Normal })
        }
        Probable::Expected(first) => {
            let parts: Vec<_> = topics.iter().filter_map(|topic| topic.expected()).collect();
            let count = parts.len() as f64;
            let variance = parts.iter().map(|part| part.variance).sum::<f64>() / (count * count);
            let refit = |group: usize| parts.iter().filter_map(|part| part.refits.get(group)).sum::<f64>() / count;
            let of_fit = jackknife(&(0..first.refits.len()).map(refit).collect::<Vec<_>>());
            let plain = quantile * variance.sqrt();
            let mut by_chance = ((plain, plain), Method::Normal);
            // The distribution itself, where every topic kept its terms.
            let terms: Option<Vec<_>> = parts.iter().map(|part| part.terms.as_deref()).collect();
            if let Some(mean) = terms.and_then(|terms| BernoulliMean::within(&terms, STEPS))
                && let Ok(Interval { low, high, method, .. }) = mean.interval(level)
            {
                by_chance = ((mean.mean() - low, high - mean.mean()), method);
            }
            let ((below, above), method) = by_chance;
            let with_fit = |reach: f64| (reach * reach + quantile * quantile * of_fit).sqrt();
            let reach = (with_fit(below), with_fit(above));
            Some(UnjudgedSpread { variance: variance + of_fit, monte_carlo: None, reach, method })
        }
    }
}

/// Variance of what was computed without each of G groups: (G - 1) / G times the sum of squared distances from their mean.
fn jackknife(without: &[f64]) -> f64 {
    let count = without.len() as f64;
    let mean = without.iter().sum::<f64>() / count.max(1.0);
    let squares: f64 = without.iter().map(|value| (value - mean) * (value - mean)).sum();
    if without.is_empty() { 0.0 } else { (count - 1.0) / count * squares }
}

impl UnjudgedSpread {
    /// The interval around `point` over unjudged documents alone: what the mean over these topics would be, were everything
    /// judged.
    pub fn alone(&self, point: f64) -> (f64, f64) {
        (point - self.reach.0, point + self.reach.1)
    }

    /// An interval over topics, widened by what unjudged documents do: reaches add as the roots of their squares.
    pub fn widen(&self, point: f64, over_topics: Interval) -> Interval {
        let below = (point - over_topics.low).max(0.0);
        let above = (over_topics.high - point).max(0.0);
        let root = |a: f64, b: f64| (a * a + b * b).sqrt();
        Interval { low: point - root(below, self.reach.0), high: point + root(above, self.reach.1), ..over_topics }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jackknife_by_hand() {
        // The mean of 1, 2, 6 without each: 4, 3.5, 1.5; mean 3; (1 + .25 + 2.25) · 2/3 = 7/3. It is the variance of the
        // mean, s²/n = 7/3 with s² = (4 + 1 + 9)/2 = 7.
        assert!((jackknife(&[4.0, 3.5, 1.5]) - 7.0 / 3.0).abs() < 1e-12);
        assert_eq!(jackknife(&[]), 0.0);
    }

    #[test]
    fn draws_become_a_mean_each() {
        // Two topics, draws (0, 1) and (1, 3): means .5 and 2, their variance (1.125 + 1.125 = 2 · .75²)/1 = 1.125.
        let topics = [Probable::Drawn([0.0, 1.0].into()), Probable::Drawn([1.0, 3.0].into())];
        let topics: Vec<&Probable> = topics.iter().collect();
        let found = spread(Aggregate::Mean, &topics, 0.95).unwrap();
        assert!((found.variance - 1.125).abs() < 1e-12);
        assert_eq!(found.monte_carlo, Some(0.5625));
        assert!((found.reach.0 - 1.959964 * 1.125f64.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn intervals_widen_as_roots_of_squares() {
        let spread = UnjudgedSpread { variance: 0.0, monte_carlo: None, reach: (0.3, 0.4), method: Method::Normal };
        let topics = Interval { low: 0.1, high: 0.8, level: 0.95, method: Method::StudentT };
        // Around .5: √(.4² + .3²) = .5 below, √(.3² + .4²) = .5 above.
        let wide = spread.widen(0.5, topics);
        assert!(wide.low.abs() < 1e-12 && (wide.high - 1.0).abs() < 1e-12);
        assert_eq!(spread.alone(0.5), (0.2, 0.9));
    }
}
