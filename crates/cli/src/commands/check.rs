//! `karat check FILE...`

use std::io;

use clap::Args;
use karat_analysis::check::{
    CheckResult, CheckedFile, CheckedQrels, CheckedRun, FileKind, Finding, FindingKind, Findings, JudgedByRank, LISTED,
    LineOfRun, QrelsCheck, RunCheck, Severity, Unit, check_labels, compare, compare_runs, compare_tags,
};
use karat_data::{JudgeLabels, JudgementKind, LineProblem, MarkedRow, Problem, ProblemKind, Problems, Repeats};
use karat_formats::block::{Block, Blocks, Cut, Form};
use karat_formats::decompress::decompress;
use karat_formats::detect::Detected;
use karat_formats::fields::{fields, is_idle};
use karat_formats::labels::{self, LabelFormat, Words};
use karat_formats::memory::{self, Memory};
use karat_formats::records::source;
use karat_formats::registry::{QrelsLine, RunLine};
use karat_formats::{Choice, Dialect, Input, QrelsFormat, QrelsReader, QrelsRows, RunFormat, RunReader, RunRows};
use karat_present::{Context, check};
use karat_report::Provenance;

use super::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{FormatOptions, OutputOptions};
use crate::outputs::Outputs;

/// Is anything wrong with these files?
///
/// Lists errors (other commands refuse the file), warnings (possible mistakes) and notes.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements, runs and labels of judges in any order; kind and format are detected from the content
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// List at most N errors per file
    #[arg(long, value_name = "N", default_value_t = LISTED)]
    limit: usize,
    #[command(flatten)]
    formats: FormatOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// A file has errors (after the report was written), or the report cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    Outputs::answer(&arguments.output).check(&arguments.files)?;
    let inputs = environment.inputs(&arguments.files)?;
    let mut unreadable = 0;
    let mut seen: Vec<Seen> = inputs.iter().map(|input| look(input, arguments, &mut unreadable)).collect();
    let qrels: Vec<CheckedQrels> = seen.iter_mut().filter_map(|seen| seen.qrels.take()).collect();
    let judged_by_rank = compare_all(&qrels, &mut seen);
    let files: Vec<CheckedFile> = seen.into_iter().map(|seen| seen.file).collect();
    let errors: u64 = files.iter().map(|file| file.findings.count(Severity::Error)).sum();
    let context = Context { version: VERSION, provenance: provenance(&files, arguments.limit), notes: Vec::new() };
    let report = check::report(CheckResult::new(files, &qrels, judged_by_rank), context);
    environment.write(&report, &arguments.output)?;
    match errors {
        0 => Ok(()),
        // A caller has no exit status to look at: the answer is what was found.
        _ if environment.keeps() => Ok(()),
        // The report has said it all.
        _ if errors == unreadable => Err(Failure::Output(String::new())),
        _ => Err(Failure::Usage(String::new())),
    }
}

fn provenance(files: &[CheckedFile], limit: usize) -> Provenance {
    files.iter().fold(Provenance::default().option("limit", limit as f64), |provenance, file| {
        provenance.input_in(file.format, &file.path, file.bytes, file.rows)
    })
}

#[derive(Default)]
struct Seen {
    file: CheckedFile,
    qrels: Option<CheckedQrels>,
    run: Option<CheckedRun>,
}

/// Runs with all judgements, or with the first run where there are none.
fn compare_all(qrels: &[CheckedQrels], seen: &mut [Seen]) -> Vec<JudgedByRank> {
    let mut bands = Vec::new();
    let mut earlier: Vec<CheckedRun> = Vec::new();
    for Seen { file, run, .. } in seen {
        let Some(run) = run.take() else { continue };
        for own in qrels {
            bands.extend(compare(own, qrels.len() == 1, &run, file));
        }
        if let Some(first) = earlier.first().filter(|_| qrels.is_empty()) {
            compare_runs(first, &run, file);
        }
        compare_tags(&earlier, &run, file);
        earlier.push(run);
    }
    bands
}

