//! Markdown with GitHub's tables, for issues, pull requests and step summaries.
//!
//! Every string is text: what Markdown or HTML would interpret is escaped.

use super::people::{self, Shown, View};
use super::{RenderOptions, Renderer, RendererInfo};
use crate::check::check;
use crate::report::Report;
use crate::text::{lines, visible};
use std::io::{self, BufWriter, Write};

pub(super) const INFO: RendererInfo = RendererInfo {
    name: "markdown",
    extensions: &["md", "markdown"],
    media_type: "text/markdown",
    description: "GitHub tables, notes and provenance",
    make,
};

struct Markdown;

fn make(_: RenderOptions) -> Box<dyn Renderer> {
    Box::new(Markdown)
}

impl Renderer for Markdown {
    fn render(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        check(report)?;
        let mut out = BufWriter::new(out);
        if !report.title.is_empty() {
            writeln!(out, "# {}\n", escape(&visible(&report.title)))?;
        }
        for block in people::shown(report).filter(Shown::is_words) {
            match block {
                Shown::Text(text) => prose(&mut out, text, "")?,
                Shown::Table(view) => table(&mut out, &view)?,
                Shown::Figure(_) => {}
            }
            out.write_all(b"\n")?;
        }
        if !report.notes.is_empty() {
            out.write_all(b"**Notes**\n\n")?;
            for note in &report.notes {
                out.write_all(b"- ")?;
                prose(&mut out, note, "  ")?;
            }
            out.write_all(b"\n")?;
        }
        let facts: Vec<String> = people::provenance(report)
            .iter()
            .map(|(name, value)| format!("{} {}", escape(&visible(name)), escape(&visible(value))))
            .collect();
        writeln!(out, "{}", facts.join(" · "))?;
        out.flush()
    }
}

fn table(out: &mut impl Write, view: &View<'_>) -> io::Result<()> {
    if !view.table.title.is_empty() {
        writeln!(out, "## {}\n", escape(&visible(&view.table.title)))?;
    }
    if view.columns.is_empty() {
        return Ok(());
    }
    for at in 0..view.columns.len() {
        write!(out, "| {} ", escape(&view.heading(at)))?;
    }
    out.write_all(b"|\n")?;
    for right in &view.right {
        out.write_all(if *right { b"| ---: " } else { b"| --- " })?;
    }
    out.write_all(b"|\n")?;
    let mut cell = String::new();
    for row in &view.table.rows {
        for at in 0..view.columns.len() {
            view.cell(row, at, &mut cell);
            write!(out, "| {} ", escape(&cell))?;
        }
        out.write_all(b"|\n")?;
    }
    Ok(())
}

/// Lines of text; those after the first are indented and, by the two blanks at the end, kept apart.
fn prose(out: &mut impl Write, text: &str, indent: &str) -> io::Result<()> {
    for (at, line) in lines(text).enumerate() {
        if at > 0 {
            write!(out, "  \n{indent}")?;
        }
        let line = line.trim();
        // A line of text that begins like a list or a rule is still text.
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match line.as_bytes().get(digits) {
            Some(b'-' | b'+' | b'=') if digits == 0 => out.write_all(b"\\")?,
            Some(b'.' | b')') if digits > 0 => write!(out, "{}\\", &line[..digits])?,
            _ => out.write_all(&line.as_bytes()[..digits])?,
        }
        out.write_all(escape(&line[digits..]).as_bytes())?;
    }
    out.write_all(b"\n")
}

/// What Markdown and HTML would interpret, as text.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '!' | '$' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}
