//! Calibration of scores: tables and notes.

use karat_analysis::eval::ScoreRow;
use karat_analysis::score_bands::{BandRow, ScoreBandNote, ScoreBands, ScoreCalibration};
use karat_report::{Column, Columns, NumberStyle, Table};

use crate::words::percent;

/// The tables; the level is that of the scores.
pub(super) fn tables(found: &ScoreBands, scores: &[ScoreRow]) -> Vec<Table> {
    let level = percent(scores.first().map_or(0.0, |row| row.level));
    let mut tables = vec![calibration(&found.score_calibration)];
    let by_score = "Predicted and observed relevance by score";
    tables.push(bands(&found.score_bands, "score_bands", (by_score, "score"), &level));
    if !found.length_bands.is_empty() {
        let by_length = "Predicted and observed relevance by length";
        tables.push(bands(&found.length_bands, "length_bands", (by_length, "length"), &level));
    }
    tables
}

fn calibration(rows: &[ScoreCalibration]) -> Table {
    Columns::new()
        .column("run", "run", |row: &ScoreCalibration| row.run.as_str().into())
        .column("judged", "judged", |row| row.judged.into())
        .column("unjudged", "unjudged", |row| row.unjudged.into())
        .column("log_loss", "log loss", |row| row.log_loss.into())
        .column("log_loss_of_share", "base rate", |row| row.log_loss_of_share.into())
        .column("log_loss_of_scores", "raw scores", |row| row.log_loss_of_scores.into())
        .table("score_calibration", "Calibration of scores", rows)
}

fn bands(rows: &[BandRow], id: &'static str, (title, band): (&str, &str), level: &str) -> Table {
    Columns::new()
        .column("run", "run", |row: &BandRow| row.run.as_str().into())
        .with(Column::new("band", band).style(NumberStyle::Significant(4)), |row| (row.from, row.to).into())
        .column("judged", "judged", |row| row.judged.into())
        .column("relevant", "relevant", |row| row.relevant.into())
        .column("predicted", "predicted", |row| row.predicted.into())
        .column("observed", "observed", |row| row.observed.into())
        .column("interval", format!("{level} interval"), |row| row.interval.into())
        .table(id, title, rows)
}

/// A note in words.
pub(super) fn note(note: &ScoreBandNote) -> String {
    match note {
        ScoreBandNote::Method => "Predicted: logistic regression on the score, fitted on other topics. Judged documents only; intervals account \
                                  for clustering by topic."
            .into(),
        ScoreBandNote::NoBetterThanShare(runs) => format!(
            "Scores of {} predict relevance no better than the base rate; they may still rank well within a topic.",
            runs.join(", ")
        ),
        ScoreBandNote::InfiniteLoss(runs) => format!(
            "Scores of {} have infinite log loss as probabilities: a document with score 0 is relevant, or one with score 1 is not.",
            runs.join(", ")
        ),
        ScoreBandNote::NothingJudged(runs) => {
            format!("{} retrieved no judged document; its scores cannot be checked.", runs.join(", "))
        }
        ScoreBandNote::OneTopic(runs) => {
            format!("{}: judged documents of one topic only, so there is no log loss on other topics.", runs.join(", "))
        }
        ScoreBandNote::NoLength(count) => {
            format!("{count} judged documents have no length in --lengths and are not in a length band.")
        }
    }
}
