//! What an experiment has finished, kept in files so that an interruption loses little.
//!
//! The one decision: a cell is believed only as it was written. Its first line is the hash of the program's version, its name and its text, so that
//! one that was changed, cut short, renamed or left by another version is done again.

use std::fs;
use std::path::{Path, PathBuf};

use karat_papers::Desk;
use sha2::{Digest, Sha256};

use crate::commands::VERSION;
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
        let kept = fs::read_to_string(path).ok()?;
        let (seal, text) = kept.split_once('\n')?;
        (seal == sealed(cell, text)).then(|| text.to_owned())
    }

    fn keep(&mut self, cell: &str, text: &str) {
        if let (Some(path), None) = (self.path(cell), &self.failed) {
            self.failed = output::bytes_to_file(&path, format!("{}\n{text}", sealed(cell, text)).as_bytes()).err();
        }
    }
}

/// What the first line of a cell must be.
fn sealed(cell: &str, text: &str) -> String {
    Sha256::digest(format!("{VERSION}\n{cell}\n{text}")).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_believed_only_as_it_was_written() {
        let place = tempfile::tempdir().unwrap();
        let mut cells = Cells::new(Some(place.path()), true, false).unwrap();
        cells.keep("a-1", "0.5 0.25\n");
        assert_eq!(cells.find("a-1").as_deref(), Some("0.5 0.25\n"));
        let path = |name: &str| place.path().join(".cells").join(format!("{name}.cell"));
        let kept = fs::read_to_string(path("a-1")).unwrap();
        // Another number, another name, cut short, without a seal, no text at all.
        fs::write(path("a-1"), kept.replace("0.25", "0.26")).unwrap();
        assert_eq!(cells.find("a-1"), None);
        fs::write(path("a-2"), &kept).unwrap();
        assert_eq!(cells.find("a-2"), None);
        fs::write(path("a-1"), &kept[..kept.len() - 2]).unwrap();
        assert_eq!(cells.find("a-1"), None);
        fs::write(path("a-1"), "0.5 0.25\n").unwrap();
        assert_eq!(cells.find("a-1"), None);
        fs::write(path("a-1"), [0xff, 0xfe]).unwrap();
        assert_eq!(cells.find("a-1"), None);
        // Without --resume nothing is believed.
        fs::write(path("a-1"), &kept).unwrap();
        assert!(cells.find("a-1").is_some());
        assert_eq!(Cells::new(Some(place.path()), false, false).unwrap().find("a-1"), None);
    }
}
