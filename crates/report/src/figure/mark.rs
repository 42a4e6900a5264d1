//! Marks: what is drawn on a panel.
//!
//! Six marks, each one element or two: bars are cells of a matrix, parts of a stack and boxes; spans are intervals and
//! whiskers. `series` chooses the colour; marks of one look and label are one entry of the legend, and `name` is what a
//! pointer or a screen reader is told.

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line {
        /// Colour.
        series: usize,
        /// In the legend; may be empty.
        label: String,
        /// What it is called; may be empty.
        name: String,
        /// 0 solid, 1 dashed, 2 dotted, 3 dashes and dots.
        dash: usize,
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
    /// A point.
    Point {
        /// Colour.
        series: usize,
        /// In the legend; may be empty.
        label: String,
        /// What it is called; may be empty.
        name: String,
        /// Its shape.
        shape: Shape,
        /// Half its width, in units of the page.
        size: f64,
        /// Where.
        at: (f64, f64),
    },
    /// A rectangle.
    Bar {
        /// Colour.
        series: usize,
        /// In the legend; may be empty.
        label: String,
        /// What it is called; may be empty.
        name: String,
        /// How strong the colour is, from 0 to 1.
        shade: f64,
        /// From one side to the other.
        x: (f64, f64),
        /// From one end to the other.
        y: (f64, f64),
    },
    /// A straight piece, as of an interval.
    Span {
        /// Colour.
        series: usize,
        /// In the legend; may be empty.
        label: String,
        /// What it is called; may be empty.
        name: String,
        /// How thick, in units of the page.
        weight: f64,
        /// Half the length of the bar across each end, in units of the page; 0 for none.
        cap: f64,
        /// From.
        from: (f64, f64),
        /// To.
        to: (f64, f64),
    },
    /// Words at a point.
    Words {
        /// Where.
        at: (f64, f64),
        /// What.
        text: String,
        /// Which end of the words stands there.
        anchor: Anchor,
        /// Moved by so much on the page: to the right, down.
        shift: (f64, f64),
        /// Whether they stand on a strong colour.
        on_colour: bool,
    },
}

/// What a point looks like, so that grey print tells series apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A disc.
    #[default]
    Disc,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// A cross of two strokes.
    Cross,
    /// A circle.
    Ring,
}

impl Shape {
    /// The shape that goes with a colour.
    pub fn of(series: usize) -> Shape {
        [Shape::Disc, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Cross, Shape::Ring][series % 6]
    }

    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Disc => "disc",
            Shape::Square => "square",
            Shape::Triangle => "triangle",
            Shape::Diamond => "diamond",
            Shape::Cross => "cross",
            Shape::Ring => "ring",
        }
    }
}

/// Which end of words stands at their point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// Their beginning.
    Start,
    /// Their middle.
    #[default]
    Middle,
    /// Their end.
    End,
}

impl Anchor {
    /// SVG's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

impl Mark {
    /// A curve with a label, its dashes chosen by its colour so that grey print tells them apart.
    pub fn curve(series: usize, label: impl Into<String>, points: Vec<(f64, f64)>) -> Mark {
        let label = label.into();
        Mark::Line { series, name: label.clone(), label, dash: series % 4, points }
    }

    /// A point of the usual size, its shape chosen by its colour.
    pub fn point(series: usize, at: (f64, f64)) -> Mark {
        Mark::Point { series, label: String::new(), name: String::new(), shape: Shape::of(series), size: 3.5, at }
    }

    /// A bar of full colour.
    pub fn bar(series: usize, x: (f64, f64), y: (f64, f64)) -> Mark {
        Mark::Bar { series, label: String::new(), name: String::new(), shade: 1.0, x, y }
    }

    /// A straight piece without ends.
    pub fn span(series: usize, weight: f64, from: (f64, f64), to: (f64, f64)) -> Mark {
        Mark::Span { series, label: String::new(), name: String::new(), weight, cap: 0.0, from, to }
    }

    /// Words, centred on a point.
    pub fn words(at: (f64, f64), text: impl Into<String>) -> Mark {
        Mark::Words { at, text: text.into(), anchor: Anchor::Middle, shift: (0.0, 0.0), on_colour: false }
    }

    /// With an entry in the legend (words: with other words).
    pub fn labelled(mut self, label: impl Into<String>) -> Mark {
        if let Some(place) = self.texts().into_iter().next() {
            *place = label.into();
        }
        self
    }

    /// With a name, where it can have one.
    pub fn named(mut self, name: impl Into<String>) -> Mark {
        if let Some(place) = self.texts().into_iter().nth(1) {
            *place = name.into();
        }
        self
    }

    /// Its label and its name, or its words.
    pub(super) fn texts(&mut self) -> Vec<&mut String> {
        match self {
            Mark::Line { label, name, .. }
            | Mark::Point { label, name, .. }
            | Mark::Bar { label, name, .. }
            | Mark::Span { label, name, .. } => vec![label, name],
            Mark::Band { label, .. } => vec![label],
            Mark::Words { text, .. } => vec![text],
        }
    }

    /// The mark without what is not finite; nothing where nothing is left.
    pub(super) fn finite(mut self) -> Option<Mark> {
        let known = |(a, b): (f64, f64)| a.is_finite() && b.is_finite();
        let kept = match &mut self {
            Mark::Line { points, .. } => {
                points.retain(|&point| known(point));
                !points.is_empty()
            }
            Mark::Band { points, .. } => {
                points.retain(|&(x, low, high)| known((x, low)) && high.is_finite());
                !points.is_empty()
            }
            Mark::Point { at, size, .. } => known(*at) && size.is_finite(),
            Mark::Bar { x, y, shade, .. } => {
                *shade = if shade.is_finite() { shade.clamp(0.0, 1.0) } else { 0.0 };
                known(*x) && known(*y)
            }
            Mark::Span { from, to, weight, cap, .. } => known(*from) && known(*to) && known((*weight, *cap)),
            Mark::Words { at, shift, .. } => known(*at) && known(*shift),
        };
        kept.then_some(self)
    }
}
