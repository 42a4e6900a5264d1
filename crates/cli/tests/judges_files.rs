//! `karat judges agree`, `calibrate --bronze --gold`, `merge`, `eval --calibration`, `convert --kind labels`: files in, numbers and words out.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder).output().unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let done = karat(folder, &[arguments, &["-f", "json"]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    crate::schema::parse(&done.stdout)
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let done = karat(folder, arguments);
    assert_eq!(done.status.code(), Some(2), "{}", String::from_utf8_lossy(&done.stdout));
    assert!(done.stdout.is_empty());
    String::from_utf8(done.stderr).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn has_note(answer: &Value, words: &str) -> bool {
    answer["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains(words))
}

fn coefficient(answer: &Value, name: &str) -> f64 {
    let rows = answer["agreement"].as_array().unwrap();
    number(&rows.iter().find(|row| row["coefficient"] == name).unwrap()["value"])
}

/// The slides' table: 300 both relevant, 20 and 10 of one only, 70 neither; eight topics of 50 documents.
fn slides() -> TempDir {
    let folder = tempdir().unwrap();
    let pairs = [(300, 1, 1), (20, 1, 0), (10, 0, 1), (70, 0, 0)];
    let all = pairs.iter().flat_map(|&(count, a, b)| std::iter::repeat_n((a, b), count));
    let (mut ann, mut bob) = (String::new(), String::new());
    for (place, (a, b)) in all.enumerate() {
        let (topic, document) = (place % 8, place / 8);
        ann.push_str(&format!("{topic} 0 d{document} {a}\n"));
        bob.push_str(&format!("{topic} 0 d{document} {b}\n"));
    }
    fs::write(folder.path().join("ann.qrels"), ann).unwrap();
    fs::write(folder.path().join("bob.qrels"), bob).unwrap();
    folder
}

#[test]
fn the_kappa_example_of_the_slides_from_files() {
    let folder = slides();
    let answer = json(folder.path(), &["judges", "agree", "ann.qrels", "bob.qrels"]);
    // Derived in karat_stats::agreement: P(A) .925, pooled .7759104, Cohen .7761194, alpha .7761905.
    for (name, expected) in [("observed", 0.925), ("pooled", 0.77591), ("cohen", 0.77612), ("krippendorff", 0.77619)] {
        assert!((coefficient(&answer, name) - expected).abs() < 5e-6, "{name}");
    }
    let cohen = &answer["agreement"][2];
    assert_eq!(
        (&cohen["coefficient"], &cohen["band"], &cohen["items"], &cohen["judges"]),
        (&"cohen".into(), &"fair".into(), &400.into(), &2.into())
    );
    let interval = cohen["interval"].as_array().unwrap();
    assert!(number(&interval[0]) < 0.776 && number(&interval[1]) > 0.776);
    // By grade: ann's grade first.
    let cells: Vec<u64> =
        answer["confusion"].as_array().unwrap().iter().map(|row| row["pairs"].as_u64().unwrap()).collect();
    assert_eq!(cells, [70, 10, 20, 300]);
    let by_query = answer["by_query"].as_array().unwrap();
    let sum = |key: &str| by_query.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((by_query.len(), sum("judged"), sum("disagreements")), (8, 400, 30));
}

#[test]
fn what_disagreement_means_for_systems() {
    let folder = slides();
    // Documents d0 to d49 of a topic: the first 300 places are relevant to both, which are d0 to d36 or d37.
    let run = |name: &str, order: &dyn Fn(usize) -> usize| {
        let line =
            |topic: usize, rank: usize| format!("{topic} Q0 d{} {} {} {name}\n", order(rank), rank + 1, 100 - rank);
        let lines: String =
            (0..8).flat_map(|topic| (0..50).map(move |rank| (topic, rank))).map(|(t, r)| line(t, r)).collect();
        fs::write(folder.path().join(format!("{name}.run")), lines).unwrap();
    };
    run("forth", &|rank| rank);
    run("back", &|rank| 49 - rank);
    let answer = json(
        folder.path(),
        &["judges", "agree", "ann.qrels", "bob.qrels", "-m", "P@10", "--runs", "forth.run", "back.run"],
    );
    let scores: Vec<(&str, &str, f64)> = answer["scores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["judge"].as_str().unwrap(), row["run"].as_str().unwrap(), number(&row["value"])))
        .collect();
    // d40 and on: neither judge's, so the lists that begin at the end have nothing relevant in their first ten (places 320 to 399
    // are bob's 10 and neither's 70; ann has none).
    assert_eq!(scores[0], ("ann", "forth", 1.0));
    assert_eq!(scores[1], ("ann", "back", 0.0));
    assert_eq!(number(&answer["orders"][0]["tau"]), 1.0);
    assert!(has_note(&answer, "forth leads back under 2 of 2 judges"), "{}", answer["notes"]);
}

#[test]
fn a_calibration_from_files_and_scores_corrected_by_it() {
    let folder = slides();
    let at = folder.path();
    let made = karat(
        at,
        &[
            "judges",
            "calibrate",
            "--bronze",
            "bob.qrels",
            "--gold",
            "ann.qrels",
            "--sampling",
            "random",
            "-o",
            "j.json",
        ],
    );
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let answer: Value = crate::schema::parse(&fs::read(at.join("j.json")).unwrap());
    // Of ann's 320 relevant ones bob has 300, of her 80 others 70.
    assert_eq!(answer["counts"], serde_json::json!([[70, 10], [20, 300]]));
    assert!((number(&answer["m_relevant"]) - 300.0 / 320.0).abs() < 1e-12 && number(&answer["m_nonrelevant"]) == 0.875);
    assert!(answer["tests"].as_array().unwrap().iter().any(|row| row["factor"] == "topic (gold 1)"));
    assert!(has_note(&answer, "400 pairs: labels of 1 bronze judge on 400 documents that gold judged"));
    // A list of all 50 documents of each topic: P@50 by bob is 310/400, and corrected for his errors it is ann's 320/400.
    let lines: String = (0..8)
        .flat_map(|topic| (0..50).map(move |rank| format!("{topic} Q0 d{rank} {} {} all\n", rank + 1, 100 - rank)))
        .collect();
    fs::write(at.join("all.run"), lines).unwrap();
    let answer = json(at, &["eval", "bob.qrels", "all.run", "-m", "P@50", "-m", "AP", "--calibration", "j.json"]);
    let row = &answer["scores"][0];
    assert!((number(&row["value"]) - 0.8).abs() < 1e-12, "{row}");
    let judges = number(&row["sources"]["judges"]);
    // (θ² m_R (1 − m_R)/320 + (1 − θ)² m_N (1 − m_N)/80)/D² with θ = .8, D = .8125.
    // Topics 0 to 3 have 38 of 40 relevant ones right, the others 37 (37.5 ± .5); topics 0 and 1 have 2 false alarms of 10, the others 1 (1.25 + .75, − .25):
    // the covariance of m_R with m_N is −8/7 (2 · .5 · .75 − 2 · .5 · .25 + 4 · .5 · .25)/(320 · 80), and goes in as −2 θ (1 − θ) of it.
    let together = -8.0 / 7.0 / (320.0 * 80.0);
    let own = 0.64 * 0.9375 * 0.0625 / 320.0 + 0.04 * 0.875 * 0.125 / 80.0;
    let expected = (own - 2.0 * 0.8 * 0.2 * together) / (0.8125 * 0.8125);
    assert!((judges - expected).abs() < 1e-15, "{judges} {expected}");
    let (low, high) = (number(&row["interval"][0]), number(&row["interval"][1]));
    assert!(low < 0.8 && high > 0.8 && number(&row["std_error"]).powi(2) >= judges);
    assert!(has_note(&answer, "P@50 of all: 0.7750 uncorrected, 0.8000 corrected"));
    // AP is not linear: by draws. The list has ann's relevant documents first, so her AP is 1; the labels drawn come near it.
    let ap = &answer["scores"][1];
    assert!(has_note(&answer, "AP: expected values over 200 draws"), "{}", answer["notes"]);
    let sum: f64 = ["topics", "judges", "monte_carlo"].iter().map(|source| number(&ap["sources"][*source])).sum();
    assert!((number(&ap["std_error"]).powi(2) - sum).abs() < 1e-12, "{ap}");
    assert!((0.98..=1.0).contains(&number(&ap["value"])), "{ap}");
    // The same for any number of threads, and each query's row corrected.
    let again = |threads: &str| {
        json(at, &["eval", "bob.qrels", "all.run", "-m", "AP", "-q", "--calibration", "j.json", "--threads", threads])
    };
    let (one, two) = (again("1"), again("2"));
    assert_eq!((&one["scores"], &one["by_query"]), (&two["scores"], &two["by_query"]));
    let rows = one["by_query"].as_array().unwrap();
    let mean = rows.iter().map(|row| number(&row["value"])).sum::<f64>() / rows.len() as f64;
    assert!((mean - number(&one["scores"][0]["value"])).abs() < 1e-12);
    assert!(has_note(&one, "Topics are listed corrected"));
    // A fit to unjudged documents is told to be by the labels as they are.
    let fit = json(
        at,
        &["eval", "bob.qrels", "all.run", "-m", "P@50", "-m", "AP", "--unjudged", "q=0.1", "--calibration", "j.json"],
    );
    assert!(has_note(&fit, "--unjudged with --calibration: only the judged part of each score is corrected"));
    assert!(has_note(&fit, "expected values, or no grades): AP"), "{}", fit["notes"]);
}

#[test]
fn errors_that_are_alike_within_topics_widen_everything() {
    // Ten topics of 20 relevant documents; bronze agrees on all of five topics and on half of the others: rate .75, Σ(x − rn)² = 10 · 25, variance
    // 10/9 · 250/200² = .006944 against .75 · .25/200 = .0009375: 7.4074 times. Of 20 others bronze is right on 18 everywhere: no spread, so 1.
    let folder = tempdir().unwrap();
    let (mut gold, mut bronze, mut run) = (String::new(), String::new(), String::new());
    for topic in 0..10 {
        for document in 0..40 {
            let relevant = document < 20;
            let wrong = if relevant { topic % 2 == 1 && document % 2 == 0 } else { document < 22 };
            gold.push_str(&format!("{topic} 0 d{document} {}\n", u8::from(relevant)));
            bronze.push_str(&format!("{topic} 0 d{document} {}\n", u8::from(relevant != wrong)));
            run.push_str(&format!("{topic} Q0 d{document} {} {} r\n", document + 1, 100 - document));
        }
    }
    for (name, text) in [("gold", gold), ("bronze", bronze), ("run", run.clone()), ("other", run.replace("d2", "d3x"))]
    {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let made = ["judges", "calibrate", "--bronze", "bronze", "--gold", "gold", "-o", "judges.json"];
    assert!(karat(folder.path(), &made).status.success());
    let found: Value = crate::schema::parse(&fs::read(folder.path().join("judges.json")).unwrap());
    assert_eq!(found["design_topics"], serde_json::json!([10, 10]));
    let effects = found["design_effects"].as_array().unwrap();
    assert!(number(&effects[0]) == 1.0 && (number(&effects[1]) - 7.407_407_407_407_407).abs() < 1e-9, "{effects:?}");
    assert!(has_note(&found, "Errors within a topic are similar"));
    assert_eq!(found["depends_on"], serde_json::json!(["topic (gold 1)"]));
    // Equation 7 with the larger variance: P@20 is .75 as bronze has it, m_R = .75, m_N = .9, D = .65, corrected 1.
    let asked = ["judges", "correct", "--score", "0.75", "--sd", "0.25", "--n", "10", "--calibration", "judges.json"];
    let corrected = json(folder.path(), &asked);
    let expected = (0.25f64 * 0.25 / 10.0 + 250.0 * 10.0 / 9.0 / 40_000.0) / (0.65 * 0.65);
    assert!((number(&corrected["scores"][0]["std_error"]) - expected.sqrt()).abs() < 1e-9, "{corrected}");
    // The warning goes wherever the file goes.
    for command in [
        vec!["eval", "bronze", "run", "-m", "P@20", "--calibration", "judges.json"],
        vec!["compare", "bronze", "run", "other", "-m", "P@20", "--calibration", "judges.json"],
        vec!["budget", "bronze", "run", "-m", "P@20", "--calibration", "judges.json"],
        asked.to_vec(),
        vec!["plan", "judges", "--score", "0.75", "--width", "0.1", "--calibration", "judges.json"],
    ] {
        let answer = json(folder.path(), &command);
        assert!(
            has_note(&answer, "in the calibration the error rate depends on topic (gold 1)"),
            "{command:?}: {}",
            answer["notes"]
        );
    }
    // Effects that do not fit are refused.
    let mut bad = found;
    bad["design_topics"] = serde_json::json!([10]);
    fs::write(folder.path().join("bad.json"), bad.to_string()).unwrap();
    let said = refused(folder.path(), &["eval", "bronze", "run", "-m", "P@20", "--calibration", "bad.json"]);
    assert!(said.contains("design_effects"), "{said}");
}

#[test]
fn label_files_are_checked() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("l.csv"), LABELS).unwrap();
    let answer = json(at, &["check", "l.csv"]);
    assert_eq!((&answer["files"][0]["kind"], &answer["files"][0]["rows"]), (&"labels".into(), &10.into()));
    let says = |answer: &Value, words: &str| {
        answer["findings"].as_array().unwrap().iter().any(|row| row["what"].as_str().unwrap().contains(words))
    };
    assert!(says(&answer, "labels of 3 judges; 3 of 4 documents have grades by several"), "{}", answer["findings"]);
    assert!(says(&answer, "labels without a grade: 1 cannot") && says(&answer, "grades: 0 (4), 1 (3), 2 (2)"));
    // Twice by one judge, a word nobody explained, a state nobody knows.
    fs::write(at.join("twice.csv"), format!("{LABELS}1,a,ann,0,\n")).unwrap();
    fs::write(at.join("word.csv"), format!("{LABELS}3,a,ann,Fair,\n")).unwrap();
    fs::write(at.join("state.csv"), format!("{LABELS}3,a,ann,1,perhaps\n")).unwrap();
    for (file, words) in [
        (
            "twice.csv",
            "expected one label of judge \"ann\" for each document, found \"a\" of topic \"1\" again; first on line 2",
        ),
        ("word.csv", "expected a number, found \"Fair\""),
        ("state.csv", "found \"perhaps\""),
    ] {
        let done = karat(at, &["check", file, "-f", "json"]);
        assert_eq!(done.status.code(), Some(2));
        let answer: Value = crate::schema::parse(&done.stdout);
        assert!(says(&answer, words), "{file}: {}", answer["findings"]);
    }
}

#[test]
fn grades_below_0_are_grades_where_the_scale_has_them() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    let lines: String =
        (0..20).map(|d| format!("t,d{d},a,{}\nt,d{d},b,{}\n", d * 10 - 100, (d * 10 - 100).min(60))).collect();
    fs::write(at.join("v.csv"), format!("query_id,doc_id,judge,grade\n{lines}")).unwrap();
    let answer = json(at, &["judges", "agree", "v.csv", "--scale", "-100..100"]);
    assert_eq!(answer["agreement"][0]["items"], 20);
    // a gives -100, -90, ..., 90; b the same up to 60: 17 of 20 alike.
    assert!((coefficient(&answer, "observed") - 17.0 / 20.0).abs() < 1e-12);
    // Without it -100 is junk and -10 too: ten documents are left, of which 7 alike.
    let without = json(at, &["judges", "agree", "v.csv"]);
    assert!(
        has_note(&without, "20 with state \"junk\"") && without["agreement"][0]["items"] == 10,
        "{}",
        without["notes"]
    );
    let said = refused(at, &["judges", "merge", "v.csv", "--scale", "-100..100", "--save", "m.qrels"]);
    assert!(
        said.starts_with("error: --save: a merged grade is -100, but in judgements a number below 0 means"),
        "{said}"
    );
    let said = refused(at, &["judges", "agree", "v.csv", "--scale", "-100..x"]);
    assert!(
        said.contains("'-100..x' is neither a number nor a range; expected grades such as 0,1,2,3 or -100..100"),
        "{said}"
    );
    fs::write(at.join("s.csv"), "query_id,doc_id,judge,grade,state\nt,d,a,-3,judged\n").unwrap();
    let said = refused(at, &["judges", "agree", "s.csv"]);
    assert!(said.contains("expected a grade from 0, because the state is judged, found -3"), "{said}");
}

