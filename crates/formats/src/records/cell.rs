//! One cell of a record, read as a name or a number.
//!
//! Names are kept as they are written, whatever type the file gave them: the topic 1 and the topic "1" are one topic.
//! Numbers must be numbers: a JSON string or an empty cell in their place is a problem, never a 0.

use std::borrow::Cow;

use karat_data::{LineProblem, ProblemKind};

use crate::number;
use karat_data::problem::quote;

use super::Column;

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// Nothing: an empty field, a null, a key that is not there.
    Missing,
    /// Characters of a format without types, as CSV is.
    Written(Cow<'a, [u8]>),
    /// A string of a format with types.
    Text(Cow<'a, [u8]>),
    /// A number as it is written, exactly.
    Number(Cow<'a, [u8]>),
    /// A floating-point number of a binary format.
    Float(f64),
    /// Something that is neither, by its name.
    Other(&'static str),
}

/// The largest grade, as in TREC qrels; sums of larger ones are no longer exact.
const LARGEST_GRADE: f64 = 1e9;

impl Cell<'_> {
    /// Whether there is nothing in it.
    pub fn is_missing(&self) -> bool {
        match self {
            Cell::Missing => true,
            Cell::Written(text) => text.is_empty(),
            _ => false,
        }
    }

    /// The same, lent.
    pub fn borrowed(&self) -> Cell<'_> {
        match self {
            Cell::Missing => Cell::Missing,
            Cell::Written(text) => Cell::Written(Cow::Borrowed(text)),
            Cell::Text(text) => Cell::Text(Cow::Borrowed(text)),
            Cell::Number(text) => Cell::Number(Cow::Borrowed(text)),
            Cell::Float(number) => Cell::Float(*number),
            Cell::Other(name) => Cell::Other(name),
        }
    }

    /// As messages show it.
    pub fn shown(&self) -> String {
        match self {
            Cell::Missing => "nothing".into(),
            Cell::Written(text) if text.is_empty() => "nothing".into(),
            Cell::Written(text) | Cell::Text(text) => quote(text),
            Cell::Number(text) => quote(text).trim_matches('"').to_owned(),
            Cell::Float(number) => number.to_string(),
            Cell::Other(name) => (*name).to_owned(),
        }
    }

    /// The name in it.
    ///
    /// # Errors
    /// There is none.
    pub fn name(&self, column: Column) -> Result<&[u8], LineProblem> {
        let bad = |found: String, remedy| Err(LineProblem::new(column.name(), "a name", found, remedy));
        match self {
            Cell::Written(text) | Cell::Text(text) | Cell::Number(text) if !text.is_empty() => Ok(text),
            Cell::Missing | Cell::Written(_) | Cell::Number(_) => bad(self.shown(), "fill it in, or remove the row"),
            Cell::Text(_) => bad("\"\"".into(), "fill it in, or remove the row"),
            Cell::Float(number) => bad(
                format!("the floating-point number {number}"),
                "write names as text or as whole numbers; a frame makes floats of whole numbers when one is missing",
            ),
            Cell::Other(name) => bad((*name).to_owned(), "write the name as text or as a number"),
        }
    }

    /// The number in it.
    ///
    /// # Errors
    /// It is not one, or not one that the column may have.
    pub fn number(&self, column: Column) -> Result<f64, LineProblem> {
        let expected = match column {
            Column::Probability => "a probability above 0 and at most 1",
            Column::Grade => "a number (negative or empty: pooled but not judged)",
            _ => "a finite number",
        };
        let bad = |remedy: &str| {
            Err(LineProblem::new(column.name(), expected, self.shown(), remedy).of_kind(self.number_problem()))
        };
        let text = match self {
            Cell::Written(text) => text.trim_ascii(),
            Cell::Number(text) => text,
            Cell::Float(number) => return self.checked(column, *number, bad),
            Cell::Text(text) if fast_float2::parse::<f64, _>(&**text).is_ok() => {
                return bad("write the number without quotation marks");
            }
            Cell::Text(_) => return bad("write a number; check that the columns have the right names"),
            Cell::Missing => return bad("fill it in, or remove the row"),
            Cell::Other(_) => return bad("write a number"),
        };
        match fast_float2::parse::<f64, _>(text) {
            Ok(number) => self.checked(column, number, bad),
            Err(_) if text.is_empty() => bad("fill it in, or remove the row"),
            Err(_) if text.contains(&b',') => bad("write the decimal point as '.', not ','"),
            Err(_) if text[0].is_ascii_digit() => bad("write it as a plain number, such as 12.5 or 1e-3"),
            Err(_) => bad("write a number; check that the columns have the right names"),
        }
    }

    fn number_problem(&self) -> ProblemKind {
        match self {
            Cell::Float(number) if number.is_nan() => ProblemKind::NotANumber,
            Cell::Written(text) | Cell::Number(text) => number::problem_kind(text.trim_ascii()),
            _ => ProblemKind::WrongNumber,
        }
    }

    fn checked(
        &self,
        column: Column,
        number: f64,
        bad: impl Fn(&str) -> Result<f64, LineProblem>,
    ) -> Result<f64, LineProblem> {
        match column {
            _ if number.is_nan() => bad("NaN cannot be ranked or graded; find out why the system wrote it"),
            _ if number.is_infinite() => bad("write a finite number, for example 1e300 in place of infinity"),
            Column::Probability if !(number > 0.0 && number <= 1.0) => {
                bad("a judged document had a probability above 0; write it")
            }
            Column::Grade | Column::Preference if number.abs() > LARGEST_GRADE => {
                bad("write grades from -1000000000 to 1000000000; small numbers are usual, such as 0 to 4")
            }
            _ => Ok(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_their_text_and_numbers_are_exact() {
        assert_eq!(Cell::Number(b"007"[..].into()).name(Column::Topic).unwrap(), b"007");
        assert_eq!(Cell::Text(b"1"[..].into()).name(Column::Topic).unwrap(), b"1");
        assert!(Cell::Float(1.0).name(Column::Topic).is_err());
        let long = Cell::Number(b"0.1000000000000000055511151231257827"[..].into());
        assert_eq!(long.number(Column::Score).unwrap().to_bits(), 0.1f64.to_bits());
        assert_eq!(Cell::Written(b" 2.5 "[..].into()).number(Column::Score).unwrap(), 2.5);
    }

    #[test]
    fn what_is_no_number_is_refused_where_one_belongs() {
        let refused = |cell: Cell<'_>, column| cell.number(column).unwrap_err().remedy;
        assert!(refused(Cell::Text(b"0.5"[..].into()), Column::Score).contains("quotation marks"));
        assert!(refused(Cell::Written(b"nan"[..].into()), Column::Score).contains("NaN"));
        assert!(refused(Cell::Float(f64::INFINITY), Column::Score).contains("finite"));
        assert!(refused(Cell::Number(b"1e400"[..].into()), Column::Score).contains("finite"));
        assert!(refused(Cell::Number(b"1e10"[..].into()), Column::Grade).contains("small"));
        assert!(refused(Cell::Number(b"0"[..].into()), Column::Probability).contains("probability"));
        assert!(refused(Cell::Written(b"0,5"[..].into()), Column::Score).contains("decimal point"));
    }
}
