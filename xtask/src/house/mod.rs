//! Rules of the code that the compiler does not know: which crate imports which, what `analysis` may contain, how long files and
//! functions are.

mod analysis;
mod cycles;
mod functions;
mod imports;
mod source;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use source::Source;

/// A file longer than this hides two things.
const LONGEST_FILE: usize = 800;

/// Functions longer than a screen that there are, in all crates; the number may only shrink.
const LONG_FUNCTIONS: usize = 15;

/// A Rust file of the project.
pub struct RustFile {
    /// Its path from the root, with `/`.
    pub path: String,
    /// All of it.
    pub text: String,
    /// Its parts.
    pub source: Source,
}

/// Checks all rules.
pub fn check(root: &Path) -> Result<String, String> {
    let mut wrong = Vec::new();
    let crates = imports::check(root, &mut wrong)?;
    let files = rust_files(root)?;
    for file in &files {
        let lines = file.text.lines().count();
        if lines > LONGEST_FILE {
            wrong.push(format!("{} has {lines} lines; split it", file.path));
        }
        if !is_run(&root.join(&file.path)) {
            wrong.push(format!("{} is not named in the all.rs beside it, so that nobody runs its tests", file.path));
        }
    }
    analysis::check(&files, &mut wrong);
    let functions = count_functions(&files, &mut wrong);
    if wrong.is_empty() {
        let files = files.len();
        Ok(format!("house: {crates} crates import as drawn, {files} files of sane length; {functions}"))
    } else {
        Err(wrong.join("\n"))
    }
}

/// Functions that do not fit a screen, by crate.
fn count_functions(files: &[RustFile], wrong: &mut Vec<String>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut places = Vec::new();
    for file in files.iter().filter(|file| file.path.contains("/src/") && !file.path.ends_with("/tests.rs")) {
        let (name, _) = file.path.trim_start_matches("crates/").split_once('/').unwrap_or_default();
        let long = functions::long(&file.text, &file.source.code);
        *counts.entry(name).or_default() += long.len();
        places.extend(long.into_iter().map(|line| format!("{}:{line}", file.path)));
    }
    let total = places.len();
    let listed: Vec<String> =
        counts.iter().filter(|(_, count)| **count > 0).map(|(name, count)| format!("{name} {count}")).collect();
    let listed = listed.join(", ");
    if total > LONG_FUNCTIONS {
        wrong.push(format!(
            "{total} functions are longer than a screen, {LONG_FUNCTIONS} were before; split one of\n  {}",
            places.join("\n  ")
        ));
    }
    let lower = if total < LONG_FUNCTIONS { "; lower LONG_FUNCTIONS to that" } else { "" };
    format!("{total} long functions ({listed}){lower}")
}

/// Whether a file of tests is part of the one program that a crate's tests are in, where they are in one.
fn is_run(file: &Path) -> bool {
    let Ok(all) = std::fs::read_to_string(file.with_file_name("all.rs")) else { return true };
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    name == "all" || all.lines().any(|line| line == format!("mod {name};"))
}

fn rust_files(root: &Path) -> Result<Vec<RustFile>, String> {
    let mut paths = Vec::new();
    for folder in ["crates", "xtask", "bench"] {
        find_files(&root.join(folder), &mut paths).map_err(|error| error.to_string())?;
    }
    paths.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let path = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        Ok(RustFile { path, source: Source::new(&text), text })
    };
    paths.iter().map(read).collect()
}

fn find_files(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}
