//! Prediction-powered inference with the query as unit: bronze scores of all queries, gold scores of some.
//!
//! ```text
//! value = λ f̄_N + (ḡ_n − λ f̄_n)
//! ```
//!
//! with f the measure under bronze labels, g under gold's, N queries and n of them with gold. It asks nothing of the measure (AP and nDCG
//! as well as P) and nothing of how bronze errs, but that the gold queries are a random sample of the queries.
//!
//! The one decision: the gold queries are among the N, so this is sampling in two phases, and the variance has two parts that add up:
//! σ_g²/N, had gold judged every query (topics), and (1/n − 1/N) Var(g − λ f), because it judged n of them (judges). The least
//! variance is at λ = Cov(g, f)/Var(f), whatever N. (Angelopoulos and others 2023, PPI++, have queries without gold apart from those with
//! it, and λ with a factor 1/(1 + n/N); Cochran 1977, section 12.6, has this form.) A λ tuned by the same n queries is chancy itself, so
//! the second part has n − 2 in place of n − 1 in its divisor and grows by 1 + 1/(n − 3), as Cochran has it for the regression estimator.

use std::fmt;

use crate::dist::{each_side, student_t};
use crate::estimate::{Interval, Method};
use crate::interval::{HANDFUL, NoInterval};

/// How much bronze counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BronzeWeight {
    /// λ as given, from 0 (gold queries alone) to 1.
    Fixed(f64),
    /// λ with the least variance in the gold queries, between 0 and 1.
    Tuned,
}

/// One query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The measure under bronze labels.
    pub bronze: f64,
    /// The measure under gold labels, where there are some.
    pub gold: Option<f64>,
}

/// Why there is no such estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoPrediction {
    /// Fewer than two queries have gold.
    TooFew {
        /// Queries with gold.
        have: usize,
    },
    /// A score is no finite number, or the weight not from 0 to 1.
    OutOfRange(f64),
}

impl fmt::Display for NoPrediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPrediction::TooFew { have } => {
                write!(f, "{have} queries with gold; expected at least 2, or nothing is known of how far bronze is off")
            }
            NoPrediction::OutOfRange(found) => write!(f, "{found}; expected finite scores and a weight from 0 to 1"),
        }
    }
}

impl std::error::Error for NoPrediction {}

/// The mean as gold would have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicted {
    /// The mean under bronze labels, over all queries.
    pub naive: f64,
    /// The estimate.
    pub value: f64,
    /// λ.
    pub weight: f64,
    /// Queries, and those of them with gold.
    pub queries: usize,
    /// Queries with gold.
    pub gold: usize,
    /// Variance because these queries were asked and not others.
    pub topics: f64,
    /// Variance because gold judged some of them only.
    pub judges: f64,
    /// Degrees of freedom of their sum, by Satterthwaite.
    pub df: f64,
}

