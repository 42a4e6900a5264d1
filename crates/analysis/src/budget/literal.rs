//! Effects by their definition: the list is scored with a document relevant, and with it not.

use karat_data::{Grade, Judgement, TopicFacts, TopicView};
use karat_measures::Measure;

use super::effects::{Effects, Truth, Turning, count};

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

    /// Adds the effect of every document on a run; `None` where the measure has no value. A document that the run does not have is missed.
    pub fn turn(&self, truth: &Truth, run: usize, effects: &mut Effects) -> Option<()> {
        let mut counts = truth.counts.clone();
        let mut ranks: Vec<Judgement> =
            self.turning.places[run].iter().map(|&place| graded(truth.documents[place as usize].is)).collect();
        for (place, turned) in truth.documents.iter().enumerate() {
            let index = (self.turning.retrieved[place].ranks[run] as usize).checked_sub(1);
            for (grade, sign) in [(turned.relevant, 1.0), (turned.other, -1.0)] {
                count(&mut counts, turned.is, -1);
                count(&mut counts, grade, 1);
                if let Some(index) = index {
                    ranks[index] = graded(grade);
                }
                effects[place][run] += sign * self.score(run, &ranks, &counts)?;
                count(&mut counts, grade, -1);
                count(&mut counts, turned.is, 1);
            }
            if let Some(index) = index {
                ranks[index] = graded(turned.is);
            }
        }
        Some(())
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
