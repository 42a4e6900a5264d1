//! nDCG@k of two lists, or of one, as a function of labels: a sum over documents, divided by the ideal gain of the grades there are.
//!
//! One label changes a term of the sum and one count, so its effect costs a few operations, whatever the length of the lists.

use karat_data::{Judgement, TopicView};
use karat_measures::discount::Discounts;
use karat_measures::gains::Gains;
use karat_measures::linear::Gain;
use karat_measures::{Measure, ndcg};

use super::effects::{OpenUnit, Views};

/// nDCG's gains and cut-off, where it is estimated from documents.
#[derive(Debug, Clone)]
pub struct Ndcg {
    gains: Gains,
    cutoff: usize,
}

/// The difference of two lists on one topic.
#[derive(Debug, Clone)]
pub struct Ratio {
    /// What judged documents add up to.
    known: f64,
    /// By document: its discount in the first run less that in the second.
    weights: Vec<f64>,
    /// Gains above 0 that documents can have, the greatest first.
    gains: Vec<f64>,
    /// Judged documents with each gain.
    counts: Vec<u32>,
    /// Sums of the discounts of the first 0, 1, ... ranks.
    discounts: Vec<f64>,
}

/// A state of all labels: how many documents have each gain, and the sum.
#[derive(Debug, Clone)]
pub struct State {
    counts: Vec<u32>,
    sum: f64,
}

impl Ndcg {
    /// That of a measure: nDCG with a cut-off, in which unjudged documents have no gain.
    pub fn new(measure: &dyn Measure) -> Option<Ndcg> {
        if !std::ptr::eq(measure.info(), &ndcg::INFO) {
            return None;
        }
        let gains = Gains::of_spec(&measure.spec(), true).ok().filter(|gains| !gains.of_unjudged())?;
        Some(Ndcg { gains, cutoff: measure.cutoff()? })
    }

    /// The gain of a grade; not relevant is grade 0.
    pub fn gain(&self, label: Option<f64>) -> f64 {
        self.gains.of(label.unwrap_or(0.0))
    }

    /// The difference on a topic; `grades` are those that labels may have.
    pub fn on(&self, views: &Views<'_>, units: &[OpenUnit], grades: impl Iterator<Item = f64>) -> Ratio {
        let table = Discounts::get();
        let judged = views.run.facts.grades.iter();
        let mut gains: Vec<f64> = grades.chain(judged.clone().map(|(grade, _)| grade.value())).collect();
        gains.iter_mut().for_each(|grade| *grade = self.gains.of(*grade));
        gains.retain(|gain| *gain > 0.0);
        gains.sort_by(|one, other| other.total_cmp(one));
        gains.dedup();
        let mut counts = vec![0; gains.len()];
        for (grade, count) in judged {
            if let Some(place) = place(&gains, self.gains.of(grade.value())) {
                counts[place] += count;
            }
        }
        let discount =
            |rank: Option<usize>| rank.filter(|rank| *rank <= self.cutoff).map_or(0.0, |rank| 1.0 / table.at(rank));
        let sum = |view: &TopicView<'_>| -> f64 {
            let gain = |judgement: &Judgement| self.gains.of_judgement(*judgement);
            let ranks = view.ranks.iter().take(self.cutoff);
            (1..).zip(ranks).map(|(rank, judgement)| gain(judgement) / table.at(rank)).sum()
        };
        let longest = counts.iter().sum::<u32>() as usize + units.len();
        let discounts = std::iter::once(0.0)
            .chain((1..=self.cutoff.min(longest)).scan(0.0, |sum, rank| {
                *sum += 1.0 / table.at(rank);
                Some(*sum)
            }))
            .collect();
        let weights = units.iter().map(|unit| discount(unit.a) - discount(unit.b)).collect();
        let known = sum(&views.run) - views.less.as_ref().map_or(0.0, sum);
        Ratio { known, weights, gains, counts, discounts }
    }
}

/// The place of a gain; `None` where it adds nothing to the ideal.
fn place(gains: &[f64], gain: f64) -> Option<usize> {
    gains.iter().position(|known| *known == gain)
}

impl Ratio {
    /// The state with these gains of all documents.
    pub fn state(&self, gains: impl Iterator<Item = f64>) -> State {
        let mut state = State { counts: self.counts.clone(), sum: self.known };
        for (weight, gain) in self.weights.iter().zip(gains) {
            state.sum += weight * gain;
            if let Some(place) = place(&self.gains, gain) {
                state.counts[place] += 1;
            }
        }
        state
    }

    /// The difference; 0 where nothing is relevant.
    pub fn value(&self, state: &State) -> f64 {
        self.value_with(state, [None, None], state.sum)
    }

    /// The difference if one document's gain goes from `before` to `after`.
    pub fn turned(&self, state: &State, unit: usize, before: f64, after: f64) -> f64 {
        let sum = state.sum + self.weights[unit] * (after - before);
        self.value_with(state, [place(&self.gains, before), place(&self.gains, after)], sum)
    }

    /// One document less at the first place, one more at the second.
    fn value_with(&self, state: &State, [less, more]: [Option<usize>; 2], sum: f64) -> f64 {
        let last = self.discounts.len() - 1;
        let (mut ideal, mut before) = (0.0, 0);
        for (place, gain) in self.gains.iter().enumerate() {
            let count = state.counts[place] + u32::from(more == Some(place)) - u32::from(less == Some(place));
            let after = (before + count as usize).min(last);
            ideal += gain * (self.discounts[after] - self.discounts[before]);
            before = after;
        }
        if ideal > 0.0 { sum / ideal } else { 0.0 }
    }
}
