//! Where a run's parser puts its rows: gathered by topic, handed to the worker when the topic changes.

use karat_data::{LineProblem, Problem, Row, TopicRows, Worker, hash};

/// Problems kept per block; more than the twenty that are shown, so that the first in the file are among them.
const KEPT: usize = karat_data::problem::KEPT;

/// What became of a block.
#[derive(Debug, Default)]
pub struct BlockFacts {
    /// Its lines.
    pub lines: u64,
    /// Its rows.
    pub rows: u64,
    /// The keys of the topics in it, in order.
    pub topics: Vec<u64>,
    /// What is wrong with its lines, the first twenty.
    pub problems: Vec<LineProblem>,
    /// How many more.
    pub more_problems: u64,
    /// What is wrong with the file as a whole; its name is left out.
    pub file_problems: Vec<Problem>,
    /// That nothing is in it, where its reader has words for that: no problem of a file that is one of several.
    pub nothing: Option<Problem>,
    /// The tag of its last line, where it was read.
    pub last_tag: Option<Vec<u8>>,
    /// Whether its scores are ranks upside down.
    pub by_rank: bool,
}

/// Gathers the rows of one block.
pub struct Rows<'a, 'w> {
    run: usize,
    attempt: u32,
    worker: &'w mut dyn Worker,
    topic: &'a [u8],
    rows: Vec<Row<'a>>,
    facts: BlockFacts,
}

impl<'a, 'w> Rows<'a, 'w> {
    /// For a block of whole topics.
    pub fn new(run: usize, attempt: u32, capacity: usize, worker: &'w mut dyn Worker) -> Self {
        Rows { run, attempt, worker, topic: &[], rows: Vec::with_capacity(capacity), facts: BlockFacts::default() }
    }

    /// The topic of the last row; empty before the first.
    #[inline]
    pub fn topic(&self) -> &'a [u8] {
        self.topic
    }

    /// A row of the same topic as the last one.
    #[inline]
    pub fn same_topic(&mut self, docno: &'a [u8], score: f64, line: u32) {
        self.rows.push(Row { docno, score, line });
    }

    /// A row of any topic.
    #[inline]
    pub fn row(&mut self, topic: &'a [u8], docno: &'a [u8], score: f64, line: u32) {
        if topic != self.topic {
            self.flush();
            self.topic = topic;
        }
        self.rows.push(Row { docno, score, line });
    }

    /// A line that is wrong.
    pub fn problem(&mut self, problem: LineProblem) {
        if self.facts.problems.len() < KEPT {
            self.facts.problems.push(problem);
        } else {
            self.facts.more_problems += 1;
        }
    }

    fn flush(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        self.facts.rows += self.rows.len() as u64;
        self.facts.topics.push(key(self.topic));
        let (run, attempt, topic) = (self.run, self.attempt, self.topic);
        let problems = self.worker.topic(&TopicRows { run, attempt, topic, rows: &self.rows });
        problems.into_iter().for_each(|problem| self.problem(problem));
        self.rows.clear();
    }

    /// The block is at its end.
    pub fn finish(mut self, lines: u64, last_tag: Option<&[u8]>) -> BlockFacts {
        self.flush();
        // Documents that occur twice are found after their topic's lines.
        self.facts.problems.sort_by_key(|problem| problem.line);
        self.facts.lines = lines;
        self.facts.last_tag = last_tag.map(<[u8]>::to_vec);
        self.facts
    }
}

/// The number by which readers of every kind tell topics apart: the name itself where it is short, so that topics in order have keys in order, else its hash.
pub(crate) fn key(topic: &[u8]) -> u64 {
    let mut word = [0; 8];
    let Some(start) = word.len().checked_sub(topic.len()) else { return hash::of(topic) };
    word[start..].copy_from_slice(topic);
    u64::from_be_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn keys_of_short_names_are_in_the_order_of_numbers_and_differ() {
        let names = ["7", "12", "100", "q1", "q12", "12345678", "a1234567"];
        let by_length = |name: &&str| (name.len(), name.to_string());
        let mut sorted = names;
        sorted.sort_by_key(by_length);
        assert!(sorted.map(|name| key(name.as_bytes())).is_sorted_by(|a, b| a < b));
        assert_eq!(key(b"a long name"), key(b"a long name"));
        assert_ne!(key(b"a long name"), key(b"another long name"));
    }
}
