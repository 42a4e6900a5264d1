//! The page as one HTML file: nothing fetched, nothing run but its own script.
//!
//! Every string from a file is escaped text or a JSON string; the content security policy names the one script and the one style sheet by
//! their hashes, so that markup smuggled in some way nobody thought of would still be dead.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use sha2::{Digest, Sha256};

use super::pack;
use super::parts::{STYLE, script};
use super::{Definition, Evidence, Page, Piece, Section};
use crate::figure::{Figure, svg};
use crate::render::html::table;
use crate::render::people;
use crate::report::Report;
use crate::table::Table;
use crate::text::{escape, lines, visible};

/// Writes the page.
///
/// # Errors
/// It cannot be written.
pub fn write(page: &Page, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let script = script();
    head(&mut out, page, &script)?;
    out.write_all(b"<a class=\"skip\" href=\"#verdict\">To the verdict</a>\n")?;
    write!(
        out,
        "<header>\n<h1>{}</h1>\n<button type=\"button\" id=\"theme\" class=\"script\" aria-pressed=\"false\">Dark</button>\n</header>\n",
        text(&page.title)
    )?;
    navigation(&mut out, page)?;
    out.write_all(b"<main>\n")?;
    verdict(&mut out, page)?;
    if page.evidence.is_some() {
        out.write_all(
            b"<section id=\"choice\" class=\"script choice\" aria-label=\"Choose measure and runs\"><div data-widget=\"choice\"></div></section>\n",
        )?;
    }
    for part in &page.sections {
        section(&mut out, part)?;
    }
    definitions(&mut out, &page.definitions)?;
    notes(&mut out, page)?;
    provenance(&mut out, page)?;
    out.write_all(b"</main>\n<dialog id=\"rankings-dialog\" aria-label=\"Rankings of a topic\"></dialog>\n")?;
    if let Some(evidence) = &page.evidence {
        let json = pack::json(evidence, &still(page, evidence));
        writeln!(out, "<script type=\"application/json\" id=\"evidence\">{json}</script>")?;
    }
    write!(out, "<script>{script}</script>\n</body>\n</html>\n")?;
    out.flush()
}

/// What stands before the page's content, with the policy that lets only its own script and style sheet run.
fn head(out: &mut dyn Write, page: &Page, script: &str) -> io::Result<()> {
    let title = text(&page.title);
    let policy = |source: &str| format!("'sha256-{}'", BASE64.encode(Sha256::digest(source)));
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"karat {}\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        policy(STYLE),
        policy(script),
        page.version,
    )
}

fn text(words: &str) -> String {
    escape(&visible(words))
}

fn prose(words: &str) -> String {
    lines(words).map(|line| escape(&line)).collect::<Vec<_>>().join("<br>")
}

/// The sections that every page ends with: anchor, title.
const LAST: [(&str, &str); 3] = [("measures", "Measures"), ("notes", "Notes"), ("provenance", "Provenance")];

fn navigation(out: &mut impl Write, page: &Page) -> io::Result<()> {
    out.write_all(b"<nav aria-label=\"Sections\">\n<ul>\n<li><a href=\"#verdict\">Verdict</a></li>\n")?;
    for part in &page.sections {
        let absent = if part.content.is_err() { " class=\"absent\"" } else { "" };
        writeln!(out, "<li{absent}><a href=\"#{}\">{}</a></li>", part.id, text(&part.title))?;
    }
    for (id, title) in LAST {
        writeln!(out, "<li><a href=\"#{id}\">{title}</a></li>")?;
    }
    out.write_all(b"</ul>\n</nav>\n")
}

fn verdict(out: &mut impl Write, page: &Page) -> io::Result<()> {
    write!(
        out,
        "<section id=\"verdict\" class=\"verdict\">\n<h2 class=\"quiet\">Verdict</h2>\n<p class=\"headline\">{}</p>\n<dl>\n",
        prose(&page.verdict.headline)
    )?;
    for (heading, sentences) in &page.verdict.points {
        write!(out, "<div><dt>{}</dt>", text(heading))?;
        for sentence in sentences {
            write!(out, "<dd>{}</dd>", prose(sentence))?;
        }
        out.write_all(b"</div>\n")?;
    }
    out.write_all(b"</dl>\n</section>\n")
}

fn section(out: &mut impl Write, part: &Section) -> io::Result<()> {
    let absent = if part.content.is_err() { " class=\"absent\"" } else { "" };
    write!(out, "<section id=\"{}\"{absent}>\n<h2>{}</h2>\n", part.id, text(&part.title))?;
    match &part.content {
        Err(why) => writeln!(out, "<p class=\"why\">Not in this report: {}</p>", prose(why))?,
        Ok(pieces) => {
            if !part.lead.is_empty() {
                writeln!(out, "<p class=\"lead\">{}</p>", prose(&part.lead))?;
            }
            pieces.iter().try_for_each(|one| piece(out, one))?;
        }
    }
    out.write_all(b"</section>\n")
}

