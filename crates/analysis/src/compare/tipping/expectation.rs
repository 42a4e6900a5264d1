//! The expected lead of a run when each unjudged document that helps the other run is relevant with the same probability q.
//!
//! The one decision: those documents are alike, so a score is a polynomial in q of at most second degree over a denominator that depends on how many of
//! them are relevant, and its expected value is exact: sums over a binomial distribution, no draws. Measures without such a form are drawn
//! ([`super::drawn`]).

use karat_data::{CollectionFacts, Grade, Judgement, TopicFacts};
use karat_measures::discount::Discounts;
use karat_measures::gains::Gains;
use karat_measures::linear::{Form, Gain};
use karat_measures::{Measure, average_precision, ndcg, recall, reciprocal_rank, success};

/// An unjudged document that may be relevant: its rank in the other run's list, and in the leader's.
pub(super) type Adverse = (Option<usize>, Option<usize>);

/// How the lead on one topic falls with q.
#[derive(Debug, Clone)]
pub(super) enum Expectation {
    /// A ratio whose numerators are of degree 0, 1 and 2 in q.
    Ratio {
        /// Leader less other run.
        numerators: [f64; 3],
        /// Shared by both runs.
        denominator: Denominator,
        /// Adverse documents.
        open: usize,
    },
    /// A weight of the first relevant rank: the ranks of each list that can be it, the leader's first.
    First([Vec<Step>; 2]),
}

/// What both scores are divided by.
#[derive(Debug, Clone)]
pub(super) enum Denominator {
    /// Nothing.
    One,
    /// The number of relevant documents, of which so many are known.
    Relevant(u32),
    /// The ideal gain, by the number of further documents of the largest gain; the last one holds for more.
    Ideal(Vec<f64>),
}

/// A rank that can hold the first relevant document, with its weight.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// An adverse document.
    Open(f64),
    /// A judged relevant document: nothing below it counts.
    Relevant(f64),
}

/// A measure with a closed form.
pub(super) enum ClosedForm<'a> {
    Linear { form: Form<'a>, greatest: f64 },
    AveragePrecision { level: f64, last: usize },
    Recall { level: f64, last: usize },
    First { level: f64, last: usize, weight: fn(usize) -> f64 },
    Ndcg { gains: Gains, last: usize, greatest: f64 },
}

/// One topic: the leader's ranks, the other run's, what is judged of the topic, and the adverse documents.
pub(super) struct Lists<'t> {
    pub leader: &'t [Judgement],
    pub other: &'t [Judgement],
    pub facts: TopicFacts<'t>,
    pub adverse: &'t [Adverse],
}

