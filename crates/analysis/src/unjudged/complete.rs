//! Judgements drawn for the documents nobody judged: any measure, by computing it on completed lists.
//!
//! The one decision: draw number d of a topic comes from a stream of its own, named by the topic, so that neither threads nor
//! other topics nor other runs change it; and all topics of draw d share one model, moved within the error of the fit, so
//! that the spread of the mean over draws holds that error too.

use karat_data::{Grade, Judgement, TopicFacts, TopicView};
use karat_measures::{Measure, Undefined};
use karat_stats::seed::{Stream, Streams};

use super::RelevanceModel;
use super::model::{Model, OnList};

/// A list in which everything is judged.
#[derive(Debug, Default)]
pub struct Completed {
    ranks: Vec<Judgement>,
    grades: Vec<(Grade, u32)>,
}

impl Completed {
    /// What a measure sees of it.
    pub fn view<'a>(&'a self, of: &TopicView<'a>) -> TopicView<'a> {
        TopicView {
            ranks: &self.ranks,
            below: 0,
            facts: TopicFacts { grades: &self.grades, pooled_unjudged: 0 },
            ..*of
        }
    }

    fn judge(&mut self, grade: f64) -> Judgement {
        judge(&mut self.grades, grade)
    }

    /// Judges every unjudged document retrieved as `model` has it, and those that are in the judgement file but were not
    /// retrieved as `missed` has them.
    pub fn fill(&mut self, view: &TopicView<'_>, relevance_model: &RelevanceModel, model: &Model, stream: &mut Stream) {
        self.ranks.clear();
        self.grades.clear();
        self.grades.extend_from_slice(view.facts.grades);
        let on = model.on(view.ranks, relevance_model.level, true);
        // The urn's ranks hang together, so they are drawn together; deeper ones by themselves.
        let (start, drawn) = match &on {
            OnList::Curve(_) => (0, Vec::new()),
            OnList::Urn { posterior, prefix, chances } => (*prefix, posterior.draw(chances.len(), stream)),
        };
        for (index, judgement) in view.ranks.iter().enumerate() {
            let judgement = if judgement.is_judged() {
                *judgement
            } else {
                let unit = stream.unit();
                let together = index.checked_sub(start).and_then(|index| drawn.get(index));
                let grade = match together {
                    Some(&relevant) => relevance_model.grades.given(unit, relevant),
                    None => relevance_model.grades.draw(unit, on.at(index + 1)),
                };
                self.judge(grade)
            };
            self.ranks.push(judgement);
        }
        // Retrieved below the depth (-M): judged as well, and missed by the list that is looked at.
        for index in 0..view.below as usize {
            let grade = relevance_model.grades.draw(stream.unit(), on.at(view.ranks.len() + index + 1));
            self.judge(grade);
        }
        let retrieved = view.ranks.iter().filter(|&&judgement| judgement == Judgement::PooledUnjudged).count() as u32;
        let below = on.at(view.ranks.len() + 1);
        let below =
            if relevance_model.compared.is_empty() { below } else { missed(view, relevance_model.level, below) };
        for _ in retrieved..view.facts.pooled_unjudged.max(retrieved) {
            let grade = relevance_model.grades.draw(stream.unit(), below);
            self.judge(grade);
        }
    }
}

/// One more document of this grade among those counted by ascending grade.
pub(crate) fn judge(counted: &mut Vec<(Grade, u32)>, grade: f64) -> Judgement {
    // Grades come from judgements, so they are grades.
    let grade = Grade::new(grade).unwrap_or(Grade::ZERO);
    match counted.binary_search_by(|(known, _)| known.value().total_cmp(&grade.value())) {
        Ok(place) => counted[place].1 += 1,
        Err(place) => counted.insert(place, (grade, 1)),
    }
    Judgement::Grade(grade)
}

/// The chance of a document in the pool that the list lacks, for a model that was fitted: as often relevant as the judged
/// documents of the topic that the list lacks, the model's chance below the list counting for one of them. The rank it would have had
/// in this list says little about a document that others put high.
fn missed(view: &TopicView<'_>, level: f64, below: f64) -> f64 {
    let judged: u32 = view.facts.grades.iter().map(|(_, count)| count).sum();
    let listed = view.ranks.iter().filter_map(|judgement| judgement.grade());
    let (mut here, mut relevant_here) = (0.0, 0.0);
    for grade in listed {
        here += 1.0;
        relevant_here += f64::from(u8::from(grade >= level));
    }
    let relevant = view.facts.relevant(level) as f64 - relevant_here;
    (relevant.max(0.0) + below) / ((f64::from(judged) - here).max(0.0) + 1.0)
}

/// The values of these measures on every draw of a topic, one list of draws per measure.
pub fn draws(
    measures: &[&dyn Measure],
    view: &TopicView<'_>,
    relevance_model: &RelevanceModel,
    streams: Streams,
) -> Vec<Result<Box<[f64]>, Undefined>> {
    let mut values: Vec<Result<Vec<f64>, Undefined>> = measures.iter().map(|_| Ok(Vec::new())).collect();
    let mut completed = Completed::default();
    for (draw, model) in (0..).zip(&relevance_model.drawn_models) {
        completed.fill(view, relevance_model, model, &mut streams.at(draw));
        let whole = completed.view(view);
        for (measure, values) in measures.iter().zip(&mut values) {
            let Ok(list) = values else { continue };
            match measure.value(&whole) {
                Ok(value) if value.is_finite() => list.push(value),
                Ok(_) => *values = Err(Undefined::TOO_LARGE),
                Err(reason) => *values = Err(reason),
            }
        }
    }
    values.into_iter().map(|list| list.map(Vec::into_boxed_slice)).collect()
}

#[cfg(test)]
mod tests {
    use karat_data::CollectionFacts;
    use karat_measures::example::Owned;

    use super::*;

    #[test]
    fn what_the_list_lacks_is_like_the_judged_it_lacks() {
        // The list has a relevant document and one that is not; it lacks three that are relevant and one that is not:
        // (3 + .2) / (4 + 1) with .2 below the list.
        let topic = Owned::parse("1 - 0", "1 2 1 0 ?", CollectionFacts::default()).unwrap();
        assert!((missed(&topic.view(), 1.0, 0.2) - 3.2 / 5.0).abs() < 1e-12);
        // Nothing judged that it lacks: as below the list.
        let topic = Owned::parse("1 - 0", "?", CollectionFacts::default()).unwrap();
        assert!((missed(&topic.view(), 1.0, 0.2) - 0.2).abs() < 1e-12);
    }
}
