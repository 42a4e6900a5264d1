//! Judging forms: files that ask judges for grades, and are read back as they are.
//!
//! A form is TREC judgements, a table (CSV, TSV, JSON Lines) with the texts of queries and documents, or tasks of Label Studio. The one
//! decision: every form is also a judgement file, so the columns that reading back needs (stratum, method, probability) stand in it, and
//! texts are only for the judge: no reader takes them.

mod label_studio;
mod read;
mod write;

use std::collections::HashMap;

use karat_data::{FIRST_STRATUM_METHOD, FormGrade, FormRow, JudgementKind};

use crate::records::{Column, Table};
use crate::texts::corpus::DocumentText;

pub(crate) use label_studio::is_task;
pub use label_studio::{FORMAT as LABEL_STUDIO, read_table};
pub use read::{FormFile, read};
pub use write::Form;

/// The columns of a form that is a table, in their order.
pub const COLUMNS: [&str; 8] = ["query_id", "doc_id", "query", "title", "text", "probability", "batch", "grade"];

/// A format of forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormFormat {
    /// Lines of TREC: judgements, with strata a stratified sample, with probabilities prels.
    Trec,
    /// CSV.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// JSON Lines.
    Jsonl,
    /// Tasks of Label Studio.
    LabelStudio,
}

/// A format, its name, and the endings of its files.
const FORMATS: [(FormFormat, &str, &[&str]); 5] = [
    (FormFormat::Trec, "trec", &["qrels", "txt", "trec", "prels"]),
    (FormFormat::Csv, "csv", &["csv"]),
    (FormFormat::Tsv, "tsv", &["tsv"]),
    (FormFormat::Jsonl, "jsonl", &["jsonl", "ndjson"]),
    (FormFormat::LabelStudio, "label-studio", &["json"]),
];

impl FormFormat {
    /// The format of that name.
    pub fn from_name(name: &str) -> Option<FormFormat> {
        FORMATS.iter().find(|(_, own, _)| *own == name).map(|(format, ..)| *format)
    }

    /// The format of files with that ending.
    pub fn from_ending(ending: &str) -> Option<FormFormat> {
        FORMATS.iter().find(|(_, _, endings)| endings.contains(&ending)).map(|(format, ..)| *format)
    }

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|(_, name, _)| *name)
    }
}

/// What TREC's lines have in place of a grade that a judge is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// -1, not judged yet: the file can be used at once.
    Unjudged,
    /// `?`, which no reader of judgements takes: in a sample -1 would mean that the document was not drawn.
    Question,
}

/// Texts for judges.
#[derive(Debug, Clone, Default)]
pub struct FormTexts {
    /// Queries.
    pub queries: HashMap<Vec<u8>, String>,
    /// Documents.
    pub documents: HashMap<Vec<u8>, DocumentText>,
}

impl FormTexts {
    fn query(&self, row: &FormRow) -> &str {
        self.queries.get(&row.query_id).map_or("", String::as_str)
    }

    fn document(&self, row: &FormRow) -> (&str, &str) {
        self.documents.get(&row.doc_id).map_or(("", ""), |document| (&document.title, &document.text))
    }
}

/// What the rows are as judgements: with a probability somewhere prels, with a stratum a stratified sample.
fn kind_of(rows: &[FormRow]) -> JudgementKind {
    if rows.iter().any(|row| row.probability.is_some()) {
        JudgementKind::Probabilities
    } else if rows.iter().any(|row| row.stratum.is_some()) {
        JudgementKind::Strata
    } else {
        JudgementKind::Grades
    }
}

/// The method of prels that stands for a row's stratum.
fn method(row: &FormRow) -> Option<u32> {
    row.stratum.map(|stratum| FIRST_STRATUM_METHOD + stratum.saturating_sub(1))
}

/// The rows as judgements; `grade` is what stands for a row's grade.
fn table(rows: &[&FormRow], kind: JudgementKind, grade: impl Fn(&FormRow) -> f64) -> Table {
    let mut table = Table::of_documents(kind, rows.iter().map(|row| (&row.query_id[..], &row.doc_id[..])));
    table.set_numbers(Column::Grade, rows.iter().map(|row| grade(row)).collect());
    let text = |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
    match kind {
        JudgementKind::Strata => table.set_names(Column::Stratum, rows.iter().map(|row| text(row.stratum))),
        JudgementKind::Probabilities => {
            table.set_names(Column::Method, rows.iter().map(|row| text(method(row))));
            table.set_numbers(Column::Probability, rows.iter().map(|row| row.probability.unwrap_or(1.0)).collect());
        }
        _ => {}
    }
    table
}

/// A grade as judgements have it: negative where there is none, or `asked` where a judge is asked for it.
fn number(grade: &FormGrade, asked: f64) -> f64 {
    match grade {
        FormGrade::Grade(grade) => *grade,
        FormGrade::Asked => asked,
        FormGrade::NotAsked | FormGrade::Cannot(_) => -1.0,
    }
}
