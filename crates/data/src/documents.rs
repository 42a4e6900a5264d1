//! Which documents the runs retrieved, by name: for the questions that no view of judgements can answer, such as what to
//! judge.
//!
//! The one decision behind it: a docno is kept once a topic, however many runs retrieved it, and a list is numbers. The
//! numbers follow the byte order of docnos, so that they do not depend on which thread read what first.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use karat_runtime::jobs::in_order;

use crate::align::Aligner;
use crate::interned::Names;
use crate::policy::Policy;
use crate::problem::{LineProblem, Problems};
use crate::qrels::Qrels;
use crate::source::{RunFacts, RunSource, TopicRows, Visitor, Worker};

/// All runs' documents, topic by topic in byte order of the topics' names.
#[derive(Debug, Default)]
pub struct RankedDocuments {
    /// What is known of the runs.
    pub runs: Vec<RunFacts>,
    /// The topics.
    pub topics: Arc<[TopicDocuments]>,
}

/// The documents that any run retrieved for a topic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TopicDocuments {
    /// The topic's name.
    pub name: Vec<u8>,
    /// The docnos, one after the other, in byte order.
    pub(crate) docnos: Vec<u8>,
    /// Where each ends. A topic has fewer than 4 GB of names, and there may be millions of them.
    pub(crate) ends: Vec<u32>,
    /// For each run its documents, best first; `None` where it has no row for the topic.
    pub(crate) lists: Vec<Option<Vec<u32>>>,
}

impl TopicDocuments {
    /// Number of documents.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a document.
    pub fn docno(&self, document: u32) -> &[u8] {
        let place = document as usize;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.docnos[start as usize..self.ends[place] as usize]
    }

    /// The document of a name.
    pub fn place(&self, docno: &[u8]) -> Option<u32> {
        let (mut first, mut end) = (0, self.len() as u32);
        while first < end {
            let middle = first + (end - first) / 2;
            match self.docno(middle).cmp(docno) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => first = middle + 1,
                std::cmp::Ordering::Greater => end = middle,
            }
        }
        None
    }

    /// The documents of a run, best first; none where it has no row for the topic.
    pub fn list(&self, run: usize) -> &[u32] {
        self.lists[run].as_deref().unwrap_or_default()
    }

    /// The same among some of the runs; documents that only others have stay known.
    pub(crate) fn of_runs(&self, places: &[usize]) -> TopicDocuments {
        TopicDocuments { lists: places.iter().map(|&run| self.lists[run].clone()).collect(), ..self.clone() }
    }

    /// Whether the run has rows for the topic.
    pub fn has(&self, run: usize) -> bool {
        self.lists[run].is_some()
    }
}

impl RankedDocuments {
    /// Reads the runs; `policy` orders and cuts the lists (what depends on judgements is not asked of it).
    ///
    /// # Errors
    /// Everything wrong with the runs: their lines, documents that occur twice.
    pub fn read(runs: &dyn RunSource, policy: &Policy, threads: usize) -> Result<RankedDocuments, Problems> {
        let collecting = Collecting { policy, into: Collection::new(runs.count()) };
        let runs = runs.visit(threads, &collecting)?;
        let topics = collecting.into.finish(&runs, threads);
        Ok(RankedDocuments { runs, topics })
    }

    /// The same for questions that need the names of documents in the judgements only: of runs that were read elsewhere
    /// the others have none. `policy` is that of the question but for its depth, which is not looked at.
    ///
    /// # Errors
    /// As [`RankedDocuments::read`].
    pub fn numbered(
        qrels: &Qrels,
        runs: &dyn RunSource,
        policy: &Policy,
        threads: usize,
    ) -> Result<RankedDocuments, Problems> {
        let kept = runs.condensed(qrels).filter(|kept| kept.is_by(policy));
        match kept.and_then(|kept| Some((kept, kept.documents()?))) {
            Some((kept, topics)) => Ok(RankedDocuments { runs: kept.facts()?, topics }),
            None => RankedDocuments::read(runs, &Policy { depth: None, ..*policy }, threads),
        }
    }

