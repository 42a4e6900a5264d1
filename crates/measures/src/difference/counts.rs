//! Shares of the relevant documents: exact, because only how many are newly relevant, and in which list, counts.

use super::Pair;
use crate::tally;

/// The greatest difference of (relevant documents down to a cut-off) / R, 0 where nothing is relevant.
pub(crate) fn greatest_share(pair: &Pair<'_>, cutoff: usize, level: f64) -> f64 {
    let found = |view: &karat_data::TopicView<'_>| tally::relevant(tally::first(view, Some(cutoff)), level) as f64;
    let known = found(&pair.a) - found(&pair.b);
    let relevant = f64::from(pair.a.facts.relevant(level));
    let share = |difference: f64, relevant: f64| if relevant > 0.0 { difference / relevant } else { 0.0 };
    if pair.a.collection.max_grade < level {
        return share(known, relevant);
    }
    let (mut helps, mut harms) = (0usize, 0usize);
    for document in &pair.open {
        match document.down_to(cutoff) {
            (true, false) => helps += 1,
            (false, true) => harms += 1,
            _ => {}
        }
    }
    let all = pair.open.len() + pair.elsewhere;
    let at = |more: usize| {
        let against = more.saturating_sub(all - harms);
        share(known + more.min(helps) as f64 - against as f64, relevant + more as f64)
    };
    // In between, the difference stays and R grows: the share moves towards 0 all the way.
    let between = helps.min(all)..(all - harms).max(helps.min(all));
    (0..=between.start).chain(between.end..=all).map(at).fold(f64::NEG_INFINITY, f64::max)
}
