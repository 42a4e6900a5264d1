//! How relevant unjudged documents would have to be for a conclusion to fail.
//!
//! The one decision: every unjudged document that the other run ranks higher is relevant with probability q, every other not. The tipping point is the
//! smallest q at which the lead is no longer significant: Student's t over topics, at the level that the pair must reach, and with few topics the
//! randomisation test too. Relevance itself varies: its variance is that of documents of which a topic has all or none, the most that q allows. The
//! point is held against how often judged documents are relevant at the same ranks ([`rates`]). Of two pooled runs a second point is found, with q for
//! the unjudged documents of both: the pool left them out of both in the same way. Where the judged documents of the run that trails are relevant more
//! often than those of the leader, they say otherwise, and there is no such point.

mod drawn;
mod expectation;
mod pools;
pub mod rates;

use std::collections::BTreeMap;

use karat_data::{CollectionFacts, RankedDocuments, TopicIndex};
use karat_measures::gains::Gains;
use karat_measures::linear::{Binary, Gain};
use karat_measures::{Measure, ndcg};
use karat_runtime::jobs::in_order;
use karat_stats::dist::student_t;
use karat_stats::seed::Seed;
use karat_stats::test::{Alternative, Settings};
use karat_stats::{Sample, test};

use super::RunPair;
use super::difference::TopicDifference;
use super::verdict::Side;
use crate::lists::Lists as AllLists;
use crate::scores::Setting;
use crate::streams;
use drawn::Drawn;
use expectation::{Adverse, ClosedForm, Lists};
use pools::Pools;
use rates::{BANDS, JudgedRates, Rate, band};

/// Topics whose curves are held at a time.
const TOPICS: usize = 16;

/// A conclusion: the lead of a run, plus a margin, is above 0.
pub(super) struct Claim<'a> {
    /// The measure's place.
    pub measure: usize,
    /// The runs' places.
    pub pair: RunPair,
    /// The run that leads.
    pub leader: Side,
    /// What is added to the lead.
    pub margin: f64,
    /// The error allowed at the one end of the interval that matters.
    pub alpha: f64,
    /// Variance of the mean beside that over topics: of the judges' calibration.
    pub judges: f64,
    /// The differences by topic, in the order of topics.
    pub topics: &'a [TopicDifference],
}

/// When a conclusion fails, and what is seen at the ranks that matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Tipping {
    /// The smallest rate of relevance of the adverse documents at which the conclusion fails; `None`: it holds at every rate.
    pub point: Option<f64>,
    /// The expected lead at that rate.
    pub lead_at_point: Option<f64>,
    /// Unjudged documents that may be relevant.
    pub documents: u64,
    /// The same where the unjudged documents of both runs are relevant equally often; only of two runs that were pooled to similar ranks, and only if the
    /// judged documents of the run that trails are not relevant more often than those of the leader.
    pub alike: Option<Box<Tipping>>,
    /// The rate of the first run's judged documents at those ranks.
    pub a: Rate,
    /// That of the second run.
    pub b: Rate,
    /// The run with the highest such rate.
    pub best_run: Option<usize>,
    /// Its rate.
    pub best: Rate,
}

/// The rates at which conclusions are tried.
pub(super) fn grid() -> Vec<f64> {
    let steps =
        |first: u32, last: u32, step: usize| (first..=last).step_by(step).map(|percent| f64::from(percent) / 100.0);
    steps(1, 20, 1).chain(steps(22, 50, 2)).chain(steps(55, 100, 5)).collect()
}

/// With fewer topics the randomisation test must decide too: it needs more than Student's t there.
const FEW_TOPICS: usize = 25;
/// Draws of that test, where it is not exact.
const FLIPS: u32 = 10_000;

/// What is known of a claim after some topics.
#[derive(Clone)]
struct Tally {
    /// By place in the grid, the sums over topics of the change c of the lead, and of 2 l c + c², with l the lead less its mean.
    changes: Vec<(f64, f64)>,
    /// The sum over topics of the squared change if all documents are relevant.
    spread: f64,
    /// Of few topics: the lead with its changes.
    few: Option<Vec<(f64, Vec<f64>)>>,
    weights: [f64; BANDS],
    documents: u64,
    /// Whether a topic has no value on some draw.
    unknown: bool,
}

/// One topic of a claim.
struct Curve {
    changes: Option<Vec<f64>>,
    /// The squared change if all documents are relevant.
    spread: f64,
    /// Rank in the other run, and what the document alone takes from the lead.
    documents: Vec<(usize, f64)>,
}

