//! Runs from best to worst, with their intervals.

use karat_report::figure::INK;
use karat_report::{Axis, Columns, Figure, Mark, Panel, Shape, Table};

use super::{FigureInfo, best_first, count, ends, example_score, height_of, interval, marks, number, scale};
use crate::words::percent;
use karat_analysis::summary::SourceIntervals;

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "leaderboard",
    title: "Leaderboard",
    shows: "The score of each run with its confidence interval, best first.",
    reading: "Runs share topics, so runs with overlapping intervals can still differ significantly; see the comparison. No verdict \
              separates runs that share a letter.",
    example: |names| {
        let standing = |(at, name): (usize, &String)| {
            let value = example_score(at);
            let around = |half: f64| Some((value - half, value + half));
            LeaderboardRow {
                run: name.clone(),
                value,
                topics: 50,
                intervals: SourceIntervals {
                    topics: around(0.04),
                    unjudged: around(0.06),
                    judges: around(0.07),
                    bounds: Some((value, value + 0.3 + if at == 1 { f64::NAN } else { 0.0 })),
                },
                letters: Some("ab".into()),
            }
        };
        leaderboard("AP", 0.95, &names.iter().enumerate().map(standing).collect::<Vec<_>>())
    },
};

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub struct LeaderboardRow {
    /// The run.
    pub run: String,
    /// Its score.
    pub value: f64,
    /// Topics it is a mean of.
    pub topics: usize,
    /// Its intervals by source.
    pub intervals: SourceIntervals,
    /// The groups it is in, where there are groups.
    pub letters: Option<String>,
}

/// Runs from best to worst by a measure.
pub fn leaderboard(measure: &str, level: f64, standings: &[LeaderboardRow]) -> Figure {
    let title = format!("{measure}: scores with intervals");
    if standings.is_empty() {
        return INFO.nothing(title, "no run has a score").of(measure);
    }
    let order = best_first(&standings.iter().map(|standing| standing.value).collect::<Vec<_>>());
    let ranked: Vec<&LeaderboardRow> = order.iter().map(|&at| &standings[at]).collect();
    let grouped = ranked.iter().any(|standing| standing.letters.is_some());
    let level = percent(level);
    let values = ranked.iter().flat_map(|standing| ends(&standing.intervals).chain([standing.value]));
    let rows = Axis::rows("", ranked.iter().map(|standing| standing.run.clone()).collect());
    let heading = if grouped { format!("score ({level})  group") } else { format!("score ({level})") };
    let mut words = Vec::new();
    let mut panel = Panel::new("", scale(measure, values), rows).sized(0.0, height_of(ranked.len()));
    for (row, standing) in ranked.iter().enumerate() {
        let at = row as f64;
        panel = marks(&standing.intervals, at, &standing.run).into_iter().fold(panel, Panel::mark);
        let whole = standing.intervals.whole().map_or_else(String::new, |ends| format!(" {}", interval(ends)));
        let point = Mark::Point {
            series: INK,
            label: "score".into(),
            name: format!("{}: {}{whole}", standing.run, number(standing.value)),
            shape: Shape::Disc,
            size: 3.5,
            at: (standing.value, at),
        };
        panel = panel.mark(point);
        let letters = standing.letters.as_deref().map_or_else(String::new, |letters| format!("  {letters}"));
        words.push((at, format!("{}{whole}{letters}", number(standing.value))));
    }
    let panel = panel.right(Axis::ticks(heading, 0.0, 0.0, words));
    let topics = ranked.iter().map(|standing| standing.topics).max().unwrap_or(0);
    let letters = if grouped { "; no verdict separates runs that share a letter" } else { "" };
    INFO.empty(title, 1)
        .of(measure)
        .subtitle(format!("{}, {}, {level} intervals{letters}", count(ranked.len(), "run"), count(topics, "topic")))
        .panel(panel)
        .rows(table(measure, &level, &ranked))
}

/// The rows that are drawn.
fn table(measure: &str, level: &str, ranked: &[&LeaderboardRow]) -> Table {
    Columns::new()
        .column("run", "run", |row: &LeaderboardRow| row.run.as_str().into())
        .column("value", measure, |row| row.value.into())
        .column("interval", format!("{level} interval"), |row| row.intervals.whole().into())
        .column("bounds", "bounds", |row| row.intervals.bounds.into())
        .column("groups", "groups", |row| row.letters.clone().into())
        .column("topics", "topics", |row| row.topics.into())
        .table("leaderboard", "", ranked.iter().copied())
}
