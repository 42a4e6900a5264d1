//! The files that a command writes. None of them may be a file that it reads, and no two of them may be one file.

use std::fs;
use std::path::{Path, PathBuf};

use karat_data::names::shown;

use crate::failure::Failure;
use crate::options::OutputOptions;
use crate::output;
use crate::samples::record_path;

/// The files, each with the option that names it.
#[derive(Default)]
pub struct Outputs<'a> {
    files: Vec<(&'static str, &'a Path)>,
}

impl<'a> Outputs<'a> {
    /// The answer.
    pub fn answer(options: &'a OutputOptions) -> Outputs<'a> {
        Outputs::default().and("-o", output::file(options))
    }

    /// These files, and another where it is given. `-` is standard output.
    pub fn and(mut self, option: &'static str, path: Option<&'a Path>) -> Outputs<'a> {
        self.files.extend(path.filter(|path| *path != Path::new("-")).map(|path| (option, path)));
        self
    }

    /// Refuses files that cannot be written without loss, before anything is read.
    ///
    /// # Errors
    /// A file is an input, two are the same, or there is no folder for one.
    pub fn check(&self, inputs: &[String]) -> Result<(), Failure> {
        for (option, path) in &self.files {
            let written = Identity::new(path);
            if let Some(input) = inputs.iter().find(|input| written.is_input(input)) {
                return Err(Failure::usage(format!(
                    "{option} is the input file {input}\nhelp: choose another output file"
                )));
            }
            if let Some(form) = inputs.iter().find(|input| written.same(&Identity::new(&record_path(input)))) {
                return Err(Failure::usage(format!(
                    "{option} is the plan of the form {form}\nhelp: choose another output file"
                )));
            }
        }
        self.check_distinct()?;
        self.files.iter().try_for_each(|(_, path)| check_folder(path))
    }

    /// Refuses two outputs that are one file.
    ///
    /// # Errors
    /// Two are the same.
    pub fn check_distinct(&self) -> Result<(), Failure> {
        let written: Vec<Identity> = self.files.iter().map(|(_, path)| Identity::new(path)).collect();
        for (place, (option, _)) in self.files.iter().enumerate() {
            let (_, path) = self.files[place];
            let plan = Identity::new(&record_path(&path.to_string_lossy()));
            let is_plan = |other: &Identity| *option == "--form" && other.same(&plan);
            if written.iter().any(is_plan) {
                let plan = record_path(&path.to_string_lossy());
                return Err(Failure::usage(format!(
                    "{} is the plan of the form\nhelp: choose another output file",
                    shown(&plan.to_string_lossy())
                )));
            }
            if let Some(other) = (0..place).find(|&other| written[other].same(&written[place])) {
                let (first, path) = self.files[other];
                let path = shown(&path.to_string_lossy());
                return Err(Failure::usage(format!(
                    "{first} and {option} are the same file: {path}\nhelp: choose another file for one of them"
                )));
            }
        }
        Ok(())
    }
}

/// Whether a file can have this name.
fn check_folder(path: &Path) -> Result<(), Failure> {
    let why = match folder(path).is_dir() {
        true if path.is_dir() => "Is a directory",
        true => return Ok(()),
        false => "No such file or directory",
    };
    let path = shown(&path.to_string_lossy());
    Err(Failure::Output(format!("cannot write {path}: {why}\nhelp: choose another file")))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What makes two names one file: where their links lead, and for a file that exists its place on the disk (hard links).
struct Identity {
    path: PathBuf,
    place: Option<(u64, u64)>,
    /// A pipe or a device takes any number of outputs.
    regular: bool,
}

impl Identity {
    fn new(path: &Path) -> Identity {
        let named = || fs::canonicalize(folder(path)).map(|folder| folder.join(path.file_name().unwrap_or_default()));
        let resolved = fs::canonicalize(path).or_else(|_| named()).unwrap_or_else(|_| path.to_path_buf());
        let found = fs::metadata(path).ok();
        let regular = found.as_ref().is_none_or(fs::Metadata::is_file);
        Identity { path: resolved, place: found.as_ref().and_then(place), regular }
    }

    fn same(&self, other: &Identity) -> bool {
        let linked = self.place.is_some() && self.place == other.place;
        self.regular && (linked || self.path == other.path)
    }

    /// Whether this is the input, or one of the files of an input that is a folder.
    fn is_input(&self, input: &str) -> bool {
        let Ok(entries) = fs::read_dir(input) else { return self.same(&Identity::new(Path::new(input))) };
        entries.flatten().any(|entry| self.same(&Identity::new(&entry.path())))
    }
}

#[cfg(unix)]
fn place(found: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn place(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}
