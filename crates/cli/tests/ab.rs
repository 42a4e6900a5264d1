//! `karat ab`: numbers that scipy and statsmodels have, the contract of the JSON, what is loud, and what is refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder).output().unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let done = karat(folder, &[arguments, &["-f", "json"]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let answer: Value = crate::schema::parse(&done.stdout);
    assert_eq!(answer["schema"], "karat/2");
    answer
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let done = karat(folder, arguments);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!((done.status.code(), done.stdout.len()), (Some(2), 0), "{arguments:?}: {said}");
    said
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn near(value: &Value, expected: f64) {
    assert!((number(value) - expected).abs() <= 1e-9 * expected.abs().max(1e-3), "{value} and not {expected}");
}

fn has_note(answer: &Value, words: &str) -> bool {
    answer["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains(words))
}

/// A folder with this file.
fn with(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    folder
}

/// Five users against six, one search each row.
const SMALL: &str = "user,arm,searches,clicks\n\
                     u1,A,4,1\nu2,A,2,0\nu3,A,3,0\nu4,A,2,2\nu5,A,5,1\nu6,A,6,4\n\
                     v1,B,3,3\nv2,B,1,0\nv3,B,6,5\nv4,B,4,2\nv5,B,2,2\n";

const COUNTS: [&str; 5] = ["ab", "--a", "clicks=1200,searches=10000", "--b", "clicks=1310,searches=10050"];

#[test]
fn counts_are_naive_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let answer = json(folder.path(), &COUNTS);
    // statsmodels 0.15.0: proportions_ztest([1310, 1200], [10050, 10000]), confint_proportions_2indep(..., method="newcomb").
    let row = &answer["comparisons"][0];
    near(&row["z"], 2.213888996012664);
    near(&row["p_naive"], 0.026836415894403016);
    near(&row["interval"][0], 0.0011861215151665432);
    near(&row["interval"][1], 0.01951046161645937);
    // (2.2139/1.95996)²: a design effect of 1.28 is enough to undo it.
    near(&row["design_effect_limit"], (2.213888996012664f64 / 1.959963984540054).powi(2));
    assert_eq!((&row["verdict"], &row["arm"], &row["control"]), (&"higher".into(), &"b".into(), &"a".into()));
    assert!(has_note(&answer, "NAIVE") && has_note(&answer, "12% to 36%"));
    // scipy 1.17.1: chisquare([10000, 10050]).
    near(&answer["sample_ratio"]["chi_squared"], 0.12468827930174564);
    assert_eq!((&answer["sample_ratio"]["holds"], &answer["sample_ratio"]["threshold"]), (&true.into(), &0.001.into()));
    // Users that repeat are named, and users without repetition are no reason to shout.
    let users = ["ab", "--a", "clicks=12,searches=100,users=40", "--b", "clicks=15,searches=100,users=40"];
    let answer = json(folder.path(), &users);
    assert!(has_note(&answer, "2.50 searches per user"));
    assert_eq!(answer["sample_ratio"]["unit"], "users");
    let once = ["ab", "--a", "clicks=12,searches=100,users=100", "--b", "clicks=15,searches=100,users=100"];
    assert!(!has_note(&json(folder.path(), &once), "NAIVE"));
    // Several arms: Holm.
    let three = json(folder.path(), &[&COUNTS[..], &["--b", "clicks=1250,searches=10000,name=third"]].concat());
    assert_eq!(three["comparisons"][1]["arm"], "third");
    near(&three["comparisons"][0]["p_adjusted"], 2.0 * 0.026836415894403016);
    assert_eq!(three["comparisons"][0]["verdict"], "undecided");
}

#[test]
fn a_wrong_sample_ratio_comes_first_and_takes_the_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let counts = ["ab", "--a", "clicks=5000,searches=99000", "--b", "clicks=90,searches=1000"];
    let answer = json(folder.path(), &counts);
    assert_eq!(answer["sample_ratio"]["holds"], false);
    assert!(answer["notes"][0].as_str().unwrap().contains("SAMPLE RATIO MISMATCH"));
    assert_eq!(answer["comparisons"][0]["verdict"], "undecided");
    assert!(answer["comparisons"][0]["because"].as_str().unwrap().contains("sample ratio"));
    let text = String::from_utf8(karat(folder.path(), &counts).stdout).unwrap();
    assert!(text.find("FAILED").unwrap() < text.find("Arms").unwrap(), "{text}");
    // A split that was planned so is right.
    let planned = json(folder.path(), &[&counts[..], &["--split", "99:1"]].concat());
    assert_eq!(
        (&planned["sample_ratio"]["holds"], &planned["comparisons"][0]["verdict"]),
        (&true.into(), &"higher".into())
    );
}

