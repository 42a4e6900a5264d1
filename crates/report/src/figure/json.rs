//! A figure as JSON: the same data that is drawn here, for a script that draws it again.
//!
//! Field by field what [`Figure`] holds, a mark's kind beside its fields, a pair as an array of two. Texts
//! are as they are shown: what a terminal or a reader could stumble over is replaced already.

use serde_json::{Value, json};

use super::{Axis, Figure, Mark, Panel};
use crate::number::write_cell;
use crate::table::{Column, Table};
use crate::text::visible;

/// The whole figure.
pub fn value(figure: &Figure) -> Value {
    let figure = figure.visible();
    json!({
        "id": figure.id,
        "of": figure.of,
        "title": figure.title,
        "subtitle": figure.subtitle,
        "reading": figure.reading,
        "columns": figure.columns,
        "panels": figure.panels.iter().map(panel).collect::<Value>(),
        "empty": figure.why_empty(),
        "table": figure.table.as_ref().map(table),
    })
}

fn panel(panel: &Panel) -> Value {
    json!({
        "title": panel.title,
        "x": panel.x.as_ref().map(axis),
        "y": panel.y.as_ref().map(axis),
        "right": panel.right.as_ref().map(axis),
        "width": panel.width,
        "height": panel.height,
        "marks": panel.marks.iter().map(mark).collect::<Value>(),
    })
}

fn axis(axis: &Axis) -> Value {
    let ticks: Value = axis.ticks.iter().map(|(value, text)| json!([value, text])).collect();
    json!({ "label": axis.label, "low": axis.low, "high": axis.high, "ticks": ticks, "grid": axis.grid })
}

fn mark(mark: &Mark) -> Value {
    match mark {
        Mark::Line { series, label, name, dash, points } => json!({
            "kind": "line", "series": series, "label": label, "name": name, "dash": dash, "points": points,
        }),
        Mark::Band { series, label, points } => {
            json!({ "kind": "band", "series": series, "label": label, "points": points })
        }
        Mark::Point { series, label, name, shape, size, at } => json!({
            "kind": "point", "series": series, "label": label, "name": name, "shape": shape.name(),
            "size": size, "at": at,
        }),
        Mark::Bar { series, label, name, shade, x, y } => json!({
            "kind": "bar", "series": series, "label": label, "name": name, "shade": shade, "x": x, "y": y,
        }),
        Mark::Span { series, label, name, weight, cap, from, to } => json!({
            "kind": "span", "series": series, "label": label, "name": name, "weight": weight, "cap": cap,
            "from": from, "to": to,
        }),
        Mark::Words { at, text, anchor, shift, on_colour } => json!({
            "kind": "words", "at": at, "text": text, "anchor": anchor.name(), "shift": shift,
            "on_colour": on_colour,
        }),
    }
}

/// The rows as people see them.
fn table(table: &Table) -> Value {
    let headings: Value = table.columns.iter().map(|column| visible(&column.heading)).collect();
    let show = |row: &Vec<crate::cell::Cell>| -> Value {
        let cell = |(at, column): (usize, &Column)| {
            let mut text = String::new();
            if let Some(cell) = row.get(at) {
                write_cell(cell, column.style, &mut text);
            }
            Value::from(visible(&text).into_owned())
        };
        table.columns.iter().enumerate().map(cell).collect()
    };
    json!({ "title": visible(&table.title), "headings": headings, "rows": table.rows.iter().map(show).collect::<Value>() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Panel};

    #[test]
    fn all_of_a_figure_is_in_its_json() {
        let rows = Table::new("rows", "Rows")
            .column("run", "run")
            .column("value", "score")
            .row(["a\u{1b}".into(), 0.25.into()]);
        let panel = Panel::new("p", Axis::new("x", 0.0, 0.1 + 0.2), Axis::rows("y", vec!["<a>".into()]))
            .mark(Mark::point(1, (0.1, 0.0)).named("a"));
        let value = value(&Figure::new("f", "t", 1).panel(panel).rows(rows));
        assert_eq!(value["panels"][0]["x"]["high"], 0.1 + 0.2);
        assert_eq!(value["panels"][0]["y"]["ticks"][0], json!([0.0, "<a>"]));
        let point = json!({
            "kind": "point", "series": 1, "label": "", "name": "a", "shape": "square", "size": 3.5, "at": [0.1, 0.0],
        });
        assert_eq!(value["panels"][0]["marks"][0], point);
        assert_eq!(value["table"]["rows"], json!([["a␛", "0.2500"]]));
        assert_eq!(value["empty"], Value::Null);
    }
}
