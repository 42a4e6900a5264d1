//! `--figure`: the picture of an answer, in a file of its own.

use std::path::{Path, PathBuf};

use clap::Args;
use karat_report::{Block, Report};

use crate::failure::Failure;
use crate::options::OutputOptions;
use crate::output;

/// Where the figure goes.
#[derive(Debug, Args)]
pub struct FigureOptions {
    /// Draw it too, as SVG, into this file
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<PathBuf>,
}

impl FigureOptions {
    /// Whether a figure is to be drawn: into a file of its own, or into a page.
    ///
    /// # Errors
    /// The file has another ending, or the format of the answer is none.
    pub fn wanted(&self, output: &OutputOptions) -> Result<bool, Failure> {
        let html = output::chosen(output)?.name == "html";
        match &self.figure {
            Some(path) if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("svg")) => {
                Err(Failure::usage(format!("--figure {}: expected a file that ends in .svg", path.display())))
            }
            figure => Ok(html || figure.is_some()),
        }
    }

    /// Whether it has a file of its own.
    pub fn is_file(&self) -> bool {
        self.figure.is_some()
    }
}

/// Writes the report, and its figure where one is wanted.
///
/// # Errors
/// A file cannot be written.
pub fn write(report: &Report, figure: &FigureOptions, output: &OutputOptions) -> Result<(), Failure> {
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
