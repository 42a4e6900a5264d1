//! One topic's score: the value, and the least and greatest it could become as unjudged documents are judged.

use std::fmt;

/// One topic's score. `low` and `high` are the least and greatest values over all completions of the unjudged
/// documents; a measure that has no such bounds yet says so with infinite ones, which is the truth about what it knows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The measure's own value.
    pub value: f64,
    /// The least it could become.
    pub low: f64,
    /// The greatest it could become.
    pub high: f64,
}

impl Score {
    /// A score with bounds.
    #[inline]
    pub fn within(value: f64, low: f64, high: f64) -> Score {
        Score { value, low, high }
    }

    /// A score that no further judgement can change (a count of retrieved documents, say).
    #[inline]
    pub fn exact(value: f64) -> Score {
        Score { value, low: value, high: value }
    }

    /// A score whose bounds are not known.
    #[inline]
    pub fn without_bounds(value: f64) -> Score {
        Score { value, low: f64::NEG_INFINITY, high: f64::INFINITY }
    }

    /// The bounds, where they are known.
    pub fn bounds(self) -> Option<(f64, f64)> {
        (self.low.is_finite() && self.high.is_finite()).then_some((self.low, self.high))
    }
}

/// Why a measure has no value for a topic. Not an error, not zero, not NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undefined {
    /// The reason, as a clause: "no judged non-relevant document".
    pub reason: &'static str,
}

impl Undefined {
    /// The value left the range of floating-point numbers.
    pub const TOO_LARGE: Undefined = Undefined { reason: "too large to compute" };
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "undefined: {}", self.reason)
    }
}
