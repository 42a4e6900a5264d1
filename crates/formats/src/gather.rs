//! Where rows go whose topics are not together: memory, and beyond a budget files of their own.
//!
//! The one decision: rows are dealt out by a hash of their topic, so that all rows of a topic are in one file, in the order
//! in which they came, and a file can be finished alone. A file that is itself too large is dealt out again by another
//! hash. Only a single topic has to fit into memory.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::sync::Arc;

use karat_data::{LineProblem, Problem, Row, TopicRows, Worker, hash};

use crate::rows::{BlockFacts, key};
use crate::sink::{Complaints, RunRows, RunSink};

/// How much memory rows may take, and where they go beyond it.
#[derive(Clone)]
pub struct Budget {
    /// Bytes.
    pub bytes: u64,
    /// Opens an empty file that is gone once it is closed.
    pub open: Arc<dyn Fn() -> io::Result<File> + Send + Sync>,
}

/// Files that rows are dealt out to at once.
const FILES: usize = 32;

/// Times that a file is dealt out again: 32 to the fourth times the budget.
const DEEPEST: u64 = 3;

/// Bytes that are read at once.
const READ: usize = 1 << 18;

/// Gathers the rows of a run by topic.
pub struct Gather {
    budget: Option<Budget>,
    place: Place,
    complaints: Complaints,
    nothing: Option<Problem>,
    tag: Option<Vec<u8>>,
    by_rank: bool,
}

enum Place {
    Memory(RunSink),
    Files(Deal),
    Failed,
}

impl Gather {
    /// In memory, and where there is a budget beyond it in files.
    pub fn new(budget: Option<Budget>) -> Gather {
        let place = Place::Memory(RunSink::default());
        Gather { budget, place, complaints: Complaints::default(), nothing: None, tag: None, by_rank: false }
    }

    fn failed(&mut self, error: &io::Error) {
        self.complaints.of_file.push(unwritable(error));
        self.place = Place::Failed;
    }

    /// Rows in memory go to files, and those that follow too.
    fn move_out(&mut self, budget: &Budget) {
        let Place::Memory(sink) = std::mem::replace(&mut self.place, Place::Failed) else { return };
        let dealt = Deal::new(budget, 0).and_then(|mut deal| {
            for (topic, rows) in sink.topics() {
                rows.iter().try_for_each(|row| deal.row(topic, row))?;
            }
            Ok(deal)
        });
        match dealt {
            Ok(deal) => self.place = Place::Files(deal),
            Err(error) => self.failed(&error),
        }
    }

    /// Problems that were counted and not kept.
    pub fn more_problems(&mut self, more: u64) {
        self.complaints.more += more;
    }

    /// Hands the topics to a worker. Lines of problems are those that the rows came with.
    pub fn finish(mut self, run: usize, attempt: u32, worker: &mut dyn Worker) -> BlockFacts {
        let mut facts = BlockFacts::default();
        let mut take = |topic: &[u8], rows: &[Row<'_>], complaints: &mut Complaints| {
            karat_runtime::check();
            facts.rows += rows.len() as u64;
            facts.topics.push(key(topic));
            for problem in worker.topic(&TopicRows { run, attempt, topic, rows }) {
                complaints.line(problem);
            }
        };
        match std::mem::replace(&mut self.place, Place::Failed) {
            Place::Memory(sink) => {
                for (topic, rows) in sink.topics() {
                    take(topic, &rows, &mut self.complaints);
                }
            }
            Place::Files(deal) => {
                let mut found = Complaints::default();
                if let Err(error) = deal.finish(&mut |topic, rows| take(topic, rows, &mut found)) {
                    self.complaints.of_file.push(unwritable(&error));
                }
                self.complaints.add(found);
            }
            Place::Failed => {}
        }
        self.complaints.of_lines.sort_by_key(|problem| problem.line);
        facts.last_tag = self.tag;
        facts.by_rank = self.by_rank;
        facts.problems = self.complaints.of_lines;
        facts.more_problems = self.complaints.more;
        facts.file_problems = self.complaints.of_file;
        facts.nothing = self.nothing;
        facts
    }
}

