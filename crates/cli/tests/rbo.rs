//! `karat rbo` on runs small enough to check by hand.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

const A: &str = "1 Q0 a 1 3 one\n2 Q0 x 1 2 one\n2 Q0 y 2 1 one\n3 Q0 z 1 1 one\n";
// Topic 2 in another order of lines, and tied: y before x by docno.
const B: &str = "1 Q0 a 1 9 two\n1 Q0 b 2 8 two\n2 Q0 x 1 1 two\n2 Q0 y 2 1 two\n";

fn karat(files: &[(&str, &str)], arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    Command::new(env!("CARGO_BIN_EXE_karat")).current_dir(folder.path()).args(arguments).output().unwrap()
}

#[test]
fn two_runs_by_hand() {
    let done = karat(&[("a", A), ("b", B)], &["rbo", "a", "b", "-p", "0.5", "-q", "-f", "json"]);
    let answer: serde_json::Value = crate::schema::parse(&done.stdout);
    // Topic 1, a against a b: RBO 1, at least ln 2, at most 1. Topic 2, x y against y x: 1/2; nothing added, (1/2) (0 + 1/2
    // + sum from 3 on of (1/2)^(d-1) 2/d) = 2 ln 2 - 1; at most 1/2, for depth 1 is lost. Topic 3 is one's alone.
    let row = &answer["rbo"][0];
    assert_eq!((row["a"].as_str(), row["b"].as_str(), row["topics"].as_u64()), (Some("one"), Some("two"), Some(2)));
    let near = |value: &serde_json::Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-12;
    let ln2 = 2f64.ln();
    assert!(near(&row["value"], 0.75) && near(&row["p"], 0.5), "{answer}");
    assert!(near(&row["min"], (ln2 + 2.0 * ln2 - 1.0) / 2.0) && near(&row["max"], 0.75), "{answer}");
    assert!(near(&answer["by_query"][1]["min"], 2.0 * ln2 - 1.0), "{answer}");
    assert!(answer["notes"][0].as_str().unwrap().contains("one and two"));
}

#[test]
fn what_is_wrong_is_said() {
    for (a, b, arguments, words) in [
        (A, B, vec!["rbo", "a"], "2 values"),
        (A, B, vec!["rbo", "a", "b", "-p", "1"], "between 0 and 1"),
        (A, "9 Q0 a 1 1 t\n", vec!["rbo", "a", "b"], "at least one topic of a"),
        (A, "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n", vec!["rbo", "a", "b"], "each document once"),
        (A, "1 Q0 a 1 high t\n", vec!["rbo", "a", "b"], "score"),
    ] {
        let done = karat(&[("a", a), ("b", b)], &arguments);
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!((done.status.code(), done.stdout.len()), (Some(2), 0), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}
