//! `karat published`: the contract of its answers for programs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn karat_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).arg("published").args(arguments).current_dir(folder).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = karat_in(Path::new("."), &[arguments, &["-f", "json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    crate::schema::parse(&output.stdout)
}

fn number(answer: &Value, field: &str) -> f64 {
    answer[field].as_f64().unwrap_or_else(|| panic!("no {field} in {answer}"))
}

#[test]
fn depth_is_table_1() {
    assert_eq!(json(&["depth", "--p", "0.8", "--precision", "1e-4"])["depth"], 45);
    let table = json(&["depth", "--p", "0.5,0.99", "--precision", "1e-2,1e-8"]);
    let depths: Vec<u64> =
        table["depths"].as_array().unwrap().iter().map(|row| row["depth"].as_u64().unwrap()).collect();
    assert_eq!(depths, [8, 28, 528, 1902]);
}

#[test]
fn vectors_meet_score_and_residual() {
    let answer = json(&["vectors", "--p", "0.8", "--score", "0.4200", "--residual", "0.0100"]);
    for end in ["greatest", "least"] {
        let ranks = answer[end].as_str().unwrap();
        assert_eq!(ranks.len(), 45);
        let weigh = |wanted: &str| -> f64 {
            let weights = ranks.chars().enumerate().filter(|(_, rank)| wanted.contains(*rank));
            weights.map(|(at, _)| 0.2 * 0.8f64.powi(at as i32)).sum()
        };
        assert!((weigh("1") - 0.42).abs() <= 5.1e-5 && (weigh("1?") - 0.43).abs() <= 1e-4, "{ranks}");
        assert!((weigh("1") - number(&answer, &format!("score_{end}"))).abs() < 1e-12);
    }
}

#[test]
fn all_vectors_come_with_their_count() {
    let answer = json(&["vectors", "--p", "0.6", "--score", "0.42", "--all"]);
    let listed = answer["vectors"].as_array().unwrap();
    assert_eq!(answer["count"].as_u64().unwrap(), listed.len() as u64);
    assert_eq!((&listed[0]["vector"], &listed.last().unwrap()["vector"]), (&answer["greatest"], &answer["least"]));
    // Too many to count one by one: a bound, and the first few.
    let answer = json(&["vectors", "--p", "0.95", "--score", "0.4200", "--all", "--limit", "3"]);
    assert!(answer["count"].is_null() && number(&answer, "log10_count_at_most") > 20.0);
    assert_eq!(answer["vectors"].as_array().unwrap().len(), 3);
}

#[test]
fn what_range_accepts_vectors_finds() {
    // 11011 misses 0.935, the least that prints 0.94, and 110111 does not; see the tests of the search.
    let answer = json(&["vectors", "--p", "0.3", "--score", "0.94", "--all"]);
    assert_eq!((&answer["greatest"], &answer["count"]), (&"110111".into(), &1.into()));
    let notes = answer["notes"].to_string();
    assert!(
        notes.contains("these rankings have 6 ranks") && notes.contains("1 ranking has this printed score"),
        "{notes}"
    );
}

#[test]
fn a_verdict_says_what_it_takes_for_granted() {
    let answer = json(&["compare", "--a", "p=0.8,score=0.42,residual=0.00", "--b", "p=0.8,score=0.44,name=theirs"]);
    let notes = answer["notes"].to_string();
    assert!(notes.contains("no significance test") && notes.contains("the same topics"), "{notes}");
    assert!(notes.contains("No residual given for theirs: treated as 0"), "{notes}");
    // 0.42 and 0.43 touch at 0.425.
    let touching = json(&["compare", "--a", "p=0.8,score=0.42", "--b", "p=0.8,score=0.43"]);
    assert_eq!(touching["difference"][1].as_f64(), Some(0.0), "{touching}");
}

#[test]
fn help_shows_no_option_that_is_refused() {
    let help = karat_in(Path::new("."), &["study", "--help"]);
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(help.contains("--relevance-level") && !help.contains("--measure"), "{help}");
}

#[test]
fn ranges_hold_the_binary_within_the_graded() {
    // p = 0.5, 0.8 means 0.75 to 0.85. Graded at 0.2: 1 1 f with f = (0.85 - 0.75) / 0.125 = 0.8 gives 0.96 + 0.032 · 0.8 = 0.9856;
    // the lowest has 0.25 to spare: f = 0.5 of rank 1, then 1s: 0.5 · 0.8 + 0.2 = 0.6.
    let answer = json(&["range", "--p", "0.5", "--score", "0.8", "--at", "0.2"]);
    assert!((number(&answer, "high_graded") - 0.9856).abs() < 1e-12, "{answer}");
    assert!((number(&answer, "low_graded") - 0.6).abs() < 1e-12, "{answer}");
    assert!(
        number(&answer, "low_graded") <= number(&answer, "low")
            && number(&answer, "high") <= number(&answer, "high_graded")
    );
    assert_eq!((&answer["low_is"], &answer["high_is"]), (&"exact".into(), &"exact".into()));
    let sweep = json(&["range", "--p", "0.8", "--score", "0.42", "--at", "0.1:0.9:0.2"]);
    let at: Vec<f64> = sweep["ranges"].as_array().unwrap().iter().map(|row| number(row, "at")).collect();
    assert_eq!(at, [0.1, 0.3, 0.5, 0.7, 0.9]);
}

