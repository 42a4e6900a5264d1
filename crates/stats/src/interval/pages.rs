//! The pages of the intervals of a mean, and of the rule that chooses among them.
//!
//! The one decision: a page is a row with a worked example that a test recomputes by the row's own function.

use super::{Bootstrap, NoInterval, automatic, bounded, t};
use crate::dist::binomial;
use crate::estimate::Interval;
use crate::sample::Sample;
use crate::seed::Seed;

/// Every interval with a page, the rule last.
pub const INTERVALS: &[IntervalInfo] = &[STUDENT_T, BCA, CLOPPER_PEARSON, BOUNDED_MEAN, AUTO];

/// An interval's row: its definition and its page.
#[derive(Clone, Copy, Debug)]
pub struct IntervalInfo {
    /// Its name in machine-readable output.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The formula in plain text.
    pub formula: &'static str,
    /// How to read it.
    pub reading: &'static str,
    /// When it misleads.
    pub misleads: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// A case worked by hand.
    pub example: Example,
    /// Makes it.
    pub make: Make,
}

/// Makes an interval of values with a range, at a level.
pub type Make = fn(&Sample<'_>, (f64, f64), f64) -> Result<Interval, NoInterval>;

/// Values from 0 to 1, and their 95% interval.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The values.
    pub values: &'static [f64],
    /// Its ends.
    pub interval: (f64, f64),
    /// How it comes about.
    pub derivation: &'static str,
}

/// The row of an interval by its name.
pub fn find(name: &str) -> Option<&'static IntervalInfo> {
    INTERVALS.iter().find(|row| row.name == name)
}

const STUDENT_T: IntervalInfo = IntervalInfo {
    name: "student_t",
    title: "Student's t interval",
    formula: "mean +/- t x sd / sqrt(n), with the quantile t of Student's t with n - 1 degrees of freedom",
    reading: "In 95 of 100 samples of topics, the interval contains the mean over all such topics. It rests on the spread that \
              the topics show. Differences of paired runs are usually even enough for it.",
    misleads: "With few topics and skewed scores it is too short: RR on 10 topics is covered 77 to 94 times in 100 instead of 95. \
               It may leave the range of the measure with --interval t.",
    citation: "Student (1908), The probable error of a mean, Biometrika 6(1)",
    example: Example {
        values: &[0.1, 0.2, 0.3, 0.4, 0.5],
        interval: (0.103_675_683_852_248_2, 0.496_324_316_147_751_8),
        derivation: "mean .3, variance .1 / 4 = .025, standard error sqrt(.005) = .0707107; with 4 degrees of freedom t = 2.776445: .3 +/- .1963243",
    },
    make: |sample, _, level| t(sample, level),
};

const BCA: IntervalInfo = IntervalInfo {
    name: "bca",
    title: "bias-corrected and accelerated bootstrap interval",
    formula: "quantiles of resampled means at the levels Phi(z0 + (z0 +/- z) / (1 - a (z0 +/- z))); z0: normal quantile of the share of \
              resampled means below the mean; a = sum(d^3) / (6 sum(d^2)^1.5) of the deviations d",
    reading: "Resamples the topics and corrects the quantiles for bias and skewness. It never leaves the range of the scores seen.",
    misleads: "Below about 50 topics it is too short: at 10 topics it covers 86 to 91 times in 100, less for skewed scores. It cannot \
               show what no topic showed.",
    citation: "Efron (1987), Better bootstrap confidence intervals, JASA 82(397); Efron and Tibshirani (1993), An Introduction to the \
               Bootstrap, section 14.3",
    example: Example {
        values: &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
        interval: (0.1, 0.6),
        derivation: "the resampled mean is K / 10, K binomial of 10 with .3: z0 = .0406 from P(K < 3) + P(K = 3) / 2 = .5162; deviations -.3 \
                     and .7 give a = .84 / (6 x 2.1^1.5) = .0460; levels .0424 and .9876 are K = 1 and K = 6",
    },
    make: |sample, _, level| Bootstrap::new(sample, 100_000, Seed(1))?.bca(level),
};

const CLOPPER_PEARSON: IntervalInfo = IntervalInfo {
    name: "clopper_pearson",
    title: "exact interval of a proportion",
    formula: "k successes in n: the lower end is the 2.5% quantile of Beta(k, n - k + 1), the upper end the 97.5% quantile of Beta(k + 1, n - k)",
    reading: "For measures that are 0 or 1, such as Success and P@1. It covers the true proportion at least 95 times in 100, however few the \
              topics are, also where every topic has the same score.",
    misleads: "It usually covers more than its level, most with few topics.",
    citation: "Clopper and Pearson (1934), The use of confidence or fiducial limits illustrated in the case of the binomial, Biometrika 26(4)",
    example: Example {
        values: &[0.0; 10],
        interval: (0.0, 0.308_497_107_818_760_8),
        derivation: "no success in 10: the upper end p has (1 - p)^10 = .025, so p = 1 - .025^(1/10) = .3085",
    },
    make: |sample, (_, greatest), level| {
        let successes = sample.values().iter().filter(|&&value| value == greatest).count();
        Ok(binomial::clopper_pearson(successes as u64, sample.len() as u64, level)?)
    },
};

