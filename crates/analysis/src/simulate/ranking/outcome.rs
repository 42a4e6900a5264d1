//! One cell of the grid: simulated, exact, and under a constant q.

use karat_sim::{RankingModel, Simulated};
use karat_stats::dist::bernoulli_sum::{self, BernoulliSum, Term};
use karat_stats::interval::BernoulliMean;
use karat_stats::{Interval, Sample};

use super::SimulatedRankingsOptions;
use super::answer::RankingCell;

/// Mean and standard deviation of Υ, the mean over the queries of what the unjudged ranks add.
#[derive(Clone, Copy)]
pub(super) struct Centre {
    pub mean: f64,
    pub std_dev: f64,
}

/// Section 2 of the paper: every unjudged rank is relevant with probability q.
pub(super) struct ConstantShare {
    /// The ranks of one ranking.
    pub terms: Vec<Term>,
    /// Their mean over the queries.
    pub mean: Option<BernoulliMean>,
    /// One ranking, where there is a histogram.
    pub list: Option<BernoulliSum>,
    interval: Option<Interval>,
}

impl ConstantShare {
    pub fn new(terms: Vec<Term>, options: &SimulatedRankingsOptions) -> ConstantShare {
        let mean = BernoulliMean::new(&vec![&terms; options.experiment.queries as usize]);
        let interval = mean.as_ref().and_then(|mean| mean.interval(options.level).ok());
        let list = (options.experiment.bins > 0).then(|| BernoulliSum::new(&terms));
        ConstantShare { terms, mean, list, interval }
    }
}

/// Rounding error of a simulated value, as a share of the greatest.
pub(super) const ROUNDING: f64 = 1e-6;

/// One cell.
pub(super) struct Outcome {
    pub weight: f64,
    pub share: f64,
    simulated: Centre,
    /// Of the simulated mean and standard deviation; `None` for one replication.
    errors: Option<(f64, f64)>,
    pub exact: Option<Centre>,
    constant: Centre,
    pub interval: Option<Interval>,
    pub coverage: Option<f64>,
    /// sd of v itself: simulated, exact, with constant q.
    list_std_dev: (f64, Option<f64>, f64),
}

impl Outcome {
    pub fn new(
        model: &RankingModel,
        simulated: &Simulated,
        shared: &ConstantShare,
        options: &SimulatedRankingsOptions,
    ) -> Outcome {
        let queries = f64::from(options.experiment.queries);
        let over_queries = |mean: f64, variance: f64| Centre { mean, std_dev: (variance / queries).sqrt() };
        let terms = &shared.terms;
        let coverage = shared.interval.filter(|_| !simulated.means.is_empty()).map(|interval| {
            // The lanes add in 32 bits, and an end of the interval may be a value of its own: what is equal but for
            // rounding lies within.
            let slack = model.greatest() * ROUNDING;
            let contains = |mean: f64| interval.low - slack <= mean && mean <= interval.high + slack;
            let within = simulated.means.iter().filter(|&&mean| contains(mean)).count();
            within as f64 / simulated.means.len() as f64
        });
        let exact = model.moments();
        let (centre, errors) = spread(&simulated.means, simulated.lists.mean);
        Outcome {
            weight: model.weight(),
            share: model.share(),
            simulated: centre,
            errors,
            exact: exact.map(|exact| over_queries(exact.mean, exact.variance)),
            constant: over_queries(bernoulli_sum::mean(terms), bernoulli_sum::variance(terms)),
            interval: shared.interval,
            coverage,
            list_std_dev: (
                simulated.lists.variance.sqrt(),
                exact.map(|exact| exact.variance.sqrt()),
                bernoulli_sum::variance(terms).sqrt(),
            ),
        }
    }

    /// How many standard errors the simulated mean is from the exact one.
    pub fn z(&self) -> Option<f64> {
        let (exact, (error, _)) = (self.exact?, self.errors?);
        (error > 0.0).then(|| (self.simulated.mean - exact.mean) / error)
    }

    /// The exact centre, or the simulated one.
    pub fn best(&self) -> Centre {
        self.exact.unwrap_or(self.simulated)
    }

    /// The row of the answer.
    pub fn cell(&self, level: f64) -> RankingCell {
        let (list_std_dev, list_std_dev_exact, list_std_dev_closed_form) = self.list_std_dev;
        RankingCell {
            q: self.share,
            w: self.weight,
            mean: self.simulated.mean,
            mean_exact: self.exact.map(|exact| exact.mean),
            mean_closed_form: self.constant.mean,
            std_dev: self.errors.map(|_| self.simulated.std_dev),
            std_dev_exact: self.exact.map(|exact| exact.std_dev),
            std_dev_closed_form: self.constant.std_dev,
            mean_std_error: self.errors.map(|(mean, _)| mean),
            std_dev_std_error: self.errors.map(|(_, std_dev)| std_dev),
            interval_closed_form: self.interval.map(|interval| (interval.low, interval.high)),
            interval_method: self.interval.map(|interval| interval.method.name()),
            level,
            coverage_closed_form: self.coverage,
            list_std_dev,
            list_std_dev_exact,
            list_std_dev_closed_form,
        }
    }
}

/// The centre of the simulated means, and the standard errors of its two numbers; the standard deviation's from the
/// fourth moment, √((κ − 1) / 4n) of itself.
fn spread(means: &[f64], mean_of_lists: f64) -> (Centre, Option<(f64, f64)>) {
    let none = (Centre { mean: mean_of_lists, std_dev: 0.0 }, None);
    let Ok(sample) = Sample::new(means) else { return none };
    let centre = |std_dev| Centre { mean: sample.mean(), std_dev };
    let (Ok(std_dev), Ok(std_error)) = (sample.sd(), sample.std_error()) else { return (centre(0.0), None) };
    if std_dev == 0.0 {
        return (centre(0.0), Some((0.0, 0.0)));
    }
    let n = sample.len() as f64;
    let kurtosis = sample.deviations().map(|d| (d / std_dev).powi(4)).sum::<f64>() / n;
    let of_std_dev = std_dev * ((kurtosis - 1.0).max(0.0) / (4.0 * n)).sqrt();
    (centre(std_dev), Some((std_error, of_std_dev)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_errors_by_hand() {
        // 0, 0, 1, 1: mean 1/2, sd √(1/3), standard error √(1/12). Deviations are all ½, so κ = (½)⁴ · 9 = 9/16 with the sample's sd:
        // below 1, and the sd's error 0.
        let (centre, errors) = spread(&[0.0, 0.0, 1.0, 1.0], 0.5);
        assert_eq!(centre.mean, 0.5);
        assert!((centre.std_dev - (1.0f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!((errors.unwrap().0 - (1.0f64 / 12.0).sqrt()).abs() < 1e-15 && errors.unwrap().1 == 0.0);
        // -2, 0, 0, 0, 2: sd² = 8/4 = 2, κ = (16 + 16)/4/5 = 1.6, error √2 · √(.6 / 20).
        let (_, errors) = spread(&[-2.0, 0.0, 0.0, 0.0, 2.0], 0.0);
        assert!((errors.unwrap().1 - (2.0f64 * 0.6 / 20.0).sqrt()).abs() < 1e-15);
        // One replication shows no spread; equal ones show that there is none.
        assert!(spread(&[0.3], 0.3).1.is_none());
        assert_eq!(spread(&[0.3, 0.3], 0.3).1, Some((0.0, 0.0)));
    }
}