#[test]
fn users_by_hand() {
    let folder = with("f.csv", SMALL);
    let answer = json(folder.path(), &["ab", "f.csv"]);
    // A: 8 of 22; B: 12 of 16. The jackknife: (n − 1)/n times the squared changes of the ratio when one user is left out.
    let of = |pairs: &[(f64, f64)]| {
        let n = pairs.len() as f64;
        let (x, y) = (pairs.iter().map(|p| p.0).sum::<f64>(), pairs.iter().map(|p| p.1).sum::<f64>());
        let squares: f64 = pairs.iter().map(|p| ((x - p.0) / (y - p.1) - x / y).powi(2)).sum();
        (x / y, (n - 1.0) / n * squares, n)
    };
    let a = of(&[(1.0, 4.0), (0.0, 2.0), (0.0, 3.0), (2.0, 2.0), (1.0, 5.0), (4.0, 6.0)]);
    let b = of(&[(3.0, 3.0), (0.0, 1.0), (5.0, 6.0), (2.0, 4.0), (2.0, 2.0)]);
    let row = &answer["comparisons"][0];
    near(&row["difference"], b.0 - a.0);
    near(&row["std_error"], (a.1 + b.1).sqrt());
    near(&row["df"], (a.1 + b.1).powi(2) / (a.1.powi(2) / 5.0 + b.1.powi(2) / 4.0));
    near(&answer["arms"][0]["value"], 8.0 / 22.0);
    near(&answer["arms"][1]["std_error"], b.1.sqrt());
    assert!(has_note(&answer, "6 users") || has_note(&answer, "5 users"), "{answer}");
    // The same users in rows of single searches, in JSON Lines and with tabs, are the same test.
    let mut lines = String::new();
    for row in SMALL.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let (searches, clicks): (u32, u32) = (fields[2].parse().unwrap(), fields[3].parse().unwrap());
        for search in 0..searches {
            let click = u32::from(search < clicks);
            writeln!(lines, "{{\"user\": \"{}\", \"arm\": \"{}\", \"click\": {click}}}", fields[0], fields[1]).unwrap();
        }
    }
    std::fs::write(folder.path().join("f.jsonl"), lines).unwrap();
    let searches = json(folder.path(), &["ab", "f.jsonl", "--metric", "click"]);
    assert_eq!(searches["comparisons"][0]["p"], row["p"]);
    std::fs::write(folder.path().join("f.tsv"), SMALL.replace(',', "\t")).unwrap();
    assert_eq!(json(folder.path(), &["ab", "f.tsv"])["comparisons"], answer["comparisons"]);
    // The other way round.
    let turned = json(folder.path(), &["ab", "f.csv", "--control", "B"]);
    near(&turned["comparisons"][0]["difference"], a.0 - b.0);
    assert_eq!(turned["comparisons"][0]["p"], row["p"]);
}

#[test]
fn a_mean_over_users_is_welchs_test() {
    let mut text = String::from("user,arm,clicks\n");
    for (at, clicks) in [1, 0, 0, 2, 1, 4].iter().enumerate() {
        writeln!(text, "a{at},A,{clicks}").unwrap();
    }
    for (at, clicks) in [3, 0, 5, 2, 2].iter().enumerate() {
        writeln!(text, "b{at},B,{clicks}").unwrap();
    }
    let folder = with("f.csv", &text);
    let row = &json(folder.path(), &["ab", "f.csv", "--metric", "clicks/user"])["comparisons"][0];
    // scipy 1.17.1: ttest_ind([3, 0, 5, 2, 2], [1, 0, 0, 2, 1, 4], equal_var=False).
    near(&row["t"], 1.0470719856059014);
    near(&row["df"], 7.835837921835283);
    // Few users: p and interval are by resampling, near Welch's .326 and -1.291.
    assert!((number(&row["p"]) - 0.326).abs() < 0.02 && (number(&row["interval"][0]) + 1.291).abs() < 0.2, "{row}");
    assert!(row["p_naive"].is_null(), "a mean has no naive test of shares");
}

