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
        return kept("standard input", || Ok(Box::new(io::stdin())));
    }
    let path = name.to_owned();
    if std::fs::metadata(name).is_ok_and(|found| is_pipe(&found)) {
        return kept(name, move || Ok(Box::new(File::open(&path)?)));
    }
    Input::new(name, move || {
        let file = File::open(&path)?;
        // Opening a folder succeeds; reading it fails with a message that names nothing.
        if file.metadata()?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder"));
        }
        Ok(Box::new(file))
    })
}

/// An input that gives its bytes once (standard input, a pipe as the shell's `<(...)` makes): kept in memory, because a
/// second opening would find nothing or wait for ever.
fn kept(name: &str, open: impl Fn() -> io::Result<Box<dyn Read>> + Send + Sync + 'static) -> Input {
    let bytes: OnceLock<Arc<[u8]>> = OnceLock::new();
    Input::new(name, move || {
        if bytes.get().is_none() {
            let mut read = Vec::new();
            open()?.read_to_end(&mut read)?;
            let _ = bytes.set(read.into());
        }
        Ok(Box::new(Cursor::new(bytes.get().cloned().unwrap_or_default())))
    })
}

#[cfg(unix)]
fn is_pipe(found: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    found.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}
