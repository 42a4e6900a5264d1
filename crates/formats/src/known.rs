//! A name that the next line probably has again.

/// Up to eight bytes of it are compared as one word.
#[derive(Clone, Copy, Default)]
pub struct Known<'a> {
    /// The name.
    pub bytes: &'a [u8],
    word: u64,
    mask: u64,
}

impl<'a> Known<'a> {
    /// This name.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut word = [0; 8];
        let short = bytes.len().min(8);
        word[..short].copy_from_slice(&bytes[..short]);
        Known { bytes, word: u64::from_le_bytes(word), mask: if short == 0 { 0 } else { u64::MAX >> (64 - 8 * short) } }
    }

    /// Whether `text` begins with it.
    #[inline(always)]
    pub fn begins(self, text: &[u8]) -> bool {
        let Some(first) = text.first_chunk::<8>() else { return text.starts_with(self.bytes) };
        u64::from_le_bytes(*first) & self.mask == self.word && (self.bytes.len() <= 8 || text.starts_with(self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::Known;

    #[test]
    fn begins_agrees_with_starts_with() {
        let names: [&[u8]; 5] = [b"", b"1", b"12345678", b"123456789", b"1234567890123456789"];
        let texts: [&[u8]; 7] =
            [b"", b"1", b"12345678", b"12345679 ", b"123456789 x", b"1234567890123456789 y", b"2 345678901"];
        for name in names {
            for text in texts {
                assert_eq!(Known::new(name).begins(text), text.starts_with(name), "{name:?} {text:?}");
            }
        }
    }
}
