//! What the documents of a topic do to any measure: by drawing whole truths, and turning one document at a time.
//!
//! The one decision: a document's effect is the mean over truths of the score with it relevant less the score with it not. To first order
//! that is all a judgement can show; what is left of the variance (documents that matter together) is given to them in proportion, so
//! that judging all of them leaves nothing open.

use karat_data::{Grade, Judgement, TopicFacts, TopicView};
use karat_measures::Measure;

use super::documents::{Documents, Judged, Open, chance, retrieved, showing};
use crate::compare::lists::Lists;
use crate::compare::truths;
use crate::unjudged::Belief;

/// Scores that may be computed for one budget, over all topics.
const MOST_SCORES: usize = 400_000;
/// Truths on which each document is turned.
const TRUTHS: (usize, usize) = (4, 32);

/// One topic; `None` where the measure has no value on some truth. Chances are `belief`'s, truths are drawn from the same model taken as
/// right. `documents` is how many there are over all topics.
pub(super) fn drawn(
    measure: &[Box<dyn Measure>],
    lists: &Lists<'_>,
    runs: usize,
    (belief, right): (&Belief, &Belief),
    name: &[u8],
    documents: usize,
) -> Option<Documents> {
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
    let mut turning =
        Turning { measure: measure.first()?.as_ref(), lists, runs, belief, retrieved: retrieved(lists, runs) };
    let effects = turning.effects(truths, name)?;
    let mut judged = Judged::default();
    let (mut first_order, found) = (0.0, std::mem::take(&mut turning.retrieved));
    for ((document, judgement, places), effects) in found.into_iter().zip(effects) {
        let effect = effects[0] - effects.get(1).copied().unwrap_or(0.0);
        let attention = effects.iter().map(|effect| effect.abs()).fold(0.0, f64::max);
        let (chance, refits) = chance(belief, &places);
        let sd = |chance: f64| effect * (chance * (1.0 - chance)).max(0.0).sqrt();
        match judgement.grade() {
            Some(grade) => judged.add(chance, grade >= belief.level(), attention, sd(chance)),
            None if effect != 0.0 => {
                let (unsure, more) = showing(chance);
                let (variance, shown) = (sd(chance) * sd(chance), more * sd(unsure));
                first_order += variance;
                let open = Open { document, weight: effect, effect, chance, refits, variance, shown };
                topic.open.push(open);
            }
            None => {}
        }
    }
    judged.finish(&mut topic);
    if first_order > 0.0 {
        let more = variance / first_order;
        for open in &mut topic.open {
            open.variance *= more;
            open.shown *= more.sqrt();
        }
    }
    Some(topic)
}

struct Turning<'a> {
    measure: &'a dyn Measure,
    lists: &'a Lists<'a>,
    runs: usize,
    belief: &'a Belief,
    retrieved: Vec<(u32, Judgement, Box<[u32]>)>,
}

impl Turning<'_> {
    /// For every document retrieved its effect on each run.
    fn effects(&self, truths: usize, name: &[u8]) -> Option<Vec<Vec<f64>>> {
        let streams = self.belief.streams(&[name, b", one document turned"].concat());
        let last = self.retrieved.iter().map(|(document, ..)| *document as usize).max().unwrap_or(0);
        let mut truth = vec![0.0; last + 1];
        let mut effects = vec![vec![0.0; self.runs]; self.retrieved.len()];
        let chances: Vec<f64> = self.retrieved.iter().map(|(.., places)| chance(self.belief, places).0).collect();
        for draw in 0..truths {
            let mut stream = streams.at(draw as u64);
            let mut counts = self.lists.view(0).facts.grades.to_vec();
            for ((document, judgement, _), chance) in self.retrieved.iter().zip(&chances) {
                truth[*document as usize] = match judgement.grade() {
                    Some(grade) => grade,
                    None => {
                        let grade = self.belief.grade(stream.unit(), *chance);
                        count(&mut counts, grade, 1);
                        grade
                    }
                };
            }
            for ((document, _, places), effects) in self.retrieved.iter().zip(&mut effects) {
                let was = truth[*document as usize];
                let unit = stream.unit();
                for (relevant, sign) in [(true, 1.0), (false, -1.0)] {
                    let grade = self.belief.grades().given(unit, relevant);
                    count(&mut counts, was, -1);
                    count(&mut counts, grade, 1);
                    truth[*document as usize] = grade;
                    // Also where the run does not have it: then it is missed.
                    for (run, effect) in effects.iter_mut().enumerate().take(places.len()) {
                        *effect += sign * self.score(run, &truth, &counts)? / truths as f64;
                    }
                    count(&mut counts, grade, -1);
                    count(&mut counts, was, 1);
                }
                truth[*document as usize] = was;
            }
        }
        Some(effects)
    }

    fn score(&self, run: usize, truth: &[f64], counts: &[(Grade, u32)]) -> Option<f64> {
        let list = self.lists.list(run);
        let ranks: Vec<Judgement> = list
            .iter()
            .map(|&document| Judgement::Grade(Grade::new(truth[document as usize]).unwrap_or(Grade::ZERO)))
            .collect();
        let facts = TopicFacts { grades: counts, pooled_unjudged: 0 };
        let view = TopicView { ranks: &ranks, below: 0, facts, ..self.lists.view(run) };
        self.measure.value(&view).ok().filter(|value| value.is_finite())
    }
}

/// One document more or less of a grade, among grades in ascending order.
fn count(counts: &mut Vec<(Grade, u32)>, grade: f64, by: i32) {
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
