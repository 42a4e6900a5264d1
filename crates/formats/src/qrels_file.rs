//! Reading judgements.

use karat_data::preferences::contradictions;
use karat_data::problem::{FirstSeen, quote};
use karat_data::qrels::{DuplicateRow, QrelsPart};
use karat_data::{JudgementKind, LineProblem, MarkedRow, Problem, ProblemKind, Problems, Qrels, QrelsBuilder};

use crate::Dialect;
use crate::block::{Block, Choice};
use crate::detect::QrelsChoice;
use crate::feed::drain;
use crate::fields::is_idle;
use crate::input::Input;
use crate::memory;
use crate::qrels_folder;
use crate::qrels_lines::Part;
use crate::records::formats;
use crate::registry::{QREL_FORMATS, QrelsFormat, QrelsReader};
use crate::sink::{QrelsRows, QrelsSink};

/// What is known of a qrels file after it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QrelsFacts {
    /// The file's name as the user gave it.
    pub file: String,
    /// The name of its format.
    pub format: &'static str,
    /// Bytes read (after decompression).
    pub bytes: u64,
    /// Rows read.
    pub rows: u64,
    /// Blank lines passed over.
    pub blank_lines: u64,
    /// Comment lines passed over.
    pub comments: u64,
}

/// Reads judgements in that format, or in the one their content shows ([`crate::detect::QRELS`]); plain ones on several
/// threads where the file is grouped by topic.
///
/// # Errors
/// Everything wrong with the file.
pub fn read_qrels(
    input: &Input,
    format: impl Into<QrelsChoice>,
    dialect: Dialect,
    threads: usize,
) -> Result<(Qrels, QrelsFacts), Problems> {
    if let Some(memory) = input.memory() {
        return memory::qrels(memory, input.name());
    }
    let choice = format.into();
    if !input.parts().is_empty() {
        return qrels_folder::read(input, choice, dialect);
    }
    let (mut reading, parts) = read(input, choice, dialect, threads, QrelsBuilder::close)?;
    if let Some(sink) = reading.sink.take() {
        return reading.finish_sink(sink);
    }
    if let Some((qrels, duplicates)) = QrelsPart::join(parts) {
        return reading.finish(qrels, &duplicates, dialect);
    }
    // A topic comes back in a later block: read again, into one builder.
    let (reading, parts) = read(input, choice, dialect, threads, |builder| builder)?;
    let mut whole = QrelsBuilder::new();
    for part in parts {
        part.replay(&mut whole);
    }
    let (qrels, duplicates) = whole.finish();
    reading.finish(qrels, &duplicates, dialect)
}

/// Judgements of a table in memory.
pub(crate) fn of_table(facts: QrelsFacts, rows: usize, builder: QrelsBuilder) -> Result<(Qrels, QrelsFacts), Problems> {
    let (qrels, duplicates) = builder.finish();
    let reading = Reading { rows: rows as u64, ..Reading::new(facts, &formats::JSON_QRELS) };
    reading.finish(qrels, &duplicates, Dialect::Strict)
}

/// The same where they had to be looked at one by one.
pub(crate) fn of_sink(facts: QrelsFacts, sink: QrelsSink) -> Result<(Qrels, QrelsFacts), Problems> {
    Reading::new(facts, &formats::JSON_QRELS).finish_sink(sink)
}

/// What came of one block.
enum Piece<B> {
    Lines(Part, B),
    Whole(QrelsSink),
}

