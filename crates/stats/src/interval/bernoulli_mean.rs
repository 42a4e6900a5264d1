//! The mean over queries of what weighted yes-or-no's add to each, and its interval (Park 2016, equations 6 to 8).
//!
//! The paper takes one set of unjudged documents for all queries; here each query brings its own terms. The one
//! decision: the Normal distribution from [`NORMAL_FROM`] queries on, the distribution itself below, and the interval says
//! which. Queries count by their share of the variance, since fifty of which one holds all the doubt are one.

use crate::dist::bernoulli_sum::{self, BernoulliSum, Term};
use crate::dist::{OutOfRange, each_side, normal};
use crate::estimate::{Interval, Method};

/// From so many queries on, the central limit theorem is relied on (Park 2016, section 2.2).
pub const NORMAL_FROM: f64 = 30.0;

/// The distribution of a mean of sums of weighted yes-or-no's.
#[derive(Clone, Debug)]
pub struct BernoulliMean {
    queries: usize,
    effective_queries: f64,
    mean: f64,
    variance: f64,
    ends: (f64, f64),
    /// `None` where the Normal stands for it.
    sum: Option<BernoulliSum>,
}

impl BernoulliMean {
    /// The mean over these queries, each with its own terms; `None` for no queries.
    pub fn new<T: AsRef<[Term]>>(queries: &[T]) -> Option<BernoulliMean> {
        BernoulliMean::made(queries, BernoulliSum::new)
    }

    /// The same with about `steps` steps where the distribution itself is needed, see [`BernoulliSum::within`].
    pub fn within<T: AsRef<[Term]>>(queries: &[T], steps: f64) -> Option<BernoulliMean> {
        BernoulliMean::made(queries, |terms| BernoulliSum::within(terms, steps))
    }

    fn made<T: AsRef<[Term]>>(queries: &[T], sum: impl Fn(&[Term]) -> BernoulliSum) -> Option<BernoulliMean> {
        BernoulliMean::moments(queries).map(|mut moments| {
            // Thirty equal variances may add up to a hair less than thirty.
            if moments.effective_queries < NORMAL_FROM - 1e-6 {
                let share = 1.0 / queries.len() as f64;
                let terms: Vec<Term> =
                    queries.iter().flat_map(|query| query.as_ref()).map(|term| term.scaled(share)).collect();
                moments.sum = Some(sum(&terms));
            }
            moments
        })
    }

    fn moments<T: AsRef<[Term]>>(queries: &[T]) -> Option<BernoulliMean> {
        let count = queries.len() as f64;
        let total = |of: fn(&[Term]) -> f64| queries.iter().map(move |query| of(query.as_ref()));
        let (sum, squares) =
            total(bernoulli_sum::variance).fold((0.0, 0.0), |(sum, squares), v| (sum + v, squares + v * v));
        let least = total(|terms| terms.iter().map(|term| term.least()).sum());
        let greatest = total(|terms| terms.iter().map(|term| term.greatest()).sum());
        (!queries.is_empty()).then(|| BernoulliMean {
            queries: queries.len(),
            // Kish's count: n for n equal variances, 1 when one has it all.
            effective_queries: if squares > 0.0 { sum * sum / squares } else { 0.0 },
            mean: total(bernoulli_sum::mean).sum::<f64>() / count,
            variance: sum / (count * count),
            ends: (least.sum::<f64>() / count, greatest.sum::<f64>() / count),
            sum: None,
        })
    }

    /// Number of queries, at least 1.
    pub fn queries(&self) -> usize {
        self.queries
    }

    /// Number of queries of equal variance that would leave the same doubt about the Normal.
    pub fn effective_queries(&self) -> f64 {
        self.effective_queries
    }

    /// `E[Υ]`, the mean of the queries' means.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Var(Υ), the sum of the queries' variances over the square of their number.
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// The distribution itself; `None` where the Normal stands for it.
    pub fn sum(&self) -> Option<&BernoulliSum> {
        self.sum.as_ref()
    }

    /// Probability of a mean of at most `x`.
    pub fn cdf(&self, x: f64) -> Result<f64, OutOfRange> {
        match &self.sum {
            Some(sum) => sum.cdf(x).map(|found| found.value),
            None => normal::cdf((x - self.mean) / self.variance.sqrt()),
        }
    }

