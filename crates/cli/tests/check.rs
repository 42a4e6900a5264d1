//! `karat check` on hand-made files with known findings, and over the real collections where they are at hand.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)] // a test may stop, and says what it skips

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).arg("check").args(arguments).current_dir(folder).output().unwrap()
}

/// The answer as JSON, and the exit status.
fn check(files: &[(&str, &[u8])], extra: &[&str]) -> (Value, i32) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let names = files.iter().map(|(name, _)| *name);
    let arguments: Vec<&str> = names.chain(extra.iter().copied()).chain(["-f", "json"]).collect();
    let output = karat(folder.path(), &arguments);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (crate::schema::parse(&output.stdout), output.status.code().unwrap())
}

/// Findings as "severity line: what".
fn findings(answer: &Value) -> Vec<String> {
    let line = |finding: &Value| finding["line"].as_u64().map(|line| format!(" {line}")).unwrap_or_default();
    let rows = answer["findings"].as_array().unwrap().iter();
    rows.map(|row| format!("{}{}: {}", row["severity"].as_str().unwrap(), line(row), row["what"].as_str().unwrap()))
        .collect()
}

const QRELS: &[u8] = b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n";

#[test]
fn clean_files_have_no_findings() {
    let (answer, status) = check(&[("q", QRELS), ("a", b"1 Q0 d1 1 2.5 r\n1 Q0 d9 2 1.5 r\n2 Q0 d1 1 1 r\n")], &[]);
    assert_eq!((findings(&answer), status), (vec![], 0));
    assert_eq!(answer["files"][0]["kind"], "qrels");
    assert_eq!(answer["files"][1]["kind"], "run");
    assert_eq!(answer["files"][1]["rows"], 3);
    assert_eq!(answer["files"][1]["topics"], 2);
    // Three retrieved in ranks 1-10 of both topics, two of them judged.
    let band = &answer["judged_by_rank"][0];
    assert_eq!(
        (band["ranks"].as_str(), band["documents"].as_u64(), band["judged"].as_u64()),
        (Some("1-10"), Some(3), Some(2))
    );
    assert_eq!(answer["grades"].as_array().unwrap().len(), 3);
}

#[test]
fn what_is_odd_about_ranks_and_scores() {
    // Topic 1: rank 2 scores higher than rank 1, and so do the lines. Topic 2: ranks from 0. Topic 3: rank 2 is missing,
    // and the two documents are tied. Topic 4: rank 1 twice.
    let run = b"1 Q0 a 1 1 r\n1 Q0 b 2 2 r\n2 Q0 a 0 2 r\n2 Q0 b 1 1 r\n3 Q0 a 1 1 r\n3 Q0 b 3 1 r\n4 Q0 a 1 2 r\n4 Q0 b 1 1 r\n";
    let (answer, status) = check(&[("a", run)], &[]);
    assert_eq!(status, 0);
    assert_eq!(
        findings(&answer),
        [
            "warning: 2 of 8 documents (25%) have the same score as another document of the topic",
            "warning 2: ranks contradict scores in 1 topic (\"1\") of 4",
            "warning 2: scores rise from one line to the next in 1 topic (\"1\") of 4",
            "warning 6: ranks have gaps in 1 topic (\"3\") of 4",
            "warning 8: a rank occurs twice in 1 topic (\"4\") of 4",
            "note 3: ranks begin at 0 in 1 topic (\"2\") of 4",
        ]
    );
}

#[test]
fn formats_are_named_and_their_own_rules_hold() {
    let by_subtopic = b"1 1 d1 1\n1 2 d1 2\n1 1 d2 -2\n2 1 d1 0\n2 2 d1 0\n1 2 d1 0\n";
    // Topic 1 counts from 0 and has a rank twice; topic 2 has a hole and is not in order.
    let ranked = b"1\td1\t0\n1\td2\t1\n1\td3\t1\n2\td1\t3\n2\td2\t1\n";
    let (answer, status) = check(&[("q", by_subtopic), ("a", ranked)], &[]);
    assert_eq!(status, 2);
    assert_eq!(
        (&answer["files"][0]["format"], &answer["files"][1]["format"]),
        (&"diversity".into(), &"msmarco".into())
    );
    assert_eq!(answer["provenance"]["inputs"][1]["format"], "msmarco");
    assert_eq!(
        findings(&answer),
        [
            "error 6: \"d1\" is judged again for its topic; first on line 2 (grade 2 there, 0 here)",
            "warning: no relevant document for 1 topic (\"2\")",
            "note: judgements by subtopic, subtopics \"1\", \"2\"",
            "note: 1 line with a negative grade",
            "error 3: rank 1 again for topic \"1\"; first on line 2",
            "warning 1: ranks begin at 0 in 1 topic (\"1\") of 2",
            "warning 4: ranks have gaps in 1 topic (\"2\") of 2",
            "note 5: lines are not in the order of ranks in 1 topic (\"2\") of 2",
        ]
    );
    // By document, of which d1 has grade 2 at best for topic 1; d2 is not judged.
    let grades: Vec<_> = answer["grades"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["grade"].as_f64().unwrap(), row["documents"].as_u64().unwrap()))
        .collect();
    assert_eq!(grades, [(-1.0, 1), (0.0, 1), (2.0, 1)]);
    // Five retrieved in ranks 1-10, of which d1 is judged for both topics.
    let band = &answer["judged_by_rank"][0];
    assert_eq!((band["documents"].as_u64(), band["judged"].as_u64()), (Some(5), Some(2)));
    // Named, the same file holds groups of judgements.
    let (answer, _) =
        check(&[("q", by_subtopic), ("a", b"1 Q0 d1 1 1 r\n2 Q0 d1 1 1 r\n")], &["--qrels-format", "trec-jg"]);
    assert_eq!(answer["files"][0]["format"], "trec-jg");
    assert_eq!(answer["files"][1]["format"], "trec");
}

