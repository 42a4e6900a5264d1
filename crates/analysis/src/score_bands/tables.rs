//! Bands as tables and notes.

use karat_report::{Cell, Column, NumberStyle, Report, Table};

use super::{Band, Bands};
use crate::eval::percent;

/// Adds the tables to a report.
pub fn report(mut report: Report, found: &[Bands], level: f64) -> Report {
    report = report.table(losses(found)).table(bands_table(found, "score_bands", "score", level, |run| &run.by_score));
    if found.iter().any(|run| !run.by_length.is_empty()) {
        report = report.table(bands_table(found, "length_bands", "length", level, |run| &run.by_length));
    }
    report.notes.extend(notes(found));
    report
}

fn losses(found: &[Bands]) -> Table {
    let mut table = Table::new("score_calibration", "Do scores say how likely a document is relevant?")
        .column("run", "run")
        .column("judged", "judged")
        .column("unjudged", "unjudged")
        .column("log_loss", "log loss by score")
        .column("log_loss_of_share", "by the share alone")
        .column("log_loss_of_scores", "scores as they are");
    for run in found {
        table.push([
            run.run.as_str().into(),
            run.judged.into(),
            run.unjudged.into(),
            run.log_loss.into(),
            run.log_loss_of_share.into(),
            run.log_loss_of_scores.into(),
        ]);
    }
    table
}

fn bands_table(found: &[Bands], id: &'static str, of: &str, level: f64, bands: impl Fn(&Bands) -> &Vec<Band>) -> Table {
    let end = |key, heading: String| Column::new(key, heading).style(NumberStyle::Significant(4));
    let mut table = Table::new(id, format!("Predicted and observed relevance by {of}"))
        .column("run", "run")
        .with(end("from", format!("{of} from")))
        .with(end("to", "to".into()))
        .column("judged", "judged")
        .column("relevant", "relevant")
        .column("predicted", "predicted")
        .column("observed", "observed")
        .with(Column::new("interval", format!("{} interval", percent(level))).range());
    for run in found {
        for band in bands(run) {
            table.push([
                run.run.as_str().into(),
                band.range.0.into(),
                band.range.1.into(),
                band.judged.into(),
                band.relevant.into(),
                band.predicted.into(),
                band.observed().into(),
                band.interval.map_or(Cell::Missing, Into::into),
            ]);
        }
    }
    table
}

fn notes(found: &[Bands]) -> Vec<String> {
    let mut notes = vec![
        "predicted: a logistic curve of the score, fitted to other topics; bands are of judged documents, unjudged ones are left out; intervals allow for documents of a topic being alike"
            .to_owned(),
    ];
    let named = |wanted: &dyn Fn(&Bands) -> bool| -> Option<String> {
        let runs: Vec<&str> = found.iter().filter(|run| wanted(run)).map(|run| run.run.as_str()).collect();
        (!runs.is_empty()).then(|| runs.join(", "))
    };
    let worse = |run: &Bands| run.log_loss.zip(run.log_loss_of_share).is_some_and(|(own, share)| own >= share);
    if let Some(runs) = named(&worse) {
        notes.push(format!(
            "scores of {runs} say no more across topics than the share of relevant documents does; within a topic they may still rank well"
        ));
    }
    if let Some(runs) = named(&|run: &Bands| run.probabilities && run.log_loss_of_scores.is_none() && run.judged > 0) {
        notes.push(format!(
            "scores of {runs} look like probabilities, but a document of score 0 is relevant or one of score 1 is not: as probabilities their log loss is infinite"
        ));
    }
    if let Some(runs) = named(&|run: &Bands| run.judged == 0) {
        notes.push(format!("{runs} retrieved no judged document, so nothing can be said of its scores"));
    }
    if let Some(runs) = named(&|run: &Bands| run.judged > 0 && run.log_loss.is_none()) {
        notes.push(format!(
            "{runs}: judged documents of one topic only; the curve is its own, and has no log loss on other topics"
        ));
    }
    let without: u64 = found.iter().map(|run| run.without_length).sum();
    if without > 0 {
        notes.push(format!("{without} judged documents have no length in --lengths and are in no band of length"));
    }
    notes
}
