//! Where the fields of a line are, and what else is done eight bytes at a time: comparing and hashing short names.

/// Bytes looked at together; a line that fits is split without a loop. Buffers end with as many newlines.
pub const WINDOW: usize = 64;

/// Offsets from the start of the line; `score` is a run's fifth field.
#[derive(Clone, Copy)]
pub struct Line {
    pub topic_end: usize,
    pub document: (usize, usize),
    pub score: (usize, usize),
    /// The length of the line with its newline.
    pub length: usize,
}

/// Splits a line of `FIELDS` fields, 4 in qrels and 6 in a run. What a line does not have, means nothing.
#[inline(always)]
pub fn split<const FIELDS: usize>(bytes: &[u8], at: usize) -> Line {
    let Some(window) = bytes.get(at..).and_then(|rest| rest.first_chunk::<WINDOW>()) else {
        return split_long(&bytes[at..]);
    };
    let blank = blanks(window);
    // A field ends at the first blank after a letter and begins at the first letter after a blank.
    let (mut ends, mut starts) = (blank & !(blank << 1), !blank & (blank << 1));
    let take = |bits: &mut u64| {
        let first = bits.trailing_zeros() as usize;
        *bits &= bits.wrapping_sub(1);
        first
    };
    let topic_end = take(&mut ends);
    take(&mut ends);
    take(&mut starts);
    let document = (take(&mut starts), take(&mut ends));
    let mut last = take(&mut ends);
    let mut score = (0, 0);
    if FIELDS > 4 {
        take(&mut starts);
        score = (take(&mut starts), take(&mut ends));
        last = take(&mut ends);
    }
    if window.get(last) != Some(&b'\n') {
        return split_long(&bytes[at..]);
    }
    Line { topic_end, document, score, length: last + 1 }
}

/// The same, byte by byte: for lines that are long, or that do not end with their last field.
#[cold]
#[inline(never)]
fn split_long(rest: &[u8]) -> Line {
    let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
    let mut fields = [(0, 0); 5];
    let mut at = 0;
    for field in &mut fields {
        let blank = |byte: &u8| *byte <= b' ';
        let start = at + rest[at..length].iter().take_while(|byte| blank(byte)).count();
        at = start + rest[start..length].iter().take_while(|byte| !blank(byte)).count();
        *field = (start, at);
    }
    Line { topic_end: fields[0].1, document: fields[2], score: fields[4], length }
}

/// One bit for each byte: is it a blank, that is at most a space?
///
/// Eight bytes at a time: adding 0x5F to seven bits carries into the eighth exactly from 0x21 on. The
/// multiplication then gathers the eight answers in the top byte.
#[inline(always)]
fn blanks(window: &[u8; WINDOW]) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let mut blank = 0;
    for part in 0..WINDOW / 8 {
        let bytes = word(window, 8 * part);
        let letters = ((bytes & LOW) + 0x5F5F_5F5F_5F5F_5F5F) | bytes;
        let gathered = ((!letters & !LOW) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        blank |= gathered << (8 * part);
    }
    blank
}

/// The eight bytes at `at`, which a buffer's newlines make safe to ask for.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word))
}

/// The `length` (at most eight) bytes at `at`, then zeros.
#[inline(always)]
fn short(bytes: &[u8], at: usize, length: usize) -> u64 {
    word(bytes, at) & (u64::MAX >> (64 - 8 * length.clamp(1, 8)))
}

/// Are the names of `length` bytes at the two places the same?
#[inline(always)]
pub fn same(left: &[u8], left_at: usize, right: &[u8], right_at: usize, length: usize) -> bool {
    if length <= 8 {
        short(left, left_at, length) == short(right, right_at, length)
    } else {
        left[left_at..left_at + length] == right[right_at..right_at + length]
    }
}

/// A hash of a name: folded multiplication of its words. Made for speed, not against an enemy.
#[inline(always)]
pub fn hash(bytes: &[u8], mut at: usize, mut length: usize) -> u64 {
    let mut state = length as u64;
    while length > 8 {
        state = fold(state ^ word(bytes, at));
        at += 8;
        length -= 8;
    }
    fold(state ^ short(bytes, at, length))
}

#[inline(always)]
fn fold(bits: u64) -> u64 {
    let product = u128::from(bits ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93_u128;
    (product >> 64) as u64 ^ product as u64
}
