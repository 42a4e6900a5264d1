//! Quepid's book as JSON: the only file of Quepid's with reasons and "cannot judge".

use karat_data::State;

use super::tree::{self, Node, Wrong};
use super::{Content, LabelFormat};
use crate::records::label::{Given, LabelRow, Labels};
use crate::records::refusal::Refusal;
use crate::records::{Column, Table};

pub(super) static FORMAT: LabelFormat = LabelFormat {
    name: "quepid-book",
    about: "Quepid book as JSON, unzipped. unrateable becomes the state cannot, judge_later the state later, and the explanation the reason.",
    layout: "{query_doc_pairs: [{query_text, doc_id, judgements: [{rating, unrateable, judge_later, user_email, explanation}]}]}",
    recognise: |content| content.has(&["query_doc_pairs"]),
    read: |content: &Content<'_>| read(content.bytes).map_err(|refusal| refusal.problems(content.name)),
};

fn read(bytes: &[u8]) -> Result<Table, Refusal> {
    let books = tree::values(bytes)?;
    let mut labels = Labels::default();
    for book in &books {
        let pairs = book.list("query_doc_pairs").map_err(|(line, problem)| Refusal::line(line, problem))?;
        for pair in pairs {
            if let Err((line, problem)) = read_pair(pair, &mut labels) {
                labels.refusal.push(line, problem);
            }
        }
    }
    labels.finish()
}

fn read_pair(pair: &Node<'_>, labels: &mut Labels) -> Result<(), Wrong> {
    let (query, document) = (pair.needed("query_text")?, pair.needed("doc_id")?);
    for judgement in pair.list("judgements")? {
        let text = |key| judgement.get(key).and_then(Node::text).unwrap_or_default();
        let said = |key| judgement.get(key).is_some_and(Node::is_true);
        let grade = match judgement.get("rating") {
            None => Given::Nothing,
            Some(rating) => rating.grade("rating")?,
        };
        let state = if said("unrateable") {
            Some(State::Cannot)
        } else if said("judge_later") {
            Some(State::Later)
        } else {
            None
        };
        let judge = match text("user_email") {
            [] => b"Anonymous",
            name => name,
        };
        labels.push(&LabelRow {
            state,
            reason: text("explanation"),
            ..LabelRow::new(judgement.line, query, document, judge, grade)
        });
    }
    Ok(())
}

impl Node<'_> {
    /// The grade it is: a number, a number in quotation marks, or a word.
    ///
    /// # Errors
    /// It is neither.
    pub(super) fn grade(&self, field: &'static str) -> Result<Given<'_>, Wrong> {
        let tree::Value::Plain(cell) = &self.value else { return Err(self.wrong(field, "a grade")) };
        crate::records::label::grade(cell).map_err(|mut problem| {
            problem.field = if field.is_empty() { Column::Grade.name() } else { field };
            (self.line, problem)
        })
    }
}
