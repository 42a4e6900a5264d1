//! The evidence of a verdict, gathered from a difference.

use karat_stats::test::{Alternative, Settings};
use karat_stats::{Sample, test};

use super::DECIDING;
use super::decide::side;
use super::difference::{Difference, TopicDifference, With};
use super::verdict::{Evidence, NoP, Range, Side, Unjudged};
use crate::summary::Inference;

/// What a difference does not know itself.
pub(super) struct Circumstances<'a> {
    pub inference: &'a Inference,
    pub p: Result<f64, NoP>,
    /// The p of the pair's own test.
    pub p_alone: Option<f64>,
    pub unresolvable: bool,
    pub topics_needed: Option<u64>,
    pub strict: bool,
    pub unjudged: Unjudged,
    /// Whether scores are corrected for the judges' errors.
    pub calibrated: bool,
    /// Whether bounds hold whatever is judged.
    pub complete: bool,
    /// The level at which the pair is significant whatever the other pairs show.
    pub alpha: f64,
    /// Whether nothing is unjudged in any pair, so that no judgement can change the correction for several pairs.
    pub settled: bool,
    pub settings: &'a Settings,
}

/// The evidence of a verdict on a difference, but for its tipping point.
pub(super) fn gather(difference: &Difference, circumstances: Circumstances<'_>) -> Evidence {
    let Circumstances { inference, p, unresolvable, topics_needed, strict, unjudged, calibrated, complete, .. } =
        circumstances;
    let (alpha, settings) = (circumstances.alpha, circumstances.settings);
    let range = |with: With| difference.interval(inference, with).map(|found| (found.low, found.high));
    let over_topics = range(With::TOPICS);
    let worst_case = match (complete, circumstances.p_alone, &over_topics) {
        (false, ..) => None,
        (true, Some(alone), Ok(found)) if difference.is_closed() => {
            let adjusted = circumstances.settled && p.is_ok_and(|p| p < 1.0 - inference.level);
            side(*found).filter(|_| adjusted || alone < alpha)
        }
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

/// The run that interval and test decide for with every topic at its worst, and with some at their best, where that adds more to the spread than to the
/// mean. Of the latter only the corners of [`widest`] are tried, not every combination. The test is of this pair at its own level, for what the worst case of other pairs would be is another set of
/// judgements.
fn worst_case(difference: &Difference, inference: &Inference, (alpha, settings): (f64, &Settings)) -> Option<Side> {
    let leader = side(difference.bounds?)?;
    let leads = |topic: &TopicDifference| topic.bounds.map(|bounds| leader.leads(bounds));
    let leads: Vec<Range> = difference.topics.iter().map(leads).collect::<Option<_>>()?;
    let worst: Vec<f64> = leads.iter().map(|(low, _)| *low).collect();
    let decides = |values: &[f64]| -> Option<bool> {
        let interval = inference.of_differences(values, difference.largest).ok()?;
        let settings = Settings { threads: 1, ..*settings };
        let test = test::find(DECIDING)?;
        Some(
            interval.low > 0.0
                && test.run(&Sample::new(values).ok()?, Alternative::TwoSided, &settings).ok()?.p < alpha,
        )
    };
    let spread = widest(&leads);
    (decides(&worst)? && (spread == worst || decides(&spread)?)).then_some(leader)
}

/// The leads within their bounds, given from the least to the greatest, that have the smallest ratio of mean to standard error: all at their least, but for
/// some with the greatest sums of both bounds. These are the corners at which the sum of squares is greatest for its sum.
fn widest(leads: &[Range]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..leads.len()).collect();
    order.sort_by(|&one, &other| (leads[other].0 + leads[other].1).total_cmp(&(leads[one].0 + leads[one].1)));
    let count = leads.len() as f64;
    let ratio = |(sum, squares): (f64, f64)| {
        let variance = (squares - sum * sum / count).max(0.0);
        if variance > 0.0 { sum / variance.sqrt() } else { f64::INFINITY }
    };
    let mut sums = leads.iter().fold((0.0, 0.0), |(sum, squares), (low, _)| (sum + low, squares + low * low));
    let mut best = (ratio(sums), 0);
    for (raised, &at) in (1..).zip(&order) {
        let (low, high) = leads[at];
        sums = (sums.0 + high - low, sums.1 + high * high - low * low);
        if ratio(sums) < best.0 {
            best = (ratio(sums), raised);
        }
    }
    let mut values: Vec<f64> = leads.iter().map(|(low, _)| *low).collect();
    order[..best.1].iter().for_each(|&at| values[at] = leads[at].1);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_at_its_best_may_widen_the_interval() {
        // At their least the leads are 1, 1, 1.1: sum 3.1, squares 3.21, variance sum 3.21 - 9.61/3 = .00667: a ratio of 38. With the last one at 5:
        // 7 / sqrt(27 - 49/3) = 2.14. With the second at 1.2 too: 7.2 / sqrt(27.44 - 51.84/3) = 2.26.
        assert_eq!(widest(&[(1.0, 1.0), (1.0, 1.2), (1.1, 5.0)]), [1.0, 1.0, 5.0]);
        // Where raising a lead makes them more alike, none is raised.
        assert_eq!(widest(&[(1.0, 2.0), (2.0, 2.0)]), [1.0, 2.0]);
    }
}
