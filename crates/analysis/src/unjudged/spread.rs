//! From topics to the run: what unjudged documents do to the mean (Park 2016, equations 6 to 8).
//!
//! The one decision: three parts are kept apart until the end. What the documents do by chance, the model taken as right; what the
//! model may be off, by the jackknife over groups of topics; what our own draws are off. The first two are the source
//! `unjudged`, the third `monte_carlo`. The model was fitted to the topics whose mean is asked for, so its error goes with theirs:
//! beside the chance over topics the two are added as they are, the most they can come to (Cauchy and Schwarz).

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
    /// The part of it that is the error of the fit.
    pub of_fit: f64,
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
        Probable::Drawn { values: first, has_one_model } => {
            let lists: Vec<&[f64]> = topics.iter().filter_map(|topic| topic.draws()).collect();
            let whole = |draw: usize| {
                let sum: f64 =
                    lists.iter().filter_map(|list| list.get(draw)).map(|&value| aggregate.inward(value)).sum();
                if aggregate == Aggregate::Sum { sum } else { aggregate.outward(sum / lists.len() as f64) }
            };
            let drawn: Vec<f64> = (0..first.len()).map(whole).collect();
            let variance = variance(&drawn);
            let reach = quantile * variance.sqrt();
            // One model for all draws has no error of fit, and the share of it would be noise.
            let share = if *has_one_model { 0.0 } else { shared(&lists, |value| aggregate.inward(value)) };
            let of_fit = variance * share;
            let monte_carlo = Some(variance / drawn.len() as f64);
            Some(UnjudgedSpread { variance, of_fit, monte_carlo, reach: (reach, reach), method: Method::Normal })
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
            Some(UnjudgedSpread { variance: variance + of_fit, of_fit, monte_carlo: None, reach, method })
        }
    }
}

fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0).max(1.0)
}

/// The share of the variance of a sum over topics that the topics have in common. Given the model, documents of two topics
/// are drawn independently, so what is more than the sum of the topics' variances is the model's.
fn shared(lists: &[&[f64]], inward: impl Fn(f64) -> f64) -> f64 {
    let draws = lists.iter().map(|list| list.len()).min().unwrap_or(0);
    let mut sums = vec![0.0; draws];
    let mut apart = 0.0;
    for list in lists {
        let values: Vec<f64> = list[..draws].iter().map(|&value| inward(value)).collect();
        sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value);
        apart += variance(&values);
    }
    let together = variance(&sums);
    if together > 0.0 && apart.is_finite() { (1.0 - apart / together).clamp(0.0, 1.0) } else { 0.0 }
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

    /// The variance to add to that over topics: with the error of the fit going with theirs.
    pub fn beside(&self, over_topics: f64) -> f64 {
        self.variance + 2.0 * (over_topics * self.of_fit).sqrt()
    }

    /// An interval over topics, widened by what unjudged documents do: the error of the fit is added, then chance, as roots of
    /// sums of squares.
    pub fn widen(&self, point: f64, over_topics: Interval) -> Interval {
        let share = if self.variance > 0.0 { (self.of_fit / self.variance).clamp(0.0, 1.0) } else { 0.0 };
        let wider = |topics: f64, reach: f64| {
            let with_fit = topics.max(0.0) + reach * share.sqrt();
            (with_fit * with_fit + reach * reach * (1.0 - share)).sqrt()
        };
        let low = point - wider(point - over_topics.low, self.reach.0);
        let high = point + wider(over_topics.high - point, self.reach.1);
        Interval { low, high, ..over_topics }
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
        let drawn = |values: [f64; 2], has_one_model| Probable::Drawn { values: values.into(), has_one_model };
        let topics = [drawn([0.0, 1.0], false), drawn([1.0, 3.0], false)];
        let topics: Vec<&Probable> = topics.iter().collect();
        let found = spread(Aggregate::Mean, &topics, 0.95).unwrap();
        assert!((found.variance - 1.125).abs() < 1e-12);
        assert_eq!(found.monte_carlo, Some(0.5625));
        assert!((found.reach.0 - 1.959964 * 1.125f64.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn what_topics_have_in_common_is_the_models() {
        // Draws (0, 2) and (0, 2): variances 2 each, of the sum (0, 4) 8: half is in common. Draws (0, 2) and (2, 0): nothing.
        assert!((shared(&[&[0.0, 2.0], &[0.0, 2.0]], |value| value) - 0.5).abs() < 1e-12);
        assert_eq!(shared(&[&[0.0, 2.0], &[2.0, 0.0]], |value| value), 0.0);
    }

    #[test]
    fn intervals_widen_by_fit_and_by_chance() {
        let topics = Interval { low: 0.1, high: 0.8, level: 0.95, method: Method::StudentT };
        let chance =
            UnjudgedSpread { variance: 1.0, of_fit: 0.0, monte_carlo: None, reach: (0.3, 0.4), method: Method::Normal };
        // By chance alone, around .5: √(.4² + .3²) = .5 below, √(.3² + .4²) = .5 above.
        let wide = chance.widen(0.5, topics);
        assert!(wide.low.abs() < 1e-12 && (wide.high - 1.0).abs() < 1e-12);
        assert_eq!(chance.alone(0.5), (0.2, 0.9));
        // Fit alone: .4 + .3 below, .3 + .4 above; 4 beside it makes 1 + 2·√(4·1) = 5 more, 9 = (2 + 1)² in all.
        let fit = UnjudgedSpread { of_fit: 1.0, ..chance };
        let wide = fit.widen(0.5, topics);
        assert!((wide.low + 0.2).abs() < 1e-12 && (wide.high - 1.2).abs() < 1e-12);
        assert_eq!(4.0 + fit.beside(4.0), 9.0);
        // A quarter of it fit, around .5: .4 + .3/2 = .55 below, and 3/4 of .3² = .0675: √.37.
        let both = UnjudgedSpread { of_fit: 0.25, ..chance }.widen(0.5, topics);
        assert!((both.low - (0.5 - 0.37f64.sqrt())).abs() < 1e-12);
    }
}
