//! Every topic of every run, aligned with the judgements, in parallel.
//!
//! `score` is a closure that gives a fixed number of answers per topic (such as one per measure); they come
//! back by topic in the byte order of names, whatever the number of threads. A thread keeps its answers in one flat array,
//! and those of identical topics once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::align::{Aligner, Ranking};
use crate::condensed::Condensed;
use crate::condensed::list::{self, List};
use crate::list_cache::Looks;
use crate::policy::Policy;
use crate::problem::{LineProblem, Problem, ProblemKind, Problems, quote};
use crate::qrels::{Qrels, TopicIndex};
use crate::source::{RunFacts, RunSource, TopicRows, Visitor, Worker};

/// One run's answers.
#[derive(Debug)]
pub struct RunTopics<T> {
    /// What is known of the run.
    pub facts: RunFacts,
    /// Topics of the run that nobody judged, in byte order.
    pub unjudged_topics: Vec<Vec<u8>>,
    width: usize,
    /// Where the answers of a topic are, by topic; [`NOWHERE`] for a judged topic of which the run has no row.
    places: Vec<Place>,
    /// The answers of all runs, as the threads left them.
    shared: Arc<Vec<Vec<T>>>,
    /// Answers given later.
    own: Vec<T>,
}

/// The pool of a thread (or the run's own, when past the last) and which of its groups of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    pool: u32,
    group: u32,
}

const NOWHERE: Place = Place { pool: u32::MAX, group: u32::MAX };

impl<T> RunTopics<T> {
    /// The answers for a topic; `None` where the run has no row for it.
    pub fn get(&self, topic: TopicIndex) -> Option<&[T]> {
        let place = self.places[topic.0 as usize];
        let pool = self.shared.get(place.pool as usize).unwrap_or(&self.own);
        (place != NOWHERE).then(|| &pool[place.group as usize * self.width..][..self.width])
    }

    /// The answers of every topic that has some.
    pub fn iter(&self) -> impl Iterator<Item = (TopicIndex, &[T])> + '_ {
        (0..self.places.len() as u32).map(TopicIndex).filter_map(|topic| Some((topic, self.get(topic)?)))
    }

    /// Judged topics the run does not have.
    pub fn missing(&self) -> impl Iterator<Item = TopicIndex> + '_ {
        (0..self.places.len() as u32).map(TopicIndex).filter(|&topic| self.get(topic).is_none())
    }

    /// Gives a missing topic its answers.
    pub fn fill(&mut self, topic: TopicIndex, answers: impl IntoIterator<Item = T>) {
        let group = (self.own.len() / self.width.max(1)) as u32;
        self.places[topic.0 as usize] = Place { pool: self.shared.len() as u32, group };
        self.own.extend(answers);
    }
}

/// How many topics a run has.
#[derive(Debug, Clone)]
pub struct TopicCounts {
    /// What is known of the run.
    pub facts: RunFacts,
    /// Topics that were judged.
    pub judged: usize,
    /// Topics that nobody judged.
    pub other: usize,
}

/// Counts the topics of every run; a run may have none of the judgements' topics.
///
/// # Errors
/// Everything wrong with the runs: their lines, documents that occur twice.
pub fn count_topics(
    qrels: &Qrels,
    runs: &dyn RunSource,
    policy: &Policy,
    threads: usize,
) -> Result<Vec<TopicCounts>, Problems> {
    let nothing = |_: TopicIndex, _: Ranking<'_>, _: &mut Vec<()>| -> Option<()> { None };
    let pass = TopicPass { qrels, policy, wants_ties: false, score: nothing, found: Mutex::default() };
    let counts = |(run, _): WithRemarks<(), ()>| {
        let judged = run.places.iter().filter(|&&place| place != NOWHERE).count();
        TopicCounts { judged, other: run.unjudged_topics.len(), facts: run.facts }
    };
    Ok(pass.run(runs, threads, 0)?.into_iter().map(counts).collect())
}

