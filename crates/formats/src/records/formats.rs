//! The rows of record formats in the tables of readers, and how they are recognised.
//!
//! A file of records does for both, a run or judgements, where its columns do; the place in which the user named it
//! decides. Only a file whose columns can be one thing alone is recognised as that alone.

use karat_data::problem::quote;
use karat_data::{Judgement, JudgementKind, MarkedRow};

use super::column::{self, Column, Data};
use super::json::Json;
use super::refusal::Refusal;
use super::shapes::Shape;
use super::table::Table;
use super::{delimited, parquet, shapes};
use crate::form;
use crate::registry::{QrelsFormat, QrelsReader, RunFormat, RunReader};
use crate::sample::Sample;
use crate::sink::{QrelsRows, RunRows};

/// Reads the records of a file.
pub type Read = fn(&[u8], Data) -> Result<Table, Refusal>;

/// The reader of a record format, by name.
pub fn reader(name: &str) -> Option<Read> {
    match name {
        "csv" | "tsv" | "beir" => Some(delimited::read),
        "json" | "jsonl" => Some(shapes::read),
        "label-studio" => Some(form::read_table),
        "parquet" => Some(parquet::read),
        _ => None,
    }
}

macro_rules! record_formats {
    ($($run:ident $qrels:ident $name:literal $text:literal $read:path, $plain:path, $recognise:ident, $run_layout:literal, $qrels_layout:literal, $about:literal;)*) => {
        $(
            /// Runs.
            pub static $run: RunFormat = RunFormat {
                name: $name,
                about: $about,
                layout: $run_layout,
                docno: "doc_id",
                ordering_rank: None,
                recognise: |sample| $recognise(sample, Data::Run),
                reader: RunReader::Whole { text: $text, read: |bytes, rows| if !$plain(bytes, rows) { run($read(bytes, Data::Run), rows) } },
            };
            /// Judgements.
            pub static $qrels: QrelsFormat = QrelsFormat {
                name: $name,
                about: $about,
                layout: $qrels_layout,
                kind: JudgementKind::Grades,
                docno: "doc_id",
                recognise: |sample| $recognise(sample, Data::Judgements),
                reader: QrelsReader::Whole { text: $text, read: |bytes, rows| qrels($read(bytes, Data::Judgements), rows) },
            };
        )*
    };
}

record_formats! {
    CSV_RUN CSV_QRELS "csv" true delimited::read, never, is_csv,
        "a header (query_id,doc_id,score) and one row per document",
        "a header (query_id,doc_id,grade) and one row per judgement",
        "Values separated by comma, semicolon or bar, with a header. The usual column names are recognised. Judgements may also have a column subtopic, stratum, probability or group. An empty grade means not judged, and so do the words cannot and later; in a stratified sample they are refused, because -1 means there that the document was not drawn.";
    TSV_RUN TSV_QRELS "tsv" true delimited::read, never, is_tsv,
        "a header (query_id doc_id score) and one row per document, separated by tabs",
        "a header (query_id doc_id grade) and one row per judgement, separated by tabs",
        "Tab-separated values with a header, otherwise like CSV.";
    JSON_RUN JSON_QRELS "json" true shapes::read, never, is_json,
        "{topic: {document: score}}, or an array of objects",
        "{topic: {document: grade}}, or an array of objects",
        "A JSON object of objects, as pytrec_eval and ranx use it, or an array of objects with the columns of CSV as keys.";
    JSONL_RUN JSONL_QRELS "jsonl" true shapes::read, never, is_jsonl,
        "one object {query_id, doc_id, score} per document",
        "one object {query_id, doc_id, grade} per judgement",
        "JSON Lines: one object per row with the columns of CSV as keys, or one object per topic with a list of documents (candidates, results, ...).";
    PARQUET_RUN PARQUET_QRELS "parquet" false parquet::read, parquet::plain_run, is_parquet,
        "columns query_id, doc_id, score",
        "columns query_id, doc_id, grade",
        "Parquet with the columns of CSV. Errors name the row. Requires a build with Parquet support (the default).";
}

/// No run of this format can be handed over before all of it was looked at.
fn never(_: &[u8], _: &mut dyn RunRows) -> bool {
    false
}

/// BEIR's judgements.
pub static BEIR_QRELS: QrelsFormat = QrelsFormat {
    name: "beir",
    about: "BEIR judgements: tab-separated, with the header query-id, corpus-id, score.",
    layout: "query-id corpus-id score",
    kind: JudgementKind::Grades,
    docno: "corpus-id",
    recognise: is_beir,
    reader: QrelsReader::Whole {
        text: true,
        read: |bytes, rows| qrels(delimited::read(bytes, Data::Judgements), rows),
    },
};

