//! Every topic of every run, aligned with the judgements, in parallel.
//!
//! The question asked of each topic is a closure; its answers come back by topic in the byte order of names, whatever
//! the number of threads.

use std::sync::Mutex;

use crate::align::Aligner;
use crate::judgement::Judgement;
use crate::policy::Policy;
use crate::problem::{LineProblem, Problem, Problems, quote};
use crate::qrels::{Qrels, TopicIndex};
use crate::source::{RunFacts, RunSource, TopicRows, Visitor, Worker};

/// One run's answers.
#[derive(Debug)]
pub struct RunTopics<T> {
    /// What is known of the run.
    pub facts: RunFacts,
    /// The answers by topic; `None` where the run has no row for a judged topic.
    pub topics: Vec<Option<T>>,
    /// Topics of the run that nobody judged, in byte order.
    pub unjudged_topics: Vec<Vec<u8>>,
}

impl<T> RunTopics<T> {
    /// Judged topics the run does not have.
    pub fn missing(&self) -> impl Iterator<Item = TopicIndex> + '_ {
        self.topics.iter().enumerate().filter(|(_, answer)| answer.is_none()).map(|(topic, _)| TopicIndex(topic as u32))
    }
}

/// Asks `question` of every judged topic of every run.
///
/// # Errors
/// Everything wrong with the runs: their lines, documents that occur twice, no topic in common with the judgements.
pub fn each_topic<T: Send>(
    qrels: &Qrels,
    runs: &dyn RunSource,
    policy: &Policy,
    threads: usize,
    question: impl Fn(TopicIndex, &[Judgement]) -> T + Sync,
) -> Result<Vec<RunTopics<T>>, Problems> {
    let asking = Asking { qrels, policy, question, found: Mutex::default() };
    let facts = runs.visit(threads, &asking)?;
    let Found { answers, unjudged } = asking.found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);

    let attempts: Vec<u32> = facts.iter().map(|facts| facts.attempt).collect();
    let mut found: Vec<RunTopics<T>> = facts
        .into_iter()
        .map(|facts| RunTopics { facts, topics: (0..qrels.len()).map(|_| None).collect(), unjudged_topics: Vec::new() })
        .collect();
    for (place, topic, answer) in answers {
        if attempts[place.run] == place.attempt {
            found[place.run].topics[topic.0 as usize] = Some(answer);
        }
    }
    for (place, name) in unjudged {
        if attempts[place.run] == place.attempt {
            found[place.run].unjudged_topics.push(name);
        }
    }
    let mut problems = Problems::default();
    for run in &mut found {
        run.unjudged_topics.sort_unstable();
        if run.topics.iter().all(Option::is_none) {
            problems.push(nothing_in_common(qrels, run));
        }
    }
    problems.into_result()?;
    Ok(found)
}

fn nothing_in_common<T>(qrels: &Qrels, run: &RunTopics<T>) -> Problem {
    let some = |names: &mut dyn Iterator<Item = &[u8]>| {
        let mut shown: Vec<String> = names.take(4).map(quote).collect();
        if let Some(fourth) = shown.get_mut(3) {
            *fourth = "...".into();
        }
        shown.join(", ")
    };
    let judged = some(&mut qrels.topics().map(|topic| qrels.name(topic)));
    let own = some(&mut run.unjudged_topics.iter().map(Vec::as_slice));
    Problem::of_file(
        &run.facts.file,
        format!("at least one topic of the judgements ({judged})"),
        format!("none of them among its topics ({own})"),
        "check that run and judgements belong together and write topics alike (leading zeros, prefixes)",
    )
}

#[derive(Clone, Copy)]
struct Place {
    run: usize,
    attempt: u32,
}

struct Found<T> {
    answers: Vec<(Place, TopicIndex, T)>,
    unjudged: Vec<(Place, Vec<u8>)>,
}

impl<T> Default for Found<T> {
    fn default() -> Self {
        Found { answers: Vec::new(), unjudged: Vec::new() }
    }
}

struct Asking<'a, T, Q> {
    qrels: &'a Qrels,
    policy: &'a Policy,
    question: Q,
    found: Mutex<Found<T>>,
}

impl<T: Send, Q: Fn(TopicIndex, &[Judgement]) -> T + Sync> Visitor for Asking<'_, T, Q> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Asker { asking: self, aligner: Aligner::new(), found: Found::default() })
    }
}

struct Asker<'a, T: Send, Q: Fn(TopicIndex, &[Judgement]) -> T + Sync> {
    asking: &'a Asking<'a, T, Q>,
    aligner: Aligner,
    found: Found<T>,
}

impl<T: Send, Q: Fn(TopicIndex, &[Judgement]) -> T + Sync> Worker for Asker<'_, T, Q> {
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        let place = Place { run: rows.run, attempt: rows.attempt };
        let Some(topic) = self.asking.qrels.find(rows.topic) else {
            self.found.unjudged.push((place, rows.topic.to_vec()));
            return Vec::new();
        };
        match self.aligner.align(self.asking.qrels, topic, rows.rows, self.asking.policy) {
            Ok(ranks) => {
                self.found.answers.push((place, topic, (self.asking.question)(topic, ranks)));
                Vec::new()
            }
            Err(problems) => problems,
        }
    }
}

impl<T: Send, Q: Fn(TopicIndex, &[Judgement]) -> T + Sync> Drop for Asker<'_, T, Q> {
    /// A thread is done: its answers join the others'.
    fn drop(&mut self) {
        let mut all = self.asking.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.answers.append(&mut self.found.answers);
        all.unjudged.append(&mut self.found.unjudged);
    }
}
