//! HTML: one self-contained page, nothing fetched and nothing run.
//!
//! Every string is escaped, and the page forbids itself scripts, images and connections by a content security policy:
//! a docno of `<script>` is shown, twice over not run.

use super::people::{self, Shown, View};
use super::{RenderOptions, Renderer, RendererInfo};
use crate::check::check;
use crate::figure::{Figure, svg};
use crate::report::Report;
use crate::text::{escape, lines, visible};
use std::io::{self, BufWriter, Write};

pub(super) const INFO: RendererInfo = RendererInfo {
    name: "html",
    extensions: &["html", "htm"],
    media_type: "text/html",
    description: "one self-contained page with tables, notes and provenance",
    make,
};

struct Html;

fn make(_: RenderOptions) -> Box<dyn Renderer> {
    Box::new(Html)
}

const STYLE: &str = include_str!("html.css");

impl Renderer for Html {
    fn render(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        check(report)?;
        let mut out = BufWriter::new(out);
        let title = escape(&visible(&report.title));
        write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        )?;
        for block in people::shown(report) {
            match block {
                Shown::Text(text) => writeln!(out, "<p>{}</p>", prose(text))?,
                Shown::Table(view) => table(&mut out, &view)?,
                Shown::Figure(figure) => drawing(&mut out, figure)?,
            }
        }
        if !report.notes.is_empty() {
            out.write_all(b"<section>\n<h2>Notes</h2>\n<ul>\n")?;
            for note in &report.notes {
                writeln!(out, "<li>{}</li>", prose(note))?;
            }
            out.write_all(b"</ul>\n</section>\n")?;
        }
        out.write_all(b"<details>\n<summary>Where these numbers come from</summary>\n<table>\n<tbody>\n")?;
        for (name, value) in people::provenance(report) {
            let (name, value) = (escape(&visible(&name)), escape(&visible(&value)));
            writeln!(out, "<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>")?;
        }
        out.write_all(b"</tbody>\n</table>\n</details>\n</main>\n</body>\n</html>\n")?;
        out.flush()
    }
}

/// A figure, and the rows it draws for those who do not see it.
fn drawing(out: &mut impl Write, figure: &Figure) -> io::Result<()> {
    out.write_all(b"<figure>\n")?;
    svg::write_in_page(figure, out)?;
    if let Some(rows) = figure.table.as_ref().filter(|rows| !rows.rows.is_empty()) {
        out.write_all(b"<details>\n<summary>The numbers</summary>\n")?;
        table(out, &people::of_figure(rows))?;
        out.write_all(b"</details>\n")?;
    }
    out.write_all(b"</figure>\n")
}

/// Characters that a cell may have on one line.
const LONG: usize = 40;

/// A table in a box of its own that scrolls.
pub(crate) fn table(out: &mut (impl Write + ?Sized), view: &View<'_>) -> io::Result<()> {
    // Wide tables scroll in their own box; the page does not.
    out.write_all(b"<div class=\"table\" tabindex=\"0\">\n<table>\n")?;
    if !view.table.title.is_empty() {
        writeln!(out, "<caption>{}</caption>", escape(&visible(&view.table.title)))?;
    }
    if view.header {
        out.write_all(b"<thead>\n<tr>")?;
        for (at, right) in view.right.iter().enumerate() {
            write!(out, "<th scope=\"col\"{}>{}</th>", side(*right), escape(&view.heading(at)))?;
        }
        out.write_all(b"</tr>\n</thead>\n")?;
    }
    out.write_all(b"<tbody>\n")?;
    let mut cell = String::new();
    for row in &view.table.rows {
        out.write_all(b"<tr>")?;
        for (at, right) in view.right.iter().enumerate() {
            view.cell(row, at, &mut cell);
            let text = escape(&cell);
            if view.names_row(row, at) {
                write!(out, "<th scope=\"row\">{text}</th>")?;
            } else {
                // Long words wrap, or the columns after them are out of sight.
                let class = if !right && cell.chars().count() > LONG { " class=\"w\"" } else { side(*right) };
                write!(out, "<td{class}>{text}</td>")?;
            }
        }
        out.write_all(b"</tr>\n")?;
    }
    out.write_all(b"</tbody>\n</table>\n</div>\n")
}

fn side(right: bool) -> &'static str {
    if right { " class=\"n\"" } else { "" }
}

fn prose(text: &str) -> String {
    lines(text).map(|line| escape(&line)).collect::<Vec<_>>().join("<br>")
}
