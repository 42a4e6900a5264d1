//! Bounds: what a value could still become. Logic, not chance.
//!
//! The one decision: bounds combine by interval arithmetic, and never meet a standard error.

use std::fmt;

/// The least and greatest value a number could take as what is missing becomes known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    low: f64,
    high: f64,
}

/// Two numbers that are not bounds: out of order, or one is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotBounds {
    /// The number given as low.
    pub low: f64,
    /// The number given as high.
    pub high: f64,
}

impl fmt::Display for NotBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bounds {} to {}; expected two finite numbers, the lower one first", self.low, self.high)
    }
}

impl std::error::Error for NotBounds {}

impl Bounds {
    /// Bounds from `low` to `high`; both finite, `low ≤ high`.
    pub fn new(low: f64, high: f64) -> Result<Self, NotBounds> {
        if low.is_finite() && high.is_finite() && low <= high {
            Ok(Bounds { low, high })
        } else {
            Err(NotBounds { low, high })
        }
    }

    /// Bounds of a value nothing can change any more.
    pub fn exactly(value: f64) -> Result<Self, NotBounds> {
        Bounds::new(value, value)
    }

    /// The least possible value.
    pub fn low(self) -> f64 {
        self.low
    }

    /// The greatest possible value.
    pub fn high(self) -> f64 {
        self.high
    }

    /// How much is still open: high − low.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// Whether a value lies within, ends included.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Bounds of a sum, each term free within its own; an empty sum is exactly 0.
    pub fn sum(terms: impl IntoIterator<Item = Bounds>) -> Bounds {
        let (mut low, mut high) = (0.0, 0.0);
        for term in terms {
            low += term.low;
            high += term.high;
        }
        Bounds { low, high }
    }

    /// Bounds of a mean, each value free within its own; `None` for no values.
    ///
    /// Adds plainly from first to last, as [`ordered_mean`](crate::summation::ordered_mean) does, so that a mean of
    /// closed bounds equals the mean of its values to the bit.
    pub fn mean(values: &[Bounds]) -> Option<Bounds> {
        let sum = Bounds::sum(values.iter().copied());
        let n = values.len() as f64;
        (!values.is_empty()).then_some(Bounds { low: sum.low / n, high: sum.high / n })
    }
}

/// Difference of two values each free within its own bounds. For values that share unjudged documents this is wider
/// than what is possible; take the difference per topic first.
impl std::ops::Sub for Bounds {
    type Output = Bounds;
    fn sub(self, other: Bounds) -> Bounds {
        Bounds { low: self.low - other.high, high: self.high - other.low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_arithmetic_by_hand() {
        let (a, b) = (Bounds::new(0.25, 0.5).unwrap(), Bounds::new(0.5, 1.0).unwrap());
        assert_eq!(Bounds::sum([a, b]), Bounds::new(0.75, 1.5).unwrap());
        assert_eq!(Bounds::mean(&[a, b]), Some(Bounds::new(0.375, 0.75).unwrap()));
        assert_eq!(Bounds::mean(&[]), None);
        assert_eq!(b - a, Bounds::new(0.0, 0.75).unwrap());
        assert!(a.contains(0.25) && a.contains(0.5) && !a.contains(0.51) && !a.contains(f64::NAN));
    }

    #[test]
    fn refusals() {
        for (low, high) in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::NAN), (0.0, f64::INFINITY)] {
            assert!(Bounds::new(low, high).is_err(), "{low} {high}");
        }
    }
}
