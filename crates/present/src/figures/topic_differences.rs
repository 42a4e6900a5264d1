//! The differences of two runs topic by topic, sorted, with the topics worth reading.

use karat_report::figure::{GREY, INK};
use karat_report::{Anchor, Axis, Columns, Figure, Mark, Panel, Table};

use super::{FigureInfo, count, example_score, number};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "topic_differences",
    title: "Differences by topic",
    shows: "The difference of two runs on every topic, sorted. Thin lines are bounds: the range over all judgements of the unjudged documents.",
    reading: "The mean difference is the area above the line minus the area below. Inspect the topics at both ends: there one run found what \
              the other missed.",
    example: |names| {
        let topic = |(at, name): (usize, &String)| TopicRow {
            topic: name.clone(),
            difference: example_score(at) - 0.5,
            bounds: (at != 1).then_some((-0.5, 0.5)),
        };
        topic_differences("AP", ("a", "b"), &names.iter().enumerate().map(topic).collect::<Vec<_>>(), None)
    },
};

/// Topics named at each end.
const NAMED: usize = 5;
/// Height of the drawing, and of a line of words in it.
const TALL: f64 = 320.0;
const LINE: f64 = 14.0;

/// A topic.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicRow {
    /// The topic.
    pub topic: String,
    /// First run less second.
    pub difference: f64,
    /// Bounds of the difference.
    pub bounds: Option<(f64, f64)>,
}

/// Differences of two runs by a measure. `sampled` is the mean difference that a judged sample estimates, where there is one: topics are as judged.
pub fn topic_differences(measure: &str, (a, b): (&str, &str), topics: &[TopicRow], sampled: Option<f64>) -> Figure {
    let title = format!("{measure} by topic: {a} − {b}");
    let of = format!("{measure}-{a}-{b}");
    let mut sorted: Vec<&TopicRow> = topics.iter().filter(|row| row.difference.is_finite()).collect();
    if sorted.is_empty() {
        return INFO.nothing(title, "no topic has a score of both runs").of(of);
    }
    sorted.sort_by(|a, b| b.difference.total_cmp(&a.difference).then_with(|| a.topic.cmp(&b.topic)));
    let ends = sorted.iter().filter_map(|row| row.bounds).filter(|(low, high)| low.is_finite() && high.is_finite());
    let ends = ends.flat_map(|(low, high)| [low, high]).chain(sorted.iter().map(|row| row.difference));
    let (down, up) = ends.fold((0.0f64, 0.0f64), |(down, up), end| (down.max(-end), up.max(end)));
    // Room for the names above the first bars and below the last ones.
    let unit = (up + down).max(1e-6) / (TALL - 2.0 * LINE * NAMED as f64);
    let room = unit * LINE * NAMED as f64;
    let last = sorted.len() as f64 - 0.5;
    let x = Axis::ticks(
        format!("{}, sorted from best for {a} to best for {b}", count(sorted.len(), "topic")),
        -0.5,
        last,
        vec![(-0.5, String::new())],
    );
    let mut panel = Panel::new(
        "",
        Axis { grid: false, ..x },
        Axis::new(format!("difference in {measure}"), -down - room, up + room),
    )
    .sized(0.0, TALL);
    for (at, row) in sorted.iter().enumerate() {
        panel = bar((a, b), row, at as f64).into_iter().fold(panel, Panel::mark);
    }
    panel = panel.mark(Mark::span(INK, 1.0, (-0.5, 0.0), (last, 0.0)));
    let top = |row: &&&TopicRow| row.difference > 0.0;
    let winners: Vec<&&TopicRow> = sorted.iter().take(NAMED).filter(top).collect();
    panel = names(panel, &winners, unit, |at| at as f64, 1.0);
    let losers: Vec<&&TopicRow> = sorted.iter().rev().take(NAMED).filter(|row| row.difference < 0.0).collect();
    panel = names(panel, &losers, unit, |at| sorted.len() as f64 - 1.0 - at as f64, -1.0);
    INFO.empty(title, 1).of(of).subtitle(subtitle((a, b), &sorted, sampled)).panel(panel).rows(table((a, b), &sorted))
}

/// The topics that are drawn.
fn table((a, b): (&str, &str), topics: &[&TopicRow]) -> Table {
    Columns::new()
        .column("topic", "topic", |row: &TopicRow| row.topic.as_str().into())
        .column("difference", format!("{a} − {b}"), |row| row.difference.into())
        .column("bounds", "bounds", |row| row.bounds.into())
        .table("topic_differences", "", topics.iter().copied())
}

/// A topic's bar, coloured by the run that is better, with its bounds.
fn bar((a, b): (&str, &str), row: &TopicRow, middle: f64) -> Vec<Mark> {
    let (series, label) = if row.difference >= 0.0 { (0, format!("{a} better")) } else { (1, format!("{b} better")) };
    let name = format!("topic {}: {}", row.topic, number(row.difference));
    let bar = Mark::bar(series, (middle - 0.42, middle + 0.42), (0.0, row.difference)).named(name);
    let mut marks = vec![if row.difference == 0.0 { bar } else { bar.labelled(label) }];
    marks.extend(row.bounds.filter(|(low, high)| high - low > 1e-12).map(|(low, high)| {
        let name = format!("topic {}: from {} to {}", row.topic, number(low), number(high));
        Mark::span(INK, 1.0, (middle, low), (middle, high)).labelled("bounds").named(name)
    }));
    marks
}

/// The mean, and on how many topics each run is better.
fn subtitle((a, b): (&str, &str), topics: &[&TopicRow], sampled: Option<f64>) -> String {
    let won = topics.iter().filter(|row| row.difference > 0.0).count();
    let lost = topics.iter().filter(|row| row.difference < 0.0).count();
    let mean = topics.iter().map(|row| row.difference).sum::<f64>() / topics.len() as f64;
    let sampled = sampled.map_or_else(String::new, |found| format!(" as judged, {} from the sample", number(found)));
    format!(
        "mean {}{sampled}; {a} is better on {}, {b} on {lost}, equal on {}",
        number(mean),
        count(won, "topic"),
        topics.len() - won - lost
    )
}

/// Names of topics beside the ends of their bars: each no nearer to 0 than its bar's end, and a line away from the next, so that
/// none stands on another or on a bar.
fn names(mut panel: Panel, rows: &[&&TopicRow], unit: f64, place: impl Fn(usize) -> f64, side: f64) -> Panel {
    let mut heights: Vec<f64> = rows
        .iter()
        .map(|row| row.bounds.map_or(row.difference, |(low, high)| if side > 0.0 { high } else { low }) * side)
        .map(|end| if end.is_finite() { end } else { 0.0 } + unit * LINE / 2.0)
        .collect();
    for at in (0..heights.len().saturating_sub(1)).rev() {
        heights[at] = heights[at].max(heights[at + 1] + unit * LINE);
    }
    for (at, (row, height)) in rows.iter().zip(&heights).enumerate() {
        let anchor = if side > 0.0 { Anchor::Start } else { Anchor::End };
        let text = format!("{} {}", row.topic.chars().take(24).collect::<String>(), number(row.difference));
        panel = panel.mark(Mark::span(GREY, 0.6, (place(at), row.difference), (place(at), height * side)));
        panel = panel.mark(Mark::Words {
            at: (place(at), height * side),
            text,
            anchor,
            shift: (4.0 * side, 0.0),
            on_colour: false,
        });
    }
    panel
}
