//! What spreadsheets do to a judging form when they save it as CSV.
//!
//! The one decision: only the header of a form turns this on. Elsewhere a field too many or too few is a mistake that must be said; in a
//! form it is what a spreadsheet makes of empty cells at the end of a row, because the grade stands there.

use std::borrow::Cow;

use super::column::{self, Column};
use super::delimited::Line;

/// What is undone in every row of a form.
#[derive(Debug)]
pub struct Spreadsheet {
    columns: usize,
    /// The first columns, which every row has.
    needed: usize,
    /// The columns of numbers, where the separator leaves the comma to decimals.
    numbers: Vec<usize>,
}

impl Spreadsheet {
    /// Of a form with this header; `None` for any other.
    pub fn new(names: &[Vec<u8>], separator: u8) -> Option<Spreadsheet> {
        let place = |name| column::place_of_name(name, names);
        let documents = place("doc_id").max(place("query_id"))?;
        let numbers = [place("probability"), place("batch"), column::place_of(Column::Grade, names)];
        let mut numbers: Vec<usize> = numbers.into_iter().collect::<Option<_>>()?;
        numbers.extend([place("stratum"), place("method")].into_iter().flatten());
        if separator == b',' {
            numbers.clear();
        }
        Some(Spreadsheet { columns: names.len(), needed: documents + 1, numbers })
    }

    /// Takes away empty fields beyond the header's, puts back those that are left out at the end, and makes 0.5 of 0,5.
    pub fn restore(&self, line: &mut Line<'_>) {
        while line.fields.len() > self.columns && line.fields.last().is_some_and(|field| field.is_empty()) {
            line.fields.pop();
        }
        if line.fields.len() >= self.needed {
            let missing = self.columns.saturating_sub(line.fields.len());
            line.fields.extend(std::iter::repeat_n(Cow::Borrowed(&b""[..]), missing));
        }
        for &at in &self.numbers {
            if let Some(field) = line.fields.get_mut(at)
                && let Some(number) = with_point(field)
            {
                *field = Cow::Owned(number);
            }
        }
    }
}

/// The number with a decimal point, where it has a decimal comma.
fn with_point(field: &[u8]) -> Option<Vec<u8>> {
    let (whole, places) = field.split_at(field.iter().position(|&byte| byte == b',')?);
    let digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    (digits(whole) && digits(&places[1..])).then(|| [whole, b".", &places[1..]].concat())
}