/// Calls `score` for every judged topic of every run; it must push `width` answers each time.
///
/// # Errors
/// Everything wrong with the runs: their lines, documents that occur twice, no topic in common with the judgements.
pub fn each_topic<T: Send>(
    qrels: &Qrels,
    runs: &dyn RunSource,
    policy: &Policy,
    threads: usize,
    width: usize,
    score: impl Fn(TopicIndex, Ranking<'_>, &mut Vec<T>) + Sync,
) -> Result<Vec<RunTopics<T>>, Problems> {
    let score = |topic: TopicIndex, ranking: Ranking<'_>, answers: &mut Vec<T>| -> Option<()> {
        score(topic, ranking, answers);
        None
    };
    let pass = TopicPass { qrels, policy, wants_ties: false, score, found: Mutex::default() };
    let found = pass.run(runs, threads, width)?;
    have_topics(qrels, &found)?;
    Ok(found.into_iter().map(|(topics, _)| topics).collect())
}

/// A run's answers, and what some of its topics have to say beyond them, in the order of topics.
pub type WithRemarks<T, X> = (RunTopics<T>, Vec<(TopicIndex, X)>);

/// As [`each_topic`], but `score` also gets the documents with equal scores. It may return a remark
/// for the topic; remarks are rare and kept apart from the answers.
///
/// Without a remark, its answers must depend only on the ranking and the facts of the topic: they are reused for every
/// identical topic.
///
/// # Errors
/// As [`each_topic`].
pub fn each_topic_with_ties<T: Send, X: Send>(
    qrels: &Qrels,
    runs: &dyn RunSource,
    policy: &Policy,
    threads: usize,
    width: usize,
    score: impl Fn(TopicIndex, Ranking<'_>, &mut Vec<T>) -> Option<X> + Sync,
) -> Result<Vec<WithRemarks<T, X>>, Problems> {
    let found =
        TopicPass { qrels, policy, wants_ties: true, score, found: Mutex::default() }.run(runs, threads, width)?;
    have_topics(qrels, &found)?;
    Ok(found)
}

/// What is known of a run, its lists by topic in bytes, and the topics that nobody judged.
pub(crate) type Lists = (RunFacts, Vec<(TopicIndex, Box<[u8]>)>, Vec<Vec<u8>>);

/// The lists of some topics of the runs, for [`crate::condensed`]; a run may have none of them.
///
/// # Errors
/// Everything wrong with the rows.
pub(crate) fn lists(qrels: &Qrels, runs: &dyn RunSource, policy: &Policy) -> Result<Vec<Lists>, Problems> {
    let score = |_: TopicIndex, ranking: Ranking<'_>, lists: &mut Vec<Box<[u8]>>| -> Option<()> {
        lists.push(list::write(&ranking));
        None
    };
    let found = TopicPass { qrels, policy, wants_ties: true, score, found: Mutex::default() }.run(runs, 1, 1)?;
    let of_run = |(run, _): WithRemarks<Box<[u8]>, ()>| {
        let lists = run.iter().map(|(topic, lists)| (topic, lists[0].clone())).collect();
        (run.facts, lists, run.unjudged_topics)
    };
    Ok(found.into_iter().map(of_run).collect())
}

/// Refuses runs that have no topic of the judgements.
fn have_topics<T, X>(qrels: &Qrels, runs: &[WithRemarks<T, X>]) -> Result<(), Problems> {
    let mut problems = Problems::default();
    for (run, _) in runs.iter().filter(|(run, _)| run.places.iter().all(|&place| place == NOWHERE)) {
        problems.push(nothing_in_common(qrels, run));
    }
    problems.into_result()
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
    let problem = Problem::of_file(
        &run.facts.file,
        format!("at least one topic of the judgements ({judged})"),
        format!("none of them among its topics ({own})"),
        "check that run and judgements belong together and write topics alike (leading zeros, prefixes)",
    );
    Problem { kind: ProblemKind::NoCommonTopic, ..problem }
}

#[derive(Clone, Copy)]
struct Origin {
    run: u32,
    attempt: u32,
}

