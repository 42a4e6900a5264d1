//! CSV, TSV and BEIR's TSV.

use std::io::{self, Write};

use super::text::number;
use crate::records::{Column, Table};

pub(super) fn csv(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    write(table, b',', &named(table), out)
}

pub(super) fn tsv(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    write(table, b'\t', &named(table), out)
}

pub(super) fn beir(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let columns = [(Column::Topic, "query-id"), (Column::Document, "corpus-id"), (Column::Grade, "score")];
    write(table, b'\t', &columns, out)
}

/// Quepid's case: text that a spreadsheet would take for a formula gets a blank before it.
pub(super) fn quepid(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"query,docid,rating\n")?;
    let mut line = Vec::new();
    for row in 0..table.len() {
        line.clear();
        for column in [Column::Topic, Column::Document] {
            let text = table.text(column, row);
            let guard: &[u8] = if matches!(text, [b'-' | b'=' | b'+' | b'@', ..]) { b" " } else { b"" };
            field(&mut line, &[guard, text].concat(), b',');
            line.push(b',');
        }
        let grade = table.number(Column::Grade, row).filter(|grade| *grade >= 0.0);
        line.extend_from_slice(grade.map(number).unwrap_or_default().as_bytes());
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

fn named(table: &Table) -> Vec<(Column, &'static str)> {
    table.columns().map(|column| (column, column.name())).collect()
}

fn write(table: &Table, separator: u8, columns: &[(Column, &str)], out: &mut dyn Write) -> io::Result<()> {
    let separate = |line: &mut Vec<u8>, at: usize| {
        if at > 0 {
            line.push(separator);
        }
    };
    let mut line = Vec::new();
    for (at, (_, name)) in columns.iter().enumerate() {
        separate(&mut line, at);
        line.extend_from_slice(name.as_bytes());
    }
    line.push(b'\n');
    out.write_all(&line)?;
    for row in 0..table.len() {
        line.clear();
        for (at, &(column, _)) in columns.iter().enumerate() {
            separate(&mut line, at);
            if column.is_number() {
                // A label may have no number; an empty field says so.
                let value = table.number(column, row).unwrap_or(0.0);
                line.extend_from_slice(if value.is_nan() { String::new() } else { number(value) }.as_bytes());
            } else {
                field(&mut line, table.text(column, row), separator);
            }
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

/// A field, in quotation marks where it would else be read as something different.
pub(crate) fn field(line: &mut Vec<u8>, text: &[u8], separator: u8) {
    let blank_at_an_end = text.trim_ascii().len() != text.len();
    let special = |&byte: &u8| byte == separator || matches!(byte, b'"' | b'\n' | b'\r');
    // A mark at the start of a file would be taken for the file's; a lone empty field for a blank line.
    if !blank_at_an_end && !text.iter().any(special) && !text.starts_with(b"\xef") {
        line.extend_from_slice(text);
        return;
    }
    line.push(b'"');
    for &byte in text {
        if byte == b'"' {
            line.push(b'"');
        }
        line.push(byte);
    }
    line.push(b'"');
}
