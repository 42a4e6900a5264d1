//! What a verdict rests on, gathered from a difference.

use karat_stats::dist::normal;

use karat_stats::test::{Alternative, Settings};
use karat_stats::{Sample, test};

use super::DECIDING;
use super::decide::side;
use super::difference::{Difference, With, over_topics};
use super::verdict::{Grounds, NoP, Range, Side};
use crate::summary::Inference;

/// What a difference does not know itself.
pub(super) struct Circumstances<'a> {
    pub inference: &'a Inference,
    pub p: Result<f64, NoP>,
    pub unresolvable: bool,
    pub topics_needed: Option<u64>,
    pub strict: bool,
    /// Whether bounds hold whatever is judged.
    pub complete: bool,
    /// The level that the pair must reach on its own.
    pub alpha: f64,
    pub settings: &'a Settings,
}

/// The grounds of a verdict on a difference.
pub(super) fn gather(difference: &Difference, circumstances: Circumstances<'_>) -> Grounds {
    let Circumstances { inference, p, unresolvable, topics_needed, strict, complete, alpha, settings } = circumstances;
    let worst_case = if complete { worst_case(difference, inference, (alpha, settings)) } else { None };
    let interval = |with: With| difference.for_verdict(inference, with);
    let topics_alone = interval(With::TOPICS);
    // An interval with a source that there is not is the interval without it.
    let (unjudged, judges) = (difference.unjudged.is_some(), difference.judges.is_some());
    let all_sources = if unjudged || judges { interval(With::ALL) } else { topics_alone };
    let with_unjudged = match (unjudged, judges) {
        (false, _) => topics_alone.ok(),
        (true, false) => all_sources.ok(),
        (true, true) => interval(With { unjudged: true, judges: false }).ok(),
    };
    let with_judges = match (unjudged, judges) {
        (_, false) => topics_alone.ok(),
        (false, true) => all_sources.ok(),
        (true, true) => interval(With { unjudged: false, judges: true }).ok(),
    };
    Grounds {
        topics: difference.topics.len(),
        observed: difference.observed,
        expected: difference.expected,
        bounds: difference.bounds,
        over_topics: topics_alone,
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
        complete,
        worst_case,
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

/// The run that interval and test decide for when every topic has the difference that is worst for it. The test is of this pair at its own level,
/// for what the worst case of other pairs would be is another set of judgements.
fn worst_case(difference: &Difference, inference: &Inference, (alpha, settings): (f64, &Settings)) -> Option<Side> {
    let leader = side(difference.bounds?)?;
    let worst = |(low, high): Range| if leader == Side::A { low } else { high };
    let values: Vec<f64> = difference.topics.iter().map(|topic| topic.bounds.map(worst)).collect::<Option<_>>()?;
    let interval = over_topics(inference, &values).ok()?;
    side((interval.low, interval.high)).filter(|&decided| decided == leader)?;
    let settings = Settings { threads: 1, ..*settings };
    let evidence = test::find(DECIDING)?.run(&Sample::new(&values).ok()?, Alternative::TwoSided, &settings).ok()?;
    (evidence.p < alpha).then_some(leader)
}
