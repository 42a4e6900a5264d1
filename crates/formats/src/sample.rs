//! The beginning of a file, from which its format is detected.

use memchr::memrchr;

use crate::fields::{fields, is_idle};

/// Lines that are enough to tell how many fields a file's lines have.
const LOOKED_AT: usize = 200;

/// The first bytes of a file, decompressed, without byte-order mark, cut after a line if there is one.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    bytes: &'a [u8],
    endless: bool,
}

impl<'a> Sample<'a> {
    /// Of these bytes; `whole` when they are all of the file.
    pub fn new(bytes: &'a [u8], whole: bool) -> Sample<'a> {
        let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
        let end = if whole { None } else { memrchr(b'\n', bytes) };
        Sample { bytes: end.map_or(bytes, |feed| &bytes[..=feed]), endless: !whole && end.is_none() }
    }

    /// Whether the first line goes on behind the sample.
    pub fn is_endless(&self) -> bool {
        self.endless
    }

    /// The bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The lines with data, without line feeds, and their numbers from 0.
    pub fn numbered_lines(&self) -> impl Iterator<Item = (usize, &'a [u8])> + Clone {
        self.bytes.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !is_idle(line))
    }

    /// The lines with data, without line feeds.
    pub fn lines(&self) -> impl Iterator<Item = &'a [u8]> + Clone {
        self.numbered_lines().map(|(_, line)| line)
    }

    /// The fields of each line that has `N`.
    pub fn rows<const N: usize>(&self) -> impl Iterator<Item = [&'a [u8]; N]> + Clone {
        self.lines().filter_map(split)
    }

    /// Whether at least three quarters of the first lines that have `N` fields are as `fits` says.
    pub fn most<const N: usize>(&self, mut fits: impl FnMut([&'a [u8]; N]) -> bool) -> bool {
        let (mut all, mut fitting) = (0, 0);
        for row in self.rows::<N>().take(LOOKED_AT) {
            all += 1;
            fitting += usize::from(fits(row));
        }
        all > 0 && fitting * 4 >= all * 3
    }

    /// Whether at least half of the first lines with data have `count` fields.
    pub fn has_fields(&self, count: usize) -> bool {
        let (mut all, mut fitting) = (0, 0);
        for line in self.lines().take(LOOKED_AT) {
            all += 1;
            fitting += usize::from(fields(line).count() == count);
        }
        all > 0 && fitting * 2 >= all
    }
}

/// The fields of a line that has `N`.
pub fn split<const N: usize>(line: &[u8]) -> Option<[&[u8]; N]> {
    let mut found = [&line[..0]; N];
    let mut count = 0;
    for field in fields(line) {
        *found.get_mut(count)? = field;
        count += 1;
    }
    (count == N).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_ends_with_a_line_and_half_of_its_lines_decide() {
        let text = b"\xef\xbb\xbf# note\na b c\n\na b\na b c\nx";
        let sample = Sample::new(text, false);
        assert_eq!(sample.bytes(), b"# note\na b c\n\na b\na b c\n");
        assert_eq!(sample.numbered_lines().map(|(number, _)| number).collect::<Vec<_>>(), [1, 3, 4]);
        assert!(sample.has_fields(3) && !sample.has_fields(2));
        assert_eq!(sample.rows::<2>().collect::<Vec<_>>(), [[b"a", b"b"]]);
        assert_eq!(Sample::new(text, true).lines().last(), Some(&b"x"[..]));
        assert_eq!(Sample::new(b"{one line", false).bytes(), b"{one line");
        assert!(!Sample::new(b"", true).has_fields(0));
    }
}