#[test]
fn ranks_that_agree_with_scores_in_a_shuffled_file_are_not_a_contradiction() {
    let (answer, _) = check(&[("a", b"1 Q0 b 2 1 r\n1 Q0 a 1 2 r\n")], &[]);
    assert_eq!(findings(&answer), ["warning 2: scores rise from one line to the next in 1 topic (\"1\") of 1"]);
}

#[test]
fn tags_line_ends_names_and_topics_that_come_back() {
    let run = b"1 Q0 a 1 2 r\r\n2 Q0 \xff 1 1 r\n1 Q0 b 2 1 s\n";
    let (answer, status) = check(&[("a", run)], &[]);
    assert_eq!(status, 0);
    assert_eq!(
        findings(&answer),
        [
            "warning 2: 1 line with a docno that is not UTF-8",
            "warning 3: the tag changes 1 time; the last is \"s\"",
            "note: rows of a topic are not consecutive: 1 interruption",
            "note: 1 line with a carriage return before the line feed",
        ]
    );
}

#[test]
fn errors_are_listed_up_to_a_limit_and_all_counted() {
    let mut run = b"1 Q0 d1 1 2 r\n1 Q0 d1 2 1 r\n".to_vec();
    (0..50).for_each(|row| run.extend_from_slice(format!("1 Q0 e{row} 1 x r\n").as_bytes()));
    let (answer, status) = check(&[("a", &run)], &[]);
    let found = findings(&answer);
    assert_eq!((found.len(), status), (51, 2));
    assert_eq!(found[0], "error 2: \"d1\" again for topic \"1\"; first on line 1");
    assert_eq!(found[1], "error 3: expected a finite number, found \"x\"");
    assert_eq!(answer["files"][0]["problems"], 51);
    let (answer, _) = check(&[("a", &run)], &["--limit", "2"]);
    let found = findings(&answer);
    assert_eq!((found.len(), found[2].as_str()), (3, "error: 49 errors more not listed"));
    assert_eq!(answer["files"][0]["problems"], 51);
}

#[test]
fn judgements_are_looked_at_too() {
    let qrels = b"1 0 a 1\n1 0 a 0\n1 0 b -1\n2 0 a 0\n2 0 b 0.0\n3 0 a 0.5\n";
    let (answer, status) = check(&[("q", qrels)], &[]);
    assert_eq!(status, 2);
    assert_eq!(
        findings(&answer),
        [
            "error 2: \"a\" is judged again for its topic; first on line 1 (grade 1 there, 0 here)",
            "warning: no relevant document for 1 topic (\"2\")",
            "warning: 1 grade with a fraction",
            "note: 1 line with a negative grade",
        ]
    );
    let grades: Vec<(f64, u64)> = answer["grades"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["grade"].as_f64().unwrap(), row["documents"].as_u64().unwrap()))
        .collect();
    assert_eq!(grades, [(-1.0, 1), (0.0, 3), (0.5, 1), (1.0, 1)]);
}

#[test]
fn topics_that_only_one_file_has() {
    let (answer, status) =
        check(&[("a", b"1 Q0 d1 1 1 r\n003 Q0 d1 1 1 r\n"), ("q", b"1 0 d1 1\n2 0 d1 1\n3 0 d1 1\n")], &[]);
    assert_eq!(status, 0);
    assert_eq!(
        findings(&answer),
        [
            "warning: no row for 2 topics (\"2\", \"3\") judged in q",
            "warning: topics may be written differently: \"003\" here, \"3\" in q",
            "note: rows for 1 topic (\"003\") not judged in q",
        ]
    );
    let (answer, status) = check(&[("q", QRELS), ("a", b"topic-01 Q0 d1 1 1 r\n")], &[]);
    assert_eq!(status, 2);
    assert_eq!(
        findings(&answer),
        [
            "error: no topic in common with q: 1 topic (\"topic-01\") here, 2 topics (\"1\", \"2\") there",
            "warning: topics may be written differently: \"topic-01\" here, \"1\" in q",
        ]
    );
    let (answer, _) = check(&[("a", b"1 Q0 d 1 1 r\n2 Q0 d 1 1 r\n"), ("b", b"1 Q0 d 1 1 r\n")], &[]);
    assert_eq!(findings(&answer), ["warning: no row for 1 topic (\"2\") of a", "warning: a has the same tag, \"r\""]);
}

