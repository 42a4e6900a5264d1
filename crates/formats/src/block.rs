//! Blocks of whole lines, cut after a line or before the last topic begins.
//!
//! A block is read into a buffer its thread keeps; what was read past the cut is carried to the next block. Only a
//! topic (or a line) longer than the buffer makes the buffer grow.

use std::io::{self, Read};

use karat_data::{LineProblem, Problem, ProblemKind, Problems, problem};
use memchr::{memchr, memchr_iter, memrchr};

use crate::decompress::{compression, decompress};
use crate::fields::is_blank;
use crate::input::{Input, Stream};
use crate::sample::Sample;

/// Bytes in a block when topics are short. Small enough for a core's own cache, large enough that taking turns at the
/// file costs nothing.
pub const BLOCK: usize = 256 * 1024;

/// A line longer than this is not a line of any format we read.
pub const LONGEST_LINE: usize = 1 << 20;

/// Bytes after the end of a block that are always readable and always 0, so that a word can be looked at whole.
pub const PADDING: usize = 16;

/// Where a block may end.
#[derive(Clone, Copy)]
pub enum Cut {
    /// After any line.
    Line,
    /// Before the first line of the last topic; the function names a line's topic, `None` for a line without one.
    Topic(fn(&[u8]) -> Option<&[u8]>),
    /// Nowhere: the file is one block.
    Nowhere,
}

/// A format, as far as cutting a file goes.
pub trait Form: Copy + Send {
    /// Where its blocks end.
    fn cut(&self) -> Cut;

    /// Whether it is text.
    fn is_text(&self) -> bool {
        true
    }
}

impl Form for Cut {
    fn cut(&self) -> Cut {
        *self
    }
}

