//! `karat compare --sensitivity`, orders of runs and hard topics, by hand.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Topics that runs have. On a last one, where it is asked for, no run has a relevant document, so that differences are not equal on every topic.
const TOPICS: usize = 10;

/// Ten topics with r (grade 1), s (grade 2), t1 to t5 (grade 1) and n1 to n9 (not relevant). `early` has r first and nothing else, `late` has t1 to t5 at ranks 6
/// to 10, `none` nothing; `tied` has r and n1 with the same score, `few` is `early` on four topics only; `best` has s first.
fn files(folder: &Path, blank: bool) {
    let last = TOPICS + usize::from(blank);
    let documents = ["r 1", "s 2", "t1 1", "t2 1", "t3 1", "t4 1", "t5 1"].map(str::to_owned);
    let not = (1..=9).map(|number| format!("n{number} 0"));
    let judged: Vec<String> = documents.into_iter().chain(not).collect();
    let qrels: String =
        (1..=last).flat_map(|topic| judged.iter().map(move |line| format!("{topic} 0 {line}\n"))).collect();
    std::fs::write(folder.join("qrels"), &qrels).unwrap();
    std::fs::write(folder.join("again"), qrels).unwrap();
    let nothing = |name: &str| if blank { format!("{last} Q0 n1 1 1 {name}\n") } else { String::new() };
    for (name, list, topics) in [
        ("early", "r n1 n2 n3 n4 n5 n6 n7 n8 n9", 10),
        ("late", "n1 n2 n3 n4 n5 t1 t2 t3 t4 t5", 10),
        ("none", "n1 n2 n3 n4 n5 n6 n7 n8 n9", 10),
        ("few", "r n1 n2 n3 n4 n5 n6 n7 n8 n9", 4),
        ("best", "s n1 n2 n3 n4 n5 n6 n7 n8 n9", 10),
    ] {
        let lines = (1..=topics).flat_map(|topic| {
            (1..)
                .zip(list.split(' '))
                .map(move |(rank, docno)| format!("{topic} Q0 {docno} {rank} {} {name}\n", 100 - rank))
        });
        std::fs::write(folder.join(name), lines.collect::<String>() + &nothing(name)).unwrap();
    }
    let tied: String = (1..=10).map(|topic| format!("{topic} Q0 r 1 5 tied\n{topic} Q0 n1 2 5 tied\n")).collect();
    let tied = tied + &nothing("tied");
    std::fs::write(folder.join("tied"), tied).unwrap();
}

fn json(arguments: &[&str]) -> Value {
    compare(arguments, false)
}

/// With the last topic: means are 10/11 of those on ten topics.
fn json_with_blank(arguments: &[&str]) -> Value {
    compare(arguments, true)
}

fn compare(arguments: &[&str], blank: bool) -> Value {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path(), blank);
    let output = Command::new(env!("CARGO_BIN_EXE_karat"))
        .arg("compare")
        .args(arguments)
        .args(["-f", "json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    crate::schema::parse(&output.stdout)
}

fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap_or(f64::NAN);
    assert!((value - expected).abs() < 1e-9, "{value}, expected {expected}");
}

/// The row of a choice.
fn row(found: &Value, choice: &str, setting: &str) -> Value {
    let rows = found["sensitivity"].as_array().unwrap();
    rows.iter().find(|row| row["choice"] == choice && row["setting"] == setting).unwrap_or(&Value::Null).clone()
}

fn winner(row: &Value) -> (&str, bool) {
    (row["winner"].as_str().unwrap_or("no row"), row["same"].as_bool().unwrap_or(false))
}

#[test]
fn the_cut_off_turns_the_winner() {
    // P@5: 1/5 against 0 on every topic. P@10: 1/10 against 5/10.
    let found = json_with_blank(&["qrels", "early", "late", "-m", "P@5", "--sensitivity"]);
    let given = row(&found, "as given", "");
    near(&given["difference"], 0.2 * 10.0 / 11.0);
    // All ten differences that are not 0 have one sign: 2 of 1024 sign flips are as large.
    near(&given["p"], 2.0 / 1024.0);
    assert_eq!(winner(&given), ("early", true));
    let ten = row(&found, "cut-off", "10");
    near(&ten["difference"], -0.4 * 10.0 / 11.0);
    assert_eq!(winner(&ten), ("late", false));
    // P@100: 1/100 against 5/100. P without a cut-off there is not; the cut-off given is not listed again.
    near(&row(&found, "cut-off", "100")["difference"], -0.04 * 10.0 / 11.0);
    assert!(row(&found, "cut-off", "none").is_null() && row(&found, "cut-off", "5").is_null());
    // Nobody has ties.
    assert_eq!(winner(&row(&found, "ties", "docno rising")), ("early", true));
    assert_eq!(winner(&row(&found, "ties", "file")), ("early", true));
}

