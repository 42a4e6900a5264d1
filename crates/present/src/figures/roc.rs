//! Relevant documents found against others met.

use karat_report::figure::GREY;
use karat_report::{Axis, Column, Figure, Mark, NumberStyle, Panel, Table};

use super::curves::{draw, example};
use super::{FigureInfo, count};
use karat_analysis::curves::{RATES, RunCurves};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "roc",
    title: "ROC curves",
    shows: "Going down the ranking, the share of judged relevant documents that were found against the share of judged documents not relevant that were met, as a \
            mean over topics.",
    reading: "The diagonal is a ranking by chance. Only judged documents count; those not retrieved follow in a tie, a straight line to the corner.",
    example: |names| roc(&example(names)),
};

/// The curves of all runs.
pub fn roc(runs: &[RunCurves]) -> Figure {
    let title = "ROC over judged documents";
    if runs.iter().all(|run| run.roc.is_none()) {
        return INFO.nothing(title, "no topic has both relevant and non-relevant documents judged");
    }
    let rate = |step: usize| step as f64 / (RATES - 1) as f64;
    let mut table = Table::new("roc", "")
        .column("run", "run")
        .with(Column::new("false_positives", "non-relevant met").style(NumberStyle::Given))
        .column("true_positives", "relevant found");
    for run in runs {
        for (at, found) in run.roc.iter().flat_map(|(points, _)| points.iter().enumerate()) {
            table.push([run.run.as_str().into(), rate(at).into(), (*found).into()]);
        }
    }
    let axes = (
        Axis::new("share of non-relevant documents met", 0.0, 1.0),
        Axis::new("share of relevant documents found", 0.0, 1.0),
    );
    let chance = Mark::Line {
        series: GREY,
        label: String::new(),
        name: "by chance".into(),
        dash: 1,
        points: vec![(0.0, 0.0), (1.0, 1.0)],
    };
    let panel = draw(Panel::new("", axes.0, axes.1).sized(420.0, 420.0).mark(chance), runs, |run| {
        run.roc.map(|(points, _)| points.iter().enumerate().map(|(at, found)| (rate(at), *found)).collect())
    });
    let topics = runs.iter().filter_map(|run| run.roc.map(|(_, topics)| topics)).max().unwrap_or(0);
    let subtitle = format!("means over {} with relevant and non-relevant documents judged", count(topics, "topic"));
    INFO.empty(title, 1).subtitle(subtitle).panel(panel).rows(table)
}
