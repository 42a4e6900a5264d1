//! Figures: one file and one row each.
//!
//! A figure is drawn from plain values of an answer, so that commands, the page and tests draw it alike. Sources of uncertainty look
//! the same everywhere (topics thick, unjudged documents thinner, judges thinnest, bounds a line with ends), by thickness and by
//! colour, so that they differ in grey print and for all kinds of colour vision.

pub mod agreement;
pub mod budget;
pub mod confusion;
mod curves;
pub mod differences;
pub mod distribution;
pub mod judged_share;
pub mod leaderboard;
pub mod pairwise;
pub mod precision_recall;
pub mod rbp_residual;
pub mod roc;
pub mod scatter;
pub mod topic_differences;

use karat_analysis::compare::verdict::{Basis, Verdict};
use karat_analysis::summary::SourceIntervals;
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
    pub(crate) fn empty(&self, title: impl Into<String>, columns: usize) -> Figure {
        Figure::new(self.name, title, columns).reading(format!("{} {}", self.shows, self.reading))
    }

    /// The figure that says why there is nothing to draw.
    pub(crate) fn nothing(&self, title: impl Into<String>, why: impl Into<String>) -> Figure {
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
    &budget::INFO,
    &agreement::INFO,
    &confusion::INFO,
];

/// The colour of topic sampling error.
pub const TOPICS: usize = 0;
/// The colour of unjudged documents.
pub const UNJUDGED: usize = 4;
/// The colour of an estimate from a judged sample.
pub const SAMPLED: usize = 2;
/// The colour of judge errors.
pub const JUDGES: usize = 3;

/// The ends of all intervals, for the range of an axis.
fn ends(intervals: &SourceIntervals) -> impl Iterator<Item = f64> {
    let SourceIntervals { topics, unjudged, judges, bounds } = *intervals;
    [topics, unjudged, judges, bounds].into_iter().flatten().flat_map(|(low, high)| [low, high])
}

/// The marks of a row, widest first, so that each thicker one lies on the one before.
fn marks(intervals: &SourceIntervals, row: f64, name: &str) -> Vec<Mark> {
    let piece = |(low, high): (f64, f64), series, weight, label: &str| {
        let named = format!("{name}, {label}: {} to {}", number(low), number(high));
        Mark::span(series, weight, (low, row), (high, row)).labelled(label).named(named)
    };
    // Bounds stand below intervals: they are logic and not chance, and neither may hide the other.
    let bounds = |(low, high): (f64, f64)| {
        let label = "bounds";
        let (below, name) = (row + 0.36, format!("{name}, {label}: {} to {}", number(low), number(high)));
        let (from, to) = ((low, below), (high, below));
        Mark::Span { series: GREY, label: label.into(), name, weight: 1.4, cap: 2.5, from, to }
    };
    let mut marks = Vec::new();
    marks.extend(intervals.bounds.map(bounds));
    marks.extend(intervals.judges.map(|ends| piece(ends, JUDGES, 2.6, "+ judge errors")));
    marks.extend(intervals.unjudged.map(|ends| piece(ends, UNJUDGED, 5.5, "+ unjudged documents (model)")));
    marks.extend(intervals.topics.map(|ends| piece(ends, TOPICS, 9.0, "topic sampling")));
    marks
}

/// What a verdict rests on, where it is no assumption.
pub(crate) fn noted_basis(verdict: &Verdict) -> Option<&'static str> {
    verdict.basis().filter(|basis| !matches!(basis, Basis::Assumed(_))).map(Basis::name)
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
fn number(value: f64) -> String {
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
fn example_score(k: usize) -> f64 {
    (k as f64 * 0.618_033_988_749_895 + 0.21).fract()
}
