//! What CSV and TSV share: the walk over the rows of an answer.
//!
//! One field holds one value. A range becomes `key_low` and `key_high`, a struct `key.name` per field, a list JSON in one
//! field. One table is written as it is; several share one header, the union of their fields after a
//! leading `table`.

use serde_json::Value;

use super::flat::{self, FlatTable};
use super::json;
use crate::check::{check, wrong};
use crate::number;
use crate::report::Report;
use std::io::{self, BufWriter, Write};

/// How one format writes a field.
pub(super) struct Dialect {
    /// Between fields.
    pub separator: u8,
    /// Writes a string so that it reads back as one field.
    pub text: fn(&mut dyn Write, &str) -> io::Result<()>,
    /// What a row of one missing field is: an empty line would be skipped by many readers.
    pub lone_missing: &'static [u8],
}

/// Writes the whole report.
pub(super) fn render(report: &Report, out: &mut dyn Write, dialect: &Dialect) -> io::Result<()> {
    check(report)?;
    let Some(answer) = &report.answer else { return Ok(()) };
    let (value, schema) = (answer.value()?, answer.schema());
    let tables = flat::tables(&value, &schema);
    let headers = headers(&tables)?;
    write_tables(&tables, &headers, out, dialect)
}

/// The fields of all tables, each once; refuses two of one name in one table.
fn headers<'t>(tables: &'t [FlatTable<'_>]) -> io::Result<Vec<&'t str>> {
    let mut headers: Vec<&str> = Vec::new();
    for table in tables {
        for (at, field) in table.fields.iter().enumerate() {
            let header = field.header.as_str();
            if table.fields[..at].iter().any(|other| other.header == header) {
                return Err(wrong(table.name, format!("two properties become the field {header:?}")));
            }
            if !headers.contains(&header) {
                headers.push(header);
            }
        }
    }
    Ok(headers)
}

/// Writes the tables of an answer: one as it is, several under one header with a leading `table`.
fn write_tables(tables: &[FlatTable<'_>], headers: &[&str], out: &mut dyn Write, dialect: &Dialect) -> io::Result<()> {
    let several = tables.len() > 1;
    let mut out = BufWriter::new(out);
    let mut line = Line { dialect, first: true };
    if several {
        line.text(&mut out, "table")?;
    }
    headers.iter().try_for_each(|header| line.text(&mut out, header))?;
    if several || !headers.is_empty() {
        out.write_all(b"\n")?;
    }
    for table in tables {
        let find = |header: &&str| table.fields.iter().find(|field| field.header == **header);
        let places: Vec<_> = headers.iter().map(find).collect();
        for row in &table.rows {
            line.first = true;
            if several {
                line.text(&mut out, table.name)?;
            }
            for place in &places {
                line.next(&mut out)?;
                let written = place.map_or(Ok(false), |field| write_value(&mut out, field.get(row), dialect))?;
                if !written && !several && places.len() == 1 {
                    out.write_all(dialect.lone_missing)?;
                }
            }
            out.write_all(b"\n")?;
        }
    }
    out.flush()
}

/// Writes one value into one field; false when there was nothing to write.
fn write_value(out: &mut impl Write, value: &Value, dialect: &Dialect) -> io::Result<bool> {
    match value {
        Value::Null => return Ok(false),
        Value::String(text) => (dialect.text)(out, text)?,
        Value::Number(number) if number.is_f64() => {
            let text = number.as_f64().and_then(number::full).unwrap_or_default();
            out.write_all(text.as_bytes())?;
        }
        Value::Array(_) | Value::Object(_) => {
            let mut text = Vec::new();
            json::spaced(&mut text, value)?;
            (dialect.text)(out, &String::from_utf8_lossy(&text))?;
        }
        plain => write!(out, "{plain}")?,
    }
    Ok(true)
}

/// The separators of one line.
struct Line<'a> {
    dialect: &'a Dialect,
    first: bool,
}

impl Line<'_> {
    fn next(&mut self, out: &mut impl Write) -> io::Result<()> {
        if !std::mem::replace(&mut self.first, false) {
            out.write_all(&[self.dialect.separator])?;
        }
        Ok(())
    }

    fn text(&mut self, out: &mut impl Write, text: &str) -> io::Result<()> {
        self.next(out)?;
        (self.dialect.text)(out, text)
    }
}