#[test]
fn the_demo_has_a_lift_and_peeking_is_paid_for() {
    let folder = tempfile::tempdir().unwrap();
    assert!(karat(folder.path(), &["demo", "-o", "d", "--no-report"]).status.success());
    let file = "d/clicks.csv";
    let answer = json(folder.path(), &["ab", file, "--metric", "clicks/searches", "--lift", "0.05"]);
    let row = &answer["comparisons"][0];
    // The truth is a lift of .1, of 4000 users: the interval holds it, and users repeat.
    let interval = (number(&row["lift_interval"][0]), number(&row["lift_interval"][1]));
    assert!(interval.0 < 0.1 && 0.1 < interval.1, "{row}");
    assert!(number(&row["design_effect"]) > 1.5 && number(&row["p_naive"]) < number(&row["p"]), "{row}");
    assert_eq!(row["verdict"], "higher");
    // Half the lift takes about four times the users that .1 takes.
    let ten = json(folder.path(), &["ab", file, "--lift", "0.1"]);
    let ratio = number(&answer["power"][0]["units_needed"]) / number(&ten["power"][0]["units_needed"]);
    assert!((ratio - 4.0).abs() < 0.01, "{ratio}");
    let peek = json(folder.path(), &["ab", file, "--time", "day", "--peek", "--tune", "4000"]);
    let looks = peek["sequence"].as_array().unwrap();
    assert_eq!((looks.len(), &looks[13]["time"]), (14, &"2026-03-14".into()));
    let last = &looks[13];
    // At the end all is in: the same difference, and an interval that is wider by what looking costs.
    near(&last["difference"], number(&row["difference"]));
    assert!(number(&last["interval"][0]) < number(&last["interval_fixed"][0]));
    assert!(number(&last["p"]) > number(&last["p_fixed"]));
    let p: Vec<f64> = looks.iter().map(|look| number(&look["p"])).collect();
    assert!(p.windows(2).all(|two| two[1] <= two[0]), "{p:?}");
    assert_eq!(peek["comparisons"][0]["p_sequence"], last["p"]);
    assert!(has_note(&peek, "tightest at 4000 users"));
    // Days: 4000 users over 14 days.
    near(&peek["power"][0]["days_needed"], (number(&peek["power"][0]["units_needed"]) / (4000.0 / 14.0)).ceil());
}

#[test]
fn interleaving_by_hand() {
    let folder = with("w.csv", "winner\nb\nb\nb\nb\nb\nb\nb\nb\na\na\ntie\n\"\"\n");
    let answer = json(folder.path(), &["ab", "interleaving", "w.csv"]);
    // Two of ten: twice 56/1024.
    near(&answer["tests"][0]["p"], 0.109375);
    let counted = &answer["outcomes"][0];
    assert_eq!((&counted["wins_b"], &counted["ties"], &counted["without_clicks"]), (&8.into(), &1.into(), &1.into()));
    near(&counted["margin"], 0.5);
    assert!(has_note(&answer, "NAIVE") && answer["verdict"] == "undecided");
    // Users with one search each: Student's t of 1, 1, 1, 0, −1 (scipy 1.17.1: p .37390096630005887).
    std::fs::write(
        folder.path().join("c.csv"),
        "search,user,clicks_a,clicks_b\n1,u,0,1\n2,v,1,3\n3,w,0,2\n4,x,1,1\n5,y,2,0\n",
    )
    .unwrap();
    let answer = json(folder.path(), &["ab", "interleaving", "c.csv"]);
    near(&answer["tests"][2]["p"], 0.37390096630005887);
    assert_eq!((&answer["tests"][2]["test"], &answer["tests"][2]["over"]), (&"t".into(), &"users".into()));
    // The same as counts of users.
    std::fs::write(
        folder.path().join("u.csv"),
        "user,wins_a,wins_b,ties\nu,0,1,0\nv,0,1,0\nw,0,1,0\nx,0,0,1\ny,1,0,0\n",
    )
    .unwrap();
    assert_eq!(json(folder.path(), &["ab", "interleaving", "u.csv"])["tests"], answer["tests"]);
    // Nobody won: no test, and a reason.
    std::fs::write(folder.path().join("n.csv"), "winner,user\ntie,u\n\"\",v\n").unwrap();
    let none = json(folder.path(), &["ab", "interleaving", "n.csv"]);
    assert!(none["tests"][0]["p"].is_null() && has_note(&none, "neither side won") && none["verdict"] == "undecided");
    assert!(has_note(&json(folder.path(), &["ab", "interleaving", "c.csv", "--scheme", "balanced"]), "balanced:"));
}

