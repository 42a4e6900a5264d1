//! A number as it leaves karat: with what could still change it and what chance may have done to it.
//!
//! The one decision: bounds (logic) and spread (chance) are kept apart and never merged into one "error". There are no
//! ordering operators on purpose: which of two estimates is greater is a study, not a comparison of floats.

mod bounds;
mod spread;

pub use bounds::{Bounds, NotBounds};
pub use spread::{NotVariance, Source, Spread};

/// How an interval was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Mean ± quantile of Student's t × standard error.
    StudentT,
    /// Point ± quantile of Student's t × standard error, its degrees of freedom by Satterthwaite.
    Satterthwaite,
    /// Point ± quantile of the normal × standard error.
    Normal,
    /// Bias-corrected and accelerated bootstrap.
    Bca {
        /// Number of resamples.
        resamples: u32,
    },
    /// Quantiles of the bootstrap distribution.
    Percentile {
        /// Number of resamples.
        resamples: u32,
    },
    /// Noncentralities that make the t seen just likely enough.
    NoncentralT,
    /// Exact interval of a binomial share.
    ClopperPearson,
    /// Interval of a mean of values with a known range (Gaffke 2005; Learned-Miller and Thomas 2019).
    Bounded,
    /// Quantiles of the posterior of a share under Jeffreys' prior, Beta(1/2, 1/2).
    Jeffreys,
    /// An interval of a sum from those of its terms (method of variance estimates recovery; Zou and Donner 2008).
    Mover,
    /// Quantiles of a sum of weighted yes-or-no's.
    BernoulliSum,
}

impl Method {
    /// The name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Method::StudentT => "student_t",
            Method::Satterthwaite => "satterthwaite",
            Method::Normal => "normal",
            Method::Bca { .. } => "bca",
            Method::Percentile { .. } => "percentile",
            Method::NoncentralT => "noncentral_t",
            Method::ClopperPearson => "clopper_pearson",
            Method::Bounded => "bounded_mean",
            Method::Jeffreys => "jeffreys",
            Method::Mover => "mover",
            Method::BernoulliSum => "bernoulli_sum",
        }
    }
}

/// A confidence interval, which says its level and how it was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Confidence level, such as 0.95.
    pub level: f64,
    /// How it was made.
    pub method: Method,
}

impl Interval {
    /// high − low.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Whether a value lies within, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// An aggregate with all that is known of its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number itself.
    pub point: f64,
    /// What it could still become as missing judgements arrive; `None` where that question was not asked.
    pub bounds: Option<Bounds>,
    /// What chance may have done to it, by source.
    pub spread: Spread,
    /// A confidence interval, where enough was observed to make one.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// A number of which nothing else is known yet.
    pub fn bare(point: f64) -> Self {
        Estimate { point, bounds: None, spread: Spread::unknown(), interval: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_estimate_claims_nothing() {
        let estimate = Estimate::bare(0.5);
        assert_eq!(estimate.spread.std_error(), None);
        assert_eq!((estimate.bounds, estimate.interval), (None, None));
    }
}
