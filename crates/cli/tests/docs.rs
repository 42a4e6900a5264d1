//! The examples of README and guide are what karat prints.
//!
//! Every line `$ command` in a fenced block marked `console` is run by the shell in a folder with the demo's files, and the
//! lines after it must be its output. `KARAT_DOCS=write cargo test -p karat-cli --test all docs` writes them anew.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests")]

use std::path::{Path, PathBuf};
use std::process::Command;

const KARAT: &str = env!("CARGO_BIN_EXE_karat");

#[test]
fn examples_print_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new(KARAT).args(["demo", "-o", "karat-demo"]).current_dir(folder.path()).output().unwrap();
    assert!(made.status.success());
    let mut stale = Vec::new();
    let mut examples = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let (renewed, found) = renew(&text, folder.path());
        examples += found;
        if renewed != text {
            if std::env::var("KARAT_DOCS").is_ok_and(|value| value == "write") {
                std::fs::write(&page, &renewed).unwrap();
            } else {
                stale.push(format!("{}:\n{}", page.display(), first_difference(&text, &renewed)));
            }
        }
    }
    assert!(examples > 5, "only {examples} examples found");
    assert!(
        stale.is_empty(),
        "run `KARAT_DOCS=write cargo test -p karat-cli --test all docs`; stale:\n{}",
        stale.join("\n")
    );
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md")];
    for entry in std::fs::read_dir(root.join("docs/guide")).unwrap() {
        pages.push(entry.unwrap().path());
    }
    pages.sort();
    pages
}

/// The page with every example's output as it is now, and how many examples there are.
fn renew(text: &str, folder: &Path) -> (String, usize) {
    let (mut out, mut examples) = (String::new(), 0);
    let (mut inside, mut skipping) = (false, false);
    for line in text.lines() {
        if line == "```console" {
            inside = true;
        } else if line == "```" {
            (inside, skipping) = (false, false);
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            examples += 1;
            skipping = true;
            out.push_str(line);
            out.push('\n');
            out.push_str(&run(command, folder));
            continue;
        }
        if !skipping {
            out.push_str(line);
            out.push('\n');
        }
    }
    (out, examples)
}

fn run(command: &str, folder: &Path) -> String {
    let path = format!("{}:{}", Path::new(KARAT).parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(folder)
        .env("PATH", path)
        // Pages show what a terminal of 80 columns shows.
        .env("COLUMNS", "80")
        .output()
        .unwrap();
    // An example that is a whole JSON answer agrees with its schema.
    if serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok() {
        crate::schema::parse(&output.stdout);
    }
    // Trailing blanks do not survive editors; a page need not have them.
    String::from_utf8(output.stdout).unwrap().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn first_difference(old: &str, new: &str) -> String {
    let pair = old.lines().zip(new.lines()).find(|(a, b)| a != b);
    pair.map_or_else(|| "one is longer".into(), |(a, b)| format!("  page says:    {a}\n  karat prints: {b}"))
}
