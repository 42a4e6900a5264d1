//! Progress of long work: one line on standard error, on a terminal only, removed at the end.

use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use karat_data::names::shown;
use karat_formats::Input;

/// Work that is done sooner needs no telling.
const PATIENCE: Duration = Duration::from_millis(500);

/// Nobody reads faster.
const PAUSE: Duration = Duration::from_millis(100);

/// Characters of a file's name that are shown: the line must not wrap.
const NAME: usize = 40;

/// Pieces of work that are done.
pub struct Progress {
    what: &'static str,
    line: Line,
}

impl Progress {
    /// Of work in pieces of this kind ("cell").
    pub fn new(what: &'static str, wanted: bool) -> Progress {
        Progress { what, line: Line::new(wanted && io::stderr().is_terminal()) }
    }

    /// So many of so many pieces are done.
    pub fn tell(&mut self, done: usize, all: usize) {
        if done < all {
            self.line.write(|| format!("{} {} of {all}", self.what, done + 1));
        } else {
            self.line.clear();
        }
    }
}

/// The line.
struct Line {
    wanted: bool,
    since: Instant,
    last: Option<Instant>,
}

impl Line {
    fn new(wanted: bool) -> Line {
        Line { wanted, since: Instant::now(), last: None }
    }

    fn write(&mut self, text: impl FnOnce() -> String) {
        let now = Instant::now();
        let soon = self.last.is_some_and(|last| now - last < PAUSE);
        if self.wanted && !soon && now - self.since >= PATIENCE {
            self.last = Some(now);
            // Nothing more can be done when standard error is closed.
            let _ = write!(io::stderr(), "\r\x1b[K{}", text()).and_then(|()| io::stderr().flush());
        }
    }

    fn clear(&mut self) {
        if self.last.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K").and_then(|()| io::stderr().flush());
        }
    }
}

/// What is read of files, all of them together having one line.
#[derive(Clone)]
pub struct Reading(Arc<Mutex<Line>>);

impl Reading {
    /// For the files of a command; nothing where there is no terminal.
    pub fn new() -> Option<Reading> {
        io::stderr().is_terminal().then(|| Reading(Arc::new(Mutex::new(Line::new(true)))))
    }

    /// The same input; whoever reads it is told of on the terminal. `size` is the bytes of a file by its name, where that can be said.
    pub fn of(&self, input: &Input, size: fn(&str) -> Option<u64>) -> Input {
        if !input.parts().is_empty() {
            return Input::folder(input.name(), input.parts().iter().map(|part| self.of(part, size)).collect());
        }
        let (own, line) = (input.clone(), self.0.clone());
        Input::new(input.name(), move || {
            let source = own.open()?;
            let name = Path::new(own.name()).file_name().unwrap_or(own.name().as_ref()).to_string_lossy();
            let name = shown(&name.chars().take(NAME).collect::<String>());
            Ok(Box::new(Counted { source, name, read: 0, all: size(own.name()), line: line.clone() }))
        })
    }
}

/// A stream whose bytes are counted.
struct Counted {
    source: Box<dyn Read + Send>,
    name: String,
    read: u64,
    all: Option<u64>,
    line: Arc<Mutex<Line>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.read += read as u64;
        let text = || told(&self.name, self.read, self.all);
        self.line.lock().unwrap_or_else(PoisonError::into_inner).write(text);
        Ok(read)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// "reading robust.run: 1.2 of 4.8 GB (25%)".
fn told(name: &str, read: u64, all: Option<u64>) -> String {
    let (unit, bytes) = match all.unwrap_or(read) {
        0..10_000_000 => ("kB", 1e3),
        10_000_000..10_000_000_000 => ("MB", 1e6),
        _ => ("GB", 1e9),
    };
    let shown = |count: u64| format!("{:.1}", count as f64 / bytes);
    match all.filter(|all| *all > 0) {
        Some(all) => {
            let percent = 100 * read.min(all) / all;
            format!("reading {name}: {} of {} {unit} ({percent}%)", shown(read), shown(all))
        }
        None => format!("reading {name}: {} {unit}", shown(read)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_in_one_unit() {
        assert_eq!(told("a.run", 1_200_000_000, Some(4_800_000_000)), "reading a.run: 1200.0 of 4800.0 MB (25%)");
        assert_eq!(told("a.run", 24_000_000_000, Some(48_000_000_000)), "reading a.run: 24.0 of 48.0 GB (50%)");
        assert_eq!(told("a.run", 500, Some(2_000)), "reading a.run: 0.5 of 2.0 kB (25%)");
        assert_eq!(told("standard input", 12_345_678, None), "reading standard input: 12.3 MB");
        // A file that grows while it is read.
        assert_eq!(told("log", 300, Some(200)), "reading log: 0.3 of 0.2 kB (100%)");
    }
}
