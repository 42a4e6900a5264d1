//! Label Studio's JSON: people's annotations and models' predictions in one file.

use karat_data::{LineProblem, State};

use super::tree::{self, Node, Value, Wrong};
use super::{Content, LabelFormat};
use crate::records::Table;
use crate::records::column;
use crate::records::label::{Given, LabelRow, Labels};
use crate::records::refusal::Refusal;

pub(super) static FORMAT: LabelFormat = LabelFormat {
    name: "label-studio",
    about: "Label Studio JSON export. Query and document are in data (query_id, doc_id or the usual names); without them the task id is used for both. \
            The judge is completed_by, gold for annotations marked ground_truth, and model_version for predictions. A cancelled annotation becomes the \
            state cannot. Choices and ratings are grades.",
    layout: "[{id, data, annotations: [{completed_by, result, was_cancelled, ground_truth, lead_time, created_at}], predictions: [{model_version, result}]}]",
    recognise: |content| content.has(&["data"]) && (content.has(&["annotations"]) || content.has(&["predictions"])),
    read: |content: &Content<'_>| read(content.bytes).map_err(|refusal| refusal.problems(content.name)),
};

/// The judge that an annotation marked as ground truth is by.
const GOLD: &[u8] = b"gold";

fn read(bytes: &[u8]) -> Result<Table, Refusal> {
    let tasks = tree::objects(bytes)?;
    let mut labels = Labels::default();
    for task in &tasks {
        if let Err((line, problem)) = read_task(task, &mut labels) {
            labels.refusal.push(line, problem);
        }
    }
    labels.finish()
}

fn read_task(task: &Node<'_>, labels: &mut Labels) -> Result<(), Wrong> {
    let (topic, document) = named(task.get("data").unwrap_or(task), task)?;
    for annotation in task.list("annotations")? {
        let judge = match annotation.get("completed_by") {
            _ if annotation.get("ground_truth").is_some_and(Node::is_true) => GOLD,
            // Exports say either who, or all about them.
            Some(by) => by.text().or_else(|| by.any(&["email", "id"])?.text()).unwrap_or_default(),
            None => b"",
        };
        let cancelled = annotation.get("was_cancelled").is_some_and(Node::is_true);
        let grade = match grade(annotation) {
            Err(_) if cancelled => Given::Nothing,
            other => other?,
        };
        labels.push(&LabelRow {
            state: if cancelled { Some(State::Cannot) } else { None },
            time: annotation.get("created_at").and_then(Node::text).unwrap_or_default(),
            seconds: annotation.get("lead_time").and_then(Node::number),
            source: b"human",
            ..LabelRow::new(annotation.line, topic, document, judge, grade)
        });
    }
    for prediction in task.list("predictions")? {
        let model = prediction.get("model_version").and_then(Node::text).unwrap_or(b"model");
        let time = prediction.get("created_at").and_then(Node::text).unwrap_or_default();
        let row = LabelRow::new(prediction.line, topic, document, model, grade(prediction)?);
        labels.push(&LabelRow { time, source: model, ..row });
    }
    Ok(())
}

/// The query and document of a task, by the usual names of columns; the id where there are none.
pub(super) fn named<'n>(data: &'n Node<'_>, task: &'n Node<'_>) -> Result<(&'n [u8], &'n [u8]), Wrong> {
    let members: &[_] = if let Value::Object(members) = &data.value { members } else { &[] };
    let names: Vec<Vec<u8>> = members.iter().map(|(key, _)| key.to_vec()).collect();
    let text = |at: Option<usize>| at.and_then(|at| members[at].1.text());
    // The task's own id is no document's name where data has one.
    match (text(column::topic_of(&names)), text(column::document_of(&names))) {
        (Some(topic), Some(document)) => Ok((topic, document)),
        _ => task.needed("id").map(|id| (id, id)),
    }
}

/// The one choice, rating or number of an annotation.
fn grade<'n>(of: &'n Node<'_>) -> Result<Given<'n>, Wrong> {
    let mut found = None;
    for result in of.list("result")? {
        let Some(value) = result.get("value") else { continue };
        let given = if let Some(choices) = value.get("choices") {
            match &choices.value {
                Value::Array(all) if all.len() == 1 => all[0].grade("choices")?,
                Value::Array(all) => {
                    let found = format!("{} choices", all.len());
                    let remedy = "a grade is one choice: let the form take one";
                    return Err((choices.line, LineProblem::new("choices", "one choice", found, remedy)));
                }
                _ => choices.grade("choices")?,
            }
        } else if let Some(rating) = value.any(&["rating", "number"]) {
            rating.grade("rating")?
        } else {
            continue;
        };
        if found.replace(given).is_some() {
            let remedy = "keep the one that is the grade in each annotation's result";
            return Err((result.line, LineProblem::new("result", "one choice or rating", "a second one", remedy)));
        }
    }
    Ok(found.unwrap_or(Given::Nothing))
}
