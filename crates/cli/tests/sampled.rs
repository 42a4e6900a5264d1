//! Sampled judgements through the real program: from the file to the sources of the standard error.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::process::{Command, Output};

fn eval(qrels: &str, run: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("q"), qrels).unwrap();
    fs::write(folder.path().join("a.run"), run).unwrap();
    Command::new(env!("CARGO_BIN_EXE_karat"))
        .args(["eval", "q", "a.run"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap()
}

/// The text after a key of JSON, up to the next comma or brace.
fn number(json: &str, key: &str) -> f64 {
    let rest = json.split_once(&format!("\"{key}\":")).unwrap().1.trim_start();
    rest[..rest.find([',', '}', '\n']).unwrap()].trim().parse().unwrap()
}

const RUN: &str = "1 Q0 d1 1 3 r\n1 Q0 d2 2 2 r\n1 Q0 d3 3 1 r\n";

#[test]
fn a_sample_of_the_pool_has_its_own_standard_error() {
    // d1 relevant, d2 not drawn, d3 not relevant: the estimate is 1, and 0 without d1, 1 without d3. By the jackknife
    // (1 - 2/3) (1/2) ((1 - 1/2)^2 + (0 - 1/2)^2) = 1/12.
    let qrels = "1 0 d1 1 1\n1 0 d2 1 -1\n1 0 d3 1 0\n";
    let done = eval(qrels, RUN, &["-m", "xinfAP", "-q", "-f", "json"]);
    let json = String::from_utf8(done.stdout).unwrap();
    assert!((number(&json, "value") - 1.0).abs() < 1e-12, "{json}");
    assert!((number(&json, "judgement_sampling") - 1.0 / 12.0).abs() < 1e-12, "{json}");
    assert!((number(&json, "std_error") - (1.0_f64 / 12.0).sqrt()).abs() < 1e-12, "{json}");
    let by_query = json.split_once("\"by_query\"").unwrap().1;
    assert!((number(by_query, "std_error") - (1.0_f64 / 12.0).sqrt()).abs() < 1e-12, "{json}");
}

/// What NIST's sample_eval.pl prints since its change of 10 October 2011, and what it printed before.
#[test]
fn inferred_ndcg_is_sample_evals() {
    let qrels = "1 0 d1 1 2\n1 0 d2 1 -1\n1 0 d3 1 1\n";
    for (measure, printed) in [("infNDCG", "0.8944"), ("infNDCG(rounded=false)", "1.4687")] {
        let done = eval(qrels, RUN, &["-m", measure, "-f", "json"]);
        let value = number(&String::from_utf8(done.stdout).unwrap(), "value");
        assert_eq!(format!("{value:.4}"), printed, "{measure}");
    }
}

#[test]
fn probabilities_make_documents_count_for_several() {
    // d1 counts 1, d3 1/0.5 = 2: htP@3 = 3/3; its variance (1 - 0.5) 2^2 (1/3)^2 = 2/9. Method 2 makes d2 certain.
    let done = eval("1 d1 1 0 1\n1 d2 0 2 0.25\n1 d3 1 1 0.5\n", RUN, &["-m", "htP@3", "-f", "json"]);
    let json = String::from_utf8(done.stdout).unwrap();
    assert!((number(&json, "value") - 1.0).abs() < 1e-12, "{json}");
    assert!((number(&json, "judgement_sampling") - 2.0 / 9.0).abs() < 1e-12, "{json}");
}

/// The methods from 11 on, which `karat sample` writes: a fixed number of documents.
#[test]
fn samples_of_karat_sample_are_known() {
    let qrels = "1 d1 1 11 1\n1 d2 0 11 0.25\n1 d3 1 11 0.5\n";
    // htP@3 = (1 + 2)/3. d2 and d3 were left to chance, with 1 - p = 3/4 and 1/2 and values 0 and 2/3: their mean 4/15,
    // 2/1 * ((3/4)(4/15)^2 + (1/2)(2/5)^2) = 4/15.
    let done = eval(qrels, RUN, &["-m", "htP@3", "-f", "json"]);
    let json = String::from_utf8(done.stdout).unwrap();
    assert!((number(&json, "value") - 1.0).abs() < 1e-12, "{json}");
    assert!((number(&json, "judgement_sampling") - 4.0 / 15.0).abs() < 1e-12, "{json}");
    let done = eval(qrels, RUN, &["-m", "statAP", "-f", "json"]);
    let json = String::from_utf8(done.stdout).unwrap();
    assert!(json.contains("\"value\": null"), "{json}");
    let why =
        "undefined (biased on samples of karat sample: use htP, htRBP or htDCG; for AP, --design strata and xinfAP)";
    assert!(json.contains(why), "{json}");
}

#[test]
fn a_stratum_of_which_nothing_was_judged_leaves_the_topic_out_and_says_so() {
    let qrels = "1 0 d1 1 1\n1 0 d2 2 -1\n1 0 d3 1 0\n2 0 d1 1 1\n";
    let run = format!("{RUN}2 Q0 d1 1 1 r\n");
    let done = eval(qrels, &run, &["-m", "xinfAP,infNDCG,infP@2", "-f", "json"]);
    let json = String::from_utf8(done.stdout).unwrap();
    let scores = json.split_once("\"scores\"").unwrap().1;
    assert_eq!(number(scores, "topics"), 1.0, "{json}");
    for measure in ["xinfAP", "infNDCG", "infP@2"] {
        let note = format!("{measure} of r leaves out 1 topic where it is undefined (nothing was judged of a stratum");
        assert!(json.contains(&note), "{json}");
    }
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let line = |topic: u32, at: u32| {
        format!("{topic} 0 d{at} {} {}\n", at % 3, [1, 0, -1, 2, -1][((at * 7 + topic) % 5) as usize])
    };
    let qrels: String = (1..9).flat_map(|topic| (0..40).map(move |at| (topic, at))).map(|(t, a)| line(t, a)).collect();
    let run: String = (1..9)
        .flat_map(|topic| (0..40).map(move |at| format!("{topic} Q0 d{} {at} {} r\n", (at * 11) % 50, 100 - at)))
        .collect();
    let answers = ["1", "2", "5"].map(|threads| {
        eval(&qrels, &run, &["-m", "xinfAP,infNDCG,infP@10", "-q", "-f", "csv", "--threads", threads]).stdout
    });
    assert!(!answers[0].is_empty() && answers.iter().all(|answer| *answer == answers[0]));
}
