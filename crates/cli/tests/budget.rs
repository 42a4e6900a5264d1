//! `karat budget`: by hand, and what it says to hopeless input.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Five topics. `one` ranks a b; a is relevant in topics 1 and 2 only; b is judged in topics 1 and 5 only (not relevant). `two` ranks b a.
/// `lone` has topic 1 only, `flat` a document that is judged alike everywhere.
fn files(folder: &Path) {
    let mut qrels = String::from("1 0 b 0\n5 0 b 0\n");
    let (mut one, mut two, mut flat) = (String::new(), String::new(), String::new());
    for topic in 1..=5 {
        qrels.push_str(&format!("{topic} 0 a {}\n{topic} 0 z 1\n", u8::from(topic <= 2)));
        one.push_str(&format!("{topic} Q0 a 1 9 one\n{topic} Q0 b 2 8 one\n"));
        two.push_str(&format!("{topic} Q0 b 1 9 two\n{topic} Q0 a 2 8 two\n"));
        flat.push_str(&format!("{topic} Q0 z 1 9 flat\n"));
    }
    for (name, text) in [("qrels", qrels), ("one", one), ("two", two), ("flat", flat)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    std::fs::write(folder.join("single"), "1 0 a 1\n").unwrap();
    let judges =
        r#"{"schema": "karat/2", "command": "judges calibrate", "grades": [0, 1], "counts": [[80, 20], [10, 90]]}"#;
    std::fs::write(folder.join("judges.json"), judges).unwrap();
}

fn karat(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    Command::new(env!("CARGO_BIN_EXE_karat")).arg("budget").args(arguments).current_dir(folder.path()).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = karat(&[arguments, &["-f", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    crate::schema::parse(text.as_bytes())
}

fn refused(arguments: &[&str]) -> String {
    let output = karat(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

fn near(value: &Value, expected: f64) {
    assert!((value.as_f64().unwrap() - expected).abs() < 1e-9, "{value}, expected {expected}");
}

fn source<'v>(found: &'v Value, name: &str) -> &'v Value {
    let all = found["budget"].as_array().unwrap();
    all.iter().find(|row| row["source"] == name).unwrap_or_else(|| panic!("no {name} in {all:?}"))
}

/// t(.975, 4) and the normal quantile.
const T: f64 = 2.776_445_105_197_793;
const Z: f64 = 1.959_963_984_540_054;

#[test]
fn a_score_by_hand() {
    // P@2 with q = .2 for b in topics 2 to 4: expected .5, .5 + .1, .1, .1, 0: mean .26, squares around it .0576 + .1156 + 2 · .0256 + .0676 =
    // .292, s² = .073, over 5 topics .0146. Each b has weight 1/2: .25 · .2 · .8 = .04; three of them over 25: .0048.
    let found = json(&["qrels", "one", "-m", "P@2", "--unjudged", "q=0.2"]);
    near(&found["value"], 0.26);
    near(&found["observed"], 0.2);
    near(&source(&found, "topics")["variance"], 0.0146);
    near(&source(&found, "unjudged")["variance"], 0.0048);
    let total: f64 = 0.0146 + 0.0048;
    near(&source(&found, "unjudged")["share"], 0.0048 / total);
    near(&found["std_error"], total.sqrt());
    let half = (T * 0.0146f64.sqrt()).hypot(Z * 0.0048f64.sqrt());
    near(&found["half_width"], half);
    near(&found["interval"][0], 0.26 - half);
    // The three documents, each .04/25 = .0016; the chance is given, so there is no error of a fit and nothing interacts.
    let next = found["next"].as_array().unwrap();
    let documents: Vec<(&str, &str)> =
        next.iter().map(|row| (row["topic"].as_str().unwrap(), row["document"].as_str().unwrap())).collect();
    assert_eq!(documents, [("2", "b"), ("3", "b"), ("4", "b")]);
    near(&next[0]["weight"], 0.5);
    near(&next[0]["variance_removed"], 0.0016);
    assert!(found["budget"].as_array().unwrap().iter().all(|row| row["source"] != "interaction"));
    assert!(found["target"].is_null() && found.get("advice").is_none());
}

#[test]
fn a_difference_cancels_what_both_have() {
    // P@2: a and b in both lists, so nothing is open and all differences are 0: no spread to judge chance by.
    let said = refused(&["qrels", "one", "two", "-m", "P@2", "--unjudged", "q=0.2"]);
    assert!(said.contains("5 topics that all have 0"), "{said}");
    // P@1: a less b: topic 1 is 1 - 0; topics 2 to 4 have b open with chance .2: 1 - .2, -.2, -.2; topic 5 is 0. Mean .28; squares .5184 + .2704 +
    // 2 · .2304 + .0784 = 1.328; s²/n = 1.328/20. Open: 3 · .16/25 = .0192.
    let found = json(&["qrels", "one", "two", "-m", "P@1", "--unjudged", "q=0.2"]);
    near(&found["value"], 0.28);
    near(&source(&found, "topics")["variance"], 1.328 / 20.0);
    near(&source(&found, "unjudged")["variance"], 0.0192);
    near(&found["next"][0]["weight"], -1.0);
    near(&found["next"][0]["variance_removed"], 0.0064);
}

#[test]
fn judges_and_what_units_buy_by_hand() {
    // P@1 of one: 1, 1, 0, 0, 0, all judged. m_R = .9, m_N = .8, D = .7: corrected (1 - .2)/.7 and -.2/.7; s² = .3/.7². Equation 7 with
    // θ = .2/.7: (θ² · .09 + (1 - θ)² · .16) / 100 / .49.
    let options = ["qrels", "one", "-m", "P@1", "--calibration", "judges.json"];
    let found = json(&options);
    let theta: f64 = 0.2 / 0.7;
    let judges = (theta * theta * 0.09 + (1.0 - theta).powi(2) * 0.16) / 100.0 / 0.49;
    near(&source(&found, "judges")["variance"], judges);
    let topics = 0.06 / 0.49;
    near(&source(&found, "topics")["variance"], topics);
    near(&found["value"], theta);
    // 200 gold labels; ten more: 200/210 of it, and a little more because new labels are planned with doubt: 200 (200 + 10 u) / 210², u drawn.
    let buys = &source(&found, "judges")["unit_buys"];
    let left = (buys["std_error"].as_f64().unwrap().powi(2) - topics) / judges;
    let unsure = (left * 210.0 * 210.0 / 200.0 - 200.0) / 10.0;
    assert!((1.0..1.1).contains(&unsure), "{unsure}");
    near(&buys["half_width"], (T * topics.sqrt()).hypot(Z * (judges * left).sqrt()));
    assert_eq!(source(&found, "judges")["unit"], "10 more gold labels");
    // Gold labels alone leave T √topics, topics alone Z √judges; a mix goes below both.
    let width = |half: f64| (2.0 * half).to_string();
    let floor = T * topics.sqrt();
    let more = json(&[&options[..], &["--target-width", &width(0.9 * floor)]].concat());
    let rows = more["advice"].as_array().unwrap();
    let strategies: Vec<&str> = rows.iter().map(|row| row["strategy"].as_str().unwrap()).collect();
    assert_eq!(strategies, ["cheapest", "topics", "gold"]);
    assert_eq!((&rows[2]["reaches"], &rows[2]["cost"]), (&false.into(), &Value::Null));
    near(&rows[2]["half_width"], floor);
    let costs: Vec<f64> = rows[..2].iter().map(|row| row["cost"].as_f64().unwrap()).collect();
    assert!(costs[0] <= costs[1], "{costs:?}");
    assert!(rows[0]["half_width"].as_f64().unwrap() <= 0.9 * floor);
    // Below what the calibration leaves, topics alone cannot go.
    let deep = json(&[&options[..], &["--target-width", &width(0.9 * Z * judges.sqrt())]].concat());
    let topics_alone = &deep["advice"][1];
    assert_eq!((topics_alone["strategy"].as_str(), &topics_alone["reaches"]), (Some("topics"), &false.into()));
    assert_eq!(deep["advice"][0]["reaches"], true);
    assert!(deep["notes"].to_string().contains("topics alone cannot reach"), "{}", deep["notes"]);
}

#[test]
fn prices_decide_and_are_printed() {
    let options = ["qrels", "one", "-m", "P@2", "--unjudged", "q=0.2", "--target-width", "0.4"];
    let usual = json(&options);
    // Twelve judgements on five topics: 2.4 per topic.
    assert!(usual["notes"].to_string().contains("topic 2.40 (2.40 judgements"), "{}", usual["notes"]);
    let (cheapest, topics) = (&usual["advice"][0], &usual["advice"][1]);
    assert!(cheapest["cost"].as_f64().unwrap() <= topics["cost"].as_f64().unwrap());
    near(&topics["cost"], 2.4 * topics["topics"].as_f64().unwrap());
    let dear = json(&[&options[..], &["--price", "topic=100"]].concat());
    near(&dear["advice"][1]["cost"], 100.0 * topics["topics"].as_f64().unwrap());
    // Without topics it cannot be done, and the answer says what can.
    let none = json(&[&options[..], &["--price", "topic=none"]].concat());
    assert_eq!((&none["advice"][0]["reaches"], &none["advice"][0]["cost"]), (&false.into(), &Value::Null));
    assert!(none["notes"].to_string().contains("cannot be reached"), "{}", none["notes"]);
    // Met already: nothing to do.
    let wide = json(&[&options[..6], &["--target-width", "9"]].concat());
    assert_eq!((&wide["advice"][0]["topics"], &wide["advice"][0]["cost"]), (&0.into(), &0.0.into()));
}

#[test]
fn other_measures_are_drawn() {
    // RR of one: a at rank 1 settles topics 1 and 2, b topic 5; in 3 and 4 RR is 1/2 with chance .2: variance .25 · .16 = .04 each, 2 · .04/25 =
    // .0032 but for the draws (4000: 2%).
    let found = json(&["qrels", "one", "-m", "RR", "--unjudged", "q=0.2", "--draws", "4000"]);
    let unjudged = source(&found, "unjudged")["variance"].as_f64().unwrap();
    assert!((unjudged / 0.0032 - 1.0).abs() < 0.1, "{unjudged}");
    let next = found["next"].as_array().unwrap();
    assert_eq!(next.len(), 2, "{next:?}");
    near(&next[0]["weight"], 0.5);
    assert!(source(&found, "monte_carlo")["variance"].as_f64().unwrap() < 1e-5);
    assert_eq!(found, json(&["qrels", "one", "-m", "RR", "--unjudged", "q=0.2", "--draws", "4000", "--threads", "1"]));
}

#[test]
fn hopeless_input_is_told_what_is_wrong() {
    for (arguments, says) in [
        (&["single", "one", "-m", "P@1"][..], "at least 5 topics with scores that differ, found 1 with a score"),
        (&["qrels", "flat", "-m", "P@1"], "5 topics that all have 1"),
        (&["qrels", "one", "-m", "P@1,P@2"], "one measure"),
        (&["qrels", "one", "-m", "GMAP"], "averaged over topics"),
        (&["qrels", "one", "two", "flat", "-m", "P@1"], "one run, or two for their difference; found 3"),
        (&["qrels", "one", "-m", "P@1", "--unjudged", "urn"], "use fit, band or q=0.1"),
        (&["qrels", "one", "--price", "topic=-1"], "the price of a topic is '-1'; expected a number above 0"),
        (&["qrels", "one", "--price", "gold=NaN"], "the price of a gold is 'NaN'"),
        (&["qrels", "one", "--price", "beer=1"], "'beer' has no price"),
        (&["qrels", "one", "--price", "7"], "'7' is not a price"),
        (&["qrels", "one", "--target-width", "-0.1"], "--target-width needs a number above 0, found -0.1"),
        (&["qrels", "one", "--level", "1"], "--level needs a number between 0 and 1"),
    ] {
        let said = refused(arguments);
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
    // Not about unjudged documents at all: topics are the whole budget.
    let found = json(&["qrels", "one", "-m", "Judged@2"]);
    assert_eq!(found["budget"].as_array().unwrap().len(), 1);
    near(&found["budget"][0]["share"], 1.0);
    let nonrelevant = json(&["qrels", "one", "-m", "P@2", "--unjudged", "nonrelevant"]);
    assert_eq!(nonrelevant["budget"].as_array().unwrap().len(), 1);
}
