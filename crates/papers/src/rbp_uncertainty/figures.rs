//! Figures 1, 2 and 3.

use karat_report::{Axis, Figure, NumberStyle, Panel, Table};
use karat_sim::Experiment;
use karat_stats::dist::bernoulli_sum::BernoulliSum;

use super::{GRID_SHARES, GRID_WEIGHTS, GridCell, QUERIES, SHARES, equations, model};
use crate::Work;
use crate::drawing::{bars, counts, matrix, top};

/// Bins of a histogram.
const BINS: usize = 60;

pub(super) fn figures(work: &Work<'_>, grid: &[GridCell]) -> Vec<Figure> {
    vec![of_lists(), of_means(work), of_grid(grid)]
}

/// Figure 1: v, exactly.
fn of_lists() -> Figure {
    let mut figure = Figure::new("rbp-uncertainty-figure-1", "Figure 1: the distribution of RBP uncertainty v", 2)
        .subtitle("p = 0.8, ranks 11 to 100 unjudged; exact, not simulated")
        .reading("Distribution of what ranks 11 to 100 add to RBP, for four probabilities q that a document is relevant. Small q gives spikes, because a single document's rank decides; at q = 0.5 the shape is symmetric.");
    let mut rows = Table::new("figure_1", "")
        .column("q", "q")
        .column("from", "from")
        .column("to", "to")
        .column("probability", "probability");
    for q in SHARES {
        let Some(model) = model(q, 1.0) else { continue };
        let sum = BernoulliSum::new(&model.independent_ranks());
        let most = model.greatest();
        let below = |bin: usize| {
            if bin == BINS {
                1.0
            } else {
                sum.cdf(most * bin as f64 / BINS as f64 - 1e-9).map_or(0.0, |found| found.value)
            }
        };
        let heights: Vec<f64> = (0..BINS).map(|bin| below(bin + 1) - if bin == 0 { 0.0 } else { below(bin) }).collect();
        for (bin, &height) in heights.iter().enumerate() {
            let edge = |bin: usize| most * bin as f64 / BINS as f64;
            rows.push([q.into(), edge(bin).into(), edge(bin + 1).into(), height.into()]);
        }
        let panel =
            Panel::new(format!("q = {q}"), Axis::new("v", 0.0, most), Axis::new("probability", 0.0, top(&heights)));
        figure = figure.panel(bars(panel, 0, "", (0.0, most), &heights));
    }
    figure.rows(rows)
}

/// Figure 2: Υ, simulated, with the Normal of equation 8 over it.
fn of_means(work: &Work<'_>) -> Figure {
    let mut figure = Figure::new(
        "rbp-uncertainty-figure-2",
        "Figure 2: the distribution of Mean RBP uncertainty over 50 queries",
        2,
    )
    .subtitle("bars: simulated; line: the Normal with equation 8's mean and standard deviation")
    .reading(
        "Simulated means over 50 queries, and the Normal curve that the paper predicts. The two agree at every q.",
    );
    let mut rows = Table::new("figure_2", "")
        .column("q", "q")
        .column("from", "from")
        .column("to", "to")
        .column("share", "share")
        .column("normal", "normal");
    for q in SHARES {
        let Some(model) = model(q, 1.0) else { continue };
        let experiment = Experiment { queries: QUERIES, replications: work.effort(10_000, 1_000), bins: 0 };
        let means = model.simulate(experiment, work.seed, work.threads).means;
        let (mean, _, deviation) = equations(q);
        let (low, high) = ((mean - 4.0 * deviation).max(0.0), mean + 4.0 * deviation);
        let bins = BINS / 2;
        let width = (high - low) / bins as f64;
        let all = means.len().max(1) as f64;
        let heights: Vec<f64> = counts(means, (low, high), bins).into_iter().map(|count| count / all).collect();
        let density = |x: f64| {
            let z = (x - mean) / deviation;
            libm::exp(-z * z / 2.0) / (deviation * (2.0 * std::f64::consts::PI).sqrt()) * width
        };
        let curve: Vec<(f64, f64)> =
            (0..=60).map(|step| low + (high - low) * f64::from(step) / 60.0).map(|x| (x, density(x))).collect();
        for (bin, &height) in heights.iter().enumerate() {
            let from = low + width * bin as f64;
            rows.push([
                q.into(),
                from.into(),
                (from + width).into(),
                height.into(),
                density(from + width / 2.0).into(),
            ]);
        }
        let highest = top(&heights).max(density(mean) * 1.05);
        let panel = Panel::new(
            format!("q = {q}"),
            Axis::new("mean of v over 50 queries", low, high),
            Axis::new("share", 0.0, highest),
        );
        figure = figure.panel(bars(panel, 0, "", (low, high), &heights).line(1, "", false, curve));
    }
    figure.rows(rows)
}

/// Figure 3: the grid, as a matrix where the paper has contours.
fn of_grid(grid: &[GridCell]) -> Figure {
    let names = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>();
    let table = |of: &dyn Fn(&GridCell) -> f64| -> Vec<Vec<f64>> {
        let at = |share: f64, weight: f64| {
            grid.iter().find(|cell| cell.share == share && cell.weight == weight).map_or(f64::NAN, of)
        };
        GRID_SHARES.iter().rev().map(|&share| GRID_WEIGHTS.iter().map(|&weight| at(share, weight)).collect()).collect()
    };
    let shares: Vec<f64> = GRID_SHARES.iter().rev().copied().collect();
    let panel = |title: &str, numbers: &[Vec<f64>]| {
        matrix(
            title,
            (names(&shares), "q, expected share of relevant documents"),
            (names(&GRID_WEIGHTS), "w, relevance ratio"),
            numbers,
            |number| NumberStyle::Decimals(4).show(number),
        )
    };
    let mut rows = Table::new("figure_3", "")
        .column("q", "q")
        .column("w", "w")
        .column("mean", "mean")
        .column("std_dev", "std. dev.");
    for cell in grid {
        rows.push([cell.share.into(), cell.weight.into(), cell.exact.mean.into(), cell.std_dev().into()]);
    }
    Figure::new("rbp-uncertainty-figure-3", "Figure 3: mean and standard deviation of Mean RBP uncertainty", 2)
        .subtitle("exact; the paper draws contours of a simulation")
        .reading("Darker is larger. The mean grows with q (upwards) and with falling w (to the left), except at q = 0.05 below w = 0.1. With falling w the standard deviation grows for small q and falls for large q.")
        .panel(panel("mean", &table(&|cell| cell.exact.mean)))
        .panel(panel("standard deviation", &table(&GridCell::std_dev)))
        .rows(rows)
}
