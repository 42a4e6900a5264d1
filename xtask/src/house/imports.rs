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
    ("karat-analysis", &["karat-runtime", "karat-stats", "karat-data", "karat-measures", "karat-sim"]),
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

/// Checks the imports of every crate; returns how many crates there are.
pub fn check(root: &Path, wrong: &mut Vec<String>) -> Result<usize, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(known, _)| *known == name) else {
            wrong.push(format!("crate {name} is not in the table of xtask/src/house/imports.rs"));
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
    if packages.is_empty() {
        wrong.push("cargo metadata names no package".into());
    }
    Ok(packages.len())
}
