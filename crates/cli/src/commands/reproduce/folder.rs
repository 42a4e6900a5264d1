//! The folder of a reproduction: a page, the same as Markdown, the claims for programs, the figures.
//!
//! Everything is rendered before the first file is written, and each is written whole.

use std::fs;
use std::io::Read;
use std::path::Path;

use karat_data::names::shown;
use karat_report::figure::{png, svg};
use karat_report::{Block, RenderOptions, Report, renderer};

use crate::failure::Failure;
use crate::output;

/// The files with the whole answer, and the renderer of each.
const WHOLE: [(&str, &str); 3] = [("index.html", "html"), ("index.md", "markdown"), ("claims.json", "json")];

/// Refuses a folder that is a file: before long work.
///
/// # Errors
/// It is one.
pub fn check(folder: &Path) -> Result<(), Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::Output(format!(
            "-o {}: there is a file of that name\nhelp: name a folder, or one that is not there yet",
            shown(&folder.to_string_lossy())
        )));
    }
    for (name, _) in WHOLE {
        ours(&folder.join(name))?;
    }
    Ok(())
}

/// A file of a name that will be written is one that karat wrote, or nothing: others may be somebody's page, or an input.
fn ours(path: &Path) -> Result<(), Failure> {
    let mut start = [0; 4096];
    let why = match fs::File::open(path).and_then(|mut file| file.read(&mut start)) {
        _ if path.is_dir() => "it is a folder",
        Ok(read) if read > 0 && !String::from_utf8_lossy(&start[..read]).to_lowercase().contains("reproduc") => {
            "there is a file of that name that karat reproduce did not write"
        }
        _ => return Ok(()),
    };
    let path = shown(&path.to_string_lossy());
    Err(Failure::Output(format!("{path}: cannot be written: {why}\nhelp: choose another folder with -o")))
}

/// Makes a folder, and those above it.
///
/// # Errors
/// It cannot be made.
pub fn make(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| {
        Failure::Output(format!(
            "{}: cannot be made: {error}\nhelp: choose another folder with -o",
            shown(&folder.to_string_lossy())
        ))
    })
}

/// Writes the answer.
///
/// # Errors
/// A file cannot be written.
pub fn write(folder: &Path, report: &Report) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Output(format!("{}: {error}", shown(&folder.to_string_lossy())));
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for figure in report.blocks.iter().filter_map(figure) {
        let mut drawn = Vec::new();
        svg::write(figure, &mut drawn).map_err(failed)?;
        files.push((format!("{}.svg", figure.id), drawn));
        let mut painted = Vec::new();
        png::write(figure, &mut painted).map_err(failed)?;
        files.push((format!("{}.png", figure.id), painted));
    }
    for (name, format) in WHOLE {
        let Some(info) = renderer(format) else { continue };
        let mut bytes = Vec::new();
        let shown = if format == "markdown" { with_pictures(report) } else { report.clone() };
        (info.make)(RenderOptions::default()).render(&shown, &mut bytes).map_err(failed)?;
        files.push((name.into(), bytes));
    }
    make(folder)?;
    files.iter().try_for_each(|(name, bytes)| output::bytes_to_file(&folder.join(name), bytes))
}

fn figure(block: &Block) -> Option<&karat_report::Figure> {
    match block {
        Block::Figure(figure) => Some(figure),
        _ => None,
    }
}

/// Markdown leaves figures out; here they are files next to it, so it names each and says how to read it.
fn with_pictures(report: &Report) -> Report {
    let mut shown = report.clone();
    for block in &mut shown.blocks {
        if let Block::Figure(figure) = block {
            *block = Block::Text(format!("{}.svg: {}. {}", figure.id, figure.title, figure.reading));
        }
    }
    shown
}

/// The summary table only, and where the rest is.
pub fn summary(report: &Report, folder: &Path) -> Report {
    let mut short = report.clone();
    short.blocks.retain(|block| matches!(block, Block::Table(table) if table.id == "papers"));
    let page = folder.join("index.html");
    short.notes.insert(
        0,
        format!("written: {}; index.md, claims.json and the figures are in the same folder", page.display()),
    );
    short
}