impl RunRows for Gather {
    fn row(&mut self, topic: &[u8], docno: &[u8], score: f64, line: u32) {
        match &mut self.place {
            Place::Memory(sink) => {
                sink.row(topic, docno, score, line);
                let full = self.budget.as_ref().filter(|budget| sink.size() > budget.bytes).cloned();
                if let Some(budget) = full {
                    self.move_out(&budget);
                }
            }
            Place::Files(deal) => {
                if let Err(error) = deal.row(topic, &Row { docno, score, line }) {
                    self.failed(&error);
                }
            }
            Place::Failed => {}
        }
    }

    fn tag(&mut self, tag: &[u8]) {
        self.tag = Some(tag.to_vec());
    }

    fn by_rank(&mut self) {
        self.by_rank = true;
    }

    fn problem(&mut self, problem: LineProblem) {
        self.complaints.line(problem);
    }

    fn refuse(&mut self, expected: &str, found: &str, remedy: &str) {
        self.complaints.of_file.push(Problem::of_file("", expected, found, remedy));
    }

    fn nothing(&mut self, expected: &str, found: &str, remedy: &str) {
        self.nothing = Some(Problem::of_file("", expected, found, remedy));
    }
}

fn unwritable(error: &io::Error) -> Problem {
    Problem::of_file(
        "",
        "room on disk for rows that exceed --memory",
        error.to_string(),
        "free some room, name another folder for temporary files (TMPDIR), allow more with --memory, or sort the file by topic",
    )
}

/// Rows dealt out to files.
struct Deal {
    budget: Budget,
    depth: u64,
    files: Vec<BufWriter<File>>,
    sizes: Vec<u64>,
    record: Vec<u8>,
}

impl Deal {
    fn new(budget: &Budget, depth: u64) -> io::Result<Deal> {
        let files = (0..FILES).map(|_| (budget.open)().map(BufWriter::new)).collect::<io::Result<_>>()?;
        Ok(Deal { budget: budget.clone(), depth, files, sizes: vec![0; FILES], record: Vec::new() })
    }

    /// A row as bytes: lengths, names, score, line.
    fn row(&mut self, topic: &[u8], row: &Row<'_>) -> io::Result<()> {
        // Another hash at each depth: its bits from another end.
        let place = (hash::of(topic).rotate_left(16 * self.depth as u32) % FILES as u64) as usize;
        let length = |name: &[u8]| u32::try_from(name.len()).map_err(|_| io::Error::other("a name of 4 gigabytes"));
        self.record.clear();
        self.record.extend_from_slice(&length(topic)?.to_le_bytes());
        self.record.extend_from_slice(&length(row.docno)?.to_le_bytes());
        self.record.extend_from_slice(topic);
        self.record.extend_from_slice(row.docno);
        self.record.extend_from_slice(&row.score.to_le_bytes());
        self.record.extend_from_slice(&row.line.to_le_bytes());
        self.sizes[place] += self.record.len() as u64;
        self.files[place].write_all(&self.record)
    }

