//! Opening what the user names: files, and `-` for standard input.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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
    let parts = parts(name);
    if !parts.is_empty() {
        return Input::folder(name, parts.iter().map(|part| input(part)).collect());
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

/// The files of a folder that are one run, in the order of their names: those that do not begin with a dot or an underscore, which is how Spark
/// marks what is not data. Nothing for a file, or a folder that holds none.
fn parts(name: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(name) else { return Vec::new() };
    let data = |file: &std::ffi::OsStr| {
        !file.as_encoded_bytes().starts_with(b".") && !file.as_encoded_bytes().starts_with(b"_")
    };
    let mut files: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| data(&entry.file_name()) && entry.path().is_file())
        .filter_map(|entry| entry.path().to_str().map(str::to_owned))
        .collect();
    files.sort();
    files
}

/// An input that gives its bytes once (standard input, a pipe as the shell's `<(...)` makes). What is read is kept, because
/// a second opening would find nothing or wait for ever.
fn kept(name: &str, open: impl Fn() -> io::Result<Box<dyn Read + Send>> + Send + Sync + 'static) -> Input {
    let once: Arc<Mutex<Option<Once>>> = Arc::default();
    Input::new(name, move || {
        let mut state = once.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_none() {
            *state = Some(Once { source: open()?, bytes: Vec::new() });
        }
        drop(state);
        Ok(Box::new(Replay { once: Arc::clone(&once), at: 0 }))
    })
}

/// The same input, whose reading ends with an error once `stop` is set.
pub fn stopped_by(input: &Input, stop: &Arc<AtomicBool>) -> Input {
    if !input.parts().is_empty() {
        return Input::folder(input.name(), input.parts().iter().map(|part| stopped_by(part, stop)).collect());
    }
    let (own, stop) = (input.clone(), stop.clone());
    Input::new(input.name(), move || Ok(Box::new(Stoppable { source: own.open()?, stop: stop.clone() })))
}

/// A stream that can be stopped.
struct Stoppable {
    source: Box<dyn Read + Send>,
    stop: Arc<AtomicBool>,
}

impl Read for Stoppable {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            // Of another kind than `Interrupted`, which readers take as a call to try again.
            return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "interrupted"));
        }
        self.source.read(buffer)
    }
}

/// A stream, and all that was read of it so far.
struct Once {
    source: Box<dyn Read + Send>,
    bytes: Vec<u8>,
}

/// Reads what was kept, then goes on with the stream and keeps that too.
struct Replay {
    once: Arc<Mutex<Option<Once>>>,
    at: usize,
}

impl Read for Replay {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Once { source, bytes }) = state.as_mut() else { return Ok(0) };
        let read = if self.at < bytes.len() {
            (&bytes[self.at..]).read(buffer)?
        } else {
            let read = source.read(buffer)?;
            bytes.extend_from_slice(&buffer[..read]);
            read
        };
        self.at += read;
        Ok(read)
    }
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
