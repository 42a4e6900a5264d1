//! What the documents of a topic do to any measure: by drawing whole truths, and turning one document at a time.
//!
//! The one decision: a document's effect is the mean over truths of the score with it relevant less the score with it not. To first order
//! that is all a judgement can show; what is left of the variance (documents that matter together) is given to them in proportion, so
//! that judging all of them leaves nothing open.
//!
//! Usual measures are turned in one pass per truth ([`ClosedForm`]); any other is scored twice for each document ([`Literal`]).

use karat_data::Grade;
use karat_measures::Measure;

use super::chances::Chances;
use super::closed_form::ClosedForm;
use super::documents::{Documents, Judged, Open, Retrieved, Worth, retrieved};
use super::literal::Literal;
use crate::compare::truths;
use crate::lists::Lists;
use crate::unjudged::RelevanceModel;

/// Scores that may be computed for one budget, over all topics.
const MOST_SCORES: usize = 400_000;
/// Documents that may be drawn for one budget, over all topics and draws, where the number of draws is not given.
const MOST_DRAWN: usize = 200_000_000;
/// The least number of draws then.
const LEAST_DRAWS: usize = 20;
/// Truths on which each document is turned.
const TRUTHS: (usize, usize) = (4, 32);
/// Smaller effects are rounding.
const ROUNDING: f64 = 1e-13;

/// How likely unjudged documents are relevant.
pub(super) struct TopicModel<'a> {
    /// The fitted model: chances and their error are from it.
    pub relevance_model: &'a RelevanceModel,
    /// The same taken as right: draws are from it.
    pub right: RelevanceModel,
    pub chances: &'a Chances,
}

/// The number of draws per topic, where it is not given: `usual`, or fewer where there are many documents over all topics.
pub(super) fn draws(usual: usize, documents: usize) -> usize {
    usual.min((MOST_DRAWN / documents.max(1)).max(LEAST_DRAWS))
}

/// One topic; `None` where the measure has no value on some truth. `documents` is how many there are over all topics.
pub(super) fn drawn(
    measure: &[Box<dyn Measure>],
    lists: &Lists<'_>,
    runs: usize,
    model: &TopicModel<'_>,
    name: &[u8],
    documents: usize,
) -> Option<Documents> {
    let TopicModel { relevance_model, right, chances } = model;
    let draws = truths::draw(lists, runs, measure, right, name);
    let of = |run: usize| draws[run][0].as_deref();
    let values: Vec<f64> = match runs {
        1 => of(0)?.to_vec(),
        _ => of(0)?.iter().zip(of(1)?).map(|(a, b)| a - b).collect(),
    };
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0).max(1.0);
    let mut topic = Documents { expected: Some(mean), variance, monte_carlo: variance / count, ..Documents::default() };
    let truths = (MOST_SCORES / (2 * runs * documents).max(1)).clamp(TRUTHS.0, TRUTHS.1);
    let retrieved = retrieved(lists, runs);
    let turning = Turning::new(lists, runs, (relevance_model, chances), &retrieved);
    let effects = turning.effects(measure.first()?.as_ref(), truths, name)?;
    add_effects(&mut topic, model, retrieved.iter().copied().zip(effects));
    Some(topic)
}

/// Adds the effects of documents on the runs to a topic.
fn add_effects(topic: &mut Documents, model: &TopicModel<'_>, effects: impl Iterator<Item = (Retrieved, [f64; 2])>) {
    let (mut judged, mut open, mut first_order) = (Judged::default(), Vec::new(), 0.0);
    for (Retrieved { judgement, ranks }, effects) in effects {
        let (effect, attention) = (effects[0] - effects[1], effects[0].abs().max(effects[1].abs()));
        let chance = model.chances.chance(ranks);
        match judgement.grade() {
            Some(grade) => {
                let relevant = grade >= model.relevance_model.level();
                judged.add(chance, relevant, attention, Worth::EFFECT.showed(effect, chance));
            }
            None if effect.abs() > ROUNDING => {
                first_order += Worth::EFFECT.variance(effect, chance);
                open.push(Open { weight: effect, ranks });
            }
            None => {}
        }
    }
    judged.finish(topic);
    topic.open = open.into_iter().collect();
    topic.together = if first_order > 0.0 { topic.variance / first_order } else { 1.0 };
}

