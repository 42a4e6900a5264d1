//! What the documents of a topic do to any measure: the effects of [`crate::document_effects`], and whole truths for the variance.
//!
//! The one decision: what is left of the variance beyond the effects (documents that matter together) is given to the documents in proportion, so
//! that judging all of them leaves nothing open.

use karat_measures::Measure;

use super::documents::{Documents, Judged, Open, Worth};
use crate::compare::truths;
use crate::document_effects::chances::Chances;
use crate::document_effects::{self, Effects, ROUNDING, Retrieved, Turning};
use crate::lists::Lists;
use crate::unjudged::RelevanceModel;

/// Documents that may be drawn for one budget, over all topics and draws, where the number of draws is not given.
const MOST_DRAWN: usize = 200_000_000;
/// The least number of draws then.
const LEAST_DRAWS: usize = 20;

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
    let retrieved = Retrieved::new(lists, runs);
    let turning = Turning::new(lists, (relevance_model, chances), &retrieved);
    let effects = turning.effects(measure.first()?.as_ref(), document_effects::truths(runs, documents), name)?;
    add_effects(&mut topic, model, &retrieved, &effects);
    Some(topic)
}

/// Adds the effects of documents on the runs to a topic.
fn add_effects(topic: &mut Documents, model: &TopicModel<'_>, retrieved: &Retrieved, effects: &Effects) {
    let (mut judged, mut open, mut first_order) = (Judged::default(), Vec::new(), 0.0);
    for place in 0..retrieved.len() {
        let (judgement, ranks, own) = (retrieved.judgement(place), retrieved.pair(place), effects.of(place));
        let other = own.get(1).copied().unwrap_or(0.0);
        let (effect, attention) = (own[0] - other, own[0].abs().max(other.abs()));
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
