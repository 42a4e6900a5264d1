//! `karat pool`, `sample` and `next` on collections small enough to check by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Run a ranks d1 d2 d3, run b ranks d2 d4; d3 is judged relevant, d9 was never retrieved.
const A: &str = "1 Q0 d1 1 3 a\n1 Q0 d2 2 2 a\n1 Q0 d3 3 1 a\n";
const B: &str = "1 Q0 d2 1 3 b\n1 Q0 d4 2 2 b\n";
const QRELS: &str = "1 0 d3 1\n1 0 d9 0\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a", A), ("b", B), ("q", QRELS)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).current_dir(folder).args(arguments).output().unwrap()
}

/// A form is not written over another.
fn without_old_form(folder: &Path) {
    let _ = std::fs::remove_file(folder.join("form"));
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    if arguments.contains(&"--form") {
        without_old_form(folder);
    }
    let done = karat(folder, &[arguments, &["-f", "json"]].concat());
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    crate::schema::parse(&done.stdout)
}

fn listed(answer: &Value, table: &str, field: &str) -> Vec<String> {
    let text = |row: &Value| row[field].as_str().map_or_else(|| row[field].to_string(), str::to_owned);
    answer[table].as_array().unwrap().iter().map(text).collect()
}

fn near(value: &Value, expected: f64) -> bool {
    (value.as_f64().unwrap() - expected).abs() < 1e-12
}

#[test]
fn a_pool_says_who_contributed_what() {
    let folder = folder();
    let answer = json(folder.path(), &["pool", "a", "b", "-M", "2", "--qrels", "q", "--form", "form"]);
    assert_eq!(listed(&answer, "pool", "document"), ["d1", "d2", "d4"]);
    assert_eq!(listed(&answer, "pool", "rank"), ["1", "1", "2"]);
    assert_eq!(answer["pool"][1]["by"], serde_json::json!(["a", "b"]));
    assert_eq!(listed(&answer, "contributions", "documents"), ["2", "2"]);
    assert_eq!(listed(&answer, "contributions", "alone"), ["1", "1"]);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("form")).unwrap(),
        "1 0 d3 1\n1 0 d9 0\n1 0 d1 -1\n1 0 d2 -1\n1 0 d4 -1\n"
    );
    // The form is judgements: of run a, d3 is judged (1/8 of RBP), the rest is open.
    let answer = json(folder.path(), &["eval", "form", "a", "-m", "RBP(p=0.5)"]);
    assert!(near(&answer["scores"][0]["high"], 1.0) && near(&answer["scores"][0]["low"], 0.125));
    // At depth 3 d3 is there, which is judged.
    let answer = json(folder.path(), &["pool", "a", "b", "-M", "3", "--qrels", "q", "--form", "form"]);
    assert_eq!(listed(&answer, "pool", "judged"), ["false", "false", "false", "true"]);
    assert!(std::fs::read_to_string(folder.path().join("form")).unwrap().ends_with("1 0 d3 1\n"));
}

