//! The rankings that the page carries: documents by name down to a depth, which of them are tied, and what is known of them.
//!
//! The one decision: a topic's documents are numbered in the order of the first run that has them, then of the next: runs are alike, so that
//! places in later runs stay near their ranks, which is what makes the page small.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use karat_data::names::text;
use karat_data::{
    Aligner, Judgement, LineProblem, Policy, Problems, Qrels, Row, RunSource, ScorePrecision, TopicIndex, TopicRows,
    Visitor, Worker, hash,
};
use karat_report::page::{Judged, Ranked, TopicEvidence};

/// A run's list of a topic: docnos, and whether each is tied with the one above.
type List = Vec<(Box<[u8]>, bool)>;

/// What was read.
pub struct Rankings {
    /// By topic of the judgements, then by run.
    lists: Vec<Vec<Option<List>>>,
}

/// One topic of one run as it was read: run, attempt, topic, list.
type Found = (usize, u32, TopicIndex, List);

struct Collecting<'a> {
    qrels: &'a Qrels,
    policy: &'a Policy,
    depth: usize,
    found: Mutex<Vec<Found>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Rankings {
    /// Reads the runs down to `depth` ranks of what the policy makes of them.
    ///
    /// # Errors
    /// Everything wrong with the runs; topics that nobody judged are not wrong.
    pub fn read(
        qrels: &Qrels,
        runs: &dyn RunSource,
        policy: &Policy,
        depth: usize,
        threads: usize,
    ) -> Result<Rankings, Problems> {
        let collecting = Collecting { qrels, policy, depth, found: Mutex::default() };
        let runs = runs.visit(threads, &collecting)?;
        let mut lists = vec![vec![None; runs.len()]; qrels.len()];
        for (run, attempt, topic, list) in collecting.found.into_inner().unwrap_or_else(PoisonError::into_inner) {
            if runs[run].attempt == attempt {
                lists[topic.0 as usize][run] = Some(list);
            }
        }
        Ok(Rankings { lists })
    }

    /// What the page carries, topic by topic.
    pub fn evidence(self, qrels: &Qrels) -> Vec<TopicEvidence> {
        qrels.topics().zip(self.lists).map(|(topic, lists)| of_topic(qrels, topic, lists.into_iter())).collect()
    }
}

fn of_topic(qrels: &Qrels, topic: TopicIndex, lists: impl Iterator<Item = Option<List>>) -> TopicEvidence {
    let mut evidence = TopicEvidence::default();
    let mut places: HashMap<Box<[u8]>, u32> = HashMap::new();
    for list in lists {
        let Some(list) = list else {
            evidence.lists.push(None);
            continue;
        };
        let mut ranked = Ranked::default();
        for (docno, tied) in list {
            let next = evidence.documents.len() as u32;
            let place = match places.get(&docno) {
                Some(&place) => place,
                None => {
                    evidence.documents.push(text(&docno));
                    evidence.judged.push(match qrels.judgement(topic, &docno, hash::of(&docno)) {
                        Judgement::Grade(grade) => Judged::Grade(grade.value()),
                        Judgement::PooledUnjudged => Judged::Unjudged,
                        Judgement::Unpooled => Judged::Unpooled,
                    });
                    places.insert(docno, next);
                    next
                }
            };
            ranked.documents.push(place);
            ranked.tied.push(tied);
        }
        evidence.lists.push(Some(ranked));
    }
    evidence
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
        let Collecting { qrels, policy, depth, found } = self.into;
        let Some(topic) = qrels.find(rows.topic) else { return Vec::new() };
        let order = match self.aligner.order(rows.rows, policy) {
            Ok(order) => order,
            Err(problems) => return problems,
        };
        let judged = |row: &Row<'_>| qrels.judgement(topic, row.docno, hash::of(row.docno)).is_judged();
        let mut list = List::with_capacity(order.len().min(*depth));
        let mut above: Option<f64> = None;
        for row in order.into_iter().map(|row| &rows.rows[row]).filter(|row| !policy.judged_only || judged(row)) {
            if list.len() == *depth {
                break;
            }
            let score = match policy.precision {
                ScorePrecision::F64 => row.score,
                ScorePrecision::F32 => f64::from(row.score as f32),
            };
            list.push((row.docno.into(), above == Some(score)));
            above = Some(score);
        }
        lock(found).push((rows.run, rows.attempt, topic, list));
        Vec::new()
    }
}
