//! `karat judges`, `karat simulate judges`, `karat plan judges`: the paper's numbers, the contract of the JSON, and what is refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const PAPER: [&str; 4] = ["--relevant", "43/59", "--nonrelevant", "67/84"];
const A: &str = "score=0.6260,sd=0.414,n=10278";
const B: &str = "score=0.6385,sd=0.402,n=20604";

fn karat(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let done = karat(&[arguments, &["-f", "json"]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let answer: Value = crate::schema::parse(&done.stdout);
    assert_eq!(answer["schema"], "karat/2");
    answer
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn has_note(answer: &Value, words: &str) -> bool {
    answer["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains(words))
}

#[test]
fn the_search_engine_example() {
    let answer = json(&[&["judges", "compare", "--a", A, "--b", B][..], &PAPER].concat());
    let near = |key: &str, expected: f64, slack: f64| {
        assert!((number(&answer[key]) - expected).abs() < slack, "{key}: {answer}");
    };
    // Section 6: naive .0116; .841 printed, .854 from its own numbers; .017 when the one calibration is shared.
    near("p_naive", 0.0116, 5e-5);
    near("p_independent", 0.854, 5e-4);
    near("p_shared", 0.017, 5e-4);
    // (.6260 - .6385)/D, D = 43/59 + 67/84 - 1.
    near("difference", -0.0125 / (43.0 / 59.0 + 67.0 / 84.0 - 1.0), 1e-12);
    assert_eq!((&answer["p"], &answer["calibration_errors"]), (&answer["p_shared"], &"shared".into()));
    let b = &answer["scores"][1];
    assert!((number(&b["value"]) - 0.828).abs() < 5e-4 && (number(&b["std_error"]) - 0.0923).abs() < 5e-5, "{b}");
    assert!((number(&answer["scores"][0]["std_error"]) - 0.0903).abs() < 5e-5);
    let flags = ["--calibration-errors", "independent"];
    let other = json(&[&["judges", "compare", "--a", A, "--b", B][..], &PAPER, &flags].concat());
    assert_eq!(other["p"], answer["p_independent"]);
    assert!(has_note(&other, "p is too large"));
    // A calibration for each: nothing is shared.
    let own = ["--b-relevant", "43/59", "--b-nonrelevant", "67/84"];
    let own = json(&[&["judges", "compare", "--a", A, "--b", B][..], &PAPER, &own].concat());
    assert!(own["p_shared"].is_null() && own["p"] == answer["p_independent"]);
}

#[test]
fn one_score_corrected() {
    let asked = ["judges", "correct", "--score", "0.6385", "--sd", "0.402", "--n", "20604"];
    let answer = json(&[&asked[..], &PAPER].concat());
    let row = &answer["scores"][0];
    assert!((number(&row["value"]) - 0.828).abs() < 5e-4 && (number(&row["std_error"]) - 0.0923).abs() < 5e-5);
    // 59 and 84 pairs are few: D varies, and the bootstrap sees the curvature the delta method does not.
    assert!((0.09..0.11).contains(&number(&row["std_error_bootstrap"])), "{row}");
    let variance = number(&row["sources"]["topics"]) + number(&row["sources"]["judges"]);
    assert!((variance - number(&row["std_error"]).powi(2)).abs() < 1e-15 && row["nearest"].is_null());
    assert_eq!(number(&row["naive"]), 0.6385);
    // One seed, one answer.
    assert_eq!(answer, json(&[&asked[..], &PAPER].concat()));
    // The paper's table 2: no probability, and said so.
    let trec = json(&[
        "judges",
        "correct",
        "--score",
        "0.513",
        "--n",
        "50",
        "--relevant",
        "14/50",
        "--nonrelevant",
        "230/285",
    ]);
    let row = &trec["scores"][0];
    assert!((number(&row["value"]) - 3.68).abs() < 5e-3 && number(&row["nearest"]) == 1.0);
    assert!(row["std_error_bootstrap"].is_null());
    for words in [
        "D = 0.0870 is not significantly above 0",
        "outside 0 to 1 (nearest valid score: 1)",
        "no bootstrap: D was not",
    ] {
        assert!(has_note(&trec, words), "{words}: {trec}");
    }
}

#[test]
fn a_calibration_goes_through_a_file_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("judges.json");
    let file = path.to_str().unwrap();
    let done = karat(&[&["judges", "calibrate"][..], &PAPER, &["--sampling", "random", "-o", file]].concat());
    assert!(done.status.success() && done.stdout.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
    let asked = ["judges", "correct", "--score", "0.6385", "--sd", "0.402", "--n", "20604"];
    let (by_file, by_counts) =
        (json(&[&asked[..], &["--calibration", file]].concat()), json(&[&asked[..], &PAPER].concat()));
    assert_eq!(by_file["scores"], by_counts["scores"]);
    assert_eq!(by_file["provenance"]["inputs"][0]["path"], file);
    let again = json(&["judges", "calibrate", "--calibration", file]);
    assert_eq!(
        (&again["counts"], &again["grades"]),
        (&serde_json::json!([[67, 17], [16, 43]]), &serde_json::json!([0.0, 1.0]))
    );
    assert!((number(&again["m_relevant"]) - 43.0 / 59.0).abs() < 1e-15);
    // Clopper-Pearson of 43/59: SciPy's binomtest(43, 59).proportion_ci() is .5973 to .8364.
    let rate = &again["rates"][3];
    assert!(
        (number(&rate["interval"][0]) - 0.5973).abs() < 5e-5 && (number(&rate["interval"][1]) - 0.8364).abs() < 5e-5
    );
    damaged(folder.path(), &path);
}

fn damaged(folder: &Path, whole: &Path) {
    let text = std::fs::read_to_string(whole).unwrap();
    let bad = folder.join("bad.json");
    let with_counts = |counts: Value| {
        let mut answer: Value = crate::schema::parse(text.as_bytes());
        answer["counts"] = counts;
        answer.to_string()
    };
    for (made, status, words) in [
        (with_counts(serde_json::json!([[67, -17], [16, 43]])), 2, "expected a list of lists of whole numbers"),
        (with_counts(serde_json::json!([[67, 17], [0, 0]])), 2, "no pair has gold grade 1"),
        (with_counts(serde_json::json!([[67, 17]])), 2, "a table of 1 rows with 2 columns for 2 grades"),
        (text.replace("\"judges calibrate\"", "\"eval\""), 2, "an answer of karat eval"),
        (text[..60].to_owned(), 2, "expected one JSON object"),
    ] {
        std::fs::write(&bad, made).unwrap();
        refused(&["judges", "calibrate", "--calibration", bad.to_str().unwrap()], status, words);
    }
    refused(
        &["judges", "calibrate", "--calibration", folder.join("none.json").to_str().unwrap()],
        3,
        "No such file or directory",
    );
}

fn refused(arguments: &[&str], status: i32, words: &str) {
    let done = karat(arguments);
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!((done.status.code(), done.stdout.len()), (Some(status), 0), "{arguments:?}: {said}");
    assert!(said.contains(words), "{arguments:?}: {said}");
}

#[test]
fn graded_tables_and_factors() {
    let answer =
        json(&["judges", "calibrate", "--table", "8,1,1;1,8,1;1,1,8", "--grades", "0,1,3", "--interval", "jeffreys"]);
    // Rows of .8, .1, .1: eigenvalues 1, .7, .7, so D = .49 and, the matrix being symmetric, a condition number of 1/.7.
    assert!((number(&answer["d"]) - 0.49).abs() < 1e-12 && (number(&answer["condition"]) - 1.0 / 0.7).abs() < 1e-12);
    assert_eq!(answer["rates"][0]["method"], "jeffreys");
    assert!(answer["m_relevant"].is_null());
    let factor = ["--factor", "system:a=60/70,b=50/73", "--factor", "rank:top=3/4,rest=1/4"];
    let tested = json(&[&["judges", "calibrate"][..], &PAPER, &factor].concat());
    let tests = tested["tests"].as_array().unwrap();
    // [[60, 10], [50, 23]]: χ² = 143 (60·23 − 50·10)² / (70 · 73 · 110 · 33) = 5.970, p = .0146. [[3, 1], [1, 3]]: Fisher, 34/70.
    assert!((number(&tests[0]["statistic"]) - 5.970).abs() < 5e-4 && (number(&tests[0]["p"]) - 0.0146).abs() < 5e-5);
    assert!((number(&tests[1]["p"]) - 34.0 / 70.0).abs() < 1e-12 && tests[1]["method"] == "fisher");
    assert!(
        has_note(&tested, "the error rate depends on system")
            && has_note(&tested, "No evidence that the error rate depends on rank")
    );
    // Three grades whose upper two these judges hardly tell apart: the real counts of a crowd, condition number 28.
    let ill = json(&["judges", "calibrate", "--table", "3578,3278,1911;1506,2416,1745;1169,2090,2006"]);
    assert!(has_note(&ill, "the condition number of the error rates is 28") && !has_note(&tested, "condition number"));
    let chosen = json(&[&["judges", "calibrate", "--sampling", "bronze"][..], &PAPER].concat());
    assert!(has_note(&chosen, "chosen by the bronze label"));
}

#[test]
fn a_coefficient_explains_itself() {
    let answer = json(&["explain", "cohen"]);
    assert_eq!((&answer["name"], &answer["title"]), (&"cohen".into(), &"Cohen's kappa".into()));
    // .26 / .335, the example of the slides.
    assert!(
        (number(&answer["value"]) - 0.77612).abs() < 5e-6 && answer["example"].as_str().unwrap().contains("[70, 10]")
    );
}

#[test]
fn tests_and_corrections_explain_themselves() {
    let answer = json(&["explain", "randomization"]);
    assert_eq!((&answer["name"], number(&answer["value"])), (&"randomization".into(), 0.375));
    assert!(answer["example"].as_str().unwrap().starts_with("1, 2, 3, -1: sum 5"));
    let holm = json(&["explain", "holm"]);
    assert!(holm["example"].as_str().unwrap().starts_with("0.01, 0.04, 0.03 become 0.03, 0.06, 0.06:"));
    assert_eq!(json(&["explain", "tukey"])["title"], "randomised Tukey HSD test");
    assert_eq!(json(&["explain", "max_t"])["title"], "step-down max-T test (random signs of topics)");
    assert!(json(&["explain", "welch"])["example"].as_str().unwrap().starts_with("1, 3 and 4, 6: means"));
}

#[test]
fn algorithm_2_is_the_default_of_the_simulation() {
    let answer = json(&["simulate", "judges", "--seed", "5"]);
    // The paper: naive .480 and coverage 5 %, corrected .400 and 95 %.
    assert!((number(&answer["naive_mean"]) - 0.480).abs() < 0.0012, "{answer}");
    assert!((number(&answer["corrected_mean"]) - 0.400).abs() < 0.003, "{answer}");
    assert!((0.03..0.07).contains(&number(&answer["naive_coverage"])), "{answer}");
    assert!((0.94..0.96).contains(&number(&answer["corrected_coverage"])), "{answer}");
    let with = |threads| karat(&["simulate", "judges", "--runs", "1000", "-f", "json", "--threads", threads]).stdout;
    assert_eq!(with("1"), with("3"));
}

#[test]
fn plans_reach_what_was_wanted() {
    let asked = ["--score", "0.6385", "--sd", "0.402", "--labels-per-query", "3", "--difference", "0.02"];
    let shared = json(&[&["plan", "judges"][..], &asked, &PAPER].concat());
    // Known rates: 2 · .402² / D² · ((1.95996 + .84162) / .02)² = 22 885 queries for each system.
    assert!((number(&shared["queries_at_least"]) - 22_885.0).abs() < 2.0, "{shared}");
    let flags = ["--calibration-errors", "independent"];
    let independent = json(&[&["plan", "judges"][..], &asked, &PAPER, &flags].concat());
    assert!(number(&independent["gold_labels"]) > 50.0 * number(&shared["gold_labels"]), "{independent}");
    let cost = number(&shared["cost"]);
    assert!(shared["mixes"].as_array().unwrap().iter().all(|mix| number(&mix["cost"]) >= cost), "{shared}");
}

#[test]
fn a_graded_dcg_from_shares() {
    // The paper's figure 1, derived in karat_stats::judge_error: 5/18 + (5/9)/log2(3).
    let asked = ["judges", "correct", "--shares", "0.5,0.5,0;0.5,0,0.5", "--n", "200", "--gains", "0,0.5,1"];
    let answer = json(&[&asked[..], &["--table", "100,0,0;10,90,0;0,20,80"]].concat());
    let row = &answer["scores"][0];
    let expected = 5.0 / 18.0 + 5.0 / 9.0 / 3f64.log2();
    assert!((number(&row["value"]) - expected).abs() < 1e-12, "{row}");
    assert!((number(&row["naive"]) - (1.0 / 3f64.log2() + 0.5) / 2.0).abs() < 1e-12);
    // Delta and bootstrap: 10,000 replicates, .7 % of error and a few for the delta method.
    assert!((number(&row["std_error_bootstrap"]) / number(&row["std_error"]) - 1.0).abs() < 0.05, "{row}");
    // CG: no discount; ranks 1 and 2 are worth 5/18 and 5/9.
    let flat = json(&[&asked[..], &["--table", "100,0,0;10,90,0;0,20,80", "--discount", "none"]].concat());
    assert!((number(&flat["scores"][0]["value"]) - 15.0 / 18.0).abs() < 1e-12);
    // Judges who hardly tell the upper grades apart: correcting costs more than it mends.
    let poor = json(&[&asked[..], &["--table", "50,5,5;5,30,25;5,25,30"]].concat());
    let notes = poor["notes"].to_string();
    assert!(notes.contains("warning: the correction does more harm than good: the expected error is"), "{notes}");
    assert!(notes.contains("the condition number of the error rates is"), "{notes}");
    let table = ["--n", "9", "--table", "100,0,0;10,90,0;0,20,80"];
    for (shares, words) in [
        ("0.5,x,0", "error: --shares: 'x' is not a number; expected shares from 0 to 1"),
        ("0.5,0.6,0", "error: the sum of the shares at a rank is 1.1; expected 1"),
        ("0.5,0.5", "error: 2 grades; expected the 3 of the calibration"),
        ("1.5,-0.5,0", "error: a share of a bronze grade is 1.5; expected a number from 0 to 1"),
    ] {
        refused(&[&["judges", "correct", "--shares", shares][..], &table].concat(), 2, words);
    }
}

#[test]
fn what_makes_no_sense_is_refused_in_words() {
    let correct = |more: &[&'static str]| {
        [&["judges", "correct", "--score", "0.6", "--sd", "0.4", "--n", "90"][..], more].concat()
    };
    let compare = |a: &'static str| [&["judges", "compare", "--a", a, "--b", B][..], &PAPER].concat();
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (
            correct(&["--relevant", "60/59", "--nonrelevant", "67/84"]),
            "error: 60 of 59 relevant pairs; expected agreements first and no more of them than pairs, such as 43/59\n",
        ),
        (
            correct(&["--relevant", "43/59", "--nonrelevant", "85/84"]),
            "error: 85 of 84 non-relevant pairs; expected agreements first and no more of them than pairs, such as 43/59\n",
        ),
        (
            correct(&["--relevant", "20/59", "--nonrelevant", "42/84"]),
            "error: D = m_R + m_N - 1 is -0.1610; expected a number above 0. These judges tell relevant from non-relevant documents no \
             better than a coin, so nothing can be corrected; check that agreements, not disagreements, were counted\n",
        ),
        (
            correct(&["--relevant", "0/0", "--nonrelevant", "42/84"]),
            "error: no pair has gold grade 1, so what bronze says",
        ),
        (correct(&[]), "error: error rates of the judges are needed: --relevant 43/59"),
        (correct(&["--relevant", "43/59"]), "--nonrelevant"),
        (
            correct(&["--relevant", "43 of 59", "--nonrelevant", "67/84"]),
            "expected agreements/pairs in whole numbers, such as 43/59",
        ),
        (correct(&["--relevant", "-3/59", "--nonrelevant", "67/84"]), "error:"),
        (correct(&["--table", "1,1,0;1,1,0;0,0,1"]), "error: 2 grades; expected the 3 of the calibration"),
        (
            correct(&["--table", "67,17;16"]),
            "error: --table: a table of 2 rows with 1 columns for 2 grades; expected a row for each gold grade",
        ),
        (correct(&["--table", "67,x;16,43"]), "error: --table: 'x' is not a count; expected whole numbers"),
        (
            correct(&["--table", "67,17;16,43", "--grades", "1,0"]),
            "error: --table: grades [1.0, 0.0]; expected 2 to 100 finite grades",
        ),
        (
            vec!["judges", "correct", "--score", "1.2", "--n", "9", "--relevant", "43/59", "--nonrelevant", "67/84"],
            "error: score is 1.2; expected a number from 0 to the weight of the judged ranks (1 unless given)\n",
        ),
        (
            vec!["judges", "correct", "--score", "NaN", "--n", "9", "--relevant", "43/59", "--nonrelevant", "67/84"],
            "error: score is NaN; expected",
        ),
        (
            vec![
                "judges",
                "correct",
                "--score",
                "0.2",
                "--sd",
                "0.1",
                "--n",
                "1",
                "--relevant",
                "43/59",
                "--nonrelevant",
                "67/84",
            ],
            "error: number of queries is 1; expected at least 2\n",
        ),
        (
            vec![
                "judges",
                "correct",
                "--score",
                "0.2",
                "--sd",
                "-1",
                "--n",
                "9",
                "--relevant",
                "43/59",
                "--nonrelevant",
                "67/84",
            ],
            "error: standard deviation over queries is -1; expected a number from 0 to 1\n",
        ),
        (
            vec!["judges", "correct", "--score", "0.2", "--n", "0", "--relevant", "43/59", "--nonrelevant", "67/84"],
            "error: number of queries is 0; expected at least 1\n",
        ),
        (
            vec![
                "judges",
                "correct",
                "--score",
                "0.2",
                "--n",
                "9",
                "--weight",
                "0",
                "--relevant",
                "43/59",
                "--nonrelevant",
                "67/84",
            ],
            "error: the weight of the judged ranks is 0; expected a number above 0 and up to 1\n",
        ),
        (
            correct(&["--relevant", "43/59", "--nonrelevant", "67/84", "--level", "95"]),
            "error: --level needs a number between 0 and 1, found 95\n",
        ),
        (compare("score=0.6,sd=0.4"), "score or n is missing; expected score=0.6260,sd=0.414,n=10278"),
        (compare("score=0.6,score=0.7,n=9"), "score is given twice"),
        (compare("score=x,n=9"), "score: 'x' is not a number"),
        (compare("score=0.6,n=9,p=3"), "'p' is not known"),
        (
            [&compare(A)[..], &["--paired-sd", "0.1"]].concat(),
            "error: number of queries of the second system is 20604; expected as many as the first has, since they are paired\n",
        ),
        (
            [&compare(A)[..], &["--b-relevant", "1/2", "--b-nonrelevant", "2/2", "--calibration-errors", "shared"]]
                .concat(),
            "b has its own calibration",
        ),
        (
            [&["judges", "calibrate", "--factor", "system:a=3/2"][..], &PAPER].concat(),
            "3 agreements of 2 pairs; expected no more agreements than pairs",
        ),
        ([&["judges", "calibrate", "--factor", "system"][..], &PAPER].concat(), "no ':'"),
        (vec!["simulate", "judges", "--relevant", "0.2"], "error: m_R + m_N is 1; expected more than 1"),
        (
            vec!["simulate", "judges", "--truth", "0.5,1.5"],
            "error: the chance that a rank is relevant is 1.5; expected a number from 0 to 1\n",
        ),
        (vec!["simulate", "judges", "--queries", "1"], "error: number of queries is 1; expected at least 2\n"),
        (
            [&["plan", "judges", "--score", "0.6", "--width", "0"][..], &PAPER].concat(),
            "error: --width: expected a number between 0 and 1, found 0\n",
        ),
        ([&["plan", "judges", "--score", "0.6"][..], &PAPER].concat(), "--difference"),
        (
            [&["plan", "judges", "--score", "0.6", "--difference", "0.1", "--power", "1"][..], &PAPER].concat(),
            "error: --power: expected a number from 0.5 and below 1, found 1\n",
        ),
        (
            [&["plan", "judges", "--score", "0.6", "--difference", "0.1", "--gold-price", "0"][..], &PAPER].concat(),
            "error: --gold-price: expected a number from 1e-6 to 1e9, found 0\n",
        ),
    ];
    for (arguments, words) in cases {
        refused(&arguments, 2, words);
    }
}
