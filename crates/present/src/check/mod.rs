//! `karat check` for people and programs: findings in words.

mod finding_text;

use karat_analysis::check::{CheckResult, FileSummary, Finding, GradeCount, GradeMeaning, JudgedByRank, Severity};
use karat_report::{Block, Cell, Columns, Report, Table};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Context;
use finding_text::{field_name, remedy, what};

/// What was found in the files.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CheckAnswer {
    /// The files in the order given.
    pub files: Vec<FileSummary>,
    /// Findings by file, errors first.
    pub findings: Vec<FindingRow>,
    /// Grades used, where judgements are among the files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grades: Vec<GradeCount>,
    /// Share of judged documents by rank, where runs and judgements are among the files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judged_by_rank: Vec<JudgedByRank>,
}

/// One finding.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FindingRow {
    /// How bad it is.
    pub severity: Severity,
    /// The file.
    pub file: String,
    /// The line where it is, or is first seen.
    pub line: Option<u64>,
    /// The row, where the file has no lines.
    pub row: Option<u64>,
    /// The field, where it is about one.
    pub field: Option<&'static str>,
    /// What was found.
    pub what: String,
    /// What to do.
    pub remedy: String,
}

impl FindingRow {
    fn new(finding: &Finding) -> FindingRow {
        FindingRow {
            severity: finding.severity,
            file: finding.file.clone(),
            line: finding.line,
            row: finding.row,
            field: finding.field.map(field_name),
            what: what(finding),
            remedy: remedy(&finding.kind).to_owned(),
        }
    }
}

/// The report of all files.
pub fn report(result: CheckResult, context: Context) -> Report {
    let CheckResult { files, grades, judged_by_rank } = result;
    let mut answer = CheckAnswer { files: Vec::new(), findings: Vec::new(), grades, judged_by_rank };
    let mut paragraphs = Vec::new();
    for (summary, listed) in files {
        let rows: Vec<FindingRow> = listed.iter().map(FindingRow::new).collect();
        if !rows.is_empty() {
            paragraphs.push(paragraph(&summary, &rows));
        }
        answer.files.push(summary);
        answer.findings.extend(rows);
    }
    let mut report = context.report("Check", "check").table(file_table(&answer.files));
    if !paragraphs.is_empty() {
        report = report.block(Block::Text(paragraphs.join("\n").trim_end().to_owned()));
    }
    if !answer.grades.is_empty() {
        report = report.table(grade_table(&answer.grades));
    }
    if !answer.judged_by_rank.is_empty() {
        report = report.table(judged_table(&answer.judged_by_rank));
    }
    report.answering(answer)
}

/// The findings of a file as people read them; consecutive findings with the same remedy share it.
fn paragraph(file: &FileSummary, findings: &[FindingRow]) -> String {
    let format = file.format.filter(|format| *format != "trec").map(|format| format!(", {format}")).unwrap_or_default();
    let mut text = format!("{} ({}{format})\n", file.path, file.kind.name());
    for (position, finding) in findings.iter().enumerate() {
        let line = match (finding.line, finding.row) {
            (Some(line), _) => format!("line {line}: "),
            (None, Some(row)) => format!("row {row}: "),
            (None, None) => String::new(),
        };
        let part = if finding.file == file.path { String::new() } else { format!("{}: ", finding.file) };
        let field = finding.field.map(|field| format!("{field}: ")).unwrap_or_default();
        text.push_str(&format!("  {}: {part}{line}{field}{}\n", finding.severity.name(), finding.what));
        if findings.get(position + 1).is_none_or(|next| next.remedy != finding.remedy) {
            text.push_str(&format!("    help: {}\n", finding.remedy));
        }
    }
    text
}

fn file_table(files: &[FileSummary]) -> Table {
    Columns::new()
        .column("path", "file", |row: &FileSummary| row.path.as_str().into())
        .column("kind", "kind", |row| row.kind.name().into())
        .column("format", "format", |row| row.format.into())
        .column("bytes", "bytes", |row| row.bytes.into())
        .column("rows", "rows", |row| row.rows.into())
        .column("topics", "topics", |row| row.topics.into())
        .column("problems", "errors", |row| row.problems.into())
        .column("warnings", "warnings", |row| row.warnings.into())
        .table("files", "Files", files)
}

fn grade_table(grades: &[GradeCount]) -> Table {
    let meaning = |row: &GradeCount| match row.meaning {
        GradeMeaning::Unjudged => "pooled, not judged".into(),
        GradeMeaning::NotRelevant => "not relevant".into(),
        GradeMeaning::Relevant => "relevant".into(),
    };
    Columns::new()
        .column("file", "file", |row: &GradeCount| row.file.as_str().into())
        .column("grade", "grade", |row| Cell::text(row.grade))
        .column("documents", "documents", |row| row.documents.into())
        .column("meaning", "meaning", meaning)
        .table("grades", "Grades used", grades)
}

fn judged_table(bands: &[JudgedByRank]) -> Table {
    Columns::new()
        .column("qrels", "qrels", |row: &JudgedByRank| row.qrels.as_str().into())
        .column("run", "run", |row| row.run.as_str().into())
        .column("ranks", "ranks", |row| row.ranks.into())
        .column("documents", "documents", |row| row.documents.into())
        .column("judged", "judged", |row| row.judged.into())
        .column("share", "share", |row| row.share.into())
        .table("judged_by_rank", "Judged documents by rank", bands)
}
