//! A form as tasks of Label Studio: the row is the task's data, its grade an annotation.
//!
//! The one decision: a document that nobody is asked for is a task that is annotated already (with -1), so that Label Studio shows it to
//! no judge.

use std::io::{self, Write};

use karat_data::problem::quote;
use karat_data::{FormRow, LineProblem, Problems};

use super::read::{FIELDS, Rows};
use super::write::Form;
use super::{FormGrade, number};
use crate::labels::{Node, Value, Wrong, objects};
use crate::records::cell::Cell;
use crate::records::column;
use crate::write::json::quoted;
use crate::write::text;

/// Writes a form.
pub(super) fn write(form: &Form<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    for (at, row) in form.rows().iter().enumerate() {
        karat_runtime::check();
        let comma = if at == 0 { "\n" } else { ",\n" };
        let (data, annotations) = (form.object(row, false), annotations(row));
        out.write_all(format!("{comma}{{\"data\": {data}, \"annotations\": [{annotations}]}}").as_bytes())?;
    }
    out.write_all(b"\n]\n")
}

/// What is known of a row's grade, as an annotation.
fn annotations(row: &FormRow) -> String {
    let mut choice = String::new();
    match &row.grade {
        FormGrade::Asked => return String::new(),
        FormGrade::Cannot(label) => quoted(&mut choice, label.as_bytes()),
        grade => quoted(&mut choice, text::number(number(grade, -1.0)).as_bytes()),
    }
    format!(
        "{{\"result\": [{{\"from_name\": \"grade\", \"to_name\": \"text\", \"type\": \"choices\", \"value\": {{\"choices\": [{choice}]}}}}]}}"
    )
}

/// Whether these are the keys of a task.
pub(super) fn is_task(keys: &[Vec<u8>]) -> bool {
    let has = |wanted: &str| keys.iter().any(|key| key == wanted.as_bytes());
    has("data") && (has("annotations") || has("predictions"))
}

/// Reads the rows of a form.
pub(super) fn read(bytes: &[u8], file: &str, rows: &mut Rows) -> Result<(), Problems> {
    let tasks = objects(bytes).map_err(|refusal| refusal.problems(file))?;
    for task in &tasks {
        match cells(task) {
            Ok(cells) => rows.add(task.line, &cells),
            Err((line, problem)) => rows.problem(line, problem),
        }
    }
    Ok(())
}

/// The cells of a task, in the order of [`FIELDS`].
fn cells<'n>(task: &'n Node<'_>) -> Result<Vec<Cell<'n>>, Wrong> {
    let Some(Node { value: Value::Object(data), .. }) = task.get("data") else {
        let remedy = "export the tasks as JSON (not JSON-MIN), with their data";
        return Err((task.line, LineProblem::new("data", "an object with query_id and doc_id", "none", remedy)));
    };
    let names: Vec<Vec<u8>> = data.iter().map(|(key, _)| key.to_vec()).collect();
    let cell = |name: &str| match column::place_of_name(name, &names).map(|at| &data[at].1.value) {
        Some(Value::Plain(cell)) => cell.borrowed(),
        Some(Value::Object(_)) => Cell::Other("an object"),
        Some(Value::Array(_)) => Cell::Other("an array"),
        None => Cell::Missing,
    };
    FIELDS.iter().map(|name| if *name == "grade" { grade(task) } else { Ok(cell(name)) }).collect()
}

/// The grade of a task: that of its one annotation.
fn grade<'n>(task: &'n Node<'_>) -> Result<Cell<'n>, Wrong> {
    let annotations = task.list("annotations")?;
    let (annotation, more) = match annotations {
        [] => return Ok(Cell::Missing),
        [one, more @ ..] => (one, more),
    };
    if let Some(second) = more.first() {
        let found = format!("{} annotations", annotations.len());
        let remedy = "merge the judges first (karat judges merge), or keep one annotation of each task";
        return Err((second.line, LineProblem::new("annotations", "one annotation", found, remedy)));
    }
    if annotation.get("was_cancelled").is_some_and(Node::is_true) {
        return Ok(Cell::Text(b"cannot"[..].into()));
    }
    let mut grades = Vec::new();
    for result in annotation.list("result")? {
        let Some(value) = result.get("value") else { continue };
        match value.any(&["choices", "rating", "number"]) {
            Some(Node { value: Value::Array(choices), .. }) => grades.extend(choices),
            Some(node) => grades.push(node),
            None => {}
        }
    }
    match grades[..] {
        [] => Ok(Cell::Missing),
        [Node { value: Value::Plain(cell), .. }] => Ok(cell.borrowed()),
        _ => {
            let shown: Vec<String> = grades.iter().filter_map(|node| node.text()).map(quote).collect();
            let remedy = "a grade is one choice or rating: let the project take one, or keep the one that is meant";
            let found = if shown.is_empty() { "something else".to_owned() } else { shown.join(", ") };
            Err((annotation.line, LineProblem::new("result", "one choice or rating", found, remedy)))
        }
    }
}
