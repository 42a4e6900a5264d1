//! `karat compare`: by hand, and what it says to hopeless input.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Ten topics. Both runs have r (relevant), n (not) and u (nobody judged it): `good` ranks r u n, `bad` n u r, `swap` u r n. `same` is
/// `good` again; `lone` has topic 1 only.
fn files(folder: &Path) {
    let mut qrels = String::new();
    let mut runs = [("good", "r u n"), ("bad", "n u r"), ("swap", "u r n"), ("same", "r u n")]
        .map(|(name, order)| (name, order, String::new()));
    for topic in 1..=10 {
        qrels.push_str(&format!("{topic} 0 r 1\n{topic} 0 n 0\n"));
        for (name, order, text) in &mut runs {
            for (rank, docno) in (1..).zip(order.split(' ')) {
                text.push_str(&format!("{topic} Q0 {docno} {rank} {} {name}\n", 10 - rank));
            }
        }
    }
    std::fs::write(folder.join("qrels"), qrels).unwrap();
    runs.iter().for_each(|(name, _, text)| std::fs::write(folder.join(name), text).unwrap());
    std::fs::write(folder.join("lone"), "1 Q0 r 1 1 lone\n").unwrap();
    std::fs::write(folder.join("other"), "99 Q0 r 1 1 other\n").unwrap();
    // Half of the topics turned: wins and losses.
    let mixed = |topic: u32| if topic <= 7 { "r u n" } else { "n u r" };
    let text: String = (1..=10)
        .flat_map(|topic| {
            let line = move |(rank, docno): (u32, &str)| format!("{topic} Q0 {docno} {rank} {} mixed\n", 10 - rank);
            (1..).zip(mixed(topic).split(' ')).map(line).collect::<Vec<_>>()
        })
        .collect();
    std::fs::write(folder.join("mixed"), text).unwrap();
}

