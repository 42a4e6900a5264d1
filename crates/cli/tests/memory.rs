//! Runs whose topics are not together, runs in folders, and a memory budget: whatever the way, the same numbers.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).current_dir(folder).args(arguments).output().unwrap()
}

/// The scores and values by query of `karat eval`.
fn scores(folder: &Path, arguments: &[&str]) -> (String, String) {
    let done = karat(folder, &[&["eval", "q", "-f", "json", "-q", "-m", "AP,nDCG@10,RBP(p=0.8)"], arguments].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let answer: serde_json::Value = crate::schema::parse(&done.stdout);
    (answer["scores"].to_string(), answer["by_query"].to_string())
}

/// Forty topics of 300 documents with ties; documents and topics spread so that lines in order of document are spread over topics.
fn lines() -> Vec<(usize, usize, String)> {
    let mut lines = Vec::new();
    for topic in 0..40usize {
        for document in 0..300usize {
            let score = (document * 7919 + topic * 31) % 97;
            lines.push((topic, document, format!("t{topic} Q0 document{document} 0 {score} system\n")));
        }
    }
    lines
}

fn write(folder: &Path) {
    let mut judgements = String::new();
    for topic in 0..40 {
        for document in (topic % 5..300).step_by(7) {
            judgements.push_str(&format!("t{topic} 0 document{document} {}\n", document % 3));
        }
    }
    std::fs::write(folder.join("q"), judgements).unwrap();
    let mut rows = lines();
    let text = |rows: &[(usize, usize, String)]| rows.iter().map(|row| row.2.as_str()).collect::<String>();
    std::fs::write(folder.join("grouped"), text(&rows)).unwrap();
    // By document: every topic comes back 300 times. Within a topic the order of lines is the same, as ties want.
    rows.sort_by_key(|&(topic, document, _)| (document, topic));
    std::fs::write(folder.join("spread"), text(&rows)).unwrap();
    std::fs::create_dir(folder.join("parts")).unwrap();
    for (at, part) in rows.chunks(5000).enumerate() {
        std::fs::write(folder.join(format!("parts/part-0000{at}.txt")), text(part)).unwrap();
    }
    std::fs::write(folder.join("parts/_SUCCESS"), "").unwrap();
    std::fs::write(folder.join("parts/.part-00000.crc"), [0, 1, 2]).unwrap();
}

#[test]
fn order_of_lines_memory_and_folders_do_not_change_a_number() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let expected = scores(folder.path(), &["grouped"]);
    for arguments in [
        &["spread"][..],
        // 12,000 rows of about 70 bytes do not fit into 64 kilobytes: dealt out, and dealt out again.
        &["spread", "--memory", "64K"],
        &["spread", "--memory", "64K", "--threads", "1"],
        &["spread", "--memory", "1G"],
        &["parts"],
        &["parts", "--memory", "64K"],
    ] {
        assert_eq!(scores(folder.path(), arguments), expected, "{arguments:?}");
    }
}

#[test]
fn other_formats_keep_within_memory_and_come_in_folders_too() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let expected = scores(folder.path(), &["grouped"]);
    std::fs::create_dir(folder.path().join("frames")).unwrap();
    for (at, part) in ["part-00000", "part-00001", "part-00002"].iter().enumerate() {
        let (from, to) = (format!("parts/{part}.txt"), format!("frames/{part}.parquet"));
        let done = karat(folder.path(), &["convert", &from, "--to", "parquet", "-o", &to]);
        assert!(done.status.success(), "{at}: {}", String::from_utf8_lossy(&done.stderr));
    }
    let named = |(scores, by_query): (String, String)| {
        (scores.replace("frames", "system"), by_query.replace("frames", "system"))
    };
    for arguments in [&["frames"][..], &["frames", "--memory", "64K"]] {
        assert_eq!(named(scores(folder.path(), arguments)), expected, "{arguments:?}");
    }
    let done = karat(folder.path(), &["convert", "spread", "--to", "csv", "-o", "one.csv"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let (scores, _) = scores(folder.path(), &["one.csv", "--memory", "64K"]);
    assert_eq!(scores.replace("\"one\"", "\"system\""), expected.0);
}

#[test]
fn what_is_wrong_names_the_part_and_its_line() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let second = folder.path().join("parts/part-00001.txt");
    let mut text = std::fs::read_to_string(&second).unwrap();
    // The first line of the first part once more: line 5001 of the second.
    text.push_str("t0 Q0 document0 0 5 system\n");
    std::fs::write(&second, &text).unwrap();
    for memory in [&[][..], &["--memory", "64K"]] {
        let done = karat(folder.path(), &[&["eval", "q", "parts"], memory].concat());
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(
            said.contains("part-00001.txt:5001") && said.contains("first in parts/part-00000.txt, line 1"),
            "{said}"
        );
    }
    std::fs::write(&second, "t0 Q0 document0 0 five system\n").unwrap();
    let done = karat(folder.path(), &["eval", "q", "parts"]);
    assert!(String::from_utf8_lossy(&done.stderr).contains("part-00001.txt:1: score"));
}

#[test]
fn folders_that_are_no_run_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for arguments in [&["eval", "q", "empty"][..], &["eval", "parts", "grouped"]] {
        let done = karat(folder.path(), arguments);
        let said = String::from_utf8_lossy(&done.stderr);
        let words = if arguments[1] == "q" { "Folder is empty" } else { "parts/part-00000.txt:1: fields" };
        assert!(matches!(done.status.code(), Some(2 | 3)) && said.contains(words), "{said}");
    }
    let done = karat(folder.path(), &["eval", "q", "grouped", "--memory", "10"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("is not a size"));
}
