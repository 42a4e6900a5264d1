//! Coefficients of agreement with their intervals.

use karat_report::figure::INK;
use karat_report::{Axis, Column, Figure, Mark, Panel, Table};

use super::{FigureInfo, TOPICS, example_score, height_of, interval, number, scale};
use crate::words::percent;

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "agreement",
    title: "Agreement of judges",
    shows: "Every coefficient of agreement with its confidence interval over queries.",
    reading: "0 is agreement by chance. Coefficients define chance differently, so they differ most when one grade is rare. Observed agreement is not corrected for \
              chance.",
    example: |names| {
        let row = |(at, name): (usize, &String)| {
            let value = example_score(at);
            AgreementRow {
                name: name.clone(),
                value: Some(value),
                interval: (at != 1).then_some((value - 0.1, value + 0.1)),
            }
        };
        agreement("all judges", 0.95, &names.iter().enumerate().map(row).collect::<Vec<_>>())
    },
};

/// A coefficient, or a pair of judges.
#[derive(Debug, Clone, PartialEq)]
pub struct AgreementRow {
    /// Its name.
    pub name: String,
    /// Its value, where it has one.
    pub value: Option<f64>,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
}

/// Coefficients in the order given.
pub fn agreement(of: &str, level: f64, rows: &[AgreementRow]) -> Figure {
    let title = format!("Agreement: {of}");
    let known: Vec<(&AgreementRow, f64)> = rows.iter().filter_map(|row| Some((row, row.value?))).collect();
    if known.is_empty() {
        return INFO.nothing(title, "no coefficient has a value");
    }
    let level = percent(level);
    let mut table = Table::new("agreement_figure", "")
        .column("coefficient", "coefficient")
        .column("value", "value")
        .with(Column::new("interval", format!("{level} interval")));
    let ends = known.iter().flat_map(|(row, value)| {
        row.interval.into_iter().flat_map(|(low, high)| [low, high]).chain([*value, 0.0, 1.0])
    });
    let names = known.iter().map(|(row, _)| row.name.clone()).collect();
    let mut panel = Panel::new("", scale("agreement", ends), Axis::rows("", names)).sized(0.0, height_of(known.len()));
    let mut words = Vec::new();
    for (at, (row, value)) in known.iter().enumerate() {
        let y = at as f64;
        let whole = row.interval.map_or_else(String::new, |ends| format!(" {}", interval(ends)));
        if let Some((low, high)) = row.interval {
            panel = panel.mark(Mark::span(TOPICS, 6.0, (low, y), (high, y)).labelled("query sampling"));
        }
        panel = panel.mark(Mark::point(INK, (*value, y)).named(format!("{}: {}{whole}", row.name, number(*value))));
        words.push((y, format!("{}{whole}", number(*value))));
        table.push([row.name.as_str().into(), (*value).into(), row.interval.into()]);
    }
    INFO.empty(title, 1)
        .subtitle(format!("{level} intervals"))
        .panel(panel.right(Axis::ticks(format!("value ({level})"), 0.0, 0.0, words)))
        .rows(table)
}
