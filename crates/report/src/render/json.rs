//! JSON: one object with every command's common fields and the fields of its answer, a row of an array per line.

use super::{RenderOptions, Renderer, RendererInfo};
use crate::check::check;
use crate::report::{OptionValue, Report};
use std::io::{self, BufWriter, Write};

pub(super) const INFO: RendererInfo = RendererInfo {
    name: "json",
    extensions: &["json"],
    media_type: "application/json",
    description: "one object: schema, provenance, notes and the fields of the answer, at full precision",
    make,
};

/// The name of the contract; changes when a field changes its meaning.
pub(crate) const SCHEMA: &str = "karat/2";

struct Json;

fn make(_: RenderOptions) -> Box<dyn Renderer> {
    Box::new(Json)
}

impl Renderer for Json {
    fn render(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        check(report)?;
        let mut out = BufWriter::new(out);
        let w = &mut out;
        for (name, text) in [("schema", SCHEMA), ("command", report.command), ("version", report.version)] {
            w.write_all(if name == "schema" { b"{\n  " } else { b",\n  " })?;
            field(w, name)?;
            string(w, text)?;
        }
        provenance(w, report)?;
        w.write_all(b",\n  \"notes\": [")?;
        lines(w, &report.notes, |w, note| string(w, note))?;
        if let Some(answer) = &report.answer {
            answer.write_fields(w)?;
        }
        w.write_all(b"\n}\n")?;
        out.flush()
    }
}

fn provenance(w: &mut impl Write, report: &Report) -> io::Result<()> {
    w.write_all(b",\n  \"provenance\": {\n    \"inputs\": [")?;
    let provenance = &report.provenance;
    separated(w, &provenance.inputs, ",", |w, input| {
        w.write_all(b"\n      {\"path\": ")?;
        string(w, &input.path)?;
        write!(w, ", \"bytes\": {}, \"rows\": {}", input.bytes, input.rows)?;
        if let Some(format) = &input.format {
            w.write_all(b", \"format\": ")?;
            string(w, format)?;
        }
        w.write_all(b"}")
    })?;
    w.write_all(if provenance.inputs.is_empty() { b"" } else { b"\n    " })?;
    w.write_all(b"],\n    \"options\": {")?;
    separated(w, &provenance.options, ", ", |w, (name, value)| {
        field(w, name)?;
        option(w, value)
    })?;
    w.write_all(b"},\n    \"seed\": ")?;
    match provenance.seed {
        Some(seed) => write!(w, "{seed}")?,
        None => w.write_all(b"null")?,
    }
    w.write_all(b"\n  }")
}

/// A number, or `null`.
fn number(w: &mut impl Write, value: f64) -> io::Result<()> {
    // serde_json writes a float that is not finite as null.
    serde_json::to_writer(w, &value).map_err(io::Error::from)
}

fn option(w: &mut impl Write, value: &OptionValue) -> io::Result<()> {
    match value {
        OptionValue::Text(text) => string(w, text),
        // An option such as depth=1000 is a whole number to whoever reads it; below 2^53 that is exact.
        OptionValue::Number(value) if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 => {
            write!(w, "{}", *value as i64)
        }
        OptionValue::Number(value) => number(w, *value),
        OptionValue::Flag(flag) => write!(w, "{flag}"),
        OptionValue::List(values) => {
            w.write_all(b"[")?;
            separated(w, values, ", ", |w, value| option(w, value))?;
            w.write_all(b"]")
        }
    }
}

/// A value on one line, with spaces as everywhere.
pub(super) fn spaced(w: &mut impl Write, value: &serde_json::Value) -> io::Result<()> {
    match value {
        serde_json::Value::Array(items) => {
            w.write_all(b"[")?;
            separated(w, items, ", ", spaced)?;
            w.write_all(b"]")
        }
        serde_json::Value::Object(fields) => {
            w.write_all(b"{")?;
            separated(w, fields, ", ", |w, (name, item)| {
                field(w, name)?;
                spaced(w, item)
            })?;
            w.write_all(b"}")
        }
        plain => serde_json::to_writer(w, plain).map_err(io::Error::from),
    }
}

/// A string with its quotes.
pub(super) fn string(w: &mut impl Write, text: &str) -> io::Result<()> {
    serde_json::to_writer(w, text).map_err(io::Error::from)
}

fn field(w: &mut impl Write, name: &str) -> io::Result<()> {
    string(w, name)?;
    w.write_all(b": ")
}

/// The inside and the end of an array at the top: one item per line.
fn lines<W: Write, T>(w: &mut W, items: &[T], one: impl Fn(&mut W, &T) -> io::Result<()>) -> io::Result<()> {
    separated(w, items, ",", |w, item| {
        w.write_all(b"\n    ")?;
        one(w, item)
    })?;
    w.write_all(if items.is_empty() { b"]" } else { b"\n  ]" })
}

fn separated<W: Write, T>(
    w: &mut W,
    items: impl IntoIterator<Item = T>,
    between: &str,
    mut one: impl FnMut(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            w.write_all(between.as_bytes())?;
        }
        one(w, item)?;
    }
    Ok(())
}
