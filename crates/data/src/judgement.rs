//! What is known about a document for a topic.
//!
//! Absence of a grade has two kinds and neither is "not relevant"; trec_eval codes them as -2 and -1, here they are
//! variants, so that no measure can take one for a small grade by accident.

use std::fmt;

/// A relevance grade: finite and not negative. Grades are usually small integers, but averaged or imported ones have
/// fractions, so the number is kept as it was written.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Grade(f64);

impl Grade {
    /// The grade "judged, not relevant".
    pub const ZERO: Grade = Grade(0.0);

    /// The grade "relevant" where there are two.
    pub const ONE: Grade = Grade(1.0);

    /// A grade from a number; `None` for a negative or non-finite one.
    pub fn new(value: f64) -> Option<Grade> {
        // `+ 0.0` turns a written "-0" into 0, so that equal grades print equally.
        (value.is_finite() && value >= 0.0).then_some(Grade(value + 0.0))
    }

    /// The grade as a number.
    #[inline]
    pub fn value(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What is known of a document for a topic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Judgement {
    /// A judge looked at it and gave this grade.
    Grade(Grade),
    /// It is in the judgement file, but nobody judged it (a negative grade in the file).
    PooledUnjudged,
    /// It is not in the judgement file.
    Unpooled,
}

impl Judgement {
    /// The judgement a number in a qrels file stands for; `None` when it is not finite.
    pub fn from_number(value: f64) -> Option<Judgement> {
        if !value.is_finite() {
            return None;
        }
        Some(Grade::new(value).map_or(Judgement::PooledUnjudged, Judgement::Grade))
    }

    /// Whether a judge gave a grade.
    #[inline]
    pub fn is_judged(self) -> bool {
        matches!(self, Judgement::Grade(_))
    }

    /// The grade as a number, where there is one.
    #[inline]
    pub fn grade(self) -> Option<f64> {
        match self {
            Judgement::Grade(grade) => Some(grade.value()),
            Judgement::PooledUnjudged | Judgement::Unpooled => None,
        }
    }

    /// Whether it was judged at `level` or above.
    #[inline]
    pub fn is_relevant(self, level: f64) -> bool {
        matches!(self, Judgement::Grade(grade) if grade.value() >= level)
    }

    /// Whether it was judged, and below `level`.
    #[inline]
    pub fn is_judged_nonrelevant(self, level: f64) -> bool {
        matches!(self, Judgement::Grade(grade) if grade.value() < level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_number_is_pooled_but_unjudged_and_never_a_grade() {
        assert_eq!(Judgement::from_number(-1.0), Some(Judgement::PooledUnjudged));
        assert_eq!(Judgement::from_number(-2.0), Some(Judgement::PooledUnjudged));
        assert_eq!(Judgement::from_number(0.0), Some(Judgement::Grade(Grade::ZERO)));
        assert_eq!(Judgement::from_number(-0.0), Some(Judgement::Grade(Grade::ZERO)));
        assert_eq!(Judgement::from_number(f64::NAN), None);
        assert!(!Judgement::PooledUnjudged.is_judged_nonrelevant(1.0));
        assert!(!Judgement::Unpooled.is_relevant(0.0));
    }
}
