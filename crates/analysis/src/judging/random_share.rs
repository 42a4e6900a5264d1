//! A part of the documents to judge next that is drawn at random, so that the choice can be estimated from.
//!
//! The one decision: the form is a sample as `settle` draws it, of which the chosen documents were certain. Which documents are chosen follows from the
//! judgements and runs alone, so their probability is 1; the others are drawn by settle's design from all that are left and can change a difference.
//! So settle's record and estimator fit as they are.

use std::collections::HashSet;

use karat_data::{FormGrade, FormRow, RankedDocuments};
use karat_stats::Seed;

use super::next::NextOptions;
use super::{JudgingError, MeasureError};
use crate::lists::RunPair;
use crate::settle::draw::{Drawn, Frame};
use crate::settle::record::{Document, Drawing, Record};
use crate::settle::{Design, Question};

/// The part that is drawn at random.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomShare {
    /// Documents to draw.
    pub count: usize,
    /// Seed of the draw.
    pub seed: Seed,
    /// Options that change scores, as the record has them.
    pub choices: Vec<String>,
}

/// The documents drawn, and the record of the whole form.
type DrawnShare = (Vec<Drawn>, Box<Record>);

/// Draws the random part, if there is one, from what is not `chosen`; with the record of the whole form.
pub(super) fn draw(
    options: &NextOptions<'_>,
    (documents, names, pairs): (&RankedDocuments, &[String], Vec<RunPair>),
    chosen: &[FormRow],
) -> Result<Option<DrawnShare>, JudgingError> {
    let Some(random) = &options.random else { return Ok(None) };
    let setting = options.setting;
    if !Question::is_for_documents(options.measure, setting) {
        return Err(MeasureError::NotFromDocuments { measure: options.measure.spec().to_string() }.into());
    }
    let question = Question::new(setting, documents, pairs);
    let known: HashSet<Document> = chosen.iter().map(|row| (row.query_id.clone(), row.doc_id.clone())).collect();
    let is_known = |topic, docno: &[u8]| known.contains(&(setting.qrels.name(topic).to_vec(), docno.to_vec()));
    let frame = Frame::new(&question, Design::Documents, random.seed, &is_known);
    let drawn = if frame.is_empty() { Vec::new() } else { frame.draw(random.count, random.seed, BATCH) };
    let of_drawn = |drawn: &Drawn| {
        let topic = setting.qrels.name(question.topics[drawn.topic]);
        row(topic, &drawn.docno, Some(drawn.probability))
    };
    let rows: Vec<FormRow> = chosen.iter().cloned().chain(drawn.iter().map(of_drawn)).collect();
    let drawing = Drawing { design: Design::Documents, seed: random.seed, batch: BATCH, batches: Some(1) };
    let record = Record::new(&question, (names, random.choices.clone()), drawing, &rows);
    Ok(Some((drawn, Box::new(record))))
}

/// There is one batch.
const BATCH: u32 = 1;

/// The row of a document; with a probability where it belongs to a sample.
pub(super) fn row(topic: &[u8], docno: &[u8], probability: Option<f64>) -> FormRow {
    let row = FormRow::new(topic, docno, FormGrade::Asked);
    FormRow { probability, batch: probability.map(|_| BATCH), ..row }
}