/// The estimate from all queries.
///
/// # Errors
/// Fewer than two queries have gold, or a number is none.
pub fn predict(queries: &[Judged], weight: BronzeWeight) -> Result<Predicted, NoPrediction> {
    let all = queries.iter().flat_map(|query| [Some(query.bronze), query.gold]).flatten();
    if let Some(odd) = all.into_iter().find(|score| !score.is_finite()) {
        return Err(NoPrediction::OutOfRange(odd));
    }
    let with: Vec<(f64, f64)> = queries.iter().filter_map(|query| Some((query.gold?, query.bronze))).collect();
    let without: Vec<f64> = queries.iter().filter(|query| query.gold.is_none()).map(|query| query.bronze).collect();
    let (n, all) = (with.len(), queries.len());
    if n < 2 {
        return Err(NoPrediction::TooFew { have: n });
    }
    let (gold, bronze): (Vec<f64>, Vec<f64>) = with.iter().copied().unzip();
    let of_bronze = variance(&bronze);
    let (lambda, tuned) = match weight {
        BronzeWeight::Fixed(fixed) if (0.0..=1.0).contains(&fixed) => (fixed, false),
        BronzeWeight::Fixed(fixed) => return Err(NoPrediction::OutOfRange(fixed)),
        BronzeWeight::Tuned if of_bronze > 0.0 => ((covariance(&with) / of_bronze).clamp(0.0, 1.0), true),
        // Bronze scores all gold queries alike: nothing to tune by.
        BronzeWeight::Tuned => (0.0, true),
    };
    let share_without = 1.0 - n as f64 / all as f64;
    let naive = mean(queries.iter().map(|query| query.bronze), all);
    let value = mean(gold.iter().copied(), n) + lambda * (naive - mean(bronze.iter().copied(), n));
    // The same as ḡ − λ(1 − n/N) f̄_n + λ(1 − n/N) f̄_rest: two samples that share no query, so that Welch's variance and Satterthwaite's
    // degrees of freedom hold. A tuned λ has cost one of them.
    let scale = lambda * share_without;
    let one: Vec<f64> = with.iter().map(|(gold, bronze)| gold - scale * bronze).collect();
    let first = Term { variance: variance(&one) / n as f64, df: (n - 1 - usize::from(tuned && n > 2)) as f64 };
    let second = match without.len() {
        0 => Term { variance: 0.0, df: 1.0 },
        // One query shows no spread; those with gold stand for it.
        1 => Term { variance: scale * scale * of_bronze, df: (n - 1) as f64 },
        rest => Term { variance: scale * scale * variance(&without) / rest as f64, df: (rest - 1) as f64 },
    };
    let off: Vec<f64> = with.iter().map(|(gold, bronze)| gold - lambda * bronze).collect();
    let judges = (share_without / n as f64 * variance(&off)).min(first.variance + second.variance);
    let grown = if tuned && n >= HANDFUL && of_bronze > 0.0 { judges * chancy(n as f64) } else { judges };
    let first = Term { variance: first.variance + grown - judges, ..first };
    let (judges, whole) = (grown, first.variance + second.variance);
    let per_df = first.variance.powi(2) / first.df + second.variance.powi(2) / second.df;
    let df = if whole > 0.0 { whole * whole / per_df } else { (n - 1) as f64 };
    Ok(Predicted { naive, value, weight: lambda, queries: all, gold: n, topics: whole - judges, judges, df })
}

impl Predicted {
    /// √(topics + judges).
    pub fn std_error(&self) -> f64 {
        (self.topics + self.judges).sqrt()
    }

    /// By Student's t with Satterthwaite's degrees of freedom.
    ///
    /// # Errors
    /// Fewer than a handful of queries have gold, nothing varies, or the level is none.
    pub fn interval(&self, level: f64) -> Result<Interval, NoInterval> {
        let side = each_side(level)?;
        if self.gold < HANDFUL {
            return Err(NoInterval::TooFew { have: self.gold, need: HANDFUL });
        }
        if self.std_error() == 0.0 {
            return Err(NoInterval::Constant { value: self.value });
        }
        let reach = student_t::upper_quantile(side, self.df)? * self.std_error();
        Ok(Interval { low: self.value - reach, high: self.value + reach, level, method: Method::Satterthwaite })
    }
}

/// What a tuned λ makes of the variance of the residuals: n − 2 in its divisor, and the variance of λ itself.
fn chancy(n: f64) -> f64 {
    (n - 1.0) / (n - 2.0) * (1.0 + 1.0 / (n - 3.0))
}

/// A part of a variance, and on how many degrees of freedom it was estimated.
struct Term {
    variance: f64,
    df: f64,
}

fn mean(values: impl Iterator<Item = f64>, count: usize) -> f64 {
    values.sum::<f64>() / count as f64
}

/// With n − 1 in the denominator; at least two values.
fn variance(values: &[f64]) -> f64 {
    covariance(&values.iter().map(|&value| (value, value)).collect::<Vec<_>>())
}

fn covariance(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len();
    let (a, b) = (mean(pairs.iter().map(|pair| pair.0), n), mean(pairs.iter().map(|pair| pair.1), n));
    pairs.iter().map(|pair| (pair.0 - a) * (pair.1 - b)).sum::<f64>() / (n as f64 - 1.0)
}

#[cfg(test)]
#[allow(clippy::print_stdout, reason = "the coverage is quoted in the guide")]
mod tests {
    use super::*;
    use crate::seed::Seed;

