//! JSON: `{topic: {document: number}}`, and JSON Lines with every column.

use std::collections::HashMap;
use std::io::{self, Write};

use super::text::{float, number};
use crate::records::{Column, Data, Table};

/// `{topic: {document: number}}`. A topic's documents stand together, topics in the order they first occur.
pub(super) fn map(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let value = match table.data {
        Data::Run => Column::Score,
        Data::Judgements | Data::Labels => Column::Grade,
    };
    let mut topics: Vec<(u32, Vec<usize>)> = Vec::new();
    let mut places = HashMap::new();
    for (row, &topic) in table.ids(Column::Topic).unwrap_or_default().iter().enumerate() {
        let place = *places.entry(topic).or_insert(topics.len());
        if place == topics.len() {
            topics.push((topic, Vec::new()));
        }
        topics[place].1.push(row);
    }
    out.write_all(b"{")?;
    let mut text = String::new();
    for (at, (_, rows)) in topics.iter().enumerate() {
        text.clear();
        text.push_str(if at > 0 { ",\n" } else { "\n" });
        quoted(&mut text, rows.first().map_or(&[], |&row| table.text(Column::Topic, row)));
        text.push_str(": {");
        for (at, &row) in rows.iter().enumerate() {
            text.push_str(if at > 0 { ",\n  " } else { "\n  " });
            quoted(&mut text, table.text(Column::Document, row));
            text.push_str(": ");
            text.push_str(&shown(value, table.number(value, row).unwrap_or(0.0)));
        }
        text.push_str("\n}");
        out.write_all(text.as_bytes())?;
    }
    out.write_all(b"\n}\n")
}

/// One object for each row.
pub(super) fn lines(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    for row in 0..table.len() {
        text.clear();
        for column in table.columns() {
            text.push_str(if text.is_empty() { "{" } else { ", " });
            quoted(&mut text, column.name().as_bytes());
            text.push_str(": ");
            if column.is_number() {
                let value = table.number(column, row).unwrap_or(0.0);
                text.push_str(&if value.is_nan() { "null".to_owned() } else { shown(column, value) });
            } else {
                quoted(&mut text, table.text(column, row));
            }
        }
        text.push_str("}\n");
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn shown(column: Column, value: f64) -> String {
    if column == Column::Score { float(value) } else { number(value) }
}

/// A string. The names were found to be UTF-8 before.
pub(crate) fn quoted(out: &mut String, text: &[u8]) {
    out.push('"');
    for character in String::from_utf8_lossy(text).chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
}
