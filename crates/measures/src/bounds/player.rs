//! Bounds of BPM whose user wants a fixed gain: exact, in time linear in the ranks.
//!
//! More gain can make the user stop sooner and score less, so no end is where all is relevant or nothing. But gains of whole
//! grades are whole numbers of equal steps, and the totals a user can have at a rank without having stopped above are all
//! numbers of steps between two; so are those at which the user stops there, and the score is one of them over the rank.

use karat_data::{Judgement, TopicView};

use crate::linear::Gain;
use crate::scale::Scaled;
use crate::user_model::gain_of;

/// Least and greatest gain per document for a user who stops when `enough` is gained or at rank `cutoff`; `None` where
/// gains are no whole numbers of steps.
pub(crate) fn bounds(view: &TopicView<'_>, scaled: Scaled, enough: f64, cutoff: usize) -> Option<(f64, f64)> {
    let steps = scaled.steps(&view.collection)?;
    let greatest = (scaled.greatest(&view.collection) * steps).round();
    let enough = (enough * steps).ceil();
    let own = |judgement: &Judgement| {
        let known = (gain_of(*judgement, scaled) * steps).round();
        if judgement.is_judged() { (known, known) } else { (0.0, greatest) }
    };
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut stops = |least: f64, most: f64, rank: usize| {
        if least <= most {
            low = low.min(least / steps / rank as f64);
            high = high.max(most / steps / rank as f64);
        }
    };
    // Totals of a user who goes on to the next rank.
    let (mut least, mut most) = (0.0, 0.0);
    let ranks = &view.ranks[..view.ranks.len().min(cutoff)];
    for (index, judgement) in ranks.iter().enumerate() {
        let (own_least, own_most) = own(judgement);
        (least, most) = (least + own_least, most + own_most);
        if index + 1 == cutoff {
            stops(least, most, cutoff);
            return Some((low, high));
        }
        stops(enough.max(least), most, index + 1);
        most = most.min(enough - 1.0);
        if least > most {
            return Some((low, high));
        }
    }
    // Below the list nothing is gained.
    stops(least, most, cutoff);
    Some((low, high))
}