/// Reads one file and lists what is wrong with it alone.
fn look(input: &Input, arguments: &Arguments, unreadable: &mut u64) -> Seen {
    let mut seen = Seen::default();
    seen.file.path = input.name().to_owned();
    seen.file.findings = Findings::listing(arguments.limit);
    let read = match labelled(input, &arguments.formats) {
        Some(format) => look_at_labels(input, format, &mut seen),
        None => detected(input, &arguments.formats).and_then(|found| match found {
            Detected::Qrels(format) => look_at_qrels(input, format, &mut seen),
            Detected::Run(format) => look_at_run(input, format, &mut seen),
        }),
    };
    if read.is_ok()
        && !input.parts().is_empty()
        && seen.file.rows == 0
        && seen.file.findings.count(Severity::Error) == 0
    {
        seen.file.findings.push(Finding::error(input.name(), FindingKind::EmptyFolder));
    }
    if let Err(problems) = read {
        for problem in problems.kept() {
            *unreadable += u64::from(problem.kind == ProblemKind::Unreadable);
            seen.file.findings.push(Finding::from(problem.clone()));
        }
        // Nobody has read it then.
        if seen.file.kind == FileKind::Unknown {
            seen.file.bytes = size(input).unwrap_or(0);
        }
    }
    seen
}

/// The bytes of a file, decompressed.
fn size(input: &Input) -> io::Result<u64> {
    io::copy(&mut decompress(input.open()?)?, &mut io::sink())
}

/// The format of labels of judges, where the file is one and nobody says that it is something else.
fn labelled(input: &Input, formats: &FormatOptions) -> Option<&'static LabelFormat> {
    let told = matches!((formats.qrels(), formats.runs()), (Choice::ByContent(_), Choice::ByContent(_)));
    // Whatever cannot be read is said where it is read as something.
    if told { labels::tell(input).ok().flatten() } else { None }
}

fn look_at_labels(input: &Input, format: &'static LabelFormat, seen: &mut Seen) -> Result<(), Problems> {
    seen.file.kind = FileKind::Labels;
    seen.file.format = format.name;
    let read = labels::read(input, Some(format), &Words::default(), &[])?;
    seen.file.bytes = read.bytes;
    seen.file.rows = read.table.len() as u64;
    let mut found = JudgeLabels::new(Repeats::Refuse);
    labels::collect(input.name(), &read, |_| true, &mut found);
    check_labels(&found.finish()?, &mut seen.file);
    Ok(())
}

fn look_at_qrels(input: &Input, format: &'static QrelsFormat, seen: &mut Seen) -> Result<(), Problems> {
    let mut check = QrelsCheck::new(format.kind, format.docno);
    let file = begin(input, FileKind::Qrels, format.name, seen);
    let name = input.name();
    let read = match format.reader {
        _ if input.memory().is_some() => table(input, file, |memory, file| {
            memory.qrels_rows(&mut CheckingQrels::new(&mut check, file, name, format.docno));
        }),
        QrelsReader::Lines { parse_line, .. } => each_line(input, file, |file, line, text| {
            // The number as it was written, for the histogram; the reader has made a judgement of it.
            let written = fields(text).nth(3).and_then(|grade| std::str::from_utf8(grade).ok()?.parse().ok());
            match parse_line(text, Dialect::Strict) {
                Ok(QrelsLine { topic, docno, judgement }) => {
                    let value = written.unwrap_or(-1.0);
                    let row = MarkedRow { topic, docno, judgement, group: b"", subgroup: b"", value };
                    check.line(line, text, &row);
                }
                Err(problem) => file.findings.push(Finding::from(Problem::of_line(name, line - 1, problem))),
            }
        }),
        QrelsReader::Marked(parse_line) => each_line(input, file, |file, line, text| match parse_line(text) {
            Ok(row) => check.line(line, text, &row),
            Err(problem) => file.findings.push(Finding::from(Problem::of_line(name, line - 1, problem))),
        }),
        QrelsReader::Whole { read, .. } => {
            let mut kind = None;
            whole(input, format, file, |file, part, before, bytes| {
                let mut rows = CheckingQrels::new(&mut check, file, part, format.docno);
                (rows.before, rows.kind) = (before, kind);
                read(bytes, &mut rows);
                kind = rows.kind;
                rows.lines
            })
        }
    };
    seen.qrels = Some(check.finish(&mut seen.file, format.if_judged_twice()));
    read
}

