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
    crate::schema::parse(&output.stdout)
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
    assert_eq!((&answer["schema"], &answer["command"]), (&"karat/2".into(), &"reproduce".into()));
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
    let claims: Value = crate::schema::parse(&fs::read(folder.join("claims.json")).unwrap());
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

/// Files of a collection whose gold is known: 12 topics of 20 documents, five relevant in each; three systems that find ever fewer of them early.
fn collection(place: &Path) -> (String, Vec<String>) {
    let path = |name: &str| place.join(name).to_str().unwrap().to_owned();
    let mut gold = String::new();
    let mut runs = [String::new(), String::new(), String::new()];
    for topic in 0..12 {
        for document in 0..20 {
            gold.push_str(&format!("{topic} 0 d{document} {}\n", u8::from(document < 5)));
        }
        for (system, run) in runs.iter_mut().enumerate() {
            for rank in 0..20 {
                // The worse the system, the further the relevant ones are turned down.
                let document = (rank + 20 - 2 * system - (topic * system) % 3) % 20;
                run.push_str(&format!("{topic} Q0 d{document} {} {} s{system}\n", rank + 1, 100 - rank));
            }
        }
    }
    fs::write(path("gold.qrels"), gold).unwrap();
    let names: Vec<String> = (0..3).map(|system| path(&format!("s{system}.run"))).collect();
    names.iter().zip(runs).for_each(|(name, run)| fs::write(name, run).unwrap());
    (path("gold.qrels"), names)
}

#[test]
fn labels_of_other_judges_are_held_against_gold() {
    let place = tempfile::tempdir().unwrap();
    let (gold, runs) = collection(place.path());
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    // One judge says what gold says; another calls document 19 relevant too, and misses document 4.
    let text = fs::read_to_string(&gold).unwrap();
    fs::write(path("same.qrels"), &text).unwrap();
    fs::write(path("other.qrels"), text.replace(" d19 0", " d19 1").replace(" d4 1", " d4 0")).unwrap();
    let ask = |labels: &[String], more: &[&str]| {
        let mut arguments = vec!["all", "--quick", "--qrels", &gold];
        if !labels.is_empty() {
            arguments.push("--labels");
            arguments.extend(labels.iter().map(String::as_str));
        }
        arguments.push("--runs");
        arguments.extend(runs.iter().map(String::as_str));
        json(&[&arguments, more].concat())
    };
    let both = ask(&[path("same.qrels"), path("other.qrels")], &[]);
    let rows = both["judges_order"].as_array().unwrap();
    let judge = |name: &str| rows.iter().find(|row| row["judge"] == name).unwrap();
    assert_eq!(
        (&judge("same")["tau"], &judge("same")["change"], &judge("same")["disagree"]),
        (&1.0.into(), &0.0.into(), &0.0.into())
    );
    // 2 of 20 documents in every topic.
    assert_eq!((&judge("other")["disagree"], &judge("other")["labels"]), (&0.1.into(), &240.into()));
    assert!(judge("other")["change"].as_f64().unwrap() > 0.0);
    let claims = both["claims"].as_array().unwrap();
    let order = claims.iter().find(|claim| claim["claim"].as_str().unwrap().contains("ranking of systems")).unwrap();
    assert!(order["claim"].as_str().unwrap().contains("real judges"), "{order}");
    // A judge who errs nowhere is nearest as it is: error 0, and the correction leaves it there.
    let alone = ask(&[path("same.qrels")], &[]);
    for row in alone["bronze_gold"].as_array().unwrap() {
        assert_eq!(row["d"], 1.0, "{row}");
        // But for the rounding of sums taken in two orders.
        assert!(row["naive_error"].as_f64().unwrap() < 1e-12, "{row}");
        assert!(row["corrected_error"].as_f64().unwrap() < 1e-12, "{row}");
    }
    // Five inputs: gold, three runs, labels.
    assert_eq!(alone["provenance"]["inputs"].as_array().unwrap().len(), 5);
    // Without labels the judges are drawn, and it says so.
    let drawn = ask(&[], &[]);
    assert!(drawn["notes"].to_string().contains("judges: 4 simulated judges"));
    assert_eq!(drawn["claims"].as_array().unwrap().len(), claims.len());
    // Threads change nothing of it.
    let labels = [path("same.qrels"), path("other.qrels")];
    assert_eq!(ask(&labels, &["--threads", "1"]), ask(&labels, &["--threads", "2"]));
}

#[test]
fn labels_that_cannot_be_used_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let (gold, runs) = collection(place.path());
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let ask = |labels: &str| refused(&["--quick", "--qrels", &gold, "--labels", labels, "--runs", &runs[0], &runs[1]]);
    fs::write(path("foreign.qrels"), "77 0 d1 1\n77 0 d2 0\n").unwrap();
    let (error, status) = ask(&path("foreign.qrels"));
    assert!(status == Some(2) && error.contains("documents that gold.qrels judged too"), "{error}");
    fs::write(path("broken.qrels"), "1 0 d1 much\n").unwrap();
    let (error, status) = ask(&path("broken.qrels"));
    assert!(status == Some(2) && error.contains("broken.qrels"), "{error}");
    let (error, status) = ask(&path("missing.qrels"));
    assert!(status == Some(3) && error.contains("missing.qrels"), "{error}");
    let (error, status) = refused(&["--labels", "l"]);
    assert!(status == Some(2) && error.contains("--qrels"), "{error}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (error, status) = refused(&["no-such-paper"]);
    assert!(
        status == Some(2) && error.contains("unknown paper 'no-such-paper'; use one of rbp-uncertainty"),
        "{error}"
    );
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
