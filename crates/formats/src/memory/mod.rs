//! Tables in memory: what a caller (the Python package) has in place of a file.
//!
//! The one decision: a table in memory is a file of records whose cells need no parsing. Names of columns are understood by
//! the same rules ([`crate::records::column`]), a cell is a name or a number by the same rules ([`Cell`]), and problems are
//! told by row and column, or by topic and document where the caller had a mapping.

mod place;
mod qrels;
mod run;
mod values;

use std::borrow::Cow;
use std::fmt::Write;

use karat_data::Problems;
use karat_data::problem::quote;

use crate::records::cell::Cell;
use crate::records::column::{self, Column, Data, Plan, PlanRemedy};
use crate::records::table::{Builder, Table};
use crate::records::{Refusal, formats};
use crate::sink::{QrelsRows, RunRows};

pub(crate) use qrels::qrels;
pub(crate) use run::visit;
pub use values::{Flat, Floats, Mixed, Picked, Repeated, Values, Whole};

/// What the provenance calls the format.
pub const FORMAT: &str = "memory";

/// How a caller finds a row again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Called {
    /// By its number, from 0.
    ByRow,
    /// By topic and document: it was a mapping of mappings.
    ByKeys,
    /// By topic and document, its first two columns, and the column that is wrong: its rows are in no order.
    ByKeysAndColumn,
}

/// The problems of an input that was read as text, placed where a table in memory has them.
pub(crate) fn placed_as_text(input: &crate::Input, problems: Problems) -> Problems {
    match input.memory() {
        Some(memory) => memory.placed_as_text(problems),
        None => problems,
    }
}

/// A table in memory.
pub struct Memory {
    columns: Vec<(String, Box<dyn Values>)>,
    rows: usize,
    called: Called,
}

impl Memory {
    /// A table of these columns; columns of different lengths are refused.
    ///
    /// # Errors
    /// Two columns have different lengths, or there are more rows than can be counted.
    pub fn new(columns: Vec<(String, Box<dyn Values>)>, called: Called) -> Result<Memory, String> {
        let rows = columns.first().map_or(0, |(_, values)| values.len());
        if let Some((name, values)) = columns.iter().find(|(_, values)| values.len() != rows) {
            let first = columns.first().map_or("", |(name, _)| name.as_str());
            return Err(format!(
                "columns of one length are needed: '{first}' has {rows} rows and '{name}' has {}",
                values.len()
            ));
        }
        if u32::try_from(rows).is_err() {
            return Err(format!(
                "at most {} rows are read at once, and these are {rows}; give them in parts",
                u32::MAX
            ));
        }
        Ok(Memory { columns, rows, called })
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    fn names(&self) -> Vec<Vec<u8>> {
        self.columns.iter().map(|(name, _)| name.clone().into_bytes()).collect()
    }

    /// Which column is which.
    fn plan(&self, data: Data) -> Result<Plan, Refusal> {
        let remedy =
            "rename the columns, for example to query_id, doc_id and score (of a run) or grade (of judgements)";
        let nothing = |cell: &Cell<'_>| cell.is_missing() || matches!(cell, Cell::Float(number) if number.is_nan());
        let is_empty = |at: usize| (0..self.rows).all(|row| nothing(&self.columns[at].1.cell(row)));
        column::plan_filled(&self.names(), data, is_empty).map_err(|problem| {
            let own = match problem.remedy {
                PlanRemedy::Name => remedy.to_owned(),
                other => other.to_string(),
            };
            Refusal::whole(problem.expected, format!("the columns {}", problem.found), own)
        })
    }

    /// Where a column with this meaning is.
    fn find(&self, plan: &Plan, wanted: Column) -> Option<&dyn Values> {
        let at = plan.columns.iter().position(|column| *column == Some(wanted))?;
        self.columns.get(at).map(|(_, values)| values.as_ref())
    }

    /// Refuses rows of several runs: put together they would be a ranking that no system made.
    fn one_run(&self, plan: &Plan) -> Result<(), Refusal> {
        let Some(tags) = self.find(plan, Column::Tag).filter(|tags| !tags.is_empty()) else { return Ok(()) };
        let tag = |row: usize| match tags.cell(row) {
            Cell::Text(tag) | Cell::Number(tag) | Cell::Written(tag) => tag,
            _ => Cow::Borrowed(&b""[..]),
        };
        let first = tag(0);
        let Some(other) = (1..tags.len()).map(tag).find(|other| *other != first) else { return Ok(()) };
        let own = plan.columns.iter().position(|column| *column == Some(Column::Tag));
        let column = own.and_then(|at| self.columns.get(at)).map_or("", |(name, _)| name.as_str());
        Err(Refusal::whole(
            format!("the rows of one run (column '{column}')"),
            format!("those of {} and of {}", quote(&first), quote(&other)),
            "give each run for itself, as a mapping of names to tables: {name: rows for name, rows in table.groupby(column)} of pandas",
        ))
    }

    /// As the table that readers of records make.
    pub(crate) fn table(&self, data: Data) -> Result<Table, Refusal> {
        let mut builder = Builder::new(self.plan(data)?);
        let mut cells: Vec<Cell<'_>> = Vec::with_capacity(self.columns.len());
        for row in 0..self.rows {
            cells.clear();
            cells.extend(self.columns.iter().map(|(_, values)| values.cell(row)));
            builder.record(row as u64 + 1, &cells);
        }
        builder.finish()
    }

    /// The same, with problems placed.
    ///
    /// # Errors
    /// Everything wrong with it.
    pub(crate) fn read(&self, file: &str, data: Data) -> Result<Table, Problems> {
        self.table(data).map_err(|refusal| self.placed(refusal.problems(file)))
    }

    /// Hands its rows over as those of a run, with what is wrong with them.
    pub fn run_rows(&self, rows: &mut dyn RunRows) {
        formats::run(self.table(Data::Run), rows);
    }

    /// Hands its rows over as judgements.
    pub fn qrels_rows(&self, rows: &mut dyn QrelsRows) {
        formats::qrels(self.table(Data::Judgements), rows);
    }

    /// What it holds, where its columns say so or, where they leave it open, its numbers.
    pub(crate) fn tell(&self) -> Data {
        let grades = || {
            let scores = self.table(Data::Run).map(|table| formats::run_scores(&table)).unwrap_or_default();
            formats::has_grades(&scores)
        };
        match column::guess(&self.names()) {
            Some(data) => data,
            None if column::is_open(&self.names()) && grades() => Data::Judgements,
            None => Data::Run,
        }
    }

    /// Whether [`Memory::tell`] went by numbers.
    pub(crate) fn is_open(&self) -> bool {
        column::is_open(&self.names())
    }

    /// The table as tab-separated text with a header: for whoever wants bytes (a hash of what was read, a look at any file).
    pub(crate) fn text(&self) -> String {
        let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        let header: Vec<String> = self.columns.iter().map(|(name, _)| clean(name)).collect();
        let mut out = header.join("\t") + "\n";
        for row in 0..self.rows {
            for (at, (_, values)) in self.columns.iter().enumerate() {
                if at > 0 {
                    out.push('\t');
                }
                match values.cell(row) {
                    Cell::Missing => {}
                    Cell::Written(text) | Cell::Text(text) | Cell::Number(text) => {
                        out.push_str(&clean(&String::from_utf8_lossy(&text)));
                    }
                    // Writing to a string cannot fail.
                    Cell::Float(number) => drop(write!(out, "{number}")),
                    Cell::Other(what) => out.push_str(what),
                }
            }
            out.push('\n');
        }
        out
    }
}
