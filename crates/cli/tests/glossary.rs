//! Plain words: texts that people read contain no phrase that the glossary retired.
//!
//! The help of every command, the output of the demo commands, README and guide are searched. Areas whose texts are not converted yet are
//! listed in [`OPEN`]; the list may only shrink, and a test fails where an entry is no longer needed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
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

/// Areas that are not converted yet: `help COMMAND`, `output COMMAND`, or a page.
const OPEN: &[&str] = &[];

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

fn pages() -> Vec<Shown> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut names = vec!["README.md".to_owned()];
    let guide = fs::read_dir(root.join("docs/guide")).unwrap();
    names.extend(guide.map(|entry| format!("docs/guide/{}", entry.unwrap().file_name().to_string_lossy())));
    names.sort();
    names.into_iter().map(|name| Shown { text: fs::read_to_string(root.join(&name)).unwrap(), area: name }).collect()
}

/// Whether a text has a phrase as words of its own.
fn has(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let apart = |character: Option<char>| character.is_none_or(|character| !character.is_alphanumeric());
        let end = !phrase.ends_with(char::is_alphanumeric) || apart(text[at + phrase.len()..].chars().next());
        apart(text[..at].chars().next_back()) && end
    })
}

#[test]
fn no_text_has_a_retired_phrase() {
    let folder = tempfile::tempdir().unwrap();
    karat(folder.path(), &["demo", "-o", "."]);
    let (mut wrong, mut needed) = (Vec::new(), BTreeSet::new());
    let shown = helps(folder.path()).into_iter().chain(outputs(folder.path())).chain(pages());
    for shown in shown {
        for (number, line) in shown.text.lines().enumerate() {
            let lower = line.to_lowercase();
            for (phrase, instead) in RETIRED.iter().filter(|(phrase, _)| has(&lower, phrase)) {
                if OPEN.contains(&shown.area.as_str()) {
                    needed.insert(shown.area.clone());
                } else {
                    wrong.push(format!(
                        "{}:{}: \"{phrase}\" (write: {instead}): {}",
                        shown.area,
                        number + 1,
                        line.trim()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} retired phrases:\n{}", wrong.len(), wrong.join("\n"));
    let done: Vec<&&str> = OPEN.iter().filter(|area| !needed.contains(**area)).collect();
    assert!(done.is_empty(), "converted; take these off OPEN: {done:?}");
}

#[test]
fn a_phrase_is_found_as_words_and_not_inside_others() {
    assert!(has("the format is told from content", "told from") && has("a belief", "belief"));
    assert!(!has("unbelievable", "belief") && !has("besides that", "beside"));
    assert!(has("note: asked for: -j", "asked for:"));
}
