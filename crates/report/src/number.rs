//! How people see a number: the only place in karat that rounds.
//!
//! Rules, each with its test below.
//!
//! - A score has four decimals, as trec_eval's `%6.4f`. Rust's `format!` rounds the exact decimal expansion of the
//!   binary number, a true tie to even, which is what C's `printf` does; so the last digit agrees.
//! - A number that is not 0 never reads as 0: where the decimals say 0.0000 it is shown as `<0.0001`, or `>-0.0001` from
//!   below. Quantities that live down there (variances) take [`NumberStyle::Significant`].
//! - A p-value has two significant digits and stops at `<0.0001`; no test earns more, and an underflowed 0 is not a 0.
//! - A count has no decimals, and nothing has a thousands separator: what is pasted stays a number.
//! - A range is `0.1234–0.5678`; with a negative or a missing end, where the dash would be read as a minus,
//!   `-0.1000 to 0.0500`.
//! - From 1e15 on, where decimals are no longer in the float, and for tiny significant digits, scientific: `1.2346e15`.
//! - What is not finite is missing: `—`.
//!
//! Programs get [`full`]: the shortest digits that read back as the same float.

use crate::cell::Cell;
use std::fmt::Write;

/// What stands where there is no value.
pub const MISSING: &str = "—";

/// How a column's numbers are shown to people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberStyle {
    /// Four decimals.
    #[default]
    Score,
    /// This many decimals.
    Decimals(u8),
    /// This many significant digits (at least 1); digits before the point are never dropped.
    Significant(u8),
    /// A number that was given and not computed, such as a parameter: as it is, with no more digits than it takes.
    Given,
    /// A p-value.
    P,
}

impl NumberStyle {
    /// The number as people see it.
    pub fn show(self, value: f64) -> String {
        let mut out = String::new();
        self.write(value, &mut out);
        out
    }

    /// Appends the number as people see it.
    pub fn write(self, value: f64, out: &mut String) {
        if !value.is_finite() {
            return out.push_str(MISSING);
        }
        match self {
            Self::Score => decimals(value, 4, out),
            Self::Decimals(digits) => decimals(value, digits.into(), out),
            Self::Significant(digits) => significant(value, digits.max(1).into(), out),
            Self::Given => out.push_str(&given(value)),
            Self::P if (0.0..0.0001).contains(&value) => out.push_str("<0.0001"),
            Self::P => significant(value, 2, out),
        }
    }
}

/// The greatest magnitude written with decimals.
const FIXED_BELOW: f64 = 1e15;

fn decimals(value: f64, digits: usize, out: &mut String) {
    if value.abs() >= FIXED_BELOW {
        return scientific(value, digits, out);
    }
    let start = out.len();
    // Adding 0 turns -0 into 0. Writing to a String cannot fail.
    let _ = write!(out, "{:.digits$}", value + 0.0);
    if out[start..].bytes().any(|byte| (b'1'..=b'9').contains(&byte)) || value == 0.0 {
        return;
    }
    out.truncate(start);
    let unit = 10f64.powi(-i32::try_from(digits).unwrap_or(i32::MAX));
    let _ = if value < 0.0 { write!(out, ">-{unit:.digits$}") } else { write!(out, "<{unit:.digits$}") };
}

fn significant(value: f64, digits: usize, out: &mut String) {
    if value == 0.0 {
        return out.push('0');
    }
    let rounded = format!("{value:.*e}", digits - 1);
    // The exponent after rounding: 0.0996 to two digits is 1.0e-1, so 0.10 and not 0.100.
    let exponent: i32 = rounded.rsplit('e').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    if !(-5..15).contains(&exponent) {
        return out.push_str(&rounded);
    }
    let decimals = i32::try_from(digits).unwrap_or(i32::MAX).saturating_sub(1).saturating_sub(exponent).max(0);
    let _ = write!(out, "{value:.*}", usize::try_from(decimals).unwrap_or(0));
}

fn scientific(value: f64, digits: usize, out: &mut String) {
    let _ = write!(out, "{value:.digits$e}");
}

/// Appends a cell as people see it. The text is as found: the renderer escapes.
pub fn write_cell(cell: &Cell, style: NumberStyle, out: &mut String) {
    match cell.finite() {
        Cell::Text(text) => out.push_str(text),
        Cell::Count(count) => {
            let _ = write!(out, "{count}");
        }
        Cell::Number(value) => style.write(*value, out),
        Cell::Range(low, high) => {
            style.write(*low, out);
            let plain = low.is_finite() && high.is_finite() && *low >= 0.0 && *high >= 0.0;
            out.push_str(if plain { "–" } else { " to " });
            style.write(*high, out);
        }
        Cell::List(cells) => {
            for (at, cell) in cells.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                write_cell(cell, style, out);
            }
            if cells.is_empty() {
                out.push_str(MISSING);
            }
        }
        Cell::Flag(flag) => out.push_str(if *flag { "yes" } else { "no" }),
        Cell::Missing => out.push_str(MISSING),
    }
}

/// The shortest digits that read back as the same float; `None` when it is not finite.
pub fn full(value: f64) -> Option<String> {
    if value.is_finite() { serde_json::to_string(&value).ok() } else { None }
}

