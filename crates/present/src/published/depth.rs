//! `published depth` for people.

use karat_analysis::published::answer::DepthAnswer;
use karat_analysis::published::answer::depth::{Contribution, SignificantRanks};
use karat_report::{Axis, Block, Column, Columns, Figure, NumberStyle, Panel, Report};

use super::{given, record_or_table};
use crate::Context;

/// The report.
pub fn report(answer: DepthAnswer, context: Context) -> Report {
    let table = Columns::new()
        .with(given("p", "p"), |row: &SignificantRanks| row.p.into())
        .with(given("precision", "precision"), |row| row.precision.into())
        .column("depth", "significant ranks", |row| row.depth.into())
        .with(Column::new("below", "weight of all ranks below").style(NumberStyle::Significant(3)), |row| {
            row.below.into()
        })
        .table("depths", "", answer.rows());
    let mut report =
        context.report("Significant ranks", "published depth").block(record_or_table(table, answer.one.is_some()));
    if let Some(rows) = &answer.contributions {
        let table = Columns::new()
            .column("rank", "rank", |row: &Contribution| row.rank.into())
            .with(given("p", "p"), |row| row.p.into())
            .column("contribution", "contribution", |row| row.contribution.into())
            .table("contributions", "Contribution of a relevant document, by rank", rows);
        report = report.table(table).block(Block::Figure(figure(rows)));
    }
    report
        .note("Significant ranks: the ranks below them cannot change the last printed digit (p^depth < precision / 2).")
        .answering(answer)
}

fn figure(rows: &[Contribution]) -> Figure {
    let last = rows.iter().map(|row| row.rank).max().unwrap_or(1);
    let highest = rows.iter().map(|row| row.contribution).fold(0.0, f64::max);
    let panel = Panel::new("", Axis::new("rank", 1.0, last as f64), Axis::new("contribution", 0.0, highest));
    let panel = rows.chunk_by(|a, b| a.p == b.p).enumerate().fold(panel, |panel, (series, curve)| {
        let points = curve.iter().map(|row| (row.rank as f64, row.contribution)).collect();
        panel.line(series, format!("p = {}", curve[0].p), false, points)
    });
    Figure::new("contributions", "Contribution of each rank to RBP", 1).panel(panel)
}