/// RBP with p = 1/2: ranks weigh 1/2, 1/4, 1/8. Run a: d3 judged, so b = 1/8; 3/4 open, and 1/8 below the list: r = 7/8.
/// Run b: b = 0, 3/4 open, 1/4 below: r = 1.
#[test]
fn weights_by_hand() {
    let folder = folder();
    let next = |arguments: &[&str]| {
        let all = [&["next", "q", "a", "b", "-m", "RBP(p=0.5)"], arguments].concat();
        json(folder.path(), &all)
    };
    let a = next(&["--strategy", "A"]);
    assert_eq!(listed(&a, "next", "document"), ["d2", "d1", "d4"]);
    assert!(near(&a["next"][0]["weight"], 0.25 + 0.5) && near(&a["next"][1]["weight"], 0.5));
    assert_eq!(a["next"][0]["why"], "rank 1 in b, 2 in a");
    // After d2: a 7/8 - 1/4, b 1 - 1/2; after d1: a 1/8, b 1/2; after d4: a 1/8, b 1/4.
    for (row, open) in [0.625, 0.5, 0.25].into_iter().enumerate() {
        assert!(near(&a["next"][row]["open_after"], open), "{a}");
    }
    assert!(near(&a["runs"][0]["residual"], 0.875) && near(&a["runs"][0]["value"], 0.125));
    assert!(near(&a["runs"][1]["residual_after"], 0.25) && near(&a["runs"][1]["residual_least"], 0.25));
    let b = next(&["--strategy", "b", "--count", "1"]);
    assert!(near(&b["next"][0]["weight"], 0.25 * 0.875 + 0.5), "{b}");
    // C: a (1/8 + 7/16)^3 = (9/16)^3, b (1/2)^3.
    let c = next(&["--strategy", "C", "--count", "1"]);
    assert!(near(&c["next"][0]["weight"], 0.25 * 0.875 * 0.5625f64.powi(3) + 0.5 * 0.125), "{c}");
    // A fair coin has variance 1/4: d2 (1/16 + 1/4) / 4.
    let variance = next(&["--q", "0.5", "--count", "1"]);
    assert!(near(&variance["next"][0]["weight"], 0.078125), "{variance}");
    // Of the difference: d1 (1/2)^2 / 4; d2 (1/4 - 1/2)^2 / 4, as d4 (1/4)^2 / 4, and comes before it by docno.
    for about in ["differences", "top"] {
        let answer = next(&["--q", "0.5", "--about", about]);
        assert_eq!(listed(&answer, "next", "document"), ["d1", "d2", "d4"], "{answer}");
        assert!(near(&answer["next"][0]["weight"], 0.0625) && near(&answer["next"][1]["weight"], 0.015625));
        // Open at first |1/2| + |1/4 - 1/2| + |1/4| + 1/8 + 1/4 = 11/8, less 1/2.
        assert!(near(&answer["next"][0]["open_after"], 0.875), "{answer}");
    }
}

/// One list, x and then r, which is judged relevant: x alone can change anything. With it relevant less with it not, of two relevant documents or one:
/// RR 1 − 1/2; AP (1 + 1)/2 − 1/2; nDCG@2 1 − 1/log2 3; ERR (a document satisfies with 1/2) 1/2 + 1/8 − 1/4. Times a coin's variance, 1/4.
#[test]
fn effects_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a", "1 Q0 x 1 2 a\n1 Q0 r 2 1 a\n"), ("q", "1 0 r 1\n")] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    for (measure, effect) in [
        ("RR", 0.5),
        ("AP", 0.5),
        ("nDCG@2", 1.0 - 1.0 / 3f64.log2()),
        ("ERR", 0.375),
        ("RBP(p=0.5)", 0.5),
        ("nERR@1", 1.0),
    ] {
        let answer = json(folder.path(), &["next", "q", "a", "-m", measure, "--q", "0.5"]);
        assert_eq!(listed(&answer, "next", "document"), ["x"], "{measure}");
        assert!(near(&answer["next"][0]["weight"], effect * effect / 4.0), "{measure}: {answer}");
        let is_linear = measure.starts_with("RBP");
        assert_eq!(answer["next"][0]["open_after"].is_null(), !is_linear);
        assert_eq!(answer["runs"][0]["residual_after"].is_null(), !is_linear);
    }
}

/// `budget` and `next` have one definition: the variance that a judgement removes is effect² q (1 − q) / topics², with budget's effects.
#[test]
fn next_has_the_effects_of_budget() {
    let folder = folder();
    let at = folder.path();
    assert!(karat(at, &["demo", "-o", "demo"]).status.success());
    let files = ["demo/qrels.txt", "demo/baseline.run", "demo/newcomer.run"];
    for measure in ["nDCG@10", "AP", "RR"] {
        let budget = json(at, &[&["budget"], &files[..], &["-m", measure, "--unjudged", "q=0.3"]].concat());
        let next = json(at, &[&["next"], &files[..], &["-m", measure, "--q", "0.3", "--about", "top"]].concat());
        let documents = budget["next"].as_array().unwrap();
        let found = next["next"].as_array().unwrap();
        let same = |row: &&Value| documents.iter().find(|own| own["document"] == row["document"]);
        let both: Vec<(f64, f64)> =
            found.iter().filter_map(|row| Some((row["weight"].as_f64()?, same(&row)?["weight"].as_f64()?))).collect();
        assert!(both.len() >= 5, "{measure}: {next} {budget}");
        for (priority, effect) in both {
            let expected = effect * effect * 0.21 / 2500.0;
            assert!((priority - expected).abs() < 1e-12 * priority.max(1.0), "{measure}: {priority} {expected}");
        }
        let width = |run: usize| {
            let eval = json(at, &[&["eval"], &files[..], &["-m", measure]].concat());
            eval["scores"][run]["high"].as_f64().unwrap() - eval["scores"][run]["low"].as_f64().unwrap()
        };
        assert!((next["runs"][1]["residual"].as_f64().unwrap() - width(1)).abs() < 1e-12);
    }
}

