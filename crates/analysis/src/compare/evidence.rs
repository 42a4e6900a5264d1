//! The evidence of a verdict, gathered from a difference.

use karat_stats::test::{Alternative, Settings};
use karat_stats::{Sample, test};

use super::DECIDING;
use super::decide::side;
use super::difference::{Difference, With};
use super::verdict::{Evidence, NoP, Range, Side, Unjudged};
use crate::summary::Inference;

/// What a difference does not know itself.
pub(super) struct Circumstances<'a> {
    pub inference: &'a Inference,
    pub p: Result<f64, NoP>,
    pub unresolvable: bool,
    pub topics_needed: Option<u64>,
    pub strict: bool,
    pub unjudged: Unjudged,
    /// Whether scores are corrected for the judges' errors.
    pub calibrated: bool,
    /// Whether bounds hold whatever is judged.
    pub complete: bool,
    /// The level that the pair must reach on its own.
    pub alpha: f64,
    pub settings: &'a Settings,
}

/// The evidence of a verdict on a difference, but for its tipping point.
pub(super) fn gather(difference: &Difference, circumstances: Circumstances<'_>) -> Evidence {
    let Circumstances { inference, p, unresolvable, topics_needed, strict, unjudged, calibrated, complete, .. } =
        circumstances;
    let (alpha, settings) = (circumstances.alpha, circumstances.settings);
    let range = |with: With| difference.interval(inference, with).map(|found| (found.low, found.high));
    let over_topics = range(With::TOPICS);
    let worst_case = match (complete, &p, &over_topics) {
        (false, ..) => None,
        (true, Ok(p), Ok(found)) if difference.is_closed() => side(*found).filter(|_| *p < 1.0 - inference.level),
        (true, ..) => worst_case(difference, inference, (alpha, settings)),
    };
    Evidence {
        topics: difference.topics.len(),
        observed: difference.observed,
        bounds: difference.bounds,
        over_topics,
        interval: range(With::ALL),
        p,
        level: inference.level,
        topics_needed,
        unjudged,
        calibrated,
        uncorrected: difference.uncorrected,
        unresolvable,
        worst_case,
        tipping: None,
        strict,
    }
}

/// The run that interval and test decide for when every topic has the difference that is worst for it. The test is of this pair at its own level,
/// for what the worst case of other pairs would be is another set of judgements.
fn worst_case(difference: &Difference, inference: &Inference, (alpha, settings): (f64, &Settings)) -> Option<Side> {
    let leader = side(difference.bounds?)?;
    let worst = |(low, high): Range| if leader == Side::A { low } else { high };
    let values: Vec<f64> = difference.topics.iter().map(|topic| topic.bounds.map(worst)).collect::<Option<_>>()?;
    let interval = inference.of_differences(&values, difference.largest).ok()?;
    side((interval.low, interval.high)).filter(|&decided| decided == leader)?;
    let settings = Settings { threads: 1, ..*settings };
    let evidence = test::find(DECIDING)?.run(&Sample::new(&values).ok()?, Alternative::TwoSided, &settings).ok()?;
    (evidence.p < alpha).then_some(leader)
}
