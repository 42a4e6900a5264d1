//! `karat eval --unjudged q=...|band|fit|urn`.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

use serde_json::Value;

/// Six topics of one list each: ranks 1 and 3 judged, rank 2 not.
fn files(folder: &std::path::Path) {
    let (mut qrels, mut run) = (String::new(), String::new());
    for topic in 1..=6 {
        qrels.push_str(&format!("{topic} 0 a {}\n{topic} 0 c {}\n", topic % 2, u8::from(topic == 2)));
        run.push_str(&format!("{topic} Q0 a 1 3 r\n{topic} Q0 b 2 2 r\n{topic} Q0 c 3 1 r\n"));
    }
    std::fs::write(folder.join("qrels"), qrels).unwrap();
    std::fs::write(folder.join("run"), run).unwrap();
    std::fs::write(folder.join("one"), "1 0 a 1\n").unwrap();
    std::fs::write(folder.join("none"), "1 0 z 1\n2 0 z 0\n").unwrap();
}

fn karat(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder.path()).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = karat(&[&["eval", "qrels", "run", "-f", "json"], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    crate::schema::parse(&output.stdout)
}

fn refused(arguments: &[&str]) -> String {
    let output = karat(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_given_chance_by_hand() {
    // P@3: a in three topics of six, c in one: (3 + 1)/18 judged; rank 2 adds q/3 = 1/12. Var: six topics of
    // (1/9) · (1/4)(3/4) each, over 36: 1/9 · 3/16 / 6 = 1/288.
    let found = json(&["-m", "P@3,Judged@3", "--unjudged", "q=0.25"]);
    let score = &found["scores"][0];
    assert!((score["value"].as_f64().unwrap() - (4.0 / 18.0 + 1.0 / 12.0)).abs() < 1e-12);
    assert!((score["sources"]["unjudged"].as_f64().unwrap() - 1.0 / 288.0).abs() < 1e-12);
    // Fewer than thirty topics: the distribution itself. Bounds as ever.
    assert_eq!(score["unjudged_method"], "bernoulli_sum");
    assert!((score["low"].as_f64().unwrap() - 4.0 / 18.0).abs() < 1e-12);
    // std_error is the root of all sources.
    let sum: f64 = score["sources"].as_object().unwrap().values().map(|variance| variance.as_f64().unwrap()).sum();
    assert!((score["std_error"].as_f64().unwrap() - sum.sqrt()).abs() < 1e-12);
    // Judged is about judging: 2/3, and no chance about it.
    assert!((found["scores"][1]["value"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12);
    assert!(found["scores"][1]["sources"].get("unjudged").is_none());
}

#[test]
fn documents_below_the_depth_are_judged_too() {
    // Nothing of a to d is judged, all are relevant for certain; m is missed. Of the five, -M 2 looks at two: AP is
    // (1 + 1)/5, as with a to d judged.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("q"), "1 0 m 1\n1 0 e 0\n").unwrap();
    std::fs::write(folder.path().join("r"), "1 Q0 a 1 4 r\n1 Q0 b 2 3 r\n1 Q0 c 3 2 r\n1 Q0 d 4 1 r\n").unwrap();
    let arguments = ["eval", "q", "r", "-M", "2", "-m", "AP,R@2", "--unjudged", "q=1", "-f", "json"];
    let done = Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder.path()).output().unwrap();
    let found: Value = crate::schema::parse(&done.stdout);
    for score in found["scores"].as_array().unwrap() {
        assert!((score["value"].as_f64().unwrap() - 0.4).abs() < 1e-12, "{score}");
    }
}

#[test]
fn models_are_compared_and_one_is_used() {
    for (unjudged, names) in [("fit", 4), ("band", 4), ("urn", 5)] {
        let found = json(&["-m", "AP,RBP", "--unjudged", unjudged]);
        let models = found["models"].as_array().unwrap();
        assert_eq!(models.len(), names);
        assert_eq!(models.iter().filter(|model| model["used"] == true).count(), 1);
        let loss = |model: &Value| model["log_loss"].as_f64().unwrap();
        assert!(models.iter().all(|model| loss(model) > 0.0));
        if unjudged == "fit" {
            let used = models.iter().find(|model| model["used"] == true).unwrap();
            let others = models.iter().filter(|model| model["model"] != "band");
            assert!(others.into_iter().all(|model| loss(model) >= loss(used)));
        }
        for score in found["scores"].as_array().unwrap() {
            assert!(score["sources"]["unjudged"].as_f64().unwrap() > 0.0);
            let (low, high, value) = (score["low"].as_f64(), score["high"].as_f64(), score["value"].as_f64());
            assert!(low <= value && value <= high);
        }
        // AP is drawn, and says what the draws cost.
        assert!(found["scores"][0]["sources"]["monte_carlo"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn threads_do_not_matter_and_the_seed_does() {
    let with = |more: &[&str]| json(&[&["-m", "AP", "--unjudged", "fit"], more].concat())["scores"].to_string();
    assert_eq!(with(&["--threads", "1"]), with(&["--threads", "4"]));
    assert_ne!(with(&["--seed", "1"]), with(&["--seed", "2"]));
}

#[test]
fn refusals_say_what_to_do() {
    let eval = |qrels, more: &[&'static str]| refused(&[&["eval", qrels, "run", "-m", "AP"], more].concat());
    for chance in ["q=1.5", "q=-0.1", "q=NaN"] {
        assert!(eval("qrels", &["--unjudged", chance]).contains("from 0 to 1, such as q=0.1"), "{chance}");
    }
    assert!(eval("qrels", &["--unjudged", "guess"]).contains("expected one of bounds"));
    assert!(eval("one", &["--unjudged", "fit"]).contains("one topic only"));
    assert!(eval("none", &["--unjudged", "fit"]).contains("nothing to fit a model to"));
    assert!(eval("qrels", &["--unjudged", "fit", "-J"]).contains("cannot be combined"));
    assert!(eval("qrels", &["--unjudged", "fit", "--ties", "range"]).contains("--ties range"));
    assert!(eval("qrels", &["--unjudged", "q=0.1", "-l", "3"]).contains("--max-grade"));
}

/// A depth says what measures look at: what is known of relevance by rank stays, and with it the value of a measure that looks no deeper.
#[test]
fn a_depth_does_not_change_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let answer = |arguments: &[&str]| {
        let karat = std::process::Command::new(env!("CARGO_BIN_EXE_karat"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(karat.status.success(), "{}", String::from_utf8_lossy(&karat.stderr));
        karat.stdout
    };
    answer(&["demo", "-o", ".", "--no-report"]);
    for model in ["fit", "band", "urn"] {
        let files = ["qrels.txt", "newcomer.run", "baseline.run", "-f", "json", "--unjudged", model];
        let eval = |more: &[&str]| crate::schema::parse(&answer(&[&["eval"], &files[..], more].concat()));
        let (whole, cut) = (eval(&["-m", "P@10"]), eval(&["-m", "P@10", "-M", "10"]));
        assert_eq!((&cut["models"], &cut["scores"]), (&whole["models"], &whole["scores"]), "{model}");
        let compare = |more: &[&str]| {
            let own = ["--permutations", "200", "-m", "P@10"];
            crate::schema::parse(&answer(&[&["compare"], &files[..], &own, more].concat()))["comparisons"].clone()
        };
        // The urn is drawn, with other random numbers for cut lists. newcomer has (0.868 - 0.402) * 10 = 4.7 unjudged documents in its first ten; at a
        // chance of a half their share has sd sqrt(4.7 / 4) / 10 = 0.11. Over 50 topics and 200 draws the mean has 0.0011, the difference of two
        // such means 0.0015; three of these are 0.005.
        let near = if model == "urn" { 0.005 } else { 0.0 };
        let (whole, cut) = (compare(&[]), compare(&["-M", "10"]));
        let apart = whole[0]["difference"].as_f64().unwrap() - cut[0]["difference"].as_f64().unwrap();
        assert!(apart.abs() <= near, "{model}: {apart}");
        // What could be relevant below the depth is known by number only; that is said.
        let notes = eval(&["-m", "nDCG@10", "-M", "10"])["notes"].to_string();
        assert!(notes.contains("(-M)"), "{notes}");
    }
}
