//! Figures: what a table says, drawn.
//!
//! A figure is data (panels with lines, bands, dots and words in the units of their axes); [`svg`] draws it. The one
//! decision: nothing is in a figure that is not in a table of the same report, so formats for programs leave figures
//! out and lose nothing.

pub mod svg;

/// Panels beside and below each other, with one legend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The figure's name for programs; may serve as a file's name.
    pub id: &'static str,
    /// What it shows, for people and for those who do not see it.
    pub title: String,
    /// Panels in one row.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

/// One pair of axes and what is drawn on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Its heading; may be empty.
    pub title: String,
    /// Left to right; `None` for a drawing without scales.
    pub x: Option<Axis>,
    /// Bottom to top.
    pub y: Option<Axis>,
    /// In the order they are drawn.
    pub marks: Vec<Mark>,
}

/// A linear scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// Its first value.
    pub low: f64,
    /// Its last value.
    pub high: f64,
}

impl Axis {
    /// A scale from `low` to `high`.
    pub fn new(label: impl Into<String>, low: f64, high: f64) -> Axis {
        Axis { label: label.into(), low, high }
    }
}

/// Something drawn. `series` chooses the colour; marks of one series and label are one row of the legend.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line {
        /// Colour.
        series: usize,
        /// In the legend; may be empty.
        label: String,
        /// Whether it is dashed.
        dashed: bool,
        /// From left to right.
        points: Vec<(f64, f64)>,
    },
    /// The area between two lines: (x, lower y, upper y).
    Band {
        /// Colour.
        series: usize,
        /// In the legend; may be empty.
        label: String,
        /// From left to right.
        points: Vec<(f64, f64, f64)>,
    },
    /// A dot.
    Dot {
        /// Colour.
        series: usize,
        /// Where.
        at: (f64, f64),
    },
    /// Words, centred on a point.
    Words {
        /// Where.
        at: (f64, f64),
        /// What.
        text: String,
    },
}

impl Figure {
    /// An empty figure with so many panels in a row.
    pub fn new(id: &'static str, title: impl Into<String>, columns: usize) -> Figure {
        Figure { id, title: title.into(), columns: columns.max(1), panels: Vec::new() }
    }

    /// One more panel.
    pub fn panel(mut self, panel: Panel) -> Figure {
        self.panels.push(panel);
        self
    }
}

impl Panel {
    /// An empty panel with scales.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Panel {
        Panel { title: title.into(), x: Some(x), y: Some(y), marks: Vec::new() }
    }

    /// One more mark.
    pub fn mark(mut self, mark: Mark) -> Panel {
        self.marks.push(mark);
        self
    }

    /// A line.
    pub fn line(self, series: usize, label: impl Into<String>, dashed: bool, points: Vec<(f64, f64)>) -> Panel {
        self.mark(Mark::Line { series, label: label.into(), dashed, points })
    }

    /// A band.
    pub fn band(self, series: usize, label: impl Into<String>, points: Vec<(f64, f64, f64)>) -> Panel {
        self.mark(Mark::Band { series, label: label.into(), points })
    }
}
