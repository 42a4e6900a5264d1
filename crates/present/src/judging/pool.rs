//! A pool as tables and notes.

use karat_analysis::judging::pool::{Contribution, PoolAnswer, PooledDocument};
use karat_data::RunFacts;
use karat_report::{Columns, Report, Table};

use crate::Context;
use crate::words::count;

/// The report.
pub fn report(answer: PoolAnswer, runs: &[RunFacts], context: Context) -> Report {
    let mut report =
        context.with_runs(runs).report("Pool", "pool").table(documents(&answer)).table(contributions(&answer)).note(
            format!(
                "{} of {}: the first {} ranks of {}. Ties are broken by document name.",
                count(answer.pool.len(), "document"),
                count(answer.topics, "topic"),
                answer.depth,
                count(answer.contributions.len(), "run")
            ),
        );
    if let Some(unjudged) = answer.unjudged {
        report = report.note(match unjudged {
            0 => "Every document of the pool is judged.".to_owned(),
            left => format!("Still to judge: {}.", count(left, "document")),
        });
    }
    report.answering(answer)
}

fn documents(answer: &PoolAnswer) -> Table {
    Columns::new()
        .column("topic", "topic", |row: &PooledDocument| row.topic.as_str().into())
        .column("document", "document", |row| row.document.as_str().into())
        .column("rank", "best rank", |row| row.rank.into())
        .column("runs", "runs", |row| row.runs.into())
        .when(answer.unjudged.is_some(), |columns| columns.column("judged", "judged", |row| row.judged.into()))
        .table("pool", "Documents", &answer.pool)
}

fn contributions(answer: &PoolAnswer) -> Table {
    Columns::new()
        .column("run", "run", |row: &Contribution| row.run.as_str().into())
        .column("documents", "documents", |row| row.documents.into())
        .column("alone", "in no other run", |row| row.alone.into())
        .when(answer.unjudged.is_some(), |columns| columns.column("unjudged", "unjudged", |row| row.unjudged.into()))
        .table("contributions", "Contributions", &answer.contributions)
}
