//! What CSV and TSV share: which fields a report's tables become, and the walk over their rows.
//!
//! One field holds one value. A range becomes `key_low` and `key_high`, a map `key.name` per name, a list JSON in one
//! field. One data table is written as it is; several share one header, the union of their fields after a
//! leading `table`.

use serde_json::Value;

use super::flat::{self, FlatTable};
use super::json;
use crate::cell::Cell;
use crate::check::{check, wrong};
use crate::number;
use crate::report::{Block, Report};
use crate::table::{Column, Split, Table};
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

/// Which part of a cell a field takes.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Whole,
    Low,
    High,
    Name(&'static str),
}

/// A field of a table: its header, its column and its part.
struct Field {
    header: String,
    column: usize,
    part: Part,
}

/// Writes the whole report.
pub(super) fn render(report: &Report, out: &mut dyn Write, dialect: &Dialect) -> io::Result<()> {
    check(report)?;
    if let Some(answer) = &report.answer {
        let (value, schema) = (answer.value()?, answer.schema());
        return render_flat(&flat::tables(&value, &schema), out, dialect);
    }
    let mut tables = Vec::new();
    for block in &report.blocks {
        if let Block::Table(table) | Block::Record(table) = block
            && table.audience.data()
        {
            tables.push((table, fields(table)?));
        }
    }
    let mut headers: Vec<&str> = Vec::new();
    for field in tables.iter().flat_map(|(_, fields)| fields) {
        if !headers.contains(&field.header.as_str()) {
            headers.push(&field.header);
        }
    }
    let several = tables.len() > 1;
    let mut out = BufWriter::new(out);
    let mut line = Line { dialect, first: true };
    if several {
        line.text(&mut out, "table")?;
    }
    for header in &headers {
        line.text(&mut out, header)?;
    }
    if several || !headers.is_empty() {
        out.write_all(b"\n")?;
    }
    for (table, fields) in &tables {
        // For each header, this table's field, found once and not per row.
        let places: Vec<Option<&Field>> =
            headers.iter().map(|header| fields.iter().find(|field| field.header == *header)).collect();
        write_rows(&mut out, table, &places, several, dialect)?;
    }
    out.flush()
}

/// Writes the rows of one table; its name comes first where there are several.
fn write_rows(
    out: &mut impl Write,
    table: &Table,
    places: &[Option<&Field>],
    several: bool,
    dialect: &Dialect,
) -> io::Result<()> {
    let alone = !several && places.len() == 1;
    for row in &table.rows {
        let mut line = Line { dialect, first: true };
        if several {
            line.text(out, table.id)?;
        }
        for place in places {
            line.next(out)?;
            let cell = place.map_or(&Cell::Missing, |field| &row[field.column]);
            let part = place.map_or(Part::Whole, |field| field.part);
            if !write(out, cell, part, dialect)? && alone {
                out.write_all(dialect.lone_missing)?;
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes the tables of an answer: one as it is, several under one header with a leading `table`.
fn render_flat(tables: &[FlatTable<'_>], out: &mut dyn Write, dialect: &Dialect) -> io::Result<()> {
    let mut headers: Vec<&str> = Vec::new();
    for field in tables.iter().flat_map(|table| &table.fields) {
        if !headers.contains(&field.header.as_str()) {
            headers.push(&field.header);
        }
    }
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

/// The fields of a table; refuses two of one header.
fn fields(table: &Table) -> io::Result<Vec<Field>> {
    let mut fields: Vec<Field> = Vec::new();
    for (index, column) in table.columns.iter().enumerate().filter(|(_, column)| column.audience.data()) {
        for part in parts(column, table.rows.iter().filter_map(|row| row.get(index))) {
            let header = match part {
                Part::Whole => column.key.to_owned(),
                Part::Low => format!("{}_low", column.key),
                Part::High => format!("{}_high", column.key),
                Part::Name(name) => format!("{}.{name}", column.key),
            };
            if header == "table" || fields.iter().any(|field| field.header == header) {
                return Err(wrong(table.id, format!("two columns become the field {header:?}")));
            }
            fields.push(Field { header, column: index, part });
        }
    }
    Ok(fields)
}

/// The parts a column's cells have, in order: whole, range, names as first met.
fn parts<'a>(column: &Column, cells: impl Iterator<Item = &'a Cell>) -> Vec<Part> {
    let (mut whole, mut range) = (false, column.split == Split::Range);
    let mut names: Vec<&'static str> = Vec::new();
    if let Split::Names(wanted) = column.split {
        names.extend_from_slice(wanted);
    }
    let mut name = |name: &'static str| {
        if !names.contains(&name) {
            names.push(name);
        }
    };
    for cell in cells {
        match cell {
            Cell::Missing => {}
            Cell::Range(..) => range = true,
            Cell::Map(pairs) => pairs.iter().for_each(|pair| name(pair.0)),
            Cell::Record(pairs) => pairs.iter().for_each(|pair| name(pair.0)),
            Cell::Text(_) | Cell::Count(_) | Cell::Number(_) | Cell::List(_) | Cell::Flag(_) => whole = true,
        }
    }
    let mut parts = Vec::new();
    if whole || (!range && names.is_empty()) {
        parts.push(Part::Whole);
    }
    if range {
        parts.extend([Part::Low, Part::High]);
    }
    parts.extend(names.into_iter().map(Part::Name));
    parts
}

/// Writes the part of a cell; false when there was nothing to write.
fn write(out: &mut impl Write, cell: &Cell, part: Part, dialect: &Dialect) -> io::Result<bool> {
    let number = |out: &mut _, value: f64| match number::full(value) {
        Some(text) => Write::write_all(out, text.as_bytes()).map(|()| true),
        None => Ok(false),
    };
    match (cell, part) {
        (Cell::Text(text), Part::Whole) => (dialect.text)(out, text)?,
        (Cell::Count(count), Part::Whole) => write!(out, "{count}")?,
        (Cell::Flag(flag), Part::Whole) => write!(out, "{flag}")?,
        (Cell::Number(value), Part::Whole) => return number(out, *value),
        (Cell::Range(low, _), Part::Low) => return number(out, *low),
        (Cell::Range(_, high), Part::High) => return number(out, *high),
        (Cell::Map(pairs), Part::Name(name)) => {
            return pairs.iter().find(|pair| pair.0 == name).map_or(Ok(false), |pair| number(out, pair.1));
        }
        (Cell::Record(pairs), Part::Name(name)) => match pairs.iter().find(|pair| pair.0 == name) {
            // A record inside a record, a range inside one: JSON, as lists are.
            Some((_, inner @ (Cell::Range(..) | Cell::Map(_) | Cell::Record(_)))) => nested(out, inner, dialect)?,
            Some((_, inner)) => return write(out, inner, Part::Whole, dialect),
            None => return Ok(false),
        },
        (Cell::List(_), Part::Whole) => nested(out, cell, dialect)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// A cell as JSON in one field.
fn nested(out: &mut impl Write, cell: &Cell, dialect: &Dialect) -> io::Result<()> {
    let mut text = Vec::new();
    json::value(&mut text, cell)?;
    (dialect.text)(out, &String::from_utf8_lossy(&text))
}
