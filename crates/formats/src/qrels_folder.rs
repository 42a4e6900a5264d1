//! Judgements in a folder of files: one file after the other, of any format, into one place.

use karat_data::{FileOffsets, JudgementKind, LineProblem, MarkedRow, Problem, Problems, Qrels};

use crate::Dialect;
use crate::block::{Block, Blocks};
use crate::detect::QrelsChoice;
use crate::input::Input;
use crate::qrels_file::{QrelsFacts, Reading, lines};
use crate::registry::{QrelsFormat, QrelsReader};
use crate::sink::{QrelsRows, QrelsSink};

/// Reads the judgements of all files of a folder.
///
/// # Errors
/// Everything wrong with them, by file and line.
pub(crate) fn read(input: &Input, choice: QrelsChoice, dialect: Dialect) -> Result<(Qrels, QrelsFacts), Problems> {
    let mut reading = Reading::of(input.name(), choice);
    let mut sink = QrelsSink::new(JudgementKind::Grades);
    let (mut starts, mut kind) = (FileOffsets::default(), None);
    let mut before: u64 = 0;
    for part in input.parts() {
        starts.file(part.name(), before);
        let mut blocks: Blocks<&'static QrelsFormat> = Blocks::open(part, choice)?;
        let (mut block, start) = (Block::default(), before);
        while blocks.next(&mut block).map_err(|problems| problems.after_lines(before - start))? {
            reading.facts.bytes += block.bytes();
            let Some(format) = blocks.form() else { break };
            reading.format = format;
            let mut rows = Part { sink: &mut sink, file: part.name(), before, lines: 0, kind: &mut kind, other: false };
            let (blank, comments) = rows.read(format, &block, dialect);
            reading.facts.blank_lines += blank;
            reading.facts.comments += comments;
            before += match format.reader {
                QrelsReader::Whole { .. } => rows.lines,
                _ => block.lines().iter().filter(|byte| **byte == b'\n').count() as u64,
            };
        }
    }
    reading.facts.format = reading.format.name;
    reading.finish_sink(sink).map_err(|problems| starts.placed(problems))
}

/// The rows of one file among those of others.
struct Part<'s> {
    sink: &'s mut QrelsSink,
    file: &'s str,
    /// Lines of the files, and blocks, before.
    before: u64,
    /// Lines of this one that were seen.
    lines: u64,
    /// What the first file says of a document, and its name.
    kind: &'s mut Option<(JudgementKind, String)>,
    /// Whether this one says something else.
    other: bool,
}

impl Part<'_> {
    /// Reads a block; returns how many lines are blank, and how many comments.
    fn read(&mut self, format: &QrelsFormat, block: &Block, dialect: Dialect) -> (u64, u64) {
        match format.reader {
            QrelsReader::Lines { parse_line, .. } => {
                self.kind(format.kind);
                lines(block.lines(), self, &|text| {
                    let found = parse_line(text, dialect)?;
                    let value = found.judgement.grade().unwrap_or(-1.0);
                    let (topic, docno, judgement) = (found.topic, found.docno, found.judgement);
                    Ok(MarkedRow { topic, docno, judgement, group: b"", subgroup: b"", value })
                })
            }
            QrelsReader::Marked(parse_line) => {
                self.kind(format.kind);
                lines(block.lines(), self, &parse_line)
            }
            QrelsReader::Whole { read, .. } => {
                read(block.content(), self);
                (0, 0)
            }
        }
    }

    fn line(&mut self, line: u32) -> u32 {
        self.lines = self.lines.max(u64::from(line) + 1);
        u32::try_from(self.before).unwrap_or(u32::MAX).saturating_add(line)
    }
}

impl QrelsRows for Part<'_> {
    fn kind(&mut self, kind: JudgementKind) {
        match self.kind {
            None => {
                *self.kind = Some((kind, self.file.to_owned()));
                self.sink.kind(kind);
            }
            Some((first, file)) if *first != kind && !self.other => {
                self.other = true;
                let expected = format!("what {file} has, {first}");
                self.refuse(&expected, &kind.to_string(), "put judgements of one kind into a folder");
            }
            Some(_) => {}
        }
    }

    fn row(&mut self, row: &MarkedRow<'_>, line: u32) {
        let line = self.line(line);
        if !self.other {
            self.sink.row(row, line);
        }
    }

    fn problem(&mut self, problem: LineProblem) {
        let also_line = problem.also_line.map(|also| self.line(also));
        let line = self.line(problem.line);
        self.sink.problem(LineProblem { line, also_line, ..problem });
    }

    fn refuse(&mut self, expected: &str, found: &str, remedy: &str) {
        self.sink.refuse_file(Problem::of_file(self.file, expected, found, remedy));
    }

    /// Where a table is written in parts, some of them may be empty.
    fn nothing(&mut self, _: &str, _: &str, _: &str) {}
}