/// A truth of a topic, and what every document retrieved would be if it were turned.
#[derive(Debug, Default)]
pub(super) struct Truth {
    /// By document retrieved.
    pub documents: Vec<Turned>,
    /// All documents of the topic by grade, in ascending order.
    pub counts: Vec<(Grade, u32)>,
}

/// The grades of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Turned {
    /// In the truth.
    pub is: f64,
    /// If it were relevant.
    pub relevant: f64,
    /// If it were not.
    pub other: f64,
}

/// What the effect of every document retrieved on each run is computed from.
pub(super) struct Turning<'a> {
    pub lists: &'a Lists<'a>,
    pub runs: usize,
    pub relevance_model: &'a RelevanceModel,
    pub chances: &'a Chances,
    pub retrieved: &'a [Retrieved],
    /// For each run and rank the place of the document among those retrieved.
    pub places: Vec<Vec<u32>>,
}

/// By document retrieved, its effect on each run.
pub(super) type Effects = Vec<[f64; 2]>;

impl<'a> Turning<'a> {
    /// Of a topic.
    pub fn new(
        lists: &'a Lists<'a>,
        runs: usize,
        (relevance_model, chances): (&'a RelevanceModel, &'a Chances),
        retrieved: &'a [Retrieved],
    ) -> Turning<'a> {
        let mut places: Vec<Vec<u32>> = (0..runs).map(|run| vec![0; lists.list(run).len()]).collect();
        for (place, document) in (0..).zip(retrieved) {
            for (places, rank) in places.iter_mut().zip(document.ranks).filter(|(_, rank)| *rank > 0) {
                places[rank as usize - 1] = place;
            }
        }
        Turning { lists, runs, relevance_model, chances, retrieved, places }
    }

    /// The effects: in closed form where the measure has one.
    fn effects(&self, measure: &dyn Measure, truths: usize, name: &[u8]) -> Option<Effects> {
        match ClosedForm::new(measure) {
            Some(form) => self.mean(truths, name, |truth, run, effects| form.turn(self, truth, run, effects)),
            None => {
                let literal = Literal::new(self, measure);
                self.mean(truths, name, |truth, run, effects| literal.turn(truth, run, effects))
            }
        }
    }

    /// The mean over truths of what `turn` adds up for each of them and each run.
    pub fn mean(
        &self,
        truths: usize,
        name: &[u8],
        mut turn: impl FnMut(&Truth, usize, &mut Effects) -> Option<()>,
    ) -> Option<Effects> {
        let streams = self.relevance_model.streams(&[name, b", one document turned"].concat());
        let chances: Vec<f64> = self.retrieved.iter().map(|document| self.chances.chance(document.ranks)).collect();
        let known = self.lists.view(0).facts.grades.to_vec();
        let mut effects: Effects = vec![[0.0; 2]; self.retrieved.len()];
        let mut truth = Truth::default();
        for draw in 0..truths {
            let mut stream = streams.at(draw as u64);
            truth.documents.clear();
            truth.counts.clone_from(&known);
            for (Retrieved { judgement, .. }, chance) in self.retrieved.iter().zip(&chances) {
                let is = judgement.grade().unwrap_or_else(|| {
                    let grade = self.relevance_model.grade(stream.unit(), *chance);
                    count(&mut truth.counts, grade, 1);
                    grade
                });
                truth.documents.push(Turned { is, relevant: is, other: is });
            }
            for turned in &mut truth.documents {
                let unit = stream.unit();
                turned.relevant = self.relevance_model.grades().given(unit, true);
                turned.other = self.relevance_model.grades().given(unit, false);
            }
            (0..self.runs).try_for_each(|run| turn(&truth, run, &mut effects))?;
        }
        effects.iter_mut().flatten().for_each(|effect| *effect /= truths as f64);
        Some(effects)
    }
}

/// One document more or less of a grade, among grades in ascending order.
pub(super) fn count(counts: &mut Vec<(Grade, u32)>, grade: f64, by: i32) {
    let grade = Grade::new(grade).unwrap_or(Grade::ZERO);
    match counts.binary_search_by(|(known, _)| known.value().total_cmp(&grade.value())) {
        Ok(place) => {
            counts[place].1 = counts[place].1.saturating_add_signed(by);
            if counts[place].1 == 0 {
                counts.remove(place);
            }
        }
        Err(place) => counts.insert(place, (grade, by.max(0) as u32)),
    }
}
