//! What a verdict rests on, gathered from a difference.

use karat_stats::dist::normal;

use super::difference::{Difference, With};
use super::verdict::{Grounds, NoP, Range};
use crate::summary::Inference;

/// What a difference does not know itself.
pub(super) struct Circumstances<'a> {
    pub inference: &'a Inference,
    pub p: Result<f64, NoP>,
    pub unresolvable: bool,
    pub topics_needed: Option<u64>,
    pub strict: bool,
}

/// The grounds of a verdict on a difference.
pub(super) fn gather(difference: &Difference, circumstances: Circumstances<'_>) -> Grounds {
    let Circumstances { inference, p, unresolvable, topics_needed, strict } = circumstances;
    let interval = |with: With| difference.for_verdict(inference, with);
    let over_topics = interval(With::TOPICS);
    // An interval with a source that there is not is the interval without it.
    let (unjudged, judges) = (difference.unjudged.is_some(), difference.judges.is_some());
    let all_sources = if unjudged || judges { interval(With::ALL) } else { over_topics };
    let with_unjudged = match (unjudged, judges) {
        (false, _) => over_topics.ok(),
        (true, false) => all_sources.ok(),
        (true, true) => interval(With { unjudged: true, judges: false }).ok(),
    };
    let with_judges = match (unjudged, judges) {
        (_, false) => over_topics.ok(),
        (false, true) => all_sources.ok(),
        (true, true) => interval(With { unjudged: false, judges: true }).ok(),
    };
    Grounds {
        topics: difference.topics.len(),
        observed: difference.observed,
        expected: difference.expected,
        bounds: difference.bounds,
        over_topics,
        all_sources,
        with_unjudged,
        with_judges,
        unjudged_alone: unjudged_alone(difference),
        judges_alone: judges_alone(difference, inference.level),
        p,
        level: inference.level,
        topics_needed,
        unmodelled: difference.unmodelled,
        uncorrected: difference.uncorrected,
        unresolvable,
        strict,
    }
}

fn unjudged_alone(difference: &Difference) -> Option<Range> {
    let (low, high) = difference.unjudged?.alone(difference.expected);
    Some((low.min(difference.observed), high.max(difference.observed)))
}

fn judges_alone(difference: &Difference, level: f64) -> Option<Range> {
    let quantile = normal::upper_quantile((1.0 - level) / 2.0).unwrap_or(0.0);
    let reach = quantile * difference.judges?.sqrt();
    Some((difference.expected - reach, difference.expected + reach))
}
