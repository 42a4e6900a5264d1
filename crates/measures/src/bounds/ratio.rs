//! Bounds of nDCG, with any discount that does not rise: exact, by the levels of gain.
//!
//! Let S_g be the documents whose gain reaches g. Then DCG is the sum over the steps between gains of (height of the
//! step) * (discount weights of S_g in the ranking), and the ideal DCG the same sum with the |S_g| first weights. So a
//! completion is one set of unjudged documents per level, each within the one below it.
//!
//! Low: the ratio of a linear to a convex function is least at a corner, where every unjudged document has the least or
//! the greatest gain; for a given number of the latter they stand at the lowest ranks. Going up, each adds more to the
//! DCG and less to the ideal than the one before, so the ratio falls until it first rises. High: by Dinkelbach's method, the
//! greatest DCG - lambda * IDCG for the present ratio lambda, which falls apart into one problem per level; their
//! solutions lie within each other by themselves, because a level with more judged documents above it pays less for one
//! more in the ideal.

use std::borrow::Cow;
use std::iter;

use karat_data::TopicView;

use super::Open;
use crate::difference::Pair;
use crate::discount::Discounts;
use crate::few::Few;
use crate::gains::Gains;
use crate::linear::Gain;

/// What ranks weigh: no rank more than the one above it.
pub(crate) trait Weights {
    /// The weight of a rank, from 1.
    fn at(&self, rank: usize) -> f64;

    /// The sums of the first weights, from none to at least so many.
    fn sums(&self, longest: usize) -> Cow<'static, [f64]>;
}

impl Weights for Discounts {
    #[inline]
    fn at(&self, rank: usize) -> f64 {
        1.0 / Discounts::at(*self, rank)
    }

    fn sums(&self, longest: usize) -> Cow<'static, [f64]> {
        Discounts::sums(*self, longest)
    }
}

/// Least and greatest nDCG over all completions, from the value's own DCG; `None` where a gain could be negative, or
/// unjudged documents have gains of their own.
pub(crate) fn bounds(
    view: &TopicView<'_>,
    cutoff: Option<usize>,
    gains: &Gains,
    weights: &impl Weights,
    dcg: f64,
) -> Option<(f64, f64)> {
    if !differs(view, gains) {
        return None;
    }
    let completions = Completions::new(view, cutoff, gains, weights, dcg);
    Some((completions.least(), completions.greatest()))
}

/// The same where any number of relevant documents may exist that nobody retrieved or pooled, for a measure with a cut-off: `perfect` is
/// the sum of the weights down to it.
pub(crate) fn complete_bounds(
    view: &TopicView<'_>,
    cutoff: usize,
    gains: &Gains,
    weights: &impl Weights,
    (dcg, perfect): (f64, f64),
) -> Option<(f64, f64)> {
    if !differs(view, gains) {
        return None;
    }
    let completions = Completions::new(view, Some(cutoff), gains, weights, dcg);
    // A document elsewhere only adds to the ideal. With enough of them the ideal is full, so nothing retrieved adds to it.
    let low = share(dcg, completions.gain * perfect);
    Some((low, completions.greatest()))
}

/// A topic's ideal and its unjudged documents.
struct Completions {
    ideal: Ideal,
    /// Discount weights of the unjudged ranks, the highest first.
    unjudged: Few<f64, SHORT>,
    /// Documents that add to the ideal alone.
    outside: usize,
    dcg: f64,
    /// The greatest gain.
    gain: f64,
}

impl Completions {
    #[inline]
    fn new(
        view: &TopicView<'_>,
        cutoff: Option<usize>,
        gains: &Gains,
        weights: &impl Weights,
        dcg: f64,
    ) -> Completions {
        let cutoff = cutoff.unwrap_or(usize::MAX);
        let gain = gains.greatest(&view.collection);
        let open = Open::all(view);
        let ideal = Ideal::new(view, gains, weights, gain, cutoff, open);
        let mut unjudged = Few::<f64, SHORT>::new();
        for (index, judgement) in view.ranks.iter().take(cutoff).enumerate() {
            if !judgement.is_judged() {
                unjudged.push(weights.at(index + 1));
            }
        }
        let outside = open.retrieved - unjudged.len() + open.missed;
        Completions { ideal, unjudged, outside, dcg, gain }
    }

    fn least(&self) -> f64 {
        // Once the ideal is full, more gain only helps.
        let room = self.ideal.cutoff.saturating_sub(self.outside);
        let added = self.unjudged.iter().rev().take(room).map(|weight| self.gain * weight);
        let mut low = self.ideal.ratio(self.dcg, self.outside);
        let mut sum = self.dcg;
        for (count, gain) in (1..).zip(added) {
            sum += gain;
            let ratio = self.ideal.ratio(sum, self.outside + count);
            if ratio > low {
                break;
            }
            low = ratio;
        }
        low
    }

    fn greatest(&self) -> f64 {
        // None of them relevant, or all: one of the two is mostly near the greatest.
        let all = self.dcg + self.gain * self.unjudged.iter().sum::<f64>();
        let near = self.ideal.ratio(self.dcg, 0).max(self.ideal.ratio(all, self.unjudged.len()));
        self.ideal.greatest_ratio(self.dcg, &self.unjudged, near)
    }
}

