//! Where the reader of a format that must be seen whole puts its rows.

use std::collections::HashMap;

use karat_data::problem::KEPT;
use karat_data::qrels::DuplicateRow;
use karat_data::{Judgement, JudgementKind, LineProblem, MarkedBuilder, MarkedRow, Problem, Qrels, QrelsBuilder, Row};

/// Takes what a reader finds in a run that it sees whole.
pub trait RunRows {
    /// A retrieved document; `line` is its line or row, from 0. The score is finite.
    fn row(&mut self, topic: &[u8], docno: &[u8], score: f64, line: u32);

    /// The run's own name, where the format has one.
    fn tag(&mut self, tag: &[u8]);

    /// Its scores are ranks upside down.
    fn by_rank(&mut self) {}

    /// A line (or row) that is wrong; its number is in it.
    fn problem(&mut self, problem: LineProblem);

    /// The file is wrong as a whole.
    fn refuse(&mut self, expected: &str, found: &str, remedy: &str);

    /// There is nothing in the file, and nothing wrong beside that.
    fn nothing(&mut self, expected: &str, found: &str, remedy: &str) {
        self.refuse(expected, found, remedy);
    }
}

/// Takes what a reader finds in judgements that it sees whole.
pub trait QrelsRows {
    /// What the file says of a document, where that is the file's business and not the format's. Comes before all rows.
    fn kind(&mut self, kind: JudgementKind);

    /// A judgement; `line` is its line or row, from 0.
    fn row(&mut self, row: &MarkedRow<'_>, line: u32);

    /// A judgement that is a grade and no more.
    fn grade(&mut self, topic: &[u8], docno: &[u8], judgement: Judgement, line: u32) {
        let value = judgement.grade().unwrap_or(-1.0);
        self.row(&MarkedRow { topic, docno, judgement, group: b"", subgroup: b"", value }, line);
    }

    /// A line (or row) that is wrong; its number is in it.
    fn problem(&mut self, problem: LineProblem);

    /// The file is wrong as a whole.
    fn refuse(&mut self, expected: &str, found: &str, remedy: &str);

    /// There is nothing in the file, and nothing wrong beside that.
    fn nothing(&mut self, expected: &str, found: &str, remedy: &str) {
        self.refuse(expected, found, remedy);
    }
}

/// What is wrong with a file.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    pub(crate) of_lines: Vec<LineProblem>,
    pub(crate) more: u64,
    pub(crate) of_file: Vec<Problem>,
}

impl Complaints {
    /// Those of another.
    pub(crate) fn add(&mut self, other: Complaints) {
        self.more += other.more;
        other.of_lines.into_iter().for_each(|problem| self.line(problem));
        self.of_file.extend(other.of_file);
    }

    pub(crate) fn line(&mut self, problem: LineProblem) {
        if self.of_lines.len() < KEPT {
            self.of_lines.push(problem);
        } else {
            self.more += 1;
        }
    }
}

/// The rows of a run, gathered by topic in memory.
#[derive(Debug, Default)]
pub(crate) struct RunSink {
    rows: u64,
    numbers: HashMap<Vec<u8>, usize>,
    topics: Vec<(Vec<u8>, Vec<Placed>)>,
    last: usize,
    docnos: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct Placed {
    start: usize,
    end: usize,
    score: f64,
    line: u32,
}

/// Bytes for a topic without its rows: its name twice, each with its own piece of the heap, and places in two tables that
/// may be half empty.
const TOPIC: u64 = 256;

impl RunSink {
    /// The topics with their rows, in the order they were first seen.
    pub(crate) fn topics(&self) -> impl Iterator<Item = (&[u8], Vec<Row<'_>>)> {
        let row = |placed: &Placed| Row {
            docno: &self.docnos[placed.start..placed.end],
            score: placed.score,
            line: placed.line,
        };
        self.topics.iter().map(move |(name, rows)| (name.as_slice(), rows.iter().map(row).collect()))
    }

    /// One more row.
    pub(crate) fn row(&mut self, topic: &[u8], docno: &[u8], score: f64, line: u32) {
        if self.topics.get(self.last).is_none_or(|(name, _)| name != topic) {
            let next = self.topics.len();
            self.last = *self.numbers.entry(topic.to_vec()).or_insert(next);
            if self.last == next {
                self.topics.push((topic.to_vec(), Vec::new()));
            }
        }
        let start = self.docnos.len();
        self.docnos.extend_from_slice(docno);
        self.topics[self.last].1.push(Placed { start, end: self.docnos.len(), score, line });
        self.rows += 1;
    }

    /// Bytes that the rows take, about: buffers grow by doubling.
    pub(crate) fn size(&self) -> u64 {
        let (rows, topics) = (self.rows * 2 * size_of::<Placed>() as u64, self.topics.len() as u64 * TOPIC);
        self.docnos.capacity() as u64 + rows + topics
    }
}

/// The rows of a judgement file.
#[derive(Debug)]
pub(crate) struct QrelsSink {
    complaints: Complaints,
    pub(crate) blank_lines: u64,
    pub(crate) comments: u64,
    pub(crate) kind: JudgementKind,
    rows: Collected,
    /// The line of each row, from 0.
    lines: Vec<u32>,
}

#[derive(Debug)]
enum Collected {
    Plain(QrelsBuilder),
    Marked(MarkedBuilder),
}

impl Collected {
    fn new(kind: JudgementKind) -> Collected {
        match kind {
            JudgementKind::Grades => Collected::Plain(QrelsBuilder::new()),
            kind => Collected::Marked(MarkedBuilder::new(kind)),
        }
    }
}

impl QrelsSink {
    /// For judgements of a kind.
    pub(crate) fn new(kind: JudgementKind) -> QrelsSink {
        let rows = Collected::new(kind);
        QrelsSink { complaints: Complaints::default(), blank_lines: 0, comments: 0, kind, rows, lines: Vec::new() }
    }

    /// A file of several is wrong as a whole.
    pub(crate) fn refuse_file(&mut self, problem: Problem) {
        self.complaints.of_file.push(problem);
    }

    /// Rows so far.
    pub(crate) fn rows(&self) -> u64 {
        self.lines.len() as u64
    }

    /// The judgements, what is there twice, the line of each row, and what was wrong.
    pub(crate) fn finish(self) -> (Qrels, Vec<DuplicateRow>, Vec<u32>, Complaints) {
        let (qrels, duplicates) = match self.rows {
            Collected::Plain(builder) => builder.finish(),
            Collected::Marked(builder) => builder.finish(),
        };
        (qrels, duplicates, self.lines, self.complaints)
    }
}

impl QrelsRows for QrelsSink {
    fn kind(&mut self, kind: JudgementKind) {
        self.rows = Collected::new(kind);
        self.kind = kind;
    }

    fn row(&mut self, row: &MarkedRow<'_>, line: u32) {
        match &mut self.rows {
            Collected::Plain(builder) => builder.push(row.topic, row.docno, row.judgement),
            Collected::Marked(builder) => builder.push(row),
        }
        self.lines.push(line);
    }

    fn problem(&mut self, problem: LineProblem) {
        self.complaints.line(problem);
    }

    fn refuse(&mut self, expected: &str, found: &str, remedy: &str) {
        self.complaints.of_file.push(Problem::of_file("", expected, found, remedy));
    }
}
