//! Opening what the user names: files, and `-` for standard input.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::sync::{Arc, OnceLock};

use karat_formats::Input;

use crate::failure::Failure;

/// Inputs for these names. Standard input can be named once; it is kept in memory because a run may be read twice.
///
/// # Errors
/// `-` is named twice.
pub fn inputs(names: &[String]) -> Result<Vec<Input>, Failure> {
    if names.iter().filter(|name| *name == "-").count() > 1 {
        return Err(Failure::usage("`-` (standard input) can be given once only; name a file for the others"));
    }
    Ok(names.iter().map(|name| input(name)).collect())
}

fn input(name: &str) -> Input {
    if name == "-" {
        let kept: OnceLock<Arc<[u8]>> = OnceLock::new();
        return Input::new("standard input", move || {
            if kept.get().is_none() {
                let mut bytes = Vec::new();
                io::stdin().lock().read_to_end(&mut bytes)?;
                let _ = kept.set(bytes.into());
            }
            Ok(Box::new(Cursor::new(kept.get().cloned().unwrap_or_default())))
        });
    }
    let path = name.to_owned();
    Input::new(name, move || {
        let file = File::open(&path)?;
        // Opening a folder succeeds; reading it fails with a message that names nothing.
        if file.metadata()?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder"));
        }
        Ok(Box::new(file))
    })
}