    fn queries(with: &[(f64, f64)], without: &[f64]) -> Vec<Judged> {
        let gold = with.iter().map(|&(gold, bronze)| Judged { bronze, gold: Some(gold) });
        gold.chain(without.iter().map(|&bronze| Judged { bronze, gold: None })).collect()
    }

    #[test]
    fn four_queries_with_gold_and_four_without_by_hand() {
        // Gold .2 .4 .6 .8 (mean .5), bronze .4 .4 .8 .8 (mean .6), the others .2 .4 .6 .8 (mean .5): f̄_N = .55.
        let all = queries(&[(0.2, 0.4), (0.4, 0.4), (0.6, 0.8), (0.8, 0.8)], &[0.2, 0.4, 0.6, 0.8]);
        // λ = 1: .55 + (.5 − .6) = .45.
        let one = predict(&all, BronzeWeight::Fixed(1.0)).unwrap();
        assert!((one.naive - 0.55).abs() < 1e-15 && (one.value - 0.45).abs() < 1e-15 && one.weight == 1.0);
        // g − f: −.2 0 −.2 0, mean −.1, variance 4 · .01/3 = .04/3; judges (1/4 − 1/8) · .04/3 = .005/3.
        assert!((one.judges - 0.005 / 3.0).abs() < 1e-15);
        // The sum: g − f/2 is 0 .2 .2 .4, variance (.04 + 0 + 0 + .04)/3 = .08/3, over 4 .02/3; ¼ of the others' variance .2/3, over 4:
        // .0125/3; together .0325/3. Topics .0275/3, which is (σ_g² + ½(s_rest² − s_with²))/8 = (.2 + ½(.2 − .16))/3/8.
        assert!((one.topics - 0.0275 / 3.0).abs() < 1e-15, "{}", one.topics * 3.0);
        // (.02 + .0125)² / (.02²/3 + .0125²/3) = .00105625 / .000185416 = 5.6966.
        assert!((one.df - 0.0325f64.powi(2) / ((0.02f64.powi(2) + 0.0125f64.powi(2)) / 3.0)).abs() < 1e-12);
        // Tuned: Cov = (−.3 · −.2 + −.1 · −.2 + .1 · .2 + .3 · .2)/3 = .16/3, Var(f) = .16/3: λ = 1, the same value, one df less.
        let tuned = predict(&all, BronzeWeight::Tuned).unwrap();
        assert!((tuned.value - one.value).abs() < 1e-15 && (tuned.weight - 1.0).abs() < 1e-15 && tuned.df < one.df);
        // λ = 0: gold queries alone, .5 with σ_g²/4 = .2/3/4.
        let none = predict(&all, BronzeWeight::Fixed(0.0)).unwrap();
        assert!((none.value - 0.5).abs() < 1e-15 && (none.std_error().powi(2) - 0.05 / 3.0).abs() < 1e-15);
        // 2.7764 · √... needs five queries with gold.
        assert_eq!(none.interval(0.95), Err(NoInterval::TooFew { have: 4, need: 5 }));
    }

    #[test]
    fn a_tuned_weight_costs_by_hand() {
        // Bronze .4 .4 .8 .8 .6 (mean .6), gold .2 .4 .6 .8 .5 (mean .5): sums of products .06 + .02 + .02 + .06 + 0 = .16, of squares
        // 4 · .04 = .16: λ = 1. Residuals −.2 0 −.2 0 −.1, squares about −.1: .04. Over n − 2 = 3, times 1 + 1/2: .02; (1/5 − 1/10) · .02.
        let with = [(0.2, 0.4), (0.4, 0.4), (0.6, 0.8), (0.8, 0.8), (0.5, 0.6)];
        let all = queries(&with, &[0.2, 0.4, 0.6, 0.8, 0.5]);
        let tuned = predict(&all, BronzeWeight::Tuned).unwrap();
        assert!((tuned.weight - 1.0).abs() < 1e-12 && (tuned.judges - 0.002).abs() < 1e-12, "{tuned:?}");
        // A weight that is given costs nothing: .04 over 4, times 1/10.
        let fixed = predict(&all, BronzeWeight::Fixed(1.0)).unwrap();
        assert!((fixed.judges - 0.001).abs() < 1e-12 && (fixed.topics - tuned.topics).abs() < 1e-12);
    }

