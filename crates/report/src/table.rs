//! Tables for people: columns with a heading, and rows of cells. Programs read the answer of a report instead.
//!
//! A column's key names it in code; the heading is prose, so that it can be reworded without breaking anything.

use crate::cell::Cell;
use crate::number::NumberStyle;

/// A column: its name in code (`key`), its words (`heading`) and hints for showing it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Its name in code and in the rows of a figure.
    pub key: &'static str,
    /// What people read.
    pub heading: String,
    /// How people see its numbers.
    pub style: NumberStyle,
}

impl Column {
    /// A column, its numbers shown as scores.
    pub fn new(key: &'static str, heading: impl Into<String>) -> Self {
        Self { key, heading: heading.into(), ..Self::default() }
    }

    /// How people see its numbers.
    pub fn style(mut self, style: NumberStyle) -> Self {
        self.style = style;
        self
    }
}

/// What of a table can be drawn beside its numbers where there is room: on a terminal, one bar a row. By columns' keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plot {
    /// The value.
    pub value: &'static str,
    /// Its interval.
    pub interval: &'static str,
    /// What is possible at all; a table may lack it.
    pub bounds: &'static str,
    /// Whether the scale holds 0, as for differences.
    pub zero: bool,
}

/// Rows under columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The table's name in code.
    pub id: &'static str,
    /// The table's name for people; may be empty.
    pub title: String,
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// What can be drawn beside the numbers.
    pub plot: Option<Plot>,
}

impl Table {
    /// An empty table.
    pub fn new(id: &'static str, title: impl Into<String>) -> Self {
        Self { id, title: title.into(), ..Self::default() }
    }

    /// With bars beside the numbers, where there is room.
    pub fn plotted(mut self, plot: Plot) -> Self {
        self.plot = Some(plot);
        self
    }

    /// One more plain column.
    pub fn column(self, key: &'static str, heading: impl Into<String>) -> Self {
        self.with(Column::new(key, heading))
    }

    /// One more column, with its hints.
    pub fn with(mut self, column: Column) -> Self {
        self.columns.push(column);
        self
    }

    /// One more row. Renderers refuse a row whose length is not the number of columns.
    pub fn push(&mut self, row: impl Into<Vec<Cell>>) {
        self.rows.push(row.into());
    }

    /// The same as [`Table::push`], for building in one expression.
    pub fn row(mut self, row: impl Into<Vec<Cell>>) -> Self {
        self.push(row);
        self
    }
}
