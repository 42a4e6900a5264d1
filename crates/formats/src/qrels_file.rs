//! Reading judgements.

use karat_data::problem::{KEPT, quote};
use karat_data::qrels::{DuplicateRow, QrelsPart};
use karat_data::{LineProblem, Problem, Problems, Qrels, QrelsBuilder};
use memchr::{memchr, memchr_iter};

use crate::Dialect;
use crate::block::{Block, Cut, first_field};
use crate::feed::drain;
use crate::fields::is_idle;
use crate::input::Input;
use crate::known::Known;
use crate::registry::{QrelsFormat, QrelsLine};

/// What is known of a qrels file after it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QrelsFacts {
    /// The file's name as the user gave it.
    pub file: String,
    /// Bytes read (after decompression).
    pub bytes: u64,
    /// Rows read.
    pub rows: u64,
    /// Blank lines passed over.
    pub blank_lines: u64,
    /// Comment lines passed over.
    pub comments: u64,
}

/// Reads judgements, on several threads where the file is grouped by topic.
///
/// # Errors
/// Everything wrong with the file.
pub fn read_qrels(
    input: &Input,
    format: &QrelsFormat,
    dialect: Dialect,
    threads: usize,
) -> Result<(Qrels, QrelsFacts), Problems> {
    let (reading, parts) = read(input, format, dialect, threads, QrelsBuilder::close)?;
    if let Some((qrels, duplicates)) = QrelsPart::join(parts) {
        return reading.finish(qrels, duplicates);
    }
    // A topic comes back in a later block: read again, into one builder.
    let (reading, parts) = read(input, format, dialect, threads, |builder| builder)?;
    let mut whole = QrelsBuilder::new();
    for part in parts {
        part.replay(&mut whole);
    }
    let (qrels, duplicates) = whole.finish();
    reading.finish(qrels, duplicates)
}

/// Reads all blocks; `make` is done to each in its own thread.
fn read<B: Send>(
    input: &Input,
    format: &QrelsFormat,
    dialect: Dialect,
    threads: usize,
    make: impl Fn(QrelsBuilder) -> B + Sync,
) -> Result<(Reading, Vec<B>), Problems> {
    let make = &make;
    let blocks = drain(std::slice::from_ref(input), Cut::Topic(first_field), threads, || {
        move |_, block: &Block| {
            let mut part = Part::parse(block, format, dialect);
            let made = make(std::mem::take(&mut part.builder));
            (part, made)
        }
    });
    let facts = QrelsFacts { file: input.name().to_owned(), ..QrelsFacts::default() };
    let mut reading = Reading { facts, ..Reading::default() };
    let mut made = Vec::with_capacity(blocks.len());
    for block in blocks {
        let (part, own) = block.outcome.map_err(|problems| problems.after_lines(reading.lines))?;
        reading.add(part, block.bytes);
        made.push(own);
    }
    Ok((reading, made))
}

/// What came of one block.
struct Part {
    builder: QrelsBuilder,
    rows: u32,
    /// The number of rows before each line that is none.
    gaps: Vec<u32>,
    lines: u32,
    blank_lines: u64,
    comments: u64,
    problems: Vec<LineProblem>,
    more_problems: u64,
}

impl Part {
    fn parse(block: &Block, format: &QrelsFormat, dialect: Dialect) -> Part {
        let mut part = Part {
            builder: QrelsBuilder::new(),
            rows: 0,
            gaps: Vec::new(),
            lines: 0,
            blank_lines: 0,
            comments: 0,
            problems: Vec::new(),
            more_problems: 0,
        };
        let (padded, len) = (block.padded(), block.lines().len());
        // Names take less than half of a line; where they take more, the arena grows.
        part.builder.reserve(memchr_iter(b'\n', block.lines()).count(), len / 2);
        let mut topic = Known::default();
        let mut at = 0;
        while at < len {
            if let Some((found, next)) = (format.fast_line)(padded, at, topic, dialect) {
                if found.topic != topic.bytes {
                    topic = Known::new(found.topic);
                }
                part.row(&found);
                at = next;
            } else {
                let end = memchr(b'\n', &padded[at..len]).map_or(len, |feed| at + feed);
                if let Some(found) = part.careful(&padded[at..end], format, dialect) {
                    topic = Known::new(found);
                }
                at = end + 1;
            }
            part.lines += 1;
        }
        part
    }

    fn row(&mut self, found: &QrelsLine<'_>) {
        self.builder.push(found.topic, found.docno, found.judgement);
        self.rows += 1;
    }

    /// Any line; its topic if it has one.
    fn careful<'a>(&mut self, text: &'a [u8], format: &QrelsFormat, dialect: Dialect) -> Option<&'a [u8]> {
        if is_idle(text) {
            *(if text.first() == Some(&b'#') { &mut self.comments } else { &mut self.blank_lines }) += 1;
            self.gaps.push(self.rows);
            return None;
        }
        match (format.parse_line)(text, dialect) {
            Ok(found) => {
                self.row(&found);
                Some(found.topic)
            }
            Err(mut problem) => {
                problem.line = self.lines;
                self.gaps.push(self.rows);
                if self.problems.len() < KEPT {
                    self.problems.push(problem);
                } else {
                    self.more_problems += 1;
                }
                None
            }
        }
    }
}

/// The blocks of the file, added up.
#[derive(Default)]
struct Reading {
    facts: QrelsFacts,
    lines: u64,
    rows: u64,
    /// The number of rows before each line that is none.
    gaps: Vec<u64>,
    problems: Problems,
}

impl Reading {
    fn add(&mut self, part: Part, bytes: u64) {
        for problem in part.problems {
            self.problems.push(Problem::of_line(&self.facts.file, self.lines, problem));
        }
        self.problems.count_more(part.more_problems);
        let before = self.rows;
        self.gaps.extend(part.gaps.iter().map(|&rows| before + u64::from(rows)));
        self.rows += u64::from(part.rows);
        self.lines += u64::from(part.lines);
        self.facts.bytes += bytes;
        self.facts.blank_lines += part.blank_lines;
        self.facts.comments += part.comments;
    }

    fn finish(self, qrels: Qrels, duplicates: Vec<DuplicateRow>) -> Result<(Qrels, QrelsFacts), Problems> {
        let Reading { mut facts, rows, gaps, mut problems, .. } = self;
        facts.rows = rows;
        // Nearly always every line is a row; so lines are counted from rows, by the lines before them that are none.
        let line_of = |row: usize| row as u64 + gaps.partition_point(|&rows| rows <= row as u64) as u64;
        if facts.rows == 0 && problems.is_empty() {
            problems.push(Problem::of_file(
                &facts.file,
                "at least one judgement (topic 0 docno grade)",
                if facts.bytes == 0 { "an empty file" } else { "only blank lines and comments" },
                "check that the file was written completely",
            ));
        }
        if facts.rows == 0 {
            problems.say_once();
        }
        let mut again = Problems::default();
        for duplicate in &duplicates {
            let problem = LineProblem::new(
                "docno (field 3)",
                "each document once per topic",
                format!("{} again; first on line {}", quote(&duplicate.docno), line_of(duplicate.first) + 1),
                "keep one of the two lines; judgements by subtopic (field 2) or by several judges are not plain qrels",
            );
            again.push(Problem::of_line(&facts.file, line_of(duplicate.second), problem));
        }
        problems.merge_by_line(again);
        problems.into_result()?;
        Ok((qrels, facts))
    }
}
