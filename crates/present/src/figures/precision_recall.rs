//! Precision against recall.

use karat_report::{Axis, Column, Figure, NumberStyle, Panel, Table};

use super::curves::{draw, example};
use super::{FigureInfo, count};
use karat_analysis::curves::{RANKS, RunCurves};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "precision_recall",
    title: "Precision and recall",
    shows: "Left: interpolated precision at recall 0, 0.1, ... 1. Right: precision and recall at ranks 1, 2, 3, 5, 10 and so on. Both are means over topics with a relevant document.",
    reading: "A curve that is always higher is better at every depth. Unjudged documents count as not relevant, which favours runs with more judged \
              documents. The curves have no intervals; compare AP to test a difference.",
    example: |names| precision_recall(1.0, &example(names)),
};

/// The curves of all runs.
pub fn precision_recall(relevance_level: f64, runs: &[RunCurves]) -> Figure {
    let title = "Precision and recall";
    if runs.iter().all(|run| run.eleven.is_none()) {
        return INFO.nothing(title, "no topic has a relevant document");
    }
    let mut table = Table::new("precision_recall", "")
        .column("run", "run")
        .with(Column::new("recall", "recall").style(NumberStyle::Given))
        .column("precision", "interpolated precision");
    for run in runs {
        for (at, precision) in run.eleven.iter().flatten().enumerate() {
            table.push([run.run.as_str().into(), (at as f64 / 10.0).into(), (*precision).into()]);
        }
    }
    let panel = |title: &str| Panel::new(title, Axis::new("recall", 0.0, 1.0), Axis::new("precision", 0.0, 1.0));
    let eleven = draw(panel("eleven points, interpolated"), runs, |run| {
        run.eleven.map(|points| points.iter().enumerate().map(|(at, point)| (at as f64 / 10.0, *point)).collect())
    });
    let ranks = draw(panel(&format!("at ranks 1 to {}", RANKS[RANKS.len() - 1])), runs, |run| {
        run.precision_recall.map(|points| points.iter().map(|(precision, recall)| (*recall, *precision)).collect())
    });
    let topics = runs.iter().map(|run| run.relevant_topics).max().unwrap_or(0);
    INFO.empty(title, 2)
        .subtitle(format!(
            "means over {} with a relevant document; relevant = grade {relevance_level} or above",
            count(topics, "topic")
        ))
        .panel(eleven)
        .panel(ranks)
        .rows(table)
}
