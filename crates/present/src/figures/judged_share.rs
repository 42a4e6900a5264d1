//! How much of the rankings was judged, by rank.

use karat_report::{Axis, Figure, Panel, Table};

use super::curves::{draw, example};
use super::{FigureInfo, count};
use karat_analysis::curves::{RANKS, RunCurves};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "judged_share",
    title: "Judged documents by rank",
    shows: "The share of documents down to each rank that were judged, as a mean over topics. Ranks are on a logarithmic scale.",
    reading: "Where a curve leaves 1, measures begin to count documents as not relevant that nobody looked at. A run whose curve is lower than others' \
              was not pooled, or is new: its scores are low for that reason too.",
    example: |names| judged_share(&example(names)),
};

/// The curves of all runs.
pub fn judged_share(runs: &[RunCurves]) -> Figure {
    let title = "Share of judged documents, by rank";
    if runs.iter().all(|run| run.topics == 0) {
        return INFO.nothing(title, "no run has a judged topic");
    }
    let mut table =
        Table::new("judged_share", "").column("run", "run").column("rank", "down to rank").column("judged", "judged");
    for run in runs {
        for (rank, judged) in RANKS.iter().zip(run.judged) {
            table.push([run.run.as_str().into(), (*rank).into(), judged.into()]);
        }
    }
    let place = |rank: usize| (rank as f64).log10();
    let ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map(|rank| (place(rank), rank.to_string())).to_vec();
    let x = Axis::ticks("down to rank", 0.0, place(RANKS[RANKS.len() - 1]), ticks);
    let panel = draw(Panel::new("", x, Axis::new("share judged", 0.0, 1.0)), runs, |run| {
        Some(RANKS.iter().zip(run.judged).map(|(rank, judged)| (place(*rank), judged)).collect())
    });
    let topics = runs.iter().map(|run| run.topics).max().unwrap_or(0);
    INFO.empty(title, 1).subtitle(format!("means over {}", count(topics, "topic"))).panel(panel).rows(table)
}