/// The shortest digits, a whole number without a point.
pub(crate) fn given(value: f64) -> String {
    match full(value) {
        Some(text) => text.strip_suffix(".0").unwrap_or(&text).to_owned(),
        None => MISSING.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(cell: Cell) -> String {
        let mut out = String::new();
        write_cell(&cell, NumberStyle::Score, &mut out);
        out
    }

    #[test]
    fn what_was_given_is_not_rounded() {
        let show = |value| NumberStyle::Given.show(value);
        assert_eq!([show(0.95), show(1e-8), show(3.0), show(f64::NAN)], ["0.95", "1e-8", "3", "—"]);
    }

    #[test]
    fn scores_have_four_decimals_of_the_exact_expansion() {
        let show = |value| NumberStyle::Score.show(value);
        // Expected: C's printf("%.4f"). The float nearest 0.30125 is 0.30125000000000001776…, above the tie.
        assert_eq!(show(0.301_25), "0.3013");
        assert_eq!(show(1.0), "1.0000");
        assert_eq!(show(-0.5), "-0.5000");
        assert_eq!(show(-0.0), "0.0000");
        assert_eq!(show(123_456.789), "123456.7890");
        // The float nearest 2.675 is 2.67499999999999982236…, below the tie.
        assert_eq!(NumberStyle::Decimals(2).show(2.675), "2.67");
    }

    #[test]
    fn true_ties_go_to_even() {
        // Eighths and 32nds are exact in binary, so these ties are real.
        assert_eq!(NumberStyle::Decimals(2).show(0.125), "0.12");
        assert_eq!(NumberStyle::Decimals(2).show(0.375), "0.38");
        assert_eq!(NumberStyle::Decimals(0).show(2.5), "2");
        assert_eq!(NumberStyle::Score.show(1.0 / 32.0), "0.0312"); // 0.03125
        assert_eq!(NumberStyle::Score.show(3.0 / 32.0), "0.0938"); // 0.09375
    }

    #[test]
    fn what_is_not_zero_does_not_read_as_zero() {
        assert_eq!(NumberStyle::Score.show(0.0), "0.0000");
        assert_eq!(NumberStyle::Score.show(0.000_05), "0.0001"); // the float is above 0.00005
        assert_eq!(NumberStyle::Score.show(0.000_049), "<0.0001");
        assert_eq!(NumberStyle::Score.show(-1e-9), ">-0.0001");
        assert_eq!(NumberStyle::Decimals(0).show(0.2), "<1");
        assert_eq!(NumberStyle::Decimals(1).show(-0.01), ">-0.1");
    }

    #[test]
    fn great_numbers_are_scientific() {
        assert_eq!(NumberStyle::Score.show(999_999_999_999_999.0), "999999999999999.0000");
        assert_eq!(NumberStyle::Score.show(1.23456e15), "1.2346e15");
        assert_eq!(NumberStyle::Score.show(-1e300), "-1.0000e300");
    }

    #[test]
    fn significant_digits() {
        let show = |value| NumberStyle::Significant(3).show(value);
        assert_eq!(show(0.0), "0");
        assert_eq!(show(0.001_234_5), "0.00123");
        assert_eq!(show(12_345.6), "12346"); // digits before the point stay
        assert_eq!(show(0.099_96), "0.100"); // rounds up into the next decade, still three digits
        assert_eq!(show(-1.5), "-1.50");
        assert_eq!(show(1.234_5e-6), "1.23e-6");
        assert_eq!(show(2e20), "2.00e20");
    }

    #[test]
    fn p_values() {
        let show = |value| NumberStyle::P.show(value);
        assert_eq!(show(1.0), "1.0");
        assert_eq!(show(0.5), "0.50");
        assert_eq!(show(0.0342), "0.034");
        assert_eq!(show(0.001_23), "0.0012");
        assert_eq!(show(0.000_1), "0.00010");
        assert_eq!(show(0.000_099), "<0.0001");
        assert_eq!(show(0.0), "<0.0001");
    }

    #[test]
    fn cells() {
        assert_eq!(shown(Cell::Count(1_234_567)), "1234567");
        assert_eq!(shown(Cell::Range(0.1234, 0.5678)), "0.1234–0.5678");
        assert_eq!(shown(Cell::Range(-0.1, 0.05)), "-0.1000 to 0.0500");
        assert_eq!(shown(Cell::Range(0.1, f64::INFINITY)), "0.1000 to —");
        assert_eq!(shown(Cell::Range(f64::NAN, f64::NAN)), "—");
        assert_eq!(shown(Cell::Number(f64::NEG_INFINITY)), "—");
        assert_eq!(shown(Cell::Flag(true)), "yes");
        assert_eq!(shown(Cell::List(vec!["a".into(), 2u64.into()])), "a, 2");
    }

    #[test]
    fn programs_get_every_digit() {
        for value in [0.1 + 0.2, 1.0 / 3.0, 5e-324, f64::MAX, -0.0] {
            let text = full(value).expect("finite");
            assert_eq!(text.parse::<f64>().expect("a float").to_bits(), value.to_bits(), "{text}");
        }
        assert_eq!(full(f64::NAN), None);
    }
}