    #[test]
    fn gold_everywhere_is_gold() {
        let all = queries(&[(0.2, 0.9), (0.4, 0.1), (0.6, 0.8), (0.8, 0.8), (0.5, 0.0)], &[]);
        let found = predict(&all, BronzeWeight::Fixed(1.0)).unwrap();
        // Mean .5; squares .09 + .01 + .01 + .09 + 0 = .2, over 4 · 5.
        assert!((found.value - 0.5).abs() < 1e-15 && found.judges == 0.0 && (found.topics - 0.01).abs() < 1e-15);
        // t(.975, 4) = 2.7764451.
        let interval = found.interval(0.95).unwrap();
        assert!((interval.high - 0.5 - 0.27764451).abs() < 1e-8 && interval.method == Method::Satterthwaite);
    }

    #[test]
    fn refusals() {
        let few = queries(&[(0.2, 0.4)], &[0.1, 0.2]);
        assert_eq!(predict(&few, BronzeWeight::Tuned), Err(NoPrediction::TooFew { have: 1 }));
        let odd = queries(&[(0.2, 0.4), (f64::NAN, 0.1)], &[]);
        assert!(matches!(predict(&odd, BronzeWeight::Tuned), Err(NoPrediction::OutOfRange(_))));
        let fine = queries(&[(0.2, 0.4), (0.3, 0.1)], &[0.4]);
        assert_eq!(predict(&fine, BronzeWeight::Fixed(1.5)), Err(NoPrediction::OutOfRange(1.5)));
        // Bronze alike everywhere cannot be tuned by, and all equal have no interval.
        let flat = queries(&[(0.5, 0.1); 6], &[0.1; 4]);
        let found = predict(&flat, BronzeWeight::Tuned).unwrap();
        assert_eq!((found.weight, found.value), (0.0, 0.5));
        assert_eq!(found.interval(0.95), Err(NoInterval::Constant { value: 0.5 }));
    }

    /// Queries of an invented world: gold a skewed score in [0, 1], bronze too high and noisy.
    fn draw(seed: Seed, trial: u64, all: usize, with: usize) -> Vec<Judged> {
        let mut stream = seed.stream("queries", trial);
        (0..all)
            .map(|place| {
                let gold = stream.unit().powi(2);
                let bronze = (0.2 + 0.7 * gold + 0.2 * (stream.unit() - 0.5)).clamp(0.0, 1.0);
                Judged { bronze, gold: (place < with).then_some(gold) }
            })
            .collect()
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        // The truth is E[u²] = 1/3. 2000 trials: the standard error of a share of .95 is .0049.
        for (all, with, weight) in [
            (200, 40, BronzeWeight::Fixed(1.0)),
            (200, 40, BronzeWeight::Tuned),
            (50, 15, BronzeWeight::Tuned),
            (60, 10, BronzeWeight::Fixed(1.0)),
        ] {
            let (mut held, mut spread, mut told, mut sum) = (0, 0.0, 0.0, 0.0);
            for trial in 0..2000 {
                let found = predict(&draw(Seed(7), trial, all, with), weight).unwrap();
                held += u32::from(found.interval(0.95).unwrap().contains(1.0 / 3.0));
                spread += (found.value - 1.0 / 3.0).powi(2);
                told += found.std_error().powi(2);
                sum += found.value;
            }
            let share = f64::from(held) / 2000.0;
            println!("{with} of {all} with gold, {weight:?}: {share} of the intervals hold the truth");
            assert!((0.925..=0.97).contains(&share), "{all} {with} {weight:?}: {share}");
            // Variances told and seen within a tenth, and no bias: .05/√200 a trial, over √2000.
            assert!((told / spread - 1.0).abs() < 0.1, "{all} {with} {weight:?}: {}", told / spread);
            assert!((sum / 2000.0 - 1.0 / 3.0).abs() < 0.004, "{}", sum / 2000.0);
        }
    }
}
