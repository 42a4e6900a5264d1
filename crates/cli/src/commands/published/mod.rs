//! `karat published`: what can be said from RBP scores printed in papers with different p?

mod compare;
mod depth;
mod range;
mod study;
mod typed;
mod vectors;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use karat_report::{Block, Report};

use crate::failure::Failure;
use crate::options::OutputOptions;
use crate::output;

/// What can be said from RBP scores printed in papers with different p?
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// How many ranks count at a p and a precision?
    Depth(depth::Arguments),
    /// Which rankings can a printed score come from?
    Vectors(vectors::Arguments),
    /// What might the score be at another p?
    Range(range::Arguments),
    /// Which of the systems scores higher, where that can be told?
    Compare(compare::Arguments),
    /// How often would that decide between real runs, and is it ever wrong?
    Study(study::Arguments),
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.question {
        Question::Depth(arguments) => depth::run(arguments),
        Question::Vectors(arguments) => vectors::run(arguments),
        Question::Range(arguments) => range::run(arguments),
        Question::Compare(arguments) => compare::run(arguments),
        Question::Study(arguments) => study::run(arguments),
    }
}

/// Where the figure goes.
#[derive(Debug, Args)]
struct FigureOptions {
    /// Draw it too, as SVG, into this file
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<PathBuf>,
}

impl FigureOptions {
    fn wanted(&self, output: &OutputOptions) -> Result<bool, Failure> {
        let html = output::chosen(output)?.name == "html";
        match &self.figure {
            Some(path) if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("svg")) => {
                Err(Failure::usage(format!("--figure {}: expected a file that ends in .svg", path.display())))
            }
            figure => Ok(html || figure.is_some()),
        }
    }
}

/// Writes the report, and its figure where one is wanted.
fn write(report: &Report, figure: &FigureOptions, output: &OutputOptions) -> Result<(), Failure> {
    if let Some(path) = &figure.figure {
        save_figure(report, path)?;
    }
    output::write(report, output)
}

fn save_figure(report: &Report, path: &Path) -> Result<(), Failure> {
    let drawn = report.blocks.iter().find_map(|block| match block {
        Block::Figure(figure) => Some(figure),
        _ => None,
    });
    drawn.map_or(Ok(()), |figure| output::to_file(path, |out| karat_report::figure::svg::write(figure, out)))
}
