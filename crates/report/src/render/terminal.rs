//! The terminal: quiet tables, aligned, with a rule under the header and nothing else.
//!
//! A piped table has every cell whole, for `awk` and `less -S`. On a terminal prose and a last column of words are wrapped to its width, and
//! long names lose their middle where a row would not fit. The alignment is done here in two walks over the rows (measure, then write) because a table
//! library would keep every formatted cell.

use super::bars::Bars;
use super::people::{self, Shown, View};
use super::{RenderOptions, Renderer, RendererInfo};
use crate::cell::Cell;
use crate::check::check;
use crate::report::Report;
use crate::text;
use std::io::{self, BufWriter, Write};

pub(super) const INFO: RendererInfo = RendererInfo {
    name: "terminal",
    extensions: &["txt"],
    media_type: "text/plain",
    description: "aligned tables for reading, scores with four decimals",
    make,
};

struct Terminal(RenderOptions);

fn make(options: RenderOptions) -> Box<dyn Renderer> {
    Box::new(Terminal(options))
}

impl Renderer for Terminal {
    fn render(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        check(report)?;
        let mut out = BufWriter::new(out);
        let mut parts = Parts { written: false };
        if !report.title.is_empty() {
            parts.start(&mut out)?;
            self.bold(&mut out, &text::visible(&report.title))?;
            out.write_all(b"\n")?;
        }
        for block in people::shown(report).filter(Shown::is_words) {
            parts.start(&mut out)?;
            match block {
                Shown::Text(text) => self.prose(&mut out, "", text)?,
                Shown::Table(view) => self.table(&mut out, &view)?,
                Shown::Figure(_) => {}
            }
        }
        if !report.notes.is_empty() {
            parts.start(&mut out)?;
        }
        for note in &report.notes {
            self.prose(&mut out, "note: ", note)?;
        }
        out.flush()
    }
}

/// A blank line between parts.
struct Parts {
    written: bool,
}

impl Parts {
    fn start(&mut self, out: &mut impl Write) -> io::Result<()> {
        if std::mem::replace(&mut self.written, true) { out.write_all(b"\n") } else { Ok(()) }
    }
}

/// Between two columns.
const GAP: usize = 2;

/// How the rows of a table are laid out.
struct Layout<'a> {
    widths: &'a [usize],
    /// Where a wrapped last column begins.
    hang: Option<usize>,
    /// Whether long names lose their middle.
    shortened: bool,
    bars: Option<&'a Bars>,
}

impl Terminal {
    fn bold(&self, out: &mut impl Write, text: &str) -> io::Result<()> {
        if self.0.color { write!(out, "\x1b[1m{text}\x1b[0m") } else { out.write_all(text.as_bytes()) }
    }

    /// Wrapped lines; `label` stands before the first, the others hang under it. Of several lines each hangs under its own beginning.
    fn prose(&self, out: &mut impl Write, label: &str, prose: &str) -> io::Result<()> {
        let mut wrapped = String::new();
        let hang = if label.is_empty() && text::lines(prose).nth(1).is_some() { GAP } else { 0 };
        for (at, line) in text::lines(prose).enumerate() {
            if at > 0 {
                wrapped.push('\n');
                wrapped.extend(std::iter::repeat_n(' ', label.len()));
            }
            let words = line.trim_start_matches(' ');
            let indent = line.len() - words.len();
            wrapped.push_str(&line[..indent]);
            text::wrap(words, self.0.width, label.len() + indent + hang, &mut wrapped);
        }
        self.bold(out, label.trim_end())?;
        out.write_all(&label.as_bytes()[label.trim_end().len()..])?;
        writeln!(out, "{}", wrapped.trim_end())
    }

    fn table(&self, out: &mut impl Write, view: &View<'_>) -> io::Result<()> {
        if !view.table.title.is_empty() {
            self.bold(out, &text::visible(&view.table.title))?;
            out.write_all(b"\n")?;
        }
        let mut widths = widths(view);
        let hang = self.hang(&widths, view);
        if let (Some(hang), Some(width), Some(last)) = (hang, self.0.width, widths.last_mut()) {
            *last = (*last).min(usize::from(width).saturating_sub(hang));
        }
        let shortened = self.shorten_names(&mut widths, view);
        let used: usize = widths.iter().map(|width| width + GAP).sum();
        let room = self.0.width.map_or(0, |width| usize::from(width).saturating_sub(used));
        let bars = Bars::of(&view.table, room).filter(|_| hang.is_none() && view.header);
        if view.header {
            self.header(out, view, &widths, bars.as_ref())?;
        }
        let layout = Layout { widths: &widths, hang, shortened, bars: bars.as_ref() };
        self.rows(out, view, layout)?;
        if view.table.rows.is_empty() {
            out.write_all(b"(no rows)\n")?;
        }
        if shortened {
            out.write_all("(names with … are shortened; -f csv has them in full)\n".as_bytes())?;
        }
        Ok(())
    }

