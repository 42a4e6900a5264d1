//! `--ties range`, and the note where the order of documents with equal scores could be seen.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::process::Command;

/// Runs `karat eval q a.run` with judgements, a run and options; standard output.
fn eval(qrels: &str, run: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("q"), qrels).unwrap();
    fs::write(folder.path().join("a.run"), run).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_karat"));
    let output = command.args(["eval", "q", "a.run"]).args(options).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const QRELS: &str = "1 0 a 1\n1 0 b 0\n1 0 c 0\n";
const RUN: &str = "1 Q0 b 1 1.0 r\n1 Q0 a 2 1.0 r\n1 Q0 c 3 1.0 r\n";
const NOTE: &str = "Tied scores: another tie order changes";

/// The fields of the rows of an array of a JSON answer that hold these texts.
fn row<'a>(json: &'a str, array: &str, holds: &str) -> &'a str {
    let from = json.find(&format!("\"{array}\": [")).unwrap();
    json[from..].lines().find(|line| line.contains(holds)).unwrap()
}

/// A number of a row.
fn number(row: &str, field: &str) -> Option<f64> {
    let text = row.split_once(&format!("\"{field}\": ")).unwrap().1;
    text.split([',', '}']).next().unwrap().parse().ok()
}

#[test]
fn every_order_of_three_tied_documents() {
    // docno descending is c b a: RR 1/3. In any order: ranks 1, 2, 3 alike: (1 + 1/2 + 1/3)/3 = 11/18.
    let json = eval(QRELS, RUN, &["-m", "RR", "--ties", "range", "-q", "-f", "json"]);
    for array in ["scores", "by_query"] {
        let row = row(&json, array, "\"RR\"");
        for (field, value) in
            [("value", 1.0 / 3.0), ("ties_low", 1.0 / 3.0), ("ties_high", 1.0), ("ties_expected", 11.0 / 18.0)]
        {
            assert!((number(row, field).unwrap() - value).abs() < 1e-12, "{array} {field}: {row}");
        }
    }
    assert!(json.contains("\"ties\": \"range\""), "the provenance says so");
    let people = eval(QRELS, RUN, &["-m", "RR", "--ties", "range"]);
    assert!(people.contains("0.3333–1.0000") && people.contains("0.6111"), "{people}");
}

#[test]
fn a_note_where_it_could_be_seen_and_nowhere_else() {
    let said = eval(QRELS, RUN, &["-m", "RR,NumRelRet"]);
    assert!(said.contains(&format!("{NOTE} RR of r (0.3333 to 1.0000); see karat eval --ties range")), "{said}");
    assert!(!said.contains("ties_low"));
    // The user's own order, no ties, and ties among documents of one judgement.
    assert!(!eval(QRELS, RUN, &["-m", "RR", "--ties", "file"]).contains(NOTE));
    let apart = "1 Q0 b 1 3.0 r\n1 Q0 a 2 2.0 r\n1 Q0 c 3 1.0 r\n";
    assert!(!eval(QRELS, apart, &["-m", "RR"]).contains(NOTE));
    let alike = "1 Q0 b 1 1.0 r\n1 Q0 a 2 2.0 r\n1 Q0 c 3 1.0 r\n";
    assert!(!eval(QRELS, alike, &["-m", "RR"]).contains(NOTE));
    // float32 makes ties that float64 does not.
    let close = "1 Q0 b 1 1.00000001 r\n1 Q0 a 2 1.0 r\n";
    assert!(!eval(QRELS, close, &["-m", "RR"]).contains(NOTE));
    assert!(eval(QRELS, close, &["-m", "RR", "--profile", "9"]).contains(NOTE));
}

#[test]
fn what_cannot_be_computed_is_missing_and_says_why() {
    // z is not judged. Cut to two of three tied documents, then without the unjudged: one or two are left.
    let run = "1 Q0 b 1 1.0 r\n1 Q0 a 2 1.0 r\n1 Q0 z 3 1.0 r\n";
    let json = eval(QRELS, run, &["-m", "RR", "-M", "2", "-J", "--ties", "range", "-f", "json"]);
    assert!(row(&json, "scores", "RR").contains("\"ties_low\": null, \"ties_high\": null, \"ties_expected\": null"));
    assert!(json.contains("No range over tie orders for RR of r: the depth (-M) cuts through tied documents"));
    // A geometric mean has ends, but its expected value needs more than the topics' own.
    let json = eval(QRELS, RUN, &["-m", "GMAP", "--ties", "range", "-f", "json"]);
    let gmap = row(&json, "scores", "GMAP");
    assert!((number(gmap, "ties_low").unwrap() - 1.0 / 3.0).abs() < 1e-12 && number(gmap, "ties_high") == Some(1.0));
    assert_eq!(number(gmap, "ties_expected"), None);
    assert!(json.contains("No expected value over tie orders for GMAP of r: "));
}

#[test]
fn the_mean_has_the_mean_of_the_ranges() {
    // Topic 1: RR 1/3 to 1, expected 11/18. Topic 2, no ties: 1/2. Mean 5/12 to 3/4, expected 10/18.
    let qrels = format!("{QRELS}2 0 a 1\n2 0 b 0\n");
    let run = format!("{RUN}2 Q0 b 1 2.0 r\n2 Q0 a 2 1.0 r\n");
    let json = eval(&qrels, &run, &["-m", "RR", "--ties", "range", "-f", "json"]);
    let rr = row(&json, "scores", "RR");
    for (field, value) in [("ties_low", 5.0 / 12.0), ("ties_high", 0.75), ("ties_expected", 5.0 / 9.0)] {
        assert!((number(rr, field).unwrap() - value).abs() < 1e-12, "{field}: {rr}");
    }
}
