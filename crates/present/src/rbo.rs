//! `karat rbo` for people.

use karat_analysis::rbo::{RboAnswer, RboError, RboOptions, RunOverlap, TopicOverlap};
use karat_data::problem::quote;
use karat_data::{LineProblem, Problem, ProblemKind, Problems};
use karat_report::{Columns, Report};

use crate::Context;

/// The report of how similar runs are.
pub fn report(answer: RboAnswer, options: &RboOptions, context: Context) -> Report {
    let pairs = Columns::new()
        .column("a", "run", |row: &RunOverlap| row.a.as_str().into())
        .column("b", "compared with", |row| row.b.as_str().into())
        .column("value", "RBO", |row| row.value.into())
        .column("bounds", "bounds", |row| (row.min, row.max).into())
        .column("topics", "topics", |row| row.topics.into())
        .table("rbo", "", &answer.rbo);
    let mut report = context.report("Rank-biased overlap", "rbo").table(pairs);
    if let Some(topics) = &answer.by_query {
        let columns = Columns::new()
            .column("a", "run", |row: &TopicOverlap| row.a.as_str().into())
            .column("b", "compared with", |row| row.b.as_str().into())
            .column("topic", "topic", |row| row.topic.as_str().into())
            .column("value", "RBO", |row| row.value.into())
            .column("bounds", "bounds", |row| (row.min, row.max).into());
        report = report.table(columns.table("by_query", "By query", topics));
    }
    let mut partial: Vec<String> = answer
        .rbo
        .iter()
        .filter(|pair| pair.topics_left_out)
        .map(|pair| format!("{} and {}", pair.a, pair.b))
        .collect();
    partial.sort();
    if !partial.is_empty() {
        report = report.note(format!("Topics that only one of two runs has are ignored: {}.", partial.join("; ")));
    }
    report
        .note(format!(
            "RBO at p = {}, the probability of reading on to the next rank, assumes that lists continue with the agreement at their end. \
             Bounds cover every possible continuation.",
            options.persistence
        ))
        .answering(answer)
}

/// An error of the analysis as problems of the files.
pub fn problems(error: RboError) -> Problems {
    match error {
        RboError::Problems(problems) => problems,
        RboError::NoCommonTopic { a, b } => {
            let remedy = "check that the runs are for the same topics, with topics written alike";
            Problem::of_file(&b, format!("at least one topic of {a}"), "none", remedy).into()
        }
    }
}

/// The problem of a document that a topic has twice.
pub fn repeated_document(docno: &[u8]) -> LineProblem {
    let found = format!("{} again", quote(docno));
    LineProblem::new("docno", "each document once per topic", found, "keep one of the two")
        .of_kind(ProblemKind::Repeated)
}
