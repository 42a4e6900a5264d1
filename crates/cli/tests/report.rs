//! `karat report` through the binary: the page it writes, and what it says of inputs that cannot say much. What the page does in a browser
//! is tested in `browser/`.

// Clippy takes helpers of integration tests for production code.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const KARAT: &str = env!("CARGO_BIN_EXE_karat");

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(KARAT).args(arguments).current_dir(folder).output().unwrap()
}

/// The page and what was printed.
fn page(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = karat(folder, &[&["report"], arguments, &["-o", "page.html"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (fs::read_to_string(folder.join("page.html")).unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// What a reader without scripts sees: the script itself may say NaN.
fn shown(page: &str) -> &str {
    page.split("<script").next().unwrap()
}

/// Topics with three documents each, of which these are judged so.
fn files(folder: &Path, topics: &[u32], grades: [i32; 3]) {
    let mut qrels = String::new();
    let (mut a, mut b) = (String::new(), String::new());
    for &topic in topics {
        for (place, grade) in grades.iter().enumerate() {
            qrels += &format!("{topic} 0 d{place} {grade}\n");
            a += &format!("{topic} Q0 d{place} 1 {} a\n", 9 - place);
            b += &format!("{topic} Q0 d{place} 1 {} b\n", (place as u32 + topic) % 3);
        }
    }
    for (name, text) in [("qrels.txt", qrels), ("a.run", a), ("b.run", b)] {
        fs::write(folder.join(name), text).unwrap();
    }
}

const SECTIONS: [&str; 15] = [
    "verdict",
    "leaderboard",
    "pairs",
    "differences",
    "scatter",
    "curves",
    "roc",
    "distribution",
    "judged",
    "residuals",
    "persistence",
    "budget",
    "topics",
    "judges",
    "published",
];

#[test]
fn the_page_has_every_section_and_is_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path(), &[1, 2, 3, 4, 5, 6, 7], [1, 0, 2]);
    let (first, said) = page(folder.path(), &["qrels.txt", "a.run", "b.run"]);
    for id in SECTIONS {
        assert!(first.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    assert!(said.contains("Written to page.html") && first.contains("<p class=\"headline\">"));
    // Figures are drawn here, not only by the script.
    assert!(first.matches("<svg ").count() >= 9, "{}", first.matches("<svg ").count());
    assert!(
        first.contains("@article{moffat2008") && first.contains("default-src &#39;none&#39;")
            || first.contains("default-src 'none'")
    );
    assert!(!first.contains("unsafe-inline") && !first.contains("http-equiv=\"refresh\""));
    let (again, _) = page(folder.path(), &["qrels.txt", "a.run", "b.run", "--threads", "1"]);
    assert_eq!(first, again);
}

#[test]
fn partial_inputs_give_pages_that_explain_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    files(at, &[1, 2, 3, 4, 5, 6], [1, 0, 2]);
    let (text, _) = page(at, &["qrels.txt", "a.run"]);
    assert!(text.contains("One run, a, and no comparison") && text.contains("there is one run only"));
    fs::write(at.join("other.txt"), "77 0 d0 1\n").unwrap();
    let arguments = ["report", "other.txt", "a.run", "b.run", "-o", "none.html"];
    let done = Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(at).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("no run shares a topic with the judgements") && said.contains("\nhelp: "), "{said}");
    let text = fs::read_to_string(at.join("none.html")).unwrap();
    assert!(text.matches("Not in this report").count() >= 12);
    files(at, &[1], [1, 0, 2]);
    let (text, _) = page(at, &["qrels.txt", "a.run", "b.run"]);
    assert!(text.contains("No winner") && text.contains("too few"), "{text}");
    files(at, &[1, 2, 3, 4, 5, 6], [0, 0, 0]);
    let (text, _) = page(at, &["qrels.txt", "a.run", "b.run"]);
    assert!(shown(&text).contains("nothing to draw") && !shown(&text).contains("NaN"));
    files(at, &[1, 2, 3, 4, 5, 6], [-1, -1, -1]);
    let (text, _) = page(at, &["qrels.txt", "a.run", "b.run"]);
    assert!(shown(&text).contains("No winner") && !shown(&text).contains("NaN"));
}

#[test]
fn names_from_files_are_never_markup() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let evil = "</script><script>alert(1)</script>";
    let mut qrels = String::new();
    let mut run = String::new();
    for topic in [evil, "2", "3", "4", "5", "6"] {
        qrels += &format!("{topic} 0 {evil} 1\n{topic} 0 x 0\n");
        run += &format!("{topic} Q0 {evil} 1 2 {evil}\n{topic} Q0 x 2 1 {evil}\n");
    }
    fs::write(at.join("qrels.txt"), qrels).unwrap();
    fs::write(at.join("a.run"), run).unwrap();
    let (text, _) = page(at, &["qrels.txt", "a.run"]);
    // The page's own: one with the data, one with the script.
    assert_eq!(text.matches("<script").count(), 2);
    assert_eq!(text.matches("</script").count(), 2);
    assert!(text.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
}

#[test]
fn what_cannot_be_read_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    files(at, &[1, 2], [1, 0, 2]);
    let status = |arguments: &[&str]| karat(at, &[&["report"], arguments, &["-o", "page.html"]].concat()).status.code();
    fs::write(at.join("broken.run"), "1 Q0 d0 1\n").unwrap();
    assert_eq!(status(&["qrels.txt", "broken.run"]), Some(2));
    assert_eq!(status(&["qrels.txt", "none.run"]), Some(3));
    assert_eq!(status(&["qrels.txt", "a.run", "--baseline", "c", "b.run"]), Some(2));
    fs::write(at.join("docs.jsonl"), "{\"text\": 1}\n").unwrap();
    assert_eq!(status(&["qrels.txt", "a.run", "--docs", "docs.jsonl"]), Some(2));
    assert!(!at.join("page.html").exists());
    // Nor does the page take an input's place.
    let over = karat(at, &["report", "qrels.txt", "a.run", "-o", "a.run"]);
    assert_eq!(over.status.code(), Some(2));
}
