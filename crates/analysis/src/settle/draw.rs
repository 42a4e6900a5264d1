//! Which documents to judge: drawn with probability proportional to what their labels can change.
//!
//! The one decision: a fixed number is drawn systematically, topics and their documents in random order. The sample is then spread over topics, and
//! estimates vary less than with independent draws.

use karat_data::TopicIndex;
use karat_runtime::jobs::in_order;
use karat_stats::Seed;

use super::effects::Label;
use super::guess::Guesses;
use super::question::{Contrast, Design, Question};
use crate::draw::{proportional, systematic_by_block};
use crate::streams;

/// A document, or a topic, with less than this share of the mean priority gets this much: labels may say more than the guesses do.
const LEAST_PRIORITY: f64 = 0.1;
/// The same of topics.
const LEAST_TOPIC_PRIORITY: f64 = 0.25;

/// Documents that may be drawn, and with what probability.
#[derive(Debug, Clone)]
pub struct Frame {
    /// By topic.
    pub topics: Vec<Vec<Candidate>>,
    /// The expected difference by measure and pair, and by topic; `None` where the measure has no value.
    pub expected: Vec<Vec<Option<f64>>>,
    design: Design,
}

/// An unjudged document that can change a difference.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its name.
    pub docno: Vec<u8>,
    /// What it can change, added up over measures and pairs, each as a share of all that can change.
    pub priority: f64,
    /// By measure and pair: what its label can change, and how likely it is relevant.
    pub spans: Vec<(f64, f64)>,
}

/// A document that was drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Its topic's place.
    pub topic: usize,
    /// Its name.
    pub docno: Vec<u8>,
    /// The probability that it was to be drawn with.
    pub probability: f64,
    /// What it can change, as a share.
    pub priority: f64,
}

impl Frame {
    /// All documents that can change a difference; those that `is_known` are left out.
    pub fn new(
        question: &Question<'_>,
        design: Design,
        seed: Seed,
        is_known: &(dyn Fn(TopicIndex, &[u8]) -> bool + Sync),
    ) -> Frame {
        let contrasts: Vec<Contrast> = question.contrasts().collect();
        let spans = |topic: usize| topic_spans(question, topic, &contrasts, seed, is_known);
        let found = in_order(question.topics.len(), question.setting.threads, spans);
        let mut totals = vec![0.0; contrasts.len()];
        for (_, spans) in found.iter().flat_map(|found| &found.documents) {
            totals.iter_mut().zip(spans).for_each(|(total, (span, _))| *total += span.abs());
        }
        let share = |spans: &[(f64, f64)]| -> f64 {
            let share = |((span, _), total): (&(f64, f64), &f64)| if *total > 0.0 { span.abs() / total } else { 0.0 };
            spans.iter().zip(&totals).map(share).sum()
        };
        let expected = (0..contrasts.len()).map(|place| found.iter().map(|found| found.expected[place]).collect());
        let expected = expected.collect();
        let candidate = |(docno, spans): Spans| Candidate { docno, priority: share(&spans), spans };
        let topics = found.into_iter().map(|found| found.documents.into_iter().map(candidate).collect()).collect();
        Frame { topics, expected, design }
    }