#[test]
fn verdicts_need_ranges_that_do_not_meet() {
    let undecided = json(&["compare", "--a", "p=0.8,score=0.42,residual=0.01", "--b", "p=0.95,score=0.30"]);
    assert_eq!((&undecided["verdict"], number(&undecided, "at")), (&"undecided".into(), 0.8));
    // 0.05 at p = 0.95 stands for at most 0.055 = rank 1 (0.05) and 0.005 / 0.0475 = 0.10526 of rank 2: at 0.5 that is 0.5 + 0.25 · 0.10526.
    let decided = json(&["compare", "--a", "p=0.5,score=0.72", "--b", "p=0.95,score=0.05"]);
    assert_eq!(decided["verdict"], "a");
    assert!((number(&decided, "high") - (0.5 + 0.25 * 0.005 / 0.0475)).abs() < 1e-12, "{decided}");
    // The same the other way round.
    let turned = json(&["compare", "--b", "p=0.5,score=0.72", "--a", "p=0.95,score=0.05"]);
    assert_eq!((&turned["verdict"], &turned["high"]), (&"b".into(), &decided["high"]));
}

#[test]
fn a_mean_may_lie_where_no_ranking_does() {
    // 0.5 at p = 0.2: the mean of 1000... (0.8) and 0111... (0.2), say. Graded at 0.1: rank 1 gains at most 0.55 / 0.8 of its 0.9.
    let mean = json(&["range", "--p", "0.2", "--score", "0.5", "--at", "0.1", "--mean"]);
    assert!((number(&mean, "high_graded") - 0.9 * 0.55 / 0.8).abs() < 1e-12 && mean["high"].is_null(), "{mean}");
    let compared = json(&["compare", "--a", "p=0.2,score=0.50", "--b", "p=0.1,score=0.05"]);
    assert_eq!((&compared["verdict"], &compared["verdict_binary"]), (&"a".into(), &Value::Null));
}

#[test]
fn a_table_gives_an_order_and_its_graph() {
    let folder = tempfile::tempdir().unwrap();
    let table = "system,p,score,residual,digits\nlow,0.5,0.05,,\nhigh,0.8,0.9,,2\nmiddle,0.5,0.50,0.01,\n";
    std::fs::write(folder.path().join("s.csv"), table).unwrap();
    let output = karat_in(folder.path(), &["compare", "s.csv", "-f", "json", "--figure", "g.svg"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = crate::schema::parse(&output.stdout);
    assert_eq!(answer["comparisons"].as_array().unwrap().len(), 3);
    let order = answer["order"].as_array().unwrap();
    assert_eq!(order[0]["system"], "high");
    assert_eq!(order[0]["next"].as_array().unwrap().len(), 1);
    let graph = std::fs::read_to_string(folder.path().join("g.svg")).unwrap();
    assert!(graph.starts_with("<svg ") && ["low", "middle", "high"].iter().all(|name| graph.contains(name)));
    // The page shows it too.
    let page = karat_in(folder.path(), &["compare", "s.csv", "-f", "html"]).stdout;
    assert!(String::from_utf8(page).unwrap().contains("<svg "));
}

#[test]
fn figure_3_refuses_one_panel_of_nine() {
    let folder = tempfile::tempdir().unwrap();
    let grid = [
        "range",
        "--p",
        "0.2,0.5,0.8",
        "--score",
        "0.2,0.5,0.8",
        "--precision",
        "1e-4",
        "--figure",
        "grid.svg",
        "-f",
        "json",
    ];
    let output = karat_in(folder.path(), &grid);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let drawn = std::fs::read_to_string(folder.path().join("grid.svg")).unwrap();
    assert_eq!((drawn.matches("no ranking has this score").count(), drawn.matches("<circle").count()), (1, 8));
    let answer: Value = crate::schema::parse(&output.stdout);
    assert_eq!(answer["fan"].as_array().unwrap().len(), 8 * 99);
    assert!(answer["notes"].to_string().contains("has RBP 0.5 at p=0.2; the nearest possible scores are 0.2 and 0.8"));
}

/// The runs of a real collection: verdicts from printed scores are never wrong.
#[test]
fn no_verdict_is_wrong_on_real_runs() {
    let Some(folder) = karat_testdata::folder("web_diversity", "verdicts from printed scores on real runs") else {
        return;
    };
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (a, b) = (file("runs2012/ql.cata-filtered.xz"), file("runs2012/ql.catb-filtered.xz"));
    let answer = json(&["study", &file("2012_qrels.adhoc.txt.xz"), &a, &b]);
    let cells = answer["cells"].as_array().unwrap();
    // Three pairs of p, three numbers of digits, topics and means, with and without residuals.
    assert_eq!(cells.len(), 36);
    assert!(cells.iter().all(|cell| cell["wrong"] == 0 && cell["pairs"].as_u64() > Some(0)), "{answer}");
    assert!(cells.iter().any(|cell| cell["decided"].as_u64() > Some(0)));
}
