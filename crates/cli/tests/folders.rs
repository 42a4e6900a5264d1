//! Folders of files that are one run, one set of judgements or one set of labels, as Spark writes them.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).current_dir(folder).args(arguments).output().unwrap()
}

/// Standard output of a command that goes well.
fn told(folder: &Path, arguments: &[&str]) -> String {
    let done = karat(folder, arguments);
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Standard error and status of a command that does not.
fn refused(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let done = karat(folder, arguments);
    assert!(!done.status.success(), "{arguments:?}");
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

/// A part of a JSON answer.
fn part(answer: &str, name: &str) -> String {
    let answer: serde_json::Value = crate::schema::parse(answer.as_bytes());
    assert!(!answer[name].is_null(), "{name}");
    answer[name].to_string()
}

/// Judgements and a run, whole and in folders of three files, as lines and as Parquet; a topic goes on in the next file. Spark's files that are no data lie
/// beside them, and a file without rows.
fn world() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let rows = |line: &dyn Fn(usize, usize) -> String| -> Vec<String> {
        (0..30).flat_map(|document| (0..10).map(move |topic| (topic, document))).map(|(t, d)| line(t, d)).collect()
    };
    let judgements = rows(&|topic, document| format!("t{topic} 0 d{document} {}\n", (topic + document) % 3));
    let run = rows(&|topic, document| format!("t{topic} Q0 d{document} 0 {} system\n", (document * 7 + topic) % 31));
    for (name, rows) in [("qrels", judgements), ("run", run)] {
        fs::write(at(&format!("{name}.txt")), rows.concat()).unwrap();
        for form in ["lines", "frames"] {
            fs::create_dir(at(&format!("{name}-{form}"))).unwrap();
            fs::write(at(&format!("{name}-{form}/_SUCCESS")), "").unwrap();
            fs::write(at(&format!("{name}-{form}/.part-00000.crc")), [0, 1, 2]).unwrap();
        }
        for (number, part) in rows.chunks(110).enumerate() {
            let lines = format!("{name}-lines/part-0000{number}.txt");
            fs::write(at(&lines), part.concat()).unwrap();
            let frame = format!("{name}-frames/part-0000{number}.parquet");
            told(folder.path(), &["convert", &lines, "--to", "parquet", "-o", &frame]);
        }
        fs::write(at(&format!("{name}-lines/part-00009.txt")), "").unwrap();
    }
    folder
}

#[test]
fn a_folder_of_judgements_gives_the_numbers_of_the_file() {
    let world = world();
    let scores = |qrels: &str, run: &str| {
        let answer = told(world.path(), &["eval", qrels, run, "-q", "-f", "json", "-m", "AP,nDCG@10,RBP(p=0.8)"]);
        (part(&answer, "scores"), part(&answer, "by_query"))
    };
    let expected = scores("qrels.txt", "run.txt");
    for qrels in ["qrels-lines", "qrels-frames"] {
        for run in ["run.txt", "run-lines", "run-frames"] {
            let found = scores(qrels, run);
            assert_eq!(found.1, expected.1, "{qrels} {run}");
        }
    }
    let compared = |qrels: &str| {
        fs::write(world.path().join("other.run"), "t1 Q0 d3 1 1 other\n").unwrap();
        let answer = told(world.path(), &["compare", qrels, "run.txt", "other.run", "-f", "json", "-m", "AP"]);
        part(&answer, "comparisons")
    };
    assert_eq!(compared("qrels-frames"), compared("qrels.txt"));
    told(world.path(), &["report", "qrels-lines", "run-frames", "-o", "page.html"]);
    assert!(fs::metadata(world.path().join("page.html")).unwrap().len() > 10_000);
}

#[test]
fn files_without_rows_are_passed_over_and_a_folder_of_them_is_not() {
    let world = world();
    fs::create_dir(world.path().join("csv")).unwrap();
    let write = |name: &str, text: &str| fs::write(world.path().join("csv").join(name), text).unwrap();
    write("part-0.csv", "query_id,doc_id,score\n");
    write("part-1.csv", "query_id,doc_id,score\nt1,d1,2\n");
    let answer = told(world.path(), &["eval", "qrels.txt", "csv", "-f", "json", "-m", "AP"]);
    assert!(part(&answer, "provenance").contains("\"rows\":1"), "{answer}");
    told(world.path(), &["eval", "csv", "run.txt", "-m", "AP"]);
    assert_eq!(
        told(world.path(), &["convert", "csv", "--kind", "run", "--to", "csv"]),
        "query_id,doc_id,score\nt1,d1,2\n"
    );
    told(world.path(), &["check", "csv"]);
    write("part-1.csv", "query_id,doc_id,score\n");
    for arguments in
        [&["eval", "qrels.txt", "csv", "-m", "AP"][..], &["eval", "csv", "run.txt", "-m", "AP"], &["check", "csv"]]
    {
        let done = karat(world.path(), arguments);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn conversion_and_check_take_folders() {
    let world = world();
    let converted = |input: &str| told(world.path(), &["convert", input, "--to", "csv", "--lossy"]);
    for (folder, file) in [("qrels-lines", "qrels.txt"), ("run-lines", "run.txt"), ("run-frames", "run.txt")] {
        assert_eq!(converted(folder), converted(file), "{folder}");
    }
    let checked = |input: &str| {
        let answer = told(world.path(), &["check", input, "-f", "json"]);
        let answer: serde_json::Value = crate::schema::parse(answer.as_bytes());
        let file = &answer["files"][0];
        [&file["kind"], &file["rows"], &file["topics"]].map(ToString::to_string)
    };
    for (folder, file) in [
        ("qrels-lines", "qrels.txt"),
        ("qrels-frames", "qrels.txt"),
        ("run-lines", "run.txt"),
        ("run-frames", "run.txt"),
    ] {
        assert_eq!(checked(folder), checked(file), "{folder}");
    }
}

#[test]
fn problems_name_the_file_in_the_folder() {
    let world = world();
    let append = |file: &str, line: &str| {
        let path = world.path().join(file);
        fs::write(&path, fs::read_to_string(&path).unwrap() + line).unwrap();
    };
    // The second file has 110 lines; t0 d0 is the first line of the first.
    append("qrels-lines/part-00001.txt", "t0 0 d0 1\nt0 0 d99 high\n");
    let (status, said) = refused(world.path(), &["eval", "qrels-lines", "run.txt", "-m", "AP"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("qrels-lines/part-00001.txt:112: grade"), "{said}");
    assert!(said.contains("qrels-lines/part-00001.txt:111: docno (field 3)"), "{said}");
    assert!(said.contains("\"d0\" again; first in qrels-lines/part-00000.txt, line 1"), "{said}");
    let done = karat(world.path(), &["check", "qrels-lines"]);
    let said = String::from_utf8(done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("error: qrels-lines/part-00001.txt: line 112: grade"), "{said}");
    assert!(said.contains("first in qrels-lines/part-00000.txt, line 1"), "{said}");
    let (_, said) = refused(world.path(), &["convert", "qrels-lines", "--to", "csv"]);
    assert!(said.contains("qrels-lines/part-00001.txt:112"), "{said}");
    // A file without lines: by row.
    fs::remove_file(world.path().join("qrels-lines/part-00001.txt")).unwrap();
    fs::copy(
        world.path().join("qrels-frames/part-00000.parquet"),
        world.path().join("qrels-frames/part-00007.parquet"),
    )
    .unwrap();
    let (_, said) = refused(world.path(), &["eval", "qrels-frames", "run.txt", "-m", "AP"]);
    assert!(said.contains("qrels-frames/part-00007.parquet:1: doc_id"), "{said}");
    assert!(said.contains("first in qrels-frames/part-00000.parquet, line 1"), "{said}");
    let (_, said) = refused(world.path(), &["convert", "qrels-frames", "--to", "csv"]);
    assert!(said.contains("qrels-frames/part-00007.parquet:1"), "{said}");
    let said = String::from_utf8(karat(world.path(), &["check", "qrels-frames"]).stdout).unwrap();
    assert!(said.contains("error: qrels-frames/part-00007.parquet: row 1: doc_id"), "{said}");
    assert!(said.contains("first in qrels-frames/part-00000.parquet, row 1"), "{said}");
}

#[test]
fn files_of_a_folder_say_one_thing() {
    let world = world();
    fs::create_dir(world.path().join("mixed")).unwrap();
    fs::write(world.path().join("mixed/a.csv"), "query_id,doc_id,grade\nt1,d1,1\n").unwrap();
    fs::write(world.path().join("mixed/b.csv"), "query_id,doc_id,subtopic,grade\nt1,d2,1,1\n").unwrap();
    for arguments in [&["eval", "mixed", "run.txt", "-m", "AP"][..], &["convert", "mixed", "--to", "csv"]] {
        let (_, said) = refused(world.path(), arguments);
        assert!(said.contains("mixed/b.csv: expected what mixed/a.csv has"), "{said}");
    }
}

#[test]
fn a_folder_of_folders_is_refused() {
    let world = world();
    fs::create_dir_all(world.path().join("hive/topic=301")).unwrap();
    fs::write(world.path().join("hive/topic=301/part-0.csv"), "doc_id,score\nd1,2\n").unwrap();
    for arguments in [&["eval", "qrels.txt", "hive", "-m", "AP"][..], &["eval", "hive", "run.txt", "-m", "AP"]] {
        let (status, said) = refused(world.path(), arguments);
        assert_eq!(status, Some(3));
        assert!(said.contains("error: Folder contains subfolders (topic=301): hive\n"), "{said}");
        assert!(said.contains("partitionBy"), "{said}");
    }
    fs::create_dir(world.path().join("empty")).unwrap();
    fs::write(world.path().join("empty/_SUCCESS"), "").unwrap();
    let (status, said) = refused(world.path(), &["eval", "qrels.txt", "empty", "-m", "AP"]);
    assert_eq!(status, Some(3));
    assert!(said.contains("Folder is empty"), "{said}");
}

#[test]
fn labels_come_in_folders_too() {
    let world = world();
    fs::create_dir(world.path().join("labels")).unwrap();
    let write = |name: &str, rows: &str| {
        fs::write(world.path().join(name), format!("query_id,doc_id,judge,grade\n{rows}")).unwrap();
    };
    let (first, second) = ("t1,d1,ann,1\nt1,d1,bob,0\nt1,d2,ann,1\n", "t1,d2,bob,1\nt2,d1,ann,0\nt2,d1,bob,0\n");
    write("labels/a.csv", first);
    write("labels/b.csv", second);
    write("labels.csv", &format!("{first}{second}"));
    let agreement = |labels: &str| part(&told(world.path(), &["judges", "agree", labels, "-f", "json"]), "agreement");
    assert_eq!(agreement("labels"), agreement("labels.csv"));
    let converted = |labels: &str| told(world.path(), &["convert", labels, "--kind", "labels", "--to", "csv"]);
    assert_eq!(converted("labels"), converted("labels.csv"));
    let checked = told(world.path(), &["check", "labels"]);
    assert!(checked.contains("labels of 2 judges; 3 of 3 documents have grades by several"), "{checked}");
    write("labels/b.csv", "t1,d1,ann,0\n");
    let (_, said) = refused(world.path(), &["judges", "agree", "labels"]);
    assert!(said.contains("labels/b.csv:2"), "{said}");
}

/// One document of topic 1 stands as a line, the others as records: whichever file comes first, and for any number of threads, they are one list.
/// Topic 1 has b (grade 0, score 3) before a (grade 1, score 2): AP 1/2; topic 2 has a (1) and lacks c (1): AP 1/2.
#[test]
fn files_of_different_formats_are_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("qrels"), "1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 c 1\n").unwrap();
    let records = "query_id,doc_id,score\n1,b,3\n2,a,1\n";
    fs::write(at("records.csv"), records).unwrap();
    for (first, ending) in [("a", "csv"), ("z", "csv"), ("a", "parquet"), ("z", "parquet")] {
        let name = format!("{first}-{ending}");
        fs::create_dir(at(&name)).unwrap();
        fs::write(at(&format!("{name}/{first}")), "1 Q0 a 1 2.0 X\n").unwrap();
        let other = format!("{name}/m.{ending}");
        told(folder.path(), &["convert", "records.csv", "--kind", "run", "-o", &other]);
        for threads in ["1", "2", "4"] {
            let asked = ["eval", "qrels", &name, "-m", "AP,NumRet", "-f", "json", "--threads", threads];
            let answer: serde_json::Value = crate::schema::parse(told(folder.path(), &asked).as_bytes());
            let values: Vec<f64> =
                answer["scores"].as_array().unwrap().iter().map(|s| s["value"].as_f64().unwrap()).collect();
            assert_eq!(values, [0.5, 3.0], "{name}, {threads} threads");
        }
        // A document that is in both is there twice.
        fs::write(at(&format!("{name}/{first}")), "1 Q0 b 1 2.0 X\n").unwrap();
        let (_, said) = refused(folder.path(), &["eval", "qrels", &name, "-m", "AP"]);
        assert!(said.contains("each document once per topic"), "{name}: {said}");
    }
}

#[test]
fn rows_of_several_runs_are_no_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("qrels"), "1 0 a 1\n1 0 b 0\n").unwrap();
    for name in ["runs", "mixed"] {
        fs::create_dir(at(name)).unwrap();
    }
    fs::write(at("runs/a.run"), "1 Q0 a 1 2.0 bm25\n").unwrap();
    fs::write(at("runs/b.run"), "1 Q0 b 1 2.0 dense\n").unwrap();
    let (_, said) = refused(folder.path(), &["eval", "qrels", "runs", "-m", "AP"]);
    assert!(said.contains("a folder is one run") && said.contains("dense") && said.contains("folder/*"), "{said}");
    fs::write(at("mixed/a.csv"), "query_id,doc_id,score\n1,a,-5\n").unwrap();
    fs::write(at("mixed/b.csv"), "query_id,doc_id,rank\n1,b,1\n").unwrap();
    let (_, said) = refused(folder.path(), &["eval", "qrels", "mixed", "-m", "AP"]);
    assert!(said.contains("b.csv") && said.contains("ranks alone"), "{said}");
    fs::write(at("two.csv"), "query_id,doc_id,score,run\n1,a,3,A\n1,b,9,B\n").unwrap();
    told(folder.path(), &["convert", "two.csv", "--kind", "run", "-o", "two.parquet"]);
    for file in ["two.csv", "two.parquet"] {
        let (_, said) = refused(folder.path(), &["eval", "qrels", file, "-m", "AP"]);
        assert!(said.contains("rows of \"A\" and of \"B\""), "{file}: {said}");
    }
}
