//! What figures of curves share.
//!
//! A run has the same colour in each of its figures: the best by the mean of its eleven points first. Runs beyond the colours are grey.

use karat_analysis::curves::RunCurves;
use karat_report::figure::GREY;
use karat_report::{Mark, Panel};

use super::{best_first, example_score};

/// Runs that have a colour of their own.
const COLOURED: usize = 6;

/// Places of the runs in the order in which they are drawn, grey ones first so that none covers a coloured one, each with its colour.
fn drawn(runs: &[RunCurves]) -> Vec<(usize, usize)> {
    let worth = |run: &RunCurves| run.eleven.map_or(-1.0, |points| points.iter().sum());
    let order = best_first(&runs.iter().map(worth).collect::<Vec<_>>());
    let coloured = order.iter().take(COLOURED).enumerate().map(|(colour, &at)| (at, colour));
    order.iter().skip(COLOURED).map(|&at| (at, GREY)).chain(coloured).collect()
}

/// Draws a curve for each run that has one.
pub(super) fn draw(
    mut panel: Panel,
    runs: &[RunCurves],
    points: impl Fn(&RunCurves) -> Option<Vec<(f64, f64)>>,
) -> Panel {
    for (at, series) in drawn(runs) {
        let Some(points) = points(&runs[at]) else { continue };
        let mark = match series {
            GREY => Mark::Line { series, label: "other runs".into(), name: runs[at].run.clone(), dash: 0, points },
            _ => Mark::curve(series, runs[at].run.clone(), points),
        };
        panel = panel.mark(mark);
    }
    panel
}

/// Made-up curves.
pub(super) fn example(names: &[String]) -> Vec<RunCurves> {
    let curve = |(at, name): (usize, &String)| {
        let start = 0.3 + 0.7 * example_score(at);
        let falling = |step: usize, steps: usize| start * (1.0 - step as f64 / steps as f64);
        RunCurves {
            run: name.clone(),
            topics: 3,
            relevant_topics: 3,
            eleven: (at != 1).then(|| std::array::from_fn(|step| falling(step, 11))),
            precision_recall: (at != 1).then(|| std::array::from_fn(|step| (falling(step, 13), step as f64 / 13.0))),
            roc: (at != 1).then(|| (std::array::from_fn(|step| (step as f64 / 50.0).powf(1.0 - start * 0.8)), 3)),
            judged: std::array::from_fn(|step| falling(step, 20)),
            residual: std::array::from_fn(|step| 0.8f64.powi(step as i32 + 1) * (1.0 + start)),
        }
    };
    names.iter().enumerate().map(curve).collect()
}
