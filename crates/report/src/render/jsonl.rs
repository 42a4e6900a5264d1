//! JSON lines: every row of every table as one object, with the table's id in `table`.
//!
//! For streaming and `grep`: what concerns the whole report (provenance, notes) is in JSON only.

use super::{RenderOptions, Renderer, RendererInfo, json};
use crate::check::check;
use crate::report::{Block, Report};
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
        for block in &report.blocks {
            let (Block::Table(table) | Block::Record(table)) = block else { continue };
            if !table.audience.data() {
                continue;
            }
            for row in &table.rows {
                out.write_all(b"{\"table\": ")?;
                json::string(&mut out, table.id)?;
                if table.columns.iter().any(|column| column.audience.data()) {
                    out.write_all(b", ")?;
                }
                json::fields(&mut out, &table.columns, row, ", ")?;
                out.write_all(b"}\n")?;
            }
        }
        out.flush()
    }
}
