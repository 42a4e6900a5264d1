//! Where everything of a figure stands, in units of the page.
//!
//! The one decision: only arithmetic that every language does alike (no logarithm, no measured text, one rule of
//! rounding), so that the page's script lays a figure out to the same tenth of a unit. Text is measured by a table of
//! five widths, on the wide side of what fonts have.

use std::cmp::Ordering;

use super::{Axis, Figure, Mark, Panel, Shape};
use crate::number::NumberStyle;

/// The figure's width, unless a panel asks for more.
pub const WIDTH: f64 = 720.0;
/// Room at the figure's edges.
pub const EDGE: f64 = 10.0;
/// Sizes of text: the figure's title, everything else, ticks.
pub const TITLE: f64 = 15.0;
/// See [`TITLE`].
pub const TEXT: f64 = 12.0;
/// See [`TITLE`].
pub const SMALL: f64 = 11.0;
/// From one line of text to the next.
pub const LINE: f64 = 17.0;
/// The widest that a name beside an axis may be.
pub const NAME: f64 = 220.0;
/// Height of a panel that is alone in its row.
const TALL: f64 = 300.0;
/// Height of the others, as a share of the width they have.
const SHARE: f64 = 0.75;
/// Room that a swatch takes before its label, and between entries of the legend.
pub const SWATCH: f64 = 32.0;
/// See [`SWATCH`].
const GAP: f64 = 18.0;

/// A number on the page: tenths, halves up.
pub fn tenths(value: f64) -> f64 {
    if value.is_finite() { (value * 10.0 + 0.5).floor() / 10.0 } else { 0.0 }
}

/// About how wide a text is at a size, on the wide side.
pub fn text_width(text: &str, size: f64) -> f64 {
    let thousandths: u32 = text.chars().map(character).sum();
    f64::from(thousandths) * size / 1000.0
}

/// Width of a character in thousandths of the size.
fn character(c: char) -> u32 {
    match c {
        ' ' | '!' | '\'' | '(' | ')' | ',' | '-' | '.' | '/' | ':' | ';' | 'I' | '[' | ']' | '`' | 'f' | 'i' | 'j'
        | 'l' | 'r' | 't' | '{' | '|' | '}' => 380,
        '%' | '@' | 'M' | 'W' | 'm' | 'w' => 960,
        'A'..='Z' => 720,
        '\u{1100}'..='\u{10ffff}' => 1050,
        _ => 630,
    }
}

/// The text, cut at the end where it is wider than the room.
pub fn fit(text: &str, size: f64, room: f64) -> (String, bool) {
    if text_width(text, size) <= room {
        return (text.to_owned(), false);
    }
    let mut kept = String::new();
    let mut used = f64::from(character('…')) * size / 1000.0;
    for c in text.chars() {
        used += f64::from(character(c)) * size / 1000.0;
        if used > room {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    (kept, true)
}

/// The text in lines no wider than the room; a word that is wider is cut.
pub fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(fit(word, size, room).0),
        }
    }
    lines
}

/// Where a panel's drawing is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Its left side.
    pub left: f64,
    /// Its top.
    pub top: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

impl Frame {
    /// A point of the axes on the page; what lies outside is drawn on the edge.
    pub fn place(&self, panel: &Panel, (x, y): (f64, f64)) -> (f64, f64) {
        let across = self.left + share(panel.x.as_ref(), x) * self.width;
        (across, self.top + (1.0 - share(panel.y.as_ref(), y)) * self.height)
    }
}

fn share(axis: Option<&Axis>, value: f64) -> f64 {
    let place = match axis {
        Some(axis) if axis.high != axis.low => (value - axis.low) / (axis.high - axis.low),
        Some(_) => 0.5,
        None => value,
    };
    place.clamp(0.0, 1.0)
}

/// What stands before an entry of the legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swatch {
    /// A line: colour, dashes.
    Line(usize, usize),
    /// A band: colour.
    Area(usize),
    /// A point: colour, shape.
    Point(usize, Shape),
    /// A bar: colour, how strong.
    Bar(usize, f64),
    /// A piece: colour, thickness, its ends.
    Span(usize, f64, f64),
}

/// An entry of the legend and the left end and middle of its swatch.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its swatch.
    pub swatch: Swatch,
    /// Its words, which may have been cut.
    pub label: String,
    /// Where.
    pub at: (f64, f64),
}

/// Where everything stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Of the whole figure.
    pub width: f64,
    /// Of the whole figure.
    pub height: f64,
    /// The figure's title, in lines.
    pub title: Vec<String>,
    /// The line below it, in lines.
    pub subtitle: Vec<String>,
    /// One for each panel.
    pub frames: Vec<Frame>,
    /// The legend.
    pub legend: Vec<Entry>,
}

