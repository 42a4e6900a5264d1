//! `karat check FILE...`

use std::io;

use clap::Args;
use karat_data::problem::quote;
use karat_data::{JudgeLabels, JudgementKind, LineProblem, MarkedRow, Problem, ProblemKind, Problems, Repeats};
use karat_formats::block::{Block, Blocks, Cut, Form};
use karat_formats::decompress::decompress;
use karat_formats::detect::Detected;
use karat_formats::fields::{fields, is_idle};
use karat_formats::labels::{self, LabelFormat, Words};
use karat_formats::records::source;
use karat_formats::registry::{QrelsLine, RunLine};
use karat_formats::{Choice, Dialect, Input, QrelsFormat, QrelsReader, QrelsRows, RunFormat, RunReader, RunRows};
use karat_study::check::{
    Band, CheckedFile, CheckedQrels, CheckedRun, Finding, Findings, LISTED, LineOfRun, QrelsCheck, RunCheck, Severity,
    check_labels, compare, compare_runs, report,
};

use super::VERSION;
use crate::failure::Failure;
use crate::options::{FormatOptions, OutputOptions};
use crate::output;
use crate::outside::Outside;

/// What is wrong with these files?
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements, runs and labels of judges in any order; which is which, and in what format, is told from the content
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// List at most N errors of each file
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
pub fn run(arguments: &Arguments, outside: &Outside) -> Result<(), Failure> {
    output::spare_inputs(&arguments.output, &arguments.files)?;
    let inputs = outside.inputs(&arguments.files)?;
    let mut unreadable = 0;
    let mut seen: Vec<Seen> = inputs.iter().map(|input| look(input, arguments, &mut unreadable)).collect();
    let qrels: Vec<CheckedQrels> = seen.iter_mut().filter_map(|seen| seen.qrels.take()).collect();
    let bands: Vec<Band> = compare_all(&qrels, &mut seen);
    let files: Vec<CheckedFile> = seen.into_iter().map(|seen| seen.file).collect();
    let errors: u64 = files.iter().map(|file| file.findings.count(Severity::Error)).sum();
    outside.write(&report(files, &qrels, &bands, arguments.limit, VERSION), &arguments.output)?;
    match errors {
        0 => Ok(()),
        // The report has said it all.
        _ if errors == unreadable => Err(Failure::Output(String::new())),
        _ => Err(Failure::Usage(String::new())),
    }
}

#[derive(Default)]
struct Seen {
    file: CheckedFile,
    qrels: Option<CheckedQrels>,
    run: Option<CheckedRun>,
}

/// Runs with all judgements, or with the first run where there are none.
fn compare_all(qrels: &[CheckedQrels], seen: &mut [Seen]) -> Vec<Band> {
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
        if let Some(other) = earlier.iter().find(|other| !run.tag().is_empty() && other.tag() == run.tag()) {
            let what = format!("the tag {} is {}'s too", quote(run.tag()), other.path());
            let remedy = "the runs go by their file names then; give each run a tag of its own";
            file.findings.push(Finding::warning(&file.path, what, remedy));
        }
        earlier.push(run);
    }
    bands
}

