//! A printed number: the interval of the numbers that are printed so.
//!
//! 0.42 stands for 0.415 to 0.425, and 0.4200 for 0.41995 to 0.42005; the ends belong to it, because nobody knows which
//! way a tie was rounded.

use super::error::PublishedError;

/// A number as it was printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Printed {
    /// As it reads.
    pub value: f64,
    /// One unit of its last digit, or the precision that was claimed for it.
    pub unit: f64,
}

/// More digits than a float holds say nothing more.
const MOST_DIGITS: i32 = 15;

impl Printed {
    /// Reads a number; its digits say how precise it is, unless `precision` does. It must be from 0 to 1.
    ///
    /// # Errors
    /// The text is no number from 0 to 1, or the precision is out of range.
    pub fn parse(text: &str, precision: Option<f64>) -> Result<Printed, PublishedError> {
        let wrong = || PublishedError::NotAScore(text.to_owned());
        let value: f64 = text.parse().map_err(|_| wrong())?;
        if !(0.0..=1.0).contains(&value) {
            return Err(wrong());
        }
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i32 = exponent.parse().map_err(|_| wrong())?;
        let digits = mantissa.split_once('.').map_or(0, |(_, digits)| i32::try_from(digits.len()).unwrap_or(i32::MAX));
        let digits = digits.saturating_sub(exponent);
        match precision {
            Some(unit) => Printed::new(value, unit),
            None if digits < 0 => Err(wrong()),
            None => Printed::new(value, unit_of(digits.min(MOST_DIGITS))),
        }
    }

    /// A number with a precision.
    ///
    /// # Errors
    /// The precision is not above 0 and at most 1.
    pub fn new(value: f64, unit: f64) -> Result<Printed, PublishedError> {
        check_precision(unit)?;
        Ok(Printed { value, unit })
    }

    /// A number from 0 to 1 as a paper would print it, with so many digits after the point.
    pub fn rounded(value: f64, digits: u8) -> Printed {
        let unit = unit_of(i32::from(digits).min(MOST_DIGITS));
        // A power of ten is exact in floating point where its inverse is not.
        let scale = 10f64.powi(i32::from(digits).min(MOST_DIGITS));
        Printed { value: (value * scale).round() / scale, unit }
    }

    /// The least number it stands for.
    pub fn low(&self) -> f64 {
        (self.value - self.unit / 2.0).max(0.0)
    }

    /// The greatest number it stands for.
    pub fn high(&self) -> f64 {
        (self.value + self.unit / 2.0).min(1.0)
    }
}

fn unit_of(digits: i32) -> f64 {
    1.0 / 10f64.powi(digits)
}

/// Whether a number can be a precision.
///
/// # Errors
/// It cannot.
pub fn check_precision(precision: f64) -> Result<(), PublishedError> {
    if precision > 0.0 && precision <= 1.0 && precision >= unit_of(MOST_DIGITS) {
        Ok(())
    } else {
        Err(PublishedError::Precision(precision))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_precision() {
        let unit = |text| Printed::parse(text, None).unwrap().unit;
        assert_eq!(
            [unit("0.42"), unit("0.4200"), unit(".4"), unit("1"), unit("4.2e-1"), unit("0.")],
            [0.01, 1e-4, 0.1, 1.0, 0.01, 1.0]
        );
        let half = Printed::parse("0.42", None).unwrap();
        assert!((half.low() - 0.415).abs() < 1e-15 && (half.high() - 0.425).abs() < 1e-15);
        // What cannot be is not stood for.
        assert_eq!(
            (Printed::parse("0.00", None).unwrap().low(), Printed::parse("1.00", None).unwrap().high()),
            (0.0, 1.0)
        );
        assert_eq!(Printed::parse("0.42", Some(1e-4)).unwrap().unit, 1e-4);
    }

    #[test]
    fn what_is_no_score_is_refused() {
        for text in ["1.2", "-0.1", "NaN", "inf", "", "0,42", "high", "1e1"] {
            assert_eq!(Printed::parse(text, None), Err(PublishedError::NotAScore(text.into())));
        }
        for precision in [0.0, -1.0, f64::NAN, f64::INFINITY, 2.0, 1e-16] {
            let refused = Printed::parse("0.5", Some(precision)).unwrap_err();
            assert!(matches!(refused, PublishedError::Precision(_)), "{precision}: {refused:?}");
        }
    }

    #[test]
    fn rounding_as_papers_do() {
        assert_eq!((Printed::rounded(0.123_456, 2).value, Printed::rounded(0.999_96, 4).value), (0.12, 1.0));
    }
}