    fn finish(self, take: &mut dyn FnMut(&[u8], &[Row<'_>])) -> io::Result<()> {
        let whole: u64 = self.sizes.iter().sum();
        for (file, size) in self.files.into_iter().zip(self.sizes) {
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            // What could not be parted is one topic, or a few that must be held.
            let parts = size < whole && self.depth < DEEPEST;
            let most = if parts { self.budget.bytes } else { u64::MAX };
            file.rewind()?;
            if let Some(sink) = held(&mut BufReader::with_capacity(READ, &file), size, most)? {
                sink.topics().for_each(|(topic, rows)| take(topic, &rows));
                continue;
            }
            file.rewind()?;
            let mut again = Deal::new(&self.budget, self.depth + 1)?;
            let (mut reader, mut names, mut lengths) = (BufReader::with_capacity(READ, file), Vec::new(), [0; 8]);
            while let Some((split, row)) = record(&mut reader, &mut lengths, &mut names)? {
                let (topic, docno) = names.split_at(split);
                again.row(topic, &Row { docno, ..row })?;
            }
            drop(reader);
            again.finish(take)?;
        }
        Ok(())
    }
}

/// The next record: its names go to `names`, the topic up to the length returned, the document after it.
fn record<'a>(
    reader: &mut impl Read,
    lengths: &mut [u8; 8],
    names: &mut Vec<u8>,
) -> io::Result<Option<(usize, Row<'a>)>> {
    match reader.read(&mut lengths[..1])? {
        0 => return Ok(None),
        _ => reader.read_exact(&mut lengths[1..])?,
    }
    let [a, b, c, d, e, f, g, h] = *lengths;
    let (topic, docno) = (u32::from_le_bytes([a, b, c, d]) as usize, u32::from_le_bytes([e, f, g, h]) as usize);
    names.resize(topic + docno, 0);
    reader.read_exact(names)?;
    let (mut score, mut line) = ([0; 8], [0; 4]);
    reader.read_exact(&mut score)?;
    reader.read_exact(&mut line)?;
    Ok(Some((topic, Row { docno: &[], score: f64::from_le_bytes(score), line: u32::from_le_bytes(line) })))
}

/// The rows of a file of that size; nothing where they would take more than `most` in memory. They nearly always take more
/// there than on disk, so that a file larger than that is not begun.
fn held(reader: &mut impl Read, size: u64, most: u64) -> io::Result<Option<RunSink>> {
    let mut sink = RunSink::default();
    if size > most {
        return Ok(None);
    }
    let (mut names, mut lengths) = (Vec::new(), [0; 8]);
    while let Some((split, row)) = record(reader, &mut lengths, &mut names)? {
        let (topic, docno) = names.split_at(split);
        sink.row(topic, docno, row.score, row.line);
        if sink.size() > most {
            return Ok(None);
        }
    }
    Ok(Some(sink))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    type Own = Vec<(Vec<u8>, f64, u32)>;

    struct Seen(HashMap<Vec<u8>, Own>);

    impl Worker for Seen {
        fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
            let own = rows.rows.iter().map(|row| (row.docno.to_vec(), row.score, row.line)).collect();
            assert!(self.0.insert(rows.topic.to_vec(), own).is_none(), "a topic comes once");
            Vec::new()
        }
    }

    fn gathered(budget: Option<Budget>, topics: u32, rows: u32) -> (Seen, BlockFacts) {
        let mut gather = Gather::new(budget);
        for line in 0..rows {
            // Topics in turn, so that none is together.
            let topic = format!("topic {}", line % topics);
            gather.row(topic.as_bytes(), format!("d{line}").as_bytes(), f64::from(line) / 7.0, line);
        }
        let mut seen = Seen(HashMap::new());
        let facts = gather.finish(0, 1, &mut seen);
        (seen, facts)
    }

    fn budget(bytes: u64) -> Option<Budget> {
        Some(Budget { bytes, open: Arc::new(tempfile::tempfile) })
    }

    #[test]
    fn files_hold_what_memory_would_have() {
        let (memory, facts) = gathered(None, 50, 20_000);
        assert_eq!((facts.rows, facts.topics.len()), (20_000, 50));
        // Never full, full now and then, full at once and dealt out down to the single topics.
        for bytes in [1 << 30, 100_000, 20_000, 1] {
            let (files, found) = gathered(budget(bytes), 50, 20_000);
            assert_eq!(files.0, memory.0, "{bytes}");
            assert_eq!((found.rows, found.topics.len(), found.file_problems.len()), (20_000, 50, 0));
        }
        assert_eq!(memory.0[&b"topic 3"[..]][1], (b"d53".to_vec(), 53.0 / 7.0, 53));
    }

    #[test]
    fn one_topic_larger_than_the_budget_is_held() {
        let (files, _) = gathered(budget(1000), 1, 5_000);
        assert_eq!(files.0[&b"topic 0"[..]].len(), 5_000);
    }

    #[test]
    fn a_disk_that_takes_nothing_is_told() {
        let open = || Err(io::Error::new(io::ErrorKind::StorageFull, "no space left on device"));
        let (_, facts) = gathered(Some(Budget { bytes: 1000, open: Arc::new(open) }), 5, 5_000);
        let said = facts.file_problems[0].to_string();
        assert!(said.contains("no space left") && said.contains("TMPDIR"), "{said}");
    }
}
