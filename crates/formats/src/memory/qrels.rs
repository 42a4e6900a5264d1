//! Judgements in memory.

use karat_data::{Judgement, JudgementKind, Problems, Qrels, QrelsBuilder};

use super::run::Names;
use super::{FORMAT, Memory};
use crate::qrels_file::{QrelsFacts, of_sink, of_table};
use crate::records::Refusal;
use crate::records::column::{Column, Data, Plan};
use crate::records::formats;
use crate::sink::QrelsSink;

/// The judgements of a table.
///
/// # Errors
/// Everything wrong with them.
pub(crate) fn qrels(memory: &Memory, file: &str) -> Result<(Qrels, QrelsFacts), Problems> {
    let refused = |refusal: Refusal| memory.placed(refusal.problems(file));
    let plan = memory.plan(Data::Judgements).map_err(refused)?;
    let facts = QrelsFacts { file: file.to_owned(), format: FORMAT, ..QrelsFacts::default() };
    let read = match plain(memory, &plan) {
        Some((qrels, bytes)) => of_table(QrelsFacts { bytes, ..facts }, memory.len(), qrels),
        None => {
            let mut sink = QrelsSink::new(JudgementKind::Grades);
            formats::qrels(memory.table(Data::Judgements), &mut sink);
            of_sink(facts, sink)
        }
    };
    read.map_err(|problems| memory.placed(problems))
}

/// Judgements that are grades of documents and no more, all of them right: nearly all there are.
fn plain(memory: &Memory, plan: &Plan) -> Option<(QrelsBuilder, u64)> {
    let usual = |column: &Option<Column>| {
        matches!(column, None | Some(Column::Topic | Column::Document | Column::Grade | Column::Iteration))
    };
    if plan.kind != JudgementKind::Grades || !plan.columns.iter().all(usual) || memory.is_empty() {
        return None;
    }
    let mut refusal = Refusal::default();
    let topics = Names::of(memory.find(plan, Column::Topic), Column::Topic, &mut refusal);
    let documents = Names::of(memory.find(plan, Column::Document), Column::Document, &mut refusal);
    let grades = super::run::numbers(memory.find(plan, Column::Grade)?, Column::Grade, &mut refusal);
    if !refusal.is_empty() || grades.iter().any(|grade| grade.abs() > LARGEST) {
        return None;
    }
    let mut builder = QrelsBuilder::new();
    let (mut row, mut bytes) = (0, 0);
    while row < grades.len() {
        karat_runtime::check();
        let (topic, end) = (topics.get(row), topics.end_of_same(row));
        for (row, &grade) in grades[..end].iter().enumerate().skip(row) {
            let document = documents.get(row);
            bytes += topic.len() + document.len() + size_of::<f64>();
            builder.push(topic, document, Judgement::from_number(grade)?);
        }
        row = end;
    }
    Some((builder, bytes as u64))
}

/// Larger grades are refused, with the words that readers of files have.
const LARGEST: f64 = 1e9;
