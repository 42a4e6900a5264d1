//! `karat published` for people: one file for each question, and the words they share.

pub mod compare;
pub mod depth;
pub mod error;
pub mod fan;
pub mod range;
pub mod study;
pub mod vectors;

use karat_report::{Block, Column, NumberStyle, Table};

/// Which range holds for what.
const RANGES: &str = "The graded range holds for means over topics and for gains from 0 to 1. The binary range is narrower and \
                      holds only for one topic with binary relevance.";

/// A parameter as it was given.
fn given(key: &'static str, heading: &str) -> Column {
    Column::new(key, heading).style(NumberStyle::Given)
}

/// One answer as a list of heading and value, several as a table.
fn record_or_table(table: Table, one: bool) -> Block {
    if one { Block::Record(table) } else { Block::Table(table) }
}
