//! A figure as SVG: one element tree, no scripts, no fonts fetched, the same bytes for the same figure.
//!
//! In a file, colours are plain and the ground is white, for printers and for drawing programs. In a page, each colour is a
//! custom property (`--figure-0` to `--figure-7`, `--figure-on`) that falls back on the plain one, so that the page
//! decides in the dark; axes and words take the colour of the text around them in both.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

use super::layout::{
    EDGE, Entry, Frame, LINE, Layout, NAME, SMALL, SWATCH, Swatch, TEXT, TITLE, fit, layout, tenths, ticks,
};
use super::{Anchor, Axis, Figure, GREY, INK, Mark, Panel, Shape};
use crate::text::escape;

/// Colours that people of all kinds of sight tell apart (Okabe and Ito 2008), the colour of the text, and grey.
pub const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "currentColor", "#8a8a8a"];
/// Dashes by their number; the first is none.
pub const DASHES: [&str; 4] = ["", "6 4", "2 3", "8 3 2 3"];
/// How strong the colour of a band is.
const AREA: &str = "0.2";
/// Axes and lines through the drawing.
const FAINT: &str = "fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.55\"";
const GRID: &str = "fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.13\"";

/// Writes the figure as an SVG file.
///
/// # Errors
/// It cannot be written.
pub fn write(figure: &Figure, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(Drawing { page: false, out: String::new() }.figure(&figure.visible()).as_bytes())
}

/// Writes the figure as an element of a page.
///
/// # Errors
/// It cannot be written.
pub fn write_in_page(figure: &Figure, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(Drawing { page: true, out: String::new() }.figure(&figure.visible()).as_bytes())
}

/// A length on the page.
struct Px(f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", tenths(self.0))
    }
}

/// The drawing so far. Writing to a string cannot fail, so what `write!` says is not looked at.
struct Drawing {
    page: bool,
    out: String,
}

impl Drawing {
    fn colour(&self, series: usize) -> String {
        let series = series % COLOURS.len();
        match COLOURS[series] {
            plain if !self.page || series == INK => plain.to_owned(),
            plain => format!("var(--figure-{series},{plain})"),
        }
    }

    fn figure(mut self, figure: &Figure) -> String {
        let layout = layout(figure);
        let (width, height, title) = (Px(layout.width), Px(layout.height), escape(&figure.title));
        let _ = writeln!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" aria-label=\"{title}\" font-family=\"'DejaVu Sans',Verdana,sans-serif\" font-size=\"{TEXT}\" \
             fill=\"currentColor\">"
        );
        let _ = writeln!(self.out, "<title>{title}</title>");
        if !figure.reading.is_empty() {
            let _ = writeln!(self.out, "<desc>{}</desc>", escape(&figure.reading));
        }
        if !self.page {
            let _ = writeln!(self.out, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>");
        }
        let down = self.headings(&layout);
        match figure.why_empty() {
            Some(why) => {
                self.text(EDGE, down + LINE, &format!("font-size=\"{TEXT}\""), &format!("nothing to draw: {why}"))
            }
            None => {
                for (panel, frame) in figure.panels.iter().zip(&layout.frames) {
                    self.panel(panel, frame);
                }
            }
        }
        layout.legend.iter().for_each(|entry| self.entry(entry));
        self.out.push_str("</svg>\n");
        self.out
    }

    /// The title and the line below it; where they end.
    fn headings(&mut self, layout: &Layout) -> f64 {
        let mut down = EDGE;
        for line in &layout.title {
            self.text(EDGE, down + 14.0, &format!("font-size=\"{TITLE}\" font-weight=\"bold\""), line);
            down += 19.0;
        }
        for line in &layout.subtitle {
            self.text(EDGE, down + 12.0, "fill-opacity=\"0.75\"", line);
            down += LINE;
        }
        down
    }

    fn text(&mut self, x: f64, y: f64, attributes: &str, text: &str) {
        let space = if attributes.is_empty() { "" } else { " " };
        let _ = writeln!(self.out, "<text x=\"{}\" y=\"{}\"{space}{attributes}>{}</text>", Px(x), Px(y), escape(text));
    }

    /// Words beside an axis, cut to their room; the whole of them is in the title.
    fn cut(&mut self, (x, y): (f64, f64), attributes: &str, text: &str, (size, room): (f64, f64)) {
        let (shown, cut) = fit(text, size, room);
        let title = if cut { format!("<title>{}</title>", escape(text)) } else { String::new() };
        let _ =
            writeln!(self.out, "<text x=\"{}\" y=\"{}\" {attributes}>{}{title}</text>", Px(x), Px(y), escape(&shown));
    }

