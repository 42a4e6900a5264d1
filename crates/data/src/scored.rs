//! The scores that runs gave to documents that were judged.
//!
//! The one decision: measures never see a score, only ranks; this is for the one question that is about scores themselves, how likely a document
//! of a given score is relevant.

use std::sync::{Mutex, PoisonError};

use crate::align::Aligner;
use crate::hash;
use crate::judgement::{Grade, Judgement};
use crate::policy::Policy;
use crate::problem::{LineProblem, Problems};
use crate::qrels::{Qrels, TopicIndex};
use crate::source::{RunFacts, RunSource, TopicRows, Visitor, Worker};

/// A document that was retrieved and judged.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredDocument {
    /// Its name.
    pub docno: Box<[u8]>,
    /// The run's score.
    pub score: f64,
    /// The judges' grade.
    pub grade: Grade,
}

/// The judged documents of one run.
#[derive(Debug, Clone, Default)]
pub struct ScoredRun {
    /// The run.
    pub facts: RunFacts,
    /// By topic, in the order of the judgements' topics.
    pub topics: Vec<(TopicIndex, Vec<ScoredDocument>)>,
    /// Retrieved documents of judged topics that nobody judged.
    pub unjudged: u64,
}

impl ScoredRun {
    /// Reads runs, as deep as the policy goes.
    ///
    /// # Errors
    /// Everything wrong with them.
    pub fn read(
        qrels: &Qrels,
        runs: &dyn RunSource,
        policy: &Policy,
        threads: usize,
    ) -> Result<Vec<ScoredRun>, Problems> {
        let collecting = Collecting { qrels, policy, found: Mutex::default() };
        let facts = runs.visit(threads, &collecting)?;
        let mut found = collecting.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.retain(|list| facts[list.run].attempt == list.attempt);
        found.sort_by_key(|list| (list.run, list.topic));
        let mut all: Vec<ScoredRun> =
            facts.into_iter().map(|facts| ScoredRun { facts, ..ScoredRun::default() }).collect();
        for list in found {
            all[list.run].unjudged += list.unjudged;
            all[list.run].topics.push((list.topic, list.documents));
        }
        Ok(all)
    }
}

struct List {
    run: usize,
    attempt: u32,
    topic: TopicIndex,
    documents: Vec<ScoredDocument>,
    unjudged: u64,
}

struct Collecting<'a> {
    qrels: &'a Qrels,
    policy: &'a Policy,
    found: Mutex<Vec<List>>,
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
        let Some(topic) = self.into.qrels.find(rows.topic) else { return Vec::new() };
        let order = match self.aligner.order(rows.rows, self.into.policy) {
            Ok(order) => order,
            Err(problems) => return problems,
        };
        let mut list = List { run: rows.run, attempt: rows.attempt, topic, documents: Vec::new(), unjudged: 0 };
        for row in order {
            let row = &rows.rows[row];
            match self.into.qrels.judgement(topic, row.docno, hash::of(row.docno)) {
                Judgement::Grade(grade) => {
                    list.documents.push(ScoredDocument { docno: row.docno.into(), score: row.score, grade });
                }
                Judgement::PooledUnjudged | Judgement::Unpooled => list.unjudged += 1,
            }
        }
        self.into.found.lock().unwrap_or_else(PoisonError::into_inner).push(list);
        Vec::new()
    }
}