/// What one thread found.
struct Found<T, X> {
    /// Each topic, and which group of answers is its own.
    topics: Vec<(Origin, TopicIndex, u32)>,
    answers: Vec<T>,
    remarks: Vec<(Origin, TopicIndex, X)>,
    unjudged: Vec<(Origin, Vec<u8>)>,
}

/// What one thread found beside the answers: topics, remarks, topics without judgements.
type Beside<X> = (Vec<(Origin, TopicIndex, u32)>, Vec<(Origin, TopicIndex, X)>, Vec<(Origin, Vec<u8>)>);

/// Gives each run what a thread found of it, unless the run was read again since.
fn distribute<T, X>(runs: &mut [WithRemarks<T, X>], pool: u32, (topics, remarks, unjudged): Beside<X>) {
    for (origin, topic, group) in topics {
        let (run, _) = &mut runs[origin.run as usize];
        if run.facts.attempt == origin.attempt {
            run.places[topic.0 as usize] = Place { pool, group };
        }
    }
    for (origin, topic, remark) in remarks {
        let (run, own) = &mut runs[origin.run as usize];
        if run.facts.attempt == origin.attempt {
            own.push((topic, remark));
        }
    }
    for (origin, name) in unjudged {
        let (run, _) = &mut runs[origin.run as usize];
        if run.facts.attempt == origin.attempt {
            run.unjudged_topics.push(name);
        }
    }
}

struct TopicPass<'a, T, X, Q> {
    qrels: &'a Qrels,
    policy: &'a Policy,
    wants_ties: bool,
    score: Q,
    found: Mutex<Vec<Found<T, X>>>,
}

impl<T: Send, X: Send, Q: Fn(TopicIndex, Ranking<'_>, &mut Vec<T>) -> Option<X> + Sync> TopicPass<'_, T, X, Q> {
    fn run(self, runs: &dyn RunSource, threads: usize, width: usize) -> Result<Vec<WithRemarks<T, X>>, Problems> {
        let facts = match runs.condensed(self.qrels).filter(|kept| kept.is_by(self.policy)) {
            Some(kept) => self.replay(kept, threads)?,
            None => runs.visit(threads, &self)?,
        };
        let qrels = self.qrels;
        let found = self.found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (pools, found): (Vec<Vec<T>>, Vec<_>) =
            found.into_iter().map(|thread| (thread.answers, (thread.topics, thread.remarks, thread.unjudged))).unzip();
        let shared = Arc::new(pools);
        let empty = |facts| RunTopics {
            facts,
            unjudged_topics: Vec::new(),
            width,
            places: vec![NOWHERE; qrels.len()],
            shared: Arc::clone(&shared),
            own: Vec::new(),
        };
        let mut runs: Vec<WithRemarks<T, X>> = facts.into_iter().map(|facts| (empty(facts), Vec::new())).collect();
        for (pool, thread) in (0u32..).zip(found) {
            distribute(&mut runs, pool, thread);
        }
        for (run, remarks) in &mut runs {
            run.unjudged_topics.sort_unstable();
            remarks.sort_by_key(|(topic, _)| topic.0);
        }
        Ok(runs)
    }

    /// Visits lists that were condensed elsewhere.
    fn replay(&self, kept: &Condensed, threads: usize) -> Result<Vec<RunFacts>, Problems> {
        let facts = kept.facts()?;
        let lists: Vec<_> = kept.lists().collect();
        let (next, damaged) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            let (mut worker, mut list) = (self.worker(), List::default());
            while let Some(some) = lists.chunks(TAKEN).nth(next.fetch_add(1, Ordering::Relaxed)) {
                karat_runtime::check();
                for &(run, topic, bytes) in some {
                    let origin = Origin { run: run as u32, attempt: 0 };
                    let Some((index, bytes)) = worker.find(origin, topic).zip(bytes) else { continue };
                    match list.read(bytes) {
                        Some(()) => worker.visit_topic(origin, index, list.ranking(self.wants_ties)),
                        None => damaged.store(true, Ordering::Relaxed),
                    }
                }
            }
        };
        karat_runtime::together(threads.min(lists.len() / TAKEN + 1), work);
        if damaged.into_inner() {
            let file = facts.first().map_or("", |run| &run.file);
            let remedy = "run it again, with the same karat on every machine";
            return Err(Problem::of_file(file, "lists as karat writes them", "damaged ones", remedy).into());
        }
        Ok(facts)
    }

    fn worker(&self) -> TopicWorker<'_, T, X, Q> {
        let found = Found { topics: Vec::new(), answers: Vec::new(), remarks: Vec::new(), unjudged: Vec::new() };
        let aligner = if self.wants_ties { Aligner::with_ties() } else { Aligner::new() };
        TopicWorker { pass: self, aligner, last: None, looks: Looks::default(), groups: 0, found: Some(found) }
    }
}

