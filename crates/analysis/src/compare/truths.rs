//! Whole truths: every unjudged document of a topic gets a grade, once, and all runs are scored on it.
//!
//! The one decision: a document is drawn once for all runs, so that what two runs share moves both scores and cancels where it
//! should. Its chance is the mean of the chances the model has for the ranks it has in the runs. Draw d of a topic comes from a
//! stream named by the topic; all topics of draw d share one model, moved within the error of its fit.

use karat_data::{Judgement, TopicFacts, TopicView};
use karat_measures::Measure;

use super::lists::Lists;
use crate::unjudged::Belief;
use crate::unjudged::complete::judge;

/// Scores on every draw, by run and measure; `None` where a measure has no value on some draw.
pub type Drawn = Vec<Vec<Option<Box<[f64]>>>>;

/// Scores all runs on all draws of a topic. Measures that unjudged documents are nothing to have no draws.
pub fn draw(lists: &Lists<'_>, runs: usize, measures: &[Box<dyn Measure>], belief: &Belief, name: &[u8]) -> Drawn {
    let concerned: Vec<Option<&dyn Measure>> =
        measures.iter().map(|measure| Some(measure.as_ref()).filter(|measure| Belief::concerns(*measure))).collect();
    let mut values: Vec<Vec<Option<Vec<f64>>>> =
        vec![concerned.iter().map(|measure| measure.map(|_| Vec::with_capacity(belief.draws()))).collect(); runs];
    let streams = belief.streams(name);
    let known = lists.view(0).facts.grades.to_vec();
    let (mut grades, mut ranks) = (Vec::new(), Vec::new());
    let unseen = lists.unseen();
    let documents = 1 + lists.open().iter().map(|(document, _)| *document as usize).max().unwrap_or(0);
    let mut drawn: Vec<Judgement> = vec![Judgement::Unpooled; documents];
    for draw in 0..belief.draws() {
        let mut stream = streams.at(draw as u64);
        let views: Vec<_> = (0..runs).map(|run| belief.on(draw, lists.view(run).ranks)).collect();
        grades.clear();
        grades.extend_from_slice(&known);
        for (document, places) in lists.open() {
            let (sum, count) = places
                .iter()
                .zip(&views)
                .filter(|(rank, _)| **rank > 0)
                .fold((0.0, 0.0), |sum, (rank, on)| (sum.0 + on.at(*rank as usize), sum.1 + 1.0));
            drawn[*document as usize] = judge(&mut grades, belief.grade(stream.unit(), sum / count));
        }
        if unseen > 0 {
            // As below the longest list.
            let deepest = (0..runs).max_by_key(|&run| lists.list(run).len()).unwrap_or(0);
            let chance = views.get(deepest).map_or(0.0, |on| on.at(lists.list(deepest).len() + 1));
            (0..unseen).for_each(|_| {
                judge(&mut grades, belief.grade(stream.unit(), chance));
            });
        }
        for (run, values) in values.iter_mut().enumerate() {
            ranks.clear();
            ranks.extend(lists.list(run).iter().map(|&document| match lists.known(document) {
                judged @ Judgement::Grade(_) => judged,
                _ => drawn[document as usize],
            }));
            let facts = TopicFacts { grades: &grades, pooled_unjudged: 0 };
            let view = TopicView { ranks: &ranks, below: 0, facts, ..lists.view(run) };
            for (measure, values) in concerned.iter().zip(values) {
                let Some((measure, list)) = measure.zip(values.as_mut()) else { continue };
                match measure.value(&view) {
                    Ok(value) if value.is_finite() => list.push(value),
                    _ => *values = None,
                }
            }
        }
    }
    values.into_iter().map(|run| run.into_iter().map(|list| list.map(Vec::into_boxed_slice)).collect()).collect()
}
