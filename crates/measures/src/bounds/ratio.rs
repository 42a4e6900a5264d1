//! Bounds of nDCG: exact, by the levels of gain.
//!
//! Let S_g be the documents whose gain reaches g. Then DCG is the sum over the steps between gains of (height of the
//! step) * (discount weights of S_g in the ranking), and the ideal DCG the same sum with the |S_g| first weights. So a
//! completion is one set of unjudged documents per level, each within the one below it.
//!
//! Low: the ratio of a linear to a convex function is least at a corner, where every unjudged document has the least or
//! the greatest gain; for a given number of the latter they stand at the lowest ranks. High: by Dinkelbach's method, the
//! greatest DCG - lambda * IDCG for the present ratio lambda, which falls apart into one problem per level; their
//! solutions lie within each other by themselves, because a level with more judged documents above it pays less for one
//! more in the ideal.

use karat_data::TopicView;

use super::Open;
use crate::discount::Discounts;
use crate::gains::Gains;
use crate::linear::Gain;

/// Least and greatest nDCG over all completions, from the value's own DCG; `None` where a gain could be negative, or
/// unjudged documents have gains of their own.
pub(crate) fn bounds(view: &TopicView<'_>, cutoff: Option<usize>, gains: &Gains, dcg: f64) -> Option<(f64, f64)> {
    let greatest = gains.greatest(&view.collection);
    if gains.of_unjudged() || gains.least(&view.collection) != 0.0 || !greatest.is_finite() {
        return None;
    }
    let steps = Steps::of(view, gains, greatest);
    let cutoff = cutoff.unwrap_or(usize::MAX);
    let open = Open::all(view);
    let within = cutoff.min(view.ranks.len());
    let discounts = Discounts::get();
    let weight = |rank: usize| 1.0 / discounts.at(rank);
    // Discount weights of the unjudged ranks, the highest first.
    let unjudged: Vec<f64> = (0..within).filter(|&at| !view.ranks[at].is_judged()).map(|at| weight(at + 1)).collect();
    let outside = open.retrieved - unjudged.len() + open.missed;
    let longest = (steps.judged() + unjudged.len() + outside).min(cutoff);
    let ideal = Ideal::new(&steps, longest, weight);
    let low = {
        let mut sum = dcg;
        let mut least = ideal.ratio(dcg, outside);
        for (count, weight) in (1..).zip(unjudged.iter().rev()) {
            // Once the ideal is full, more gain only helps.
            if outside + count > longest {
                break;
            }
            sum += greatest * weight;
            least = least.min(ideal.ratio(sum, outside + count));
        }
        least
    };
    Some((low, ideal.greatest_ratio(dcg, &unjudged)))
}

/// The steps between gains: how high each is, and how many judged documents reach it.
struct Steps(Vec<(f64, usize)>);

impl Steps {
    fn of(view: &TopicView<'_>, gains: &Gains, greatest: f64) -> Steps {
        // From the greatest gain down; judged documents may have the greatest gain themselves.
        let mut levels: Vec<(f64, usize)> = vec![(greatest, 0)];
        let mut reached = 0;
        for group in gains.ideal(view.facts) {
            reached += group.count;
            match levels.last_mut() {
                Some(last) if last.0 == group.gain => last.1 = reached,
                _ => levels.push((group.gain, reached)),
            }
        }
        let lower = levels.iter().skip(1).map(|level| level.0).chain([0.0]).collect::<Vec<_>>();
        Steps(levels.iter().zip(lower).map(|(&(gain, reached), next)| (gain - next, reached)).collect())
    }

    /// Judged documents with a gain.
    fn judged(&self) -> usize {
        self.0.last().map_or(0, |step| step.1)
    }
}

/// The ideal ranking: sums of the first weights.
struct Ideal<'a> {
    steps: &'a Steps,
    sums: Vec<f64>,
}

impl<'a> Ideal<'a> {
    fn new(steps: &'a Steps, longest: usize, weight: impl Fn(usize) -> f64) -> Ideal<'a> {
        let mut sums = Vec::with_capacity(longest + 1);
        sums.push(0.0);
        let mut sum = 0.0;
        sums.extend((1..=longest).map(|rank| {
            sum += weight(rank);
            sum
        }));
        Ideal { steps, sums }
    }

    #[inline]
    fn first(&self, count: usize) -> f64 {
        self.sums[count.min(self.sums.len() - 1)]
    }

    /// A DCG over the ideal one with so many more documents of the greatest gain.
    fn ratio(&self, dcg: f64, more: usize) -> f64 {
        let ideal: f64 = self.steps.0.iter().map(|&(height, reached)| height * self.first(reached + more)).sum();
        if ideal > 0.0 { (dcg / ideal).min(1.0) } else { 0.0 }
    }

    /// The greatest ratio over all gains of unjudged documents with these weights.
    fn greatest_ratio(&self, dcg: f64, unjudged: &[f64]) -> f64 {
        let mut lambda = self.ratio(dcg, 0);
        loop {
            let (mut run, mut ideal) = (dcg, 0.0);
            for &(height, reached) in &self.steps.0 {
                let (mut gained, mut best, mut count) = (0.0, -lambda * self.first(reached), 0);
                let mut kept = 0.0;
                for (more, weight) in (1..).zip(unjudged) {
                    gained += weight;
                    let worth = gained - lambda * self.first(reached + more);
                    // Of equals the most, so that the sets of the levels lie within each other.
                    if worth >= best {
                        (best, count, kept) = (worth, more, gained);
                    }
                }
                run += height * kept;
                ideal += height * self.first(reached + count);
            }
            let ratio = if ideal > 0.0 { run / ideal } else { 0.0 };
            // The ratios ascend to the greatest; when rounding ends the ascent it is reached.
            if ratio <= lambda {
                return lambda.min(1.0);
            }
            lambda = ratio;
        }
    }
}
