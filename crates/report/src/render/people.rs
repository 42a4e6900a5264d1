//! What the renderers for people share: which blocks and columns they show, and on which side a column stands.

use crate::cell::Cell;
use crate::figure::Figure;
use crate::number;
use crate::report::{Block, OptionValue, Report};
use crate::table::{Column, Table};
use crate::text::visible;
use std::borrow::Cow;

/// A block as people see it.
pub(super) enum Shown<'a> {
    Text(&'a str),
    Table(View<'a>),
    Figure(&'a Figure),
}

impl Shown<'_> {
    /// Whether a format without pictures shows it.
    pub fn is_words(&self) -> bool {
        !matches!(self, Shown::Figure(_))
    }
}

/// The part of a table people see.
pub(crate) struct View<'a> {
    pub table: Cow<'a, Table>,
    /// Indices into the table's columns.
    pub columns: Vec<usize>,
    /// For each of `columns`, whether it is numbers and stands to the right.
    pub right: Vec<bool>,
    /// A record has no header line: its first column holds the headings.
    pub header: bool,
}

impl View<'_> {
    pub fn column(&self, at: usize) -> &Column {
        &self.table.columns[self.columns[at]]
    }

    /// The heading, safe to look at.
    pub fn heading(&self, at: usize) -> Cow<'_, str> {
        visible(&self.column(at).heading)
    }

    /// Replaces `out` with the cell as people see it, safe to look at, not yet escaped.
    pub fn cell(&self, row: &[Cell], at: usize, out: &mut String) {
        out.clear();
        number::write_cell(&row[self.columns[at]], self.column(at).style, out);
        if let Cow::Owned(text) = visible(out) {
            *out = text;
        }
    }

    /// Whether a cell is the name of its row.
    pub fn names_row(&self, row: &[Cell], at: usize) -> bool {
        at == 0 && matches!(row[self.columns[at]], Cell::Text(_))
    }
}

/// The blocks people see, in order.
pub(super) fn shown(report: &Report) -> impl Iterator<Item = Shown<'_>> {
    report.blocks.iter().map(|block| match block {
        Block::Text(text) => Shown::Text(text),
        Block::Table(table) => Shown::Table(view(Cow::Borrowed(table), true)),
        Block::Record(table) => Shown::Table(view(Cow::Owned(turned(table)), false)),
        Block::Figure(figure) => Shown::Figure(figure),
    })
}

/// The rows that a figure draws.
pub(super) fn of_figure(table: &Table) -> View<'_> {
    view(Cow::Borrowed(table), true)
}

/// The part of a table that people see.
pub(crate) fn view(table: Cow<'_, Table>, header: bool) -> View<'_> {
    let columns: Vec<usize> = (0..table.columns.len()).collect();
    let right = columns.iter().map(|&at| is_numbers(&table, at)).collect();
    View { table, columns, right, header }
}

/// Numbers and gaps only, and at least one number.
fn is_numbers(table: &Table, column: usize) -> bool {
    let mut any = false;
    table.rows.iter().all(|row| match row[column] {
        Cell::Count(_) | Cell::Number(_) | Cell::Range(..) => {
            any = true;
            true
        }
        Cell::Missing => true,
        _ => false,
    }) && any
}

/// A record as two columns, heading and value.
fn turned(table: &Table) -> Table {
    let mut turned = Table::new(table.id, table.title.clone()).column("heading", "").column("value", "");
    for (column, cell) in table.rows.iter().flat_map(|row| table.columns.iter().zip(row)) {
        let mut value = String::new();
        number::write_cell(cell, column.style, &mut value);
        turned.push([column.heading.as_str().into(), value.into()]);
    }
    turned
}

/// An option's value as people see it, not yet made visible or escaped.
pub(super) fn option(value: &OptionValue) -> String {
    match value {
        OptionValue::Text(text) => text.clone(),
        // An option is not a result: it is shown as it was given.
        OptionValue::Number(value) => number::given(*value),
        OptionValue::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        OptionValue::List(values) => values.iter().map(option).collect::<Vec<_>>().join(", "),
    }
}

/// Where the numbers come from, a line each: the command, the inputs, the options, the seed.
pub(crate) fn provenance(report: &Report) -> Vec<(String, String)> {
    let provenance = &report.provenance;
    let mut lines = vec![("made by".to_owned(), format!("karat {} {}", report.command, report.version))];
    for input in &provenance.inputs {
        let row = if input.rows == 1 { "row" } else { "rows" };
        let format = input.format.as_ref().map(|format| format!(", format {format}")).unwrap_or_default();
        let words = format!("{} ({} bytes, {} {row}{format})", input.path, input.bytes, input.rows);
        lines.push(("input".to_owned(), words));
    }
    lines.extend(provenance.options.iter().map(|(name, value)| (name.clone(), option(value))));
    lines.extend(provenance.seed.map(|seed| ("seed".to_owned(), seed.to_string())));
    lines
}
