//! Figures drawn from tables.
//!
//! A figure is plain data: panels with marks in the units of their axes, and the rows it draws as a [`Table`]. [`layout`]
//! says where everything stands, [`svg`] draws it, [`json`] hands the same data to a page, whose script draws it by the
//! same rules. The one decision: nothing is in a figure that is not in its table, so whoever does not see it loses nothing.

pub mod json;
pub mod layout;
mod mark;
#[cfg(feature = "png")]
pub mod png;
pub mod svg;

pub use mark::{Anchor, Mark, Shape};

use crate::table::Table;
use crate::text::visible;

/// The neutral colours, after the six that tell things apart: the colour of the text, and grey.
pub const INK: usize = 6;
/// See [`INK`].
pub const GREY: usize = 7;

/// Characters of a file's name at most.
const LONGEST_NAME: usize = 100;

/// Panels beside and below each other, with one legend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The figure's name for programs; may serve as a file's name.
    pub id: &'static str,
    /// What of, where a report has several of one name: a measure, two runs; may be empty.
    pub of: String,
    /// What it shows.
    pub title: String,
    /// What must be known to read it right, in a line below the title; may be empty.
    pub subtitle: String,
    /// What it shows and how to read it, for those who do not see it; may be empty.
    pub reading: String,
    /// Panels in one row.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Why there is nothing to draw, where there is nothing.
    pub empty: Option<String>,
    /// The rows it draws.
    pub table: Option<Table>,
}

/// One pair of axes and what is drawn on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Its heading; may be empty.
    pub title: String,
    /// Left to right; `None` for a drawing without scales, whose marks go from 0 to 1.
    pub x: Option<Axis>,
    /// Bottom to top.
    pub y: Option<Axis>,
    /// Words at the right end of rows: an axis of the same units as `y`, of which label and ticks are used.
    pub right: Option<Axis>,
    /// Width of the drawing inside its axes; 0 where it takes what there is.
    pub width: f64,
    /// Height of the drawing inside its axes; 0 for the usual one.
    pub height: f64,
    /// In the order they are drawn.
    pub marks: Vec<Mark>,
}

/// A linear scale from its first value to its last; the first may be the greater.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// Its first value.
    pub low: f64,
    /// Its last value.
    pub high: f64,
    /// Values and the words beside them; round values when there are none.
    pub ticks: Vec<(f64, String)>,
    /// Whether lines run through the drawing at the ticks.
    pub grid: bool,
}

impl Axis {
    /// A scale from `low` to `high` with round values along it.
    pub fn new(label: impl Into<String>, low: f64, high: f64) -> Axis {
        Axis { label: label.into(), low, high, ticks: Vec::new(), grid: true }
    }

    /// A scale with chosen ticks.
    pub fn ticks(label: impl Into<String>, low: f64, high: f64, ticks: Vec<(f64, String)>) -> Axis {
        Axis { label: label.into(), low, high, ticks, grid: true }
    }

    /// Names at 0, 1, 2..., first at the top when they stand at the left, and half a unit of room at either end.
    pub fn rows(label: impl Into<String>, names: Vec<String>) -> Axis {
        let last = names.len().max(1) as f64 - 0.5;
        let ticks = names.into_iter().enumerate().map(|(at, name)| (at as f64, name)).collect();
        Axis { label: label.into(), low: last, high: -0.5, ticks, grid: false }
    }

    /// The same from left to right.
    pub fn columns(label: impl Into<String>, names: Vec<String>) -> Axis {
        let rows = Axis::rows(label, names);
        Axis { low: rows.high, high: rows.low, ..rows }
    }
}

impl Figure {
    /// An empty figure with so many panels in a row.
    pub fn new(id: &'static str, title: impl Into<String>, columns: usize) -> Figure {
        Figure { id, title: title.into(), columns: columns.max(1), ..Figure::default() }
    }

    /// A figure that says why there is nothing to draw.
    pub fn nothing(id: &'static str, title: impl Into<String>, why: impl Into<String>) -> Figure {
        Figure { empty: Some(why.into()), ..Figure::new(id, title, 1) }
    }

