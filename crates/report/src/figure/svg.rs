//! A figure as SVG: one element tree, no scripts, no fonts fetched, the same bytes for the same figure.
//!
//! Axes and words take the colour of the text around them, so that a figure in a page follows it into the dark.

use std::io::{self, Write};

use super::{Axis, Figure, Mark, Panel};
use crate::number::NumberStyle;
use crate::text::{escape, visible, width};

/// Colours that people of all kinds of sight tell apart (Okabe and Ito 2008).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// Room around the drawing of a panel: left, top, right, bottom.
const LEFT: f64 = 52.0;
const TOP: f64 = 26.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 42.0;
/// Height of the figure's title and of a row of the legend.
const LINE: f64 = 22.0;
/// About the width of a character.
const CHARACTER: f64 = 6.6;

/// Writes the figure as one `<svg>` element.
///
/// # Errors
/// It cannot be written.
pub fn write(figure: &Figure, out: &mut dyn Write) -> io::Result<()> {
    let columns = figure.columns.max(1).min(figure.panels.len().max(1));
    let rows = figure.panels.len().div_ceil(columns);
    let (wide, tall) = if columns == 1 { (640.0, 400.0) } else { (780.0 / columns as f64, 720.0 / columns as f64) };
    let legend = legend(figure);
    let total = (wide * columns as f64, LINE + tall * rows as f64 + LINE * legend.len() as f64);
    let title = escape(&visible(&figure.title));
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" role=\"img\" \
         aria-label=\"{title}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\">",
        total.0, total.1, total.0
    )?;
    writeln!(out, "<title>{title}</title>")?;
    for (at, panel) in figure.panels.iter().enumerate() {
        let corner = ((at % columns) as f64 * wide, LINE + (at / columns) as f64 * tall);
        let frame = Frame {
            left: corner.0 + LEFT,
            top: corner.1 + TOP,
            width: wide - LEFT - RIGHT,
            height: tall - TOP - BOTTOM,
        };
        draw(panel, &frame, out)?;
    }
    writeln!(out, "<text x=\"8\" y=\"15\" font-weight=\"bold\">{title}</text>")?;
    for (row, (swatch, label)) in legend.into_iter().enumerate() {
        let y = LINE + tall * rows as f64 + LINE * row as f64 + 10.0;
        let key = match swatch {
            Swatch::Area(series) => {
                format!(
                    "<rect x=\"{LEFT}\" y=\"{}\" width=\"24\" height=\"10\" fill=\"{}\" {AREA}/>",
                    y - 5.0,
                    colour(series)
                )
            }
            Swatch::Line(series, dashed) => {
                format!("<path d=\"M{LEFT} {y}h24\" stroke=\"{}\" stroke-width=\"2\"{}/>", colour(series), dash(dashed))
            }
        };
        let label = escape(&visible(&label));
        writeln!(out, "{key}<text x=\"{}\" y=\"{}\">{label}</text>", LEFT + 32.0, y + 4.0)?;
    }
    writeln!(out, "</svg>")
}

/// What stands before a row of the legend.
#[derive(Clone, Copy, PartialEq)]
enum Swatch {
    Line(usize, bool),
    Area(usize),
}

/// Each swatch and label once, in the order of the panels.
fn legend(figure: &Figure) -> Vec<(Swatch, String)> {
    let mut rows: Vec<(Swatch, String)> = Vec::new();
    for mark in figure.panels.iter().flat_map(|panel| &panel.marks) {
        let row = match mark {
            Mark::Line { series, label, dashed, .. } => (Swatch::Line(*series, *dashed), label.clone()),
            Mark::Band { series, label, .. } => (Swatch::Area(*series), label.clone()),
            Mark::Dot { .. } | Mark::Words { .. } => continue,
        };
        if !row.1.is_empty() && !rows.contains(&row) {
            rows.push(row);
        }
    }
    rows
}

/// How a band is filled.
const AREA: &str = "fill-opacity=\"0.2\"";

fn dash(dashed: bool) -> &'static str {
    if dashed { " stroke-dasharray=\"5 4\"" } else { "" }
}

fn colour(series: usize) -> &'static str {
    COLOURS[series % COLOURS.len()]
}

/// Where a panel's drawing is.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Frame {
    /// A point of the axes on the page; what lies outside is drawn on the edge.
    fn place(&self, panel: &Panel, (x, y): (f64, f64)) -> (f64, f64) {
        let share = |axis: &Option<Axis>, value: f64| match axis {
            Some(axis) if axis.high > axis.low => ((value - axis.low) / (axis.high - axis.low)).clamp(0.0, 1.0),
            _ => value.clamp(0.0, 1.0),
        };
        (self.left + share(&panel.x, x) * self.width, self.top + (1.0 - share(&panel.y, y)) * self.height)
    }

    fn path(&self, panel: &Panel, points: impl Iterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for point in points.filter(|(x, y)| x.is_finite() && y.is_finite()) {
            let (x, y) = self.place(panel, point);
            path.push_str(&format!("{}{x:.1} {y:.1}", if path.is_empty() { "M" } else { "L" }));
        }
        path
    }
}