/// A claim, and which unjudged documents may be relevant: those that the other run ranks higher, or those of both.
#[derive(Debug, Clone, Copy)]
struct Case {
    claim: usize,
    of_both: bool,
}

/// Everything that claims are checked on.
pub(super) struct Checker<'a> {
    pub setting: &'a Setting<'a>,
    pub read: &'a RankedDocuments,
    pub seed: Seed,
    pools: Pools,
}

impl<'a> Checker<'a> {
    /// For runs that were read to any depth.
    pub fn new(setting: &'a Setting<'a>, read: &'a RankedDocuments, seed: Seed) -> Checker<'a> {
        let topics: Vec<TopicIndex> = setting.qrels.topics().collect();
        let lists = |at: usize| {
            let Setting { qrels, collection, policy, .. } = setting;
            AllLists::new(qrels, *collection, policy.depth, read, topics[at])
        };
        let pools = Pools::new(read.runs.len(), topics.len(), lists);
        Checker { setting, read, seed, pools }
    }

    /// The tipping point of each claim, with the rates beside it.
    pub fn check(&self, claims: &[Claim<'_>]) -> Vec<Tipping> {
        if claims.is_empty() {
            return Vec::new();
        }
        let grid = grid();
        let topics: Vec<TopicIndex> = self.setting.qrels.topics().collect();
        let means: Vec<f64> = claims.iter().map(Claim::mean).collect();
        let cases = self.cases(claims);
        let mut tallies: Vec<Tally> = cases.iter().map(|case| Tally::new(grid.len(), &claims[case.claim])).collect();
        for chunk in topics.chunks(TOPICS) {
            let curves =
                in_order(chunk.len(), self.setting.threads, |at| self.curves(chunk[at], claims, &cases, &grid));
            for (&topic, curves) in chunk.iter().zip(curves) {
                for (case, curve) in curves {
                    let claim = cases[case].claim;
                    let lead = claims[claim].lead(topic).unwrap_or(0.0) - means[claim];
                    tallies[case].add((lead, means[claim]), &curve);
                }
            }
        }
        let rates = self.rates(claims, &topics);
        let mut found: Vec<Tipping> = Vec::with_capacity(claims.len());
        for (case, tally) in cases.iter().zip(&tallies) {
            let (claim, rates) = (&claims[case.claim], &rates[&claims[case.claim].measure]);
            let concluded = claim.conclude(tally, &grid, rates, self.pools.are_alike(claim.pair));
            if !case.of_both {
                found.push(concluded);
            } else if rates.allow_equal(claim.runs(), &tally.weights) {
                found[case.claim].alike = Some(Box::new(concluded));
            }
        }
        found
    }

    /// What is computed: every claim, those of two pooled runs twice.
    fn cases(&self, claims: &[Claim<'_>]) -> Vec<Case> {
        let of = |(claim, known): (usize, &Claim<'_>)| {
            let alike = self.pools.are_alike(known.pair).then_some(Case { claim, of_both: true });
            std::iter::once(Case { claim, of_both: false }).chain(alike)
        };
        claims.iter().enumerate().flat_map(of).collect()
    }

    fn lists(&self, topic: TopicIndex) -> AllLists<'_> {
        let Setting { qrels, collection, policy, .. } = self.setting;
        AllLists::new(qrels, *collection, policy.depth, self.read, topic)
    }

    /// The claims that a topic has adverse documents for.
    fn curves(&self, topic: TopicIndex, claims: &[Claim<'_>], cases: &[Case], grid: &[f64]) -> Vec<(usize, Curve)> {
        let lists = self.lists(topic);
        let collection = &self.setting.collection;
        let forms: Vec<Option<ClosedForm<'_>>> =
            self.setting.measures.iter().map(|measure| ClosedForm::new(measure.as_ref(), collection)).collect();
        let mut found = Vec::new();
        for (place, case) in cases.iter().enumerate() {
            let claim = &claims[case.claim];
            if claim.lead(topic).is_none() {
                continue;
            }
            let measure = self.setting.measures[claim.measure].as_ref();
            let adverse = claim.adverse(&lists, measure.cutoff().unwrap_or(usize::MAX), case.of_both);
            if !adverse.is_empty() {
                found.push((place, self.curve(claim, &forms[claim.measure], (&lists, &adverse), grid)));
            } else if claim.is_few() {
                found.push((place, Curve::unchanged(grid)));
            }
        }
        found
    }

    fn curve(
        &self,
        claim: &Claim<'_>,
        form: &Option<ClosedForm<'_>>,
        (lists, adverse): (&AllLists<'_>, &[Adverse]),
        grid: &[f64],
    ) -> Curve {
        let (leader, other) = claim.runs();
        let views = [lists.view(leader), lists.view(other)];
        let (changes, taken) = match form {
            Some(form) => {
                let [leader, other] = &views;
                let lists = Lists { leader: leader.ranks, other: other.ranks, facts: leader.facts, adverse };
                let (expectation, taken) = form.on(&lists);
                let changes: Vec<f64> = grid.iter().map(|&q| expectation.change(q)).collect();
                (Some(changes), taken)
            }
            None => {
                let name = karat_data::names::text(self.setting.qrels.name(lists.index));
                let streams = self.seed.streams(&[streams::TIPPING_OF, &name].concat());
                let measure = self.setting.measures[claim.measure].as_ref();
                (Drawn { measure, views, adverse, streams }.changes(grid), vec![1.0; adverse.len()])
            }
        };
        // The last rate of the grid is 1.
        let spread = changes.as_ref().and_then(|changes| changes.last()).map_or(0.0, |all| all * all);
        let best_rank = |&(other, leader): &Adverse| other.into_iter().chain(leader).min().unwrap_or(usize::MAX);
        Curve { changes, spread, documents: adverse.iter().map(best_rank).zip(taken).collect() }
    }

    /// Judged documents by the gain of each measure that a claim is about.
    fn rates(&self, claims: &[Claim<'_>], topics: &[TopicIndex]) -> BTreeMap<usize, JudgedRates> {
        let mut rates = BTreeMap::new();
        for claim in claims {
            rates.entry(claim.measure).or_insert_with(|| {
                let gain = share_of_gain(self.setting.measures[claim.measure].as_ref(), &self.setting.collection);
                JudgedRates::collect(&self.pools, topics, |at| self.lists(topics[at]), gain)
            });
        }
        rates
    }
}

/// The gain of a grade as a share of the largest.
fn share_of_gain<'m>(measure: &'m dyn Measure, collection: &'m CollectionFacts) -> impl Fn(f64) -> f64 + 'm {
    let ratio =
        || std::ptr::eq(measure.info(), &ndcg::INFO).then(|| Gains::of_spec(&measure.spec(), true).ok()).flatten();
    let gain: Box<dyn Gain + 'm> = match (measure.linear(collection), ratio()) {
        (Some(form), _) => form.gain,
        (None, Some(gains)) => Box::new(gains),
        (None, None) => Box::new(Binary { level: measure.level().unwrap_or(1.0) }),
    };
    let greatest = gain.greatest(collection);
    move |grade| if greatest > 0.0 { (gain.of(grade) / greatest).clamp(0.0, 1.0) } else { 0.0 }
}

impl Claim<'_> {
    /// The places of the leader and the other run.
    fn runs(&self) -> (usize, usize) {
        if self.leader == Side::A { self.pair } else { (self.pair.1, self.pair.0) }
    }

    /// The lead on a topic, where both runs have a score.
    fn lead(&self, topic: TopicIndex) -> Option<f64> {
        let found = self.topics.binary_search_by_key(&topic.0, |known| known.topic.0).ok()?;
        Some(self.leader.lead(self.topics[found].observed))
    }

    fn mean(&self) -> f64 {
        let sum: f64 = self.topics.iter().map(|topic| self.leader.lead(topic.observed)).sum();
        sum / self.topics.len().max(1) as f64
    }

    /// The unjudged documents that may be relevant, down to the last rank that counts: those that the other run ranks higher, or all of both runs.
    fn adverse(&self, lists: &AllLists<'_>, last: usize, of_both: bool) -> Vec<Adverse> {
        let (leader, other) = self.runs();
        let shown = |rank: Option<u32>| rank.map(|rank| rank as usize).filter(|rank| *rank <= last);
        let open = lists.open_of_pair(leader, other).filter_map(|(_, leader, other)| {
            let (other, leader) = (shown(other), shown(leader));
            let helps_other = other.is_some_and(|other| leader.is_none_or(|leader| leader > other));
            (helps_other || (of_both && leader.is_some() && leader != other)).then_some((other, leader))
        });
        open.collect()
    }

    /// Whether the randomisation test must decide too.
    fn is_few(&self) -> bool {
        self.topics.len() < FEW_TOPICS
    }

    fn conclude(&self, tally: &Tally, grid: &[f64], rates: &JudgedRates, alike: bool) -> Tipping {
        let point = self.point(tally, grid);
        let (best_run, best) = rates.best(&tally.weights, alike);
        Tipping {
            point: point.map(|(point, _)| point),
            lead_at_point: point.map(|(_, lead)| lead),
            documents: tally.documents,
            alike: None,
            a: rates.of(self.pair.0, &tally.weights, alike),
            b: rates.of(self.pair.1, &tally.weights, alike),
            best_run,
            best,
        }
    }

    /// The first rate at which the conclusion fails, between two of the grid by interpolation, and the expected lead there.
    fn point(&self, tally: &Tally, grid: &[f64]) -> Option<(f64, f64)> {
        if tally.documents == 0 {
            return None;
        }
        let count = self.topics.len() as f64;
        let quantile = student_t::upper_quantile(self.alpha, count - 1.0).ok();
        let mean = self.mean();
        let Some(quantile) = quantile.filter(|_| !tally.unknown) else { return Some((0.0, mean)) };
        let squares: f64 = self.topics.iter().map(|topic| (self.leader.lead(topic.observed) - mean).powi(2)).sum();
        let excess = |q: f64, (change, more): (f64, f64)| {
            let variance = (squares + more - change * change / count).max(0.0) / (count - 1.0);
            let relevance = q * (1.0 - q) * tally.spread / count;
            mean + self.margin + change / count - quantile * ((variance + relevance) / count + self.judges).sqrt()
        };
        let (mut before, mut above) = ((0.0, mean), excess(0.0, (0.0, 0.0)));
        if above <= 0.0 {
            return Some(before);
        }
        for (place, (&q, &sums)) in grid.iter().zip(&tally.changes).enumerate() {
            let (now, here) = (excess(q, sums), (q, mean + sums.0 / count));
            if now <= 0.0 {
                let share = above / (above - now);
                let between = |before: f64, now: f64| before + (now - before) * share;
                return Some((between(before.0, here.0), between(before.1, here.1)));
            }
            if !self.is_significant(tally, place) {
                return Some(before);
            }
            (before, above) = (here, now);
        }
        None
    }

    /// Whether the randomisation test decides at this place of the grid; with many topics it agrees with Student's t.
    fn is_significant(&self, tally: &Tally, place: usize) -> bool {
        let Some(few) = &tally.few else { return true };
        let leads: Vec<f64> = few.iter().map(|(lead, changes)| lead + self.margin + changes[place]).collect();
        let settings = Settings { permutations: FLIPS, threads: 1, ..Settings::default() };
        let evidence = Sample::new(&leads).ok().zip(test::find(super::DECIDING));
        let found = evidence.and_then(|(sample, test)| test.run(&sample, Alternative::Greater, &settings).ok());
        found.is_some_and(|found| found.p < self.alpha)
    }
}

impl Curve {
    /// Of a topic without such documents.
    fn unchanged(grid: &[f64]) -> Curve {
        Curve { changes: Some(vec![0.0; grid.len()]), spread: 0.0, documents: Vec::new() }
    }
}

impl Tally {
    fn new(grid: usize, claim: &Claim<'_>) -> Tally {
        let few = claim.is_few().then(Vec::new);
        let changes = vec![(0.0, 0.0); grid];
        Tally { changes, spread: 0.0, few, weights: [0.0; BANDS], documents: 0, unknown: false }
    }

    /// Adds a topic whose lead is this much above the mean.
    fn add(&mut self, (lead, mean): (f64, f64), curve: &Curve) {
        self.documents += curve.documents.len() as u64;
        self.spread += curve.spread;
        if let (Some(few), Some(changes)) = (&mut self.few, &curve.changes) {
            few.push((lead + mean, changes.clone()));
        }
        for &(rank, taken) in &curve.documents {
            self.weights[band(rank)] += taken.abs();
        }
        let Some(changes) = &curve.changes else {
            self.unknown = true;
            return;
        };
        for ((sum, more), change) in self.changes.iter_mut().zip(changes) {
            *sum += change;
            *more += 2.0 * lead * change + change * change;
        }
    }
}

#[cfg(test)]
mod tests;