/// A format that is given, or that the first block shows.
#[derive(Clone, Copy)]
pub enum Choice<F> {
    /// This one.
    Given(F),
    /// What is made of the file's name (for the problem) and its first bytes.
    ByContent(fn(&str, &Sample<'_>) -> Result<F, Problems>),
}

impl<F> From<F> for Choice<F> {
    fn from(form: F) -> Self {
        Choice::Given(form)
    }
}

/// A buffer that a thread keeps.
#[derive(Default)]
pub struct Block {
    buffer: Vec<u8>,
    len: usize,
    /// Whether the last line feed is ours and not the file's.
    ended: bool,
}

impl Block {
    /// The lines, each with its line feed; the last one gets one if the file has not.
    pub fn lines(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// The bytes of the file, without a line feed of ours.
    pub fn content(&self) -> &[u8] {
        &self.buffer[..self.len - usize::from(self.ended)]
    }

    /// How many bytes of the file it holds.
    pub fn bytes(&self) -> u64 {
        self.len as u64 - u64::from(self.ended)
    }

    /// The lines and [`PADDING`] zeros.
    pub fn padded(&self) -> &[u8] {
        &self.buffer[..self.len + PADDING]
    }

    fn reserve(&mut self, len: usize) {
        if self.buffer.len() < len + PADDING + 1 {
            self.buffer.resize(len + PADDING + 1, 0);
        }
    }

    fn end_at(&mut self, len: usize) {
        self.len = len;
        self.buffer[len..len + PADDING].fill(0);
    }
}

/// Reads an input block by block.
pub struct Blocks<F> {
    name: String,
    stream: Stream,
    choice: Choice<F>,
    cut: Cut,
    carry: Vec<u8>,
    begun: bool,
    done: bool,
}

impl<F: Form> Blocks<F> {
    /// Opens an input.
    ///
    /// # Errors
    /// It cannot be opened or its first bytes cannot be read.
    pub fn open(input: &Input, choice: impl Into<Choice<F>>) -> Result<Blocks<F>, Problems> {
        let name = input.name().to_owned();
        let stream = input.open().and_then(decompress).map_err(|error| unreadable(&name, &error))?;
        Ok(Blocks { name, stream, choice: choice.into(), cut: Cut::Line, carry: Vec::new(), begun: false, done: false })
    }

    /// The format, once the first block was read.
    pub fn form(&self) -> Option<F> {
        match self.choice {
            Choice::Given(form) => Some(form),
            Choice::ByContent(_) => None,
        }
    }

    /// Fills `block` with the next lines; false at the end.
    ///
    /// # Errors
    /// The input cannot be read further, is not text, or has an endless line (whose number is counted from the start of
    /// the block that would have come).
    pub fn next(&mut self, block: &mut Block) -> Result<bool, Problems> {
        if self.done {
            return Ok(false);
        }
        block.ended = false;
        let mut wanted = BLOCK.max(self.carry.len() + BLOCK / 2);
        block.reserve(wanted);
        block.buffer[..self.carry.len()].copy_from_slice(&self.carry);
        let mut filled = self.carry.len();
        loop {
            filled = self.fill(block, filled, wanted)?;
            if !self.begun {
                filled = self.begin(block, filled)?;
            }
            if filled < wanted {
                self.done = true;
                if filled > 0 && block.buffer[filled - 1] != b'\n' {
                    block.buffer[filled] = b'\n';
                    block.ended = true;
                    filled += 1;
                }
                block.end_at(filled);
                return Ok(filled > 0);
            }
            if let Some(end) = self.find_cut(&block.buffer[..filled])? {
                self.carry.clear();
                self.carry.extend_from_slice(&block.buffer[end..filled]);
                block.end_at(end);
                return Ok(true);
            }
            wanted *= 2;
            block.reserve(wanted);
        }
    }

    fn fill(&mut self, block: &mut Block, mut filled: usize, wanted: usize) -> Result<usize, Problems> {
        while filled < wanted {
            karat_runtime::check();
            match self.stream.read(&mut block.buffer[filled..wanted]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unreadable(&self.name, &error)),
            }
        }
        Ok(filled)
    }

    /// The first block: the format, and for text no byte-order mark.
    fn begin(&mut self, block: &mut Block, filled: usize) -> Result<usize, Problems> {
        self.begun = true;
        let head = &block.buffer[..filled];
        let chosen = match self.choice {
            Choice::Given(form) => Ok(form),
            Choice::ByContent(tell) => tell(&self.name, &Sample::new(head, filled < BLOCK)),
        };
        if chosen.as_ref().map_or(true, F::is_text)
            && let Some((found, remedy)) = not_text(head)
        {
            return Err(Problem::of_file(&self.name, "a text file", found, remedy).into());
        }
        let form = chosen?;
        self.choice = Choice::Given(form);
        self.cut = form.cut();
        if !form.is_text() {
            return Ok(filled);
        }
        if head.starts_with(&[0xef, 0xbb, 0xbf]) {
            block.buffer.copy_within(3..filled, 0);
            // The stream may not be at its end: read on to keep "fewer than wanted" meaning "no more".
            return self.fill(block, filled - 3, filled);
        }
        Ok(filled)
    }

    fn find_cut(&self, filled: &[u8]) -> Result<Option<usize>, Problems> {
        if matches!(self.cut, Cut::Nowhere) {
            return Ok(None);
        }
        let last_feed = memrchr(b'\n', filled);
        let unended = filled.len() - last_feed.map_or(0, |feed| feed + 1);
        if unended > LONGEST_LINE {
            return Err(self.endless_line(filled));
        }
        let Some(last_feed) = last_feed else { return Ok(None) };
        let Cut::Topic(topic_of) = self.cut else {
            return Ok(Some(last_feed + 1));
        };
        let mut end = last_feed + 1;
        let mut last_topic: Option<&[u8]> = None;
        while end > 0 {
            let start = memrchr(b'\n', &filled[..end - 1]).map_or(0, |feed| feed + 1);
            match (topic_of(&filled[start..end - 1]), last_topic) {
                (None, _) => {}
                // A topic hardly goes on after so many comments. If it does, it comes back in a later block, which
                // readers of runs and judgements are ready for.
                (Some(_), None) if last_feed + 1 - end > BLOCK => return Ok(Some(last_feed + 1)),
                (found, None) => last_topic = found,
                (Some(found), Some(last)) if found == last => {}
                _ => return Ok(Some(end)),
            }
            end = start;
        }
        // No topic at all in this block (comments only): any line will do.
        Ok(if last_topic.is_none() { Some(last_feed + 1) } else { None })
    }

    fn endless_line(&self, filled: &[u8]) -> Problems {
        let lines = memchr_iter(b'\n', filled).count() as u64;
        let start = memrchr(b'\n', filled).map_or(0, |feed| feed + 1);
        let problem = LineProblem::new(
            "line",
            format!("at most {LONGEST_LINE} bytes"),
            format!("more, beginning {}", problem::quote(&filled[start..])),
            "check that this is the right file and that its lines end with a line feed",
        );
        Problem::of_line(&self.name, lines, problem).into()
    }
}

/// What a file that is not text is, and what to do with it, from its first bytes.
pub(crate) fn not_text(head: &[u8]) -> Option<(String, &'static str)> {
    const KINDS: &[(usize, &[u8], &str)] = &[
        (257, b"ustar", "a tar archive"),
        (0, b"PK\x03\x04", "a zip archive"),
        (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (0, b"\x1f\x9d", "a file compressed with compress (.Z)"),
        (0, b"\x04\x22\x4d\x18", "a file compressed with lz4"),
        (0, b"PAR1", "a Parquet file"),
        (0, b"%PDF-", "a PDF"),
        (0, b"\x7fELF", "a program"),
    ];
    if let Some(&(.., kind)) =
        KINDS.iter().find(|(at, magic, _)| head.get(*at..).is_some_and(|rest| rest.starts_with(magic)))
    {
        return Some((kind.into(), "unpack or convert it first; gz, zst, bz2 and xz are decompressed automatically"));
    }
    if let Some(kind) = compression(head) {
        return Some((format!("a {kind} file inside the compressed file"), "decompress it once before use"));
    }
    let utf16 = head.starts_with(&[0xff, 0xfe])
        || head.starts_with(&[0xfe, 0xff])
        || matches!(head, [a, 0, b, 0, ..] | [0, a, 0, b, ..] if *a != 0 && *b != 0);
    if utf16 {
        return Some(("text in UTF-16".into(), "save it as UTF-8, for example with `iconv -f UTF-16 -t UTF-8`"));
    }
    let zero = memchr(0, &head[..head.len().min(8192)])?;
    let remedy = "give the text file; gz, zst, bz2 and xz are decompressed automatically";
    let line = memchr_iter(b'\n', &head[..zero]).count() + 1;
    Some((format!("binary data (a zero byte at offset {zero}, line {line})"), remedy))
}

/// The first field of a line.
#[inline]
pub fn first_field(line: &[u8]) -> Option<&[u8]> {
    let start = line.iter().position(|&byte| !is_blank(byte))?;
    if line[0] == b'#' {
        return None;
    }
    let end = line[start..].iter().position(|&byte| is_blank(byte)).map_or(line.len(), |at| start + at);
    Some(&line[start..end])
}

pub(crate) fn unreadable(name: &str, error: &io::Error) -> Problems {
    let damaged =
        matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput)
            || (error.raw_os_error().is_none() && error.kind() == io::ErrorKind::Other);
    let reason = problem::quote(problem::system_message(error).as_bytes());
    let reason = reason.trim_matches('"');
    if damaged {
        let mut problem = Problem::of_file(
            name,
            "a complete compressed file",
            format!("a truncated or damaged one ({reason})"),
            "copy or compress the file again; no part of it was used",
        );
        problem.kind = ProblemKind::Malformed;
        return problem.into();
    }
    let remedy = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "check the path; `-` reads standard input",
        io::ErrorKind::PermissionDenied => "make the file readable (chmod +r), or ask its owner",
        io::ErrorKind::IsADirectory => {
            "give a file, or a folder whose files together are one run or one set of judgements"
        }
        io::ErrorKind::Unsupported => {
            "put all files into one folder without subfolders (in Spark: write without partitionBy)"
        }
        _ => "fix the cause and try again",
    };
    let mut problem = Problem::of_file(name, "a readable file", reason.to_owned(), remedy);
    problem.kind = ProblemKind::Unreadable;
    problem.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks_of(text: &[u8], cut: Cut) -> Vec<Vec<u8>> {
        let mut blocks = Blocks::open(&Input::bytes("test", text.to_vec()), cut).unwrap();
        let mut block = Block::default();
        let mut found = Vec::new();
        while blocks.next(&mut block).unwrap() {
            assert_eq!(&block.padded()[block.lines().len()..], [0; PADDING]);
            found.push(block.lines().to_vec());
        }
        found
    }

    #[test]
    fn blocks_add_up_to_the_file_and_end_where_a_topic_ends() {
        let mut text = Vec::new();
        for topic in 0..300 {
            for rank in 0..100 {
                text.extend_from_slice(format!("topic{topic} Q0 document{rank} {rank} 1.5 tag\n").as_bytes());
            }
        }
        let found = blocks_of(&text, Cut::Topic(first_field));
        assert!(found.len() > 2);
        assert_eq!(found.concat(), text);
        for pair in found.windows(2) {
            let last = pair[0].trim_ascii_end().rsplit(|&b| b == b'\n').next().and_then(first_field);
            assert_ne!(last, first_field(&pair[1]));
        }
    }

    #[test]
    fn one_topic_larger_than_a_block_stays_whole() {
        let text = "1 Q0 d 1 1 t\n".repeat(100_000);
        assert_eq!(blocks_of(text.as_bytes(), Cut::Topic(first_field)).len(), 1);
        assert!(blocks_of(text.as_bytes(), Cut::Line).len() > 1);
    }

    #[test]
    fn comments_after_a_topic_are_not_gathered_without_end() {
        let text = format!("1 Q0 d 1 1 t\n{}1 Q0 e 2 1 t\n", "# a comment\n".repeat(200_000));
        let found = blocks_of(text.as_bytes(), Cut::Topic(first_field));
        assert_eq!(found.concat(), text.as_bytes());
        assert!(found.iter().all(|block| block.len() <= 2 * BLOCK), "{:?}", found.iter().map(Vec::len).max());
    }

    #[test]
    fn the_byte_order_mark_goes_and_a_final_line_feed_comes() {
        assert_eq!(blocks_of(b"\xef\xbb\xbfa b", Cut::Line), [b"a b\n".to_vec()]);
        assert_eq!(blocks_of(b"", Cut::Line), Vec::<Vec<u8>>::new());
    }
}
