//! Differences of pairs of runs, with their intervals.

use karat_report::figure::INK;
use karat_report::{Axis, Columns, Figure, Mark, Panel, Shape, Table};

use super::{FigureInfo, SAMPLED, count, ends, example_score, height_of, marks, number, scale};
use crate::words::{SAMPLED_SOURCES, percent};
use karat_analysis::summary::SourceIntervals;

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "differences",
    title: "Differences between runs",
    shows: "The difference of each pair of runs with its confidence interval.",
    reading: "A pair is decided if the interval with all sources excludes 0 and the test is significant. If the bounds cross 0, further judgements could reverse \
              the verdict.",
    example: |names| {
        let row = |(at, name): (usize, &String)| {
            let value = example_score(at) - 0.5;
            let around = |half: f64| Some((value - half, value + half));
            DifferenceRow {
                a: name.clone(),
                b: "baseline".into(),
                difference: value,
                intervals: SourceIntervals {
                    topics: around(0.05),
                    unjudged: around(0.07),
                    judges: around(f64::NAN),
                    bounds: around(0.2),
                },
                sampled: (at == 2).then_some((value - 0.08, value + 0.08)),
                verdict: "undecided".into(),
            }
        };
        differences("AP", 0.95, &names.iter().enumerate().map(row).collect::<Vec<_>>())
    },
};

/// Pairs drawn at most.
const MOST: usize = 60;

/// A pair.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferenceRow {
    /// The first run.
    pub a: String,
    /// The second run.
    pub b: String,
    /// First less second.
    pub difference: f64,
    /// Its intervals by source.
    pub intervals: SourceIntervals,
    /// Its interval from a judged sample, where there is one; the difference is then estimated from it too.
    pub sampled: Option<(f64, f64)>,
    /// Which is better, in words.
    pub verdict: String,
}

/// Differences by a measure, in the order given.
pub fn differences(measure: &str, level: f64, pairs: &[DifferenceRow]) -> Figure {
    let title = format!("{measure}: differences between runs");
    if pairs.is_empty() {
        return INFO.nothing(title, "there is no pair of runs").of(measure);
    }
    let level = percent(level);
    let drawn = &pairs[..pairs.len().min(MOST)];
    // Where all pairs have one run in common, it is named once.
    let first = &drawn[0].a;
    let common = drawn.iter().all(|pair| pair.a == *first) && drawn.len() > 1;
    let name =
        |pair: &DifferenceRow| if common { format!("− {}", pair.b) } else { format!("{} − {}", pair.a, pair.b) };
    let sampled = |pair: &DifferenceRow| pair.sampled.into_iter().flat_map(|(low, high)| [low, high]);
    let values = drawn.iter().flat_map(|pair| ends(&pair.intervals).chain(sampled(pair)).chain([pair.difference, 0.0]));
    let label = if common {
        format!("{measure} of {first} − {measure} of the other run")
    } else {
        format!("difference in {measure}")
    };
    let rows = Axis::rows("", drawn.iter().map(name).collect());
    let mut panel = Panel::new("", scale(&label, values), rows).sized(0.0, height_of(drawn.len()));
    panel = panel.mark(Mark::span(INK, 1.0, (0.0, -0.5), (0.0, drawn.len() as f64 - 0.5)));
    let mut words = Vec::new();
    for (row, pair) in drawn.iter().enumerate() {
        let at = row as f64;
        panel = marks(&pair.intervals, at, &name(pair)).into_iter().fold(panel, Panel::mark);
        panel = sampled_span(pair, at).into_iter().fold(panel, Panel::mark).mark(point(pair, at));
        words.push((at, format!("{}  {}", number(pair.difference), pair.verdict)));
    }
    INFO.empty(title, 1)
        .of(measure)
        .subtitle(subtitle(drawn.len(), pairs.len(), &level))
        .panel(panel.right(Axis::ticks("difference, better", 0.0, 0.0, words)))
        .rows(table(&level, drawn))
}

/// The interval from a judged sample.
fn sampled_span(pair: &DifferenceRow, at: f64) -> Option<Mark> {
    let (low, high) = pair.sampled?;
    let named = format!("{} − {}, {SAMPLED_SOURCES}: {} to {}", pair.a, pair.b, number(low), number(high));
    Some(Mark::span(SAMPLED, 5.5, (low, at), (high, at)).labelled(SAMPLED_SOURCES).named(named))
}

/// The difference.
fn point(pair: &DifferenceRow, at: f64) -> Mark {
    let (label, shape) = match pair.sampled {
        Some(_) => ("difference estimated from the sample", Shape::Diamond),
        None => ("observed difference", Shape::Disc),
    };
    Mark::Point {
        series: INK,
        label: label.into(),
        name: format!("{} − {}: {}, {}", pair.a, pair.b, number(pair.difference), pair.verdict),
        shape,
        size: 3.5,
        at: (pair.difference, at),
    }
}

fn subtitle(drawn: usize, pairs: usize, level: &str) -> String {
    let first = if drawn < pairs { format!("the first {drawn} of ") } else { String::new() };
    format!("{first}{}, {level} intervals", count(pairs, "pair"))
}

/// The pairs that are drawn.
fn table(level: &str, drawn: &[DifferenceRow]) -> Table {
    Columns::new()
        .column("a", "a", |row: &DifferenceRow| row.a.as_str().into())
        .column("b", "b", |row| row.b.as_str().into())
        .column("difference", "a − b", |row| row.difference.into())
        .column("interval", format!("{level} interval"), |row| row.sampled.or(row.intervals.whole()).into())
        .column("bounds", "bounds", |row| row.intervals.bounds.into())
        .column("verdict", "better", |row| row.verdict.as_str().into())
        .table("differences", "", drawn)
}
