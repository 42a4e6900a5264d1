//! What is wrong with these files, and what is odd about them?
//!
//! The study is fed lines by whoever reads the files ([`RunCheck`], [`QrelsCheck`]) and keeps what the questions need. An
//! error is what every other command would refuse; a warning is what they accept and what may still be a mistake; a note
//! is worth knowing.

mod across;
mod finding;
mod findings;
mod labels;
mod qrels;
mod run;

use karat_data::FileOffsets;
use karat_report::{Audience, Block, Cell, Column, Provenance, Report, Table};

pub use across::{Band, CheckedRun, compare, compare_runs};
pub use finding::{Finding, Severity};
pub use findings::{Findings, LISTED};
pub use labels::check_labels;
pub use qrels::{CheckedQrels, QrelsCheck};
pub use run::{LineOfRun, RunCheck};

/// A file that was looked at.
#[derive(Debug, Clone, Default)]
pub struct CheckedFile {
    /// Its name as the user gave it.
    pub path: String,
    /// `qrels`, `run`, `labels`, or `unknown`.
    pub kind: &'static str,
    /// The name of its format.
    pub format: &'static str,
    /// Bytes read (after decompression).
    pub bytes: u64,
    /// Lines that could be read.
    pub rows: u64,
    /// Topics in them.
    pub topics: u64,
    /// What its lines are called.
    pub unit: Unit,
    /// The files of a folder, whose lines are counted through all of them; none of a single file.
    pub starts: FileOffsets,
    /// What was found.
    pub findings: Findings,
}

/// What is counted in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unit {
    /// Lines, from 1.
    #[default]
    Line,
    /// Rows of a file that has no lines, from 1.
    Row,
    /// Rows of a table in memory, from 0.
    TableRow,
}

impl Unit {
    /// "line" or "row".
    pub fn name(self) -> &'static str {
        match self {
            Unit::Line => "line",
            Unit::Row | Unit::TableRow => "row",
        }
    }

    /// "1 line", "2 lines".
    fn count(self, count: u64) -> String {
        counted(count, self.name())
    }

    /// A place as people say it, from its number from 1: "on line 7", "in row 6".
    fn at(self, line: u64) -> String {
        match self {
            Unit::Line => format!("on line {line}"),
            Unit::Row => format!("in row {line}"),
            Unit::TableRow => format!("in row {}", line.saturating_sub(1)),
        }
    }
}

/// What the line ends and names of a file look like.
#[derive(Debug, Clone, Copy, Default)]
struct Looks {
    crlf: u64,
    not_utf8: u64,
    first_not_utf8: u64,
}

impl Looks {
    fn line(&mut self, line: u64, text: &[u8], docno: &[u8]) {
        self.crlf += u64::from(text.ends_with(b"\r"));
        if std::str::from_utf8(docno).is_err() {
            self.not_utf8 += 1;
            if self.not_utf8 == 1 {
                self.first_not_utf8 = line;
            }
        }
    }

    fn findings(&self, docno: &'static str, checked: &mut CheckedFile) {
        let CheckedFile { path: file, unit, findings, .. } = checked;
        if self.crlf > 0 {
            let what = format!("{} with a carriage return before the line feed", unit.count(self.crlf));
            findings.push(Finding::note(
                file,
                what,
                "none needed here; older tools may take it for a part of the last field",
            ));
        }
        if self.not_utf8 > 0 {
            let what = format!("{} with a docno that is not UTF-8", unit.count(self.not_utf8));
            let remedy = "none needed here, docnos are compared as bytes; JSON and other output shows them changed";
            findings.push(Finding::warning(file, what, remedy).on(self.first_not_utf8, docno));
        }
    }
}

fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn share(part: u64, of: u64) -> String {
    let percent = 100.0 * part as f64 / of.max(1) as f64;
    if percent > 0.0 && percent < 1.0 { "less than 1%".into() } else { format!("{percent:.0}%") }
}

/// Puts the answers together. `limit` is how many errors of a file are listed.
pub fn report(
    files: Vec<CheckedFile>,
    qrels: &[CheckedQrels],
    bands: &[Band],
    limit: usize,
    version: &'static str,
) -> Report {
    let mut summary = Table::new("files", "Files")
        .column("path", "file")
        .column("kind", "kind")
        .column("format", "format")
        .column("bytes", "bytes")
        .column("rows", "rows")
        .column("topics", "topics")
        .column("problems", "errors")
        .column("warnings", "warnings");
    let mut findings = Table::new("findings", "Findings")
        .audience(Audience::Data)
        .column("severity", "severity")
        .column("file", "file")
        .column("line", "line")
        .column("row", "row")
        .column("field", "field")
        .column("what", "what")
        .column("remedy", "what to do");
    let mut provenance = Provenance::default().option("limit", limit as f64);
    let mut words: Vec<String> = Vec::new();
    for file in files {
        provenance = provenance.input_in(file.format, &file.path, file.bytes, file.rows);
        summary.push([
            file.path.as_str().into(),
            file.kind.into(),
            if file.format.is_empty() { Cell::Missing } else { file.format.into() },
            file.bytes.into(),
            file.rows.into(),
            file.topics.into(),
            file.findings.count(Severity::Error).into(),
            file.findings.count(Severity::Warning).into(),
        ]);
        let mut listed = file.findings.listed(&file.path);
        listed.iter_mut().for_each(|finding| finding.place(file.unit, &file.starts));
        listed.iter().for_each(|finding| findings.push(finding.row()));
        if !listed.is_empty() {
            let trec = matches!(file.format, "" | "trec");
            let kind = if trec { file.kind.to_owned() } else { format!("{}, {}", file.kind, file.format) };
            words.push(finding::words(&file.path, &kind, &listed));
        }
    }
    let mut report = Report::new("Check", "check", version).table(summary);
    if !words.is_empty() {
        report = report.block(Block::Text(words.join("\n").trim_end().to_owned()));
    }
    report = report.table(findings);
    if qrels.iter().any(|file| !file.grades.is_empty()) {
        report = report.table(grades(qrels));
    }
    if !bands.is_empty() {
        report = report.table(judged_by_rank(bands));
    }
    report.provenance = provenance;
    report
}

fn grades(qrels: &[CheckedQrels]) -> Table {
    let mut table = Table::new("grades", "Grades used")
        .column("file", "file")
        .with(Column::new("grade", "grade").data_only())
        .with(Column::new("shown", "grade").people_only())
        .column("documents", "documents")
        .column("meaning", "meaning");
    for file in qrels {
        for &(grade, documents) in &file.grades {
            let meaning = if grade < 0.0 {
                "pooled, not judged"
            } else if grade == 0.0 {
                "not relevant"
            } else {
                "relevant"
            };
            table.push([
                file.path.as_str().into(),
                Cell::Number(grade),
                Cell::text(grade),
                documents.into(),
                meaning.into(),
            ]);
        }
    }
    table
}

fn judged_by_rank(bands: &[Band]) -> Table {
    let mut table = Table::new("judged_by_rank", "Judged documents by rank")
        .column("qrels", "qrels")
        .column("run", "run")
        .column("ranks", "ranks")
        .column("documents", "documents")
        .column("judged", "judged")
        .column("share", "share");
    for band in bands {
        table.push([
            band.qrels.as_str().into(),
            band.run.as_str().into(),
            band.ranks.into(),
            band.documents.into(),
            band.judged.into(),
            (band.judged as f64 / band.documents as f64).into(),
        ]);
    }
    table
}