#[test]
fn users_who_all_agree_are_a_finding() {
    // 50 users, all won by a: t has no spread, the sign test has p = 2/2^50.
    let mut text = String::from("user,winner\n");
    (0..50).for_each(|user| writeln!(text, "u{user},a").unwrap());
    let folder = with("w.csv", &text);
    let answer = json(folder.path(), &["ab", "interleaving", "w.csv"]);
    assert_eq!((&answer["verdict"], &answer["tests"][2]["p"]), (&"a".into(), &Value::Null), "{answer}");
    assert!((number(&answer["tests"][1]["p"]) * 2f64.powi(49) - 1.0).abs() < 1e-9, "{answer}");
    assert!(answer["because"].as_str().unwrap().contains("the sign test over users"), "{answer}");
    assert!(has_note(&answer, "The verdict is by the sign test over 50 users"), "{answer}");
    // Two who agree are none: p = 1/2.
    let two = with("w.csv", "user,winner\nu,b\nv,b\n");
    assert_eq!(json(two.path(), &["ab", "interleaving", "w.csv"])["verdict"], "undecided");
}

#[test]
fn times_that_have_no_order_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["ab", "f.csv", "--time", "day", "--peek"];
    let write = |days: [&str; 4]| {
        let mut text = String::from("user,arm,searches,clicks,day\n");
        for (at, day) in days.iter().enumerate() {
            writeln!(text, "u{at},{},2,{},{day}", ["A", "B"][at % 2], at / 2).unwrap();
        }
        std::fs::write(folder.path().join("f.csv"), text).unwrap();
    };
    for wrong in ["28/02/2026", "not-a-date", "2026-13-45", "2026-02-29", "2026-03-01T25:00", "inf"] {
        write(["2026-02-28", "2026-02-28", wrong, "2026-03-01"]);
        let said = refused(folder.path(), &arguments);
        let words = format!("f.csv:4: column: expected a date, a time or a number in \"day\", found \"{wrong}\"");
        assert!(said.contains(&words) && said.contains("write dates as 2026-03-01"), "{said}");
    }
    write(["2026-02-28", "2026-02-28", "3", "2026-03-01"]);
    let said = refused(folder.path(), &arguments);
    let words = "f.csv:4: column: expected a date as 2026-03-01 in \"day\", as in line 2, found \"3\"";
    assert!(said.contains(words), "{said}");
    // Times of one day are one look, numbers are in the order of numbers, and 9 and 9.0 are one.
    for (days, looks) in [
        (
            ["2026-03-01T10:00", "2026-02-28T23:59", "2026-03-01T09:00:00", "2026-02-28 01:00"],
            ["2026-02-28", "2026-03-01"],
        ),
        (["10", "9", "9.0", "10"], ["9", "10"]),
    ] {
        write(days);
        let answer = json(folder.path(), &arguments);
        let found: Vec<&str> =
            answer["sequence"].as_array().unwrap().iter().map(|look| look["time"].as_str().unwrap()).collect();
        assert_eq!(found, looks, "{answer}");
    }
}

#[test]
fn lengths_are_looked_at_when_they_are_known() {
    let folder = with("l.csv", "winner,la,lb\nb,10,10\nb,10,7\na,10,10\n");
    let answer = json(folder.path(), &["ab", "interleaving", "l.csv", "--lengths", "la,lb"]);
    assert!(has_note(&answer, "In 1 of 3 searches one ranking was longer"));
    near(&answer["tests_equal_lengths"][0]["value"], 0.5);
    near(&answer["tests"][0]["value"], 2.0 / 3.0);
}