    /// The cells of all rows.
    fn rows(&self, out: &mut impl Write, view: &View<'_>, layout: Layout<'_>) -> io::Result<()> {
        let (mut cell, mut line) = (String::new(), Line::default());
        for (place, row) in view.table.rows.iter().enumerate() {
            for (at, width) in layout.widths.iter().enumerate() {
                view.cell(row, at, &mut cell);
                match layout.hang {
                    Some(hang) if at + 1 == layout.widths.len() => {
                        let mut wrapped = String::new();
                        text::wrap(&cell, self.0.width, hang, &mut wrapped);
                        line.cell(&wrapped, *width, false);
                    }
                    _ if layout.shortened => line.cell(&text::shortened(&cell, *width), *width, view.right[at]),
                    _ => line.cell(&cell, *width, view.right[at]),
                }
            }
            if let Some(bars) = layout.bars {
                line.cell(&bars.bar(place), bars.width(), false);
            }
            line.end(out)?;
        }
        Ok(())
    }

    /// The headings, and a rule under them.
    fn header(&self, out: &mut impl Write, view: &View<'_>, widths: &[usize], bars: Option<&Bars>) -> io::Result<()> {
        let mut line = Line::default();
        for (at, width) in widths.iter().enumerate() {
            line.cell(&view.heading(at), *width, view.right[at]);
        }
        if let Some(bars) = bars {
            line.cell(&bars.heading(), bars.width(), false);
        }
        self.bold(out, line.text.trim_end())?;
        out.write_all(b"\n")?;
        line.clear();
        for width in widths.iter().copied().chain(bars.map(Bars::width)) {
            line.cell(&"─".repeat(width), width, false);
        }
        line.end(out)
    }
}

/// The width of each column: of its widest cell, or its heading.
fn widths(view: &View<'_>) -> Vec<usize> {
    let mut cell = String::new();
    let mut widths: Vec<usize> = (0..view.columns.len()).map(|at| text::width(&view.heading(at))).collect();
    for row in &view.table.rows {
        for (at, width) in widths.iter_mut().enumerate() {
            view.cell(row, at, &mut cell);
            *width = text::width(&cell).max(*width);
        }
    }
    widths
}

impl Terminal {
    /// Where the last column begins, if it is one of words that must be wrapped to fit.
    fn hang(&self, widths: &[usize], view: &View<'_>) -> Option<usize> {
        const LEAST: usize = 24;
        let (&last, others) = widths.split_last()?;
        let begins: usize = others.iter().map(|width| width + GAP).sum();
        let room = usize::from(self.0.width?).checked_sub(begins)?;
        (!view.right[widths.len() - 1] && last > room && room >= LEAST).then_some(begins)
    }
}

impl Terminal {
    /// Narrows columns of names, the widest first, if a row then fits the terminal; returns whether it does.
    fn shorten_names(&self, widths: &mut [usize], view: &View<'_>) -> bool {
        const LEAST: usize = 6;
        let Some(limit) = self.0.width.map(usize::from) else { return false };
        let excess = (widths.iter().map(|width| width + GAP).sum::<usize>()).saturating_sub(limit + GAP);
        let names: Vec<usize> = (0..widths.len()).filter(|&at| is_names(view, at)).collect();
        let mut narrow = widths.to_vec();
        for _ in 0..excess {
            let widest = names.iter().copied().max_by_key(|&at| (narrow[at], std::cmp::Reverse(at)));
            let Some(at) = widest.filter(|&at| narrow[at] > LEAST.max(text::width(&view.heading(at)))) else {
                return false;
            };
            narrow[at] -= 1;
        }
        widths.copy_from_slice(&narrow);
        excess > 0
    }
}

/// Whether the longest cell of a column is a name. Measures are told apart by their middle, and words for people stay whole.
fn is_names(view: &View<'_>, at: usize) -> bool {
    let texts = view.table.rows.iter().map(|row| match &row[view.columns[at]] {
        Cell::Text(text) => Some(text.as_str()),
        Cell::Missing => Some(""),
        _ => None,
    });
    let texts: Option<Vec<&str>> = texts.collect();
    let longest = texts.and_then(|texts| texts.into_iter().max_by_key(|text| text.len()));
    view.column(at).key != "measure" && longest.is_some_and(|text| !text.contains(' '))
}

/// A line being filled.
#[derive(Default)]
struct Line {
    text: String,
    /// Blanks owed: written only when something follows, so that no line ends in blanks.
    owed: usize,
    started: bool,
}

impl Line {
    fn cell(&mut self, cell: &str, width: usize, right: bool) {
        let blank = width.saturating_sub(text::width(cell));
        self.owed += if self.started { GAP } else { 0 } + if right { blank } else { 0 };
        self.started = true;
        if !cell.is_empty() {
            self.text.extend(std::iter::repeat_n(' ', std::mem::take(&mut self.owed)));
            self.text.push_str(cell);
        }
        self.owed += if right { 0 } else { blank };
    }

    fn end(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.text.push('\n');
        out.write_all(self.text.as_bytes())?;
        self.clear();
        Ok(())
    }

    fn clear(&mut self) {
        self.text.clear();
        self.owed = 0;
        self.started = false;
    }
}