    fn panel(&mut self, panel: &Panel, frame: &Frame) {
        if !panel.title.is_empty() {
            let room = (TEXT * 1.05, frame.width);
            self.cut((frame.left, frame.top - 10.0), "font-weight=\"bold\"", &panel.title, room);
        }
        self.axes(panel, frame);
        panel.marks.iter().for_each(|mark| self.mark(panel, frame, mark));
    }

    fn axes(&mut self, panel: &Panel, frame: &Frame) {
        if let Some(axis) = &panel.x {
            self.x_axis(panel, frame, axis);
        }
        if let Some(axis) = &panel.y {
            self.y_axis(panel, frame, axis);
        }
        if let Some(axis) = &panel.right {
            let right = frame.left + frame.width;
            let attributes = format!("font-size=\"{SMALL}\"");
            for (value, label) in &axis.ticks {
                let (_, y) = frame.place(panel, (0.0, *value));
                self.cut((right + 8.0, y + 4.0), &attributes, label, (SMALL, 2.0 * NAME));
            }
            self.cut(
                (right + 8.0, frame.top - 10.0),
                &format!("{attributes} font-weight=\"bold\""),
                &axis.label,
                (SMALL, 2.0 * NAME),
            );
        }
    }

    fn x_axis(&mut self, panel: &Panel, frame: &Frame, axis: &Axis) {
        let (left, right, bottom) = (frame.left, frame.left + frame.width, frame.top + frame.height);
        let ticks = ticks(axis, frame.width, 60.0);
        let room = (frame.width / ticks.len().max(1) as f64 - 4.0).max(20.0);
        for (value, label) in &ticks {
            let (x, _) = frame.place(panel, (*value, 0.0));
            if axis.grid {
                let _ = writeln!(self.out, "<path d=\"M{} {}V{}\" {GRID}/>", Px(x), Px(frame.top), Px(bottom));
            }
            let attributes = format!("font-size=\"{SMALL}\" text-anchor=\"middle\"");
            self.cut((x, bottom + 16.0), &attributes, label, (SMALL, room));
        }
        let _ = writeln!(self.out, "<path d=\"M{} {}H{}\" {FAINT}/>", Px(left), Px(bottom), Px(right));
        if !axis.label.is_empty() {
            let middle = left + frame.width / 2.0;
            self.cut((middle, bottom + 34.0), "text-anchor=\"middle\"", &axis.label, (TEXT, frame.width + 40.0));
        }
    }

    fn y_axis(&mut self, panel: &Panel, frame: &Frame, axis: &Axis) {
        let (left, right, bottom) = (frame.left, frame.left + frame.width, frame.top + frame.height);
        for (value, label) in ticks(axis, frame.height, 40.0) {
            let (_, y) = frame.place(panel, (0.0, value));
            if axis.grid {
                let _ = writeln!(self.out, "<path d=\"M{} {}H{}\" {GRID}/>", Px(left), Px(y), Px(right));
            }
            let attributes = format!("font-size=\"{SMALL}\" text-anchor=\"end\"");
            self.cut((left - 6.0, y + 4.0), &attributes, &label, (SMALL, NAME));
        }
        let _ = writeln!(self.out, "<path d=\"M{} {}V{}\" {FAINT}/>", Px(left), Px(frame.top), Px(bottom));
        if !axis.label.is_empty() {
            // Beside the widest of the words, which start at the panel's left.
            let x = left - super::layout::left(panel, frame.height) + 10.0;
            let y = frame.top + frame.height / 2.0;
            let turned = format!("text-anchor=\"middle\" transform=\"rotate(-90 {} {})\"", Px(x), Px(y));
            self.cut((x, y), &turned, &axis.label, (TEXT, frame.height + 30.0));
        }
    }

    fn mark(&mut self, panel: &Panel, frame: &Frame, mark: &Mark) {
        match mark {
            Mark::Band { series, points, .. } => {
                let there = points.iter().map(|&(x, _, upper)| (x, upper));
                let back = points.iter().rev().map(|&(x, lower, _)| (x, lower));
                let path = path(panel, frame, there.chain(back));
                let colour = self.colour(*series);
                let _ = writeln!(self.out, "<path d=\"{path}Z\" fill=\"{colour}\" fill-opacity=\"{AREA}\"/>");
            }
            Mark::Line { series, name, dash, points, .. } => {
                let path = path(panel, frame, points.iter().copied());
                let colour = self.colour(*series);
                let width = if series % COLOURS.len() == GREY { "1" } else { "1.8" };
                let look = format!(
                    "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{}",
                    dashes(*dash)
                );
                self.element("path", &format!("d=\"{path}\" {look}"), name);
            }
            Mark::Point { series, name, shape, size, at, .. } => {
                let at = frame.place(panel, *at);
                self.point(*series, *shape, *size, at, name);
            }
            Mark::Bar { series, name, shade, x, y, .. } => {
                let (a, b) = (frame.place(panel, (x.0, y.0)), frame.place(panel, (x.1, y.1)));
                self.bar(*series, *shade, (a, b), name);
            }
            Mark::Span { series, name, weight, cap, from, to, .. } => {
                let ends = (frame.place(panel, *from), frame.place(panel, *to));
                self.span(*series, (*weight, *cap), ends, name);
            }
            Mark::Words { at, text, anchor, shift, on_colour } => {
                let (x, y) = frame.place(panel, *at);
                let look = self.look_of_words(*anchor, *on_colour);
                self.text(x + shift.0, y + 4.0 + shift.1, &look, text);
            }
        }
    }