    /// Documents in it.
    pub fn len(&self) -> usize {
        self.topics.iter().map(Vec::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The probability of every document if so many are to be judged; of topics the expected number of documents.
    pub fn probabilities(&self, count: usize) -> Vec<Vec<f64>> {
        match self.design {
            Design::Documents => {
                let all: Vec<f64> = self.topics.iter().flatten().map(|candidate| candidate.priority).collect();
                let found = proportional(&raised(&all, LEAST_PRIORITY), &vec![1.0; all.len()], count as f64);
                let mut found = found.into_iter().map(rounded);
                self.topics.iter().map(|own| found.by_ref().take(own.len()).collect()).collect()
            }
            Design::Topics => {
                let open: Vec<&Vec<Candidate>> = self.topics.iter().filter(|own| !own.is_empty()).collect();
                let costs: Vec<f64> = open.iter().map(|own| own.len() as f64).collect();
                let worth = |own: &&Vec<Candidate>| own.iter().map(|one| one.priority).sum::<f64>();
                let priorities: Vec<f64> = open.iter().map(worth).collect();
                let per_cost = raised(&priorities, LEAST_TOPIC_PRIORITY);
                let per_cost: Vec<f64> = per_cost.iter().zip(&costs).map(|(worth, cost)| worth / cost.sqrt()).collect();
                let mut found = proportional(&per_cost, &costs, count as f64).into_iter().map(rounded);
                let of = |own: &Vec<Candidate>| {
                    let chance = if own.is_empty() { 0.0 } else { found.next().unwrap_or(0.0) };
                    vec![chance; own.len()]
                };
                self.topics.iter().map(of).collect()
            }
        }
    }

    /// Draws so many documents, or topics with about so many.
    pub fn draw(&self, count: usize, seed: Seed, batch: u32) -> Vec<Drawn> {
        let probabilities = self.probabilities(count);
        let mut stream = seed.stream(streams::SETTLE_DRAW, u64::from(batch));
        let chosen: Vec<Vec<bool>> = match self.design {
            Design::Documents => {
                let flat: Vec<f64> = probabilities.iter().flatten().copied().collect();
                let starts: Vec<usize> = probabilities
                    .iter()
                    .scan(0, |next, own| {
                        *next += own.len();
                        Some(*next - own.len())
                    })
                    .collect();
                let mut drawn = systematic_by_block(&flat, &starts, &mut stream).into_iter();
                probabilities.iter().map(|own| drawn.by_ref().take(own.len()).collect()).collect()
            }
            Design::Topics => {
                let of_topics: Vec<f64> = probabilities.iter().map(|own| own.first().copied().unwrap_or(0.0)).collect();
                let drawn = systematic_by_block(&of_topics, &[0], &mut stream);
                probabilities.iter().zip(drawn).map(|(own, drawn)| vec![drawn; own.len()]).collect()
            }
        };
        let mut rows = Vec::new();
        for (topic, ((own, probabilities), chosen)) in self.topics.iter().zip(&probabilities).zip(&chosen).enumerate() {
            for ((candidate, &probability), _) in
                own.iter().zip(probabilities).zip(chosen).filter(|(_, chosen)| **chosen)
            {
                let (docno, priority) = (candidate.docno.clone(), candidate.priority);
                rows.push(Drawn { topic, docno, probability, priority });
            }
        }
        rows
    }
}

/// A document with its span and guess by measure and pair.
type Spans = (Vec<u8>, Vec<(f64, f64)>);

/// What is known of a topic before anything is drawn.
struct TopicSpans {
    expected: Vec<Option<f64>>,
    documents: Vec<Spans>,
}

/// The documents of a topic that can change a difference, with how much.
fn topic_spans(
    question: &Question<'_>,
    topic: usize,
    contrasts: &[Contrast],
    seed: Seed,
    is_known: &(dyn Fn(TopicIndex, &[u8]) -> bool + Sync),
) -> TopicSpans {
    let lists = question.lists(topic);
    let mut spans: Vec<Option<Vec<(f64, f64)>>> = vec![None; lists.open()];
    let mut expected = vec![None; contrasts.len()];
    for (place, &(measure, pair)) in contrasts.iter().enumerate() {
        let open = question.open(&lists, (measure, pair), seed);
        let guess = Guesses::fit(question.priors(measure), &[]).of(topic);
        let known: Vec<Option<Label>> = vec![None; open.units.len()];
        let Some(effects) = open.effects(&guess, &known) else { continue };
        expected[place] = Some(effects.expected());
        let linear = effects.is_linear();
        for (at, unit) in open.units.iter().enumerate() {
            let span = effects.span(at).unwrap_or(0.0);
            // A linear measure is not changed by what both runs rank alike; of others every document can move what they divide by.
            if !linear || span != 0.0 {
                let own = spans[unit.open as usize].get_or_insert_with(|| vec![(0.0, 0.0); contrasts.len()]);
                own[place] = (span, guess.mean(unit.side()));
            }
        }
    }
    let named = (0u32..).zip(spans).filter_map(|(open, spans)| Some((lists.docno(open).to_vec(), spans?)));
    let documents = named.filter(|(docno, _)| !is_known(question.topics[topic], docno)).collect();
    TopicSpans { expected, documents }
}

/// None below this share of the mean.
fn raised(priorities: &[f64], share: f64) -> Vec<f64> {
    let least = share * priorities.iter().sum::<f64>() / priorities.len().max(1) as f64;
    let least = if least > 0.0 { least } else { 1.0 };
    priorities.iter().map(|priority| priority.max(least)).collect()
}

/// To six decimals, so that no spreadsheet changes it; never 0.
fn rounded(probability: f64) -> f64 {
    ((probability * 1e6).round() / 1e6).max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_by_hand() {
        assert_eq!((rounded(1.0 / 3.0), rounded(1e-9)), (0.333_333, 1e-6));
        // A tenth of the mean of 10: nothing is below 1.
        assert_eq!(raised(&[29.0, 1.0, 0.0], 0.1), [29.0, 1.0, 1.0]);
    }
}
