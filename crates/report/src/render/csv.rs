//! CSV as RFC 4180 quotes it, with `\n` line ends, which every reader takes and `cut` needs.
//!
//! A missing value is an empty field, an empty string is `""`. Text is data: a docno that begins with `=` or `-` stays
//! as it is.

use super::delimited::{self, Dialect};
use super::{RenderOptions, Renderer, RendererInfo};
use crate::report::Report;
use std::io::{self, Write};

pub(super) const INFO: RendererInfo = RendererInfo {
    name: "csv",
    extensions: &["csv"],
    media_type: "text/csv",
    description: "comma-separated rows at full precision; several tables share one header",
    make,
};

const DIALECT: Dialect = Dialect { separator: b',', text, lone_missing: b"\"\"" };

struct Csv;

fn make(_: RenderOptions) -> Box<dyn Renderer> {
    Box::new(Csv)
}

impl Renderer for Csv {
    fn render(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        delimited::render(report, out, &DIALECT)
    }
}

fn text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    // A field with a space at either end is quoted too: some readers trim bare ones.
    let bare = !text.is_empty() && text.trim() == text && !text.contains([',', '"', '\r', '\n']);
    if bare {
        return out.write_all(text.as_bytes());
    }
    out.write_all(b"\"")?;
    for (at, piece) in text.split('"').enumerate() {
        if at > 0 {
            out.write_all(b"\"\"")?;
        }
        out.write_all(piece.as_bytes())?;
    }
    out.write_all(b"\"")
}
