//! Plain words: texts that people read contain no phrase that the glossary retired.
//!
//! Searched are the help of every command, the output of commands on the demo's files, the report page, the messages about bad files, the
//! descriptions in the schemas, and all pages of documentation, also where a phrase is broken across lines.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::Command;

const KARAT: &str = env!("CARGO_BIN_EXE_karat");

/// Phrases that nobody should read any more, and what to write in their place.
const RETIRED: &[(&str, &str)] = &[
    ("told from", "detected from"),
    ("taken for", "treated as"),
    ("likewise", "repeat the word"),
    ("could become", "bounds"),
    ("if unjudged are judged", "bounds"),
    ("all ways of judging", "bounds"),
    ("no way of judging", "however the unjudged documents are judged"),
    ("what is asked", "options"),
    ("asked for:", "Options:"),
    ("may be chance", "not significant"),
    ("would show a difference", "would be needed"),
    ("chance over topics", "topic sampling error"),
    ("chance over the topics", "topic sampling error"),
    ("hang together", "are dependent"),
    ("knows of no", "say what is missing"),
    ("belief", "relevance model"),
    ("believed", "treated as"),
    ("has it", "according to"),
    ("beside", "next to, compared with"),
    ("one a line", "one per line"),
    ("what to do:", "help:"),
    ("fault of its own", "internal error"),
    ("that can be read", "the words of the system"),
    ("probably are", "estimated relevance"),
    ("what they could do", "bounds"),
    ("say nothing of", "hide"),
    ("nobody judged", "no judgements"),
];

/// A text that people read.
struct Shown {
    area: String,
    text: String,
}

fn karat(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(KARAT).args(arguments).current_dir(folder).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The help of the program, of every command and of their own commands.
fn helps(folder: &Path) -> Vec<Shown> {
    let mut found = vec![Shown { area: "help".into(), text: karat(folder, &["--help"]) }];
    for command in karat_cli::definition().get_subcommands() {
        let name = command.get_name();
        found.push(Shown { area: format!("help {name}"), text: karat(folder, &[name, "--help"]) });
        for own in command.get_subcommands() {
            let text = karat(folder, &[name, own.get_name(), "--help"]);
            found.push(Shown { area: format!("help {name} {}", own.get_name()), text });
        }
    }
    found
}

/// What commands print about the files of the demo.
fn outputs(folder: &Path) -> Vec<Shown> {
    let rbp = ["-m", "RBP(p=0.8)"];
    let (qrels, runs) = ("qrels.txt", ["baseline.run", "newcomer.run"]);
    let with = |start: &[&'static str], more: &[&'static str]| -> Vec<&'static str> {
        [start, &[qrels], &runs, &rbp, more].concat()
    };
    let mut commands = vec![
        with(&["eval"], &[]),
        with(&["eval"], &["--unjudged", "fit"]),
        with(&["eval"], &["--ties", "range"]),
        with(&["eval"], &["--score-bands", "5"]),
        with(&["compare"], &[]),
        with(&["budget"], &[]),
        with(&["next"], &["--count", "5"]),
        with(&["tune"], &[]),
        vec!["plan", "topics", "--qrels", qrels, "--runs", runs[0], runs[1], "--half-width", "0.05"],
        vec!["judges", "agree", "labels.csv"],
        vec!["ab", "clicks.csv", "--unit", "user", "--arm", "arm", "--metric", "clicks/searches"],
        vec!["check", qrels, "baseline.run"],
        vec!["eval", "none.txt", "baseline.run"],
        vec!["eval", "baseline.run", qrels],
    ];
    commands.push(["rbo"].into_iter().chain(runs).collect());
    let area = |arguments: &[&str]| format!("output {}", arguments[0]);
    let mut found = vec![Shown { area: "output demo".into(), text: karat(folder, &["demo", "-o", "."]) }];
    found.extend(
        commands.into_iter().map(|arguments| Shown { area: area(&arguments), text: karat(folder, &arguments) }),
    );
    found
}

/// The report page of the demo.
fn page(folder: &Path) -> Shown {
    karat(folder, &["report", "qrels.txt", "baseline.run", "newcomer.run", "-o", "report.html"]);
    Shown { area: "report.html".into(), text: fs::read_to_string(folder.join("report.html")).unwrap() }
}

/// Documentation, descriptions in schemas, and messages about bad files.
fn pages() -> Vec<Shown> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut names: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "crates/cli/tests/bad_files.expected"].map(String::from).into();
    for folder in ["docs", "docs/guide", "docs/measures", "docs/schema"] {
        let entries = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap());
        let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
        names.extend(files.map(|entry| format!("{folder}/{}", entry.file_name().to_string_lossy())));
    }
    // It quotes what was written before.
    names.retain(|name| name != "docs/words-before-after.md");
    names.sort();
    names.into_iter().map(|name| Shown { text: fs::read_to_string(root.join(&name)).unwrap(), area: name }).collect()
}

/// The text with one blank for whatever separates words, so that no line break hides a phrase.
fn flowing(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where a text has a phrase as words of its own.
fn find(text: &str, phrase: &str) -> Option<usize> {
    let is_apart = |character: Option<char>| character.is_none_or(|character| !character.is_alphanumeric());
    let mut places = text.match_indices(phrase).map(|(at, _)| at);
    places.find(|&at| {
        let ends = !phrase.ends_with(char::is_alphanumeric) || is_apart(text[at + phrase.len()..].chars().next());
        is_apart(text[..at].chars().next_back()) && ends
    })
}

/// The words around a place.
fn around(text: &str, at: usize) -> &str {
    let start = text[..at].char_indices().rev().nth(40).map_or(0, |(start, _)| start);
    let end = text[at..].char_indices().nth(60).map_or(text.len(), |(end, _)| at + end);
    &text[start..end]
}

#[test]
fn no_text_has_a_retired_phrase() {
    let folder = tempfile::tempdir().unwrap();
    karat(folder.path(), &["demo", "-o", "."]);
    let mut all = helps(folder.path());
    all.extend(outputs(folder.path()));
    all.extend(pages());
    all.push(page(folder.path()));
    let mut wrong = Vec::new();
    for Shown { area, text } in &all {
        let text = flowing(text);
        for (phrase, instead) in RETIRED {
            if let Some(at) = find(&text, phrase) {
                wrong.push(format!("{area}: \"{phrase}\" (write: {instead}): {}", around(&text, at)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} retired phrases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_phrase_is_found_as_words_and_not_inside_others() {
    let has = |text: &str, phrase: &str| find(&flowing(text), phrase).is_some();
    assert!(has("the format is told\n  from content", "told from") && has("A belief", "belief"));
    assert!(!has("unbelievable", "belief") && !has("besides that", "beside"));
    assert!(has("note: asked for: -j", "asked for:"));
}
