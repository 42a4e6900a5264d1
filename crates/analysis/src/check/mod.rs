//! What is wrong with these files, and what is odd about them?
//!
//! Whoever reads the files passes their lines to [`RunCheck`] or [`QrelsCheck`]. An error is what every other command would
//! refuse; a warning is what they accept and what may still be a mistake; a note is worth knowing.

mod across;
mod finding;
mod findings;
mod labels;
mod order;
mod qrels;
mod run;

use karat_data::FileOffsets;
use schemars::JsonSchema;
use serde::Serialize;

pub use across::{CheckedRun, JudgedByRank, compare, compare_runs, compare_tags};
pub use finding::{
    AcrossFinding, Field, Finding, FindingKind, LabelsFinding, OddOrder, QrelsFinding, RunFinding, Severity,
};
pub use findings::{Findings, LISTED};
pub use labels::check_labels;
pub use qrels::{CheckedQrels, QrelsCheck};
pub use run::{LineOfRun, RunCheck};

/// What a file is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// Not recognised.
    #[default]
    Unknown,
    /// Judgements.
    Qrels,
    /// A run.
    Run,
    /// Labels of judges.
    Labels,
}

impl FileKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Unknown => "unknown",
            FileKind::Qrels => "qrels",
            FileKind::Run => "run",
            FileKind::Labels => "labels",
        }
    }
}

/// A file that is checked.
#[derive(Debug, Clone, Default)]
pub struct CheckedFile {
    /// Its name as the user gave it.
    pub path: String,
    /// What it is.
    pub kind: FileKind,
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

/// A file, and how many errors and warnings it has.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileSummary {
    /// Its name as the user gave it.
    pub path: String,
    /// What it is.
    pub kind: FileKind,
    /// Its format; null where it is not recognised.
    pub format: Option<&'static str>,
    /// Bytes after decompression.
    pub bytes: u64,
    /// Rows that could be read.
    pub rows: u64,
    /// Topics in them.
    pub topics: u64,
    /// Errors, listed or not.
    pub problems: u64,
    /// Warnings.
    pub warnings: u64,
}

/// How many documents of a file have a grade.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GradeCount {
    /// The judgements' file.
    pub file: String,
    /// The grade as written.
    pub grade: f64,
    /// Documents with it.
    pub documents: u64,
    /// What the grade means.
    pub meaning: GradeMeaning,
}

/// What a grade means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum GradeMeaning {
    /// In the pool, but not judged.
    #[serde(rename = "pooled, not judged")]
    Unjudged,
    /// Not relevant.
    #[serde(rename = "not relevant")]
    NotRelevant,
    /// Relevant.
    #[serde(rename = "relevant")]
    Relevant,
}

/// What was found in all files.
#[derive(Debug, Clone, Default)]
pub struct CheckResult {
    /// The files in the order given, each with what is listed of its findings.
    pub files: Vec<(FileSummary, Vec<Finding>)>,
    /// Grades of the judgements.
    pub grades: Vec<GradeCount>,
    /// How much of the runs is judged.
    pub judged_by_rank: Vec<JudgedByRank>,
}

impl CheckResult {
    /// Puts the results together.
    pub fn new(files: Vec<CheckedFile>, qrels: &[CheckedQrels], judged_by_rank: Vec<JudgedByRank>) -> CheckResult {
        let files = files.into_iter().map(CheckedFile::summarise).collect();
        let grades = qrels.iter().flat_map(|qrels| {
            qrels.grades.iter().map(|&(grade, documents)| {
                let meaning = match grade {
                    _ if grade < 0.0 => GradeMeaning::Unjudged,
                    0.0 => GradeMeaning::NotRelevant,
                    _ => GradeMeaning::Relevant,
                };
                GradeCount { file: qrels.path.clone(), grade, documents, meaning }
            })
        });
        CheckResult { files, grades: grades.collect(), judged_by_rank }
    }
}

impl CheckedFile {
    fn summarise(self) -> (FileSummary, Vec<Finding>) {
        let summary = FileSummary {
            path: self.path,
            kind: self.kind,
            format: Some(self.format).filter(|format| !format.is_empty()),
            bytes: self.bytes,
            rows: self.rows,
            topics: self.topics,
            problems: self.findings.count(Severity::Error),
            warnings: self.findings.count(Severity::Warning),
        };
        let mut listed = self.findings.listed(&summary.path);
        listed.iter_mut().for_each(|finding| finding.place(self.unit, &self.starts));
        (summary, listed)
    }
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
        let CheckedFile { path: file, findings, .. } = checked;
        if self.crlf > 0 {
            findings.push(Finding::note(file, FindingKind::CarriageReturns(self.crlf)));
        }
        if self.not_utf8 > 0 {
            let finding = Finding::warning(file, FindingKind::NotUtf8(self.not_utf8));
            findings.push(finding.on(self.first_not_utf8, Field::Named(docno)));
        }
    }
}
