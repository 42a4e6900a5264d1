//! Splitting a line into fields: ASCII blanks only, so that docnos in any encoding survive.

/// Whether a byte separates fields, as C's `isspace` has it in the plain locale.
#[inline]
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | b'\n')
}

/// The fields of a line.
pub fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    line.split(|&byte| is_blank(byte)).filter(|field| !field.is_empty())
}

/// Whether a line has no data: blank, or a comment that begins with `#`.
pub fn is_idle(line: &[u8]) -> bool {
    match line.iter().find(|&&byte| !is_blank(byte)) {
        None => true,
        Some(_) => line.first() == Some(&b'#'),
    }
}

/// What a line that does not fit any field layout probably is, and what to do about it.
pub fn mistaken(line: &[u8]) -> Option<&'static str> {
    let text = line.trim_ascii();
    let count = fields(line).count();
    if memchr::memchr(b'\r', text).is_some() {
        return Some("the lines end with a carriage return alone: convert them, for example with `tr '\\r' '\\n'`");
    }
    match text.first()? {
        b'{' | b'[' => Some(
            "this looks like JSON: write {topic: {document: number}}, or one object for each row with the keys query_id, doc_id and score or grade",
        ),
        b'<' => Some("this looks like HTML or XML, perhaps a saved error page; download the file again"),
        _ if count < 3 && memchr::memchr_iter(b',', text).count() >= 2 => Some(
            "this looks like CSV: name the columns in its first line, for example query_id,doc_id,score or query_id,doc_id,grade",
        ),
        _ if count < 3 && memchr::memchr_iter(b';', text).count() >= 2 => Some(
            "separate the fields with spaces or tabs, or name the columns in the first line (query_id;doc_id;score)",
        ),
        _ => None,
    }
}

/// The first byte at or after `at` that is a blank or control byte (at most 0x20). `bytes` must hold one; a slice that
/// ends without one answers its length.
#[inline(always)]
pub fn word_end(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Eight bytes at a time: a byte below 0x21 borrows in the subtraction and has no high bit of its own. A borrow can
    // only spoil bytes above the first hit, and the first hit is all we want.
    while let Some(word) = bytes.get(at..at + 8).and_then(|eight| eight.try_into().ok()).map(u64::from_le_bytes) {
        let hits = word.wrapping_sub(ONES * 0x21) & !word & (ONES * 0x80);
        if hits != 0 {
            return at + hits.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| byte > 0x20) {
        at += 1;
    }
    at
}

/// Whether a topic begins with a byte-order mark, which only a file's first line may.
pub fn has_mark(topic: &[u8]) -> bool {
    topic.starts_with(&[0xef, 0xbb, 0xbf])
}

/// Where the topic that a line begins with ends, if the line begins with one and a single blank or tab follows it.
#[inline]
pub fn new_topic(rest: &[u8]) -> Option<usize> {
    let end = word_end(rest, 0);
    (end > 0 && !matches!(rest[0], b'#' | 0xef) && matches!(rest.get(end), Some(b' ' | b'\t'))).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ascii_blanks_separate() {
        let line = "301\tQ0  d\u{a0}\u{85}x 1\r".as_bytes();
        let found: Vec<_> = fields(line).collect();
        assert_eq!(found, ["301".as_bytes(), b"Q0", "d\u{a0}\u{85}x".as_bytes(), b"1"]);
        assert!(is_idle(b" \t\r") && is_idle(b"# note") && is_idle(b"") && !is_idle(b"a#"));
    }

    #[test]
    fn word_end_agrees_with_the_plain_loop_for_every_byte_and_length() {
        for length in 0..20usize {
            for stop in 0..=255u8 {
                let mut bytes = vec![b'x'; length];
                bytes.push(stop);
                bytes.extend([0xff, b' ', 0x80, b'\n', b'y', 0, 0, 0, 0, 0]);
                let plain = bytes.iter().position(|&byte| byte <= 0x20).unwrap();
                assert_eq!(word_end(&bytes, 0), plain, "{bytes:?}");
            }
        }
        assert_eq!(word_end(b"abc", 0), 3);
    }
}