fn piece(out: &mut impl Write, piece: &Piece) -> io::Result<()> {
    match piece {
        Piece::Text(words) => writeln!(out, "<p>{}</p>", prose(words)),
        Piece::List(sentences) => list(out, sentences),
        Piece::Table(of) => table(out, &people::view(Cow::Borrowed(of), true)),
        Piece::Behind(of) => behind(out, of),
        Piece::Figure(of) => figure(out, of),
        Piece::Widget { name, otherwise, table: rows } => {
            write!(out, "<div data-widget=\"{name}\">")?;
            if !otherwise.is_empty() {
                write!(out, "<p class=\"without\">{}</p>", prose(otherwise))?;
            }
            if let Some(rows) = rows {
                table(out, &people::view(Cow::Borrowed(rows), true))?;
            }
            out.write_all(b"</div>\n")
        }
    }
}

fn list(out: &mut impl Write, sentences: &[String]) -> io::Result<()> {
    out.write_all(b"<ul>\n")?;
    for sentence in sentences {
        writeln!(out, "<li>{}</li>", prose(sentence))?;
    }
    out.write_all(b"</ul>\n")
}

/// The figures of the sections that the script does not choose among.
fn still<'a>(page: &'a Page, evidence: &Evidence) -> Vec<&'a Figure> {
    let chosen =
        |figure: &Figure| evidence.figures.iter().any(|(name, models)| name == figure.id && !models.is_empty());
    page.figures().filter(|figure| !chosen(figure)).collect()
}

/// The figure, its controls' place, and the rows it draws.
fn figure(out: &mut impl Write, of: &Figure) -> io::Result<()> {
    write!(
        out,
        "<figure data-figure=\"{}\">\n<div class=\"controls script\"></div>\n<div class=\"drawing\" tabindex=\"0\">",
        of.id
    )?;
    svg::write_in_page(of, out)?;
    out.write_all(b"</div>\n")?;
    if !of.reading.is_empty() {
        writeln!(out, "<figcaption>{}</figcaption>", prose(&of.reading))?;
    }
    if let Some(rows) = &of.table {
        behind(out, rows)?;
    }
    out.write_all(b"</figure>\n")
}

/// Rows of a table behind a figure that the page carries: with a hundred runs some have many thousands.
pub(super) const ROWS: usize = 600;

fn behind(out: &mut impl Write, of: &Table) -> io::Result<()> {
    let title = if of.title.is_empty() { "Data" } else { &of.title };
    writeln!(out, "<details class=\"behind\">\n<summary>{}</summary>", text(title))?;
    let shown = Table { title: String::new(), rows: of.rows.iter().take(ROWS).cloned().collect(), ..of.clone() };
    table(out, &people::view(Cow::Owned(shown), true))?;
    if of.rows.len() > ROWS {
        writeln!(out, "<p class=\"quiet\">The first {ROWS} of {} rows.</p>", of.rows.len())?;
    }
    out.write_all(b"</details>\n")
}

fn definitions(out: &mut impl Write, all: &[Definition]) -> io::Result<()> {
    out.write_all(b"<section id=\"measures\">\n<h2>Measures: definitions and references</h2>\n")?;
    for one in all {
        write!(
            out,
            "<details class=\"definition\">\n<summary><b>{}</b> {}</summary>\n<pre class=\"formula\">{}</pre>\n\
             <p>{}</p>\n<p><b>When it misleads.</b> {}</p>\n<p><b>Bounds</b> over unjudged documents are {}.</p>\n<p>{}</p>\n\
             <pre class=\"bibtex\">{}</pre>\n</details>\n",
            text(&one.name),
            text(&one.summary),
            text(&one.formula),
            text(&one.reading),
            text(&one.misleads),
            text(&one.bounds),
            text(&one.citation),
            text(&one.bibtex),
        )?;
    }
    out.write_all(b"<div data-widget=\"bibtex\"></div>\n</section>\n")
}

fn notes(out: &mut impl Write, page: &Page) -> io::Result<()> {
    out.write_all(b"<section id=\"notes\">\n<h2>Notes: assumptions and warnings</h2>\n")?;
    if page.notes.is_empty() {
        out.write_all(b"<p>Nothing.</p>\n")?;
    } else {
        list(out, &page.notes)?;
    }
    out.write_all(b"</section>\n")
}

fn provenance(out: &mut impl Write, page: &Page) -> io::Result<()> {
    let mut report = Report::new("", "report", page.version);
    report.provenance = page.provenance.clone();
    out.write_all(b"<section id=\"provenance\">\n<h2>Provenance</h2>\n<div class=\"table wraps\" tabindex=\"0\">\n<table>\n<tbody>\n")?;
    for (name, value) in people::provenance(&report) {
        writeln!(out, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>", text(&name), text(&value))?;
    }
    out.write_all(b"</tbody>\n</table>\n</div>\n</section>\n")
}