#[test]
fn parquet_is_read_by_the_same_names() {
    // karat writes Parquet of judgements; with topics for arms and documents for users they are rows of an A/B test.
    let folder = with("q.txt", "A 0 u1 1\nA 0 u2 0\nA 0 u5 1\nB 0 u3 1\nB 0 u4 0\nB 0 u6 0\n");
    assert!(karat(folder.path(), &["convert", "q.txt", "-o", "q.parquet"]).status.success());
    let columns = ["--unit", "doc_id", "--arm", "query_id", "--metric", "grade"];
    let answer = json(folder.path(), &[&["ab", "q.parquet"][..], &columns].concat());
    assert_eq!(answer["provenance"]["inputs"][0]["format"], "parquet");
    near(&answer["arms"][0]["value"], 2.0 / 3.0);
    near(&answer["comparisons"][0]["difference"], -1.0 / 3.0);
    let said = refused(folder.path(), &["ab", "q.parquet"]);
    assert!(
        said.contains("expected a column \"user\", found the columns \"query_id\", \"doc_id\", \"grade\""),
        "{said}"
    );
}

#[test]
fn what_is_wrong_is_said_with_file_line_and_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let said = |text: &str, arguments: &[&str]| {
        std::fs::write(folder.path().join("f.csv"), text).unwrap();
        refused(folder.path(), &[&["ab", "f.csv"], arguments].concat())
    };
    let head = "user,arm,searches,clicks\n";
    for (rows, arguments, words) in [
        ("u,A,1,0\nv,A,1,1\n", &[][..], "f.csv: expected two or more arms, found only one (A)"),
        (
            "u,A,1,0\nu,B,1,1\nv,B,1,0\n",
            &[],
            "f.csv:3: column: expected each user in one arm, found \"u\" in \"B\" and in \"A\" (line 2)",
        ),
        ("u,A,1,-1\n", &[], "f.csv:2: column: expected a number from 0 in \"clicks\", found -1"),
        ("u,A,1,2\n", &[], "f.csv:2: column: expected at most as many \"clicks\" as \"searches\", found 2 of 1"),
        ("u,A,1,2\n", &[], "--several once"),
        ("u,A,2,3\n", &["--several", "once"], "rows of single searches"),
        ("u,A,1,x\n", &[], "f.csv:2: column: expected a number from 0 in \"clicks\", found \"x\""),
        ("u,A,1,\n", &[], "found nothing"),
        ("u,,1,1\n", &[], "f.csv:2: column: expected a name in \"arm\", found nothing"),
        ("u,A,1\n", &[], "f.csv:2: fields: expected 4 fields"),
        ("", &[], "expected at least one row, found none"),
        ("u,A,1,1\nv,B,1,1\n", &[], "expected two or more users with searches in the arm A"),
        ("u,A,0,0\nv,A,0,0\nw,B,1,1\nx,B,1,0\n", &[], "found a denominator of 0"),
        ("u,A,1,1\n", &["--unit", "User"], "f.csv:1: header: expected a column \"User\""),
        ("u,A,1,1\nv,B,1,1\n", &["--control", "C"], "expected an arm C (--control), found the arms A, B"),
        ("u,A,1,1\nv,B,1,1\n", &["--split", "1:1:1"], "3 weights for 2 arms"),
        ("u,A,1,1\nv,B,1,1\n", &["--split", "x"], "is not a split"),
        ("u,A,1,1\n", &["--metric", "clicks/"], "is not a metric"),
        ("u,A,1,1\n", &["--lift", "0"], "--lift needs"),
        (
            "u,A,1,1\n",
            &["--metric", "clicks/searches,clicks", "--metric", "clicks / searches"],
            "--metric: clicks / searches is given twice",
        ),
        (
            "u,A,1e308,1\n",
            &[],
            "f.csv:2: column: expected a number from 0 to 9007199254740992 in \"searches\", found \"1e308\"",
        ),
        (
            "u,A,1,1\nv,A,1,0\nw,a,1,0\nx,B,1,0\ny,B,1,1\n",
            &[],
            "found 1 unit; at least 2 are needed (the arms are A, B, a)",
        ),
        ("u,A,1,1\nu,a,1,0\n", &[], "the arms are A, a"),
        ("u,A,1,1\n", &["--power", "0.2"], "--power needs"),
        ("u,A,1,1\n", &["--level", "95"], "--level needs"),
        ("u,A,1,1\n", &["--peek"], "--time"),
    ] {
        let found = said(&format!("{head}{rows}"), arguments);
        assert!(found.contains(words), "{rows:?} {arguments:?}:\n{found}");
    }
    assert!(said("", &[]).contains("an empty file"));
    for (arguments, words) in [
        (&["ab"][..], "nothing to compare"),
        (&["ab", "--a", "clicks=1,searches=2"], "--b"),
        (
            &["ab", "--a", "clicks=3,searches=2", "--b", "clicks=1,searches=2"],
            "at most as many clicks as searches, found 3 clicks of 2",
        ),
        (
            &["ab", "--a", "clicks=-1,searches=2", "--b", "clicks=1,searches=2"],
            "needs a whole number from 0 to 9007199254740992 (larger ones are not exact), found '-1'",
        ),
        (
            &["ab", "--a", "clicks=1,searches=18446744073709551615", "--b", "clicks=1,searches=2"],
            "searches needs a whole number from 0 to 9007199254740992 (larger ones are not exact), found '18446744073709551615'",
        ),
        (&["ab", "--a", "clicks=1", "--b", "clicks=1,searches=2"], "two counts are needed"),
        (&["ab", "--a", "clicks=1,searches=2", "--b", "hits=1,searches=2"], "they must count the same"),
        (&["ab", "--a", "clicks=0,searches=0", "--b", "clicks=1,searches=2"], "found 0 clicks of 0 searches"),
        (
            &["ab", "--a", "clicks=1,searches=2,users=3", "--b", "clicks=1,searches=2"],
            "at most as many users as searches",
        ),
        (&["ab", "--a", "clicks=1,searches=2", "--b", "clicks=1,searches=2,name=a"], "two arms are called 'a'"),
        (
            &["ab", "--a", "clicks=1,searches=2", "--b", "clicks=1,searches=2", "--time", "day"],
            "--time needs a file of rows",
        ),
    ] {
        let found = refused(folder.path(), arguments);
        assert!(found.contains(words), "{arguments:?}:\n{found}");
    }
    std::fs::write(folder.path().join("i.csv"), "winner,user\nc,u\n").unwrap();
    let found = refused(folder.path(), &["ab", "interleaving", "i.csv"]);
    assert!(found.contains("i.csv:2: column: expected a, b, tie or nothing in \"winner\", found \"c\""), "{found}");
    std::fs::write(folder.path().join("i.csv"), "who,user\nc,u\n").unwrap();
    let found = refused(folder.path(), &["ab", "interleaving", "i.csv"]);
    assert!(found.contains("i.csv:1: header: expected a column winner, or clicks_a and clicks_b"), "{found}");
}

