//! Writing answers: whole or not at all, and a closed pipe is success.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use karat_data::names::shown;
use karat_data::problem::system_message;
use karat_report::{RENDERERS, RenderOptions, RendererInfo, renderer, renderer_for_path};

use crate::failure::Failure;
use crate::options::{Color, OutputOptions};

/// The renderer that the options ask for; worth asking before long work.
///
/// # Errors
/// The format is unknown.
pub fn chosen(options: &OutputOptions) -> Result<&'static RendererInfo, Failure> {
    let found = match (&options.format, file(options)) {
        (Some(name), _) => renderer(name),
        (None, Some(path)) if path.extension().is_some() => {
            return renderer_for_path(path).ok_or_else(|| unknown_ending(path));
        }
        (None, _) => renderer("terminal"),
    };
    found.ok_or_else(|| Failure::usage(format!("unknown format '{}'", options.format.as_deref().unwrap_or(""))))
}

/// The file the answer goes to, where it does not go to standard output.
pub fn file(options: &OutputOptions) -> Option<&Path> {
    options.output.as_deref().filter(|path| *path != Path::new("-"))
}

/// How to render for standard output, which is a terminal or not.
pub fn render_options(color: Color, terminal: bool) -> RenderOptions {
    let color = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    RenderOptions { color, width: if terminal { width() } else { columns() } }
}

/// Bytes to a file, whole or not at all.
///
/// # Errors
/// They cannot be written.
pub fn bytes_to_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    to_file(path, |out| out.write_all(bytes))
}

fn unknown_ending(path: &Path) -> Failure {
    let endings: Vec<&str> = RENDERERS.iter().flat_map(|info| info.extensions).copied().collect();
    Failure::usage(format!(
        "-o {}: unknown file extension; use one of {}, or set the format with -f",
        path.display(),
        endings.join(", ")
    ))
}

/// Bytes to standard output.
///
/// # Errors
/// They cannot be written, other than to a closed pipe.
pub fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    closed_pipe_is_success(out.write_all(bytes).and_then(|()| out.flush()))
}

/// To standard output, as it is made.
///
/// # Errors
/// It cannot be written, other than to a closed pipe.
pub fn stream(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    closed_pipe_is_success(render(&mut io::stdout().lock()))
}

fn closed_pipe_is_success(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Output(format!("cannot write to standard output: {}", system_message(&error))))
        }
        _ => Ok(()),
    }
}

/// Writes a file under a temporary name in the same folder, then renames: a reader sees the old file or the whole new one.
/// A link is followed, a read-only file is refused, permissions are kept. What is not a regular file (`/dev/null`, a
/// pipe) is written directly.
///
/// # Errors
/// It cannot be written.
pub fn to_file(path: &Path, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let failed = |error: io::Error| {
        Failure::Output(format!(
            "cannot write {}: {}\nhelp: choose another file",
            shown(&path.to_string_lossy()),
            system_message(&error)
        ))
    };
    let (target, old) = match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            return File::options().write(true).open(path).and_then(|mut file| render(&mut file)).map_err(failed);
        }
        Ok(found) if found.permissions().readonly() => {
            return Err(failed(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only")));
        }
        Ok(found) => (fs::canonicalize(path).map_err(failed)?, Some(found.permissions())),
        // A link that leads nowhere is not ours to replace.
        Err(error) if fs::symlink_metadata(path).is_ok() => return Err(failed(error)),
        Err(_) => (path.to_path_buf(), None),
    };
    let (temporary, mut file) = temporary_next_to(&target).map_err(failed)?;
    let written = render(&mut file).and_then(|()| file.sync_data()).and_then(|()| match old {
        Some(permissions) => fs::set_permissions(&temporary.0, permissions),
        None => Ok(()),
    });
    written.and_then(|()| fs::rename(&temporary.0, &target)).map_err(failed)
}

/// A file until it has its name. Where it never gets it, because writing failed or the work was stopped, half an answer should not lie about.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // It is gone already where it has its name.
        let _ = fs::remove_file(&self.0);
    }
}

/// A new file in the same folder, under an unused name.
fn temporary_next_to(path: &Path) -> io::Result<(Temporary, File)> {
    for attempt in 0..100u32 {
        let temporary = path.with_file_name(format!(".karat.{}.{attempt}.part", std::process::id()));
        match File::create_new(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (Temporary(temporary), file)),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "no unused temporary name in this folder"))
}

/// The width of lines on a terminal that does not say how wide it is.
const WIDTH: u16 = 80;

/// The terminal's width.
fn width() -> Option<u16> {
    Some(terminal_size::terminal_size().map(|(width, _)| width.0).or_else(columns).unwrap_or(WIDTH))
}

/// The width of error messages: that of the terminal, where they go to one.
pub fn error_width() -> Option<u16> {
    if io::stderr().is_terminal() { width() } else { None }
}

/// The width that `COLUMNS` sets. Files and pipes have no other: one line per sentence and note, so that `grep` finds all of it.
fn columns() -> Option<u16> {
    std::env::var("COLUMNS").ok()?.parse().ok().filter(|&width| width > 0)
}
