//! `karat plan topics`: by hand, and its errors.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Four topics; a run has r first where its text has a 1, else n.
fn files(folder: &Path) {
    let qrels: String = (1..=4).map(|topic| format!("{topic} 0 r 1\n{topic} 0 n 0\n")).collect();
    std::fs::write(folder.join("qrels"), qrels).unwrap();
    for (name, hits) in [("a", "1101"), ("b", "0100"), ("c", "0010"), ("up", "1111"), ("down", "0000")] {
        let line = |(topic, hit): (usize, char)| {
            let (first, second) = if hit == '1' { ("r", "n") } else { ("n", "r") };
            format!("{topic} Q0 {first} 1 2 {name}\n{topic} Q0 {second} 2 1 {name}\n")
        };
        let text: String = (1..).zip(hits.chars()).map(line).collect();
        std::fs::write(folder.join(name), text).unwrap();
    }
}

fn karat(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let mut command = Command::new(env!("CARGO_BIN_EXE_karat"));
    command.args(["plan", "topics"]).args(arguments).current_dir(folder.path()).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = karat(&[arguments, &["-f", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    crate::schema::parse(&output.stdout)
}

fn refused(arguments: &[&str]) -> String {
    let output = karat(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

fn near(value: &Value, expected: f64, slack: f64) {
    let value = value.as_f64().unwrap_or(f64::NAN);
    assert!((value - expected).abs() < slack, "{value}, expected {expected}");
}

#[test]
fn from_a_standard_deviation() {
    // A difference of half a standard deviation: 34 topics at a power of 0.8 (statsmodels, TTestPower().solve_power(0.5, power=.8, alpha=.05) = 33.4).
    let found = json(&["--sd", "0.1", "--difference", "0.05"]);
    let plan = &found["plans"][0];
    assert_eq!((plan["topics"].as_u64(), plan["sd_interval"].is_null()), (Some(34), true));
    near(&plan["level_per_pair"], 0.95, 1e-12);
    // Five topics: t(.975, 4) = 2.776445, E[s]/sd with 4 degrees of freedom 0.939986; times sd/√5.
    let found = json(&["--sd", "0.2", "--sd-topics", "5", "--topics", "5"]);
    let plan = &found["plans"][0];
    near(&plan["half_width"], 2.776_445_105 * 0.939_985_603 * 0.2 / 5f64.sqrt(), 1e-8);
    // Its ends go with those of sd: χ² with 4 degrees of freedom 0.484419 and 11.143287 (any table).
    let ends = [(4.0 / 11.143_287f64).sqrt(), (4.0 / 0.484_419f64).sqrt()];
    for (at, end) in ends.into_iter().enumerate() {
        near(&plan["sd_interval"][at], 0.2 * end, 1e-5);
        near(&plan["half_width_interval"][at], plan["half_width"].as_f64().unwrap() * end, 1e-4);
        near(&plan["difference_interval"][at], plan["difference"].as_f64().unwrap() * end, 1e-4);
    }
    // What topics detect and the topics a difference needs are each other's reverse.
    let found = json(&["--sd", "0.2", "--topics", "50"]);
    let size = found["plans"][0]["difference"].as_f64().unwrap() * 1.000_001;
    assert_eq!(json(&["--sd", "0.2", "--difference", &size.to_string()])["plans"][0]["topics"], 50);
}

#[test]
fn from_pilot_runs() {
    // P@1 of a less b: 1, 0, 0, 1. Mean 1/2, variance 4 · (1/4) / 3 = 1/3.
    let found = json(&["--qrels", "qrels", "--runs", "a", "b", "-m", "P@1", "--difference", "0.5"]);
    near(&found["plans"][0]["sd"], (1.0f64 / 3.0).sqrt(), 1e-12);
    // χ² with 3 degrees of freedom: 0.215795 and 9.348404.
    near(&found["plans"][0]["sd_interval"][0], (1.0f64 / 9.348_404).sqrt(), 1e-6);
    near(&found["plans"][0]["sd_interval"][1], (1.0f64 / 0.215_795).sqrt(), 1e-5);
    let ends = &found["plans"][0]["topics_interval"];
    let topics = found["plans"][0]["topics"].as_f64().unwrap();
    assert!(ends[0].as_f64().unwrap() < topics && topics < ends[1].as_f64().unwrap());
    // One run: the interval of its score. 1, 1, 0, 1: variance (3/16 · 4) / 3 = 1/4.
    let found = json(&["--qrels", "qrels", "--runs", "a", "-m", "P@1", "--half-width", "0.1"]);
    near(&found["plans"][0]["sd"], 0.5, 1e-12);
    assert!(found["plans"][0]["difference"].is_null() && found["plans"][0]["run"] == "a");
}

#[test]
fn three_systems_are_three_pairs() {
    // Variances of the pairs' differences: a − b 1/3; a − c: 1, 1, −1, 1, variance (4 · 1 − 4 · (1/2)²) / 3 = 1; b − c: 0, 1, −1, 0, 2/3. Their mean, 2/3, is
    // twice the mean square of runs by topics.
    let found = json(&["--qrels", "qrels", "--runs", "a", "b", "c", "-m", "P@1", "--difference", "0.5"]);
    near(&found["plans"][0]["sd"], (2.0f64 / 3.0).sqrt(), 1e-12);
    // Of four topics max-T asks more than any t can reach; so the level is that of systems that vary alike.
    // SciPy 1.17.1: 2 norm.sf(studentized_range.ppf(.95, 3, inf) / √2) = 0.0190935.
    near(&found["plans"][0]["level_per_pair"], 1.0 - 0.019_093_492, 1e-8);
    let sds: Vec<f64> = (0..3).map(|at| found["pairs"][at]["sd"].as_f64().unwrap().powi(2)).collect();
    for (sd, expected) in sds.iter().zip([1.0 / 3.0, 1.0, 2.0 / 3.0]) {
        assert!((sd - expected).abs() < 1e-12, "{sds:?}");
    }
    let said = found["notes"].to_string();
    assert!(said.contains("max-T") && said.contains("vary alike") && said.contains("a and c need"), "{said}");
    let baseline = json(&["--sd", "1", "--difference", "0.5", "--systems", "3", "--pairs", "baseline"]);
    near(&baseline["plans"][0]["level_per_pair"], 0.975, 1e-12);
    let none = json(&["--sd", "1", "--difference", "0.5", "--systems", "9", "--correction", "none"]);
    near(&none["plans"][0]["level_per_pair"], 0.95, 1e-12);
}

#[test]
fn bad_input_is_told() {
    let pilot = ["--qrels", "qrels", "--runs", "a"];
    for (arguments, words) in [
        (&["--sd", "0.1"][..], "--half-width"),
        (&["--difference", "0.1"], "--sd"),
        (&["--sd", "0", "--difference", "0.1"], "above 0"),
        (&["--sd", "0.1", "--difference", "-0.1"], "above 0"),
        (&["--sd", "0.1", "--difference", "0.1", "--power", "0.04"], "--power"),
        (&["--sd", "0.1", "--topics", "1"], "2.."),
        (
            &["--sd", "0.1", "--topics", "9", "--systems", "3", "--pairs", "baseline", "--correction", "tukey"],
            "all pairs",
        ),
        (
            &["--sd", "0.1", "--topics", "9", "--systems", "3", "--pairs", "baseline", "--correction", "max_t"],
            "all pairs",
        ),
        (&[&pilot[..], &["--difference", "0.1"]].concat(), "two pilot runs"),
        (&[&pilot[..], &["--half-width", "0.1", "--of", "difference"]].concat(), "two pilot runs"),
        (&[&pilot[..], &["b", "--difference", "0.1", "-m", "P@1", "--only-topics", "9"]].concat(), "topic \"9\""),
        (&["--qrels", "qrels", "--runs", "up", "down", "-m", "P@1", "--difference", "0.1"], "vary between topics"),
        (&["--qrels", "qrels", "--runs", "up", "-m", "P@1", "--half-width", "0.1"], "differ between topics"),
        (&[&pilot[..], &["b", "--difference", "0.1", "-m", "GMAP"]].concat(), "averaged over topics"),
    ] {
        let said = refused(arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

/// One answer: the topics that `compare --all-pairs` says a pair needs are those that a plan from the same runs gives for its difference.
#[test]
fn compare_and_plan_agree() {
    let folder = tempfile::tempdir().unwrap();
    let karat = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_karat"));
        let done = command.args(arguments).args(["-f", "json"]).current_dir(folder.path()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        crate::schema::parse(&done.stdout)
    };
    let mut demo = Command::new(env!("CARGO_BIN_EXE_karat"));
    demo.args(["demo", "-o", ".", "--no-report"]).current_dir(folder.path()).output().unwrap();
    let runs = ["baseline.run", "expanded.run", "fusion.run", "newcomer.run"];
    let options = ["-m", "nDCG@10", "--unjudged", "nonrelevant"];
    let compared = karat(&[&["compare", "qrels.txt"], &runs[..], &options, &["--all-pairs"]].concat());
    assert!(compared["notes"].to_string().contains("step-down max-T"), "{}", compared["notes"]);
    for (place, pair) in compared["comparisons"].as_array().unwrap().iter().enumerate() {
        let size = pair["difference"].as_f64().unwrap().abs().to_string();
        let plan = ["plan", "topics", "--qrels", "qrels.txt", "--difference", &size, "-m", "nDCG@10", "--runs"];
        let planned = karat(&[&plan[..], &runs].concat());
        let of_pair = &planned["pairs"][place];
        assert_eq!((&of_pair["a"], &of_pair["b"]), (&pair["a"], &pair["b"]));
        assert_eq!(of_pair["topics"], pair["topics_needed"]);
        assert!(planned["notes"].to_string().contains("as the pilot runs vary"), "{}", planned["notes"]);
    }
}
