//! JSON lines: every row of an answer's arrays as one object, with the array's name in `table`.
//!
//! For streaming and `grep`: what concerns the whole report (provenance, notes) is in JSON only.

use super::{RenderOptions, Renderer, RendererInfo, flat, json};
use crate::check::check;
use crate::report::Report;
use std::io::{self, BufWriter, Write};

pub(super) const INFO: RendererInfo = RendererInfo {
    name: "jsonl",
    extensions: &["jsonl", "ndjson"],
    media_type: "application/x-ndjson",
    description: "one object per row, with its table's name; no notes, no provenance",
    make,
};

struct JsonLines;

fn make(_: RenderOptions) -> Box<dyn Renderer> {
    Box::new(JsonLines)
}

impl Renderer for JsonLines {
    fn render(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        check(report)?;
        let mut out = BufWriter::new(out);
        let Some(answer) = &report.answer else { return out.flush() };
        let (value, schema) = (answer.value()?, answer.schema());
        for table in flat::tables(&value, &schema) {
            // Of the one row beside the arrays only what is beside them.
            let own = |key: &str| table.name != flat::RECORD || table.fields.iter().any(|field| field.is_of(key));
            for row in &table.rows {
                out.write_all(b"{\"table\": ")?;
                json::string(&mut out, table.name)?;
                for (key, value) in row.iter().filter(|(key, _)| own(key)) {
                    out.write_all(b", ")?;
                    json::string(&mut out, key)?;
                    out.write_all(b": ")?;
                    json::spaced(&mut out, value)?;
                }
                out.write_all(b"}\n")?;
            }
        }
        out.flush()
    }
}