/// A DCG over an ideal one, 0 where that is.
fn share(dcg: f64, ideal: f64) -> f64 {
    if ideal > 0.0 { (dcg / ideal).min(1.0) } else { 0.0 }
}

/// Whether gains are such that the levels tell all: none is negative, and unjudged documents have none of their own.
pub(crate) fn differs(view: &TopicView<'_>, gains: &Gains) -> bool {
    let (least, greatest) = (gains.least(&view.collection), gains.greatest(&view.collection));
    !gains.of_unjudged() && least == 0.0 && greatest.is_finite()
}

/// The greatest difference of nDCG, `dcg` being that of DCG as judged. A document weighs what it weighs in the first list less
/// what it weighs in the second, so for a given number of newly relevant ones those that weigh most are taken. If a difference
/// can be positive, the greatest is found as the greatest nDCG is. Else documents elsewhere that fill the ideal bring it nearest to 0
/// where there may be any number of them (`perfect` is then the sum of the weights down to the cut-off), and where there may
/// not it is at a corner, as the least nDCG is.
pub(crate) fn greatest_difference(
    pair: &Pair<'_>,
    cutoff: Option<usize>,
    gains: &Gains,
    weights: &impl Weights,
    (dcg, perfect): (f64, Option<f64>),
) -> f64 {
    let view = pair.a();
    let greatest = gains.greatest(&view.collection);
    let cutoff = cutoff.unwrap_or(usize::MAX);
    let open = Open::all(view);
    let ideal = Ideal::new(view, gains, weights, greatest, cutoff, open);
    let weight = |rank: Option<usize>| rank.filter(|&rank| rank <= cutoff).map_or(0.0, |rank| weights.at(rank));
    let document_weights = pair.open().iter().map(|open| weight(open.a()) - weight(open.b()));
    let mut positive = Few::<f64, SHORT>::new();
    document_weights.clone().filter(|&weight| weight > 0.0).for_each(|weight| positive.push(weight));
    positive.sort_unstable_by(|a, b| b.total_cmp(a));
    let all = dcg + greatest * positive.iter().sum::<f64>();
    let near = ideal.ratio(all, positive.len());
    if near > 0.0 {
        return ideal.greatest_ratio(dcg, &positive, near.max(ideal.ratio(dcg, 0)));
    }
    if let Some(perfect) = perfect {
        return share(all, greatest * perfect);
    }
    let mut negative: Vec<f64> = document_weights.filter(|&weight| weight < 0.0).collect();
    negative.sort_unstable_by(|a, b| b.total_cmp(a));
    // Whoever is in neither list weighs nothing; once the ideal is full more of them change nothing.
    let nothing = (open.retrieved + open.missed).saturating_sub(positive.len() + negative.len()).min(cutoff);
    let mut corner = ideal.ratio(dcg, 0);
    let mut sum = dcg;
    for (count, weight) in (1..).zip(positive.iter().copied().chain(iter::repeat_n(0.0, nothing)).chain(negative)) {
        sum += greatest * weight;
        corner = corner.max(ideal.ratio(sum, count));
    }
    corner
}

/// Unjudged ranks and steps between gains that there mostly are at most.
const SHORT: usize = 16;
const STEPS: usize = 6;

/// The ideal ranking: the steps between gains, how high each is and how many judged documents reach it.
struct Ideal {
    steps: Few<(f64, usize), STEPS>,
    cutoff: usize,
    /// Sums of the first weights.
    sums: Cow<'static, [f64]>,
}

impl Ideal {
    #[inline]
    fn new(
        view: &TopicView<'_>,
        gains: &Gains,
        weights: &impl Weights,
        greatest: f64,
        cutoff: usize,
        open: Open,
    ) -> Ideal {
        // From the greatest gain down; judged documents may have the greatest gain themselves.
        let mut steps = Few::<(f64, usize), STEPS>::new();
        steps.push((greatest, 0));
        let mut reached = 0;
        for group in gains.ideal(view.facts) {
            reached += group.count;
            match steps.last_mut() {
                Some(last) if last.0 == group.gain => last.1 = reached,
                Some(last) => {
                    last.0 -= group.gain;
                    steps.push((group.gain, reached));
                }
                None => {}
            }
        }
        let longest = cutoff.min(reached + open.retrieved + open.missed);
        Ideal { steps, cutoff, sums: weights.sums(longest) }
    }

    #[inline]
    fn first(&self, count: usize) -> f64 {
        self.sums[count.min(self.cutoff)]
    }

    /// A DCG over the ideal one with so many more documents of the greatest gain.
    #[inline]
    fn ratio(&self, dcg: f64, more: usize) -> f64 {
        let ideal: f64 = self.steps.iter().map(|&(height, reached)| height * self.first(reached + more)).sum();
        share(dcg, ideal)
    }

    /// The greatest ratio over all gains of unjudged documents with these weights, greatest first; `lambda` is a ratio that can
    /// be had.
    fn greatest_ratio(&self, dcg: f64, unjudged: &[f64], mut lambda: f64) -> f64 {
        if unjudged.is_empty() || lambda >= 1.0 {
            return lambda;
        }
        loop {
            let (mut run, mut ideal) = (dcg, 0.0);
            for &(height, reached) in self.steps.iter() {
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
            if ratio >= 1.0 {
                return 1.0;
            }
            lambda = ratio;
        }
    }
}
