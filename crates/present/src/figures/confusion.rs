//! The grades of two judges for the same documents.

use karat_report::{Anchor, Axis, Column, Figure, Mark, NumberStyle, Panel, Table};

use super::{FigureInfo, TOPICS};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "confusion",
    title: "Confusion matrix",
    shows: "Number of documents for each pair of grades, shaded by share of the row.",
    reading: "Agreement is on the diagonal. A row shows how the column judge graded the documents to which the row judge gave this grade.",
    example: |names| {
        let counts: Vec<Vec<f64>> = (0..names.len())
            .map(|row| (0..names.len()).map(|column| ((row * 7 + column * 3) % 11) as f64).collect())
            .collect();
        confusion("a and b", ("a", "b"), names, &counts)
    },
};

/// Counts by row and column; both have these names.
pub fn confusion(of: &str, (rows, columns): (&str, &str), grades: &[String], counts: &[Vec<f64>]) -> Figure {
    let title = format!("Confusion matrix: {of}");
    let total: f64 = counts.iter().flatten().filter(|count| count.is_finite()).sum();
    if grades.is_empty() || total <= 0.0 {
        return INFO.nothing(title, "no document was judged by both").of(of);
    }
    let size = grades.len() as f64;
    let cell = (480.0 / size).floor().clamp(26.0, 72.0);
    let mut table = Table::new("confusion_figure", "")
        .column("row", rows)
        .column("column", columns)
        .with(Column::new("count", "documents").style(NumberStyle::Given))
        .with(Column::new("share", "share of the row").style(NumberStyle::Decimals(3)));
    let tall = cell.min(44.0);
    let axes = (Axis::columns(columns, grades.to_vec()), Axis::rows(rows, grades.to_vec()));
    let mut panel = Panel::new("", axes.0, axes.1).sized(cell * size, tall * size);
    for (row, of_row) in counts.iter().enumerate().take(grades.len()) {
        let sum: f64 = of_row.iter().filter(|count| count.is_finite()).sum();
        for (column, count) in of_row.iter().enumerate().take(grades.len()) {
            let share = if sum > 0.0 { count / sum } else { 0.0 };
            let shown = NumberStyle::Significant(3).show(*count);
            let name = format!(
                "{rows} {}, {columns} {}: {shown}, {} of the row",
                grades[row],
                grades[column],
                NumberStyle::Decimals(2).show(share)
            );
            panel = cell_marks((column as f64, row as f64), (cell, tall), share, name, shown)
                .into_iter()
                .fold(panel, Panel::mark);
            table.push([grades[row].as_str().into(), grades[column].as_str().into(), (*count).into(), share.into()]);
        }
    }
    INFO.empty(title, 1)
        .of(of)
        .subtitle("documents judged by both; darker = larger share of the row")
        .panel(panel)
        .rows(table)
}

/// A cell of the matrix, of this size, with its count.
fn cell_marks((x, y): (f64, f64), (wide, tall): (f64, f64), share: f64, name: String, count: String) -> [Mark; 2] {
    let edge = |at: f64, length: f64| (at - 0.5 + 0.7 / length, at + 0.5 - 0.7 / length);
    // Nothing is not the same as no cell.
    let shade = 0.05 + 0.95 * share;
    let bar = Mark::Bar { series: TOPICS, label: String::new(), name, shade, x: edge(x, wide), y: edge(y, tall) };
    let words =
        Mark::Words { at: (x, y), text: count, anchor: Anchor::Middle, shift: (0.0, 0.0), on_colour: shade > 0.55 };
    [bar, words]
}
