//! Tasks of Label Studio: the row is the task's data, its grade an annotation.
//!
//! The one decision: a document that nobody is asked for is a task that is annotated already (with -1), so that Label Studio shows it to
//! no judge.

use std::io::{self, Write};

use karat_data::problem::quote;
use karat_data::{FormGrade, JudgementKind, LineProblem};

use super::number;
use super::read::{FIELDS, Rows};
use super::write::Form;
use crate::labels::{Node, Value, Wrong, first_keys, objects};
use crate::records::cell::Cell;
use crate::records::column::{self, Data};
use crate::records::formats::{qrels, whole_characters};
use crate::records::{Builder, Refusal, Table};
use crate::registry::{QrelsFormat, QrelsReader};
use crate::write::label_studio::task;
use crate::write::text;

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "label-studio",
    about: "Tasks of Label Studio (a judging form, or a JSON export). Query and document are in data, the grade is the choice or rating of the \
            one annotation; a task without one is not judged, and neither is a cancelled one.",
    layout: "[{data: {query_id, doc_id}, annotations: [{result: [{value: {choices: [grade]}}]}]}]",
    kind: JudgementKind::Grades,
    docno: "doc_id",
    recognise: |sample| is_task(whole_characters(sample.bytes())),
    reader: QrelsReader::Whole { text: true, read: |bytes, rows| qrels(read_table(bytes, Data::Judgements), rows) },
};

/// Writes a form.
pub(super) fn write(form: &Form<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    for (at, row) in form.rows().iter().enumerate() {
        karat_runtime::check();
        let choice = match &row.grade {
            FormGrade::Asked => None,
            FormGrade::Cannot(label) => Some(label.clone()),
            grade => Some(text::number(number(grade, -1.0))),
        };
        task(out, at == 0, &form.object(row, false), choice.as_deref())?;
    }
    out.write_all(b"\n]\n")
}

/// Whether these bytes begin with tasks.
pub(crate) fn is_task(bytes: &[u8]) -> bool {
    let keys = first_keys(bytes);
    let has = |wanted: &str| keys.iter().any(|key| key == wanted.as_bytes());
    has("data") && (has("annotations") || has("predictions"))
}

/// Reads the rows of a form.
pub(super) fn read(bytes: &[u8], rows: &mut Rows) -> Result<(), Refusal> {
    for task in &objects(bytes)? {
        match cells(task, &FIELDS) {
            Ok(cells) => rows.add(task.line, &cells),
            Err((line, problem)) => rows.problem(line, problem),
        }
    }
    Ok(())
}

/// Reads tasks as judgements.
///
/// # Errors
/// Everything wrong with them.
pub fn read_table(bytes: &[u8], data: Data) -> Result<Table, Refusal> {
    let tasks = objects(bytes)?;
    let mut names: Vec<&str> = Vec::new();
    for (key, _) in tasks.iter().filter_map(data_of).flatten() {
        let key = std::str::from_utf8(key).unwrap_or_default();
        if !names.contains(&key) && key != GRADE {
            names.push(key);
        }
    }
    names.push(GRADE);
    let rows: Vec<_> = tasks.iter().map(|task| (task.line, cells(task, &names))).collect();
    let is_empty = |at: usize| !rows.iter().flat_map(|(_, cells)| cells).any(|cells| !cells[at].is_missing());
    let columns: Vec<Vec<u8>> = names.iter().map(|name| name.as_bytes().to_vec()).collect();
    let plan = column::plan_filled(&columns, data, is_empty).map_err(|problem| {
        let line = tasks.first().map_or(1, |task| task.line);
        Refusal::line(line, LineProblem::new("data", problem.expected, problem.found, &problem.remedy.to_string()))
    })?;
    let mut builder = Builder::new(plan);
    for (line, cells) in rows {
        match cells {
            Ok(cells) => builder.record(line, &cells),
            Err((line, problem)) => builder.problem(line, problem),
        }
    }
    builder.finish()
}

/// The name of the cell that comes from the annotation.
const GRADE: &str = "grade";

type Members<'n, 'a> = &'n [(std::borrow::Cow<'a, [u8]>, Node<'a>)];

/// What a task is about.
fn data_of<'n, 'a>(task: &'n Node<'a>) -> Option<Members<'n, 'a>> {
    match task.get("data") {
        Some(Node { value: Value::Object(members), .. }) => Some(members),
        _ => None,
    }
}

/// The cells of a task by these names; the grade is that of its annotation.
fn cells<'n>(task: &'n Node<'_>, names: &[&str]) -> Result<Vec<Cell<'n>>, Wrong> {
    let Some(data) = data_of(task) else {
        let remedy = "export the tasks as JSON (not JSON-MIN), with their data";
        return Err((task.line, LineProblem::new("data", "an object with query_id and doc_id", "none", remedy)));
    };
    let cell = |name: &str| match data.iter().find(|(key, _)| &key[..] == name.as_bytes()).map(|(_, node)| &node.value)
    {
        Some(Value::Plain(cell)) => cell.borrowed(),
        Some(Value::Object(_)) => Cell::Other("an object"),
        Some(Value::Array(_)) => Cell::Other("an array"),
        None => Cell::Missing,
    };
    names.iter().map(|name| if *name == GRADE { grade(task) } else { Ok(cell(name)) }).collect()
}

/// The grade of a task: that of its one annotation. A choice is text, also where it is a number.
fn grade<'n>(task: &'n Node<'_>) -> Result<Cell<'n>, Wrong> {
    let annotation = match task.list("annotations")? {
        [] => return Ok(Cell::Missing),
        [one] => one,
        [_, second, ..] => {
            let found = format!("{} annotations", task.list("annotations")?.len());
            let remedy = "merge the judges first (karat judges merge), or keep one annotation of each task";
            return Err((second.line, LineProblem::new("annotations", "one annotation", found, remedy)));
        }
    };
    if annotation.get("was_cancelled").is_some_and(Node::is_true) {
        return Ok(Cell::Written(b"cannot"[..].into()));
    }
    let mut grades = Vec::new();
    for result in annotation.list("result")? {
        match result.get("value").and_then(|value| value.any(&["choices", "rating", "number"])) {
            Some(Node { value: Value::Array(choices), .. }) => grades.extend(choices),
            Some(node) => grades.push(node),
            None => {}
        }
    }
    match grades[..] {
        [] => Ok(Cell::Missing),
        [Node { value: Value::Plain(Cell::Text(text)), .. }] => Ok(Cell::Written(text[..].into())),
        [Node { value: Value::Plain(cell), .. }] => Ok(cell.borrowed()),
        _ => {
            let shown: Vec<String> = grades.iter().filter_map(|node| node.text()).map(quote).collect();
            let found = if shown.is_empty() { "something else".to_owned() } else { shown.join(", ") };
            let remedy = "a grade is one choice or rating: let the project take one, or keep the one that is meant";
            Err((annotation.line, LineProblem::new("result", "one choice or rating", found, remedy)))
        }
    }
}