    /// One more panel.
    pub fn panel(mut self, panel: Panel) -> Figure {
        self.panels.push(panel);
        self
    }

    /// What of, where a report has several of one name.
    pub fn of(mut self, of: impl Into<String>) -> Figure {
        self.of = of.into();
        self
    }

    /// Its name and what it is of, as a file may be called: letters, digits and `.@_-` only.
    pub fn file_name(&self) -> String {
        let whole = if self.of.is_empty() { self.id.to_owned() } else { format!("{}-{}", self.id, self.of) };
        let mut name = String::new();
        for c in whole.chars().take(LONGEST_NAME) {
            match c {
                c if c.is_ascii_alphanumeric() || matches!(c, '.' | '@' | '_') => name.push(c),
                _ if name.ends_with('-') => {}
                _ => name.push('-'),
            }
        }
        name.trim_matches(['-', '.']).to_owned()
    }

    /// What must be known to read it right.
    pub fn subtitle(mut self, text: impl Into<String>) -> Figure {
        self.subtitle = text.into();
        self
    }

    /// What it shows and how to read it.
    pub fn reading(mut self, text: impl Into<String>) -> Figure {
        self.reading = text.into();
        self
    }

    /// The rows it draws.
    pub fn rows(mut self, table: Table) -> Figure {
        self.table = Some(table);
        self
    }

    /// The figure with its texts as they are shown; what is laid out and drawn is this.
    pub(crate) fn visible(&self) -> Figure {
        let mut shown = self.clone();
        let fix = |text: &mut String| *text = visible(text).into_owned();
        [&mut shown.of, &mut shown.title, &mut shown.subtitle, &mut shown.reading]
            .into_iter()
            .chain(&mut shown.empty)
            .for_each(fix);
        for panel in &mut shown.panels {
            fix(&mut panel.title);
            for axis in [&mut panel.x, &mut panel.y, &mut panel.right].into_iter().flatten() {
                fix(&mut axis.label);
                axis.ticks.iter_mut().for_each(|(_, text)| fix(text));
            }
            panel.marks.iter_mut().flat_map(Mark::texts).for_each(fix);
        }
        shown
    }

    /// Why there is nothing to draw, also where nobody said so.
    pub fn why_empty(&self) -> Option<&str> {
        let silent = self.panels.iter().all(|panel| panel.marks.is_empty());
        self.empty.as_deref().or(silent.then_some("no values"))
    }
}

impl Panel {
    /// An empty panel with scales.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Panel {
        Panel { title: title.into(), x: Some(x), y: Some(y), ..Panel::default() }
    }

    /// Words at the right end of rows.
    pub fn right(mut self, axis: Axis) -> Panel {
        self.right = Some(axis);
        self
    }

    /// The size of the drawing inside its axes; 0 for the usual one.
    pub fn sized(mut self, width: f64, height: f64) -> Panel {
        (self.width, self.height) = (width, height);
        self
    }

    /// One more mark; what is not finite of it is left out.
    pub fn mark(mut self, mark: Mark) -> Panel {
        self.marks.extend(mark.finite());
        self
    }

    /// A line.
    pub fn line(self, series: usize, label: impl Into<String>, dashed: bool, points: Vec<(f64, f64)>) -> Panel {
        let label = label.into();
        self.mark(Mark::Line { series, name: label.clone(), label, dash: usize::from(dashed), points })
    }

    /// A band.
    pub fn band(self, series: usize, label: impl Into<String>, points: Vec<(f64, f64, f64)>) -> Panel {
        self.mark(Mark::Band { series, label: label.into(), points })
    }

    /// A dot without a name.
    pub fn dot(self, series: usize, at: (f64, f64)) -> Panel {
        let (label, name) = (String::new(), String::new());
        self.mark(Mark::Point { series, label, name, shape: Shape::Disc, size: 3.5, at })
    }

    /// Words, centred on a point.
    pub fn words(self, at: (f64, f64), text: impl Into<String>) -> Panel {
        self.mark(Mark::words(at, text))
    }
}