const LABELS: &str = "query_id,doc_id,judge,grade,state\n1,a,ann,1,\n1,a,bob,1,\n1,a,cy,0,\n1,b,ann,0,\n1,b,bob,1,\n1,c,ann,0,\n1,c,bob,,cannot\n2,a,ann,2,\n2,a,bob,0,\n2,a,cy,2,\n";

#[test]
fn labels_merged() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("l.csv"), LABELS).unwrap();
    let answer = json(at, &["judges", "merge", "l.csv", "--save", "m.qrels"]);
    let grades: Vec<Value> = answer["labels"].as_array().unwrap().iter().map(|row| row["grade"].clone()).collect();
    // a: 1, 1, 0; b is a tie; c has one grade, bob could not say; 2/a: 2, 0, 2.
    assert_eq!(grades, [1.0.into(), Value::Null, 0.0.into(), 2.0.into()]);
    assert_eq!(fs::read_to_string(at.join("m.qrels")).unwrap(), "1 0 a 1\n1 0 b -1\n1 0 c 0\n2 0 a 2\n");
    assert_eq!((&answer["ask"][0]["document"], &answer["ask"][0]["confidence"]), (&"b".into(), &0.5.into()));
    assert!(has_note(&answer, "1 documents have no merged grade because of a tie"));
    // One label of one agrees with itself, which says nothing.
    assert_eq!((&answer["labels"][2]["labels"], &answer["labels"][2]["confidence"]), (&1.into(), &Value::Null));
    let two = json(at, &["judges", "merge", "l.csv", "--judge", "ann", "--judge", "cy"]);
    assert_eq!((two["judges"].as_array().unwrap().len(), number(&two["labels"][1]["grade"])), (2, 0.0));
    let mean = json(at, &["judges", "merge", "l.csv", "--rule", "mean"]);
    assert!((number(&mean["labels"][0]["grade"]) - 2.0 / 3.0).abs() < 1e-15);
    let high = json(at, &["judges", "merge", "l.csv", "--rule", "majority_high"]);
    assert_eq!(number(&high["labels"][1]["grade"]), 1.0);
    fs::write(at.join("gold.qrels"), "1 0 a 0\n").unwrap();
    let model = json(at, &["judges", "merge", "l.csv", "--rule", "dawid_skene", "--gold", "gold.qrels"]);
    assert_eq!((number(&model["labels"][0]["grade"]), number(&model["labels"][0]["confidence"])), (0.0, 1.0));
    assert!(
        has_note(&model, "log likelihood -") && has_note(&model, "1 documents have a gold label, which is held fixed")
    );
    assert_eq!(model["judges"].as_array().unwrap().len(), 3);
}

