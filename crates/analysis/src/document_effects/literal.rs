//! Effects by their definition: the list is scored with a document relevant, and with it not.

use karat_data::{Grade, Judgement, TopicFacts, TopicView};
use karat_measures::Measure;

use super::{Effects, Truth, Turned, Turning, count};

/// Any measure.
pub(super) struct Literal<'a> {
    turning: &'a Turning<'a>,
    measure: &'a dyn Measure,
}

impl<'a> Literal<'a> {
    /// For the runs of a topic.
    pub fn new(turning: &'a Turning<'a>, measure: &'a dyn Measure) -> Literal<'a> {
        Literal { turning, measure }
    }

    /// Adds the effect of every document on a run; `None` where the measure has no value. A document that the run does not have is missed: only its
    /// grades matter then, so that those with the same grades have the same effect.
    pub fn turn(&self, truth: &Truth, run: usize, effects: &mut Effects) -> Option<()> {
        let mut counts = truth.counts.clone();
        let mut ranks: Vec<Judgement> =
            self.turning.places[run].iter().map(|&place| graded(truth.documents[place as usize].is)).collect();
        let mut missed: Vec<(Turned, f64)> = Vec::new();
        for (place, turned) in truth.documents.iter().enumerate() {
            let index = (self.turning.retrieved.ranks(place)[run] as usize).checked_sub(1);
            let known = missed.iter().find(|(known, _)| index.is_none() && known == turned).map(|(_, effect)| *effect);
            let effect = match known {
                Some(effect) => effect,
                None => self.effect(turned, run, index, (&mut ranks, &mut counts))?,
            };
            if index.is_none() && known.is_none() {
                missed.push((*turned, effect));
            }
            effects.add(place, run, effect);
        }
        Some(())
    }

    /// The effect of one document at this place of a list, if it has one; list and counts are left as they were.
    fn effect(
        &self,
        turned: &Turned,
        run: usize,
        index: Option<usize>,
        (ranks, counts): (&mut Vec<Judgement>, &mut Vec<(Grade, u32)>),
    ) -> Option<f64> {
        let mut with = |grade: f64| {
            count(counts, turned.is, -1);
            count(counts, grade, 1);
            if let Some(place) = index.and_then(|index| ranks.get_mut(index)) {
                *place = graded(grade);
            }
            let score = self.score(run, ranks, counts);
            count(counts, grade, -1);
            count(counts, turned.is, 1);
            score
        };
        let effect = with(turned.relevant)? - with(turned.other)?;
        if let Some(place) = index.and_then(|index| ranks.get_mut(index)) {
            *place = graded(turned.is);
        }
        Some(effect)
    }

    fn score(&self, run: usize, ranks: &[Judgement], counts: &[(Grade, u32)]) -> Option<f64> {
        let facts = TopicFacts { grades: counts, pooled_unjudged: 0 };
        let view = TopicView { ranks, below: 0, facts, ..self.turning.lists.view(run) };
        self.measure.value(&view).ok().filter(|value| value.is_finite())
    }
}

fn graded(grade: f64) -> Judgement {
    Judgement::Grade(Grade::new(grade).unwrap_or(Grade::ZERO))
}
