//! What an experiment has finished, kept in files so that an interruption loses little.

use std::fs;
use std::path::{Path, PathBuf};

use karat_study::reproduce::Desk;

use crate::failure::Failure;
use crate::output;
use crate::progress::Progress;

/// A folder of finished cells below the folder of the answer; none where there is no such folder.
pub struct Cells {
    folder: Option<PathBuf>,
    resume: bool,
    progress: bool,
    told: Option<Progress>,
    failed: Option<Failure>,
}

impl Cells {
    /// Cells below the folder; those of an earlier run count only where it is resumed.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new(folder: Option<&Path>, resume: bool, progress: bool) -> Result<Cells, Failure> {
        let folder = folder.map(|folder| folder.join(".cells"));
        if let Some(folder) = &folder {
            super::folder::make(folder)?;
        }
        Ok(Cells { folder, resume, progress, told: None, failed: None })
    }

    /// Whether everything could be kept.
    ///
    /// # Errors
    /// The first thing that could not.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// The work is done: nothing is left to go on with.
    pub fn clear(&self) {
        let Some(folder) = &self.folder else { return };
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().extension().is_some_and(|ending| ending == "cell") {
                let _ = fs::remove_file(entry.path());
            }
        }
        // Stays where somebody put something else into it.
        let _ = fs::remove_dir(folder);
    }

    fn path(&self, cell: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(format!("{cell}.cell")))
    }
}

impl Desk for Cells {
    fn progress(&mut self, done: usize, all: usize) {
        let progress = self.progress;
        self.told.get_or_insert_with(|| Progress::new("cell", progress)).tell(done, all);
        if done == all {
            self.told = None;
        }
    }

    fn find(&mut self, cell: &str) -> Option<String> {
        let path = self.path(cell).filter(|_| self.resume)?;
        fs::read_to_string(path).ok()
    }

    fn keep(&mut self, cell: &str, text: &str) {
        if let (Some(path), None) = (self.path(cell), &self.failed) {
            self.failed = output::bytes_to_file(&path, text.as_bytes()).err();
        }
    }
}
