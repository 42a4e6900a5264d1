//! Options that several commands share.

mod evaluation;
mod formats;
mod interval;
mod judgements;
mod memory;
mod prepared;
mod unjudged;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub use evaluation::EvaluationOptions;
pub use formats::FormatOptions;
pub use interval::IntervalOptions;
pub use judgements::{Judgements, collection, cut, named_topics, open};
pub use prepared::{Draws, Prepared};
pub use unjudged::UnjudgedOption;

use crate::failure::Failure;

/// Whether to colour.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Output file and format.
#[derive(Debug, Args)]
pub struct OutputOptions {
    /// Output format [default: from the extension of -o, else terminal]
    #[arg(short, long, value_parser = ["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"])]
    pub format: Option<String>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Use colors
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,
}

/// Number of threads.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct ThreadOptions {
    /// Number of threads [default: all cores]; does not change results
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

impl ThreadOptions {
    /// Threads to use.
    pub fn count(self) -> usize {
        self.threads.map_or_else(every_core, |threads| threads as usize)
    }
}

/// As many threads as there are cores.
pub fn every_core() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Checks a confidence level.
///
/// # Errors
/// It is not between 0 and 1.
pub fn check_level(level: f64) -> Result<(), Failure> {
    between_0_and_1("--level", level)
}

/// Checks that a number is between 0 and 1, both excluded.
///
/// # Errors
/// It is not.
pub fn between_0_and_1(option: &str, value: f64) -> Result<(), Failure> {
    let inside = value > 0.0 && value < 1.0;
    if inside { Ok(()) } else { Err(Failure::usage(format!("{option} needs a number between 0 and 1, found {value}"))) }
}

/// A note with the options that differ from the defaults, which a table alone does not show.
pub fn note_choices(made: &[String]) -> Vec<String> {
    if made.is_empty() { Vec::new() } else { vec![format!("Options: {}", made.join(" "))] }
}