/// Whether columns may be a run's, or judgements'.
fn may_be(names: &[Vec<u8>], data: Data) -> bool {
    match data {
        Data::Run => column::guess(names) != Some(Data::Judgements),
        // A column of scores may hold grades, as BEIR's does, unless documents have ranks too.
        Data::Judgements | Data::Labels => column::plan(names, data).is_ok() || column::guess(names) != Some(Data::Run),
    }
}

fn is_delimited(sample: &Sample<'_>, data: Data, tab: bool) -> bool {
    let bytes = sample.bytes();
    delimited::separator(bytes).is_some_and(|separator| (separator == b'\t') == tab)
        && delimited::header(bytes).is_some_and(|names| may_be(&names, data))
}

fn is_csv(sample: &Sample<'_>, data: Data) -> bool {
    is_delimited(sample, data, false)
}

fn is_tsv(sample: &Sample<'_>, data: Data) -> bool {
    is_delimited(sample, data, true)
}

fn is_beir(sample: &Sample<'_>) -> bool {
    delimited::separator(sample.bytes()) == Some(b'\t')
        && delimited::header(sample.bytes()).is_some_and(|names| names == [&b"query-id"[..], b"corpus-id", b"score"])
}

/// The shape of a sample of JSON, which may be cut off anywhere.
fn sampled_shape(bytes: &[u8]) -> Option<Shape> {
    // A topic of some other format may begin with a brace.
    let mut signs = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
    match (signs.next()?, signs.next(), signs.next()) {
        (b'{', Some(b'"') | None, _) | (b'[', Some(b'{') | None, _) => {}
        (b'{', Some(b'}'), None) | (b'[', Some(b']'), None) => {}
        _ => return None,
    }
    shapes::shape(&mut Json::new(whole_characters(bytes)).ok()?).ok()
}

/// Without what is not UTF-8; the reader will say so.
pub(crate) fn whole_characters(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Ok(_) => bytes,
        Err(error) => &bytes[..error.valid_up_to()],
    }
}

fn json_may_be(sample: &Sample<'_>, data: Data) -> bool {
    let keys = shapes::sampled_keys(whole_characters(sample.bytes()));
    // Tasks of Label Studio have no plain values; they are another format.
    if keys.is_empty() {
        return !form::is_task(whole_characters(sample.bytes()));
    }
    column::is_perhaps_header(&keys) && may_be(&keys, data)
}

fn is_json(sample: &Sample<'_>, data: Data) -> bool {
    matches!(sampled_shape(sample.bytes()), Some(Shape::Map | Shape::Array)) && json_may_be(sample, data)
}

fn is_jsonl(sample: &Sample<'_>, data: Data) -> bool {
    matches!(sampled_shape(sample.bytes()), Some(Shape::Rows | Shape::Topics)) && json_may_be(sample, data)
}

/// The columns stand at the end, which a sample need not have: so it is the reader that says if they are the wrong ones.
fn is_parquet(sample: &Sample<'_>, _: Data) -> bool {
    sample.bytes().starts_with(parquet::MAGIC)
}

/// The largest number that is taken for a grade where nothing but the number tells.
const PLAUSIBLE_GRADE: f64 = 10.0;

/// The names of the columns of a file of records that begins so.
fn columns(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    if bytes.starts_with(parquet::MAGIC) {
        return parquet::schema(bytes);
    }
    match sampled_shape(bytes) {
        Some(Shape::Map) => Some(["query_id", "doc_id", "score"].map(|name| name.as_bytes().to_vec()).to_vec()),
        Some(_) => Some(shapes::sampled_keys(whole_characters(bytes))),
        None => delimited::header(bytes),
    }
}

/// Whether a file of records that begins so does for a run and for judgements alike.
pub fn is_open(bytes: &[u8]) -> bool {
    columns(bytes).is_some_and(|names| column::is_open(&names))
}

/// Whether a file of records that begins so is rather judgements: its columns say so, or, where they leave it open, its
/// numbers are small and whole, as grades are.
pub fn rather_judgements(bytes: &[u8]) -> bool {
    let Some(names) = columns(bytes) else { return false };
    match column::guess(&names) {
        Some(data) => data == Data::Judgements,
        None => column::is_open(&names) && has_grades(&scores(bytes)),
    }
}

