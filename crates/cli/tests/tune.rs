//! `karat tune`: by hand, the record of looks at test topics, and what it says to hopeless input.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Eight topics; a run has r first where its text has a 1, else n. P@1 on topics 1 to 4 and 5 to 8: base 2/4 and 2/4, good 3/4 and 1/4, lucky 3/4 and 4/4.
const RUNS: [(&str, &str); 3] = [("base", "11000110"), ("good", "01110100"), ("lucky", "11101111")];

fn files(folder: &Path) {
    let qrels: String = (1..=8).map(|topic| format!("{topic} 0 r 1\n{topic} 0 n 0\n")).collect();
    std::fs::write(folder.join("qrels"), qrels).unwrap();
    for (name, hits) in RUNS {
        let line = |(topic, hit): (usize, char)| {
            let (first, second) = if hit == '1' { ("r", "n") } else { ("n", "r") };
            format!("{topic} Q0 {first} 1 2 {name}\n{topic} Q0 {second} 2 1 {name}\n")
        };
        let text: String = (1..).zip(hits.chars()).map(line).collect();
        std::fs::write(folder.join(name), text).unwrap();
    }
    std::fs::create_dir(folder.join("grid")).unwrap();
    std::fs::write(folder.join("grid/runs.csv"), "k1,run,b\n0.9,../base,0.4\n1.2,../good,\"0,75\"\n").unwrap();
    std::fs::write(folder.join("grid/none.csv"), "file,k1\nbase,1\n").unwrap();
    std::fs::write(folder.join("grid/ragged.tsv"), "run\tk1\n../base\t1\t2\n\t3\n").unwrap();
    std::fs::write(folder.join("grid/one.csv"), "run\n../base\n").unwrap();
    std::fs::write(folder.join("notes.txt"), "do not touch\n").unwrap();
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    folder
}

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).arg("tune").args(arguments).current_dir(folder).output().unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = karat(folder, &[arguments, &["-m", "P@1", "-f", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    crate::schema::parse(&output.stdout)
}

const ALL: [&str; 4] = ["qrels", "base", "good", "lucky"];
const SPLIT: [&str; 4] = ["--dev", "1,2,3,4", "--test", "5,6,7,8"];

fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap_or(f64::NAN);
    assert!((value - expected).abs() < 1e-12, "{value}, expected {expected}");
}

#[test]
fn chosen_on_some_topics_reported_on_others() {
    let folder = folder();
    let found = json(folder.path(), &[&ALL[..], &SPLIT, &["--folds", "4"]].concat());
    // Sums on topics 1 to 4: base 2, good 3, lucky 3; of equal runs the first.
    assert_eq!((found["chosen"].as_str(), found["baseline"].as_str()), (Some("good"), Some("base")));
    near(&found["dev_value"], 0.75);
    // Chosen without topic 1: 1, 3, 2, good, which has 0 there. Without 2: 1, 2, 2, good, 1. Without 3: 2, 2, 2, base, 0. Without 4: 2, 2, 3, lucky, 0.
    near(&found["fresh_value"], 0.25);
    near(&found["optimism"], 0.5);
    near(&found["stability"], 0.5);
    assert!(found["optimism_std_error"].as_f64().unwrap() > 0.0);
    // On topics 5 to 8 good has 1 of 4, base 2 of 4.
    near(&found["test_value"], 0.25);
    near(&found["fall"], 0.5);
    // Each has a standard error of √(3/16 · 4/3 / 4) = 1/4; together √(1/8).
    near(&found["fall_std_error"], 0.125f64.sqrt());
    // The lead was 1/4 and is −1/4.
    near(&found["lead_fall"], 0.5);
    near(&found["comparison"][0]["difference"], -0.25);
    assert_eq!(found["comparison"][0]["verdict"], "undecided");
    assert_eq!(found["folds"].as_array().unwrap().len(), 4);
    let without_1 = found["folds"].as_array().unwrap().iter().find(|fold| fold["names"][0] == "1").unwrap();
    assert_eq!(without_1["chosen"], "good");
    near(&without_1["elsewhere"], 1.0);
    near(&without_1["here"], 0.0);
    // Test scores of those two only.
    let shown = |found: &Value| -> Vec<String> {
        let runs = found["runs"].as_array().unwrap().iter().filter(|run| !run["test_value"].is_null());
        runs.map(|run| run["run"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(shown(&found), ["good", "base"]);
    let all = json(folder.path(), &[&ALL[..], &SPLIT, &["--reveal"]].concat());
    assert_eq!(shown(&all), ["good", "lucky", "base"]);
    assert!(found["notes"].to_string().contains("Equally good on development topics: lucky"));
}

#[test]
fn threads_do_not_matter_and_the_rest_is_for_choosing() {
    let folder = folder();
    let of = |threads: &str| {
        json(folder.path(), &[&ALL[..], &["--test", "5,6,7,8", "--log", threads, "--threads", threads]].concat())
    };
    let (one, two) = (of("1"), of("2"));
    assert_eq!(one["dev_topics"], 4);
    for key in ["optimism", "optimism_std_error", "comparison", "runs"] {
        assert_eq!(one[key], two[key], "{key}");
    }
    // No test topics: nothing is recorded.
    let found = json(folder.path(), &[&ALL[..], &["--folds", "2"]].concat());
    assert!(
        found["test_value"].is_null() && found["dev_topics"] == 8 && !folder.path().join("karat-tune.log").exists()
    );
    // The baseline itself is best: base 2, good 1, lucky 4 of topics 5 to 8.
    let found =
        json(folder.path(), &[&ALL[..], &["--dev", "5,6,7,8", "--test", "1,2", "--baseline", "lucky"]].concat());
    assert!(found["chosen"] == "lucky" && found["comparison"].is_null() && found["runs"][0]["chosen"] == true);
}

#[test]
fn every_look_is_recorded_and_told() {
    let folder = folder();
    let look = |more: &[&str]| json(folder.path(), &[&ALL[..], more].concat());
    let log = || std::fs::read_to_string(folder.path().join("karat-tune.log")).unwrap();
    let first = look(&SPLIT);
    assert!(first["opened_before"] == 0 && !first["notes"].to_string().contains("opened"));
    let kept = log();
    let line: Value = serde_json::from_str(kept.trim_end()).unwrap();
    assert_eq!((line["chosen"].as_str(), line["test_topics"]["count"].as_u64()), (Some("good"), Some(4)));
    assert_eq!(line["runs"].as_array().unwrap().len(), 3);
    let second = look(&SPLIT);
    assert_eq!(second["opened_before"], 1);
    assert!(second["notes"][0].as_str().unwrap().contains("opened once before"), "{}", second["notes"]);
    assert!(log().starts_with(&kept) && log().lines().count() == 2);
    // Another judgement changes the file's hash; its name is the same, so are the topics.
    let qrels = std::fs::read_to_string(folder.path().join("qrels")).unwrap();
    std::fs::write(folder.path().join("qrels"), qrels + "8 0 m 0\n").unwrap();
    assert_eq!(look(&SPLIT)["opened_before"], 2);
    let some = look(&["--dev", "1,2,3,4", "--test", "5,6"]);
    assert_eq!(some["opened_before"], 0);
    assert!(some["notes"][0].as_str().unwrap().contains("some of them with others 3 times"), "{}", some["notes"]);
    // Beside -o.
    std::fs::create_dir(folder.path().join("out")).unwrap();
    let output = karat(folder.path(), &[&ALL[..], &SPLIT, &["-m", "P@1", "-o", "out/answer.json"]].concat());
    assert!(output.status.success() && folder.path().join("out/karat-tune.log").exists());
    // A line somebody left unfinished stays, and the next begins anew.
    std::fs::write(folder.path().join("cut.log"), kept.clone() + "{\"karat_tune\":").unwrap();
    assert_eq!(look(&[&SPLIT[..], &["--log", "cut.log"]].concat())["opened_before"], 1);
    let cut = std::fs::read_to_string(folder.path().join("cut.log")).unwrap();
    assert!(cut.starts_with(&kept) && cut.lines().count() == 3 && cut.lines().nth(1) == Some("{\"karat_tune\":"));
    // What is no record is left alone, and without a record there is no answer.
    let output = karat(folder.path(), &[&ALL[..], &SPLIT, &["-m", "P@1", "--log", "notes.txt"]].concat());
    assert!(output.status.code() == Some(2) && output.stdout.is_empty());
    assert_eq!(std::fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "do not touch\n");
    let output = karat(folder.path(), &[&ALL[..], &SPLIT, &["-m", "P@1", "--log", "no/such/folder"]].concat());
    assert!(output.status.code() == Some(3) && output.stdout.is_empty());
    let output = karat(folder.path(), &[&ALL[..], &SPLIT, &["-m", "P@1", "--log", "good"]].concat());
    assert!(
        output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("is the input file good")
    );
}

#[test]
fn runs_by_parameter() {
    let folder = folder();
    let found = json(folder.path(), &["qrels", "--manifest", "grid/runs.csv"]);
    assert_eq!(found["candidates"], 2);
    let good = found["runs"].as_array().unwrap().iter().find(|run| run["run"] == "good").unwrap();
    assert_eq!(
        (good["parameters"][0]["name"].as_str(), good["parameters"][1]["value"].as_str()),
        (Some("k1"), Some("0,75"))
    );
}

#[test]
fn bad_input_is_told() {
    let folder = folder();
    for (arguments, words) in [
        (&["qrels", "base"][..], "at least two runs"),
        (&["qrels"], "<RUN>"),
        (&["qrels", "base", "good", "--dev", "1,2,3", "--test", "3,4,2"], "2 topics (\"2\", \"3\")"),
        (&["qrels", "base", "good", "--dev", "1,99"], "topic \"99\" (--dev)"),
        (&["qrels", "base", "good", "--test", "1,2,3,4,5,6,7,8"], "leave some"),
        (&["qrels", "base", "good", "--dev", "1,2,3", "--folds", "4"], "some would be empty, take at most 3"),
        (&["qrels", "base", "good", "--dev", "1"], "at least 2 needed"),
        (&["qrels", "base", "good", "--baseline", "best"], "choose one of base, good"),
        (&["qrels", "base", "good", "-m", "P@2"], "one measure"),
        (&["qrels", "base", "good", "--reveal"], "--test"),
        (&["qrels", "base", "good", "--folds", "1"], "--folds"),
        (&["qrels", "--manifest", "grid/none.csv"], "the columns file, k1"),
        (&["qrels", "--manifest", "grid/ragged.tsv"], "ragged.tsv:2"),
        (&["qrels", "--manifest", "grid/ragged.tsv"], "ragged.tsv:3"),
        (&["qrels", "--manifest", "grid/one.csv"], "at least two runs"),
    ] {
        let output = karat(folder.path(), &[arguments, &["-m", "P@1"]].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(words), "{arguments:?}: {said}");
    }
    let output = karat(folder.path(), &["qrels", "--manifest", "nowhere.csv"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(!folder.path().join("karat-tune.log").exists());
}