impl<'a> ClosedForm<'a> {
    /// That of a measure; `None` where there is none.
    pub fn new(measure: &'a dyn Measure, collection: &CollectionFacts) -> Option<ClosedForm<'a>> {
        if let Some(form) = measure.linear(collection) {
            let greatest = form.gain.greatest(collection);
            return Some(ClosedForm::Linear { form, greatest });
        }
        let is = |info| std::ptr::eq(measure.info(), info);
        let level = measure.level().unwrap_or(1.0);
        let last = measure.cutoff().unwrap_or(usize::MAX);
        if is(&average_precision::INFO) {
            Some(ClosedForm::AveragePrecision { level, last })
        } else if is(&recall::INFO) {
            Some(ClosedForm::Recall { level, last })
        } else if is(&reciprocal_rank::INFO) {
            Some(ClosedForm::First { level, last, weight: |rank| 1.0 / rank as f64 })
        } else if is(&success::INFO) {
            Some(ClosedForm::First { level, last, weight: |_| 1.0 })
        } else if is(&ndcg::INFO) {
            let gains = Gains::of_spec(&measure.spec(), true).ok()?;
            // Gains of unjudged documents would make the observed scores other than "not relevant".
            let greatest = gains.greatest(collection);
            (!gains.of_unjudged()).then_some(ClosedForm::Ndcg { gains, last, greatest })
        } else {
            None
        }
    }

    /// The expected lead on a topic, and by adverse document what it alone takes from the lead if it is relevant.
    pub fn on(&self, lists: &Lists<'_>) -> (Expectation, Vec<f64>) {
        match self {
            ClosedForm::Linear { form, greatest } => linear(form, *greatest, lists),
            ClosedForm::AveragePrecision { level, last } => average_precision(*level, *last, lists),
            ClosedForm::Recall { level, last } => recalled(*level, *last, lists),
            ClosedForm::First { level, last, weight } => first(*level, *last, *weight, lists),
            ClosedForm::Ndcg { gains, last, greatest } => discounted(gains, *last, *greatest, lists),
        }
    }
}

fn linear(form: &Form<'_>, greatest: f64, lists: &Lists<'_>) -> (Expectation, Vec<f64>) {
    let weight = |rank: Option<usize>| rank.map_or(0.0, |rank| form.weight(rank));
    let net = |&(other, leader): &Adverse| weight(other) - weight(leader);
    let taken: Vec<f64> = lists.adverse.iter().map(|document| greatest * net(document)).collect();
    let numerators = [0.0, 0.0 - taken.iter().sum::<f64>(), 0.0];
    (Expectation::Ratio { numerators, denominator: Denominator::One, open: taken.len() }, taken)
}

/// The ranks, from 1, of a list's adverse documents, ascending, and which documents they are.
fn ranks(adverse: &[Adverse], of_other: bool, last: usize) -> Vec<(usize, usize)> {
    let rank = |&(other, leader): &Adverse| if of_other { other } else { leader };
    let ranked = adverse.iter().enumerate().filter_map(|(place, document)| Some((rank(document)?, place)));
    let mut ranked: Vec<(usize, usize)> = ranked.filter(|(rank, _)| *rank <= last).collect();
    ranked.sort_unstable();
    ranked
}

/// Sums of precisions: of judged documents alone, of one adverse document with them, of two adverse ones.
fn precisions(
    judged: &[Judgement],
    level: f64,
    last: usize,
    open: &[(usize, usize)],
    each: &mut [f64],
    sign: f64,
) -> [f64; 3] {
    let shown = &judged[..judged.len().min(last)];
    let relevant = |judgement: &Judgement| judgement.grade().is_some_and(|grade| grade >= level);
    let (mut above, mut sums) = (0.0, [0.0; 3]);
    let mut adds = Vec::with_capacity(open.len());
    let mut next = 0;
    for (rank, judgement) in (1usize..).zip(shown) {
        let weight = 1.0 / rank as f64;
        if open.get(next).is_some_and(|(at, _)| *at == rank) {
            adds.push((above + 1.0) * weight);
            // Every adverse document above it makes it count once more.
            sums[2] += next as f64 * weight;
            next += 1;
        } else if relevant(judgement) {
            above += 1.0;
            sums[0] += above * weight;
        }
    }
    let (mut below, mut next) = (0.0, adds.len());
    for (index, judgement) in shown.iter().enumerate().rev() {
        let rank = index + 1;
        if next > 0 && open[next - 1].0 == rank {
            next -= 1;
            adds[next] += below;
            sums[1] += adds[next];
            each[open[next].1] += sign * adds[next];
        } else if relevant(judgement) {
            below += 1.0 / rank as f64;
        }
    }
    sums
}

/// Numerators of both lists, leader less other, with what each adverse document takes before it is divided.
fn both(
    lists: &Lists<'_>,
    last: usize,
    of: impl Fn(&[Judgement], &[(usize, usize)], &mut [f64], f64) -> [f64; 3],
) -> ([f64; 3], Vec<f64>) {
    let mut each = vec![0.0; lists.adverse.len()];
    let other = of(lists.other, &ranks(lists.adverse, true, last), &mut each, 1.0);
    let leader = of(lists.leader, &ranks(lists.adverse, false, last), &mut each, -1.0);
    ([leader[0] - other[0], leader[1] - other[1], leader[2] - other[2]], each)
}

fn average_precision(level: f64, last: usize, lists: &Lists<'_>) -> (Expectation, Vec<f64>) {
    let (numerators, each) =
        both(lists, last, |judged, open, each, sign| precisions(judged, level, last, open, each, sign));
    shared(numerators, each, lists.facts.relevant(level))
}

fn recalled(level: f64, last: usize, lists: &Lists<'_>) -> (Expectation, Vec<f64>) {
    let (numerators, each) = both(lists, last, |judged, open, each, sign| {
        let shown = &judged[..judged.len().min(last)];
        let relevant = |judgement: &&Judgement| judgement.grade().is_some_and(|grade| grade >= level);
        open.iter().for_each(|&(_, place)| each[place] += sign);
        [shown.iter().filter(relevant).count() as f64, open.len() as f64, 0.0]
    });
    shared(numerators, each, lists.facts.relevant(level))
}

/// Shares of the relevant documents.
fn shared(numerators: [f64; 3], mut each: Vec<f64>, relevant: u32) -> (Expectation, Vec<f64>) {
    each.iter_mut().for_each(|taken| *taken /= f64::from(relevant + 1));
    let open = each.len();
    (Expectation::Ratio { numerators, denominator: Denominator::Relevant(relevant), open }, each)
}

fn discounted(gains: &Gains, last: usize, greatest: f64, lists: &Lists<'_>) -> (Expectation, Vec<f64>) {
    let discounts = Discounts::get();
    let (numerators, mut each) = both(lists, last, |judged, open, each, sign| {
        let shown = &judged[..judged.len().min(last)];
        let gain = |(rank, judgement): (usize, &Judgement)| gains.of_judgement(*judgement) / discounts.at(rank);
        let known: f64 = (1..).zip(shown).map(gain).sum();
        let mut more = 0.0;
        for &(rank, place) in open {
            let gain = greatest / discounts.at(rank);
            more += gain;
            each[place] += sign * gain;
        }
        [known, more, 0.0]
    });
    let ideal = ideals(gains, lists.facts, greatest, lists.adverse.len(), last);
    let with_one = ideal[1.min(ideal.len() - 1)];
    each.iter_mut().for_each(|taken| *taken = if with_one > 0.0 { *taken / with_one } else { 0.0 });
    let open = each.len();
    (Expectation::Ratio { numerators, denominator: Denominator::Ideal(ideal), open }, each)
}

/// The ideal gain with 0, 1, 2, ... further documents of the largest gain, until more change nothing.
fn ideals(gains: &Gains, facts: TopicFacts<'_>, greatest: f64, most: usize, last: usize) -> Vec<f64> {
    let discounts = Discounts::get();
    let known: Vec<f64> =
        gains.ideal(facts).flat_map(|group| std::iter::repeat_n(group.gain, group.count)).take(last).collect();
    let ideal = |more: usize| -> f64 {
        let ranked = std::iter::repeat_n(greatest, more).chain(known.iter().copied()).take(last);
        (1..).zip(ranked).map(|(rank, gain)| gain / discounts.at(rank)).sum()
    };
    (0..=most.min(last)).map(ideal).collect()
}

fn first(level: f64, last: usize, weight: fn(usize) -> f64, lists: &Lists<'_>) -> (Expectation, Vec<f64>) {
    let mut each = vec![0.0; lists.adverse.len()];
    let mut steps = |judged: &[Judgement], of_other: bool| {
        let open = ranks(lists.adverse, of_other, last);
        let (mut found, mut next) = (Vec::new(), 0);
        for (rank, judgement) in (1usize..).zip(&judged[..judged.len().min(last)]) {
            if open.get(next).is_some_and(|(at, _)| *at == rank) {
                found.push((Step::Open(weight(rank)), Some(open[next].1)));
                next += 1;
            } else if judgement.grade().is_some_and(|grade| grade >= level) {
                found.push((Step::Relevant(weight(rank)), None));
                break;
            }
        }
        let below = found.last().map_or(0.0, |(step, _)| if let Step::Relevant(weight) = step { *weight } else { 0.0 });
        let sign = if of_other { 1.0 } else { -1.0 };
        for (step, place) in &found {
            if let (Step::Open(weight), Some(place)) = (step, place) {
                each[*place] += sign * (weight - below);
            }
        }
        found.into_iter().map(|(step, _)| step).collect::<Vec<Step>>()
    };
    let other = steps(lists.other, true);
    let leader = steps(lists.leader, false);
    (Expectation::First([leader, other]), each)
}

impl Expectation {
    /// The expected lead where every adverse document is relevant with this probability, less the lead where none is.
    pub fn change(&self, q: f64) -> f64 {
        match self {
            Expectation::Ratio { numerators: [_, slope, _], denominator: Denominator::One, .. } => q * slope,
            Expectation::Ratio { numerators, denominator, open } => {
                ratio(numerators, denominator, *open, q) - ratio(numerators, denominator, *open, 0.0)
            }
            Expectation::First(lists) => {
                let [leader, other] = lists.each_ref().map(|steps| first_of(steps, q) - first_of(steps, 0.0));
                leader - other
            }
        }
    }
}

fn first_of(steps: &[Step], q: f64) -> f64 {
    let (mut before, mut sum) = (1.0, 0.0);
    for step in steps {
        match step {
            Step::Open(weight) => {
                sum += before * q * weight;
                before *= 1.0 - q;
            }
            Step::Relevant(weight) => sum += before * weight,
        }
    }
    sum
}

/// The sum over j = 0, 1, 2 of numerator j times q^j times the expected reciprocal of the denominator with j documents relevant and the others
/// relevant with probability q.
fn ratio(numerators: &[f64; 3], denominator: &Denominator, open: usize, q: f64) -> f64 {
    let mut sum = 0.0;
    let mut power = 1.0;
    for (known, numerator) in numerators.iter().enumerate() {
        if *numerator != 0.0 && power > 0.0 {
            sum += numerator * power * denominator.expected_reciprocal(known, open.saturating_sub(known), q);
        }
        power *= q;
    }
    sum
}

/// What is left out of a sum over a binomial distribution.
const NEGLIGIBLE: f64 = 1e-13;

impl Denominator {
    fn reciprocal(&self, more: usize) -> f64 {
        let value = match self {
            Denominator::One => 1.0,
            Denominator::Relevant(known) => f64::from(*known) + more as f64,
            Denominator::Ideal(ideals) => ideals[more.min(ideals.len() - 1)],
        };
        // Without relevant documents the scores are 0.
        if value > 0.0 { 1.0 / value } else { 0.0 }
    }

