//! `karat eval`: its tables fit a terminal of 80 columns, and every format for programs says the same.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn karat(folder: &Path, arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

fn demo() -> TempDir {
    let folder = tempdir().unwrap();
    karat(folder.path(), &["demo", "-o", ".", "--no-report"]);
    folder
}

/// Every option that changes the tables.
const OPTIONS: &[&[&str]] = &[
    &[],
    &["-q"],
    &["-q", "--ties", "range"],
    &["-q", "--unjudged", "fit"],
    &["--unjudged", "urn", "-m", "RBP(p=0.8)"],
    &["-q", "--unjudged", "nonrelevant"],
    &["--score-bands", "5"],
    &["-q", "--gold", "complete-qrels.txt"],
];

#[test]
fn tables_fit_80_columns() {
    let folder = demo();
    for options in OPTIONS {
        let words = karat(folder.path(), &[&["eval", "qrels.txt", "baseline.run", "newcomer.run"], *options].concat());
        // A table is as wide as the line below its headings.
        let widths: Vec<usize> =
            words.lines().filter(|line| line.starts_with('─')).map(|line| line.chars().count()).collect();
        assert!(!widths.is_empty() && widths.iter().all(|width| *width <= 80), "{options:?}: {widths:?}");
    }
}

#[test]
fn csv_and_json_lines_have_the_rows_of_json() {
    let folder = demo();
    for options in OPTIONS {
        let all = |format: &str| {
            let asked = ["eval", "qrels.txt", "baseline.run", "newcomer.run", "-f", format];
            karat(folder.path(), &[&asked[..], options].concat())
        };
        let json: Value = serde_json::from_str(&all("json")).unwrap();
        let arrays = json.as_object().unwrap().iter().filter(|(name, _)| *name != "notes");
        let rows: usize = arrays.filter_map(|(_, value)| value.as_array()).map(Vec::len).sum();
        // CSV has a header.
        assert_eq!(all("csv").lines().count(), rows + 1, "{options:?}");
        assert_eq!(all("jsonl").lines().count(), rows, "{options:?}");
    }
}
