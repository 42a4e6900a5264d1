//! Verdicts on a judged sample of the unjudged documents.
//!
//! The one decision: what a sample says takes the place of what unjudged documents were assumed to be: difference, interval, p and verdict. The rule is
//! that of every verdict: interval and adjusted p must decide, at the level of this look.

use karat_stats::correction::HOLM;
use karat_stats::estimate::{Interval, Method};

use super::answer::Grouping;
use super::many::letters;
use super::margin::SampledClaim;
use super::verdict::{Basis, Block, Reason, Side, Verdict};
use super::{Compared, Comparison, RunPair};
use crate::scores::Setting;
pub use crate::settle::estimate::SampleFacts;
use crate::settle::estimate::{Estimated, SampledDifference};
use crate::settle::stopping::Look;

/// What a sample says of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledComparison {
    /// The sample.
    pub facts: SampleFacts,
    /// The difference.
    pub found: SampledDifference,
    /// The p-value adjusted for the number of pairs.
    pub p_adjusted: Option<f64>,
}

/// What a sample says of a measure and a pair that are compared.
#[derive(Debug, Clone)]
pub struct SampledPair {
    /// The measure.
    pub measure: usize,
    /// The pair.
    pub pair: RunPair,
    /// The sample.
    pub facts: SampleFacts,
    /// The difference.
    pub found: SampledDifference,
    /// What it says of a margin: of the first run's claim not to be worse, and of the second's.
    pub claims: Option<[SampledClaim; 2]>,
}

impl SampledPair {
    /// At this look, with two-sided errors of 1 − level in all; with a margin what is not worse within it.
    pub fn new(
        (measure, pair): (usize, RunPair),
        estimated: &Estimated,
        (facts, look, level): (SampleFacts, Look, f64),
        margin: Option<(f64, f64)>,
    ) -> SampledPair {
        let (facts, found) = at_look(estimated, facts, look, level);
        let alpha = 0.5 * look.alpha(2.0 * (1.0 - level), (found.topics, found.sampling));
        let claims = margin.map(|(margin, largest)| {
            [Side::A, Side::B].map(|side| SampledClaim::new(estimated, side, (margin, largest), alpha))
        });
        SampledPair { measure, pair, facts, found, claims }
    }
}

/// The estimate at a look: all looks together keep the level.
pub fn at_look(estimated: &Estimated, facts: SampleFacts, look: Look, level: f64) -> (SampleFacts, SampledDifference) {
    let first = estimated.at(level);
    let alpha = look.alpha(1.0 - level, (first.topics, first.sampling));
    let found = if alpha < 1.0 - level { estimated.at(1.0 - alpha) } else { first };
    (SampleFacts { alpha, look: look.shown(), ..facts }, found)
}

/// Puts what a sample says in the place of what was assumed. Pairs that it does not cover keep their verdict; p is adjusted among those that it covers.
pub fn apply(setting: &Setting<'_>, compared: &mut Compared, sampled: Vec<SampledPair>) {
    let mut adjusted = vec![None; sampled.len()];
    let mut measures: Vec<usize> = sampled.iter().map(|one| one.measure).collect();
    measures.sort_unstable();
    measures.dedup();
    for measure in measures {
        let own = || (0..sampled.len()).filter(|&place| sampled[place].measure == measure);
        let p: Vec<Option<f64>> = own().map(|place| sampled[place].found.p).collect();
        let found = HOLM.adjust_known(&p).unwrap_or(p);
        own().zip(found).for_each(|(place, p)| adjusted[place] = p);
    }
    for (one, p_adjusted) in sampled.into_iter().zip(adjusted) {
        let contrast = (one.measure, one.pair);
        let mut own =
            compared.comparisons.iter_mut().filter(|comparison| (comparison.measure, comparison.pair) == contrast);
        if let Some(comparison) = own.next() {
            if let Some((margin, claims)) = comparison.margin.as_mut().zip(one.claims) {
                margin.settle(claims);
            }
            comparison.settle(SampledComparison { facts: one.facts, found: one.found, p_adjusted });
        }
    }
    regroup(setting, compared);
}

