//! TSV: one line per row whatever the text holds; tab, line ends and backslash are written `\t`, `\n`, `\r`, `\\`.

use super::delimited::{self, Dialect};
use super::{RenderOptions, Renderer, RendererInfo};
use crate::report::Report;
use std::io::{self, Write};

pub(super) const INFO: RendererInfo = RendererInfo {
    name: "tsv",
    extensions: &["tsv"],
    media_type: "text/tab-separated-values",
    description: "tab-separated rows at full precision; several tables share one header",
    make,
};

const DIALECT: Dialect = Dialect { separator: b'\t', text, lone_missing: b"" };

struct Tsv;

fn make(_: RenderOptions) -> Box<dyn Renderer> {
    Box::new(Tsv)
}

impl Renderer for Tsv {
    fn render(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        delimited::render(report, out, &DIALECT)
    }
}

fn text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut rest = text;
    while let Some(at) = rest.find(['\t', '\n', '\r', '\\']) {
        out.write_all(&rest.as_bytes()[..at])?;
        out.write_all(match rest.as_bytes()[at] {
            b'\t' => b"\\t",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            _ => b"\\\\",
        })?;
        rest = &rest[at + 1..];
    }
    out.write_all(rest.as_bytes())
}