#[test]
fn labels_that_cannot_be_merged() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("l.csv"), LABELS).unwrap();
    for rule in ["majority", "dawid_skene"] {
        fs::write(at.join("one.csv"), "query_id,doc_id,judge,grade\n1,a,ann,1\n1,b,ann,0\n").unwrap();
        assert_eq!(
            refused(at, &["judges", "merge", "one.csv", "--rule", rule]),
            "error: one.csv: expected labels of two or more judges, found labels of one judge (ann)\nhelp: give the files of several judges, or a \
             file with a column `judge`; to save one judge's labels as judgements, name the judge with --judge\n"
        );
        fs::write(at.join("other.qrels"), "9 0 z 1\n").unwrap();
        assert_eq!(
            refused(at, &["judges", "merge", "l.csv", "--gold", "other.qrels", "--rule", rule]),
            "error: l.csv: expected documents that are also in other.qrels, found none\nhelp: check that both files use the same names for \
             queries and documents\n"
        );
        // No document labelled twice: the labels stand, but nobody knows how sure they are.
        fs::write(at.join("apart.csv"), "query_id,doc_id,judge,grade\n1,a,ann,1\n1,b,bob,0\n1,c,bob,1\n").unwrap();
        let answer = json(at, &["judges", "merge", "apart.csv", "--rule", rule]);
        assert!(has_note(&answer, "warning: no document was labelled by two judges"), "{}", answer["notes"]);
        let labels = answer["labels"].as_array().unwrap();
        assert!(labels.iter().all(|label| label["confidence"].is_null() && label["grade"].is_number()), "{labels:?}");
        assert!(answer["grades"].as_array().unwrap().iter().all(|grade| grade["confidence"].is_null()));
        assert!(answer["judges"].as_array().unwrap().iter().all(|judge| judge["agreement"].is_null()));
    }
    // A judge that is named is wanted as it is, and nobody knows how sure it is; a model of several judges has nothing to say about one.
    let one = json(at, &["judges", "merge", "l.csv", "--judge", "ann"]);
    assert!(one["labels"].as_array().unwrap().iter().all(|label| label["confidence"].is_null()));
    assert!(
        refused(at, &["judges", "merge", "l.csv", "--judge", "ann", "--rule", "dawid_skene"])
            .contains("only one judge")
    );
    assert_eq!(
        refused(at, &["judges", "merge", "l.csv", "--save", "x.csv", "-o", "./x.csv"]),
        "error: --save and -o are the same file: x.csv\nhelp: choose another file for one of them\n"
    );
    let done = karat(at, &["judges", "merge", "l.csv", "--save", "x.csv", "-o", "none/x.csv"]);
    assert!(!done.status.success() && String::from_utf8_lossy(&done.stderr).contains("No such file or directory"));
    assert!(!at.join("x.csv").exists());
    for (scale, words) in [("3..0", "'3..0' goes down"), ("0,3..1", "'3..1' goes down")] {
        let said = refused(at, &["judges", "agree", "l.csv", "--scale", scale]);
        assert!(said.contains(words), "{said}");
    }
    let said = refused(at, &["judges", "agree", "l.csv", "--words", "bad=0,good=0"]);
    assert!(said.contains("all 2 words are grade 0, which tells nothing apart; expected words with"), "{said}");
}

