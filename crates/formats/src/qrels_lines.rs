//! Plain judgements in a block of whole lines.

use karat_data::problem::KEPT;
use karat_data::{LineProblem, QrelsBuilder};
use memchr::{memchr, memchr_iter};

use crate::Dialect;
use crate::block::Block;
use crate::fields::is_idle;
use crate::known::Known;
use crate::registry::{ParseQrelsLine, QrelsLine};

/// What came of one block.
#[derive(Default)]
pub struct Part {
    pub(crate) builder: QrelsBuilder,
    pub(crate) rows: u32,
    /// The number of rows before each line that is none.
    pub(crate) gaps: Vec<u32>,
    pub(crate) lines: u32,
    pub(crate) blank_lines: u64,
    pub(crate) comments: u64,
    pub(crate) problems: Vec<LineProblem>,
    pub(crate) more_problems: u64,
}

impl Part {
    /// Parses a block. `fast_line` takes the line at an offset of the padded bytes if it has the usual shape, and tells
    /// where the next one begins; others are left to `parse_line`. Where the line has the known topic, that of the line
    /// before, again, `fast_line` gives it back as it is, so that nobody needs to compare.
    #[inline]
    pub(crate) fn parse(
        block: &Block,
        dialect: Dialect,
        fast_line: impl for<'a> Fn(&'a [u8], usize, Known<'a>, Dialect) -> Option<(QrelsLine<'a>, usize)>,
        parse_line: ParseQrelsLine,
    ) -> Part {
        let mut part = Part::default();
        let (padded, len) = (block.padded(), block.lines().len());
        // Names take less than half of a line; where they take more, the arena grows.
        part.builder.reserve(memchr_iter(b'\n', block.lines()).count(), len / 2);
        let mut topic = Known::default();
        let mut at = 0;
        while at < len {
            if let Some((found, next)) = fast_line(padded, at, topic, dialect) {
                // The known name itself comes back where the line has it again; comparing bytes would be for nothing.
                if std::ptr::eq(found.topic, topic.bytes) {
                    part.builder.push_on(found.docno, found.judgement);
                    part.rows += 1;
                } else {
                    topic = Known::new(found.topic);
                    part.row(&found);
                }
                at = next;
            } else {
                let end = memchr(b'\n', &padded[at..len]).map_or(len, |feed| at + feed);
                if let Some(found) = part.careful(&padded[at..end], parse_line, dialect) {
                    topic = Known::new(found);
                }
                at = end + 1;
            }
            part.lines += 1;
        }
        part
    }

    fn row(&mut self, found: &QrelsLine<'_>) {
        self.builder.push(found.topic, found.docno, found.judgement);
        self.rows += 1;
    }

    /// Any line; its topic if it has one.
    fn careful<'a>(&mut self, text: &'a [u8], parse_line: ParseQrelsLine, dialect: Dialect) -> Option<&'a [u8]> {
        if is_idle(text) {
            *(if text.first() == Some(&b'#') { &mut self.comments } else { &mut self.blank_lines }) += 1;
            self.gaps.push(self.rows);
            return None;
        }
        match parse_line(text, dialect) {
            Ok(found) => {
                self.row(&found);
                Some(found.topic)
            }
            Err(mut problem) => {
                problem.line = self.lines;
                self.gaps.push(self.rows);
                if self.problems.len() < KEPT {
                    self.problems.push(problem);
                } else {
                    self.more_problems += 1;
                }
                None
            }
        }
    }
}
