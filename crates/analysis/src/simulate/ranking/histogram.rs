//! Histograms of one cell, next to the shares under a constant q.

use karat_sim::{RankingModel, Simulated};

use super::answer::{BinsOf, HistogramBin};
use super::outcome::{ConstantShare, ROUNDING};

/// Single rankings, over the possible range.
pub(super) fn lists(model: &RankingModel, simulated: &Simulated, shared: &ConstantShare) -> Vec<HistogramBin> {
    let below = |x: f64| shared.list.as_ref()?.cdf(x).ok().map(|found| found.value);
    bins(BinsOf::List, model, (0.0, model.greatest()), &simulated.histogram, below)
}

/// Means over the queries, over the observed range.
pub(super) fn means(
    model: &RankingModel,
    simulated: &Simulated,
    shared: &ConstantShare,
    count: usize,
) -> Vec<HistogramBin> {
    let (low, high) = simulated
        .means
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &mean| (low.min(mean), high.max(mean)));
    // Means that are all equal are one bin of no width.
    let count = if high > low { count } else { 1 };
    let mut counts = vec![0; count];
    for mean in &simulated.means {
        let place = (mean - low + high * ROUNDING) / (high - low) * count as f64;
        counts[(place as usize).min(count - 1)] += 1;
    }
    let below = |x: f64| shared.mean.as_ref()?.cdf(x).ok();
    bins(BinsOf::Mean, model, (low, high), &counts, below)
}

fn bins(
    of: BinsOf,
    model: &RankingModel,
    (low, high): (f64, f64),
    counts: &[u64],
    below: impl Fn(f64) -> Option<f64>,
) -> Vec<HistogramBin> {
    let total: u64 = counts.iter().sum();
    let edge = |bin: usize| low + (high - low) * bin as f64 / counts.len() as f64;
    // A bin holds its lower edge and not its upper one, but for the last; values are as exact as 32 bits are.
    let slack = high * ROUNDING;
    let mut so_far = if low <= slack { Some(0.0) } else { below(low - slack) };
    let one = |(bin, &count): (usize, &u64)| {
        let last = bin + 1 == counts.len();
        let up_to = below(edge(bin + 1) + if last { slack } else { -slack });
        let share_closed_form = so_far.zip(up_to).map(|(before, after)| (after - before).max(0.0));
        so_far = up_to;
        HistogramBin {
            of,
            q: model.share(),
            w: model.weight(),
            low: edge(bin),
            high: edge(bin + 1),
            count,
            share: count as f64 / total.max(1) as f64,
            share_closed_form,
        }
    };
    counts.iter().enumerate().map(one).collect()
}
