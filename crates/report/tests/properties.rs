//! What holds for every report, whatever its strings and numbers.

// Helpers outside #[test] functions are not covered by clippy.toml's allow-*-in-tests.
#![allow(clippy::expect_used)]

use karat_report::{Block, Cell, Column, NumberStyle, Provenance, RENDERERS, RenderOptions, Report, Table, renderer};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// An answer with every kind of value.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Rows {
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Row {
    text: String,
    number: f64,
    range: (f64, f64),
    count: u64,
}

fn row(text: String, number: f64, range: (f64, f64), count: u64) -> Row {
    Row { text, number, range, count }
}

fn answer() -> impl Strategy<Value = Rows> {
    let row = (hostile(), number(), (number(), number()), any::<u64>());
    let row = row.prop_map(|(text, number, range, count)| Row { text, number, range, count });
    prop::collection::vec(row, 0..6).prop_map(|rows| Rows { rows })
}

/// An answer with one field that may be missing.
#[derive(Debug, Serialize, JsonSchema)]
struct Lone {
    rows: Vec<LoneRow>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LoneRow {
    text: Option<String>,
}

/// Strings with everything some format would interpret.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        Just("<script>alert(1)</script>".to_owned()),
        Just("\"".to_owned()),
        Just(",".to_owned()),
        Just("\r\n".to_owned()),
        Just("\x1b[2J\t\\\\|=".to_owned()),
        Just("</style>\0--><!--".to_owned()),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => any::<f64>(),
        4 => 0.0..1.0f64,
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
        1 => Just(f64::NEG_INFINITY),
        1 => Just(-0.0),
    ]
}

fn cell() -> impl Strategy<Value = Cell> {
    let leaf = prop_oneof![
        hostile().prop_map(Cell::Text),
        any::<u64>().prop_map(Cell::Count),
        number().prop_map(Cell::Number),
        (number(), number()).prop_map(|(low, high)| Cell::Range(low, high)),
        any::<bool>().prop_map(Cell::Flag),
        Just(Cell::Missing),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| prop::collection::vec(inner, 0..3).prop_map(Cell::List))
}

fn style() -> impl Strategy<Value = NumberStyle> {
    prop_oneof![
        Just(NumberStyle::Score),
        any::<u8>().prop_map(NumberStyle::Decimals),
        any::<u8>().prop_map(NumberStyle::Significant),
        Just(NumberStyle::P),
    ]
}

fn report(cell: impl Strategy<Value = Cell>) -> impl Strategy<Value = Report> {
    let rows = prop::collection::vec(prop::collection::vec(cell, 3), 0..5);
    (rows, style(), hostile(), hostile(), number()).prop_map(|(rows, style, text, note, option)| {
        let mut table = Table::new("rows", text.clone())
            .column("a", text.clone())
            .with(Column::new("b", "b").style(style))
            .column("c", "c");
        let one = rows.first().cloned();
        table.rows = rows;
        let mut report = Report::new(text.clone(), "eval", "0").table(table).block(Block::Text(text.clone()));
        if let Some(row) = one {
            let record = Table::new("one", "").column("x", "x").column("y", "y").column("z", text.clone()).row(row);
            report = report.block(Block::Record(record));
        }
        report.provenance = Provenance::default().input(text.clone(), 1, 2).option(text, option);
        report.note(note)
    })
}

fn rendered(name: &str, report: &Report) -> String {
    let info = renderer(name).expect("a format");
    let mut out = Vec::new();
    let options = RenderOptions { color: false, width: Some(40) };
    (info.make)(options).render(report, &mut out).expect("a report without faults");
    String::from_utf8(out).expect("UTF-8")
}