/// Reads one file and lists what is wrong with it alone.
fn look(input: &Input, arguments: &Arguments, unreadable: &mut u64) -> Seen {
    let mut seen = Seen::default();
    seen.file.path = input.name().to_owned();
    seen.file.kind = "unknown";
    seen.file.findings = Findings::listing(arguments.limit);
    let read = match labelled(input, &arguments.formats) {
        Some(format) => look_at_labels(input, format, &mut seen),
        None => detected(input, &arguments.formats).and_then(|found| match found {
            Detected::Qrels(format) => look_at_qrels(input, format, &mut seen),
            Detected::Run(format) => look_at_run(input, format, &mut seen),
        }),
    };
    if let Err(problems) = read {
        for problem in problems.kept() {
            *unreadable += u64::from(problem.kind == ProblemKind::Unreadable);
            seen.file.findings.push(Finding::from(problem));
        }
        // Nobody has read it then.
        if seen.file.kind == "unknown" {
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
    seen.file.kind = "labels";
    seen.file.format = format.name;
    let read = labels::read(input, Some(format), &Words::default(), &[])?;
    seen.file.bytes = read.bytes;
    seen.file.rows = read.table.len() as u64;
    let mut found = JudgeLabels::new(Repeats::Refuse);
    labels::collect(input.name(), &read.table, |_| true, &mut found);
    check_labels(&found.finish()?, &mut seen.file);
    Ok(())
}

fn look_at_qrels(input: &Input, format: &'static QrelsFormat, seen: &mut Seen) -> Result<(), Problems> {
    let mut check = QrelsCheck::new(format.kind, format.docno);
    seen.file.kind = "qrels";
    seen.file.format = format.name;
    let file = &mut seen.file;
    let read = match format.reader {
        QrelsReader::Lines { parse_line, .. } => each_line(input, &mut file.bytes, |line, text| {
            // The number as it was written, for the histogram; the reader has made a judgement of it.
            let written = fields(text).nth(3).and_then(|grade| std::str::from_utf8(grade).ok()?.parse().ok());
            match parse_line(text, Dialect::Strict) {
                Ok(QrelsLine { topic, docno, judgement }) => {
                    let value = written.unwrap_or(-1.0);
                    let row = MarkedRow { topic, docno, judgement, group: b"", subgroup: b"", value };
                    check.line(line, text, &row);
                }
                Err(problem) => file.findings.push(Finding::from(&Problem::of_line(input.name(), line - 1, problem))),
            }
        }),
        QrelsReader::Marked(parse_line) => each_line(input, &mut file.bytes, |line, text| match parse_line(text) {
            Ok(row) => check.line(line, text, &row),
            Err(problem) => file.findings.push(Finding::from(&Problem::of_line(input.name(), line - 1, problem))),
        }),
        QrelsReader::Whole { read, .. } => whole(input, format, &mut file.bytes, |bytes| {
            let findings = &mut file.findings;
            read(bytes, &mut CheckingQrels { check: &mut check, findings, file: input.name(), docno: format.docno });
        }),
    };
    seen.qrels = Some(check.finish(&mut seen.file, format.if_judged_twice()));
    read
}

fn look_at_run(input: &Input, format: &'static RunFormat, seen: &mut Seen) -> Result<(), Problems> {
    let mut check = RunCheck::new(format.docno, format.ordering_rank);
    seen.file.kind = "run";
    seen.file.format = format.name;
    let file = &mut seen.file;
    let read = match format.reader {
        RunReader::Lines { parse_line, .. } => {
            each_line(input, &mut file.bytes, |line, text| match parse_line(text, Dialect::Strict) {
                Ok(RunLine { topic, docno, rank, score, tag }) => {
                    check.line(line, &LineOfRun { text, topic, docno, rank: Some(rank), score, tag });
                }
                Err(problem) => file.findings.push(Finding::from(&Problem::of_line(input.name(), line - 1, problem))),
            })
        }
        RunReader::Whole { read, .. } => whole(input, format, &mut file.bytes, |bytes| {
            let findings = &mut file.findings;
            read(bytes, &mut CheckingRun { check: &mut check, findings, file: input.name(), tag: Vec::new() });
        }),
    };
    seen.run = Some(check.finish(&mut seen.file));
    read
}

/// Calls `take` with every line that has data and its number from 1, without the line feed.
fn each_line(input: &Input, bytes: &mut u64, mut take: impl FnMut(u64, &[u8])) -> Result<(), Problems> {
    let mut blocks = Blocks::open(input, Cut::Line)?;
    let mut block = Block::default();
    let mut line = 0;
    while blocks.next(&mut block).map_err(|problems| problems.after_lines(line))? {
        *bytes += block.bytes();
        for text in block.lines().split_inclusive(|&byte| byte == b'\n') {
            line += 1;
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            if !is_idle(text) {
                take(line, text);
            }
        }
    }
    Ok(())
}

/// All bytes of a format that has no lines.
fn whole<F: Form>(input: &Input, form: F, bytes: &mut u64, read: impl FnOnce(&[u8])) -> Result<(), Problems> {
    let mut blocks = Blocks::<F>::open(input, form)?;
    let mut block = Block::default();
    if blocks.next(&mut block)? {
        *bytes += block.bytes();
        read(block.content());
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
    findings: &'a mut Findings,
    file: &'a str,
    docno: &'static str,
}

impl QrelsRows for CheckingQrels<'_> {
    fn kind(&mut self, kind: JudgementKind) {
        *self.check = QrelsCheck::new(kind, self.docno);
    }

    fn row(&mut self, row: &MarkedRow<'_>, line: u32) {
        self.check.line(u64::from(line) + 1, b"", row);
    }

    fn problem(&mut self, problem: LineProblem) {
        self.findings.push(Finding::from(&Problem::of_line(self.file, 0, problem)));
    }

    fn refuse(&mut self, expected: &str, found: &str, remedy: &str) {
        self.findings.push(Finding::from(&Problem::of_file(self.file, expected, found, remedy)));
    }
}

/// Passes the rows of a run that is read whole to its check.
struct CheckingRun<'a> {
    check: &'a mut RunCheck,
    findings: &'a mut Findings,
    file: &'a str,
    tag: Vec<u8>,
}

impl RunRows for CheckingRun<'_> {
    fn row(&mut self, topic: &[u8], docno: &[u8], score: f64, line: u32) {
        let row = LineOfRun { text: b"", topic, docno, rank: None, score, tag: &self.tag };
        self.check.line(u64::from(line) + 1, &row);
    }

    fn tag(&mut self, tag: &[u8]) {
        self.tag = tag.to_vec();
    }

    fn problem(&mut self, problem: LineProblem) {
        self.findings.push(Finding::from(&Problem::of_line(self.file, 0, problem)));
    }

    fn refuse(&mut self, expected: &str, found: &str, remedy: &str) {
        self.findings.push(Finding::from(&Problem::of_file(self.file, expected, found, remedy)));
    }
}
