//! UMBRELA's JSON Lines: labels by a language model.

use karat_data::State;

use super::tree::{self, Node, Wrong};
use super::{Content, LabelFormat};
use crate::records::Table;
use crate::records::label::{Given, LabelRow, Labels};
use crate::records::refusal::Refusal;

pub(super) static FORMAT: LabelFormat = LabelFormat {
    name: "umbrela",
    about: "UMBRELA JSON Lines: query, passage, judgment. Query and document are named by qid and docid, or by their texts without them. A label \
            that could not be parsed (result_status false) becomes the state cannot; the model's reasoning becomes the reason.",
    layout: "{query, passage, judgment, reasoning, prediction, result_status}",
    recognise: |content| content.has(&["query", "passage", "judgment"]),
    read: |content: &Content<'_>| read(content.bytes).map_err(|refusal| refusal.problems(content.name)),
};

fn read(bytes: &[u8]) -> Result<Table, Refusal> {
    let rows = tree::objects(bytes)?;
    let mut labels = Labels::default();
    for row in &rows {
        match read_row(row) {
            Ok(row) => labels.push(&row),
            Err((line, problem)) => labels.refusal.push(line, problem),
        }
    }
    labels.finish()
}

fn read_row<'n>(row: &'n Node<'_>) -> Result<LabelRow<'n>, Wrong> {
    // The query and the passage may be objects, as UMBRELA takes them in.
    let named = |keys: &[&str], outer: &'static str| {
        let inner = row.get(outer).and_then(|node| node.any(keys)).and_then(Node::text);
        inner.or_else(|| row.any(keys).and_then(Node::text)).map_or_else(|| row.needed(outer), Ok)
    };
    let text = |keys: &[&str]| row.any(keys).and_then(Node::text).unwrap_or_default();
    let failed = row.get("result_status").is_some_and(|status| status.is_false() || status.number() == Some(0.0));
    let grade = row.get("judgment").map_or(Ok(Given::Nothing), |node| node.grade("judgment"))?;
    Ok(LabelRow {
        state: failed.then_some(State::Cannot),
        reason: text(&["reasoning", "prediction"]),
        source: text(&["model", "model_name"]),
        ..LabelRow::new(
            row.line,
            named(&["qid", "query_id"], "query")?,
            named(&["docid", "doc_id"], "passage")?,
            text(&["judge", "model", "model_name"]),
            grade,
        )
    })
}
