//! `karat reproduce`: the contract of its JSON, the folder it writes, threads, interruptions, and what it refuses.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn karat(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).arg("reproduce").args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = karat(&[arguments, &["-f", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Standard error and the exit status of a refusal.
fn refused(arguments: &[&str]) -> (String, Option<i32>) {
    let output = karat(arguments);
    assert!(!output.status.success() && output.stdout.is_empty());
    (String::from_utf8(output.stderr).unwrap(), output.status.code())
}

#[test]
fn claims_have_the_fields_of_the_contract() {
    let answer = json(&["rbp-parameter-sensitivity", "--quick"]);
    assert_eq!((&answer["schema"], &answer["command"]), (&"karat/1".into(), &"reproduce".into()));
    assert_eq!(answer["provenance"]["seed"], 1);
    let claims = answer["claims"].as_array().unwrap();
    for claim in claims {
        for field in ["paper", "place", "claim", "printed", "computed", "tolerance", "holds", "note"] {
            assert!(claim.get(field).is_some(), "{field}: {claim}");
        }
        assert_eq!(claim["paper"], "rbp-parameter-sensitivity");
        assert!(claim["holds"].is_boolean() || claim["holds"].is_null());
        assert!(claim["holds"] == true || claim["note"].is_string(), "not explained: {claim}");
    }
    // Table 1: 0.8^24 = .0047 is the first power below .005.
    let depth = claims.iter().find(|claim| claim["claim"] == "significant ranks, p = 0.8, precision 1e-2").unwrap();
    assert_eq!((&depth["printed"], &depth["computed"], &depth["holds"]), (&24.0.into(), &24.0.into(), &true.into()));
    let last = claims.iter().find(|claim| claim["claim"] == "significant ranks, p = 0.99, precision 1e-8").unwrap();
    assert_eq!((&last["printed"], &last["computed"], &last["holds"]), (&1001.0.into(), &1902.0.into(), &false.into()));
    assert!(answer["notes"].to_string().contains("quick: "));
}

#[test]
fn threads_change_nothing() {
    let of = |threads: &str| karat(&["inferred-ap", "--quick", "-f", "json", "--threads", threads]).stdout;
    assert_eq!(of("1"), of("2"));
}

#[test]
fn a_folder_holds_page_claims_and_figures_and_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    let output = karat(&["ranked-evaluation", "--quick", "-o", folder.to_str().unwrap()]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let figures = ["ranked-evaluation-judges", "ranked-evaluation-precision-recall"];
    let pictures = figures.iter().flat_map(|name| [format!("{name}.png"), format!("{name}.svg")]);
    let expected: Vec<String> =
        ["claims.json", "index.html", "index.md"].map(str::to_owned).into_iter().chain(pictures).collect();
    assert_eq!(names, expected);
    assert!(fs::read(folder.join("ranked-evaluation-judges.png")).unwrap().starts_with(b"\x89PNG"));
    let claims: Value = serde_json::from_slice(&fs::read(folder.join("claims.json")).unwrap()).unwrap();
    assert!(claims["claims"].as_array().unwrap().len() > 30);
    let page = fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("kappa with pooled shares"));
    assert!(fs::read_to_string(folder.join("index.md")).unwrap().contains("does not hold"));
}

#[test]
fn an_interrupted_run_is_resumed() {
    let place = tempfile::tempdir().unwrap();
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    let run = |folder: &Path, more: &[&str]| {
        let output = karat(&[&["inferred-ap", "--quick", "-o", folder.to_str().unwrap()], more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(folder.join("claims.json")).unwrap()
    };
    let expected = run(&whole, &[]);
    // What an interruption leaves: a folder with cells, one of them of somebody else's work, one cut short.
    fs::create_dir_all(cut.join(".cells")).unwrap();
    fs::write(cut.join(".cells/inferred-ap-0000000000000000-1-1-3.cell"), "0.1\n").unwrap();
    assert_eq!(run(&cut, &["--resume"]), expected);
    assert!(!cut.join(".cells").exists());
}

#[test]
fn real_files_take_the_place_of_the_simulated_collection() {
    let place = tempfile::tempdir().unwrap();
    let demo = place.path().join("demo");
    let made =
        Command::new(env!("CARGO_BIN_EXE_karat")).args(["demo", "--no-report", "-o"]).arg(&demo).output().unwrap();
    assert!(made.status.success());
    let file = |name: &str| demo.join(name).to_str().unwrap().to_owned();
    let (qrels, a, b, c) = (file("qrels.txt"), file("baseline.run"), file("expanded.run"), file("fusion.run"));
    let answer = json(&["inferred-ap", "--quick", "--qrels", &qrels, "--runs", &a, &b, &c]);
    assert_eq!(answer["provenance"]["inputs"].as_array().unwrap().len(), 4);
    let rates = answer["rates"].as_array().unwrap();
    assert_eq!(rates.len(), 15);
    let whole = rates.iter().find(|row| row["rate"] == 100 && row["estimate"] == "infAP").unwrap();
    // With everything judged infAP is AP but for the smoothing.
    assert!(whole["rms"].as_f64().unwrap() < 1e-4 && whole["tau"] == 1.0, "{whole}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (error, status) = refused(&["no-such-paper"]);
    assert!(status == Some(2) && error.contains("no paper 'no-such-paper'; choose one of rbp-uncertainty"), "{error}");
    let (error, status) = refused(&["--qrels", "q"]);
    assert!(status == Some(2) && error.contains("--runs"), "{error}");
    let (error, status) = refused(&["--runs", "r"]);
    assert!(status == Some(2) && error.contains("--qrels"), "{error}");
    let (error, status) = refused(&["--resume"]);
    assert!(status == Some(2) && error.contains("--output"), "{error}");
    fs::write(path("file"), "not a folder").unwrap();
    let (error, status) = refused(&["--quick", "-o", &path("file")]);
    assert!(status == Some(3) && error.contains("there is a file of that name"), "{error}");
    assert_eq!(fs::read_to_string(path("file")).unwrap(), "not a folder");
    fs::write(path("qrels"), "1 0 d1 1\n1 0 d2 0\n").unwrap();
    fs::write(path("run"), "this is no run\n").unwrap();
    let (error, status) = refused(&["--quick", "--qrels", &path("qrels"), "--runs", &path("run"), "-o", &path("out")]);
    assert!(status == Some(2) && error.contains("run"), "{error}");
    let (error, status) = refused(&["--quick", "--qrels", &path("qrels"), "--runs", &path("missing")]);
    assert!(status == Some(3) && error.contains("missing"), "{error}");
}

#[test]
fn one_run_is_not_enough_and_says_so() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("qrels"), "1 0 d1 1\n1 0 d2 0\n").unwrap();
    fs::write(path("run"), "1 Q0 d1 1 2.0 r\n1 Q0 d2 2 1.0 r\n").unwrap();
    let answer = json(&["all", "--quick", "--qrels", &path("qrels"), "--runs", &path("run")]);
    let claims = answer["claims"].as_array().unwrap();
    assert!(claims.iter().any(|claim| claim["note"].as_str().is_some_and(|note| note.contains("needs two runs"))));
    assert!(!answer.to_string().contains("NaN"));
}
