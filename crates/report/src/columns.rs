//! Columns over typed rows: a column is one value with key, heading and how to get its cell.

use crate::cell::Cell;
use crate::table::{Column, Table};

/// How to get a cell from a row.
type CellOf<'a, T> = Box<dyn Fn(&T) -> Cell + 'a>;

/// The columns of a table whose rows are of one type.
///
/// ```
/// use karat_report::{Columns, Cell};
/// struct Score { run: &'static str, value: f64 }
/// let table = Columns::new()
///     .column("run", "run", |row: &Score| row.run.into())
///     .column("value", "value", |row: &Score| row.value.into())
///     .table("scores", "Scores", &[Score { run: "bm25", value: 0.5 }]);
/// assert_eq!(table.rows[0], [Cell::Text("bm25".into()), Cell::Number(0.5)]);
/// ```
pub struct Columns<'a, T>(Vec<(Column, CellOf<'a, T>)>);

impl<T> Default for Columns<'_, T> {
    fn default() -> Self {
        Columns(Vec::new())
    }
}

impl<'a, T> Columns<'a, T> {
    /// No column yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more column, its numbers shown as scores.
    pub fn column(self, key: &'static str, heading: impl Into<String>, cell: impl Fn(&T) -> Cell + 'a) -> Self {
        self.with(Column::new(key, heading), cell)
    }

    /// One more column, with its hints.
    pub fn with(mut self, column: Column, cell: impl Fn(&T) -> Cell + 'a) -> Self {
        self.0.push((column, Box::new(cell)));
        self
    }

    /// More columns, where a condition holds.
    pub fn when(self, condition: bool, more: impl FnOnce(Self) -> Self) -> Self {
        if condition { more(self) } else { self }
    }

    /// The table of these rows.
    pub fn table<'r>(self, id: &'static str, title: impl Into<String>, rows: impl IntoIterator<Item = &'r T>) -> Table
    where
        T: 'r,
    {
        let (columns, cells): (Vec<Column>, Vec<CellOf<'a, T>>) = self.0.into_iter().unzip();
        let mut table = Table { columns, ..Table::new(id, title) };
        table.rows = rows.into_iter().map(|row| cells.iter().map(|cell| cell(row)).collect()).collect();
        table
    }
}