    fn look_of_words(&self, anchor: Anchor, on_colour: bool) -> String {
        let side = match anchor {
            Anchor::Start => String::new(),
            other => format!(" text-anchor=\"{}\"", other.name()),
        };
        let fill = match (on_colour, self.page) {
            (false, _) => "",
            (true, false) => " fill=\"#fff\"",
            (true, true) => " fill=\"var(--figure-on,#fff)\"",
        };
        format!("font-size=\"{SMALL}\"{side}{fill}")
    }

    /// An element, with a title where it has a name.
    fn element(&mut self, tag: &str, attributes: &str, name: &str) {
        let _ = if name.is_empty() {
            writeln!(self.out, "<{tag} {attributes}/>")
        } else {
            writeln!(self.out, "<{tag} {attributes}><title>{}</title></{tag}>", escape(name))
        };
    }

    fn point(&mut self, series: usize, shape: Shape, r: f64, (x, y): (f64, f64), name: &str) {
        let colour = self.colour(series);
        let filled = format!("fill=\"{colour}\"");
        let stroked = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"");
        let disc = format!("cx=\"{}\" cy=\"{}\" r=\"{}\"", Px(x), Px(y), Px(r));
        let (tag, attributes) = match shape {
            Shape::Disc => ("circle", format!("{disc} {filled}")),
            Shape::Ring => ("circle", format!("{disc} {stroked}")),
            Shape::Square => {
                ("path", format!("d=\"M{} {}h{s}v{s}h-{s}Z\" {filled}", Px(x - r), Px(y - r), s = Px(2.0 * r)))
            }
            Shape::Diamond => {
                let (r, to) = (r * 1.3, Px);
                let corners =
                    [(x, y - r), (x + r, y), (x, y + r), (x - r, y)].map(|(x, y)| format!("{} {}", to(x), to(y)));
                ("path", format!("d=\"M{}Z\" {filled}", corners.join("L")))
            }
            Shape::Triangle => {
                let (r, to) = (r * 1.2, Px);
                let corners = [(x, y - r), (x + r, y + r), (x - r, y + r)].map(|(x, y)| format!("{} {}", to(x), to(y)));
                ("path", format!("d=\"M{}Z\" {filled}", corners.join("L")))
            }
            Shape::Cross => {
                let (s, back) = (Px(2.0 * r), Px(x - r));
                let strokes = format!("d=\"M{back} {}l{s} {s}M{back} {}l{s} -{s}\"", Px(y - r), Px(y + r));
                ("path", format!("{strokes} {stroked}"))
            }
        };
        self.element(tag, &attributes, name);
    }

    fn bar(&mut self, series: usize, shade: f64, (a, b): ((f64, f64), (f64, f64)), name: &str) {
        // Rounded first, so that bars that touch on the axes touch on the page.
        let (left, right) = (tenths(a.0.min(b.0)), tenths(a.0.max(b.0)));
        let (top, bottom) = (tenths(a.1.min(b.1)), tenths(a.1.max(b.1)));
        let opacity = if shade < 1.0 { format!(" fill-opacity=\"{}\"", hundredths(shade)) } else { String::new() };
        let attributes = format!(
            "x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"{}\"{opacity}",
            Px(right - left),
            Px(bottom - top),
            self.colour(series)
        );
        self.element("rect", &attributes, name);
    }

    fn span(&mut self, series: usize, (weight, cap): (f64, f64), (from, to): ((f64, f64), (f64, f64)), name: &str) {
        let mut path = format!("M{} {}L{} {}", Px(from.0), Px(from.1), Px(to.0), Px(to.1));
        if cap > 0.0 {
            // Spans are level or upright; the bar at each end crosses them.
            for end in [from, to] {
                let _ = if tenths(from.1) == tenths(to.1) {
                    write!(path, "M{} {}v{}", Px(end.0), Px(end.1 - cap), Px(2.0 * cap))
                } else {
                    write!(path, "M{} {}h{}", Px(end.0 - cap), Px(end.1), Px(2.0 * cap))
                };
            }
        }
        let look = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"", self.colour(series), Px(weight));
        self.element("path", &format!("d=\"{path}\" {look}"), name);
    }

    fn entry(&mut self, Entry { swatch, label, at: (x, y) }: &Entry) {
        let (x, y) = (*x, *y);
        let (start, end, middle) = ((x, y), (x + 24.0, y), (x + 12.0, y));
        match *swatch {
            Swatch::Line(series, dash) => {
                let (colour, dashes) = (self.colour(series), dashes(dash));
                let path = format!("d=\"M{} {}h24\"", Px(x), Px(y));
                self.element(
                    "path",
                    &format!("{path} fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dashes}"),
                    "",
                );
            }
            Swatch::Area(series) => {
                let (colour, corner) = (self.colour(series), format!("x=\"{}\" y=\"{}\"", Px(x), Px(y - 5.0)));
                let look = format!("width=\"24\" height=\"10\" fill=\"{colour}\" fill-opacity=\"{AREA}\"");
                self.element("rect", &format!("{corner} {look}"), "");
            }
            Swatch::Point(series, shape) => self.point(series, shape, 4.0, middle, ""),
            Swatch::Bar(series, shade) => self.bar(series, shade, ((x + 5.0, y - 6.0), (x + 19.0, y + 6.0)), ""),
            Swatch::Span(series, weight, cap) => self.span(series, (weight, cap), (start, end), ""),
        }
        self.text(x + SWATCH, y + 4.0, "", label);
    }
}

