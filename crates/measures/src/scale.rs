//! Gains from 0 to 1, as user models want them: grades between a least and a greatest one.

use karat_data::CollectionFacts;

use crate::info::{Legal, Parameter};
use crate::linear::Gain;
use crate::spec::{MeasureSpec, SpecError, Value};

/// The parameter `min_rel`.
pub const MIN_REL: Parameter = Parameter {
    name: "min_rel",
    default: "0",
    legal: Legal::Described("a number from 0, below max_rel"),
    meaning: "the grade with gain 0; lower ones have gain 0 too",
};

/// The parameter `max_rel`.
pub const MAX_REL: Parameter = Parameter {
    name: "max_rel",
    default: "the collection's largest grade",
    legal: Legal::Described("a number above min_rel"),
    meaning: "the grade with gain 1; higher ones have gain 1 too",
};

/// The two grades, the greater one perhaps not yet known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    least: f64,
    greatest: Option<f64>,
}

impl Scale {
    /// From the parameters `min_rel` and `max_rel`.
    ///
    /// # Errors
    /// They are not what they should be.
    pub fn of_spec(spec: &MeasureSpec) -> Result<Scale, SpecError> {
        let (least, greatest) = (spec.number("min_rel")?.unwrap_or(0.0), spec.number("max_rel")?);
        if least < 0.0 {
            return Err(spec.illegal("min_rel", MIN_REL.legal));
        }
        if greatest.is_some_and(|greatest| greatest <= least) {
            return Err(spec.illegal("max_rel", MAX_REL.legal));
        }
        Ok(Scale { least, greatest })
    }

    /// The specification with this scale.
    #[must_use]
    pub fn print(&self, spec: MeasureSpec) -> MeasureSpec {
        let spec = spec.with_unless("min_rel", self.least, 0.0);
        match self.greatest {
            Some(greatest) => spec.with("max_rel", Value::Number(greatest)),
            None => spec,
        }
    }

    /// The gains in a collection.
    pub fn in_collection(&self, collection: &CollectionFacts) -> Scaled {
        Scaled { least: self.least, greatest: self.greatest.unwrap_or(collection.max_grade) }
    }
}

/// (grade - least) / (greatest - least), from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub struct Scaled {
    least: f64,
    greatest: f64,
}

impl Scaled {
    /// How many equal steps lead from gain 0 to gain 1, where the gain of every document still to be judged is a whole
    /// number of them.
    pub(crate) fn steps(&self, collection: &CollectionFacts) -> Option<f64> {
        let whole = collection.whole_grades && self.least.fract() == 0.0 && self.greatest.fract() == 0.0;
        Some(self.greatest - self.least).filter(|steps| whole && *steps > 0.0)
    }
}

impl Gain for Scaled {
    #[inline]
    fn of(&self, grade: f64) -> f64 {
        let span = self.greatest - self.least;
        if span > 0.0 { ((grade - self.least) / span).clamp(0.0, 1.0) } else { 0.0 }
    }

    fn greatest(&self, collection: &CollectionFacts) -> f64 {
        self.of(collection.max_grade)
    }

    fn least(&self, _: &CollectionFacts) -> f64 {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_outside_the_scale_are_taken_to_its_ends() {
        let scale = Scale { least: 1.0, greatest: Some(3.0) }.in_collection(&CollectionFacts::default());
        assert_eq!([0.0, 1.0, 2.0, 3.0, 4.0].map(|grade| scale.of(grade)), [0.0, 0.0, 0.5, 1.0, 1.0]);
        // A scale without width: nothing has a gain.
        let none = Scale { least: 1.0, greatest: None }.in_collection(&CollectionFacts::default());
        assert_eq!(none.of(5.0), 0.0);
    }
}
