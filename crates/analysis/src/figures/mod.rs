//! What people look at: one file and one row for each figure.
//!
//! A figure is built from plain values that a study has computed already, so that commands, pages and tests draw it alike.
//! The one decision: sources of doubt look the same everywhere (topics thick, unjudged documents thinner, judges thinnest, what is
//! merely possible a line with ends), by thickness and by colour, so that grey print and all kinds of sight tell them apart.

pub mod agreement;
pub mod confusion;
pub mod curves;
pub mod differences;
pub mod distribution;
pub mod judged_share;
pub mod leaderboard;
mod of_eval;
pub mod pairwise;
pub mod precision_recall;
pub mod rbp_residual;
pub mod roc;
pub mod scatter;
pub mod topic_differences;

pub(crate) use of_eval::figures as of_eval;
pub use of_eval::{PERSISTENCE, Standings, persistence, spreads};

use karat_report::figure::GREY;
use karat_report::{Axis, Figure, Mark, NumberStyle};

/// A figure's row: what it is called, what it shows and how to read it.
pub struct FigureInfo {
    /// The figure's name for programs, and of its file.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it shows.
    pub shows: &'static str,
    /// How to read it, and what it must not be read for.
    pub reading: &'static str,
    /// The figure of made-up values for things of these names: for tests, and to see what it looks like.
    pub example: fn(&[String]) -> Figure,
}

impl FigureInfo {
    /// An empty figure of this name.
    pub fn empty(&self, title: impl Into<String>, columns: usize) -> Figure {
        Figure::new(self.name, title, columns).reading(format!("{} {}", self.shows, self.reading))
    }

    /// The figure that says why there is nothing to draw.
    pub fn nothing(&self, title: impl Into<String>, why: impl Into<String>) -> Figure {
        Figure { empty: Some(why.into()), ..self.empty(title, 1) }
    }
}

/// All of them.
pub static FIGURES: &[&FigureInfo] = &[
    &leaderboard::INFO,
    &distribution::INFO,
    &precision_recall::INFO,
    &roc::INFO,
    &judged_share::INFO,
    &rbp_residual::INFO,
    &differences::INFO,
    &pairwise::INFO,
    &topic_differences::INFO,
    &scatter::INFO,
    &agreement::INFO,
    &confusion::INFO,
];

/// What figures are to be drawn from, beyond what is computed anyway.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// The least grade that is relevant, for curves.
    pub relevance_level: f64,
}

/// The colour of chance over topics.
pub const TOPICS: usize = 0;
/// The colour of what unjudged documents do.
pub const UNJUDGED: usize = 4;
/// The colour of what judges do.
pub const JUDGES: usize = 3;

/// An interval by how much of the doubt it holds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Doubt {
    /// Chance over topics.
    pub topics: Option<(f64, f64)>,
    /// And unjudged documents.
    pub unjudged: Option<(f64, f64)>,
    /// And judges.
    pub judges: Option<(f64, f64)>,
    /// What is possible at all.
    pub bounds: Option<(f64, f64)>,
}

impl Doubt {
    /// The widest interval, which holds all sources.
    pub fn whole(&self) -> Option<(f64, f64)> {
        self.judges.or(self.unjudged).or(self.topics)
    }

    /// Its ends, for the range of an axis.
    fn ends(&self) -> impl Iterator<Item = f64> {
        [self.topics, self.unjudged, self.judges, self.bounds].into_iter().flatten().flat_map(|(low, high)| [low, high])
    }

    /// The marks of a row, widest first, so that each thicker one lies on the one before. What adds nothing to be seen is left out.
    fn marks(&self, row: f64, name: &str) -> Vec<Mark> {
        let piece = |(low, high): (f64, f64), series, weight, label: &str| {
            let named = format!("{name}, {label}: {} to {}", number(low), number(high));
            Mark::span(series, weight, (low, row), (high, row)).labelled(label).named(named)
        };
        // What is possible stands below what is probable: it is logic and not chance, and neither may hide the other.
        let possible = |(low, high): (f64, f64)| {
            let label = "all ways of judging the unjudged";
            let (below, name) = (row + 0.36, format!("{name}, {label}: {} to {}", number(low), number(high)));
            let (from, to) = ((low, below), (high, below));
            Mark::Span { series: GREY, label: label.into(), name, weight: 1.4, cap: 2.5, from, to }
        };
        let mut marks = Vec::new();
        marks.extend(self.bounds.map(possible));
        marks.extend(self.judges.map(|ends| piece(ends, JUDGES, 2.6, "and the judges' errors")));
        marks.extend(self.unjudged.map(|ends| piece(ends, UNJUDGED, 5.5, "and unjudged documents, as is probable")));
        marks.extend(self.topics.map(|ends| piece(ends, TOPICS, 9.0, "chance over topics")));
        marks
    }
}

/// Height of so many rows.
fn height_of(rows: usize) -> f64 {
    let each = match rows {
        0..=30 => 24.0,
        31..=80 => 19.0,
        _ => 15.0,
    };
    // One row alone looks lost.
    (rows as f64 * each).max(40.0)
}

/// A number as figures write it: what is not 0 does not read as 0.
pub fn number(value: f64) -> String {
    let tiny = value != 0.0 && value.abs() < 0.0005;
    if tiny { NumberStyle::Significant(1).show(value) } else { NumberStyle::Decimals(3).show(value) }
}

/// An interval as figures write it.
fn interval((low, high): (f64, f64)) -> String {
    format!("({} to {})", number(low), number(high))
}

/// A scale that holds these values with some room; within 0 and 1 where they are.
fn scale(label: &str, values: impl Iterator<Item = f64>) -> Axis {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.filter(|v| v.is_finite()).fold(ends, |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return Axis::new(label, 0.0, 1.0);
    }
    let room = if high > low { (high - low) * 0.04 } else { 0.05 };
    let least = if low >= 0.0 { (low - room).max(0.0) } else { low - room };
    let greatest = if high <= 1.0 { (high + room).min(1.0) } else { high + room };
    Axis::new(label, least, greatest)
}

/// Places from best to worst.
pub fn best_first(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    order
}

/// "1 topic", "2 topics".
fn count(many: usize, thing: &str) -> String {
    format!("{many} {thing}{}", if many == 1 { "" } else { "s" })
}

/// Numbers that look like scores, for examples: the k-th of a sequence that fills 0 to 1 evenly.
pub fn example_score(k: usize) -> f64 {
    (k as f64 * 0.618_033_988_749_895 + 0.21).fract()
}