/// What is known of a file before it is read.
fn begin<'s>(input: &Input, kind: FileKind, format: &'static str, seen: &'s mut Seen) -> &'s mut CheckedFile {
    seen.file.kind = kind;
    seen.file.format = format;
    seen.file.unit = match (input.memory(), format) {
        (Some(_), _) => Unit::TableRow,
        (None, "parquet") => Unit::Row,
        (None, _) => Unit::Line,
    };
    if input.memory().is_some() {
        seen.file.format = memory::FORMAT;
    }
    &mut seen.file
}

/// The rows of a table in memory.
fn table(input: &Input, file: &mut CheckedFile, read: impl FnOnce(&Memory, &mut CheckedFile)) -> Result<(), Problems> {
    file.bytes = size(input).unwrap_or(0);
    if let Some(memory) = input.memory() {
        read(memory, file);
    }
    Ok(())
}

fn look_at_run(input: &Input, format: &'static RunFormat, seen: &mut Seen) -> Result<(), Problems> {
    let mut check = RunCheck::new(format.docno, format.ordering_rank);
    let file = begin(input, FileKind::Run, format.name, seen);
    let name = input.name();
    let read = match format.reader {
        _ if input.memory().is_some() => table(input, file, |memory, file| {
            memory.run_rows(&mut CheckingRun::new(&mut check, file, name));
        }),
        RunReader::Lines { parse_line, .. } => {
            each_line(input, file, |file, line, text| match parse_line(text, Dialect::Strict) {
                Ok(RunLine { topic, docno, rank, score, tag }) => {
                    check.line(line, &LineOfRun { text, topic, docno, rank: Some(rank), score, tag });
                }
                Err(problem) => file.findings.push(Finding::from(Problem::of_line(name, line - 1, problem))),
            })
        }
        RunReader::Whole { read, .. } => whole(input, format, file, |file, part, before, bytes| {
            let mut rows = CheckingRun { before, ..CheckingRun::new(&mut check, file, part) };
            read(bytes, &mut rows);
            rows.lines
        }),
    };
    seen.run = Some(check.finish(&mut seen.file));
    read
}

/// Calls `take` with every line that has data and its number from 1, counted through all files, without the line feed.
fn each_line(
    input: &Input,
    file: &mut CheckedFile,
    mut take: impl FnMut(&mut CheckedFile, u64, &[u8]),
) -> Result<(), Problems> {
    let mut line = 0;
    for part in input.files() {
        if !input.parts().is_empty() {
            file.starts.file(part.name(), line);
        }
        let mut blocks = Blocks::open(part, Cut::Line)?;
        let mut block = Block::default();
        while blocks.next(&mut block).map_err(|problems| problems.after_lines(line))? {
            file.bytes += block.bytes();
            for text in block.lines().split_inclusive(|&byte| byte == b'\n') {
                line += 1;
                let text = text.strip_suffix(b"\n").unwrap_or(text);
                if !is_idle(text) {
                    take(file, line, text);
                }
            }
        }
    }
    Ok(())
}

/// All bytes of each file of a format that has no lines, with the file's name and the lines of those before; `read` returns how many it has.
fn whole<F: Form>(
    input: &Input,
    form: F,
    file: &mut CheckedFile,
    mut read: impl FnMut(&mut CheckedFile, &str, u64, &[u8]) -> u64,
) -> Result<(), Problems> {
    let mut before = 0;
    for part in input.files() {
        if !input.parts().is_empty() {
            file.starts.file(part.name(), before);
        }
        let mut blocks = Blocks::<F>::open(part, form)?;
        let mut block = Block::default();
        if blocks.next(&mut block)? {
            file.bytes += block.bytes();
            before += read(file, part.name(), before, block.content());
        }
    }
    Ok(())
}