fn karat(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    Command::new(env!("CARGO_BIN_EXE_karat"))
        .arg("compare")
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = karat(&[arguments, &["-f", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    crate::schema::parse(&output.stdout)
}

fn refused(arguments: &[&str]) -> String {
    let output = karat(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn near(value: &Value, expected: f64) {
    assert!((number(value) - expected).abs() < 1e-12, "{value}, expected {expected}");
}

#[test]
fn the_bound_is_of_the_difference() {
    // P@1: 1 for good; swap has u there, so 0 or 1: 1 - [0, 1]. P@2: r and u in both, so 0 whatever u is; P@2 of each alone is open.
    let found = json(&["qrels", "good", "swap", "-m", "P@1,P@2,AP"]);
    let [first, second, third] = [0, 1, 2].map(|at| found["comparisons"][at].clone());
    assert_eq!(
        (first["measure"].as_str(), first["a"].as_str(), first["b"].as_str()),
        (Some("P@1"), Some("good"), Some("swap"))
    );
    near(&first["difference"], 1.0);
    near(&first["low"], 0.0);
    near(&first["high"], 1.0);
    near(&second["low"], 0.0);
    near(&second["high"], 0.0);
    // AP: u not relevant: 1 - 1/2; relevant: (1 + 1)/2 both, 0.
    near(&third["difference"], 0.5);
    near(&third["low"], 0.0);
    near(&third["high"], 0.5);
    assert_eq!(first["verdict"], "undecided");
}

#[test]
fn tests_effect_and_wins_by_hand() {
    // P@1 of mixed less bad: 1 on seven topics, 0 on three. Mean .7, sd sqrt(10/9 · .7 · .3) = .483046; t = .7 / (sd / sqrt 10) = 4.5826.
    // Sign flips: of seven ones all must be of one sign: 2 / 2^7 = .015625. Effect .7 / .483046 = 1.449138.
    let found = json(&["qrels", "mixed", "bad", "-m", "P@1", "--unjudged", "nonrelevant", "--test", "t,sign"]);
    let one = &found["comparisons"][0];
    near(&one["difference"], 0.7);
    let sd = (10.0f64 / 9.0 * 0.21).sqrt();
    near(&one["effect_size"], 0.7 / sd);
    let tests = one["tests"].as_array().unwrap();
    let names: Vec<&str> = tests.iter().map(|test| test["test"].as_str().unwrap()).collect();
    assert_eq!(names, ["t", "sign", "randomization"]);
    near(&tests[0]["statistic"], 0.7 / (sd / 10f64.sqrt()));
    near(&tests[1]["p"], 2.0 / 128.0);
    near(&tests[2]["p"], 2.0 / 128.0);
    assert_eq!((&one["wins"], &one["ties"], &one["losses"]), (&7.into(), &3.into(), &0.into()));
    assert_eq!(one["verdict"], "a");
    assert!(one["low"].is_null() && one["high"].is_null());
    // One pair: nothing to correct.
    near(&tests[2]["p_adjusted"], 2.0 / 128.0);
}

#[test]
fn holm_against_the_baseline_and_max_t_for_all_pairs() {
    let options = ["-m", "P@1", "--unjudged", "nonrelevant"];
    let found = json(&[&["qrels", "mixed", "bad", "good"], &options[..]].concat());
    let p: Vec<(f64, f64)> = found["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (number(&one["tests"][1]["p"]), number(&one["tests"][1]["p_adjusted"])))
        .collect();
    // mixed less bad: 7 of 10, p 2/128; mixed less good: 3 of 10, p 2/8. Holm: twice the first, the second as it is.
    assert_eq!(p.len(), 2);
    assert!((p[0].0 - 2.0 / 128.0).abs() < 1e-12 && (p[0].1 - 4.0 / 128.0).abs() < 1e-12, "{p:?}");
    assert!((p[1].0 - 0.25).abs() < 1e-12 && (p[1].1 - 0.25).abs() < 1e-12, "{p:?}");
    let all = json(&[&["qrels", "mixed", "bad", "good", "--all-pairs"], &options[..]].concat());
    // Around their means both pairs with mixed are .3 on seven topics and -.7 on three, n Q = 10 · 2.1. Seen u = |t| / √(9 + t²): .837 for bad (t = 4.58),
    // .547 for good (t = -1.96). Signs that turn all of a kind give a sum of 4.2, u = .917; one .3 otherwise 3.6, .786: so .837 is reached in 2 of 1024
    // choices, .547 (sum 2.5) in 2 (1 + 7 + 21 + 3) = 64. Both are below the pairs' own p, 2/128 and 2/8, which no correction makes smaller. Good and bad
    // differ by 1 on all topics: no spread, no test.
    let pairs = all["comparisons"].as_array().unwrap();
    assert_eq!(pairs.len(), 3);
    near(&pairs[0]["tests"][1]["p_adjusted"], 2.0 / 128.0);
    near(&pairs[1]["tests"][1]["p_adjusted"], 0.25);
    assert!(pairs[2]["tests"][1]["p"].is_null() && pairs[2]["verdict"] == "undecided", "{}", pairs[2]);
    // mixed and bad are told apart by their verdict, and by the ranks that they may have: t = 4.58 is beyond the largest of all draws but 2 of 1024.
    let systems = all["systems"].as_array().unwrap();
    assert_eq!(systems.iter().map(|row| row["run"].as_str().unwrap()).collect::<Vec<_>>(), ["good", "mixed", "bad"]);
    let groups: Vec<&str> = systems.iter().map(|row| row["groups"].as_str().unwrap()).collect();
    assert_eq!(groups, ["ab", "a", "b"]);
    let ranks: Vec<Value> = systems.iter().map(|row| row["rank_interval"].clone()).collect();
    assert_eq!(ranks, [serde_json::json!([1.0, 3.0]), serde_json::json!([1.0, 2.0]), serde_json::json!([2.0, 3.0])]);
    assert!(systems[0]["rank_interval_all"].is_null());
    let named = json(&[&["qrels", "mixed", "bad", "good", "--baseline", "good"], &options[..]].concat());
    assert!(named["comparisons"].as_array().unwrap().iter().all(|one| one["a"] == "good"));
}

#[test]
fn what_unjudged_documents_probably_are_blocks_a_verdict() {
    // P@1 of good less swap: 1 on every topic, so that no test has a spread; RR: 1 less 1/2, the same.
    let found = json(&["qrels", "mixed", "swap", "-m", "P@1", "--unjudged", "q=0.9"]);
    let one = &found["comparisons"][0];
    // Expected: r on top in seven topics; u is relevant with .9 in all: .7 - .9.
    assert!((number(&one["expected_difference"]) + 0.2).abs() < 0.05, "{one}");
    assert!(number(&one["sources"]["unjudged"]) > 0.0);
    assert_eq!(one["verdict"], "undecided");
}

/// P@1: mixed has r on top in seven topics of ten, swap has u, which nobody judged, in all ten: mixed leads by .7.
#[test]
fn unjudged_documents_block_a_verdict_where_few_relevant_ones_reverse_it() {
    let found = json(&["qrels", "mixed", "swap", "-m", "P@1"])["comparisons"][0].clone();
    near(&found["difference"], 0.7);
    assert_eq!((&found["verdict"], &found["blocked_by"]), (&"undecided".into(), &serde_json::json!(["unjudged"])));
    // u takes 1 from a topic with probability q: the mean is .7 − q, the variance over topics 10/9 · .21 + q(1 − q), the t quantile 2.262157 at 9 degrees of
    // freedom. (.7 − q)² = .511735 (.233333 + q − q²), that is 1.511735 q² − 1.911735 q + .370595 = 0: q = .23904.
    assert!((number(&found["tipping_point"]) - 0.239_04).abs() < 1e-3, "{found}");
    // Of swap's judged documents, all deeper, one of two is relevant: 10 of 20 over 10 topics.
    near(&found["judged_rate"]["b"], 0.5);
    assert!(number(&found["judged_rate_upper"]["b"]) > 0.5);
    assert!(found["basis"].is_null() && found["assumption"].is_null() && found["bounds_kind"] == "complete", "{found}");
    // Every u relevant: the differences are 0 and -1 on seven and three topics; none relevant: 1 and 0. Both by Student's t.
    let reach = 2.262_157 * (10.0f64 / 9.0 * 0.21).sqrt() / 10f64.sqrt();
    assert!((number(&found["interval_all"][0]) - (-0.3 - reach)).abs() < 1e-6, "{found}");
    // .7 + .3455 is more than P@1 can differ by.
    near(&found["interval_all"][1], 1.0);
}

/// The script of the independent check: forty topics with one relevant document, which a has first and b on rank 2 to 8; only it is judged.
#[test]
fn judgements_of_relevant_documents_only_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let (mut qrels, mut a, mut b) = (String::new(), String::new(), String::new());
    for topic in 1..=40 {
        qrels += &format!("{topic} 0 r 1\n");
        a += &format!("{topic} Q0 r 1 9 a\n");
        (2..9).for_each(|rank| a += &format!("{topic} Q0 a{rank} {rank} {} a\n", 10 - rank));
        for rank in 1..9 {
            let document = if rank == 2 + topic % 7 { "r".into() } else { format!("b{rank}") };
            b += &format!("{topic} Q0 {document} {rank} {} b\n", 10 - rank);
        }
    }
    for (name, text) in [("pos", qrels), ("a", a), ("b", b)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let compare = |more: &[&str]| {
        let asked = [&["compare", "pos", "a", "b", "-m", "RR@10", "-f", "json"], more].concat();
        let done = Command::new(env!("CARGO_BIN_EXE_karat")).args(asked).current_dir(folder.path()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        crate::schema::parse(&done.stdout)
    };
    let answer = compare(&[]);
    let found = &answer["comparisons"][0];
    assert_eq!((&found["verdict"], &found["basis"]), (&"a".into(), &"assumed".into()), "{found}");
    assert_eq!((&found["assumption"], &found["low"]), (&"sparse_judgements".into(), &Value::Null));
    assert!(answer["notes"].to_string().contains("name relevant documents only"), "{}", answer["notes"]);
    // Overridden: b may have relevant documents above r, and nothing says how often.
    let open = compare(&["--unjudged", "bounds"])["comparisons"][0].clone();
    assert_eq!((&open["verdict"], open["low"].is_null()), (&"undecided".into(), false), "{open}");
}

#[test]
fn a_scale_from_1_is_not_taken_for_relevant_documents_only() {
    let folder = tempfile::tempdir().unwrap();
    let (mut qrels, mut a, mut b) = (String::new(), String::new(), String::new());
    for topic in 0..25 {
        qrels += &format!("{topic} 0 a1 3\n{topic} 0 a2 4\n{topic} 0 b1 1\n{topic} 0 b2 2\n");
        a += &format!("{topic} Q0 a1 1 2 a\n{topic} Q0 a2 2 1 a\n");
        b += &format!("{topic} Q0 b1 1 2 b\n{topic} Q0 x 2 1 b\n");
    }
    for (name, text) in [("qrels", qrels), ("a", a), ("b", b)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let compare = |more: &[&str]| {
        let asked = [&["compare", "qrels", "a", "b", "-m", "P(rel=3)@2,P@2,nDCG@2", "-f", "json"], more].concat();
        let done = Command::new(env!("CARGO_BIN_EXE_karat")).args(asked).current_dir(folder.path()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        crate::schema::parse(&done.stdout)
    };
    let answer = compare(&[]);
    let [strict, any, graded] = [0, 1, 2].map(|at| answer["comparisons"][at].clone());
    // From grade 3 on: a has 2 of 2, b none of its judged one, and x may be relevant: 1 - [0, .5].
    near(&strict["low"], 0.5);
    near(&strict["high"], 1.0);
    // From grade 1 on every judged document is relevant, so x is taken as not relevant; a measure of grades keeps its bounds.
    assert!(any["low"].is_null() && !graded["low"].is_null(), "{answer}");
    let notes = answer["notes"].to_string();
    assert!(notes.contains("the scale probably starts at 1") && notes.contains("relevant for P@2:"), "{notes}");
    // The way out that the note names.
    let told = compare(&["--unjudged", "nonrelevant"]);
    assert!((0..3).all(|at| told["comparisons"][at]["low"].is_null()), "{told}");
    assert!(!told["notes"].to_string().contains("starts at 1"), "{told}");
}

#[test]
fn the_answer_depends_on_neither_threads_nor_order_of_runs() {
    let of = |runs: [&str; 2], threads: &str| {
        json(&["qrels", runs[0], runs[1], "-m", "AP,P@1", "--threads", threads])["comparisons"].clone()
    };
    let one = of(["mixed", "swap"], "1");
    assert_eq!(one, of(["mixed", "swap"], "2"));
    let turned = of(["swap", "mixed"], "2");
    for at in 0..2 {
        near(&turned[at]["difference"], -number(&one[at]["difference"]));
        near(&turned[at]["low"], -number(&one[at]["high"]));
        assert!((number(&turned[at]["interval"][0]) + number(&one[at]["interval"][1])).abs() < 0.02);
    }
}

#[test]
fn gates() {
    let gate = |runs: [&str; 2], gate: &[&str]| {
        let options = ["-m", "P@1", "--unjudged", "nonrelevant", "--gate"];
        let output = karat(&[&["qrels", runs[0], runs[1]], &options[..], gate].concat());
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    // P@1: good 1 everywhere, mixed 1 on seven of ten topics, bad 0, same as good. The first run is the baseline.
    let not_worse = |margin| ["not-worse", "--margin", margin];
    let equivalent = |margin| ["equivalent", "--margin", margin];
    let rows: [([&str; 2], Vec<&str>, i32, &str); 16] = [
        (["bad", "mixed"], vec!["better"], 0, "mixed is better by 0.7000"),
        (["bad", "mixed"], vec!["decided"], 0, "mixed is better by 0.7000"),
        (["mixed", "bad"], vec!["better"], 1, "mixed is better by 0.7000"),
        (["mixed", "bad"], vec!["decided"], 0, "mixed is better by 0.7000"),
        // Three of ten topics, p = 2/8, the least that three can give: undecided.
        (["mixed", "good"], vec!["better"], 1, "Too few topics"),
        (["mixed", "good"], vec!["decided"], 1, "Too few topics"),
        // Its lead is .3, and at least .3 − 1.8331 · .48305 / sqrt 10 = .0200.
        (
            ["mixed", "good"],
            not_worse("0.1").to_vec(),
            0,
            "good is not worse than mixed by more than 0.1 (good leads by at least 0.0200",
        ),
        (["good", "mixed"], not_worse("0.1").to_vec(), 1, "mixed may be more than 0.1 worse than good"),
        (
            ["mixed", "good"],
            equivalent("0.1").to_vec(),
            1,
            "not equivalent: mixed may be more than 0.1 worse than good",
        ),
        // No topic of ten differs: up to 1 − .05^(1/10) = 25.89% of all may, and a loss of 1 on those is .2589 of the mean: beyond .01, within .5.
        (
            ["good", "same"],
            not_worse("0.01").to_vec(),
            1,
            "26% of topics may be unlike the 10 seen; if same lost 1 on each of those, its mean lead would be -0.2589",
        ),
        (["good", "same"], not_worse("0.5").to_vec(), 0, "same is not worse than good by more than 0.5"),
        (["good", "same"], equivalent("0.01").to_vec(), 1, "too few topics"),
        (["good", "same"], equivalent("0.5").to_vec(), 0, "equivalent within 0.5"),
        // One topic: no test, nothing is shown.
        (
            ["good", "lone"],
            vec!["not-worse", "--margin", "0.5", "--missing-topics", "skip"],
            1,
            "lone may be more than 0.5 worse",
        ),
        (["good", "mixed"], vec!["not-worse"], 2, "need --margin"),
        (["good", "mixed"], vec!["equivalent", "--margin", "0"], 2, "--margin needs a number above 0"),
    ];
    for (runs, asked, status, words) in rows {
        let (found, said) = gate(runs, &asked);
        assert_eq!(found, status, "{runs:?} {asked:?}: {said}");
        assert!(said.contains(words), "{runs:?} {asked:?}: {said}");
    }
}

#[test]
fn what_a_margin_rests_on() {
    let options = ["qrels", "mixed", "good", "-m", "P@1", "--unjudged", "nonrelevant", "--margin", "0.1"];
    let found = json(&options)["comparisons"][0].clone();
    let (a, b) = (&found["margin_evidence"]["a"], &found["margin_evidence"]["b"]);
    // good leads by .3 on ten topics, at least .0200. 1 − .05^(1/10) = .2588656 missed, and a loss of 1 there: .7411344 · .3 − .2588656 = −.0365253,
    // within the margin. mixed's lead is −.3: .7411344 · −.3 − .2588656 = −.4812059.
    assert_eq!((&found["not_worse"], &found["equivalent"]), (&true.into(), &false.into()));
    assert_eq!((&b["not_worse"], &b["warning"]), (&true.into(), &false.into()));
    assert_eq!((&a["not_worse"], &a["warning"]), (&false.into(), &true.into()));
    assert!((number(&b["limit"]) - 0.0200).abs() < 5e-5 && (number(&b["missed_share"]) - 0.258_865_6).abs() < 1e-6);
    assert!((number(&b["lead_with_missed"]) + 0.036_525_3).abs() < 1e-6);
    assert!((number(&a["lead_with_missed"]) + 0.481_205_9).abs() < 1e-6);
    assert!(number(&b["p"]) < 0.05 && number(&a["p"]) > 0.5);
}

#[test]
fn a_run_that_loses_every_topic_is_not_passed_for_want_of_topics() {
    // Five topics: 2^(1 - 5) = .0625 is the least two-sided p of the randomisation test, so there is no verdict; but one run has P@2 of 1 or .5, the
    // other 0, and the least one-sided p is half of that.
    let folder = tempfile::tempdir().unwrap();
    let (mut qrels, mut good, mut bad) = (String::new(), String::new(), String::new());
    for topic in 0..5 {
        for document in 0..4 {
            let relevant = document == 0 || document == 1 && topic != 2;
            qrels.push_str(&format!("{topic} 0 d{document} {}\n", u8::from(relevant)));
            good.push_str(&format!("{topic} Q0 d{document} 0 {} good\n", 9 - document));
            bad.push_str(&format!("{topic} Q0 d{document} 0 {document} bad\n"));
        }
    }
    for (name, text) in [("qrels", qrels), ("good", good), ("bad", bad)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let gate = |runs: [&str; 2]| {
        let arguments = ["compare", "qrels", runs[0], runs[1], "-m", "P@2", "--gate", "not-worse", "--margin", "0.01"];
        let done =
            Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder.path()).output().unwrap();
        done.status.code()
    };
    assert_eq!((gate(["good", "bad"]), gate(["bad", "good"])), (Some(1), Some(0)));
}

#[test]
fn strict_wants_the_worst_case_too() {
    let plain = json(&["qrels", "mixed", "bad", "-m", "P@1"])["comparisons"][0].clone();
    assert_eq!((&plain["verdict"], &plain["basis"], &plain["certain"]), (&"a".into(), &"certain".into(), &true.into()));
    // swap's first document is unjudged: taken as not relevant, but it could be.
    let options = ["qrels", "mixed", "swap", "-m", "P@1", "--unjudged", "nonrelevant"];
    let open = json(&options)["comparisons"][0].clone();
    assert_eq!((&open["verdict"], &open["basis"], &open["certain"]), (&"a".into(), &"assumed".into(), &false.into()));
    assert_eq!(open["assumption"], "unjudged_not_relevant");
    let strict = json(&[&options[..], &["--strict"]].concat())["comparisons"][0].clone();
    assert_eq!((&strict["verdict"], &strict["blocked_by"]), (&"undecided".into(), &serde_json::json!(["bounds"])));
    // A model describes and decides nothing.
    for model in ["q=0", "condensed", "band"] {
        let found = json(&["qrels", "mixed", "bad", "-m", "P@1", "--unjudged", model])["comparisons"][0].clone();
        assert_eq!(
            (&found["verdict"], &found["blocked_by"]),
            (&"undecided".into(), &serde_json::json!(["unjudged"])),
            "{model}"
        );
    }
}

/// 24 topics, one relevant document each, which a has first on 20 of them and b on 4; nothing retrieved is unjudged. AP: a leads by
/// (20 − 4) / 24 · (1 − 1/2) = 1/3. Sixty relevant documents that nobody retrieved, on a's 20 topics, divide AP there by 61: a loses by
/// (20 · .5 / 61 − 4 · .5) / 24 = −.0765.
#[test]
fn what_further_judging_can_reverse_is_not_certain() {
    let folder = tempfile::tempdir().unwrap();
    let (mut qrels, mut more, mut runs) = (String::new(), String::new(), [String::new(), String::new()]);
    for topic in 1..=24 {
        qrels += &format!("{topic} 0 r 1\n{topic} 0 n 0\n");
        let best = usize::from(topic > 20);
        for (run, text) in runs.iter_mut().enumerate() {
            let documents = if run == best { ["r", "n"] } else { ["n", "r"] };
            *text += &format!("{topic} Q0 {} 1 2 run{run}\n{topic} Q0 {} 2 1 run{run}\n", documents[0], documents[1]);
        }
        (0..60).filter(|_| topic <= 20).for_each(|at| more += &format!("{topic} 0 z{at} 1\n"));
    }
    let [a, b] = runs;
    for (name, text) in [("q", qrels.clone()), ("q2", qrels + &more), ("a", a), ("b", b)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let compare = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_karat"))
            .args([&["compare"], arguments, &["-f", "json"]].concat())
            .current_dir(folder.path())
            .output()
            .unwrap();
        crate::schema::parse(&output.stdout)["comparisons"][0].clone()
    };
    let plain = compare(&["q", "a", "b", "-m", "AP"]);
    near(&plain["difference"], 1.0 / 3.0);
    assert_eq!(
        (&plain["verdict"], &plain["basis"], &plain["bounds_kind"]),
        (&"a".into(), &"assumed".into(), &"retrieved".into())
    );
    assert!(plain["because"].as_str().unwrap().contains("no relevant document is missing"), "{plain}");
    // Documents that nobody retrieved can take everything: 0 is among the differences that full judgements may show.
    assert!(number(&plain["interval_all"][0]) <= 0.0, "{plain}");
    let strict = compare(&["q", "a", "b", "-m", "AP", "--strict"]);
    assert_eq!((&strict["verdict"], &strict["blocked_by"]), (&"undecided".into(), &serde_json::json!(["bounds"])));
    assert!(strict["because"].as_str().unwrap().contains("the unjudged documents could reverse it"), "{strict}");
    near(&compare(&["q2", "a", "b", "-m", "AP"])["difference"], (20.0 * 0.5 / 61.0 - 4.0 * 0.5) / 24.0);
    // What nobody retrieved cannot change P@1.
    let precision = compare(&["q", "a", "b", "-m", "P@1", "--strict"]);
    assert_eq!((&precision["verdict"], &precision["certain"]), (&"a".into(), &true.into()), "{precision}");
}

/// 20 topics: a is right on 12 and b on none; on a further 8 topics b's first document is unjudged. P@1: a leads by .6 (p = 2^-11), and by 12/20 −
/// 8/20 = .2 in the worst case: the bounds exclude 0, but 12 against 8 is no evidence (two-sided sign test p = .50). At rate q the mean is .6 − .4 q, the
/// variance over topics 20/19 · .24 (1 + q)² + .4 q (1 − q), the t quantile 2.093024 at 19 degrees of freedom: at q = .5285 both sides of
/// (.6 − .4 q)² = 2.093024² · variance / 20 are .1511.
#[test]
fn bounds_that_exclude_0_are_not_enough() {
    let folder = tempfile::tempdir().unwrap();
    let (mut qrels, mut a, mut b) = (String::new(), String::new(), String::new());
    for topic in 1..=20 {
        qrels += &format!("{topic} 0 good 1\n{topic} 0 poor 0\n");
        let (first, second) = if topic <= 12 { ("good", "poor") } else { ("poor", "new") };
        a += &format!("{topic} Q0 {first} 1 2 a\n");
        b += &format!("{topic} Q0 {second} 1 2 b\n");
    }
    for (name, text) in [("qrels", qrels), ("a", a), ("b", b)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_karat"))
        .args(["compare", "qrels", "a", "b", "-m", "P@1", "-f", "json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let found = crate::schema::parse(&output.stdout)["comparisons"][0].clone();
    near(&found["difference"], 0.6);
    near(&found["low"], 0.2);
    assert_eq!(
        (&found["verdict"], &found["blocked_by"]),
        (&"undecided".into(), &serde_json::json!(["unjudged"])),
        "{found}"
    );
    assert!(
        found["because"].as_str().unwrap().contains("more than 53% of the unjudged documents that b ranks higher"),
        "{found}"
    );
}

#[test]
fn one_calibration_serves_both_runs() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let karat = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    karat(&["judges", "calibrate", "--relevant", "90/100", "--nonrelevant", "80/100", "-o", "judges.json"]);
    let found = karat(&[
        "compare",
        "qrels",
        "mixed",
        "bad",
        "-m",
        "P@1",
        "--calibration",
        "judges.json",
        "--unjudged",
        "nonrelevant",
        "-f",
        "json",
    ]);
    let found: Value = crate::schema::parse(&found);
    // The difference of two systems over the same ranks is the observed one over D = .9 + .8 - 1.
    near(&found["comparisons"][0]["difference"], 0.7 / 0.7);
    // Either way round, also where the second run has more judged weight than the first (swap's first document is unjudged).
    for runs in [["bad", "mixed"], ["swap", "mixed"], ["mixed", "swap"]] {
        let options = ["-m", "P@1,AP", "--calibration", "judges.json", "-f", "json"];
        let found: Value = crate::schema::parse(&karat(&[&["compare", "qrels"], &runs[..], &options[..]].concat()));
        // What the judges' errors do to AP is not known here, so there is no verdict on it.
        assert_eq!(found["comparisons"][1]["verdict"], "undecided");
        assert!(found["comparisons"][1]["blocked_by"].as_array().unwrap().contains(&"judges".into()));
    }
    // Delta method: (d/D)² (m_R (1 - m_R)/100 + m_N (1 - m_N)/100) / D² with d = .7.
    near(&found["comparisons"][0]["sources"]["judges"], (0.09 + 0.16) / 100.0 / 0.49);
}

/// Twelve topics, a and b right on eleven and on one; a's first document of the twelfth topic is not judged. Corrected or not, no
/// judgement of it turns the difference, which is from 10/12 to 11/12 by the labels.
#[test]
fn what_no_judgement_turns_is_not_said_to_turn() {
    let folder = tempfile::tempdir().unwrap();
    let (mut qrels, mut a, mut b) = (String::new(), String::new(), String::new());
    for topic in 1..=12 {
        qrels += &format!("{topic} 0 good 1\n{topic} 0 poor 0\n");
        let (first, second) = if topic == 12 { ("new", "good") } else { ("good", "poor") };
        a += &format!("{topic} Q0 {first} 1 2 a\n");
        b += &format!("{topic} Q0 {second} 1 2 b\n");
    }
    for (name, text) in [("qrels", qrels), ("a", a), ("b", b)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let karat = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    karat(&["judges", "calibrate", "--relevant", "900/1000", "--nonrelevant", "800/1000", "-o", "judges.json"]);
    for (more, certain) in [(&[][..], true), (&["--calibration", "judges.json"][..], false)] {
        let asked = ["compare", "qrels", "a", "b", "-m", "P@1", "-f", "json"];
        let found: Value = crate::schema::parse(&karat(&[&asked, more].concat()));
        let found = &found["comparisons"][0];
        assert_eq!((&found["verdict"], &found["certain"]), (&"a".into(), &certain.into()), "{found}");
        assert!(found["low"].as_f64().unwrap() > 0.0 && found["low"] != found["high"], "{found}");
        let because = found["because"].as_str().unwrap();
        assert!(
            because.contains("however the unjudged documents are judged") && !because.contains("could reverse"),
            "{because}"
        );
        assert_eq!(because.contains("at the estimated judge error rates"), !certain, "{because}");
    }
}

#[test]
fn hopeless_input_is_told_so() {
    assert!(refused(&["qrels", "good"]).contains("at least two runs"));
    assert!(refused(&["qrels", "good", "other"]).contains("none of them among its topics"));
    assert!(refused(&["qrels", "good", "bad", "--baseline", "best"]).contains("choose one of good, bad"));
    assert!(refused(&["qrels", "good", "bad", "-m", "GMAP"]).contains("averaged over topics"));
    assert!(refused(&["qrels", "good", "bad", "--correction", "tukey"]).contains("add --all-pairs"));
    assert!(refused(&["qrels", "good", "bad", "--level", "1"]).contains("--level needs a number between 0 and 1"));
    assert!(refused(&["qrels", "good", "bad", "--rope=-1"]).contains("--rope"));
    // Equal everywhere, and one topic in common: no verdict, no NaN, a reason.
    let same = json(&["qrels", "good", "same", "-m", "P@1"])["comparisons"][0].clone();
    assert_eq!(same["verdict"], "undecided");
    assert!(same["because"].as_str().unwrap().contains("equal on every topic"), "{same}");
    assert!(same["tests"][0]["p"].is_null() && same["effect_size"].is_null());
    let lone = json(&["qrels", "good", "lone", "-m", "P@1", "--missing-topics", "skip"])["comparisons"][0].clone();
    assert_eq!((&lone["verdict"], &lone["topics"]), (&"undecided".into(), &1.into()));
    // The same difference on every topic: no interval, and so no verdict, though ten topics that all speak for one run are not chance (2 / 2^10).
    let constant = json(&["qrels", "good", "bad", "-m", "P@1"])["comparisons"][0].clone();
    assert!(constant["interval"].is_null() && constant["effect_size"].is_null());
    near(&constant["tests"][1]["p"], 2.0 / 1024.0);
    assert_eq!(constant["verdict"], "undecided", "{constant}");
    assert!(constant["because"].as_str().unwrap().contains("No interval"), "{constant}");
}

/// Topics 1 to 4; b lacks topic 4, topic 3 has no relevant document, and a has two documents with one score in topic 1.
#[test]
fn what_scores_rest_on_is_said_as_eval_says_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let write = |name: &str, text: &str| std::fs::write(at.join(name), text).unwrap();
    write("q", "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n3 0 d1 0\n4 0 d1 1\n");
    write("a", "1 Q0 d1 1 5 a\n1 Q0 d2 2 5 a\n2 Q0 d1 1 5 a\n3 Q0 d1 1 5 a\n4 Q0 d1 1 5 a\n5 Q0 d1 1 5 a\n");
    write("b", "1 Q0 d1 1 5 b\n2 Q0 d1 1 5 b\n3 Q0 d1 1 5 b\n");
    let notes = |command: &str| {
        let arguments = [command, "q", "a", "b", "-m", "AP", "-f", "json"];
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(at).output();
        let answer: serde_json::Value = crate::schema::parse(&done.unwrap().stdout);
        let notes = answer["notes"].as_array().unwrap().iter();
        notes.map(|note| note.as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    let (eval, compare) = (notes("eval"), notes("compare"));
    // Four topics have no interval in eval: the one note that is not about topics or ties.
    let of_inputs: Vec<&String> = eval.iter().filter(|note| !note.contains("interval")).collect();
    assert_eq!(of_inputs.len(), 5, "{eval:?}");
    for note in of_inputs {
        assert!(compare.contains(note), "{note}: {compare:?}");
    }
}

/// Values, difference and both treatments say the same: of every measure, `value_a - value_b` is `difference`.
#[test]
fn values_are_treated_as_their_difference() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let karat = |arguments: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(at).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        done.stdout
    };
    karat(&["demo", "-o", ".", "--no-report"]);
    // The calibration is of two grades.
    let graded = std::fs::read_to_string(at.join("qrels.txt")).unwrap();
    std::fs::write(at.join("qrels.txt"), graded.replace(" 2\n", " 1\n").replace(" 3\n", " 1\n")).unwrap();
    let counts = ["--relevant", "43/59", "--nonrelevant", "67/84"];
    karat(&[&["judges", "calibrate", "-o", "judges.json"], &counts[..]].concat());
    let base = ["compare", "qrels.txt", "baseline.run", "newcomer.run", "--permutations", "200", "-f", "json"];
    for more in [
        &["--unjudged", "fit", "-m", "P@10,AP,nDCG@10,RBP(p=0.8)"][..],
        &["--unjudged", "band", "-m", "P@10,AP"],
        &["--unjudged", "urn", "-m", "P@10,AP"],
        &["--calibration", "judges.json", "-m", "P@10,RBP(p=0.8)"],
        &["--calibration", "judges.json", "-m", "P@10", "expanded.run", "fusion.run", "--all-pairs"],
        &["-m", "P@10,AP"],
        &["-m", "P@10,AP", "expanded.run", "fusion.run", "--all-pairs"],
    ] {
        let answer = crate::schema::parse(&karat(&[&base[..], more].concat()));
        for row in answer["comparisons"].as_array().unwrap() {
            let number = |name: &str| row[name].as_f64().unwrap();
            let apart = number("value_a") - number("value_b") - number("difference");
            assert!(apart.abs() < 1e-12, "{more:?}: {row}");
            // The test is about the same difference.
            let tests = row["tests"].as_array().unwrap();
            let tested = tests.iter().find(|test| test["test"] == "randomization").unwrap();
            assert!((tested["statistic"].as_f64().unwrap() - number("difference")).abs() < 1e-12, "{more:?}: {row}");
        }
    }
}

/// Draws end when their error is a twentieth of the standard error of the topics that the runs have, however many others are judged; or at
/// the 200 of `--draws`, as here for AP.
#[test]
fn draws_are_enough_for_the_topics_that_runs_have() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let karat = |arguments: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(at).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        done.stdout
    };
    karat(&["demo", "-o", ".", "--no-report"]);
    let mut qrels = std::fs::read_to_string(at.join("qrels.txt")).unwrap();
    qrels.extend((0..1000).map(|topic| format!("other{topic} 0 d 1\n")));
    std::fs::write(at.join("qrels.txt"), qrels).unwrap();
    let runs =
        ["compare", "qrels.txt", "baseline.run", "newcomer.run", "-m", "nDCG@10,AP", "--unjudged", "fit", "-f", "json"];
    let answer = crate::schema::parse(&karat(&[&runs[..], &["--missing-topics", "skip"]].concat()));
    for row in answer["comparisons"].as_array().unwrap() {
        let monte_carlo = row["sources"]["monte_carlo"].as_f64().unwrap();
        let share = monte_carlo.sqrt() / row["std_error"].as_f64().unwrap();
        assert!(share < 0.08, "{share}: {row}");
    }
}

/// `lone` has topic 1, `second` topic 2: with all pairs they are left out by name, and a gate on them does not hold.
#[test]
fn a_pair_without_a_common_topic_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    std::fs::write(folder.path().join("second"), "2 Q0 r 1 1 second\n").unwrap();
    let run = |more: &[&str]| {
        let base =
            ["compare", "qrels", "lone", "second", "good", "-m", "P@1", "--missing-topics", "skip", "-f", "json"];
        let karat = Command::new(env!("CARGO_BIN_EXE_karat")).args(base).args(more).current_dir(folder.path()).output();
        karat.unwrap()
    };
    let done = run(&["--all-pairs"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let answer: Value = crate::schema::parse(&done.stdout);
    assert_eq!(answer["comparisons"].as_array().unwrap().len(), 2);
    assert!(answer["notes"].to_string().contains("lone and second are not compared"), "{}", answer["notes"]);
    assert_eq!(run(&["--all-pairs", "--gate", "decided"]).status.code(), Some(1));
    // With the baseline only, the pair is what was asked for.
    assert_eq!(run(&[]).status.code(), Some(2));
}

/// Max-T needs scores of all runs on the same topics, as they are; else p is adjusted by Holm's rule, and that is said.
#[test]
fn where_max_t_cannot_be_done_holm_is_and_a_note_says_so() {
    let said = |arguments: &[&str]| {
        let answer = json(&[&["qrels", "mixed", "bad", "swap", "-m", "P@1", "--all-pairs"], arguments].concat());
        (answer["notes"].to_string(), answer["provenance"]["options"]["correction"].clone())
    };
    let (notes, correction) = said(&["--unjudged", "nonrelevant"]);
    assert!(notes.contains("step-down max-T") && correction == "max_t", "{notes} {correction}");
    for more in [&["--unjudged", "q=0.5"][..], &["--unjudged", "q=0.5", "--correction", "max_t"]] {
        let (notes, correction) = said(more);
        assert!(notes.contains("max-T tests scores as they are") && correction == "holm", "{notes} {correction}");
        assert!(notes.contains("pairs per measure: Holm's correction"), "{notes}");
    }
    // lone has one topic only.
    let skipped = ["--missing-topics", "skip", "--unjudged", "nonrelevant", "--all-pairs"];
    let answer = json(&[&["qrels", "mixed", "bad", "good", "lone", "-m", "P@1"], &skipped[..]].concat());
    let notes = answer["notes"].to_string();
    assert!(notes.contains("max-T needs scores of all runs on the same topics"), "{notes}");
    // Six pairs: mixed and bad 2/128, mixed and good 2/8, bad and good 2/1024; of the three with lone on one topic there is no test. Holm: 3 and 2 times.
    let adjusted = &answer["comparisons"][0]["tests"][1]["p_adjusted"];
    near(adjusted, 2.0 * 2.0 / 128.0);
    // Asked for, max-T is done against a baseline too.
    let answer =
        json(&["qrels", "mixed", "bad", "good", "-m", "P@1", "--correction", "max_t", "--unjudged", "nonrelevant"]);
    near(&answer["comparisons"][1]["tests"][1]["p_adjusted"], 0.25);
    assert!(
        refused(&["qrels", "mixed", "bad", "--all-pairs", "--correction", "tukey", "--unjudged", "q=.5"])
            .contains("holm")
    );
}

/// Rank intervals twice: with unjudged documents treated as not relevant, and over all their judgements.
#[test]
fn ranks_hold_whatever_the_unjudged_documents_are() {
    // P@1: mixed 1 on seven topics, else 0; bad 0; swap has u on top, 0 or 1. As they are, mixed is surely better than both (t = 4.58, and by max-T 2 of 1024
    // choices of signs reach that); swap and bad are equal. If u were relevant swap would be better than both: only mixed above bad is left.
    let answer = json(&["qrels", "mixed", "bad", "swap", "-m", "P@1", "--all-pairs"]);
    let of = |run: &str| {
        let systems = answer["systems"].as_array().unwrap();
        let row = systems.iter().find(|row| row["run"] == run).unwrap();
        ["rank_interval", "rank_interval_all"].map(|key| (number(&row[key][0]), number(&row[key][1])))
    };
    assert_eq!(of("mixed"), [(1.0, 1.0), (1.0, 2.0)]);
    assert_eq!(of("bad"), [(2.0, 3.0), (2.0, 3.0)]);
    assert_eq!(of("swap"), [(2.0, 3.0), (1.0, 3.0)]);
    // Nothing unjudged matters: both are the same.
    let closed = json(&["qrels", "mixed", "bad", "good", "-m", "P@1", "--all-pairs"]);
    let systems = closed["systems"].as_array().unwrap();
    assert!(systems.iter().all(|row| row["rank_interval"] == row["rank_interval_all"]), "{systems:?}");
    // Only pairs with the baseline have bounds.
    let baseline = json(&["qrels", "mixed", "bad", "swap", "-m", "P@1"]);
    assert!(baseline["systems"].as_array().unwrap().iter().all(|row| row["rank_interval_all"].is_null()));
}

/// Two runs that were pooled to rank 10: `front` has 80% relevant documents at ranks 1 to 5, 30% to rank 10 and 8% below; `flat` has 42% everywhere, so that
/// it is better to rank 20. Judgements of the pool say the opposite.
fn unlike_pooled_runs(seed: u64, topics: u64) -> [String; 3] {
    let [mut qrels, mut front, mut flat] = [const { String::new() }; 3];
    let share = |name: &str, rank: usize| match (name, rank) {
        ("flat", _) => 0.42,
        (_, ..=5) => 0.8,
        (_, ..=10) => 0.3,
        _ => 0.08,
    };
    for topic in 0..topics {
        let mut stream = karat_stats::Seed(seed).stream("topic", topic);
        for (name, run) in [("front", &mut front), ("flat", &mut flat)] {
            for rank in 1..=40 {
                run.push_str(&format!("{topic} Q0 {name}{rank} {rank} {} {name}\n", 50 - rank));
                let relevant = u8::from(stream.unit() < share(name, rank));
                if rank <= 10 {
                    qrels.push_str(&format!("{topic} 0 {name}{rank} {relevant}\n"));
                }
            }
        }
    }
    [qrels, front, flat]
}

#[test]
fn pooled_runs_that_are_unlike_are_undecided() {
    // P@20 of front is (4 + 1.5 + .8)/20 = .315, of flat .42. As judged it is .275 and .21. If unjudged documents of both were relevant equally often, front
    // would win: a rule that assumed so was wrong in 56 to 100% of such worlds. The judged documents of the second half of the pool say otherwise.
    let measures = "P@20,RBP(p=0.95),AP";
    for seed in 0..6 {
        let folder = tempfile::tempdir().unwrap();
        let [qrels, front, flat] = unlike_pooled_runs(seed, 40);
        for (name, text) in [("qrels", qrels), ("front", front), ("flat", flat)] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let output = Command::new(env!("CARGO_BIN_EXE_karat"))
            .args(["compare", "qrels", "front", "flat", "-m", measures, "--permutations", "999", "-f", "json"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        for one in found["comparisons"].as_array().unwrap() {
            assert!(one["difference"].as_f64().unwrap() > 0.0, "{one}");
            assert_ne!(one["verdict"], "a", "{seed}: {one}");
        }
    }
}
