//! Observations of one quantity, checked once, and their first two moments.
//!
//! The one decision: a `Sample` borrows its values and is finite by construction, so nothing after it checks for NaN.
//! A constant sample has exactly its value as mean and exactly zero variance, never rounding noise that would pass
//! for spread.

use crate::summation::{self, Compensated};
use std::fmt;

/// Largest magnitude of a value; squares of anything below cannot overflow, even summed.
const LARGEST: f64 = 1e140;

/// One or more finite observations.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    values: &'a [f64],
    mean: f64,
    /// Meaningless for a single observation.
    variance: f64,
    constant: bool,
}

/// Why values are not a [`Sample`], or have too few for what was asked of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleError {
    /// Fewer observations than needed.
    TooFew {
        /// Observations given.
        have: usize,
        /// Observations needed.
        need: usize,
    },
    /// A value is NaN, infinite or beyond 1e140.
    NotFinite {
        /// Position from 0.
        index: usize,
        /// The value.
        value: f64,
    },
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleError::TooFew { have, need } => write!(f, "{have} observation(s); at least {need} needed"),
            SampleError::NotFinite { index, value } => {
                write!(f, "observation {index} (from 0) is {value}; expected a finite number within ±1e140")
            }
        }
    }
}

impl std::error::Error for SampleError {}

impl<'a> Sample<'a> {
    /// Checks the values: at least one, all finite.
    pub fn new(values: &'a [f64]) -> Result<Self, SampleError> {
        let Some(&first) = values.first() else {
            return Err(SampleError::TooFew { have: 0, need: 1 });
        };
        // `!(≤)` rather than `>`, so that NaN is caught too.
        if let Some(index) = values.iter().position(|value| !matches!(value.abs(), size if size <= LARGEST)) {
            return Err(SampleError::NotFinite { index, value: values[index] });
        }
        let constant = values.iter().all(|&value| value == first);
        let (mean, variance) = if constant { (first, 0.0) } else { moments(values, first) };
        Ok(Sample { values, mean, variance, constant })
    }

    /// The observations, in the order given.
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// Number of observations, at least 1.
    #[allow(clippy::len_without_is_empty, reason = "a sample is never empty")]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether all observations are equal, so that they show no spread at all.
    pub fn is_constant(&self) -> bool {
        self.constant
    }

    /// Mean, by compensated summation.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Sample variance, divisor n − 1; needs two observations.
    pub fn variance(&self) -> Result<f64, SampleError> {
        let n = self.len();
        if n < 2 {
            return Err(SampleError::TooFew { have: n, need: 2 });
        }
        Ok(self.variance)
    }

    /// Sample standard deviation, the root of the variance.
    pub fn sd(&self) -> Result<f64, SampleError> {
        self.variance().map(f64::sqrt)
    }

    /// Standard error of the mean, sd / √n.
    pub fn std_error(&self) -> Result<f64, SampleError> {
        self.variance().map(|variance| (variance / self.len() as f64).sqrt())
    }

    /// Skewness G: the third central moment over the 3/2th power of the second, both with divisor n; 0 without spread.
    pub fn skewness(&self) -> f64 {
        let moment = |power: i32| self.deviations().map(|d| d.powi(power)).sum::<f64>() / self.len() as f64;
        let variance = moment(2);
        if self.constant || variance <= 0.0 { 0.0 } else { moment(3) / variance.powf(1.5) }
    }

    /// Each observation minus the mean.
    pub fn deviations(&self) -> impl Iterator<Item = f64> + 'a {
        let mean = self.mean;
        self.values.iter().map(move |value| value - mean)
    }
}

/// Mean and variance of values that are not all `first`, so at least two.
fn moments(values: &[f64], first: f64) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = summation::mean(values).unwrap_or(first);
    let (mut squares, mut rest) = (Compensated::default(), Compensated::default());
    for deviation in values.iter().map(|value| value - mean) {
        squares.add(deviation * deviation);
        rest.add(deviation);
    }
    // Björck's correction removes what the rounding of the mean adds.
    let (squares, rest) = (squares.total(), rest.total());
    (mean, ((squares - rest * rest / n) / (n - 1.0)).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_by_hand() {
        // 2,4,4,4,5,5,7,9: mean 40/8 = 5; squares of deviations 9+1+1+1+0+0+4+16 = 32; variance 32/7.
        let sample = Sample::new(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!(sample.mean(), 5.0);
        assert!((sample.variance().unwrap() - 32.0 / 7.0).abs() < 1e-15);
        assert!((sample.sd().unwrap() - (32.0f64 / 7.0).sqrt()).abs() < 1e-15);
        assert!((sample.std_error().unwrap() - (4.0f64 / 7.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn skewness_by_hand() {
        // Six of .1 and two of .9: deviations -.2 and .6, variance (6 . .04 + 2 . .36)/8 = .12, third moment (-6 . .008 + 2 . .216)/8 = .048.
        let sample = Sample::new(&[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9]).unwrap();
        assert!((sample.skewness() - 0.048 / 0.12f64.powf(1.5)).abs() < 1e-12);
        assert_eq!(Sample::new(&[0.5; 9]).unwrap().skewness(), 0.0);
    }

    #[test]
    fn a_large_offset_costs_no_digits() {
        // 4, 7, 13, 16 around 1e9: mean offset 10, squares 36+9+9+36 = 90, variance 30.
        let sample = Sample::new(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]).unwrap();
        assert_eq!(sample.variance(), Ok(30.0));
    }

    #[test]
    fn constant_means_exactly_no_spread() {
        // Ten times 0.1 sums to something that is not 1 in floats; the mean must still be 0.1.
        let sample = Sample::new(&[0.1; 10]).unwrap();
        assert_eq!((sample.mean(), sample.variance()), (0.1, Ok(0.0)));
        assert!(sample.is_constant());
    }

    #[test]
    fn refusals() {
        assert_eq!(Sample::new(&[]).unwrap_err(), SampleError::TooFew { have: 0, need: 1 });
        assert!(matches!(Sample::new(&[1.0, f64::NAN]), Err(SampleError::NotFinite { index: 1, .. })));
        assert!(matches!(Sample::new(&[f64::INFINITY]), Err(SampleError::NotFinite { index: 0, .. })));
        assert_eq!(Sample::new(&[1.0]).unwrap().variance(), Err(SampleError::TooFew { have: 1, need: 2 }));
    }
}
