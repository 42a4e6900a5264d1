//! The layout of every format on one small report. The numbers are made up; their rounding is tested in `number.rs`.

// Helpers outside #[test] functions are not covered by clippy.toml's allow-*-in-tests.
#![allow(clippy::expect_used)]

use karat_report::{Block, Cell, Column, NumberStyle, Provenance, RenderOptions, Report, Table, renderer};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
struct Scores {
    scores: Vec<ScoreRow>,
}

#[derive(Serialize, JsonSchema)]
struct ScoreRow {
    run: &'static str,
    measure: &'static str,
    topics: u32,
    value: f64,
    interval: Option<(f64, f64)>,
    sources: Option<Sources>,
    p: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct Sources {
    topics: f64,
    unjudged: f64,
}

#[derive(Serialize, JsonSchema)]
struct Depth {
    depth: u32,
    at: f64,
}

/// What programs read of the sample.
fn scores_answer() -> Scores {
    let bm25 = ScoreRow {
        run: "bm25",
        measure: "AP",
        topics: 50,
        value: 0.25,
        interval: Some((0.125, 0.375)),
        sources: Some(Sources { topics: 0.5, unjudged: 0.0625 }),
        p: None,
    };
    let other = ScoreRow {
        run: "a|b,<i>",
        measure: "nDCG@10",
        topics: 50,
        value: -0.5,
        interval: None,
        sources: None,
        p: Some(0.0342),
    };
    Scores { scores: vec![bm25, other] }
}

fn sample() -> Report {
    let mut scores = Table::new("scores", "Scores")
        .column("run", "run")
        .column("measure", "measure")
        .column("topics", "topics")
        .column("value", "score")
        .column("interval", "95% interval")
        .with(Column::new("p", "p").style(NumberStyle::P));
    scores.push(["bm25".into(), "AP".into(), 50u64.into(), 0.25.into(), (0.125, 0.375).into(), Cell::Missing]);
    scores.push(["a|b,<i>".into(), "nDCG@10".into(), 50u64.into(), (-0.5).into(), Cell::Missing, 0.0342.into()]);
    let people = Table::new("wide", "").column("q", "query").row(["Zürich 文".into()]);
    let mut report = Report::new("Two runs", "eval", "0.1.0")
        .table(scores)
        .table(people)
        .block(Block::Text("bm25 leads.".into()))
        .note("unjudged documents count as not relevant in score")
        .answering(scores_answer());
    report.provenance =
        Provenance::default().input("qrels.txt", 1024, 50).option("level", 0.95).option("depth", 1000).seed(7);
    report
}

fn answer() -> Report {
    let table = Table::new("answer", "")
        .column("depth", "depth needed")
        .with(Column::new("at", "at p").style(NumberStyle::Significant(2)))
        .row([42u64.into(), 0.8.into()]);
    Report::new("", "published depth", "0.1.0").block(Block::Record(table)).answering(Depth { depth: 42, at: 0.8 })
}

fn rendered_with(name: &str, report: &Report, options: RenderOptions) -> String {
    let mut out = Vec::new();
    (renderer(name).expect("a format").make)(options).render(report, &mut out).expect("a report without faults");
    String::from_utf8(out).expect("UTF-8")
}

fn rendered(name: &str, report: &Report) -> String {
    rendered_with(name, report, RenderOptions::default())
}

#[test]
fn terminal() {
    let expected = "\
Two runs

Scores
run      measure  topics    score   95% interval      p
───────  ───────  ──────  ───────  ─────────────  ─────
bm25     AP           50   0.2500  0.1250–0.3750      —
a|b,<i>  nDCG@10      50  -0.5000              —  0.034

query
─────────
Zürich 文

bm25 leads.

note: unjudged documents count as not relevant in score
";
    assert_eq!(rendered("terminal", &sample()), expected);
    assert_eq!(rendered("terminal", &answer()), "depth needed  42\nat p          0.80\n");
}

#[test]
fn terminal_wraps_prose_only_and_styles_when_asked() {
    let text = rendered_with("terminal", &sample(), RenderOptions { color: true, width: Some(30) });
    assert!(text.starts_with("\x1b[1mTwo runs\x1b[0m\n\n\x1b[1mScores\x1b[0m\n\x1b[1mrun "));
    assert!(text.contains("a|b,<i>  nDCG@10      50  -0.5000              —  0.034\n"));
    assert!(text.ends_with("\x1b[1mnote:\x1b[0m unjudged documents count\n      as not relevant in score\n"));
}

#[test]
fn terminal_shortens_names_that_do_not_fit() {
    let mut table = Table::new("t", "").column("run", "run").column("measure", "measure").column("value", "value");
    table.push(["10x10.prf.unipd.it".into(), "nDCG@10".into(), 0.5.into()]);
    let report = Report::new("", "eval", "0").table(table);
    // 18 + 2 + 7 + 2 + 6 cells are 35: seven too many for 28.
    let narrow = rendered_with("terminal", &report, RenderOptions { color: false, width: Some(28) });
    let row = narrow.lines().nth(2).unwrap();
    assert_eq!(row, "10x10…pd.it  nDCG@10  0.5000", "{narrow}");
    assert!(narrow.ends_with("(names with … are shortened; -f csv has them in full)\n"));
    assert!(rendered("terminal", &report).contains("10x10.prf.unipd.it"), "a pipe has every cell whole");
}

#[test]
fn terminal_says_when_there_are_no_rows() {
    let report = Report::new("", "eval", "0").table(Table::new("t", "").column("run", "run"));
    assert_eq!(rendered("terminal", &report), "run\n───\n(no rows)\n");
}

#[test]
fn json() {
    let expected = r#"{
  "schema": "karat/2",
  "command": "eval",
  "version": "0.1.0",
  "provenance": {
    "inputs": [
      {"path": "qrels.txt", "bytes": 1024, "rows": 50}
    ],
    "options": {"level": 0.95, "depth": 1000},
    "seed": 7
  },
  "notes": [
    "unjudged documents count as not relevant in score"
  ],
  "scores": [
    {"run": "bm25", "measure": "AP", "topics": 50, "value": 0.25, "interval": [0.125, 0.375], "sources": {"topics": 0.5, "unjudged": 0.0625}, "p": null},
    {"run": "a|b,<i>", "measure": "nDCG@10", "topics": 50, "value": -0.5, "interval": null, "sources": null, "p": 0.0342}
  ]
}
"#;
    assert_eq!(rendered("json", &sample()), expected);
    let expected = r#"{
  "schema": "karat/2",
  "command": "published depth",
  "version": "0.1.0",
  "provenance": {
    "inputs": [],
    "options": {},
    "seed": null
  },
  "notes": [],
  "depth": 42,
  "at": 0.8
}
"#;
    assert_eq!(rendered("json", &answer()), expected);
}

