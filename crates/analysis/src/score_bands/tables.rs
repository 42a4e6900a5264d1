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
    let mut table = Table::new("score_calibration", "Calibration of scores")
        .column("run", "run")
        .column("judged", "judged")
        .column("unjudged", "unjudged")
        .column("log_loss", "log loss")
        .column("log_loss_of_share", "base rate")
        .column("log_loss_of_scores", "raw scores");
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
        "Predicted: logistic regression on the score, fitted on other topics. Judged documents only; intervals account for clustering by topic."
            .to_owned(),
    ];
    let named = |wanted: &dyn Fn(&Bands) -> bool| -> Option<String> {
        let runs: Vec<&str> = found.iter().filter(|run| wanted(run)).map(|run| run.run.as_str()).collect();
        (!runs.is_empty()).then(|| runs.join(", "))
    };
    let worse = |run: &Bands| run.log_loss.zip(run.log_loss_of_share).is_some_and(|(own, share)| own >= share);
    if let Some(runs) = named(&worse) {
        notes.push(format!(
            "Scores of {runs} predict relevance no better than the base rate; they may still rank well within a topic."
        ));
    }
    if let Some(runs) = named(&|run: &Bands| run.probabilities && run.log_loss_of_scores.is_none() && run.judged > 0) {
        notes.push(format!(
            "Scores of {runs} have infinite log loss as probabilities: a document with score 0 is relevant, or one with score 1 is not."
        ));
    }
    if let Some(runs) = named(&|run: &Bands| run.judged == 0) {
        notes.push(format!("{runs} retrieved no judged document; its scores cannot be checked."));
    }
    if let Some(runs) = named(&|run: &Bands| run.judged > 0 && run.log_loss.is_none()) {
        notes.push(format!("{runs}: judged documents of one topic only, so there is no log loss on other topics."));
    }
    let without: u64 = found.iter().map(|run| run.without_length).sum();
    if without > 0 {
        notes.push(format!("{without} judged documents have no length in --lengths and are not in a length band."));
    }
    notes
}
