//! Runs that are read once, however many questions follow.
//!
//! The decision behind it: what is kept is each list as measures see it (a few bytes for each judged document) and, where identity matters,
//! the documents as numbers. Scores, rows and the rest of the text are not kept: a question that needs them, or that asks under other
//! judgements or another policy, reads the files again.

use std::sync::{Arc, Mutex, PoisonError};

use crate::align::Aligner;
use crate::condensed::{Condensed, Lists, list};
use crate::documents::Collection;
use crate::policy::Policy;
use crate::problem::{LineProblem, Problems};
use crate::qrels::{Qrels, TopicIndex};
use crate::source::{RunFacts, RunSource, TopicRows, Visitor, Worker};

/// Runs aligned with judgements.
pub struct AlignedRuns<'a> {
    qrels: &'a Qrels,
    source: Box<dyn RunSource + 'a>,
    /// `None` where the judgements are of a kind whose lists say more than grades.
    kept: Option<Arc<Condensed>>,
}

impl<'a> AlignedRuns<'a> {
    /// Reads the runs. With `documents`, which documents they have in common is kept too.
    ///
    /// # Errors
    /// Everything wrong with the runs.
    pub fn read(
        qrels: &'a Qrels,
        source: impl RunSource + 'a,
        policy: &Policy,
        documents: bool,
        threads: usize,
    ) -> Result<AlignedRuns<'a>, Problems> {
        let source = Box::new(source);
        let is_kept_already = source.condensed(qrels).is_some();
        if is_kept_already || qrels.marks().is_some() || !policy.duplicates_below_depth {
            return Ok(AlignedRuns { qrels, source, kept: None });
        }
        let reading = Reading {
            qrels,
            policy,
            lists: Mutex::default(),
            documents: documents.then(|| Collection::new(source.count())),
        };
        let facts = source.visit(threads, &reading)?;
        let lists = reading.lists.into_inner().unwrap_or_else(PoisonError::into_inner);
        let documents = reading.documents.map(|documents| documents.finish(&facts, threads));
        let kept = Some(Arc::new(Condensed::new(policy, by_run(qrels, facts, lists), documents)));
        Ok(AlignedRuns { qrels, source, kept })
    }

    /// What was kept, for [`AlignedRuns::again`].
    pub fn kept(&self) -> Option<Arc<Condensed>> {
        self.kept.clone()
    }

    /// The same runs again, without reading them: `kept` was read under these judgements from this source.
    pub fn again(qrels: &'a Qrels, source: impl RunSource + 'a, kept: Option<Arc<Condensed>>) -> AlignedRuns<'a> {
        AlignedRuns { qrels, source: Box::new(source), kept }
    }

    /// Some of the runs, by their places, in that order. `source` has the same ones, for questions that need their rows.
    pub fn some(&self, places: &[usize], source: impl RunSource + 'a) -> AlignedRuns<'a> {
        let kept = self.kept.as_ref().map(|kept| Arc::new(kept.some(places)));
        AlignedRuns { qrels: self.qrels, source: Box::new(source), kept }
    }
}

impl RunSource for AlignedRuns<'_> {
    fn visit(&self, threads: usize, visitor: &dyn Visitor) -> Result<Vec<RunFacts>, Problems> {
        self.source.visit(threads, visitor)
    }

    fn count(&self) -> Option<usize> {
        self.source.count()
    }

    fn condensed(&self, qrels: &Qrels) -> Option<&Condensed> {
        match &self.kept {
            Some(kept) => std::ptr::eq(qrels, self.qrels).then_some(kept.as_ref()),
            None => self.source.condensed(qrels),
        }
    }
}

/// The lists of the attempts that count.
fn by_run(qrels: &Qrels, facts: Vec<RunFacts>, found: Vec<FoundList>) -> Vec<(RunFacts, Lists)> {
    let attempts: Vec<u32> = facts.iter().map(|facts| facts.attempt).collect();
    let counted = facts.into_iter().map(|facts| (RunFacts { attempt: 0, ..facts }, Lists::new()));
    let mut runs: Vec<(RunFacts, Lists)> = counted.collect();
    for list in found.into_iter().filter(|list| attempts[list.run] == list.attempt) {
        let (name, bytes) = match list.found {
            Ok((topic, bytes)) => (qrels.name(topic).to_vec(), Some(bytes)),
            Err(name) => (name, None),
        };
        runs[list.run].1.insert(name, bytes);
    }
    runs
}

/// A list, or the name of a topic that nobody judged.
struct FoundList {
    run: usize,
    attempt: u32,
    found: Result<(TopicIndex, Box<[u8]>), Vec<u8>>,
}

struct Reading<'a> {
    qrels: &'a Qrels,
    policy: &'a Policy,
    lists: Mutex<Vec<FoundList>>,
    documents: Option<Collection>,
}

impl Visitor for Reading<'_> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Reader { into: self, aligner: Aligner::with_ties(), last: None, found: Vec::new() })
    }
}

struct Reader<'a> {
    into: &'a Reading<'a>,
    aligner: Aligner,
    last: Option<TopicIndex>,
    found: Vec<FoundList>,
}

impl Worker for Reader<'_> {
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        let Reading { qrels, policy, documents, .. } = self.into;
        let (run, attempt) = (rows.run, rows.attempt);
        let Some(topic) = qrels.find_after(self.last, rows.topic) else {
            self.found.push(FoundList { run, attempt, found: Err(rows.topic.to_vec()) });
            return Vec::new();
        };
        self.last = Some(topic);
        let bytes = match self.aligner.align(qrels, topic, rows.rows, policy) {
            Ok(ranking) => list::write(&ranking),
            Err(problems) => return problems,
        };
        self.found.push(FoundList { run, attempt, found: Ok((topic, bytes)) });
        if let Some(documents) = documents {
            documents.add((run, attempt), rows.topic, self.aligner.aligned(rows.rows).map(|row| row.docno));
        }
        Vec::new()
    }
}

impl Drop for Reader<'_> {
    /// A thread is done: its lists join the others'.
    fn drop(&mut self) {
        let mut all = self.into.lists.lock().unwrap_or_else(PoisonError::into_inner);
        all.append(&mut self.found);
    }
}