/// What the file is: as the options say where they do, else as its content shows.
fn detected(input: &Input, formats: &FormatOptions) -> Result<Detected, Problems> {
    let tell = |input| source::tell(input, None, None);
    match (formats.qrels(), formats.runs()) {
        (Choice::Given(qrels), Choice::ByContent(_)) => Ok(match tell(input) {
            Ok(Detected::Run(run)) => Detected::Run(run),
            _ => Detected::Qrels(qrels),
        }),
        (Choice::ByContent(_), Choice::Given(run)) => Ok(match tell(input) {
            Ok(Detected::Qrels(qrels)) => Detected::Qrels(qrels),
            _ => Detected::Run(run),
        }),
        (Choice::Given(qrels), Choice::Given(run)) => Ok(match tell(input)? {
            Detected::Qrels(_) => Detected::Qrels(qrels),
            Detected::Run(_) => Detected::Run(run),
        }),
        _ => tell(input),
    }
}

/// Passes the rows of judgements that are read whole to their check.
struct CheckingQrels<'a> {
    check: &'a mut QrelsCheck,
    file: &'a mut CheckedFile,
    part: &'a str,
    docno: &'static str,
    /// Lines of the files before, and of this one.
    before: u64,
    lines: u64,
    /// What the first file says of a document.
    kind: Option<JudgementKind>,
}

impl<'a> CheckingQrels<'a> {
    fn new(check: &'a mut QrelsCheck, file: &'a mut CheckedFile, part: &'a str, docno: &'static str) -> Self {
        CheckingQrels { check, file, part, docno, before: 0, lines: 0, kind: None }
    }
}

impl QrelsRows for CheckingQrels<'_> {
    fn kind(&mut self, kind: JudgementKind) {
        match self.kind {
            None => *self.check = QrelsCheck::new(kind, self.docno),
            Some(first) if first != kind => {
                let expected = format!("what the first file has, {first}");
                self.refuse(&expected, &kind.to_string(), "put judgements of one kind into a folder");
            }
            Some(_) => return,
        }
        self.kind.get_or_insert(kind);
    }

    fn row(&mut self, row: &MarkedRow<'_>, line: u32) {
        self.lines = self.lines.max(u64::from(line) + 1);
        self.check.line(self.before + u64::from(line) + 1, b"", row);
    }

    fn problem(&mut self, problem: LineProblem) {
        self.lines = self.lines.max(u64::from(problem.line) + 1);
        self.file.findings.push(Finding::from(Problem::of_line(self.part, self.before, problem)));
    }

    fn refuse(&mut self, expected: &str, found: &str, remedy: &str) {
        self.file.findings.push(Finding::from(Problem::of_file(self.part, expected, found, remedy)));
    }

    fn nothing(&mut self, expected: &str, found: &str, remedy: &str) {
        // Where a table is written in parts, some of them may be empty.
        if self.file.starts.is_empty() {
            self.refuse(expected, found, remedy);
        }
    }
}

/// Passes the rows of a run that is read whole to its check.
struct CheckingRun<'a> {
    check: &'a mut RunCheck,
    file: &'a mut CheckedFile,
    part: &'a str,
    tag: Vec<u8>,
    /// Lines of the files before, and of this one.
    before: u64,
    lines: u64,
}

impl<'a> CheckingRun<'a> {
    fn new(check: &'a mut RunCheck, file: &'a mut CheckedFile, part: &'a str) -> Self {
        CheckingRun { check, file, part, tag: Vec::new(), before: 0, lines: 0 }
    }
}

impl RunRows for CheckingRun<'_> {
    fn row(&mut self, topic: &[u8], docno: &[u8], score: f64, line: u32) {
        self.lines = self.lines.max(u64::from(line) + 1);
        let row = LineOfRun { text: b"", topic, docno, rank: None, score, tag: &self.tag };
        self.check.line(self.before + u64::from(line) + 1, &row);
    }

    fn tag(&mut self, tag: &[u8]) {
        self.tag = tag.to_vec();
    }

    fn problem(&mut self, problem: LineProblem) {
        self.lines = self.lines.max(u64::from(problem.line) + 1);
        self.file.findings.push(Finding::from(Problem::of_line(self.part, self.before, problem)));
    }

    fn refuse(&mut self, expected: &str, found: &str, remedy: &str) {
        self.file.findings.push(Finding::from(Problem::of_file(self.part, expected, found, remedy)));
    }

    fn nothing(&mut self, expected: &str, found: &str, remedy: &str) {
        // Where a table is written in parts, some of them may be empty.
        if self.file.starts.is_empty() {
            self.refuse(expected, found, remedy);
        }
    }
}