/// Reads all blocks; `make` is done to each of plain lines in its own thread.
fn read<B: Send>(
    input: &Input,
    choice: QrelsChoice,
    dialect: Dialect,
    threads: usize,
    make: impl Fn(QrelsBuilder) -> B + Sync,
) -> Result<(Reading, Vec<B>), Problems> {
    let inputs = std::slice::from_ref(input);
    let read = |_, format: &'static QrelsFormat, block: &Block| (format, piece(format, block, dialect, &make));
    let blocks = drain(inputs, choice, threads, |_| false, || read);
    let mut reading = Reading::of(input.name(), choice);
    let mut made = Vec::with_capacity(blocks.len());
    for block in blocks {
        let (format, piece) = block.outcome.map_err(|problems| problems.after_lines(reading.lines))?;
        reading.format = format;
        reading.facts.bytes += block.bytes;
        match piece {
            Piece::Lines(part, own) => {
                reading.add(part);
                made.push(own);
            }
            Piece::Whole(sink) => reading.sink = Some(sink),
        }
    }
    reading.facts.format = reading.format.name;
    Ok((reading, made))
}

/// Reads one block.
#[inline]
fn piece<B>(
    format: &'static QrelsFormat,
    block: &Block,
    dialect: Dialect,
    make: impl Fn(QrelsBuilder) -> B,
) -> Piece<B> {
    let mut sink = QrelsSink::new(format.kind);
    match format.reader {
        QrelsReader::Lines { parse, .. } => {
            let mut part = parse(block, dialect);
            let made = make(std::mem::take(&mut part.builder));
            return Piece::Lines(part, made);
        }
        QrelsReader::Marked(parse_line) => {
            (sink.blank_lines, sink.comments) = lines(block.lines(), &mut sink, &parse_line);
        }
        QrelsReader::Whole { read, .. } => read(block.content(), &mut sink),
    }
    Piece::Whole(sink)
}

/// Takes lines one by one; returns how many are blank, and how many comments.
pub(crate) fn lines(
    bytes: &[u8],
    rows: &mut dyn QrelsRows,
    parse_line: &dyn for<'a> Fn(&'a [u8]) -> Result<MarkedRow<'a>, LineProblem>,
) -> (u64, u64) {
    let (mut blank, mut comments) = (0, 0);
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    for (line, text) in (0u32..).zip(text.split(|&byte| byte == b'\n')) {
        if is_idle(text) {
            *(if text.first() == Some(&b'#') { &mut comments } else { &mut blank }) += 1;
            continue;
        }
        match parse_line(text) {
            Ok(row) => rows.row(&row, line),
            Err(problem) => rows.problem(LineProblem { line, ..problem }),
        }
    }
    (blank, comments)
}

/// The blocks of the file, added up.
pub(crate) struct Reading {
    pub(crate) facts: QrelsFacts,
    pub(crate) format: &'static QrelsFormat,
    /// What the file says of a document, where the format leaves that open.
    kind: Option<JudgementKind>,
    lines: u64,
    rows: u64,
    /// The number of rows before each line that is none.
    gaps: Vec<u64>,
    problems: Problems,
    /// All of it, where the format is not one of plain lines.
    sink: Option<QrelsSink>,
}

impl Reading {
    /// Of an input with that name, before anything is read.
    pub(crate) fn of(name: &str, choice: QrelsChoice) -> Reading {
        let format = match choice {
            Choice::Given(format) => format,
            Choice::ByContent(_) => QREL_FORMATS[0],
        };
        Reading::new(QrelsFacts { file: name.to_owned(), ..QrelsFacts::default() }, format)
    }

    fn new(facts: QrelsFacts, format: &'static QrelsFormat) -> Reading {
        Reading {
            facts,
            format,
            kind: None,
            lines: 0,
            rows: 0,
            gaps: Vec::new(),
            problems: Problems::default(),
            sink: None,
        }
    }

    fn add(&mut self, part: Part) {
        for problem in part.problems {
            self.problems.push(Problem::of_line(&self.facts.file, self.lines, problem));
        }
        self.problems.count_more(part.more_problems);
        let before = self.rows;
        self.gaps.extend(part.gaps.iter().map(|&rows| before + u64::from(rows)));
        self.rows += u64::from(part.rows);
        self.lines += u64::from(part.lines);
        self.facts.blank_lines += part.blank_lines;
        self.facts.comments += part.comments;
    }

