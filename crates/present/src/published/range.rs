//! `published range` for people.

use karat_analysis::published::answer::range::{ScoreRange, Tightness};
use karat_analysis::published::answer::{RangeAnswer, RangeOptions};
use karat_report::{Block, Columns, Report, Table};

use super::{RANGES, error, fan, given, record_or_table};
use crate::Context;

/// The report.
pub fn report(answer: RangeAnswer, options: &RangeOptions, context: Context) -> Report {
    let mut report = context.report("RBP at another p", "published range");
    if !options.at.is_empty() {
        report = report.block(record_or_table(table(answer.rows()), answer.one.is_some()));
    }
    if options.figure {
        let figure = fan::figure(&answer.panels, options.persistences.len());
        report = report.block(Block::Figure(figure));
    }
    report.notes.extend(notes(&answer, options));
    report.answering(answer)
}

fn table(rows: &[ScoreRange]) -> Table {
    Columns::new()
        .with(given("p", "p"), |row: &ScoreRange| row.p.into())
        .with(given("score", "score"), |row| row.score.into())
        .with(given("at", "at p'"), |row| row.at.into())
        .column("binary", "binary", |row| row.low.zip(row.high).into())
        .column("binary_is", "bounds are", |row| {
            row.low_is.map(|_| if is_sound(row) { "sound" } else { "exact" }).into()
        })
        .column("graded", "graded", |row| (row.low_graded, row.high_graded).into())
        .column("paper", "paper", |row| row.low_paper.zip(row.high_paper).into())
        .table("ranges", "", rows)
}

fn is_sound(row: &ScoreRange) -> bool {
    [row.low_is, row.high_is].contains(&Some(Tightness::Sound))
}

fn notes(answer: &RangeAnswer, options: &RangeOptions) -> Vec<String> {
    let mut notes = vec![RANGES.to_owned()];
    if options.mean {
        notes.push("A mean has no binary range and no range by the paper's method: both are for one ranking.".into());
    } else {
        notes.push(
            "Both ranges cover every score that prints so, and lists of any length. Exact: a ranking comes within 1e-9 of each \
             bound."
                .into(),
        );
        if answer.rows().iter().any(is_sound) {
            notes.push(match options.residual {
                Some(_) => {
                    "Sound: no ranking lies outside. With a residual, it is not known whether a ranking reaches the bounds.".into()
                }
                None => "Sound: no ranking lies outside, but the search stopped before it found one at the bounds.".into(),
            });
        }
        notes.push("The paper's range ignores rounding: scores that print so can lie outside it.".into());
    }
    notes.extend(answer.refused.iter().map(|refused| format!("Skipped: {}.", error::text(refused))));
    notes
}