#[test]
fn what_cannot_be_said_is_null_with_a_reason() {
    // Nobody clicks: no test, no lift.
    let text = "user,arm,searches,clicks\nu,A,1,0\nv,A,2,0\nw,B,1,0\nx,B,3,0\n";
    let folder = with("f.csv", text);
    let answer = json(folder.path(), &["ab", "f.csv"]);
    let row = &answer["comparisons"][0];
    assert!(row["p"].is_null() && row["lift"].is_null() && row["interval"].is_null() && row["verdict"] == "undecided");
    assert!(has_note(&answer, "the units of each arm have the same value") && has_note(&answer, "no lift"));
    // Two users an arm: a test with next to no power, and a warning.
    let two = with("f.csv", "user,arm,searches,clicks\nu,A,1,0\nv,A,2,1\nw,B,1,1\nx,B,3,1\n");
    let answer = json(two.path(), &["ab", "f.csv"]);
    assert!(number(&answer["comparisons"][0]["p"]) > 0.05 && has_note(&answer, "an arm has only 2 users"));
    // A control within its error of 0 has no lift, but a difference.
    assert!(answer["comparisons"][0]["lift"].is_null() && has_note(&answer, "the interval of the control includes 0"));
    // Users in two arms, left out and counted.
    let crossed = with("f.csv", &format!("{SMALL}u1,B,1,1\n"));
    let answer = json(crossed.path(), &["ab", "f.csv", "--both-arms", "drop"]);
    assert!(has_note(&answer, "1 users in two arms are left out") && answer["arms"][0]["units"] == 5, "{answer}");
    // Looks that are all too early.
    let early = with("f.csv", "user,arm,searches,clicks,day\nu,A,1,0,1\nv,A,2,1,1\nw,B,1,1,2\nx,B,3,1,2\n");
    let answer = json(early.path(), &["ab", "f.csv", "--time", "day", "--peek"]);
    assert!(has_note(&answer, "no look counts yet") && answer["comparisons"][0]["p_adjusted"].is_null());
    let text = String::from_utf8(karat(early.path(), &["ab", "f.csv", "--time", "day", "--peek"]).stdout).unwrap();
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn no_information_is_no_certainty() {
    let folder = tempfile::tempdir().unwrap();
    for (a, b, why) in [
        ("clicks=1,searches=1", "clicks=0,searches=1", "all trials of a succeeded"),
        ("clicks=10,searches=10", "clicks=10,searches=10", "all trials of a succeeded"),
        ("clicks=5,searches=10", "clicks=0,searches=10", "no trials of b succeeded"),
        ("clicks=0,searches=10", "clicks=0,searches=10", "the interval of the control includes 0"),
    ] {
        let answer = json(folder.path(), &["ab", "--a", a, "--b", b]);
        let row = &answer["comparisons"][0];
        for key in ["lift", "lift_interval", "lift_interval_delta"] {
            assert!(row[key].is_null(), "{a} {b} {key}: {row}");
        }
        assert!(has_note(&answer, "no lift: ") && has_note(&answer, why), "{answer}");
        assert!(answer["power"][0]["detectable_difference"].is_null(), "{answer}");
    }
    // Every user clicks every time.
    let all = with("f.csv", "user,arm,searches,clicks\nu,A,1,1\nv,A,2,2\nw,B,1,1\nx,B,3,3\n");
    let answer = json(all.path(), &["ab", "f.csv"]);
    let row = &answer["comparisons"][0];
    assert!(row["lift_interval"].is_null() && row["interval"].is_null() && answer["arms"][0]["std_error"].is_null());
    assert!(has_note(&answer, "no lift: the units of each arm have the same value"), "{answer}");
}

#[test]
fn what_contradicts_itself_is_said() {
    let rows = "winner,clicks_a,clicks_b\nb,0,1\na,0,5\ntie,0,0\n\"\",2,0\na,,\n";
    let folder = with("w.csv", rows);
    let answer = json(folder.path(), &["ab", "interleaving", "w.csv"]);
    assert!(
        has_note(&answer, "in 2 of 5 rows (first: line 3) the winner is not the ranking with more clicks"),
        "{answer}"
    );
    assert_eq!((&answer["outcomes"][0]["wins_a"], &answer["outcomes"][0]["wins_b"]), (&2.into(), &1.into()));
    // Sums beyond what is exact.
    let many = with("w.csv", "user,wins_a,wins_b,ties\nu,9007199254740992,0,0\nv,0,1,0\n");
    let said = refused(many.path(), &["ab", "interleaving", "w.csv"]);
    assert!(said.contains("w.csv:3: column: expected at most 9007199254740992 searches in all"), "{said}");
    // Two arms that may be one.
    let arms = with("f.csv", "user,arm,searches,clicks\nu,A,1,0\nv,A,2,1\nw,a,1,1\nx,a,3,1\n");
    assert!(has_note(&json(arms.path(), &["ab", "f.csv"]), "the arms A and a differ only in capitals"));
}

#[test]
fn a_real_test_of_two_policies() {
    let Some(folder) = karat_testdata::folder("clicks_obd", "ab on a real A/B test") else { return };
    // Impressions of two policies, 10,000 each: men 46 and 69 clicks, women 46 and 46. Users are not in the data, so every row is one.
    for (campaign, clicks, verdict) in [("men", (46, 69), "higher"), ("women", (46, 46), "undecided")] {
        let mut text = String::from("user,arm,click\n");
        for policy in ["random", "bts"] {
            let rows = std::fs::read_to_string(folder.join(format!("{policy}.{campaign}.csv"))).unwrap();
            for (at, row) in rows.lines().skip(1).enumerate() {
                writeln!(text, "{policy}{at},{policy},{}", row.split(',').nth(3).unwrap()).unwrap();
            }
        }
        let made = with("obd.csv", &text);
        let answer = json(made.path(), &["ab", "obd.csv", "--metric", "click", "--control", "random"]);
        let arms = answer["arms"].as_array().unwrap();
        assert_eq!((number(&arms[0]["numerator"]) as u64, number(&arms[1]["numerator"]) as u64), clicks, "{campaign}");
        let row = &answer["comparisons"][0];
        assert_eq!(row["verdict"], verdict, "{campaign}: {row}");
        // One row a user: the delta method is the naive test, but for the pooled variance and t.
        assert!((number(&row["design_effect"]) - 1.0).abs() < 1e-3, "{row}");
    }
}