#[test]
fn the_residual_is_the_width_of_evals_bounds() {
    let folder = folder();
    assert!(karat(folder.path(), &["demo", "-o", "demo"]).status.success());
    let files = ["demo/qrels.txt", "demo/fusion.run", "demo/newcomer.run"];
    for measure in ["RBP(p=0.8)", "P@10", "DCG@20", "RBP(p=0.9,gain=linear)@50"] {
        let eval = json(folder.path(), &[&["eval"], &files[..], &["-m", measure]].concat());
        let next = json(folder.path(), &[&["next"], &files[..], &["-m", measure]].concat());
        for run in 0..2 {
            let score = &eval["scores"][run];
            let width = score["high"].as_f64().unwrap() - score["low"].as_f64().unwrap();
            assert!((next["runs"][run]["residual"].as_f64().unwrap() - width).abs() < 1e-12, "{measure}: {next}");
            assert!((next["runs"][run]["value"].as_f64().unwrap() - score["value"].as_f64().unwrap()).abs() < 1e-12);
        }
    }
}

#[test]
fn a_target_stops_and_its_judgements_reach_it() {
    let folder = folder();
    let target = ["next", "q", "a", "b", "-m", "RBP(p=0.5)", "--strategy", "A", "--target", "0.5", "--form", "form"];
    let answer = json(folder.path(), &target);
    assert_eq!(listed(&answer, "next", "document"), ["d2", "d1"]);
    assert!(answer["notes"][0].as_str().unwrap().starts_with("2 judgements reach the target 0.5"), "{answer}");
    let form = std::fs::read_to_string(folder.path().join("form")).unwrap();
    assert_eq!(form, "1 0 d3 1\n1 0 d9 0\n1 0 d2 -1\n1 0 d1 -1\n");
    // Whatever the judges say, nothing is wider than the target.
    std::fs::write(folder.path().join("judged"), form.replacen("-1", "0", 1).replacen("-1", "1", 1)).unwrap();
    let answer = json(folder.path(), &["next", "judged", "a", "b", "-m", "RBP(p=0.5)", "--target", "0.5"]);
    assert!(answer["next"].as_array().unwrap().is_empty());
    assert_eq!(answer["notes"][0], "The target 0.5 is already met.");
    for row in json(folder.path(), &["eval", "judged", "a", "b", "-m", "RBP(p=0.5)"])["scores"].as_array().unwrap() {
        assert!(row["high"].as_f64().unwrap() - row["low"].as_f64().unwrap() <= 0.5, "{row}");
    }
    // With all judged there is nothing to choose from.
    std::fs::write(folder.path().join("all"), "1 0 d1 0\n1 0 d2 0\n1 0 d3 0\n1 0 d4 1\n").unwrap();
    let answer = json(folder.path(), &["next", "all", "a", "b"]);
    assert!(answer["notes"][0].as_str().unwrap().starts_with("Nothing left to judge"), "{answer}");
}

#[test]
fn a_replay_by_hand() {
    let folder = folder();
    let path = folder.path();
    // First x: 1/2 + 1/4 = 3/4. Second y: 1/2. Third z: 1/4.
    std::fs::write(path.join("x"), "1 Q0 r 1 2 x\n1 Q0 s 2 1 x\n").unwrap();
    std::fs::write(path.join("y"), "1 Q0 s 1 2 y\n1 Q0 n 2 1 y\n").unwrap();
    std::fs::write(path.join("z"), "1 Q0 n 1 2 z\n1 Q0 r 2 1 z\n").unwrap();
    std::fs::write(path.join("j"), "1 0 r 1\n1 0 s 1\n1 0 n 0\n").unwrap();
    let replay = ["next", "j", "x", "y", "z", "-m", "RBP(p=0.5)", "--replay", "--repetitions", "3"];
    let answer = json(path, &replay);
    let rows = answer["replay"].as_array().unwrap();
    let row = |strategy: &str| rows.iter().find(|row| row["strategy"] == strategy).unwrap();
    // Depth and A see n, r, s alike and take them by docno. n: nothing. r: x 1/2, z 1/4, y 0. s: x 3/4, y 1/2, z 1/4. So the
    // order is right with the third. x is certainly before y with the second: r has put it 1/2 ahead, n has added nothing to y, and
    // s can give y 1/4 more than x.
    for strategy in ["depth", "A"] {
        let found = row(strategy);
        assert_eq!((&found["top_two"], &found["tau"], &found["certain"]), (&3.into(), &3.into(), &2.into()), "{found}");
        assert_eq!((&found["judgements"], &found["top_two_range"]), (&3.into(), &Value::Null));
    }
    assert_eq!(answer["curve"].as_array().unwrap().len(), 8 * 51);
    // Any number of threads, the same answer.
    let one = json(path, &[&replay[..], &["--threads", "1"]].concat());
    assert_eq!(one, answer);
}

