//! Work on the project itself: `cargo xtask docs [--check]` writes (or verifies) the generated pages,
//! `cargo xtask house` verifies rules of the code that the compiler does not know.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool for developers")]

mod docs;
mod house;
mod reproductions;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["docs"] => docs::write(&root()),
        ["docs", "--check"] => docs::check(&root()),
        ["house"] => house::check(&root()),
        _ => Err("usage: cargo xtask docs [--check] | house".into()),
    };
    match done {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}