fn hundredths(value: f64) -> f64 {
    (value * 100.0 + 0.5).floor() / 100.0
}

fn dashes(dash: usize) -> String {
    match DASHES[dash % DASHES.len()] {
        "" => String::new(),
        lengths => format!(" stroke-dasharray=\"{lengths}\""),
    }
}

fn path(panel: &Panel, frame: &Frame, points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for point in points {
        let (x, y) = frame.place(panel, point);
        let _ = write!(path, "{}{} {}", if path.is_empty() { "M" } else { "L" }, Px(x), Px(y));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::super::Axis;
    use super::*;

    fn drawn(figure: &Figure) -> String {
        let mut out = Vec::new();
        write(figure, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_point_stands_where_its_axes_say() {
        // y has ticks 0.0 to 1.0: 3 characters, 630 + 380 + 630 thousandths of 11, is 18.04; with 18 for the label and 10 beside, rounded up, 47.
        // The drawing begins at 10 + 47 and is 700 - 47 - 18 = 635 wide: its middle is at 374.5. It begins 10 + 19 + 4 + 8 = 41 down and is 300 high.
        let panel = Panel::new("", Axis::new("p", 0.0, 2.0), Axis::new("RBP", 0.0, 1.0)).dot(0, (1.0, 0.5));
        let svg = drawn(&Figure::new("f", "t", 1).panel(panel));
        assert!(svg.contains("<circle cx=\"374.5\" cy=\"191\""), "{svg}");
    }

    #[test]
    fn nothing_from_a_file_becomes_markup() {
        let panel = Panel::new("<b>", Axis::new("\"x\"", 0.0, 1.0), Axis::rows("y", vec!["<i>".repeat(200)]))
            .line(0, "a & b", true, vec![(0.0, 0.0), (f64::NAN, 1.0), (1.0, 1.0)])
            .band(1, "</svg>", vec![(0.0, 0.0, 0.5), (1.0, 0.5, 1.0)])
            .mark(Mark::span(1, 2.0, (0.0, 0.0), (f64::INFINITY, 0.0)))
            .words((0.5, 0.5), "<script>");
        let svg = drawn(&Figure::new("f", "t\u{1b}", 1).panel(panel));
        assert!(!svg.contains("<b>") && !svg.contains("<script>") && svg.matches("</svg>").count() == 1);
        assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("a &amp; b") && svg.contains('␛'));
        assert!(svg.contains(&format!("…<title>{}</title>", "&lt;i&gt;".repeat(200))), "{svg}");
    }

    #[test]
    fn nothing_to_draw_says_why() {
        assert!(drawn(&Figure::nothing("f", "t", "no topics <")).contains(">nothing to draw: no topics &lt;</text>"));
        assert!(drawn(&Figure::new("f", "t", 1)).contains("nothing to draw: no values"));
    }

    #[test]
    fn a_page_may_choose_the_colours() {
        let figure = Figure::new("f", "t", 1).panel(Panel::default().dot(1, (0.5, 0.5)));
        let mut out = Vec::new();
        write_in_page(&figure, &mut out).unwrap();
        let page = String::from_utf8(out).unwrap();
        assert!(page.contains("fill=\"var(--figure-1,#d55e00)\"") && !page.contains("#fff"), "{page}");
        assert!(!drawn(&figure).contains("var("));
    }
}