    /// The interval that leaves (1 − level)/2 beyond each end, cut to what is possible. From the distribution itself it
    /// holds at least `level`: its ends are those of the quantiles' error bounds.
    pub fn interval(&self, level: f64) -> Result<Interval, OutOfRange> {
        let side = each_side(level)?;
        let (low, high, method) = match &self.sum {
            Some(sum) => (sum.quantile(side)?.low, sum.quantile(1.0 - side)?.high, Method::BernoulliSum),
            None => {
                let reach = normal::upper_quantile(side)? * self.variance.sqrt();
                let within = |x: f64| x.clamp(self.ends.0, self.ends.1);
                (within(self.mean - reach), within(self.mean + reach), Method::Normal)
            }
        };
        Ok(Interval { low, high, level, method })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranks 11 to 100 of RBP(p = .8) unjudged, each relevant with probability q.
    fn unjudged(q: f64) -> Vec<Term> {
        (11..=100).map(|rank| Term::new(0.2 * 0.8f64.powi(rank - 1), q).unwrap()).collect()
    }

    #[test]
    fn park_2016_over_fifty_queries() {
        // sd(Υ) = sd(v) / √50, with the sd(v) of the closed form: .007801, .014317, .017071, .017896.
        let expected = [
            (0.05, 0.005369, 0.001103),
            (0.2, 0.021475, 0.002025),
            (0.35, 0.037581, 0.002414),
            (0.5, 0.053687, 0.002531),
        ];
        for (q, mean, sd) in expected {
            let found = BernoulliMean::new(&vec![unjudged(q); 50]).unwrap();
            assert!((found.mean() - mean).abs() < 5e-7 && (found.variance().sqrt() - sd).abs() < 5e-7);
            assert!((found.effective_queries() - 50.0).abs() < 1e-9);
            let interval = found.interval(0.95).unwrap();
            // Equation 8: ± 1.959964 sd.
            assert_eq!(interval.method, Method::Normal);
            assert!((interval.high - found.mean() - 1.959964 * sd).abs() < 2e-6);
            assert!((found.cdf(found.mean()).unwrap() - 0.5).abs() < 1e-12);
        }
    }

    #[test]
    fn queries_differ_and_are_added() {
        // Three queries: ½ with 1/2; 1/4 with 1/2; nothing open. Mean (1/4 + 1/8)/3 = 1/8; variance (1/16 + 1/64)/9 = 5/576.
        let term = |weight, probability| vec![Term::new(weight, probability).unwrap()];
        let found = BernoulliMean::new(&[term(0.5, 0.5), term(0.25, 0.5), Vec::new()]).unwrap();
        assert!((found.mean() - 0.125).abs() < 1e-15 && (found.variance() - 5.0 / 576.0).abs() < 1e-15);
        // (1/16 + 1/64)² / (1/256 + 1/4096) = 25/17.
        assert!((found.effective_queries() - 25.0 / 17.0).abs() < 1e-12);
        // The four sums are 0, 1/12, 1/6, 1/4, each with 1/4: at level .5 the ends are the 1st and the 3rd.
        let interval = found.interval(0.5).unwrap();
        assert_eq!((interval.method, interval.method.name()), (Method::BernoulliSum, "bernoulli_sum"));
        assert!(interval.low.abs() < 1e-15 && (interval.high - 1.0 / 6.0).abs() < 1e-15, "{interval:?}");
        assert!((found.cdf(0.1).unwrap() - 0.5).abs() < 1e-15);
    }

    #[test]
    fn one_query_with_all_the_doubt_is_not_fifty() {
        let mut queries = vec![Vec::new(); 50];
        queries[7] = unjudged(0.2);
        let found = BernoulliMean::new(&queries).unwrap();
        assert!((found.effective_queries() - 1.0).abs() < 1e-12);
        let interval = found.interval(0.95).unwrap();
        assert_eq!(interval.method, Method::BernoulliSum);
        // A fiftieth of what the one query's distribution says.
        let alone = BernoulliSum::new(&unjudged(0.2));
        let (low, high) = (alone.quantile(0.025).unwrap(), alone.quantile(0.975).unwrap());
        assert!((interval.low * 50.0 - low.low).abs() < 1e-9 && (interval.high * 50.0 - high.high).abs() < 1e-9);
        // Skewed, as a Normal could not be: more room above the mean than below.
        assert!(interval.high - found.mean() > 1.2 * (found.mean() - interval.low));
    }

    #[test]
    fn just_below_thirty_the_two_nearly_meet() {
        // 29 queries go by the distribution, 30 by the Normal; scaled to one query's sd the ends differ by skewness only.
        let ends = |queries: usize| {
            let found = BernoulliMean::new(&vec![unjudged(0.5); queries]).unwrap();
            let interval = found.interval(0.95).unwrap();
            let scale = found.variance().sqrt();
            (interval.method, (interval.low - found.mean()) / scale, (interval.high - found.mean()) / scale)
        };
        let (exact, low, high) = ends(29);
        let (normal, normal_low, normal_high) = ends(30);
        assert_eq!((exact, normal), (Method::BernoulliSum, Method::Normal));
        assert!((low - normal_low).abs() < 0.05 && (high - normal_high).abs() < 0.05, "{low} {high}");
    }

    #[test]
    fn fewer_steps_widen_the_interval_a_little() {
        let queries = vec![unjudged(0.2); 10];
        let fine = BernoulliMean::new(&queries).unwrap().interval(0.95).unwrap();
        let coarse = BernoulliMean::within(&queries, f64::from(1 << 24)).unwrap().interval(0.95).unwrap();
        assert!(coarse.low <= fine.low && coarse.high >= fine.high);
        assert!(coarse.width() < 1.05 * fine.width(), "{} {}", coarse.width(), fine.width());
    }

    #[test]
    fn nothing_open_is_a_point_and_no_queries_are_nothing() {
        let found = BernoulliMean::new(&[vec![Term::new(0.5, 1.0).unwrap()], Vec::new()]).unwrap();
        let interval = found.interval(0.95).unwrap();
        assert_eq!((interval.low, interval.high, found.variance()), (0.25, 0.25, 0.0));
        assert!(found.interval(1.0).is_err());
        assert!(BernoulliMean::new::<Vec<Term>>(&[]).is_none());
    }
}