/// Lays a figure out.
pub fn layout(figure: &Figure) -> Layout {
    let columns = figure.columns.max(1).min(figure.panels.len().max(1));
    let slot = (WIDTH - 2.0 * EDGE) / columns as f64;
    let height = |panel: &Panel| match panel.height {
        given if given > 0.0 => given,
        _ if columns == 1 => TALL,
        _ => (slot * SHARE).floor(),
    };
    let most = |of: &dyn Fn(&Panel) -> f64| figure.panels.iter().map(of).fold(0.0, f64::max);
    let (left, right) = (most(&|panel| left(panel, height(panel))), most(&right));
    let (top, bottom) = (most(&top), most(&bottom));
    let asked = most(&|panel| panel.width);
    let across = if asked > 0.0 { asked } else { (slot - left - right).max(60.0) };
    let width = (2.0 * EDGE + columns as f64 * (left + across + right)).max(WIDTH);
    let title = wrap(&figure.title, TITLE, width - 2.0 * EDGE - 20.0);
    let subtitle = wrap(&figure.subtitle, TEXT, width - 2.0 * EDGE);
    let mut down = EDGE + 19.0 * title.len() as f64 + LINE * subtitle.len() as f64 + 4.0;
    let mut frames = Vec::with_capacity(figure.panels.len());
    for row in figure.panels.chunks(columns) {
        let tallest = row.iter().map(height).fold(0.0, f64::max);
        for (column, panel) in row.iter().enumerate() {
            let start = EDGE + column as f64 * (left + across + right) + left;
            frames.push(Frame { left: start, top: down + top, width: across, height: height(panel) });
        }
        down += top + tallest + bottom;
    }
    if figure.panels.is_empty() || figure.why_empty().is_some() {
        down += 3.0 * LINE;
    }
    let legend = legend(figure, width, down + 14.0);
    let height = legend.last().map_or(down, |last| last.at.1 + 12.0) + EDGE;
    Layout { width, height, title, subtitle, frames, legend }
}

pub(super) fn left(panel: &Panel, height: f64) -> f64 {
    let Some(axis) = &panel.y else { return 4.0 };
    let words = ticks(axis, height, 40.0).iter().map(|(_, text)| text_width(text, SMALL).min(NAME)).fold(0.0, f64::max);
    let label = if axis.label.is_empty() { 0.0 } else { 18.0 };
    (label + words + 10.0).ceil()
}

fn right(panel: &Panel) -> f64 {
    let Some(axis) = &panel.right else { return 18.0 };
    let words = axis.ticks.iter().map(|(_, text)| text_width(text, SMALL)).fold(0.0, f64::max);
    (words.max(text_width(&axis.label, SMALL)).min(2.0 * NAME) + 14.0).ceil()
}

fn top(panel: &Panel) -> f64 {
    let heading = !panel.title.is_empty() || panel.right.as_ref().is_some_and(|axis| !axis.label.is_empty());
    if heading { 26.0 } else { 8.0 }
}

fn bottom(panel: &Panel) -> f64 {
    panel.x.as_ref().map_or(8.0, |axis| if axis.label.is_empty() { 28.0 } else { 44.0 })
}

/// The values of an axis that have words, given its length on the page and the least room between two of them.
pub fn ticks(axis: &Axis, length: f64, room: f64) -> Vec<(f64, String)> {
    if !axis.ticks.is_empty() {
        return axis.ticks.clone();
    }
    let (low, high) = (axis.low.min(axis.high), axis.low.max(axis.high));
    let span = high - low;
    let wanted = (length / room).floor().max(2.0);
    let raw = span / wanted;
    if !(raw > 1e-9 && span < 1e12) {
        return Vec::new();
    }
    let (mut magnitude, mut decimals) = (1.0, 0u8);
    while magnitude * 10.0 <= raw {
        magnitude *= 10.0;
    }
    while magnitude > raw {
        magnitude /= 10.0;
        decimals += 1;
    }
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * magnitude >= raw * 0.999).unwrap_or(10.0);
    if times >= 10.0 && decimals > 0 {
        decimals -= 1;
    }
    let step = times * magnitude;
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    let tick = |at: i64| {
        let value = at as f64 * step;
        (value, NumberStyle::Decimals(decimals).show(value))
    };
    (first..=last).map(tick).collect()
}

