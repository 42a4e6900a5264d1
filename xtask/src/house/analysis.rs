//! The crate `analysis` computes: it imports nothing that presents, has no words for people, and its modules form no circles.

use std::collections::BTreeSet;

use super::cycles::{Uses, cycles, used};
use super::{RustFile, open};

const ROOT: &str = "crates/analysis/src/";

/// Crates that make words, tables and figures.
const PRESENTING: [&str; 2] = ["karat_report", "karat_present"];

/// Checks the crate's files.
pub fn check(files: &[RustFile], wrong: &mut Vec<String>) {
    let files = own_files(files);
    let name = |file: &RustFile| file.path[ROOT.len()..].to_owned();
    let importing: BTreeSet<String> = files.iter().filter(|file| imports(file)).map(|file| name(file)).collect();
    compare(&importing, open::IMPORTS, "imports karat_report or karat_present", "IMPORTS", wrong);
    let wordy: BTreeSet<String> = files.iter().filter(|file| has_words(file)).map(|file| name(file)).collect();
    compare(&wordy, open::WORDS, "has words for people (format! or a string with a blank)", "WORDS", wrong);
    let found = cycles(&uses(&files)).into_iter().map(|modules| modules.join(" ")).collect();
    compare(&found, open::CYCLES, "use each other in a circle", "CYCLES", wrong);
}

/// The files of the crate that are not tests.
fn own_files(files: &[RustFile]) -> Vec<&RustFile> {
    let own: Vec<&RustFile> = files.iter().filter(|file| file.path.starts_with(ROOT)).collect();
    let folder = |path: &str| path.trim_end_matches(".rs").trim_end_matches("/mod").trim_end_matches("/lib").to_owned();
    let tests: BTreeSet<String> = own
        .iter()
        .flat_map(|file| file.source.test_modules.iter().map(|name| format!("{}/{name}", folder(&file.path))))
        .collect();
    own.into_iter().filter(|file| !tests.contains(&folder(&file.path))).collect()
}

fn imports(file: &RustFile) -> bool {
    PRESENTING.iter().any(|name| file.source.code.contains(name))
}

fn has_words(file: &RustFile) -> bool {
    file.source.code.contains("format!") || file.source.strings.iter().any(|(_, text)| text.contains(' '))
}

fn uses(files: &[&RustFile]) -> Uses {
    let module = |file: &RustFile| {
        let path = &file.path[ROOT.len()..];
        path.split_once('/').map_or_else(|| path.trim_end_matches(".rs"), |(folder, _)| folder).to_owned()
    };
    let modules: BTreeSet<String> = files.iter().map(|file| module(file)).filter(|name| name != "lib").collect();
    let mut uses = Uses::new();
    for file in files.iter().filter(|file| modules.contains(&module(file))) {
        uses.entry(module(file)).or_default().extend(used(&file.source.code, &modules));
    }
    uses
}

/// What breaks a rule must be listed, and what is listed must break it.
fn compare(found: &BTreeSet<String>, listed: &[&str], rule: &str, list: &str, wrong: &mut Vec<String>) {
    for name in found.iter().filter(|name| !listed.contains(&name.as_str())) {
        wrong.push(format!("{ROOT}: {name} {rule}"));
    }
    for name in listed.iter().filter(|name| !found.contains(**name)) {
        wrong.push(format!("xtask/src/house/open.rs: take {name:?} off {list}; it keeps the rule now"));
    }
}
