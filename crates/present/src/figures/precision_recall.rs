//! Precision against recall.

use karat_report::{Axis, Column, Figure, NumberStyle, Panel, Table};

use super::curves::{draw, example};
use super::{FigureInfo, count};
use karat_analysis::curves::{RANKS, RunCurves};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "precision_recall",
    title: "Precision and recall",
    shows: "Left, interpolated precision at recall 0, 0.1, ... 1; right, precision against recall at ranks 1, 2, 3, 5, 10 and so on; both means over topics.",
    reading: "A curve above another everywhere is better wherever one stops reading. Recall counts relevant documents that are known: unjudged ones count as not \
              relevant, so both ends flatter runs that were judged more. Curves have no intervals here; a comparison of AP says what is sure.",
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
    let topics = runs.iter().map(|run| run.topics).max().unwrap_or(0);
    INFO.empty(title, 2)
        .subtitle(format!("means over {}; relevant from grade {relevance_level} on", count(topics, "topic")))
        .panel(eleven)
        .panel(ranks)
        .rows(table)
}