pub(crate) fn has_grades(scores: &[f64]) -> bool {
    !scores.is_empty() && scores.iter().all(|score| score.fract() == 0.0 && score.abs() <= PLAUSIBLE_GRADE)
}

/// The scores in the beginning of a file of records.
fn scores(bytes: &[u8]) -> Vec<f64> {
    if bytes.starts_with(parquet::MAGIC) {
        return parquet::read(bytes, Data::Run).map(|table| run_scores(&table)).unwrap_or_default();
    }
    match sampled_shape(bytes) {
        Some(_) => shapes::sampled_scores(whole_characters(bytes)),
        None => delimited::sampled_scores(bytes),
    }
}

/// The scores of a run.
pub(crate) fn run_scores(table: &Table) -> Vec<f64> {
    (0..table.len()).filter_map(|row| table.number(Column::Score, row)).collect()
}

/// Hands a run over.
pub(crate) fn run(read: Result<Table, Refusal>, rows: &mut dyn RunRows) {
    let table = match read {
        Ok(table) => table,
        Err(refusal) => {
            refusal.lines().for_each(|problem| rows.problem(problem));
            return refusal.whole.iter().for_each(|(expected, found, remedy)| match refusal.nothing {
                true => rows.nothing(expected, found, remedy),
                false => rows.refuse(expected, found, remedy),
            });
        }
    };
    if let Some((first, other)) = two_runs(&table) {
        let found = format!("rows of {} and of {}", quote(first), quote(other));
        let remedy = "give each run a file of its own; together they would be a ranking that no system made";
        return rows.refuse("the rows of one run (the column run, system or tag)", &found, remedy);
    }
    if !table.has(Column::Score) {
        rows.by_rank();
    }
    let tag = table.len().checked_sub(1).map_or(&[][..], |last| table.text(Column::Tag, last));
    if !tag.is_empty() {
        rows.tag(tag);
    }
    for row in 0..table.len() {
        karat_runtime::check();
        let rank = || table.number(Column::Rank, row).map(|rank| -rank);
        let score = table.number(Column::Score, row).or_else(rank).unwrap_or(0.0);
        rows.row(table.text(Column::Topic, row), table.text(Column::Document, row), score, line(&table, row));
    }
}

/// Two runs of which a table has rows, where there are two.
fn two_runs(table: &Table) -> Option<(&[u8], &[u8])> {
    let tags = table.ids(Column::Tag)?;
    let other = tags.iter().position(|tag| Some(tag) != tags.first())?;
    Some((table.text(Column::Tag, 0), table.text(Column::Tag, other)))
}

/// Hands judgements over.
pub(crate) fn qrels(read: Result<Table, Refusal>, rows: &mut dyn QrelsRows) {
    let table = match read {
        Ok(table) => table,
        Err(refusal) => {
            refusal.lines().for_each(|problem| rows.problem(problem));
            return refusal.whole.iter().for_each(|(expected, found, remedy)| match refusal.nothing {
                true => rows.nothing(expected, found, remedy),
                false => rows.refuse(expected, found, remedy),
            });
        }
    };
    rows.kind(table.kind);
    let (group, subgroup, value) = match table.kind {
        JudgementKind::Grades => (None, None, Column::Grade),
        JudgementKind::Subtopics => (Some(Column::Subtopic), None, Column::Grade),
        JudgementKind::Groups => (Some(Column::Group), None, Column::Grade),
        JudgementKind::Preferences => (Some(Column::Group), Some(Column::Subgroup), Column::Preference),
        JudgementKind::Strata => (Some(Column::Stratum), None, Column::Grade),
        JudgementKind::Probabilities => (Some(Column::Method), None, Column::Probability),
    };
    for row in 0..table.len() {
        karat_runtime::check();
        let number = |column| table.number(column, row).unwrap_or(-1.0);
        let text = |column: Option<Column>| column.map_or(&[][..], |column| table.text(column, row));
        rows.row(
            &MarkedRow {
                topic: table.text(Column::Topic, row),
                docno: table.text(Column::Document, row),
                judgement: Judgement::from_number(number(Column::Grade)).unwrap_or(Judgement::PooledUnjudged),
                group: text(group),
                subgroup: text(subgroup),
                value: number(value),
            },
            line(&table, row),
        );
    }
}

fn line(table: &Table, row: usize) -> u32 {
    u32::try_from(table.line(row).saturating_sub(1)).unwrap_or(u32::MAX)
}
