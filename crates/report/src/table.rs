//! Tables: columns with a key for programs and a heading for people, and rows of cells.
//!
//! The key is a contract (JSON field, CSV header), the heading is prose; they are kept apart so that one can be reworded
//! without breaking the other.

use crate::cell::Cell;
use crate::number::NumberStyle;

/// Whom a table or column is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// Programs: json, jsonl, csv, tsv.
    Data,
    /// People: terminal, markdown, latex, html.
    People,
    /// Every format.
    #[default]
    Both,
}

impl Audience {
    /// Whether the formats for programs show it.
    pub fn data(self) -> bool {
        self != Self::People
    }

    /// Whether the formats for people show it.
    pub fn people(self) -> bool {
        self != Self::Data
    }
}

/// Which fields a column becomes in CSV and TSV, where one field holds one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// Whatever the rows hold: `key` for plain values, `key_low` and `key_high` for ranges, `key.name` for maps.
    #[default]
    AsFound,
    /// Always `key_low` and `key_high`, also when every row is missing: a header scripts can rely on.
    Range,
    /// Always these `key.name`, and any others the rows hold.
    Names(&'static [&'static str]),
}

/// A column: its contract (`key`), its words (`heading`) and hints for showing it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// JSON field and CSV header.
    pub key: &'static str,
    /// What people read.
    pub heading: String,
    /// How people see its numbers.
    pub style: NumberStyle,
    /// Who sees it.
    pub audience: Audience,
    /// Which CSV fields it becomes.
    pub split: Split,
}

impl Column {
    /// A column for everyone, its numbers shown as scores.
    pub fn new(key: &'static str, heading: impl Into<String>) -> Self {
        Self { key, heading: heading.into(), ..Self::default() }
    }

    /// How people see its numbers.
    pub fn style(mut self, style: NumberStyle) -> Self {
        self.style = style;
        self
    }

    /// Only for programs.
    pub fn data_only(mut self) -> Self {
        self.audience = Audience::Data;
        self
    }

    /// Only for people.
    pub fn people_only(mut self) -> Self {
        self.audience = Audience::People;
        self
    }

    /// Always two fields in CSV.
    pub fn range(mut self) -> Self {
        self.split = Split::Range;
        self
    }

    /// Always these fields in CSV.
    pub fn names(mut self, names: &'static [&'static str]) -> Self {
        self.split = Split::Names(names);
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
    /// The table's name for programs; unique among the tables a program sees.
    pub id: &'static str,
    /// The table's name for people; may be empty.
    pub title: String,
    /// Who sees it.
    pub audience: Audience,
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// What can be drawn beside the numbers.
    pub plot: Option<Plot>,
}

impl Table {
    /// An empty table for everyone.
    pub fn new(id: &'static str, title: impl Into<String>) -> Self {
        Self { id, title: title.into(), ..Self::default() }
    }

    /// Whom the table is for.
    pub fn audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
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