#[test]
fn a_sample_records_its_probabilities_and_comes_back() {
    let folder = folder();
    let path = folder.path();
    assert!(karat(path, &["demo", "-o", "demo"]).status.success());
    let runs = ["demo/baseline.run", "demo/fusion.run"];
    let sample = |more: &[&str]| json(path, &[&["sample"], &runs[..], more].concat());
    for design in [
        &["--design", "uniform", "--rate", "0.3"][..],
        &["--design", "strata", "--strata", "5:1,30:0.2"],
        &["--design", "weighted", "--rate", "0.3", "-M", "30"],
    ] {
        let answer = sample(design);
        let rows = answer["sample"].as_array().unwrap();
        let topics: std::collections::BTreeSet<&str> = rows.iter().map(|row| row["topic"].as_str().unwrap()).collect();
        for topic in topics {
            let own = || rows.iter().filter(|row| row["topic"] == topic);
            let expected: f64 = own().map(|row| row["probability"].as_f64().unwrap()).sum();
            let drawn = own().filter(|row| row["drawn"] == true).count();
            assert!((expected - drawn as f64).abs() < 1e-9, "{design:?} {topic}: {expected} {drawn}");
        }
        // Threads and the order of runs change nothing; the seed does.
        assert_eq!(answer["sample"], sample(&[design, &["--threads", "1"]].concat())["sample"]);
        let turned = json(path, &[&["sample", runs[1], runs[0]], design].concat());
        assert_eq!(turned["sample"], answer["sample"], "{design:?}");
        assert_ne!(sample(&[design, &["--seed", "2"]].concat())["sample"], answer["sample"]);
    }
    // A form asks; eval does not take it before it is answered.
    let judged = ["--qrels", "demo/qrels.txt", "--form", "form"];
    for design in [&judged[..], &["--rate", "1", "--form", "form"], &["--design", "weighted", "--form", "form"]] {
        sample(design);
        let done = karat(path, &["eval", "form", runs[0]]);
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.code() == Some(2) && said.contains("a form that is not complete"), "{said}");
    }
    // Of judged documents only, all grades are known.
    for design in ["uniform", "weighted"] {
        sample(&[&judged[..], &["-J", "--design", design]].concat());
        assert!(karat(path, &["eval", "form", runs[0], "-m", "infAP"]).status.success(), "{design}");
    }
    // All of it is no sample: infAP is that of the whole qrels, as far as the pool goes.
    let all = ["-J", "--rate", "1", "-M", "1000", "--form-format", "trec"];
    sample(&[&judged[..], &all].concat());
    let value = |qrels: &str| json(path, &["eval", qrels, runs[0], "-m", "P@10"])["scores"][0]["value"].clone();
    assert_eq!(value("form"), value("demo/qrels.txt"));
    let note = sample(&["--qrels", "demo/qrels.txt", "--until-relevant", "--rate", "0.01"]);
    assert!(note["notes"].to_string().contains("biases"), "{note}");
}

