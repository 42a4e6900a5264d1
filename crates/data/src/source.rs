//! Runs as something that can be visited topic by topic, wherever they come from.
//!
//! The decision behind it: a run is never held whole unless a question needs it. A source (files, memory, a data frame)
//! calls a worker once for each topic with all its rows; what the worker keeps is the question's business. Workers run
//! on several threads, so a visitor makes one per thread.

use crate::condensed::Condensed;
use crate::problem::{LineProblem, Problems};
use crate::qrels::Qrels;

/// A retrieved document as the run has it.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The document's name, as bytes.
    pub docno: &'a [u8],
    /// Its score, finite unless the source was told otherwise.
    pub score: f64,
    /// Its line, counted from the start of the block it was read in.
    pub line: u32,
}

/// All rows of one topic of one run, in file order.
#[derive(Debug)]
pub struct TopicRows<'r, 'a> {
    /// Which run, by its place in the source.
    pub run: usize,
    /// Which reading of that run. A source may find late that a file is not grouped by topic, and begin again: then
    /// only what came with the attempt named in [`RunFacts`] counts.
    pub attempt: u32,
    /// The topic's name, as bytes.
    pub topic: &'a [u8],
    /// The rows.
    pub rows: &'r [Row<'a>],
}

/// What one thread does with the topics it is given.
pub trait Worker {
    /// Takes one topic. Problems found are returned with their lines; the source knows file and block.
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem>;
}

/// Makes workers.
pub trait Visitor: Sync {
    /// A worker for one thread.
    fn worker(&self) -> Box<dyn Worker + '_>;
}

/// What is known of a run after it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFacts {
    /// The file's name as the user gave it.
    pub file: String,
    /// The name of its format; empty where it comes from no file.
    pub format: &'static str,
    /// The run's own name (the tag of its last line, as trec_eval takes it), where the format has one.
    pub tag: Option<String>,
    /// Bytes read (after decompression).
    pub bytes: u64,
    /// Rows read.
    pub rows: u64,
    /// Topics read.
    pub topics: u64,
    /// The attempt whose topics count.
    pub attempt: u32,
}

/// One or more runs.
pub trait RunSource: Sync {
    /// Calls workers of `visitor` with every topic of every run, on `threads` threads; each topic of a run comes once
    /// per attempt.
    ///
    /// # Errors
    /// Everything wrong with the inputs, and everything the workers found.
    fn visit(&self, threads: usize, visitor: &dyn Visitor) -> Result<Vec<RunFacts>, Problems>;

    /// How many runs there are, where that is known before they are read.
    fn count(&self) -> Option<usize> {
        None
    }

    /// The lists as measures see them under these judgements, of a source that has aligned its rows already.
    fn condensed(&self, _qrels: &Qrels) -> Option<&Condensed> {
        None
    }
}

impl<S: RunSource + ?Sized> RunSource for &S {
    fn visit(&self, threads: usize, visitor: &dyn Visitor) -> Result<Vec<RunFacts>, Problems> {
        (**self).visit(threads, visitor)
    }

    fn condensed(&self, qrels: &Qrels) -> Option<&Condensed> {
        (**self).condensed(qrels)
    }
}
