//! doccano's JSON Lines: one file for each user, who goes by the file's name.

use karat_data::LineProblem;

use super::tree::{self, Node, Value, Wrong};
use super::{Content, LabelFormat, label_studio};
use crate::records::Table;
use crate::records::label::{Given, LabelRow, Labels};
use crate::records::refusal::Refusal;

pub(super) static FORMAT: LabelFormat = LabelFormat {
    name: "doccano",
    about: "doccano JSON Lines, one file per user; the judge is named after the file. Query and document are read from the imported columns \
            (query_id, doc_id), at the top level or under meta; without them the id is used for both. An empty list of labels is unjudged.",
    layout: "{id, text, label: [...]}",
    recognise: |content| content.has(&["id", "text", "label"]),
    read: |content: &Content<'_>| read(content.bytes).map_err(|refusal| refusal.problems(content.name)),
};

fn read(bytes: &[u8]) -> Result<Table, Refusal> {
    let examples = tree::objects(bytes)?;
    let mut labels = Labels::default();
    for example in &examples {
        match read_example(example) {
            Ok(row) => labels.push(&row),
            Err((line, problem)) => labels.refusal.push(line, problem),
        }
    }
    labels.finish()
}

fn read_example<'n>(example: &'n Node<'_>) -> Result<LabelRow<'n>, Wrong> {
    let (topic, document) = label_studio::named(example.get("meta").unwrap_or(example), example)?;
    let grade = match example.get("label") {
        None => Given::Nothing,
        Some(Node { value: Value::Array(all), line }) => match &all[..] {
            [] => Given::Nothing,
            [one] => one.grade("label")?,
            more => {
                let found = format!("{} labels", more.len());
                let remedy = "a grade is one label: let the project take one, or keep the one that is meant";
                return Err((*line, LineProblem::new("label", "one label", found, remedy)));
            }
        },
        Some(one) => one.grade("label")?,
    };
    Ok(LabelRow::new(example.line, topic, document, b"", grade))
}
