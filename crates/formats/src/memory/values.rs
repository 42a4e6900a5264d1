//! The values of a column in memory.

use std::borrow::Cow;
use std::sync::Arc;

use crate::records::cell::Cell;

/// A column: a cell for each row. Columns that lie in somebody else's memory implement it where they are known.
pub trait Values: Send + Sync {
    /// How many rows there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell of a row.
    fn cell(&self, row: usize) -> Cell<'_>;

    /// The text of a row, of columns that hold text; `None` where there is none.
    fn text(&self, _row: usize) -> Option<&[u8]> {
        None
    }

    /// All numbers, of columns that hold nothing else.
    fn floats(&self) -> Option<&[f64]> {
        None
    }

    /// Whether every row has a text, and none is empty.
    fn is_named(&self) -> bool {
        (0..self.len()).all(|row| self.text(row).is_some_and(|text| !text.is_empty()))
    }

    /// The bytes of the texts of all rows.
    fn text_bytes(&self) -> usize {
        (0..self.len()).filter_map(|row| self.text(row)).map(<[u8]>::len).sum()
    }

    /// All numbers, of columns of whole numbers.
    fn whole(&self) -> Option<&[i64]> {
        None
    }

    /// The first row from `row` on whose text is another; for columns that hold text.
    fn end_of_same(&self, row: usize) -> usize {
        let first = self.text(row);
        (row + 1..self.len()).find(|&other| self.text(other) != first).unwrap_or(self.len())
    }
}

/// Some rows of a column, in another order or not.
#[derive(Clone)]
pub struct Picked {
    values: Arc<dyn Values>,
    rows: Arc<[u32]>,
}

impl Picked {
    /// These rows, all of which there are.
    pub fn new(values: Arc<dyn Values>, rows: Arc<[u32]>) -> Picked {
        Picked { values, rows }
    }
}

impl Values for Picked {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        self.values.cell(self.rows[row] as usize)
    }

    fn text(&self, row: usize) -> Option<&[u8]> {
        self.values.text(self.rows[row] as usize)
    }
}

/// Texts one after another.
#[derive(Debug, Default, Clone)]
pub struct Flat {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Flat {
    /// Room for so many texts.
    pub fn with_capacity(rows: usize, bytes: usize) -> Flat {
        Flat { bytes: Vec::with_capacity(bytes), ends: Vec::with_capacity(rows) }
    }

    /// Adds a text.
    #[inline]
    pub fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    /// Adds a text that is written in place.
    pub(crate) fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// The text of a row.
    #[inline]
    pub fn get(&self, row: usize) -> &[u8] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.bytes[start..self.ends[row]]
    }
}

impl Values for Flat {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        Cell::Text(Cow::Borrowed(self.get(row)))
    }

    fn text(&self, row: usize) -> Option<&[u8]> {
        Some(self.get(row))
    }

    fn is_named(&self) -> bool {
        self.ends.first().is_none_or(|&end| end > 0) && self.ends.is_sorted_by(|a, b| a < b)
    }

    fn text_bytes(&self) -> usize {
        self.bytes.len()
    }
}

/// Texts that stand for many rows each, as the topics of a mapping do.
#[derive(Debug, Default, Clone)]
pub struct Repeated {
    texts: Flat,
    ends: Vec<usize>,
}

impl Repeated {
    /// Adds a text for all rows up to `end`, which is not before that of the last one.
    pub fn push(&mut self, text: &[u8], end: usize) {
        // A text without rows is in no row.
        if self.ends.last().copied().unwrap_or(0) < end {
            self.texts.push(text);
            self.ends.push(end);
        }
    }

    fn place(&self, row: usize) -> usize {
        self.ends.partition_point(|&end| end <= row)
    }
}

impl Values for Repeated {
    fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        Cell::Text(Cow::Borrowed(self.texts.get(self.place(row))))
    }

    fn text(&self, row: usize) -> Option<&[u8]> {
        Some(self.texts.get(self.place(row)))
    }

    fn is_named(&self) -> bool {
        self.texts.is_named()
    }

    fn text_bytes(&self) -> usize {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        (0..self.texts.len())
            .zip(starts.zip(&self.ends))
            .map(|(at, (start, end))| self.texts.get(at).len() * (end - start))
            .sum()
    }

    fn end_of_same(&self, row: usize) -> usize {
        self.ends[self.place(row)]
    }
}

/// Floating-point numbers.
#[derive(Debug, Default, Clone)]
pub struct Floats(pub Vec<f64>);

impl Values for Floats {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        Cell::Float(self.0[row])
    }

    fn floats(&self) -> Option<&[f64]> {
        Some(&self.0)
    }
}

/// Whole numbers: names of topics and documents as often as scores and grades.
#[derive(Debug, Default, Clone)]
pub struct Whole(pub Vec<i64>);

impl Values for Whole {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        Cell::Number(Cow::Owned(self.0[row].to_string().into_bytes()))
    }

    fn whole(&self) -> Option<&[i64]> {
        Some(&self.0)
    }
}

/// Cells of any kind.
#[derive(Debug, Default, Clone)]
pub struct Mixed(pub Vec<Cell<'static>>);

impl Values for Mixed {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        self.0[row].borrowed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column that answers only what it must.
    struct Plain<'a>(&'a dyn Values);

    impl Values for Plain<'_> {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn cell(&self, row: usize) -> Cell<'_> {
            self.0.cell(row)
        }

        fn text(&self, row: usize) -> Option<&[u8]> {
            self.0.text(row)
        }
    }

    #[test]
    fn columns_answer_for_all_rows_what_looking_at_each_row_finds() {
        for texts in [&["a", "bc", "bc"][..], &["", "a"], &["a", ""], &["a", "", "b"], &[""], &[]] {
            let (mut flat, mut repeated) = (Flat::default(), Repeated::default());
            for (at, text) in texts.iter().enumerate() {
                flat.push(text.as_bytes());
                repeated.push(text.as_bytes(), 2 * at + 2);
            }
            for column in [&flat as &dyn Values, &repeated] {
                let plain = Plain(column);
                assert_eq!(
                    (column.is_named(), column.text_bytes()),
                    (plain.is_named(), plain.text_bytes()),
                    "{texts:?}"
                );
            }
        }
    }
}