/// Lists that a thread takes at once.
const TAKEN: usize = 64;

impl<T: Send, X: Send, Q> Visitor for TopicPass<'_, T, X, Q>
where
    Q: Fn(TopicIndex, Ranking<'_>, &mut Vec<T>) -> Option<X> + Sync,
{
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self.worker())
    }
}

struct TopicWorker<'a, T, X, Q> {
    pass: &'a TopicPass<'a, T, X, Q>,
    aligner: Aligner,
    last: Option<TopicIndex>,
    looks: Looks,
    /// Groups of answers so far.
    groups: u32,
    found: Option<Found<T, X>>,
}

impl<T: Send, X: Send, Q> Worker for TopicWorker<'_, T, X, Q>
where
    Q: Fn(TopicIndex, Ranking<'_>, &mut Vec<T>) -> Option<X> + Sync,
{
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        let origin = Origin { run: rows.run as u32, attempt: rows.attempt };
        let Some(topic) = self.find(origin, rows.topic) else { return Vec::new() };
        // Moved out while its ranking is borrowed.
        let mut aligner = std::mem::take(&mut self.aligner);
        let problems = match aligner.align(self.pass.qrels, topic, rows.rows, self.pass.policy) {
            Ok(ranking) => {
                self.visit_topic(origin, topic, ranking);
                Vec::new()
            }
            Err(problems) => problems,
        };
        self.aligner = aligner;
        problems
    }
}

impl<T: Send, X: Send, Q> TopicWorker<'_, T, X, Q>
where
    Q: Fn(TopicIndex, Ranking<'_>, &mut Vec<T>) -> Option<X> + Sync,
{
    /// The topic of that name; one that nobody judged is noted.
    fn find(&mut self, origin: Origin, name: &[u8]) -> Option<TopicIndex> {
        let topic = self.pass.qrels.find_after(self.last, name);
        match topic {
            Some(_) => self.last = topic,
            None => self.found.iter_mut().for_each(|found| found.unjudged.push((origin, name.to_vec()))),
        }
        topic
    }

    /// Calls `score` for a ranking, unless an identical one was scored before.
    fn visit_topic(&mut self, origin: Origin, topic: TopicIndex, ranking: Ranking<'_>) {
        let Some(found) = &mut self.found else { return };
        let TopicPass { qrels, score, wants_ties, .. } = self.pass;
        let shares = *wants_ties && qrels.marks().is_none();
        let look = if shares { self.looks.of(&ranking, qrels.facts(topic)) } else { None };
        let known = look.and_then(|look| self.looks.find(look));
        let group = known.unwrap_or_else(|| {
            let remark = score(topic, ranking, &mut found.answers);
            match (look, remark) {
                (_, Some(remark)) => found.remarks.push((origin, topic, remark)),
                (Some(look), None) => self.looks.remember(look, self.groups),
                (None, None) => {}
            }
            self.groups += 1;
            self.groups - 1
        });
        found.topics.push((origin, topic, group));
    }
}

impl<T, X, Q> Drop for TopicWorker<'_, T, X, Q> {
    /// A thread is done: its answers join the others'.
    fn drop(&mut self) {
        let mut all = self.pass.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.extend(self.found.take());
    }
}
