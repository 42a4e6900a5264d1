//! Files whose columns may be a run's or judgements': the place in which they are named decides, or `--kind`, or, where
//! neither is there, the numbers, and then karat says so.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One topic with three documents, in every container, under the names of BEIR and of PyTerrier.
fn files(folder: &Path, scores: [&str; 3]) -> Vec<&'static str> {
    let rows = |between: &str| -> String {
        ["d1", "d2", "d3"]
            .iter()
            .zip(scores)
            .map(|(docno, score)| format!("1{between}{docno}{between}{score}\n"))
            .collect()
    };
    let object = |topic: &str, document: &str| -> String {
        let line =
            |(docno, score)| format!("{{\"{topic}\": \"1\", \"{document}\": \"{docno}\", \"score\": {score}}}\n");
        ["d1", "d2", "d3"].into_iter().zip(scores).map(line).collect()
    };
    let files = [
        ("beir.tsv", format!("query-id\tcorpus-id\tscore\n{}", rows("\t"))),
        ("beir.csv", format!("query_id,corpus_id,score\n{}", rows(","))),
        ("beir.jsonl", object("query-id", "corpus-id")),
        ("frame.csv", format!("qid,docno,score\n{}", rows(","))),
        ("frame.jsonl", object("qid", "docno")),
    ];
    for (name, content) in &files {
        fs::write(folder.join(name), content).unwrap();
    }
    // karat writes doc_id; the name that BEIR has there is as long.
    let made = karat(folder, &["convert", "beir.csv", "frame.parquet", "--kind", "run"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    fs::write(folder.join("q"), "1 0 d1 0\n1 0 d2 1\n").unwrap();
    files.iter().map(|(name, _)| *name).chain(["frame.parquet"]).collect()
}

#[test]
fn in_the_place_of_a_run_they_are_a_run() {
    for (name, scores) in [("fractions", ["0.5", "0.25", "0.125"]), ("whole", ["3", "2", "1"])] {
        let folder = folder(&format!("open-run-{name}"));
        for file in files(&folder, scores) {
            // d2 is the one relevant document, at rank 2.
            let out = karat(&folder, &["eval", "q", file, "-m", "RR", "-f", "csv"]);
            assert!(out.status.success(), "{file}: {}", text(&out.stderr));
            assert!(text(&out.stdout).contains(",0.5,"), "{file}: {}", text(&out.stdout));
            let out = karat(&folder, &["rbo", file, file]);
            assert!(!text(&out.stderr).contains("judgements"), "{file}: {}", text(&out.stderr));
            let out = karat(&folder, &["convert", file, "--kind", "run", "--to", "trec", "--tag", "t"]);
            assert!(out.status.success() && out.stderr.is_empty(), "{file}: {}", text(&out.stderr));
            assert_eq!(text(&out.stdout).lines().next(), Some(&*format!("1 Q0 d1 1 {} t", scores[0])), "{file}");
        }
    }
}

#[test]
fn without_a_place_their_numbers_decide_and_a_note_says_so() {
    for (scores, taken, otherwise) in [
        (["0.5", "0.25", "0.125"], "taken as a run,", "--kind qrels"),
        (["30", "20", "10"], "taken as a run,", "--kind qrels"),
        (["2", "1", "0"], "taken as judgements,", "--kind run"),
    ] {
        let folder = folder(&format!("open-told-{}", scores[0]));
        for file in files(&folder, scores) {
            let out = karat(&folder, &["convert", file, "--to", "csv"]);
            let note = text(&out.stderr);
            assert!(out.status.success(), "{file}: {note}");
            assert!(note.starts_with("note: ") && note.contains(taken) && note.contains(otherwise), "{file}: {note}");
            let header = if otherwise == "--kind run" { "query_id,doc_id,grade" } else { "query_id,doc_id,score" };
            assert_eq!(text(&out.stdout).lines().next(), Some(header), "{file}");
        }
    }
}

#[test]
fn columns_that_say_what_they_are_need_no_note() {
    let folder = folder("open-not");
    fs::write(folder.join("a.csv"), "qid,docno,rank,score\n1,d1,1,2\n").unwrap();
    fs::write(folder.join("b.csv"), "qid,docno,grade\n1,d1,1\n").unwrap();
    for file in ["a.csv", "b.csv"] {
        let out = karat(&folder, &["convert", file, "--to", "jsonl"]);
        assert!(out.status.success() && out.stderr.is_empty(), "{file}: {}", text(&out.stderr));
    }
}

#[test]
fn judgements_in_parquet_given_as_a_run_are_told_as_such() {
    let folder = folder("open-parquet");
    fs::write(folder.join("q"), "1 0 d1 1\n").unwrap();
    assert!(karat(&folder, &["convert", "q", "q.parquet"]).status.success());
    let out = karat(&folder, &["eval", "q", "q.parquet", "-m", "RR"]);
    let words = text(&out.stderr);
    assert!(words.contains("look like judgements") && !words.contains("a text file"), "{words}");
}