fn draw(panel: &Panel, frame: &Frame, out: &mut dyn Write) -> io::Result<()> {
    if !panel.title.is_empty() {
        let title = escape(&visible(&panel.title));
        writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{title}</text>", frame.left, frame.top - 8.0)?;
    }
    for mark in &panel.marks {
        match mark {
            Mark::Band { series, points, .. } => {
                let there = points.iter().map(|&(x, _, upper)| (x, upper));
                let back = points.iter().rev().map(|&(x, lower, _)| (x, lower));
                let path = frame.path(panel, there.chain(back));
                writeln!(out, "<path d=\"{path}Z\" fill=\"{}\" {AREA}/>", colour(*series))?;
            }
            Mark::Line { series, dashed, points, .. } => {
                let dash = dash(*dashed);
                let path = frame.path(panel, points.iter().copied());
                writeln!(
                    out,
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{dash}/>",
                    colour(*series)
                )?;
            }
            Mark::Dot { series, at } => {
                let (x, y) = frame.place(panel, *at);
                writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{}\"/>", colour(*series))?;
            }
            Mark::Words { at, text } => {
                let (x, y) = frame.place(panel, *at);
                let text = escape(&visible(text));
                writeln!(out, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>", y + 4.0)?;
            }
        }
    }
    axes(panel, frame, out)
}

fn axes(panel: &Panel, frame: &Frame, out: &mut dyn Write) -> io::Result<()> {
    let (right, bottom) = (frame.left + frame.width, frame.top + frame.height);
    let stroke = "fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.5\"";
    if let Some(axis) = &panel.x {
        writeln!(out, "<path d=\"M{:.1} {bottom:.1}H{right:.1}\" {stroke}/>", frame.left)?;
        for (value, label) in ticks(axis, (frame.width / 60.0) as usize) {
            let (x, _) = frame.place(panel, (value, 0.0));
            writeln!(out, "<path d=\"M{x:.1} {bottom:.1}v4\" {stroke}/>")?;
            writeln!(out, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>", bottom + 17.0)?;
        }
        let label = escape(&visible(&axis.label));
        writeln!(out, "<text x=\"{right:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", bottom + 33.0)?;
    }
    if let Some(axis) = &panel.y {
        writeln!(out, "<path d=\"M{:.1} {:.1}V{bottom:.1}\" {stroke}/>", frame.left, frame.top)?;
        for (value, label) in ticks(axis, (frame.height / 40.0) as usize) {
            let (_, y) = frame.place(panel, (0.0, value));
            writeln!(out, "<path d=\"M{:.1} {y:.1}h-4\" {stroke}/>", frame.left)?;
            writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                frame.left - 7.0,
                y + 4.0
            )?;
        }
        // Beside the panel's title, where there is room for both.
        let room = frame.width - width(&panel.title) as f64 * CHARACTER;
        if width(&axis.label) as f64 * CHARACTER < room {
            let label = escape(&visible(&axis.label));
            writeln!(out, "<text x=\"{right:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", frame.top - 8.0)?;
        }
    }
    Ok(())
}

/// Round values along an axis, about so many, with as many decimals as their step has.
fn ticks(axis: &Axis, wanted: usize) -> Vec<(f64, String)> {
    let span = axis.high - axis.low;
    if !(span > 0.0 && span.is_finite()) {
        return Vec::new();
    }
    let raw = span / wanted.max(2) as f64;
    let magnitude = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * magnitude).find(|step| *step >= raw * 0.999);
    let step = step.unwrap_or(10.0 * magnitude);
    let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as u8;
    let first = (axis.low / step - 1e-9).ceil() as i64;
    let last = (axis.high / step + 1e-9).floor() as i64;
    (first..=last)
        .map(|at| {
            let value = at as f64 * step;
            (value, NumberStyle::Decimals(decimals).show(value))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(figure: &Figure) -> String {
        let mut out = Vec::new();
        write(figure, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn ticks_are_round() {
        let labels =
            |low, high, wanted| ticks(&Axis::new("", low, high), wanted).into_iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 1.0, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(0.0, 20.0, 4), ["0", "5", "10", "15", "20"]);
        assert!(labels(1.0, 1.0, 4).is_empty() && labels(0.0, f64::NAN, 4).is_empty());
    }

    #[test]
    fn a_point_stands_where_its_axes_say() {
        // One panel is 640 by 400 below a title of 22: the drawing begins at 52, 48 and is 574 wide, 332 high. The middle is 339, 214.
        let panel = Panel::new("", Axis::new("p", 0.0, 2.0), Axis::new("RBP", 0.0, 1.0))
            .mark(Mark::Dot { series: 0, at: (1.0, 0.5) });
        let svg = drawn(&Figure::new("f", "t", 1).panel(panel));
        assert!(svg.contains("<circle cx=\"339.0\" cy=\"214.0\""), "{svg}");
    }

    #[test]
    fn nothing_from_a_file_becomes_markup() {
        let panel = Panel::new("<b>", Axis::new("\"x\"", 0.0, 1.0), Axis::new("y", 0.0, 1.0))
            .line(0, "a & b", true, vec![(0.0, 0.0), (f64::NAN, 1.0), (1.0, 1.0)])
            .band(1, "</svg>", vec![(0.0, 0.0, 0.5), (1.0, 0.5, 1.0)])
            .mark(Mark::Words { at: (0.5, 0.5), text: "<script>".into() });
        let svg = drawn(&Figure::new("f", "t\u{1b}", 1).panel(panel));
        assert!(!svg.contains("<b>") && !svg.contains("<script>") && svg.matches("</svg>").count() == 1);
        assert!(!svg.contains("NaN") && svg.contains("a &amp; b") && svg.contains('␛'));
    }
}