/// Each swatch and label once, in the order of the panels. Thick pieces are drawn last, upon thin ones, and named first.
fn named(figure: &Figure, width: f64) -> Vec<(Swatch, String)> {
    let mut all: Vec<(Swatch, String)> = Vec::new();
    for mark in figure.panels.iter().flat_map(|panel| &panel.marks) {
        let (swatch, label) = match mark {
            Mark::Line { series, label, dash, .. } => (Swatch::Line(*series, *dash), label),
            Mark::Band { series, label, .. } => (Swatch::Area(*series), label),
            Mark::Point { series, label, shape, .. } => (Swatch::Point(*series, *shape), label),
            Mark::Bar { series, label, shade, .. } => (Swatch::Bar(*series, *shade), label),
            Mark::Span { series, label, weight, cap, .. } => (Swatch::Span(*series, *weight, *cap), label),
            Mark::Words { .. } => continue,
        };
        if label.is_empty() {
            continue;
        }
        let entry = (swatch, fit(label, TEXT, width - 2.0 * EDGE - SWATCH).0);
        if !all.contains(&entry) {
            all.push(entry);
        }
    }
    let weight = |swatch: &Swatch| if let Swatch::Span(_, weight, _) = swatch { Some(*weight) } else { None };
    let mut pieces: Vec<(Swatch, String)> =
        all.iter().filter(|(swatch, _)| weight(swatch).is_some()).cloned().collect();
    pieces.sort_by(|(one, _), (other, _)| weight(other).partial_cmp(&weight(one)).unwrap_or(Ordering::Equal));
    let mut pieces = pieces.into_iter();
    for entry in &mut all {
        if weight(&entry.0).is_some()
            && let Some(piece) = pieces.next()
        {
            *entry = piece;
        }
    }
    all
}

/// The legend in lines below `top`.
fn legend(figure: &Figure, width: f64, top: f64) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut x, mut y) = (EDGE, top);
    for (swatch, label) in named(figure, width) {
        let wide = SWATCH + text_width(&label, TEXT);
        if x > EDGE && x + wide > width - EDGE {
            (x, y) = (EDGE, y + LINE + 2.0);
        }
        entries.push(Entry { swatch, label, at: (x, y) });
        x += wide + GAP;
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, length: f64) -> Vec<String> {
        ticks(&Axis::new("", low, high), length, 40.0).into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn the_thickest_piece_is_named_first_and_others_keep_their_places() {
        let piece = |weight, label: &str| Mark::span(0, weight, (0.0, 0.0), (1.0, 0.0)).labelled(label);
        let panel = Panel::new("", Axis::new("", 0.0, 1.0), Axis::new("", 0.0, 1.0))
            .mark(piece(1.0, "thin"))
            .mark(Mark::bar(0, (0.0, 1.0), (0.0, 1.0)).labelled("bar"))
            .mark(piece(9.0, "thick"))
            .mark(piece(9.0, "thick"));
        let figure = Figure::new("f", "", 1).panel(panel);
        let labels: Vec<String> = named(&figure, WIDTH).into_iter().map(|entry| entry.1).collect();
        assert_eq!(labels, ["thick", "bar", "thin"]);
    }

    #[test]
    fn ticks_are_round() {
        // 200 / 40 = 5 wanted: steps of 0.2. Reversed or not, the same.
        assert_eq!(labels(0.0, 1.0, 200.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(1.0, 0.0, 200.0), labels(0.0, 1.0, 200.0));
        assert_eq!(labels(0.0, 20.0, 160.0), ["0", "5", "10", "15", "20"]);
        // A step of 10 times 0.01 has one decimal, not two.
        assert_eq!(labels(-0.31, 0.12, 200.0), ["-0.3", "-0.2", "-0.1", "0.0", "0.1"]);
        assert!(labels(1.0, 1.0, 160.0).is_empty() && labels(0.0, f64::NAN, 160.0).is_empty());
        assert!(labels(0.0, 1e300, 160.0).is_empty());
    }

    #[test]
    fn a_tenth_is_rounded_half_up() {
        assert_eq!(
            [12.25, 12.24, -0.05, -0.06, f64::NAN].map(|value| tenths(value).to_string()),
            ["12.3", "12.2", "0", "-0.1", "0"]
        );
    }

    #[test]
    fn text_is_cut_and_wrapped_by_its_width() {
        // Each a is 6.3 wide at 10, the ellipsis 10.5: in 30 units, three of them.
        assert_eq!(text_width("aaaa", 10.0), 25.2);
        assert_eq!(fit("aaaa", 10.0, 30.0), ("aaaa".to_owned(), false));
        assert_eq!(fit("aaaaaaaa", 10.0, 30.0), ("aaa…".to_owned(), true));
        assert_eq!(wrap("aa aa aa", 10.0, 30.0), ["aa aa", "aa"]);
        assert!(wrap("", 10.0, 30.0).is_empty());
    }
}