    fn finish(
        mut self,
        qrels: Qrels,
        duplicates: &[DuplicateRow],
        dialect: Dialect,
    ) -> Result<(Qrels, QrelsFacts), Problems> {
        let gaps = std::mem::take(&mut self.gaps);
        // Nearly always every line is a row; so lines are counted from rows, by the lines before them that are none.
        let line_of = |row: usize| row as u64 + gaps.partition_point(|&rows| rows <= row as u64) as u64;
        let remedy = match dialect {
            Dialect::Strict => self.format.if_judged_twice(),
            Dialect::TrecEval => {
                "keep one of the two; judgements by subtopic (field 2) or by several judges are not plain qrels"
            }
        };
        self.close(duplicates, line_of, remedy)?;
        Ok((qrels, self.facts))
    }

    /// For a file that was read whole.
    pub(crate) fn finish_sink(mut self, sink: QrelsSink) -> Result<(Qrels, QrelsFacts), Problems> {
        self.rows = sink.rows();
        self.kind = Some(sink.kind);
        self.facts.blank_lines += sink.blank_lines;
        self.facts.comments += sink.comments;
        let (qrels, duplicates, lines, complaints) = sink.finish();
        for mut problem in complaints.of_file {
            if problem.file.is_empty() {
                self.facts.file.clone_into(&mut problem.file);
            }
            self.problems.push(problem);
        }
        for problem in complaints.of_lines {
            self.problems.push(Problem::of_line(&self.facts.file, 0, problem));
        }
        self.problems.count_more(complaints.more);
        let line_of = |row: usize| lines.get(row).map_or(0, |&line| u64::from(line));
        // Where lines are wrong or come twice, what follows from them would only confuse.
        let sound = self.problems.is_empty() && duplicates.is_empty();
        let preferences = qrels.marks().filter(|marks| sound && marks.kind() == JudgementKind::Preferences);
        for problem in preferences.into_iter().flat_map(|marks| contradictions(&qrels, marks, &self.facts.file)) {
            self.problems.push(problem);
        }
        self.close(&duplicates, line_of, self.format.if_judged_twice())?;
        Ok((qrels, self.facts))
    }

    /// What is wrong with the file as a whole: that nothing is in it, or the same thing twice.
    fn close(
        &mut self,
        duplicates: &[DuplicateRow],
        line_of: impl Fn(usize) -> u64,
        remedy: &str,
    ) -> Result<(), Problems> {
        let Reading { facts, format, kind, rows, .. } = self;
        let kind = kind.unwrap_or(format.kind);
        facts.rows = *rows;
        let mut problems = std::mem::take(&mut self.problems);
        if facts.rows == 0 && problems.is_empty() {
            problems.push(Problem::of_file(
                &facts.file,
                format!("at least one judgement ({})", format.layout),
                if facts.bytes == 0 { "an empty file" } else { "only blank lines and comments" },
                "check that the file was written completely",
            ));
        }
        // A file that is read whole hands over no row where one is wrong.
        if facts.rows == 0 && !matches!(format.reader, QrelsReader::Whole { .. }) {
            problems.say_once();
        }
        let mut again = Problems::default();
        for duplicate in duplicates {
            let problem = LineProblem::new(
                format.docno,
                format!("each document once per {}", scope(kind)),
                format!("{} again", quote(&duplicate.docno)),
                remedy,
            )
            .of_kind(ProblemKind::Repeated);
            let first = Some(FirstSeen::line(line_of(duplicate.first) + 1));
            again.push(Problem { first, ..Problem::of_line(&facts.file, line_of(duplicate.second), problem) });
        }
        problems.merge_by_line(again);
        problems.into_result()
    }
}

/// Within what a document may occur once only.
fn scope(kind: JudgementKind) -> &'static str {
    match kind {
        JudgementKind::Subtopics => "topic and subtopic",
        JudgementKind::Groups => "topic and judgement group",
        JudgementKind::Preferences => "topic, judgement group and subgroup",
        JudgementKind::Grades | JudgementKind::Strata | JudgementKind::Probabilities => "topic",
    }
}
