//! A block of a run that holds whole topics only.
//!
//! The one decision: where a block ends is a function of the file and an offset alone (`cut`), so the threads that
//! read two neighbouring blocks find the same boundary without talking to each other, and each topic has one reader.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use crate::line::WINDOW;

/// Read at first beyond the nominal end, where the last topic is expected to end.
const SLACK: usize = 48 << 10;

/// A buffer that is used again for each block.
#[derive(Default)]
pub struct Block {
    /// What was read, then at least `WINDOW` newlines.
    pub bytes: Vec<u8>,
}

impl Block {
    /// Reads the topics whose block is `part` of a file of `length` bytes, and says where they are in `bytes`.
    pub fn read(&mut self, file: &File, part: Range<u64>, length: u64) -> io::Result<Range<usize>> {
        let nominal = (part.end - part.start) as usize;
        let (mut filled, mut wanted) = (0, nominal + SLACK);
        loop {
            if self.bytes.len() < wanted + WINDOW {
                self.bytes.resize(wanted + WINDOW, b'\n');
            }
            while filled < wanted {
                match file.read_at(&mut self.bytes[filled..wanted], part.start + filled as u64)? {
                    0 => break,
                    read => filled += read,
                }
            }
            self.bytes[filled..filled + WINDOW].fill(b'\n');
            let complete = part.start + filled as u64 >= length;
            let end = if part.end >= length { Some(filled) } else { cut(&self.bytes, nominal, filled, complete) };
            if let Some(end) = end.filter(|_| complete || part.end < length) {
                let start = if part.start == 0 { 0 } else { cut(&self.bytes, 0, filled, complete).unwrap_or(end) };
                return Ok(start..end);
            }
            wanted += SLACK.max(filled / 2);
        }
    }
}

/// The first line, after the first line that begins after `at`, with another topic than that line.
/// Nothing if `bytes[..filled]` is not enough to tell; `complete` says that the file ends there.
pub fn cut(bytes: &[u8], at: usize, filled: usize, complete: bool) -> Option<usize> {
    let after = |from: usize| match memchr::memchr(b'\n', &bytes[from..filled]) {
        Some(newline) if from + newline + 1 < filled => Ok(from + newline + 1),
        _ => Err(complete.then_some(filled)),
    };
    let search = || -> Result<usize, Option<usize>> {
        let first = after(at)?;
        let length = bytes[first..filled].iter().position(|byte| *byte <= b' ').ok_or(complete.then_some(filled))?;
        let topic = &bytes[first..first + length];
        let mut line = first;
        loop {
            line = after(line)?;
            let end = line + topic.len();
            if end >= filled {
                return Err(complete.then_some(filled));
            }
            if &bytes[line..end] != topic || bytes[end] > b' ' {
                return Ok(line);
            }
        }
    };
    search().map_or_else(|end| end, Some)
}
