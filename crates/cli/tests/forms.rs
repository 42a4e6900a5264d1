//! Judging forms of pool, sample and next in every format: they carry texts, read back, and give the numbers of TREC's lines.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).current_dir(folder).args(arguments).output().unwrap()
}

fn done(folder: &Path, arguments: &[&str]) {
    let done = karat(folder, arguments);
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn answer(folder: &Path, arguments: &[&str]) -> Value {
    let done = karat(folder, &[arguments, &["-f", "json"]].concat());
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    crate::schema::parse(&done.stdout)
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let done = karat(folder, arguments);
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!((done.status.code(), done.stdout.len()), (Some(2), 0), "{arguments:?}: {said}");
    said
}

fn notes(answer: &Value) -> String {
    answer["notes"].to_string()
}

const ENDINGS: [&str; 4] = ["csv", "tsv", "jsonl", "json"];

/// A collection of which topics are queries with spaces and quotation marks; runs and judgements can hold them in JSON only.
fn collection() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let first = "how \\\"long\\\", really?";
    for (name, text) in [
        ("a.json", format!("{{\"{first}\": {{\"d 1\": 3, \"d,2\": 2, \"é3\": 1}}, \"2\": {{\"d4\": 1}}}}")),
        ("b.json", format!("{{\"{first}\": {{\"d,2\": 2, \"é3\": 1}}, \"2\": {{\"d5\": 2, \"d4\": 1}}}}")),
        ("q.json", format!("{{\"{first}\": {{\"d 1\": 1}}, \"2\": {{\"d4\": 0, \"d9\": -1}}}}")),
        ("queries.csv", "query_id,query\n2,\"two, or\nmore\"\n".to_owned()),
        (
            "corpus.jsonl",
            "{\"_id\": \"d,2\", \"title\": \"T, \\\"x\\\"\", \"text\": \"=one\\ntwo; é\"}\n{\"_id\": \"d4\", \"text\": \"four\"}\n\
             {\"_id\": \"elsewhere\", \"text\": \"not in the form\"}\n"
                .to_owned(),
        ),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn names_that_trec_cannot_hold_go_through_every_other_form() {
    let folder = collection();
    let at = folder.path();
    let pool = ["pool", "a.json", "b.json", "--qrels", "q.json", "--form"];
    let said = refused(at, &[&pool[..], &["f.qrels"]].concat());
    assert!(said.contains("help: write a form that ends in .csv, .jsonl or .json"), "{said}");
    let files = || std::fs::read_dir(at).unwrap().count();
    let before = files();
    let eval = |form: &str| answer(at, &["eval", form, "a.json", "b.json", "-m", "P@2,RBP(p=0.5)"])["scores"].clone();
    // As the judgements with what was pooled: nothing more is known.
    let expected = {
        let first = "how \\\"long\\\", really?";
        let text = format!(
            "{{\"{first}\": {{\"d 1\": 1, \"d,2\": -1, \"é3\": -1}}, \"2\": {{\"d4\": 0, \"d9\": -1, \"d5\": -1}}}}"
        );
        std::fs::write(at.join("expected.json"), text).unwrap();
        eval("expected.json")
    };
    for ending in ENDINGS {
        let form = format!("f.{ending}");
        let report =
            answer(at, &[&pool[..], &[&form, "--queries", "queries.csv", "--corpus", "corpus.jsonl"]].concat());
        assert!(notes(&report).contains(&format!("{form}: 3 documents to judge")), "{}", notes(&report));
        assert!(notes(&report).contains("queries.csv has no text of 1 of 2 queries"), "{}", notes(&report));
        assert!(notes(&report).contains("corpus.jsonl has no text of 3 of 5 documents; their cells are empty."));
        assert_eq!(eval(&form), expected, "{ending}");
        let text = std::fs::read_to_string(at.join(&form)).unwrap();
        assert!(text.contains("two, or more") && text.contains("four") && !text.contains("not in the form"), "{text}");
        // The next form starts from this one.
        let next = format!("next.{ending}");
        let report = answer(at, &["next", &form, "a.json", "b.json", "-m", "P@2", "--form", &next]);
        assert!(notes(&report).contains("to judge"), "{}", notes(&report));
        assert_eq!(eval(&next), expected, "{ending}");
    }
    assert_eq!(files(), before + 1 + 2 * ENDINGS.len());
    assert_eq!(
        std::fs::read_to_string(at.join("f.csv")).unwrap(),
        "query_id,doc_id,query,title,text,probability,batch,grade\n2,d9,\"two, or more\",,,,,-1\n2,d4,\"two, or more\",,four,,,0\n\
         2,d5,\"two, or more\",,,,,\n\"how \"\"long\"\", really?\",d 1,,,,,,1\n\
         \"how \"\"long\"\", really?\",\"d,2\",,\"T, \"\"x\"\"\",\" =one\ntwo; é\",,,\n\"how \"\"long\"\", really?\",é3,,,,,,\n"
    );
}

/// Every design in every format, judged by the demo's judgements: the numbers are those of TREC's lines.
#[test]
fn samples_give_the_numbers_of_trecs_lines() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    done(at, &["demo", "-o", "demo"]);
    for (design, measures) in [
        (&["--design", "uniform", "--rate", "0.3"][..], "xinfAP,infNDCG,P@10"),
        (&["--design", "strata", "--strata", "5:1,30:0.2"], "xinfAP,infNDCG,P@10"),
        (&["--design", "weighted", "--rate", "0.3", "-M", "30"], "htRBP,htP@10,P@10"),
    ] {
        let sample = |form: &str, known: &[&str]| {
            done(at, &[&["sample", "demo/baseline.run", "demo/fusion.run", "--form", form], known, design].concat());
        };
        let scores = |form: &str| answer(at, &["eval", form, "demo/fusion.run", "-m", measures])["scores"].clone();
        sample("f.qrels", &["--qrels", "demo/qrels.txt", "-J"]);
        let expected = scores("f.qrels");
        for ending in ENDINGS {
            let form = format!("f.{ending}");
            sample(&form, &["--qrels", "demo/qrels.txt", "-J"]);
            assert_eq!(scores(&form), expected, "{design:?} {ending}");
            // Not judged: strata are refused as TREC's lines are, probabilities read with a note.
            std::fs::remove_file(at.join(&form)).unwrap();
            sample(&form, &[]);
            if design[1] == "weighted" {
                let report = answer(at, &["eval", &form, "demo/fusion.run", "-m", "htRBP"]);
                assert!(notes(&report).contains("documents of the sample are not judged, 0 are"), "{}", notes(&report));
            } else {
                let said = refused(at, &["eval", &form, "demo/fusion.run"]);
                assert!(said.contains("grade: expected a number (-1: not drawn), found nothing"), "{said}");
            }
            std::fs::remove_file(at.join(&form)).unwrap();
        }
        std::fs::remove_file(at.join("f.qrels")).unwrap();
    }
}

/// Half of a pool's form is filled in: the note counts, whatever the format.
#[test]
fn a_form_that_is_half_finished_is_read_and_counted() {
    let folder = collection();
    let at = folder.path();
    for ending in ENDINGS {
        let form = format!("f.{ending}");
        done(at, &["pool", "a.json", "b.json", "--form", &form]);
        let none = answer(at, &["eval", &form, "a.json", "-m", "P@2"]);
        assert!(
            notes(&none).contains("warning: no document is judged: all 5 have grade -1 or none"),
            "{}",
            notes(&none)
        );
        let text = std::fs::read_to_string(at.join(&form)).unwrap();
        let half = match ending {
            "csv" => text.replacen(",,,,,,\n", ",,,,,,2\n", 2),
            "tsv" => text.replacen("\t\t\t\t\t\t\n", "\t\t\t\t\t\t2\n", 2),
            "jsonl" => text.replacen("\"grade\": null", "\"grade\": 2", 2),
            _ => text.replacen("[]", "[{\"result\": [{\"value\": {\"rating\": 2}}]}]", 2),
        };
        std::fs::write(at.join(&form), half).unwrap();
        let report = answer(at, &["eval", &form, "a.json", "-m", "P@2"]);
        let note = "3 pooled documents are unjudged (grade -1 or none) and 2 are judged";
        assert!(notes(&report).contains(note), "{ending}: {}", notes(&report));
        for command in ["compare", "next"] {
            done(at, &[command, &form, "a.json", "b.json", "-m", "P@2"]);
        }
        done(at, &["convert", &form, "-o", &format!("{form}.jsonl"), "--lossy"]);
    }
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_written() {
    let folder = collection();
    let at = folder.path();
    std::fs::write(at.join("bad.jsonl"), "{\"_id\": \"d4\", \"text\": \"x\"}\n{\"text\": \"no name\"}\n").unwrap();
    let before = std::fs::read_dir(at).unwrap().count();
    for (arguments, words) in [
        (&["--form", "f.xlsx"][..], "--form f.xlsx: unknown file extension; use .qrels, .txt, .csv"),
        (&["--form", "f.csv.xz"], "plain or with the ending gz or zst"),
        (&["--form", "f.parquet.gz"], "unknown file extension"),
        (&["--form", "q.json"], "may hold judges' work"),
        (&["--form", "f.csv", "--form-format", "prels"], "--form-format prels is the layout of a sample"),
        (&["--form", "f.csv", "--form-format", "xlsx"], "invalid value 'xlsx'"),
        (&["--form-format", "csv"], "--form <FILE>"),
        (&["--corpus", "corpus.jsonl"], "--form <FILE>"),
        (&["--form", "f.qrels", "--corpus", "corpus.jsonl"], "--corpus: TREC's format has no texts"),
        (&["--form", "f.csv", "--corpus", "missing.jsonl"], "No such file or directory: missing.jsonl"),
        (&["--form", "f.csv", "--corpus", "bad.jsonl"], "bad.jsonl:2: name: expected one of the keys"),
        (&["--form", "f.csv", "--queries", "bad.jsonl"], "bad.jsonl:2: name: expected one of the keys"),
        (&["--form", "nowhere/f.csv"], "nowhere/f.csv: No such file or directory"),
    ] {
        let said = refused_somehow(at, &[&["pool", "a.json", "b.json"], arguments].concat());
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    let names: Vec<_> = std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), before, "{names:?}");
}

/// With whatever exit status.
fn refused_somehow(folder: &Path, arguments: &[&str]) -> String {
    let done = karat(folder, arguments);
    assert!(!done.status.success() && done.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(done.stderr).unwrap()
}

/// Packed, by name and by option; and a form is a file of texts for the next one.
#[test]
fn forms_are_compressed_and_their_format_may_be_named() {
    let folder = collection();
    let at = folder.path();
    let scores = |form: &str| answer(at, &["eval", form, "a.json", "-m", "RBP"])["scores"].clone();
    done(at, &["pool", "a.json", "--form", "f.csv"]);
    for arguments in [
        &["g.csv.gz"][..],
        &["g.jsonl.zst"],
        &["g", "--form-format", "label-studio"],
        &["g.qrels", "--form-format", "csv"],
    ] {
        done(at, &[&["pool", "a.json", "--form"], arguments].concat());
        assert_eq!(scores(arguments[0]), scores("f.csv"), "{arguments:?}");
    }
    assert_eq!(std::fs::read(at.join("g.csv.gz")).unwrap()[..2], [0x1f, 0x8b]);
    assert!(std::fs::read_to_string(at.join("g")).unwrap().starts_with("[\n{\"data\": {\"query_id\""));
    done(at, &["pool", "a.json", "--form", "h.csv", "--queries", "f.csv", "--corpus", "corpus.jsonl"]);
}
