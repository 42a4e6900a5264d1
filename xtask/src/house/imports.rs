//! Which crate may import which. The table is ARCHITECTURE.md's picture; an import it does not show fails the check.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// A crate and the crates of ours it may import.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("karat-runtime", &[]),
    ("karat-stats", &["karat-runtime"]),
    ("karat-data", &["karat-runtime"]),
    ("karat-formats", &["karat-runtime", "karat-data"]),
    ("karat-measures", &["karat-data"]),
    ("karat-sim", &["karat-runtime", "karat-stats"]),
    ("karat-report", &[]),
    ("karat-analysis", &["karat-runtime", "karat-stats", "karat-data", "karat-measures", "karat-sim", "karat-report"]),
    (
        "karat-present",
        &["karat-runtime", "karat-stats", "karat-data", "karat-measures", "karat-analysis", "karat-report"],
    ),
    (
        "karat-papers",
        &[
            "karat-runtime",
            "karat-stats",
            "karat-data",
            "karat-measures",
            "karat-sim",
            "karat-analysis",
            "karat-present",
            "karat-report",
        ],
    ),
    (
        "karat",
        &[
            "karat-runtime",
            "karat-stats",
            "karat-data",
            "karat-formats",
            "karat-measures",
            "karat-sim",
            "karat-analysis",
            "karat-present",
            "karat-papers",
            "karat-report",
        ],
    ),
    // Python asks what the command line asks: same arguments, same checks, same studies.
    (
        "karat-py",
        &["karat", "karat-stats", "karat-data", "karat-formats", "karat-measures", "karat-analysis", "karat-report"],
    ),
    ("karat-testdata", &[]),
    ("xtask", &["karat-measures"]),
    ("karat-bench", &["karat-stats", "karat-data", "karat-formats", "karat-measures", "karat-analysis"]),
];

/// A file longer than this hides two things.
const LONGEST_FILE: usize = 800;

/// Checks imports, file lengths, and that every file of tests is run.
pub fn check(root: &Path) -> Result<String, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let mut wrong = Vec::new();
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(known, _)| *known == name) else {
            wrong.push(format!("crate {name} is not in the table of xtask/src/house.rs"));
            continue;
        };
        let dependencies = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
        for dependency in dependencies.iter().filter(|dependency| dependency["kind"].is_null()) {
            let import = dependency["name"].as_str().unwrap_or_default();
            if import.starts_with("karat") && !allowed.contains(&import) {
                wrong.push(format!("{name} must not import {import} (see ARCHITECTURE.md)"));
            }
        }
    }
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "bench"] {
        rust_files(&root.join(folder), &mut files).map_err(|error| error.to_string())?;
    }
    for file in &files {
        let lines = std::fs::read_to_string(file).map_err(|error| error.to_string())?.lines().count();
        if lines > LONGEST_FILE {
            wrong.push(format!("{} has {lines} lines; split it", file.display()));
        }
        if !is_run(file) {
            wrong.push(format!(
                "{} is not named in the all.rs beside it, so that nobody runs its tests",
                file.display()
            ));
        }
    }
    if packages.is_empty() {
        wrong.push("cargo metadata names no package".into());
    }
    if wrong.is_empty() {
        Ok(format!("house: {} crates import as drawn, {} files of sane length", packages.len(), files.len()))
    } else {
        Err(wrong.join("\n"))
    }
}

/// Whether a file of tests is part of the one program that a crate's tests are in, where they are in one.
fn is_run(file: &Path) -> bool {
    let Ok(all) = std::fs::read_to_string(file.with_file_name("all.rs")) else { return true };
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    name == "all" || all.lines().any(|line| line == format!("mod {name};"))
}

fn rust_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            rust_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}
