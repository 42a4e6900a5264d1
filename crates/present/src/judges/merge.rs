//! `karat judges merge` for people.

use karat_analysis::judges::{DocumentToLabel, JudgeQuality, MergeAnswer, MergeNote, MergedGrade, NoOverlap};
use karat_report::{Column, Columns, NumberStyle, Report, Table};

use super::problems::{repeated_note, scale_note};
use crate::Context;

/// Merged labels as a report.
pub fn report(answer: MergeAnswer, context: Context) -> Report {
    let mut report = context
        .report("One label from several", "judges merge")
        .table(grades(&answer.grades))
        .table(judges(&answer.judges))
        .table(to_label(&answer.ask));
    report.notes.extend(answer.notes.iter().map(note));
    report.notes.extend(scale_note(&answer.scale));
    report.answering(answer)
}

fn grades(rows: &[MergedGrade]) -> Table {
    Columns::new()
        .with(Column::new("grade", "grade").style(NumberStyle::Significant(1)), |row: &MergedGrade| row.grade.into())
        .column("documents", "documents", |row| row.documents.into())
        .column("confidence", "mean confidence", |row| row.confidence.into())
        .table("grades", "Merged labels", rows)
}

fn judges(rows: &[JudgeQuality]) -> Table {
    let by_model = rows.iter().any(|row| row.model.is_some());
    Columns::new()
        .column("judge", "judge", |row: &JudgeQuality| row.judge.as_str().into())
        .column("labels", "labels", |row| row.labels.into())
        .column("agreement", "agrees with merged label", |row| row.agreement.into())
        .when(by_model, |columns| {
            columns.column("accuracy", "accuracy (model)", |row| {
                row.model.as_ref().and_then(|model| model.accuracy).into()
            })
        })
        .table("judges", "Judges", rows)
}

fn to_label(rows: &[DocumentToLabel]) -> Table {
    Columns::new()
        .column("topic", "topic", |row: &DocumentToLabel| row.topic.as_str().into())
        .column("document", "document", |row| row.document.as_str().into())
        .column("labels", "labels", |row| row.labels.into())
        .column("confidence", "confidence", |row| row.confidence.into())
        .table("ask", "Documents that most need one more label", rows)
}

fn note(note: &MergeNote) -> String {
    match note {
        MergeNote::Rule(rule) => format!("Rule {}: {}", rule.name, rule.description),
        MergeNote::NoOverlap(how) => {
            let kept = match how {
                NoOverlap::Rule => "Each label is kept as it is",
                NoOverlap::Model => "The model cannot learn the judges' errors",
            };
            format!(
                "warning: no document was labelled by two judges. {kept}; confidence and judge quality are unknown. Let two judges label \
                 some of the same documents."
            )
        }
        MergeNote::Fit { log_likelihood, rounds, smoothing, best, starts } => format!(
            "Dawid-Skene: log likelihood {} after {rounds} rounds, smoothing {smoothing}; {best} of {starts} starts reach it.",
            NumberStyle::Decimals(3).show(*log_likelihood)
        ),
        MergeNote::NotConverged => "warning: the model did not converge; allow more rounds with --rounds.".into(),
        MergeNote::GoldFixed(documents) => format!("{documents} documents have a gold label, which is held fixed."),
        MergeNote::Ties(documents) => format!(
            "{documents} documents have no merged grade because of a tie: get one more label, or choose another --rule, such as majority_low."
        ),
        MergeNote::ComparedWithGold { correct, documents } => {
            format!("{correct} of {documents} merged labels equal the gold label.")
        }
        MergeNote::Repeated(labels) => repeated_note(*labels),
        MergeNote::NoGrade(documents) => format!("{documents} documents have no grade by any judge and are left out."),
    }
}
