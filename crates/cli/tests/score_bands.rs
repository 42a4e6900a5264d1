//! `karat eval --score-bands`: do scores say how likely a document is relevant?
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).arg("eval").args(arguments).current_dir(folder).output().unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let done = karat(folder, &[arguments, &["-f", "json"]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(!text.contains("NaN"), "{text}");
    crate::schema::parse(text.as_bytes())
}

/// Twelve topics of ten documents, scores .95, .85, ..., .05: the first k of a topic are relevant, k = 4 or 6. The last of each is not judged. Documents
/// with even numbers are long.
fn collection() -> TempDir {
    let folder = tempdir().unwrap();
    let (mut qrels, mut run, mut lengths) = (String::new(), String::new(), String::from("docno\tlength\n"));
    for topic in 0..12 {
        for document in 0..10 {
            let relevant = document < if topic % 2 == 0 { 4 } else { 6 };
            if document < 9 {
                qrels.push_str(&format!("{topic} 0 t{topic}d{document} {}\n", u8::from(relevant)));
            }
            let score = 0.95 - 0.1 * f64::from(document);
            run.push_str(&format!("{topic} Q0 t{topic}d{document} {} {score:.2} r\n", document + 1));
            lengths.push_str(&format!("t{topic}d{document}\t{}\n", if document % 2 == 0 { 900 } else { 100 }));
        }
    }
    for (name, text) in [("qrels", qrels), ("run", run), ("lengths", lengths)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn bands_by_hand() {
    let folder = collection();
    let found = json(folder.path(), &["qrels", "run", "-m", "P@5", "--score-bands", "9", "--lengths", "lengths"]);
    assert_eq!(found["provenance"]["options"]["score_bands"], 9);
    let summary = &found["score_calibration"][0];
    assert_eq!((&summary["judged"], &summary["unjudged"]), (&108.into(), &12.into()));
    let number = |value: &Value| value.as_f64().unwrap();
    // Scores as they are, rank by rank of the nine that are judged. Relevant with .95 to .65, half the time with .55 and .45 (each −(ln .55 + ln .45)/2),
    // never with .35 to .15 (−ln .65, −ln .75, −ln .85).
    let logs = |list: &[f64]| list.iter().map(|value: &f64| value.ln()).sum::<f64>();
    let expected = -(logs(&[0.95, 0.85, 0.75, 0.65, 0.55, 0.45, 0.65, 0.75, 0.85])) / 9.0;
    assert!((number(&summary["log_loss_of_scores"]) - expected).abs() < 1e-12, "{summary}");
    assert!(number(&summary["log_loss"]) < number(&summary["log_loss_of_share"]));
    let bands = found["score_bands"].as_array().unwrap();
    assert_eq!(bands.len(), 9);
    let shares: Vec<f64> = bands.iter().map(|band| number(&band["observed"])).collect();
    assert_eq!(shares, [0.0, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0]);
    let predicted: Vec<f64> = bands.iter().map(|band| number(&band["predicted"])).collect();
    assert!(predicted.windows(2).all(|pair| pair[0] < pair[1]), "{predicted:?}");
    // Long ones are ranks 1, 3, 5, 7, 9 of nine: relevant at 1 and 3 always, at 5 half the time.
    let lengths = found["length_bands"].as_array().unwrap();
    assert_eq!(lengths.len(), 2);
    assert_eq!(
        (&lengths[1]["from"], &lengths[1]["judged"], &lengths[1]["relevant"]),
        (&900.0.into(), &60.into(), &30.into())
    );
}

#[test]
fn partial_and_bad_inputs() {
    let folder = collection();
    let said = |arguments: &[&str], status: i32| {
        let done = karat(folder.path(), arguments);
        assert_eq!(done.status.code(), Some(status), "{arguments:?} {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stderr).unwrap()
    };
    fs::write(folder.path().join("bad"), "d1\t12\nd2\tlong\nd3\n").unwrap();
    let refused = said(&["qrels", "run", "--score-bands", "5", "--lengths", "bad"], 2);
    assert!(refused.contains("bad:2") && refused.contains("bad:3") && refused.contains("a number from 0"), "{refused}");
    assert!(said(&["qrels", "run", "--score-bands", "5", "--lengths", "none"], 3).contains("--lengths"));
    assert!(said(&["qrels", "run", "--lengths", "lengths"], 2).contains("--score-bands"));
    // One topic: a curve of its own, and no log loss.
    let one = json(folder.path(), &["qrels", "run", "-m", "P@5", "--topics", "3", "--score-bands", "3"]);
    assert_eq!(one["score_calibration"][0]["log_loss"], Value::Null);
    assert!(one["notes"].to_string().contains("judged documents of one topic only"), "{}", one["notes"]);
}