    /// The same with all names, for questions that say which documents: read again where they were not kept.
    ///
    /// # Errors
    /// As [`RankedDocuments::read`].
    pub fn named(
        qrels: &Qrels,
        runs: &dyn RunSource,
        policy: &Policy,
        threads: usize,
    ) -> Result<RankedDocuments, Problems> {
        match runs.condensed(qrels) {
            Some(kept) if kept.has_names() => RankedDocuments::numbered(qrels, runs, policy, threads),
            _ => RankedDocuments::read(runs, &Policy { depth: None, ..*policy }, threads),
        }
    }

    /// The topic of that name.
    pub fn find(&self, name: &[u8]) -> Option<&TopicDocuments> {
        self.topics.binary_search_by(|topic| topic.name.as_slice().cmp(name)).ok().map(|place| &self.topics[place])
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The documents of all topics while runs are read.
pub(crate) struct Collection {
    topics: Mutex<BTreeMap<Vec<u8>, Arc<Mutex<Collected>>>>,
    /// How many runs there are, where that is known.
    runs: Option<usize>,
}

impl Collection {
    /// For documents of so many runs, where that is known.
    pub(crate) fn new(runs: Option<usize>) -> Collection {
        Collection { topics: Mutex::default(), runs }
    }

    /// The documents that an attempt at reading a run found for a topic, best first.
    pub(crate) fn add<'n>(
        &self,
        (run, attempt): (usize, u32),
        topic: &[u8],
        documents: impl Iterator<Item = &'n [u8]>,
    ) {
        let collected = {
            let mut topics = lock(&self.topics);
            match topics.get(topic) {
                Some(topic) => Arc::clone(topic),
                None => Arc::clone(topics.entry(topic.to_vec()).or_default()),
            }
        };
        let mut collected = lock(&collected);
        let list = documents.map(|docno| collected.names.number(docno)).collect();
        collected.lists.push((run, attempt, list));
        if self.runs.is_some_and(|runs| collected.lists.len() >= runs) {
            collected.names.rest();
        }
    }

    /// What the attempts that count left, by topic.
    pub(crate) fn finish(self, runs: &[RunFacts], threads: usize) -> Arc<[TopicDocuments]> {
        let topics = self.topics.into_inner().unwrap_or_else(PoisonError::into_inner);
        let topics: Vec<(Vec<u8>, Arc<Mutex<Collected>>)> = topics.into_iter().collect();
        let finish = |at: usize| std::mem::take(&mut *lock(&topics[at].1)).finish(topics[at].0.clone(), runs);
        in_order(topics.len(), threads, finish).into_iter().filter(|topic| !topic.is_empty()).collect()
    }
}

struct Collecting<'a> {
    policy: &'a Policy,
    into: Collection,
}

/// A topic while runs are read.
#[derive(Default)]
struct Collected {
    /// Docnos with numbers in the order they came.
    names: Names,
    /// Run, attempt at reading it, list.
    lists: Vec<(usize, u32, Vec<u32>)>,
}

impl Collected {
    /// What the attempts that count left, numbered in the byte order of docnos.
    fn finish(mut self, name: Vec<u8>, runs: &[RunFacts]) -> TopicDocuments {
        self.lists.retain(|&(run, attempt, _)| runs[run].attempt == attempt);
        let mut used = vec![false; self.names.len()];
        for &document in self.lists.iter().flat_map(|(_, _, list)| list) {
            used[document as usize] = true;
        }
        let numbers = (0..used.len() as u32).filter(|&number| used[number as usize]);
        let mut order: Vec<(u64, u32)> = numbers.map(|number| (first_bytes(self.names.name(number)), number)).collect();
        let names = &self.names;
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| names.name(a.1).cmp(names.name(b.1))));
        let mut topic = TopicDocuments { name, lists: vec![None; runs.len()], ..TopicDocuments::default() };
        topic.ends.reserve_exact(order.len());
        let mut renumbered = vec![0u32; used.len()];
        for (place, &(_, number)) in (0u32..).zip(&order) {
            renumbered[number as usize] = place;
            topic.docnos.extend_from_slice(names.name(number));
            topic.ends.push(topic.docnos.len() as u32);
        }
        topic.docnos.shrink_to_fit();
        for (run, _, mut list) in self.lists {
            list.iter_mut().for_each(|document| *document = renumbered[*document as usize]);
            topic.lists[run] = Some(list);
        }
        topic
    }
}

