//! Measures of the first relevant document: exact, because one newly relevant document is all that can help the first list, and a
//! second one can only help the second.

use karat_data::TopicView;

use super::Pair;
use crate::tally;

/// The greatest difference of `worth` of the rank of the first relevant document down to a cut-off, 0 where there is none; `worth`
/// does not rise with the rank.
pub(crate) fn greatest_first(pair: &Pair<'_>, cutoff: Option<usize>, level: f64, worth: impl Fn(usize) -> f64) -> f64 {
    let last = cutoff.unwrap_or(usize::MAX);
    let known = |view: &TopicView<'_>| {
        let first = tally::first(view, cutoff).iter().position(|judgement| judgement.is_relevant(level));
        first.map_or(0.0, |index| worth(index + 1))
    };
    let (a, b) = (known(&pair.a), known(&pair.b));
    if pair.a.collection.max_grade < level {
        return a - b;
    }
    let at = |rank: Option<usize>| rank.filter(|&rank| rank <= last).map_or(0.0, &worth);
    let with = pair.open.iter().map(|document| a.max(at(document.a())) - b.max(at(document.b())));
    with.fold(a - b, f64::max)
}
