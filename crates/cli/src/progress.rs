//! How far long work has come, on a terminal only.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Work that is done sooner needs no telling.
const PATIENCE: Duration = Duration::from_millis(500);

/// A line on standard error that is written over and taken away at the end.
pub struct Progress {
    what: &'static str,
    since: Instant,
    wanted: bool,
    shown: bool,
}

impl Progress {
    /// Of work in pieces of this kind ("cell").
    pub fn new(what: &'static str, wanted: bool) -> Progress {
        Progress { what, since: Instant::now(), wanted: wanted && std::io::stderr().is_terminal(), shown: false }
    }

    /// So many of so many pieces are done.
    pub fn tell(&mut self, done: usize, all: usize) {
        if !self.wanted || self.since.elapsed() < PATIENCE {
            return;
        }
        // Nothing more can be done when standard error is closed.
        let _ = if done < all {
            write!(std::io::stderr(), "\r\x1b[K{} {} of {all}", self.what, done + 1)
        } else if self.shown {
            write!(std::io::stderr(), "\r\x1b[K")
        } else {
            Ok(())
        };
        self.shown = true;
        let _ = std::io::stderr().flush();
    }
}
