//! `--figures` and `--figure`: the pictures of an answer, in files of their own.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use karat_data::names::shown;
use karat_report::figure::svg;
use karat_report::page::Page;
use karat_report::{Block, Figure, Report};

use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;
use crate::output;
use crate::outputs::Outputs;

/// The folder the figures go to.
#[derive(Debug, Args)]
pub struct FiguresOptions {
    /// Save every figure as SVG and PNG in this folder (created if missing)
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
}

impl FiguresOptions {
    /// Whether figures are to be drawn: into files, or into a page.
    ///
    /// # Errors
    /// There is a file where the folder should be, or the format of the answer is none.
    pub fn wanted(&self, environment: &Environment, output: &OutputOptions) -> Result<bool, Failure> {
        let html = output::chosen(output)?.name == "html";
        self.check()?;
        Ok(html || self.figures.is_some() || environment.wants_figures())
    }

    /// Whether there can be a folder.
    ///
    /// # Errors
    /// There is a file where the folder should be.
    pub fn check(&self) -> Result<(), Failure> {
        match &self.figures {
            Some(path) if path.exists() && !path.is_dir() => Err(Failure::Output(format!(
                "--figures {}: not a folder\nhelp: give a folder, new or existing",
                shown(&path.to_string_lossy())
            ))),
            _ => Ok(()),
        }
    }

    /// Writes the figures of a page's first view, where they are wanted.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn save_page(&self, page: &Page) -> Result<(), Failure> {
        let Some(folder) = &self.figures else { return Ok(()) };
        save(&page.figures().collect::<Vec<_>>(), folder, None)
    }

    /// Writes the report, and its figures where they are wanted.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, environment: &Environment, report: &Report, output: &OutputOptions) -> Result<(), Failure> {
        if let Some(folder) = &self.figures {
            save(&of(report), folder, output::file(output))?;
        }
        environment.write(report, output)
    }
}

/// Where the figure goes, for commands that have one.
#[derive(Debug, Args)]
pub struct FigureOptions {
    /// Save the figure as SVG in this file
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<PathBuf>,
    #[command(flatten)]
    folder: FiguresOptions,
}

impl FigureOptions {
    /// Whether a figure is to be drawn: into a file of its own, or into a page.
    ///
    /// # Errors
    /// The file has another ending, is one of the `inputs` or the answer's, or the format of the answer is none.
    pub fn wanted(
        &self,
        environment: &Environment,
        output: &OutputOptions,
        inputs: &[String],
    ) -> Result<bool, Failure> {
        self.outputs(output).check(inputs)?;
        let folder = self.folder.wanted(environment, output)?;
        match &self.figure {
            Some(path) if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("svg")) => {
                Err(Failure::usage(format!("--figure {}: expected a file that ends in .svg", path.display())))
            }
            figure => Ok(folder || figure.is_some()),
        }
    }

    /// The files of the answer and its figure.
    pub fn outputs<'a>(&'a self, output: &'a OutputOptions) -> Outputs<'a> {
        Outputs::answer(output).and("--figure", self.figure.as_deref())
    }

    /// Whether it has a file of its own.
    pub fn is_file(&self) -> bool {
        self.figure.is_some() || self.folder.figures.is_some()
    }
}

/// Writes the report, and its figure where one is wanted.
///
/// # Errors
/// A file cannot be written.
pub fn write(
    environment: &Environment,
    report: &Report,
    options: &FigureOptions,
    output: &OutputOptions,
) -> Result<(), Failure> {
    if let (Some(path), Some(figure)) = (&options.figure, of(report).first()) {
        output::to_file(path, |out| svg::write(figure, out))?;
    }
    options.folder.write(environment, report, output)
}

/// The figures of a report.
fn of(report: &Report) -> Vec<&Figure> {
    fn figure(block: &Block) -> Option<&Figure> {
        match block {
            Block::Figure(figure) => Some(figure),
            _ => None,
        }
    }
    report.blocks.iter().filter_map(figure).collect()
}

/// Only pictures are replaced by pictures: a file of that name that is none was meant for something else.
fn replaceable(path: &Path) -> Result<(), Failure> {
    let mut start = [0; 8];
    let why = match fs::File::open(path).and_then(|mut file| file.read(&mut start)) {
        _ if path.is_dir() => "it is a folder",
        Ok(read) => {
            let start = &start[..read];
            let picture = start.is_empty()
                || start.starts_with(b"<svg")
                || start.starts_with(b"<?xml")
                || start.starts_with(b"\x89PNG");
            if picture {
                return Ok(());
            }
            "a file of this name exists and is not a picture"
        }
        Err(_) => return Ok(()),
    };
    let path = shown(&path.to_string_lossy());
    Err(Failure::Output(format!("cannot write {path}: {why}\nhelp: choose another folder with --figures")))
}

/// Nothing could be written here.
fn failed(what: &Path, error: &std::io::Error) -> Failure {
    let what = shown(&what.to_string_lossy());
    Failure::Output(format!(
        "cannot write {what}: {}\nhelp: choose another folder with --figures",
        karat_data::problem::system_message(error)
    ))
}

/// All figures drawn, then all of them written: a folder with half of them would pass for a whole answer.
fn save(figures: &[&Figure], folder: &Path, answer: Option<&Path>) -> Result<(), Failure> {
    let files = draw(figures).map_err(|error| failed(folder, &error))?;
    for (name, _) in &files {
        let path = folder.join(name);
        Outputs::default().and("--figures", Some(&path)).and("-o", answer).check_distinct()?;
        replaceable(&path)?;
    }
    let new = !folder.exists();
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let part = |name: &str| folder.join(format!(".karat.{}.{name}.part", std::process::id()));
    let written = files
        .iter()
        .try_for_each(|(name, bytes)| fs::write(part(name), bytes).map_err(|error| failed(&folder.join(name), &error)));
    let written = written.and_then(|()| {
        files.iter().try_for_each(|(name, _)| {
            let path = folder.join(name);
            fs::rename(part(name), &path).map_err(|error| failed(&path, &error))
        })
    });
    written.inspect_err(|_| {
        files.iter().for_each(|(name, _)| drop(fs::remove_file(part(name))));
        if new {
            drop(fs::remove_dir(folder));
        }
    })
}

/// The files of figures: names that differ, and contents.
fn draw(figures: &[&Figure]) -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for figure in figures {
        let mut name = figure.file_name();
        let taken = |name: &str| files.iter().any(|(other, _)| *other == format!("{name}.svg"));
        if taken(&name) {
            let free = (2..).map(|number| format!("{name}-{number}")).find(|other| !taken(other));
            name = free.unwrap_or(name);
        }
        let mut drawn = Vec::new();
        svg::write(figure, &mut drawn)?;
        files.push((format!("{name}.svg"), drawn));
        #[cfg(feature = "png")]
        {
            let mut picture = Vec::new();
            karat_report::figure::png::write(figure, &mut picture)?;
            files.push((format!("{name}.png"), picture));
        }
    }
    Ok(files)
}