#[test]
fn ties_missing_topics_and_thresholds() {
    // r before n1 where docnos fall, after it where they rise.
    let found = json_with_blank(&["qrels", "tied", "none", "-m", "P@1", "--sensitivity"]);
    assert_eq!(winner(&row(&found, "as given", "")), ("tied", true));
    let rising = row(&found, "ties", "docno rising");
    near(&rising["difference"], 0.0);
    assert_eq!(winner(&rising), ("undecided", false));
    // Six of eleven topics missing that count: 6/11 on average, p = 2/64; without them both have the same.
    let found = json_with_blank(&["qrels", "early", "few", "-m", "P@1", "--sensitivity"]);
    near(&row(&found, "as given", "")["difference"], 6.0 / 11.0);
    near(&row(&found, "as given", "")["p"], 2.0 / 64.0);
    assert_eq!(winner(&row(&found, "as given", "")), ("early", true));
    let skipped = row(&found, "missing topics", "skip");
    near(&skipped["difference"], 0.0);
    assert_eq!(winner(&skipped), ("undecided", false));
    // Grade 1 and grade 2 at rank 1: the same from grade 1 on, not from grade 2 on.
    let found = json_with_blank(&["qrels", "early", "best", "-m", "P@1", "--sensitivity"]);
    assert_eq!(winner(&row(&found, "as given", "")), ("undecided", true));
    let strict = row(&found, "relevance threshold", "from grade 2");
    near(&strict["difference"], -10.0 / 11.0);
    assert_eq!(winner(&strict), ("best", false));
}

#[test]
fn persistence_and_gains() {
    // RBP: 1 − p for r at rank 1; p^5 − p^10 for five at ranks 6 to 10.
    let found = json_with_blank(&["qrels", "early", "late", "-m", "RBP(p=0.8)", "--sensitivity"]);
    for (p, shown) in [(0.5f64, "0.5"), (0.95, "0.95")] {
        near(&row(&found, "p", shown)["difference"], (1.0 - p - (p.powi(5) - p.powi(10))) * 10.0 / 11.0);
    }
    assert_eq!(winner(&row(&found, "p", "0.5")), ("early", false));
    assert_eq!(winner(&row(&found, "p", "0.95")), ("late", true));
    // The largest grade is 2: a document of grade 1 has gain 1/2.
    near(&row(&found, "gains", "linear")["difference"], 0.5 * (0.2 - (0.8f64.powi(5) - 0.8f64.powi(10))) * 10.0 / 11.0);
    let words = json_with_blank(&["qrels", "early", "late", "-m", "nDCG@10", "--sensitivity"]);
    assert!(!row(&words, "gains", "exp-log2").is_null());
}

#[test]
fn orders_of_runs_by_hand() {
    // P@5: 0.2, 0, 0; P@10: 0.1, 0.5, 0. early and late: turned; early and none: alike; late and none: tied in the first. tau_a = (1 − 1 + 0) / 3.
    let found = json(&["qrels", "early", "late", "none", "-m", "P@5,P@10", "--other-qrels", "again", "-q"]);
    let orders = found["orders"].as_array().unwrap();
    assert_eq!(orders.len(), 3);
    let both = &orders[0];
    assert_eq!((both["measure_a"].as_str(), both["measure_b"].as_str()), (Some("P@5"), Some("P@10")));
    near(&both["tau_a"], 0.0);
    near(&both["tau_b"], 0.0);
    assert!(both["tau_ap"].is_null());
    // Ranks 1, 2.5, 2.5 and 2, 1, 3: deviations −1, 1/2, 1/2 and 0, −1, 1.
    near(&both["spearman"], 0.0);
    near(&both["rms"], (0.26f64 / 3.0).sqrt());
    // Of the first 1: early and late, nothing in common. Of the first 2: early, and late or none, with early and late: 1 + 1/2. 0.09 · 3/4 + 0.081 + 0.729.
    near(&both["rbo"], 0.8775);
    // Every topic is the same, so is every resample.
    near(&both["tau_b_interval"][0], 0.0);
    // The same judgements again.
    assert_eq!((orders[1]["judgements_b"].as_str(), orders[1]["measure_b"].as_str()), (Some("again"), Some("P@5")));
    near(&orders[2]["tau_b"], 1.0);
    near(&orders[2]["tau_ap"], 1.0);
    near(&orders[2]["rms"], 0.0);
    let topic = &found["topics"][0];
    assert_eq!((topic["measure"].as_str(), topic["best_run"].as_str()), (Some("P@5"), Some("early")));
    near(&topic["mean"], 0.2 / 3.0);
    // 0.2, 0, 0: squares (4 + 1 + 1)/9 · 0.04 over 2.
    near(&topic["sd"], (0.04f64 / 3.0).sqrt());
    assert_eq!(found["topics"].as_array().unwrap().len(), 20);
    // Two runs have no order.
    assert!(json(&["qrels", "early", "late", "-m", "P@5,P@10"])["orders"].is_null());
}
