//! `--interval auto`, the pages of intervals, and the warning of rare large losses.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn text(folder: &Path, arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    crate::schema::parse(text(folder, &[arguments, &["-f", "json"]].concat()).as_bytes())
}

fn near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("no number: {found}"));
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}

/// Ten topics, ten documents each, all judged. Run `b` has relevant documents at ranks 1 to 5, `a` one more, in every other topic two more.
/// Run `late` has the relevant documents last, but in topic 10 first.
fn world() -> TempDir {
    let folder = tempdir().unwrap();
    let (mut qrels, mut runs) = (String::new(), [const { String::new() }; 3]);
    for topic in 1..=10 {
        for document in 0..10 {
            qrels += &format!("{topic} 0 yes{document} 1\n{topic} 0 no{document} 0\n");
        }
        let relevant = [6 + topic % 2, 5, if topic == 10 { 5 } else { 0 }];
        for (run, (name, relevant)) in runs.iter_mut().zip(["a", "b", "late"].into_iter().zip(relevant)) {
            for place in 0..10 {
                let kind = if place < relevant { "yes" } else { "no" };
                *run += &format!("{topic} Q0 {kind}{place} {} {} {name}\n", place + 1, 10 - place);
            }
        }
    }
    fs::write(folder.path().join("qrels"), qrels).unwrap();
    for (name, run) in ["a", "b", "late"].into_iter().zip(runs) {
        fs::write(folder.path().join(name), run).unwrap();
    }
    folder
}

#[test]
fn the_method_is_named_and_fits_the_scores() {
    let folder = world();
    let answer = json(folder.path(), &["eval", "qrels", "late", "b", "-m", "Success@1,P@10"]);
    let row = |at: usize| &answer["scores"][at];
    // One success of ten: Clopper and Pearson .0025 to .4450 (1 − .975^(1/10), and (1 − p)¹⁰ + 10 p (1 − p)⁹ = .025).
    assert_eq!(row(0)["method"], "clopper_pearson");
    near(&row(0)["interval"][0], 0.002_528_578_544_461_757);
    near(&row(0)["interval"][1], 0.445_016_117_028_195_3);
    // Ten of ten: .025^(1/10) to 1.
    near(&row(1)["interval"][0], 0.025_f64.powf(0.1));
    assert_eq!((&row(1)["interval"][1], &row(1)["method"]), (&1.0.into(), &"clopper_pearson".into()));
    // Nine topics of 0 and one of .5 sum to .5, below 2; ten times .5 show no spread.
    assert_eq!((&row(2)["method"], &row(3)["method"]), (&"bounded_mean".into(), &"bounded_mean".into()));
    near(&row(3)["interval"][0], 0.5 - 0.5 * (1.0 - 0.025_f64.powf(0.1)));
    assert_eq!(answer["provenance"]["options"]["interval"], "auto");
    let notes = answer["notes"].to_string();
    assert!(
        notes.contains("Intervals not by t: Success@1 (exact); P@10 (bounded mean); see karat explain auto"),
        "{notes}"
    );
}

#[test]
fn t_and_the_bootstrap_are_what_they_were() {
    let folder = world();
    let rows = |more: &[&str]| {
        json(folder.path(), &[&["eval", "qrels", "late", "b", "-m", "P@10"], more].concat())["scores"].clone()
    };
    // Mean .05, variance .025: .05 ± 2.2621572 · √(.0025) = .05 ± .1131079, below 0; equal scores have none.
    let t = rows(&["--interval", "t"]);
    assert_eq!(t[0]["method"], "student_t");
    assert!((t[0]["interval"][0].as_f64().unwrap() + 0.063_107_9).abs() < 1e-6);
    assert!(t[1]["interval"].is_null() && t[1]["method"].is_null());
    let bca = rows(&["--interval", "bca"]);
    assert!(bca[0]["method"] == "bca" && bca[1]["interval"].is_null());
}

#[test]
fn every_interval_and_the_rule_have_a_page() {
    let folder = tempdir().unwrap();
    for (name, words) in [
        ("auto", "Cochran"),
        ("student_t", "Biometrika"),
        ("bca", "bootstrap"),
        ("clopper_pearson", "0.3085"),
        ("bounded_mean", "Gaffke"),
    ] {
        assert!(text(folder.path(), &["explain", name]).contains(words), "{name}");
        assert_eq!(json(folder.path(), &["explain", name])["name"], name);
    }
}

#[test]
fn a_verdict_that_rare_large_losses_could_undo_is_warned_about() {
    let folder = world();
    let answer = json(folder.path(), &["compare", "qrels", "a", "b", "-m", "P@10", "--test", "bounded"]);
    let found = &answer["comparisons"][0];
    assert_eq!(found["verdict"], "a");
    // Leads of .1 and .2, .15 in the mean. Of ten topics 1 - .05^(1/10) = 25.9% may be unlike all that were seen; .15 · .7411344/.2588656 =
    // .4295 lost on so many cancels the lead, and run b, with a mean of .5, has as much to lose to.
    let notes = answer["notes"].to_string();
    let expected = "warning: up to 26% of topics may differ from the 10 seen; losing 0.4295 on those cancels a's lead over b (P@10). --test \
                    bounded allows for it.";
    assert!(notes.contains(expected), "{notes}");
    // 2 / Π (1 + d) = 2 / (1.1⁵ · 1.2⁵).
    let bounded = found["tests"].as_array().unwrap().iter().find(|test| test["test"] == "bounded").unwrap();
    near(&bounded["p"], 2.0 / (1.1_f64.powi(5) * 1.2_f64.powi(5)));
    // A run that never scores has nothing that the other could lose.
    let answer = json(folder.path(), &["compare", "qrels", "a", "late", "-m", "P@10"]);
    assert!(answer["comparisons"][0]["verdict"] == "a" && !answer["notes"].to_string().contains("may differ from"));
}