#[test]
fn json_lines() {
    let text = rendered("jsonl", &sample());
    assert!(text.starts_with(r#"{"table": "scores", "run": "bm25", "measure": "AP", "topics": 50, "value": 0.25, "#));
    assert_eq!(text.lines().count(), 2);
    assert_eq!(rendered("jsonl", &answer()), "{\"table\": \"answer\", \"depth\": 42, \"at\": 0.8}\n");
}

#[test]
fn csv_of_one_table() {
    let expected = "\
run,measure,topics,value,interval_low,interval_high,sources.topics,sources.unjudged,p
bm25,AP,50,0.25,0.125,0.375,0.5,0.0625,
\"a|b,<i>\",nDCG@10,50,-0.5,,,,,0.0342
";
    assert_eq!(rendered("csv", &sample()), expected);
    let tabs = rendered("tsv", &sample());
    assert_eq!(tabs.lines().nth(1), Some("bm25\tAP\t50\t0.25\t0.125\t0.375\t0.5\t0.0625\t"));
}

#[test]
fn csv_of_several_tables_has_the_union_of_their_fields() {
    #[derive(Serialize, JsonSchema)]
    struct A {
        run: &'static str,
        x: f64,
    }
    #[derive(Serialize, JsonSchema)]
    struct Test {
        test: &'static str,
        p: f64,
    }
    #[derive(Serialize, JsonSchema)]
    struct B {
        x: Option<f64>,
        tests: Option<Vec<Test>>,
    }
    #[derive(Serialize, JsonSchema)]
    struct Both {
        a: Vec<A>,
        b: Vec<B>,
    }
    let test = |test| Test { test, p: 0.5 };
    let report = Report::new("", "compare", "0").answering(Both {
        a: vec![A { run: "=r", x: 1.0 }],
        b: vec![B { x: Some(2.0), tests: Some(vec![test("t"), test("sign")]) }, B { x: None, tests: None }],
    });
    let expected = "\
table,run,x,tests
a,=r,1.0,
b,,2.0,\"[{\"\"test\"\": \"\"t\"\", \"\"p\"\": 0.5}, {\"\"test\"\": \"\"sign\"\", \"\"p\"\": 0.5}]\"
b,,,
";
    assert_eq!(rendered("csv", &report), expected);
}

#[test]
fn csv_refuses_two_fields_of_one_name() {
    #[derive(Serialize, JsonSchema)]
    struct Twice {
        x: (f64, f64),
        x_low: f64,
    }
    let report = Report::new("", "eval", "0").answering(Twice { x: (0.0, 1.0), x_low: 0.0 });
    let csv = renderer("csv").expect("a format");
    let mut out = Vec::new();
    let error = (csv.make)(RenderOptions::default()).render(&report, &mut out).expect_err("refused");
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
    assert!(error.to_string().contains("x_low") && out.is_empty());
}

#[test]
fn tsv_escapes_what_would_break_a_line() {
    #[derive(Serialize, JsonSchema)]
    struct Text {
        x: &'static str,
    }
    let report = Report::new("", "eval", "0").answering(Text { x: "a\tb\r\n\\c" });
    assert_eq!(rendered("tsv", &report), "x\na\\tb\\r\\n\\\\c\n");
}

#[test]
fn markdown() {
    let expected = "\
# Two runs

## Scores

| run | measure | topics | score | 95% interval | p |
| --- | --- | ---: | ---: | ---: | ---: |
| bm25 | AP | 50 | 0.2500 | 0.1250–0.3750 | — |
| a\\|b,&lt;i&gt; | nDCG@10 | 50 | -0.5000 | — | 0.034 |

| query |
| --- |
| Zürich 文 |

bm25 leads.

**Notes**

- unjudged documents count as not relevant in score

made by karat eval 0.1.0 · input qrels.txt (1024 bytes, 50 rows) · level 0.95 · depth 1000 · seed 7
";
    assert_eq!(rendered("markdown", &sample()), expected);
}

#[test]
fn markdown_text_stays_text() {
    let report = Report::new("", "eval", "0").block(Block::Text("- a\n1. b\n# c *d*\n\n=".into()));
    let text = rendered("markdown", &report);
    assert!(text.starts_with("\\- a  \n1\\. b  \n\\# c \\*d\\*  \n  \n\\=\n"), "{text}");
}

#[test]
fn latex() {
    let expected = "\
% Two runs
% made by: karat eval 0.1.0
% input: qrels.txt (1024 bytes, 50 rows)
% level: 0.95
% depth: 1000
% seed: 7
% Needs \\usepackage{booktabs} in the preamble. To compile this file alone, put it between
% \\documentclass{article}\\usepackage{booktabs}\\begin{document} and \\end{document}.

% Scores
\\begin{tabular}{llrrrr}
\\toprule
run & measure & topics & score & 95\\% interval & p \\\\
\\midrule
bm25 & AP & 50 & 0.2500 & 0.1250--0.3750 & --- \\\\
a\\textbar{}b,\\textless{}i\\textgreater{} & nDCG@10 & 50 & $-$0.5000 & --- & 0.034 \\\\
\\bottomrule
\\end{tabular}

\\begin{tabular}{l}
\\toprule
query \\\\
\\midrule
Zürich {[}U+6587{]} \\\\
\\bottomrule
\\end{tabular}

bm25 leads.

\\noindent\\emph{Note:} unjudged documents count as not relevant in score
";
    assert_eq!(rendered("latex", &sample()), expected);
}

#[test]
fn html() {
    let text = rendered("html", &sample());
    for expected in [
        "<!DOCTYPE html>\n<html lang=\"en\">",
        "content=\"default-src 'none'; style-src 'unsafe-inline'\"",
        "prefers-color-scheme: dark",
        "<h1>Two runs</h1>",
        "<caption>Scores</caption>",
        "<th scope=\"col\">run</th>",
        "<th scope=\"col\" class=\"n\">score</th>",
        "<tr><th scope=\"row\">a|b,&lt;i&gt;</th><td>nDCG@10</td><td class=\"n\">50</td><td class=\"n\">-0.5000</td>",
        "<p>bm25 leads.</p>",
        "<li>unjudged documents count as not relevant in score</li>",
        "<tr><th scope=\"row\">input</th><td>qrels.txt (1024 bytes, 50 rows)</td></tr>",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("src=") && !text.contains("href=") && !text.contains("<script"));
}

#[test]
fn escape_sequences_from_files_do_not_reach_a_terminal() {
    let evil = "a\x1b]0;owned\x07\u{9b}31m\nb";
    let report = Report::new(evil, "eval", "0")
        .table(Table::new("t", evil).column("x", evil).row([evil.into()]))
        .block(Block::Text(evil.into()))
        .note(evil);
    let text = rendered("terminal", &report);
    assert!(!text.contains(['\x1b', '\x07', '\u{9b}']));
    assert!(text.contains("a␛]0;owned␇\u{fffd}31m␊b"));
}
