//! From lists to numbers, without the interpreter: order, look up, score, on as many threads as the work is worth.

use karat_data::{Aligner, CollectionFacts, LineProblem, Policy, Qrels, Ranking, TopicIndex, TopicView};
use karat_measures::trec_eval::{Line, Quantity, answer};
use karat_measures::{Aggregate, Measure};

use super::lists::Lists;

/// Documents for which another thread is worth its start.
const WORTH_A_THREAD: usize = 20_000;

/// What is asked of every topic.
pub enum Question {
    /// trec_eval's lines.
    Lines(Vec<Line>),
    /// Measures of karat's own.
    Measures(Vec<Box<dyn Measure>>),
}

impl Question {
    /// How many numbers answer it.
    pub fn width(&self) -> usize {
        match self {
            Question::Lines(lines) => lines.len(),
            Question::Measures(measures) => measures.len(),
        }
    }

    fn ask(&self, view: &TopicView<'_>, answers: &mut [f64]) {
        match self {
            Question::Lines(lines) => {
                for (line, slot) in lines.iter().zip(answers) {
                    *slot = line_value(view, &line.quantity);
                }
            }
            Question::Measures(measures) => {
                for (measure, slot) in measures.iter().zip(answers) {
                    // No value is nan among numbers; the caller makes of it what its tool makes of it.
                    *slot = measure.value(view).unwrap_or(f64::NAN);
                }
            }
        }
    }
}

/// A topic's number as trec_eval holds it: of geometric means the logarithm.
fn line_value(view: &TopicView<'_>, quantity: &Quantity) -> f64 {
    let value = answer::value(view, quantity);
    match quantity.aggregate() {
        Some(aggregate @ Aggregate::GeometricMean { .. }) => aggregate.inward(value),
        _ => value,
    }
}

/// Judgements and what is asked about them.
pub struct Kernel {
    /// The judgements.
    pub qrels: Qrels,
    /// What holds for all topics.
    pub collection: CollectionFacts,
    /// How lists become rankings.
    pub policy: Policy,
    /// What is asked.
    pub question: Question,
}

impl Kernel {
    /// The answer to a ranking of a topic.
    pub fn ask(&self, topic: TopicIndex, ranking: Ranking<'_>, answers: &mut [f64]) {
        self.question.ask(&self.qrels.view(topic, ranking, self.collection), answers);
    }

    /// For every list, whether its topic was judged, and the answers one after the other.
    ///
    /// # Errors
    /// A document that a list has twice.
    pub fn answers(&self, lists: &Lists, threads: usize) -> Result<(Vec<bool>, Vec<f64>), Vec<LineProblem>> {
        let width = self.question.width();
        let mut judged = vec![false; lists.len()];
        let mut answers = vec![0.0; lists.len() * width];
        let documents = lists.len().checked_sub(1).map_or(0, |last| lists.documents_to(last));
        let threads = threads.min(documents / WORTH_A_THREAD).max(1);
        let mut problems = vec![Vec::new(); threads];
        std::thread::scope(|scope| {
            let (mut first, mut judged, mut answers) = (0, judged.as_mut_slice(), answers.as_mut_slice());
            for (part, problems) in (1..=threads).zip(&mut problems) {
                // Parts of about as many documents; the last one takes the rest.
                let wanted = documents * part / threads;
                let end = if part == threads {
                    lists.len()
                } else {
                    (first..lists.len())
                        .find(|&topic| lists.documents_to(topic) >= wanted)
                        .map_or(lists.len(), |at| at + 1)
                };
                let (own_judged, rest) = judged.split_at_mut(end - first);
                let (own_answers, others) = answers.split_at_mut((end - first) * width);
                (judged, answers) = (rest, others);
                let own = first..end;
                first = end;
                let work = move || *problems = self.part(lists, own, own_judged, own_answers);
                if part == threads {
                    work();
                } else {
                    scope.spawn(work);
                }
            }
        });
        let problems: Vec<LineProblem> = problems.into_iter().flatten().collect();
        if problems.is_empty() { Ok((judged, answers)) } else { Err(problems) }
    }

    fn part(
        &self,
        lists: &Lists,
        topics: std::ops::Range<usize>,
        judged: &mut [bool],
        answers: &mut [f64],
    ) -> Vec<LineProblem> {
        let width = self.question.width();
        let mut aligner = if lists.are_distinct() { Aligner::of_distinct() } else { Aligner::new() };
        let (mut rows, mut last, mut problems) = (Vec::new(), None, Vec::new());
        for (place, list) in topics.enumerate() {
            let name = lists.rows(list, &mut rows);
            let Some(topic) = self.qrels.find_after(last, name) else { continue };
            last = Some(topic);
            judged[place] = true;
            match aligner.align(&self.qrels, topic, &rows, &self.policy) {
                Ok(ranking) => self.ask(topic, ranking, &mut answers[place * width..][..width]),
                Err(found) => problems.extend(found),
            }
        }
        problems
    }
}