#[test]
fn files_of_no_kind_and_files_that_are_not_there() {
    let (answer, status) = check(
        &[
            ("a", b""),
            ("b", b"{\"a\": 1}\n"),
            ("c", b"1 2 3 4 5\n"),
            ("d", b"a few words\nand four of them\nin a text of lines\nthat\nis not a\nrun\n"),
        ],
        &[],
    );
    assert_eq!(status, 2);
    let found = findings(&answer);
    assert!(found.len() == 4 && found.iter().all(|finding| finding.contains(": expected judgements")), "{found:?}");
    assert!(answer["files"].as_array().unwrap().iter().all(|file| file["kind"] == "unknown"));
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(karat(folder.path(), &["none"]).status.code(), Some(3));
    fs::write(folder.path().join("a"), "1 Q0 d 1 x r\n").unwrap();
    assert_eq!(karat(folder.path(), &["none", "a"]).status.code(), Some(2));
}

#[test]
fn every_format_shows_the_findings() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a"), "1 Q0 d 1 x r\n1 Q0 e 1 1 r\n").unwrap();
    for format in ["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] {
        let output = karat(folder.path(), &["a", "-f", format]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("expected a finite number"), "{format}: {text}");
        assert_eq!(output.status.code(), Some(2));
    }
}

// ---- the real collections ----

/// The data folder, or none and a word about it.
fn data() -> Option<PathBuf> {
    let zoo = karat_testdata::folder("qrels_zoo", "karat check on real collections")?;
    zoo.parent().map(Path::to_path_buf)
}

fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path.to_str().unwrap().to_owned());
        }
    }
    found.sort();
    found
}

#[test]
fn the_zoo_of_qrels_is_read() {
    let Some(data) = data() else { return };
    let zoo = files_below(&data.join("qrels_zoo"));
    let arguments: Vec<&str> = zoo.iter().map(String::as_str).chain(["-f", "json"]).collect();
    let output = karat(&data, &arguments);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = crate::schema::parse(&output.stdout);
    for file in answer["files"].as_array().unwrap() {
        assert_eq!(file["kind"], "qrels", "{}", file["path"]);
        assert!(file["rows"].as_u64().unwrap() > 0);
    }
    let has = |what: &str| findings(&answer).iter().any(|finding| finding.contains(what));
    for what in ["carriage return before the line feed", "no relevant document for", "negative grade"] {
        assert!(has(what), "{what}");
    }
}

#[test]
fn the_quirks_of_the_covid_runs_are_found() {
    let Some(data) = data() else { return };
    let folder = tempfile::tempdir().unwrap();
    let packed = data.join("trec_covid_r1/runs.tar.xz");
    let unpacked = Command::new("tar").arg("xJf").arg(&packed).arg("-C").arg(folder.path()).status();
    if !unpacked.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: tar cannot unpack {}", packed.display());
        return;
    }
    let runs = files_below(folder.path());
    let qrels = data.join("trec_covid_r1/qrels.txt");
    let arguments: Vec<&str> = runs.iter().map(String::as_str).chain([qrels.to_str().unwrap(), "-f", "json"]).collect();
    let output = karat(folder.path(), &arguments);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = crate::schema::parse(&output.stdout);
    assert_eq!(answer["files"].as_array().unwrap().len(), 144);
    let of = |run: &str, what: &str| {
        let rows = answer["findings"].as_array().unwrap();
        let end = format!("/{run}");
        rows.iter()
            .any(|row| row["file"].as_str().unwrap().ends_with(&end) && row["what"].as_str().unwrap().starts_with(what))
    };
    for run in ["BRPHJ_NLP2", "sheikh_bm25_all"] {
        assert!(of(run, "ranks contradict scores in 30 topics"), "{run}");
    }
    // ERST_NARRATIVE is hardly judged: judged@10 is .017, 5 of 300 documents.
    let bands = answer["judged_by_rank"].as_array().unwrap();
    let narrative =
        |band: &&Value| band["run"].as_str().unwrap().ends_with("/ERST_NARRATIVE") && band["ranks"] == "1-10";
    let share = bands.iter().find(narrative).unwrap()["share"].as_f64().unwrap();
    assert!((share - 0.017).abs() < 0.0005, "{share}");
    // Every run that check finds right is one that eval reads.
    let errors: u64 = answer["files"].as_array().unwrap().iter().map(|file| file["problems"].as_u64().unwrap()).sum();
    assert_eq!(output.status.code(), Some(if errors == 0 { 0 } else { 2 }));
    println!("{errors} errors in 143 runs");
}
