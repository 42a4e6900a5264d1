//! Which documents to judge: drawn with probability proportional to what their labels can change.
//!
//! The one decision: a fixed number is drawn systematically, topics and their documents in random order. The sample is then spread over topics, and
//! estimates vary less than with independent draws.

use karat_data::TopicIndex;
use karat_runtime::jobs::in_order;
use karat_stats::Seed;

use super::effects::{Effects, Label};
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
    /// How much each topic's difference may still vary, by measure and pair.
    pub variances: Vec<Vec<TopicVariance>>,
    /// What is drawn.
    pub design: Design,
}

/// The variance of a topic's difference under the guesses.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TopicVariance {
    /// The variance.
    pub variance: f64,
    /// The mean guess of its documents.
    pub guess: f64,
}

/// An unjudged document that can change a difference.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its name.
    pub docno: Vec<u8>,
    /// What it can change, added up over measures and pairs, each as a share of all that can change.
    pub priority: f64,
    /// By measure and pair: what its label can change, and how likely it is relevant. Where topics are drawn it is not computed.
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
        let guesses: Vec<Guesses<'_>> =
            contrasts.iter().map(|(measure, _)| Guesses::fit(question.priors(*measure), &[])).collect();
        let look = TopicLook { question, design, contrasts: &contrasts, guesses: &guesses, seed, is_known };
        let found = in_order(question.topics.len(), question.setting.threads, |topic| look.at(topic));
        let places = 0..contrasts.len();
        let totals: Vec<f64> =
            places.clone().map(|at| found.iter().map(|found| found.worth(design, at)).sum()).collect();
        let expected = places.clone().map(|at| found.iter().map(|found| found.expected[at]).collect()).collect();
        let variances = places.map(|at| found.iter().map(|found| found.variances[at]).collect()).collect();
        let topics = found.into_iter().map(|found| found.candidates(design, &totals)).collect();
        Frame { topics, expected, variances, design }
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

/// What is known of a topic before anything is drawn, by measure and pair.
struct TopicSpans {
    expected: Vec<Option<f64>>,
    variances: Vec<TopicVariance>,
    documents: Vec<Spans>,
}

impl TopicSpans {
    /// What of a measure and pair can change here: added up over documents, or for a topic as a whole.
    fn worth(&self, design: Design, place: usize) -> f64 {
        match design {
            Design::Documents => self.documents.iter().map(|(_, spans)| spans[place].0.abs()).sum(),
            Design::Topics if self.documents.is_empty() => 0.0,
            Design::Topics => self.variances[place].variance.sqrt(),
        }
    }

    /// The documents with their priorities; those of a topic share its priority where topics are drawn.
    fn candidates(self, design: Design, totals: &[f64]) -> Vec<Candidate> {
        let share = |worth: &dyn Fn(usize) -> f64| -> f64 {
            let one = |(place, total): (usize, &f64)| if *total > 0.0 { worth(place) / total } else { 0.0 };
            totals.iter().enumerate().map(one).sum()
        };
        let together = share(&|place| self.worth(design, place)) / self.documents.len().max(1) as f64;
        let candidate = |(docno, spans): Spans| {
            let priority = match design {
                Design::Documents => share(&|place| spans[place].0.abs()),
                Design::Topics => together,
            };
            Candidate { docno, priority, spans }
        };
        self.documents.into_iter().map(candidate).collect()
    }
}

/// How topics are looked at before anything is drawn.
struct TopicLook<'l, 'a> {
    question: &'l Question<'a>,
    design: Design,
    contrasts: &'l [Contrast],
    guesses: &'l [Guesses<'l>],
    seed: Seed,
    is_known: &'l (dyn Fn(TopicIndex, &[u8]) -> bool + Sync),
}

impl TopicLook<'_, '_> {
    /// The documents of a topic that can change a difference, with how much.
    fn at(&self, topic: usize) -> TopicSpans {
        let TopicLook { question, contrasts, .. } = *self;
        let lists = question.lists(topic);
        let mut spans: Vec<Option<Vec<(f64, f64)>>> = vec![None; lists.open()];
        let mut expected = vec![None; contrasts.len()];
        let mut variances = vec![TopicVariance::default(); contrasts.len()];
        for (place, &contrast) in contrasts.iter().enumerate() {
            let open = question.open(&lists, contrast, self.seed);
            let guess = self.guesses[place].of(topic);
            let known: Vec<Option<Label>> = vec![None; open.units.len()];
            let Some(effects) = open.effects(&guess, &known) else { continue };
            expected[place] = Some(effects.expected());
            variances[place] = TopicVariance { variance: effects.variance(&open.units, &guess), guess: guess.mean(0) };
            for (at, unit) in open.units.iter().enumerate() {
                let span = self.span(&effects, at);
                // A linear measure is not changed by what both runs rank alike; of others every document can move what they divide by.
                if span != Some(0.0) || !effects.is_linear() {
                    let own = spans[unit.open as usize].get_or_insert_with(|| vec![(0.0, 0.0); contrasts.len()]);
                    own[place] = (span.unwrap_or(0.0), guess.mean(unit.side()));
                }
            }
        }
        let named = (0u32..).zip(spans).filter_map(|(open, spans)| Some((lists.docno(open).to_vec(), spans?)));
        let documents = named.filter(|(docno, _)| !(self.is_known)(question.topics[topic], docno)).collect();
        TopicSpans { expected, variances, documents }
    }

    /// What a label can change; of measures that are no sums only where documents are drawn: it is costly.
    fn span(&self, effects: &Effects<'_>, at: usize) -> Option<f64> {
        (effects.is_linear() || self.design == Design::Documents).then(|| effects.span(at).unwrap_or(0.0))
    }
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
