//! What RBP leaves open, by the depth to which lists are read.

use karat_report::figure::GREY;
use karat_report::{Axis, Figure, Mark, Panel, Table};

use super::curves::{draw, example};
use super::{FigureInfo, count};
use karat_analysis::curves::{DEPTHS, RunCurves};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "rbp_residual",
    title: "RBP's residual by depth",
    shows: "The residual of RBP when lists are read to each depth: the weight of unjudged documents so far, and of everything below. The mean over topics.",
    reading: "A curve starts at p where the first document of every topic was judged, else above it, and none can lie below the broken line, the weight of what is below the depth. Where a curve stays above it, \
              that distance is what unjudged documents leave open, however deep one reads.",
    example: |names| rbp_residual(0.8, &example(names)),
};

/// The curves of all runs.
pub fn rbp_residual(persistence: f64, runs: &[RunCurves]) -> Figure {
    let title = format!("RBP(p={persistence}): what is left open, by depth");
    if runs.iter().all(|run| run.topics == 0) {
        return INFO.nothing(title, "no run has a judged topic");
    }
    // Until what is below weighs next to nothing.
    let depth = (1..DEPTHS).find(|&depth| persistence.powi(depth as i32) < 0.002).unwrap_or(DEPTHS).clamp(10, DEPTHS);
    let mut table =
        Table::new("rbp_residual", "").column("run", "run").column("depth", "depth").column("residual", "residual");
    for run in runs {
        for (at, residual) in run.residual.iter().take(depth).enumerate() {
            table.push([run.run.as_str().into(), (at + 1).into(), (*residual).into()]);
        }
    }
    let most = runs.iter().map(|run| run.residual[0]).fold(0.0, f64::max);
    let floor = (1..=depth).map(|at| (at as f64, persistence.powi(at as i32))).collect();
    let below = Mark::Line {
        series: GREY,
        label: "the weight below the depth".into(),
        name: "the weight below the depth".into(),
        dash: 1,
        points: floor,
    };
    let y = Axis::new("residual", 0.0, if most > 0.0 { most.min(1.0) } else { 1.0 });
    let panel = draw(Panel::new("", Axis::new("depth", 1.0, depth as f64), y).mark(below), runs, |run| {
        Some(run.residual.iter().take(depth).enumerate().map(|(at, residual)| ((at + 1) as f64, *residual)).collect())
    });
    let topics = runs.iter().map(|run| run.topics).max().unwrap_or(0);
    INFO.empty(title, 1).subtitle(format!("means over {}", count(topics, "topic"))).panel(panel).rows(table)
}
