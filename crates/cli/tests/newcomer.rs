//! What people new to karat stumbled over, through the real program: each was a wrong word or a wrong exit status once.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const QRELS: &str = "1 0 d1 1\n1 0 d2 0\n2 0 d3 0\n";
const RUN: &str = "1 Q0 d1 1 2.5 r\n1 Q0 d2 2 1.5 r\n2 Q0 d3 1 1 r\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("q"), QRELS).unwrap();
    fs::write(folder.join("r"), RUN).unwrap();
    folder
}

/// Exit status, standard output and standard error.
fn karat(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_karat")).current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn a_pipe_that_closes_is_success_for_parquet_too() {
    let folder = folder("newcomer-pipe");
    // More than a pipe holds.
    let run: String = (0..200_000).map(|n| format!("1 Q0 d{} {n} {}.5 r\n", n * 7919, 200_000 - n)).collect();
    fs::write(folder.join("large"), run).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_karat"))
        .current_dir(&folder)
        .args(["convert", "large", "--to", "parquet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut head = [0; 4];
    child.stdout.take().unwrap().read_exact(&mut head).unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(&head, b"PAR1");
    assert!(out.status.success() && out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn the_size_of_a_file_that_cannot_be_told_is_its_size() {
    let folder = folder("newcomer-size");
    fs::write(folder.join("x"), "one two\n").unwrap();
    let (status, out, _) = karat(&folder, &["check", "x", "-f", "json"]);
    assert_eq!(status, Some(2));
    assert!(out.contains("\"bytes\": 8") || out.contains("\"bytes\":8"), "{out}");
}

#[test]
fn the_wrong_kind_of_judgements_names_the_format() {
    let folder = folder("newcomer-kind");
    for (measure, format) in [("alpha_nDCG@10", "diversity"), ("prefs_simp", "trec-prefs")] {
        let (status, _, words) = karat(&folder, &["eval", "q", "r", "-m", measure]);
        assert_eq!(status, Some(2), "{measure}: {words}");
        assert!(words.contains(&format!("--qrels-format {format}")), "{measure}: {words}");
    }
}

#[test]
fn trec_eval_gives_advice_that_it_can_follow() {
    let folder = folder("newcomer-trec");
    fs::write(folder.join("r.csv"), "qid,docid,score\n1,d1,2\n").unwrap();
    fs::write(folder.join("r.msmarco"), "1\td1\t1\n1\td2\t2\n").unwrap();
    fs::write(folder.join("prefs"), "1 j1 s1 d1 1\n1 j1 s1 d2 2\n").unwrap();
    assert_eq!(karat(&folder, &["convert", "r", "r.parquet"]).0, Some(0));
    for run in ["r.csv", "r.msmarco", "r.parquet"] {
        let (status, _, words) = karat(&folder, &["trec_eval", "q", run]);
        assert_eq!(status, Some(2), "{words}");
        let advice = format!("`karat convert {run} --kind run --to trec`");
        assert!(words.contains(&advice) && !words.contains("--run-format"), "{run}: {words}");
    }
    let (status, _, words) = karat(&folder, &["trec_eval", "prefs", "r"]);
    assert_eq!(status, Some(2), "{words}");
    assert!(words.contains("-R prefs"), "{words}");
}

#[test]
fn an_ending_of_judgements_is_not_a_run_s() {
    let folder = folder("newcomer-ending");
    let (status, _, words) = karat(&folder, &["convert", "r", "o.qrels"]);
    assert_eq!(status, Some(2));
    assert!(words.contains(".qrels is for judgements, and this file holds a run"), "{words}");
}

#[test]
fn several_judges_and_two_runs_of_one_name_are_told_in_the_file_s_own_words() {
    let folder = folder("newcomer-names");
    fs::write(folder.join("j.csv"), "query,docid,workerID,rating\n1,d1,a,1\n1,d1,b,0\n").unwrap();
    let (_, _, words) = karat(&folder, &["eval", "j.csv", "r", "-m", "AP"]);
    assert!(words.contains("several judges (column \"workerID\")"), "{words}");
    fs::create_dir_all(folder.join("b")).unwrap();
    for file in ["x.csv", "b/x.csv"] {
        fs::write(folder.join(file), "qid,docid,score\n1,d1,2.5\n2,d3,1\n").unwrap();
    }
    let (_, _, words) = karat(&folder, &["eval", "q", "x.csv", "b/x.csv", "-m", "AP"]);
    assert!(words.contains("the name \"x\" again") && !words.contains("field 6"), "{words}");
}

#[test]
fn notes_aside_have_no_escapes() {
    let folder = folder("newcomer-notes");
    let (status, _, notes) = karat(&folder, &["eval", "q", "r", "-m", "AP", "-f", "csv"]);
    assert_eq!(status, Some(0), "{notes}");
    // Topic 2 has no relevant document.
    assert!(notes.contains("(\"2\")") && !notes.contains('\\'), "{notes}");
}

#[test]
fn options_of_trec_eval_lead_to_what_does_the_same() {
    let folder = folder("newcomer-options");
    for (option, words) in [("-c", "scores missing topics as 0 already"), ("-D", "`karat trec_eval` takes the options")]
    {
        let (status, _, said) = karat(&folder, &["eval", option, "q", "r"]);
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains(words) && !said.contains("tip:") && !said.contains("\n\n\n"), "{said}");
    }
}

#[test]
fn topics_without_relevant_documents_matter_to_measures_that_divide() {
    // Topic 2 has no relevant document.
    let folder = folder("newcomer-nothing-relevant");
    for (measure, noted) in [("P@10", false), ("RR", false), ("AP", true), ("Rprec", true), ("bpref", true)] {
        let (status, out, _) = karat(&folder, &["eval", "q", "r", "-m", measure]);
        assert_eq!((status, out.contains("No relevant document for 1 topic")), (Some(0), noted), "{measure}: {out}");
    }
}

#[test]
fn a_heading_holds_for_every_row() {
    let folder = folder("newcomer-heading");
    // Ten topics with a pooled document that nobody judged, so that infAP has a sampling error.
    let topics = || 1..=10;
    let qrels: String = topics().map(|n| format!("{n} 0 a {}\n{n} 0 b 1\n{n} 0 c -1\n", n % 2)).collect();
    let run: String = topics().map(|n| format!("{n} Q0 a 1 3 r\n{n} Q0 c 2 2 r\n{n} Q0 b 3 1 r\n")).collect();
    fs::write(folder.join("q"), qrels).unwrap();
    fs::write(folder.join("r"), run).unwrap();
    for (measures, heading) in
        [("AP", "95% interval, topics"), ("infAP", "95%, topics+sampling"), ("AP,infAP", "95% interval  topics")]
    {
        let (_, out, words) = karat(&folder, &["eval", "q", "r", "-m", measures]);
        assert!(out.contains(heading), "{measures}: {out}{words}");
        let told = out.contains("covers: topics (AP); topics and judgement sampling (infAP)");
        assert_eq!(told, measures == "AP,infAP", "{out}");
    }
}

#[test]
fn an_unknown_term_is_not_called_a_measure() {
    let folder = folder("newcomer-term");
    let (status, _, words) = karat(&folder, &["explain", "zzz"]);
    assert!(status == Some(2) && words.starts_with("error: unknown name 'zzz'"), "{words}");
    for (name, term) in [("p", "p-value"), ("F", "F statistic")] {
        assert!(karat(&folder, &["explain", name]).1.contains(&format!("is the {term}")), "{name}");
    }
}