/// Before anybody judged: a form of pool counts as unjudged (bounds from 0 to 1) and that is said; a form of sample, in which -1 means that a
/// document was not drawn, is refused.
#[test]
fn a_form_that_nobody_filled_in_does_not_pass_for_judgements() {
    let folder = folder();
    let at = folder.path();
    assert!(karat(at, &["pool", "a", "--form", "pool.txt"]).status.success());
    let done = karat(at, &["eval", "pool.txt", "a", "-m", "P@1", "-f", "json"]);
    let answer = crate::schema::parse(&done.stdout);
    assert_eq!((&answer["scores"][0]["low"], &answer["scores"][0]["high"]), (&0.0.into(), &1.0.into()));
    assert!(answer["notes"][0].as_str().unwrap().starts_with("warning: no document is judged"), "{}", answer["notes"]);
    assert!(karat(at, &["sample", "a", "--rate", "1", "--form", "sample.txt"]).status.success());
    let done = karat(at, &["eval", "sample.txt", "a"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("help: judge the document and write its grade"));
}

#[test]
fn what_is_wrong_is_said() {
    let folder = folder();
    std::fs::write(folder.path().join("elsewhere"), "nowhere 0 d1 1\n").unwrap();
    for (arguments, words) in [
        (&["pool", "a", "-M", "0"][..], "0 is not in 1"),
        (&["pool", "a", "a"], "unique run names"),
        (&["sample", "a", "--rate", "0"], "above 0 and at most 1"),
        (&["sample", "a", "--rate", "1.5"], "above 0 and at most 1"),
        (&["sample", "a", "--rate", "nan"], "above 0 and at most 1"),
        (&["sample", "a", "--design", "strata"], "needs --strata"),
        (&["sample", "a", "--design", "strata", "--strata", "5:0"], "DEPTH:RATE"),
        (&["sample", "a", "--design", "strata", "--strata", "0:1"], "DEPTH:RATE"),
        (&["sample", "a", "--design", "strata", "--strata", "9:1,5:1"], "rising"),
        (&["sample", "a", "--design", "weighted", "-m", "AP"], "linear in gain"),
        (&["sample", "a", "--until-relevant"], "--qrels"),
        (&["next", "q", "a", "--target", "0.1", "-m", "RBP(p=0.5)"], "expected at least 0.125"),
        (&["next", "q", "a", "--target", "-1"], "from 0 on"),
        (&["next", "q", "a", "--q", "1.1"], "from 0 to 1"),
        (
            &["next", "q", "a", "-m", "nDCG@10", "--strategy", "A", "--q", "0.5"],
            "--strategy A: expected a measure linear in gain",
        ),
        (
            &["next", "q", "a", "-m", "nDCG@10", "--target", "0.1", "--q", "0.5"],
            "--target: expected a measure linear in gain",
        ),
        (&["next", "q", "a", "-m", "nDCG@10", "--replay"], "--replay: expected a measure linear in gain"),
        (&["next", "q", "a", "-m", "nDCG@10"], "help: give the probability: --q 0.1"),
        (&["next", "q", "a", "-m", "Bpref"], "on which the judgement of one document has an effect"),
        (&["next", "q", "a", "--random-share", "0.5"], "--random-share: expected at least two runs"),
        (&["next", "q", "a", "b", "--random-share", "1.5"], "above 0 and at most 1"),
        (&["next", "q", "a", "b", "-m", "AP", "--q", "0.5", "--random-share", "0.5"], "karat settle --design topics"),
        (&["next", "q", "a", "--about", "top"], "at least two runs"),
        (&["next", "q", "a", "b", "--about", "top", "--strategy", "A"], "needs --strategy variance"),
        (&["next", "q", "a", "b", "--replay"], "at least three runs"),
        (&["next", "q", "a", "--form", "q"], "--form is the input file q"),
        (&["next", "q", "a", "-l", "99"], "-l: expected a grade that occurs"),
        (&["budget", "q", "a", "-m", "P@2", "-l", "99"], "no document can be relevant"),
        (&["tune", "q", "a", "b", "-m", "P@2", "-l", "99"], "no document can be relevant"),
        (
            &["plan", "topics", "--difference", "0.1", "--qrels", "q", "--runs", "a", "b", "-m", "P@2", "-l", "99"],
            "no document can be relevant",
        ),
        (&["published", "study", "q", "a", "b", "-l", "99"], "no document can be relevant"),
        (&["pool", "a", "--qrels", "elsewhere"], "at least one topic of the judgements"),
        (&["sample", "a", "--qrels", "elsewhere"], "at least one topic of the judgements"),
        (&["pool", "a", "--form", "b"], "--form b: the file exists, and may hold judges' work"),
        (&["pool", "a", "--form", "c.txt", "-f", "json", "-o", "c.txt"], "-o and --form are the same file: c.txt"),
        (&["pool", "a", "--form", "c.xz"], "plain or with the ending gz or zst"),
        (&["pool", "a", "--form", "-"], "plain or with the ending gz or zst"),
        (&["next", "q", "a", "--q", "0"], "leave nothing to learn from a judgement"),
        (&["next", "q", "a", "--topics", "7"], "judgements for topic"),
    ] {
        let done = karat(folder.path(), arguments);
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!((done.status.code(), done.stdout.len()), (Some(2), 0), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}