/// A reader of RFC 4180, strict: records of fields.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![vec![String::new()]];
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        let record = records.last_mut().expect("never empty");
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                record.last_mut().expect("never empty").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(String::new()),
            '\n' if !quoted => records.push(vec![String::new()]),
            _ => record.last_mut().expect("never empty").push(c),
        }
    }
    assert!(!quoted);
    assert_eq!(records.pop(), Some(vec![String::new()]), "the last line ends");
    records
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn json_parses_back_to_the_same_values(answer in answer(), note in hostile()) {
        let report = Report::new("", "eval", "0").note(note.clone()).answering(answer.clone());
        let value: serde_json::Value = serde_json::from_str(&rendered("json", &report)).expect("JSON");
        prop_assert_eq!(&value["schema"], "karat/2");
        prop_assert_eq!(&value["notes"][0], note.as_str());
        let read = value["rows"].as_array().expect("an array");
        prop_assert_eq!(read.len(), answer.rows.len());
        for (row, read) in answer.rows.iter().zip(read) {
            prop_assert_eq!(&read["text"], row.text.as_str());
            // serde_json: what is not finite is null.
            prop_assert_eq!(&read["number"], &serde_json::Value::from(row.number));
            prop_assert_eq!(&read["range"], &serde_json::Value::from(vec![row.range.0, row.range.1]));
            prop_assert_eq!(&read["count"], row.count);
        }
        for line in rendered("jsonl", &report).lines() {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            prop_assert_eq!(&value["table"], "rows");
        }
    }

    #[test]
    fn csv_reads_back(answer in answer(), lone in prop::collection::vec(prop::option::of(hostile()), 0..6)) {
        let read = read_csv(&rendered("csv", &Report::new("", "eval", "0").answering(answer.clone())));
        prop_assert_eq!(&read[0], &["text", "number", "range_low", "range_high", "count"]);
        prop_assert_eq!(read.len(), answer.rows.len() + 1);
        for (read, row) in read[1..].iter().zip(&answer.rows) {
            prop_assert_eq!(&read[0], &row.text);
            for (read, value) in read[1..].iter().zip([row.number, row.range.0, row.range.1]) {
                if value.is_finite() {
                    prop_assert_eq!(read.parse::<f64>().expect("a float").to_bits(), value.to_bits());
                } else {
                    prop_assert_eq!(read, "");
                }
            }
            prop_assert_eq!(read[4].parse::<u64>().expect("a count"), row.count);
        }
        let texts = Lone { rows: lone.iter().cloned().map(|text| LoneRow { text }).collect() };
        let text = rendered("csv", &Report::new("", "eval", "0").answering(texts));
        prop_assert!(!text.starts_with('\n'));
        let read: Vec<String> = read_csv(&text)[1..].iter().map(|record| record[0].clone()).collect();
        prop_assert_eq!(read, lone.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>());
    }

    #[test]
    fn one_row_is_one_line_in_tsv(answer in answer()) {
        let text = rendered("tsv", &Report::new("", "eval", "0").answering(answer.clone()));
        let fields: Vec<usize> = text.lines().map(|line| line.split('\t').count()).collect();
        prop_assert!(fields.iter().all(|count| *count == fields[0]));
        prop_assert_eq!(text.matches('\n').count(), answer.rows.len() + 1);
    }

    #[test]
    fn nothing_from_a_file_is_markup(report in report(cell())) {
        let html = rendered("html", &report);
        prop_assert!(!html.contains("<script"));
        prop_assert_eq!(html.matches("</style>").count(), 1);
        prop_assert!(!html.contains("<!--"));
        prop_assert!(!rendered("markdown", &report).contains('<'));
        for name in ["terminal", "markdown", "latex", "html"] {
            let text = rendered(name, &report);
            prop_assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{name}");
        }
        let latex = rendered("latex", &report);
        prop_assert_eq!(latex.matches("\\end{tabular}").count(), latex.matches("\\begin{tabular}").count());
    }

    /// No word for a number that is none, in any format; texts are left out because they may hold the word.
    #[test]
    fn no_output_holds_a_nan(
        values in prop::collection::vec((number(), number(), number()), 1..4),
        style in style(),
        option in number(),
    ) {
        let mut table = Table::new("t", "")
            .with(Column::new("a", "a").style(style))
            .with(Column::new("b", "b").style(style))
            .column("c", "c");
        let rows: Vec<Row> = values.iter().map(|&(a, b, c)| row(String::new(), a, (b, c), 1)).collect();
        for (a, b, c) in values {
            let list = Cell::List(vec![Cell::Number(c), Cell::Range(a, c)]);
            table.push([Cell::Number(a), Cell::Range(b, c), list]);
        }
        let mut report = Report::new("", "eval", "0").table(table).answering(Rows { rows });
        report.provenance = Provenance::default().option("o", option);
        for info in RENDERERS {
            let text = rendered(info.name, &report).to_lowercase();
            // Whole words: "provenance" holds a nan too.
            let mut words = text.split(|c: char| !c.is_alphabetic());
            prop_assert!(words.all(|word| !["nan", "inf", "infinity"].contains(&word)), "{}: {text}", info.name);
        }
    }
}