#[test]
fn labels_converted() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("l.csv"), LABELS).unwrap();
    let done = karat(at, &["convert", "l.csv", "l.jsonl", "--kind", "labels"]);
    assert!(done.status.success() && done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
    let done = karat(at, &["convert", "l.jsonl", "--kind", "labels", "--to", "csv"]);
    let expected = LABELS.replace("1,\n", "1,judged\n").replace("0,\n", "0,judged\n").replace("2,\n", "2,judged\n");
    assert_eq!(String::from_utf8(done.stdout).unwrap(), expected);
    let said = refused(at, &["convert", "l.csv", "l.qrels", "--kind", "labels"]);
    assert_eq!(
        said,
        "error: l.csv: trec holds the labels of one judge, and this file has those of 3; merge them with `karat judges merge`, or keep one judge's rows\nhelp: karat convert --help lists the options and their values\n"
    );
}

#[test]
fn what_is_refused_and_in_which_words() {
    let folder = slides();
    let at = folder.path();
    fs::write(at.join("l.csv"), LABELS).unwrap();
    fs::write(at.join("twice.csv"), "query_id,doc_id,judge,grade\n1,a,ann,1\n1,a,ann,0\n").unwrap();
    fs::write(at.join("other.qrels"), "9 0 x 1\n9 0 y 0\n").unwrap();
    let cases: [(&[&str], &str); 9] = [
        (
            &["judges", "agree", "l.csv", "--judge", "dan"],
            "error: --judge dan: no label is by this judge\nhelp: karat judges agree --help lists the options and their values\n",
        ),
        (
            &["judges", "agree", "ann.qrels"],
            "error: ann.qrels: expected labels of two or more judges, found labels of one judge (ann)\nhelp: give the files of several \
             judges, or a file with a column `judge`\n",
        ),
        (
            &["judges", "agree", "l.csv", "--scale", "0,1"],
            "error: l.csv:9: grade: expected a grade of the declared scale (0, 1), found 2\nerror: l.csv:11: grade: expected a grade of the declared scale \
             (0, 1), found 2\nhelp: correct the grade, or declare all grades with --scale\n",
        ),
        (
            &["judges", "agree", "twice.csv"],
            "error: twice.csv:3: doc_id: expected one label of judge \"ann\" for each document, found \"a\" of topic \"1\" again; first on line 2\nhelp: \
             keep one of the two labels (--repeats first or last), or name the judges differently\n",
        ),
        (
            &["judges", "agree", "l.csv", "--scale", "1,0"],
            "error: --scale needs two grades or more, ascending, such as 0,1,2,3\nhelp: karat judges agree --help lists the options and their values\n",
        ),
        (
            &["judges", "calibrate", "--bronze", "other.qrels", "--gold", "ann.qrels"],
            "error: other.qrels: expected documents that are also in ann.qrels, found none\nhelp: check that both files use the same names \
             for queries and documents\n",
        ),
        (
            &["judges", "calibrate", "--bronze", "l.csv", "--gold", "ann.qrels"],
            "error: l.csv: expected documents that are also in ann.qrels, found none\nhelp: check that both files use the same names for \
             queries and documents\n",
        ),
        (
            &["judges", "merge", "l.csv", "--save", "m.xyz"],
            "error: --save m.xyz: unknown format; set it with --to (trec, beir, csv, tsv, json, jsonl, parquet)\nhelp: karat judges merge --help lists the options and their values\n",
        ),
        (
            &["convert", "ann.qrels", "x.csv", "--words", "a=1"],
            "error: --words is for labels: say --kind labels\nhelp: karat convert --help lists the options and their values\n",
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(refused(at, arguments), expected, "{arguments:?}");
    }
    // A coin: D is 0, and nothing is corrected by it.
    fs::write(at.join("all.run"), "0 Q0 d0 1 1 all\n").unwrap();
    let coin = ["judges", "calibrate", "--relevant", "5/10", "--nonrelevant", "5/10", "-o", "coin.json"];
    assert!(karat(at, &coin).status.success());
    let said = refused(at, &["eval", "ann.qrels", "all.run", "--calibration", "coin.json"]);
    assert!(said.starts_with("error: --calibration: ") && said.contains("D"), "{said}");
    // How the pairs were chosen goes with the file.
    let biased = ["judges", "calibrate", "--table", "80,20;10,90", "--sampling", "bronze", "-o", "biased.json"];
    assert!(karat(at, &biased).status.success());
    let again = json(at, &["judges", "calibrate", "--calibration", "biased.json"]);
    let correct = json(at, &["judges", "correct", "--score", "0.5", "--n", "50", "--calibration", "biased.json"]);
    let eval = json(at, &["eval", "ann.qrels", "all.run", "-m", "P@1", "--calibration", "biased.json"]);
    for answer in [again, correct, eval] {
        assert!(has_note(&answer, "warning: the pairs were chosen by the bronze label"), "{}", answer["notes"]);
    }
    // A file that contradicts itself, or that another karat wrote.
    let text = fs::read_to_string(at.join("biased.json")).unwrap();
    fs::write(at.join("edited.json"), text.replace("80", "70")).unwrap();
    fs::write(at.join("newer.json"), text.replace("karat/2", "karat/9")).unwrap();
    for (file, words) in [
        (
            "edited.json",
            "edited.json: rates_matrix: expected rates that follow from counts, 0.7777777777777778 in row 1 column 1, found 0.8",
        ),
        ("newer.json", "newer.json: schema: expected \"karat/2\", found \"karat/9\""),
    ] {
        let said = refused(at, &["judges", "correct", "--score", "0.5", "--n", "50", "--calibration", file]);
        assert!(said.contains(words) && said.contains("help: write it with karat judges calibrate"), "{said}");
    }
    fs::write(at.join("three.qrels"), "0 0 d0 2\n").unwrap();
    let said = refused(at, &["eval", "three.qrels", "all.run", "--calibration", "coin.json"]);
    assert_eq!(
        said,
        "error: three.qrels: expected a grade of the calibration (0, 1), found 2 (topic 0, document d0)\nhelp: calibrate with all grades \
         of these judges, or use judgements on the scale of the calibration\n"
    );
}

/// The judges of DL19: the reference values of the data folder, through the program.
#[test]
fn real_judges_agree_as_the_reference_says() {
    let Some(folder) = karat_testdata::folder("judges_dl19_reannotation", "agreement of DL19's judges") else { return };
    let files = |part: &str, names: &[&str]| -> Vec<String> {
        names.iter().map(|name| folder.join(part).join(format!("{name}.qrels")).display().to_string()).collect()
    };
    let ask = |files: &[String], more: &[&str]| {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        json(Path::new("."), &[&["judges", "agree"][..], &files, more].concat())
    };
    let eight = files("agreement", &["J1", "J2", "J3", "J4", "J5", "J6", "J7", "J8"]);
    let close = |found: f64, expected: f64, what: &str| assert!((found - expected).abs() < 5e-7, "{what}: {found}");
    close(coefficient(&ask(&eight, &[]), "fleiss"), 0.227901, "Fleiss, four grades");
    close(coefficient(&ask(&eight, &["--binary", "2"]), "fleiss"), 0.359739, "Fleiss, two grades");
    let two = ask(&files("main", &["J1", "J2"]), &[]);
    for (name, expected) in
        [("observed", 0.427543), ("cohen", 0.228035), ("cohen_linear", 0.373858), ("cohen_quadratic", 0.499962)]
    {
        close(coefficient(&two, name), expected, name);
    }
    close(coefficient(&ask(&files("main", &["J1", "J2"]), &["--binary", "2"]), "cohen"), 0.401751, "Cohen, two grades");
}

#[test]
fn a_budget_of_a_difference_whichever_way_round() {
    // One run has more of its documents judged than the other: the weight of the difference is below 0 one way round.
    let folder = tempdir().unwrap();
    let (mut gold, mut few, mut many) = (String::new(), String::new(), String::new());
    for topic in 0..8 {
        for document in 0..6 {
            gold.push_str(&format!("{topic} 0 d{document} {}\n", u8::from((document * topic + topic) % 4 == 0)));
            many.push_str(&format!("{topic} Q0 d{document} {} {} many\n", document + 1, 10 - document));
            few.push_str(&format!(
                "{topic} Q0 {}{document} {} {} few\n",
                if document < 2 { "d" } else { "x" },
                document + 1,
                10 - document
            ));
        }
    }
    for (name, text) in [("gold", gold.clone()), ("few", few), ("many", many), ("bronze", gold)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let made = ["judges", "calibrate", "--bronze", "bronze", "--gold", "gold", "-o", "judges.json"];
    assert!(karat(folder.path(), &made).status.success());
    let value = |runs: [&str; 2]| {
        let found =
            json(folder.path(), &["budget", "gold", runs[0], runs[1], "-m", "P@5", "--calibration", "judges.json"]);
        number(&found["value"])
    };
    assert!((value(["few", "many"]) + value(["many", "few"])).abs() < 1e-12);
}