const BOUNDED_MEAN: IntervalInfo = IntervalInfo {
    name: "bounded_mean",
    title: "interval of a mean with a known range",
    formula: "upper end: add the greatest possible score as one more topic; the 97.5% quantile of sum(w x) with weights w uniform over all \
              weights that sum to 1 (Dirichlet(1, ..., 1)). Lower end: the same with the least possible score, 2.5% quantile",
    reading: "Assumes nothing about the distribution of scores but their range. The added topic stands for scores that the sample did not \
              show: rare good topics of a weak run, rare bad ones of a good run. For scores of 0 and 1 it is the exact interval of a proportion.",
    misleads: "Wider than t, most where scores use a small part of the range. That it covers at least its level is proven for scores of 0 and \
               1 and was never found violated, but is not proven in general.",
    citation: "Gaffke (2005), Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable, \
               Mathematical Methods of Statistics 14(4); Learned-Miller and Thomas (2019), A new confidence interval for the mean of a bounded \
               random variable, arXiv 1905.06208",
    example: Example {
        values: &[0.4, 0.4, 0.4, 0.4, 0.4],
        interval: (0.191_270_499_958_007_4, 0.713_094_250_062_988_9),
        derivation: "the weight of the added topic is Beta(1, 5), above w with probability (1 - w)^5 = .025 at w = .5218238; upper end .4 + .6 w = \
                     .7130943, lower end .4 - .4 w = .1912705",
    },
    make: bounded,
};

const AUTO: IntervalInfo = IntervalInfo {
    name: "auto",
    title: "rule that chooses the interval (--interval auto, the default)",
    formula: "1. range not known: student_t. 2. Every score at an end of the range: clopper_pearson. 3. With scores x scaled to 0..1: student_t \
              if sum(x) >= 2, sum(1 - x) >= 2, and n >= 25 G^2 (G: skewness of the scores). 4. Otherwise bounded_mean. Differences of two runs: student_t",
    reading: "Uses t unless the scores speak against it (few topics, skewed scores, means near 0 or 1); then an interval that knows the range. The field \
              `method` names the interval that was used. No interval leaves the range of the measure. docs/intervals-measured.md has its \
              coverage and width next to t.",
    misleads: "Topics that are rare and unlike the others cannot be seen in a small sample. Where all others score about .5, the interval covers 82% (not \
               95%) with 10 topics if one topic in twelve scores 1, and 83% with 25 topics if one in twenty scores 0. Two runs may get different kinds of interval. A run with scores near 0 gets a wider interval than t, also where t would \
               have held: the topics cannot show that.",
    citation: "Cochran (1977), Sampling Techniques, section 2.15 (n > 25 G^2); measured in docs/intervals-measured.md",
    example: Example {
        values: &[0.2, 0.5, 0.9, 1.0, 0.4],
        interval: (0.178_931_251_800_769_7, 1.0),
        derivation: "sums 3.0 and 2.0; deviations -.4, -.1, .3, .4, -.2: G = .0036 / .092^1.5 = .129, 25 G^2 = .42 <= 5: student_t. Mean .6, standard \
                     error .1516575, t = 2.776445: .6 +/- .4210688, cut at 1",
    },
    make: |sample, range, level| automatic(sample, Some(range), level),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_page_and_recomputes_its_example() {
        for (place, row) in INTERVALS.iter().enumerate() {
            assert!(INTERVALS[place + 1..].iter().all(|other| other.name != row.name && other.title != row.title));
            for text in [row.title, row.formula, row.reading, row.misleads, row.citation, row.example.derivation] {
                assert!(text.len() > 7, "{}", row.name);
            }
            let found = (row.make)(&Sample::new(row.example.values).unwrap(), (0.0, 1.0), 0.95).unwrap();
            let (low, high) = row.example.interval;
            assert!((found.low - low).abs() < 1e-9 && (found.high - high).abs() < 1e-9, "{}: {found:?}", row.name);
            assert_eq!(find(row.name).map(|row| row.title), Some(row.title));
            if row.name != AUTO.name {
                assert_eq!(found.method.name(), row.name);
            }
        }
    }
}