/// The first eight bytes of a name as a number that sorts as they do: most names need no further look.
fn first_bytes(name: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let kept = name.len().min(8);
    bytes[..kept].copy_from_slice(&name[..kept]);
    u64::from_be_bytes(bytes)
}

impl Visitor for Collecting<'_> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Collector { into: self, aligner: Aligner::new() })
    }
}

struct Collector<'a> {
    into: &'a Collecting<'a>,
    aligner: Aligner,
}

impl Worker for Collector<'_> {
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        let order = match self.aligner.order(rows.rows, self.into.policy) {
            Ok(order) => order,
            Err(problems) => return problems,
        };
        let documents = order.into_iter().map(|row| rows.rows[row].docno);
        self.into.into.add((rows.run, rows.attempt), rows.topic, documents);
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Row;

    /// A topic's name, and docnos with scores.
    type Given = (&'static str, Vec<(&'static str, f64)>);

    /// Runs in memory.
    struct Runs(Vec<Vec<Given>>);

    impl RunSource for Runs {
        fn visit(&self, _: usize, visitor: &dyn Visitor) -> Result<Vec<RunFacts>, Problems> {
            let mut problems = Problems::default();
            for (run, topics) in self.0.iter().enumerate() {
                for (topic, documents) in topics {
                    let row = |&(docno, score): &(&'static str, f64)| Row { docno: docno.as_bytes(), score, line: 0 };
                    let rows: Vec<Row<'_>> = documents.iter().map(row).collect();
                    let given = TopicRows { run, attempt: 0, topic: topic.as_bytes(), rows: &rows };
                    for problem in visitor.worker().topic(&given) {
                        problems.push(crate::Problem::of_line("memory", 0, problem));
                    }
                }
            }
            problems.into_result()?;
            Ok(vec![RunFacts::default(); self.0.len()])
        }
    }

    #[test]
    fn docnos_are_kept_once_and_lists_are_ranked_and_cut() {
        let runs = Runs(vec![
            vec![("2", vec![("b", 1.0), ("c", 3.0), ("a", 2.0)])],
            vec![("1", vec![("z", 1.0)]), ("2", vec![("d", 9.0), ("c", 8.0)])],
        ]);
        let policy = Policy { depth: Some(2), ..Policy::default() };
        let read = RankedDocuments::read(&runs, &policy, 1).unwrap();
        let two = read.find(b"2").unwrap();
        let names = |run: usize| two.list(run).iter().map(|&document| two.docno(document)).collect::<Vec<_>>();
        // b is below the depth of the only run that has it, so that it is not there at all.
        assert_eq!((two.len(), names(0), names(1)), (3, vec![&b"c"[..], b"a"], vec![&b"d"[..], b"c"]));
        let one = read.find(b"1").unwrap();
        assert_eq!((one.has(0), one.has(1), one.list(0).len(), one.docno(0)), (false, true, 0, &b"z"[..]));
        assert!(read.find(b"3").is_none());
    }

    #[test]
    fn a_document_that_occurs_twice_is_a_problem() {
        let runs = Runs(vec![vec![("1", vec![("a", 1.0), ("b", 3.0), ("a", 2.0)])]]);
        let problems = RankedDocuments::read(&runs, &Policy::default(), 1).unwrap_err();
        assert!(problems.to_string().contains("each document once"), "{problems}");
    }
}