    /// The mean of 1 / denominator with `known` further relevant documents and of `open` others each with probability q.
    fn expected_reciprocal(&self, known: usize, open: usize, q: f64) -> f64 {
        if open == 0 || q <= 0.0 {
            return self.reciprocal(known);
        }
        if q >= 1.0 {
            return self.reciprocal(known + open);
        }
        // From the most likely number outwards; weights are relative to its own, and divided by their sum at the end.
        let mode = (((open + 1) as f64) * q).floor().min(open as f64) as usize;
        let odds = q / (1.0 - q);
        let (mut sum, mut all) = (self.reciprocal(known + mode), 1.0);
        let mut weight = 1.0;
        for count in mode + 1..=open {
            weight *= (open - count + 1) as f64 / count as f64 * odds;
            if weight < NEGLIGIBLE {
                break;
            }
            sum += weight * self.reciprocal(known + count);
            all += weight;
        }
        weight = 1.0;
        for count in (0..mode).rev() {
            weight *= (count + 1) as f64 / (open - count) as f64 / odds;
            if weight < NEGLIGIBLE {
                break;
            }
            sum += weight * self.reciprocal(known + count);
            all += weight;
        }
        sum / all
    }
}

/// The judgement of a document of the largest grade.
pub(super) fn largest(collection: &CollectionFacts) -> Option<Judgement> {
    Grade::new(collection.max_grade).map(Judgement::Grade)
}

#[cfg(test)]
mod tests;