/// The groups of runs, by the verdicts as they are now.
fn regroup(setting: &Setting<'_>, compared: &mut Compared) {
    let Compared { systems: Some(systems), names, comparisons, .. } = compared else { return };
    for (measure, own) in setting.measures.iter().enumerate() {
        let name = own.spec().to_string();
        let mut rows: Vec<_> = systems.iter_mut().filter(|row| row.measure == name && row.grouping.is_some()).collect();
        let place = |run: &String| names.iter().position(|other| other == run);
        let order: Option<Vec<usize>> = rows.iter().map(|row| place(&row.run)).collect();
        let Some(order) = order.filter(|order| order.len() == names.len()) else { continue };
        let Some(found) = letters(measure, &order, comparisons) else { continue };
        rows.iter_mut().zip(found).for_each(|(row, groups)| row.grouping = Some(Grouping { groups: Some(groups) }));
    }
}

impl Comparison {
    fn settle(&mut self, sampled: SampledComparison) {
        // What holds however documents are judged needs no sample.
        if self.verdict.is_certain() {
            return;
        }
        let level = self.verdict.level;
        self.verdict = decide(&sampled, level);
        let method = if sampled.found.few { Method::Mover } else { Method::StudentT };
        self.interval = sampled.found.interval.ok().map(|(low, high)| Interval { low, high, level, method });
        self.difference.observed = sampled.found.difference;
        self.tipping = None;
        self.sampled = Some(sampled);
    }
}

/// The verdict on a sample.
fn decide(sampled: &SampledComparison, level: f64) -> Verdict {
    let SampledComparison { facts, found, p_adjusted } = sampled;
    let leader = if found.difference >= 0.0 { Side::A } else { Side::B };
    let undecided =
        |reason: Reason, block: Block| Verdict { winner: None, blocked: vec![block], leader, level, reason };
    let (interval, p) = match (found.interval, p_adjusted) {
        (Ok(interval), Some(p)) => (interval, *p),
        (Err(why), _) => return undecided(Reason::NoSample(why), Block::Unjudged),
        (Ok(_), None) => (Default::default(), 1.0),
    };
    let (lead, judged) = (leader.lead(found.difference), facts.judged);
    let leads = leader.leads(interval);
    if leads.0 > 0.0 && p < facts.alpha {
        let reason = Reason::Settled { lead, interval: leads, p, judged };
        return Verdict { winner: Some((leader, Basis::Sampled)), blocked: Vec::new(), leader, level, reason };
    }
    let open = facts.drawn.saturating_sub(judged);
    let by_topics = open == 0 && found.topics >= found.sampling;
    let block = if by_topics { Block::Queries } else { Block::Unjudged };
    undecided(Reason::NotSettled { lead, interval: leads, p, judged, open, by_topics }, block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settle::estimate::NoSample;

    fn sampled(difference: f64, interval: (f64, f64), p: f64, alpha: f64) -> SampledComparison {
        let facts = SampleFacts { drawn: 60, judged: 60, seed: 1, alpha, look: None };
        let found = SampledDifference {
            difference,
            interval: Ok(interval),
            p: Some(p),
            topics: 0.001,
            sampling: 0.002,
            few: false,
        };
        SampledComparison { facts, found, p_adjusted: Some(p) }
    }

    #[test]
    fn interval_and_p_decide() {
        let rows = [
            (sampled(0.1, (0.02, 0.18), 0.01, 0.05), Some(Side::A)),
            (sampled(-0.1, (-0.18, -0.02), 0.01, 0.05), Some(Side::B)),
            // The correction for several pairs, or the level of this look, is not passed.
            (sampled(0.1, (0.02, 0.18), 0.06, 0.05), None),
            (sampled(0.1, (0.02, 0.18), 0.01, 0.005), None),
            (sampled(0.1, (-0.01, 0.21), 0.04, 0.05), None),
        ];
        for (given, better) in rows {
            let verdict = decide(&given, 0.95);
            assert_eq!(verdict.better(), better, "{given:?}");
            assert_eq!(verdict.basis(), better.map(|_| Basis::Sampled));
            // Most of the variance is of the sample: more judgements would help.
            assert!(better.is_some() || verdict.blocked == [Block::Unjudged]);
        }
    }

    #[test]
    fn without_an_interval_there_is_no_verdict() {
        let mut none = sampled(0.1, (0.0, 0.0), 0.01, 0.05);
        none.found.interval = Err(NoSample::FewTopics { have: 4 });
        assert_eq!(decide(&none, 0.95).reason, Reason::NoSample(NoSample::FewTopics { have: 4 }));
    }
}
