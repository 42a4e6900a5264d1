//! Files, folders and pipes of the file system as inputs.

use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use crate::input::{Input, Stream};

/// The file, folder or pipe of that name. It is opened when it is read: what is not there is found then.
pub fn input(name: &str) -> Input {
    let path = name.to_owned();
    if std::fs::metadata(name).is_ok_and(|found| is_pipe(&found)) {
        return read_once(name, move || Ok(Box::new(File::open(&path)?)));
    }
    match parts(name) {
        Ok(None) => Input::new(name, move || Ok(Box::new(File::open(&path)?))),
        Ok(Some(files)) => Input::folder(name, files.iter().map(|file| input(file)).collect()),
        Err(error) => {
            let (kind, why) = (error.kind(), error.to_string());
            Input::new(name, move || Err(io::Error::new(kind, why.clone())))
        }
    }
}

/// The bytes of a file of that name; nothing for what is none.
pub fn size(name: &str) -> Option<u64> {
    std::fs::metadata(name).ok().filter(std::fs::Metadata::is_file).map(|found| found.len())
}

/// The files of a folder that are one thing, in the order of their names: those that do not begin with a dot or an underscore, which is how Spark
/// marks what is not data. Nothing for a file.
///
/// A folder in it is refused: Spark and Hive keep a column in the names of such folders (`topic=301`), and files without it are not all there is.
fn parts(name: &str) -> io::Result<Option<Vec<String>>> {
    if !std::fs::metadata(name).is_ok_and(|found| found.is_dir()) {
        return Ok(None);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(name)? {
        let entry = entry?;
        let own = entry.file_name();
        if own.as_encoded_bytes().starts_with(b".") || own.as_encoded_bytes().starts_with(b"_") {
            continue;
        }
        let Some(path) = entry.path().to_str().map(str::to_owned) else {
            let why = format!("Folder contains a file whose name is not UTF-8 ({})", own.to_string_lossy());
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        };
        let refused = |what: &str| {
            let why = format!("Folder contains {what} ({})", own.to_string_lossy());
            Err(io::Error::new(io::ErrorKind::Unsupported, why))
        };
        match std::fs::metadata(&path) {
            Ok(found) if found.is_dir() => return refused("subfolders"),
            Ok(found) if !found.is_file() => return refused("something that is not a file"),
            // Even without rows a Parquet file has a footer.
            Ok(found) if found.len() == 0 && path.ends_with(".parquet") => {
                return refused("an incomplete Parquet file");
            }
            Ok(_) => {}
            Err(_) => return refused("a broken link"),
        }
        files.push(path);
    }
    if files.is_empty() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "Folder is empty"));
    }
    files.sort();
    Ok(Some(files))
}

/// An input that gives its bytes once (standard input, a pipe as the shell's `<(...)` makes). What is read is kept, because
/// a second opening would find nothing or wait for ever.
pub fn read_once(name: &str, open: impl Fn() -> io::Result<Stream> + Send + Sync + 'static) -> Input {
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

/// A stream, and all that was read of it so far.
struct Once {
    source: Stream,
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
