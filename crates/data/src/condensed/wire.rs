//! Bytes that travel between machines of one version of karat: whole numbers of few bytes where they are small, exact
//! floating-point numbers, texts with their length.

/// Bytes as they are written.
#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// A whole number, seven bits a byte.
    pub fn whole(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// A count or a place.
    pub fn count(&mut self, number: usize) {
        self.whole(number as u64);
    }

    /// A floating-point number, to the last bit.
    pub fn float(&mut self, number: f64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// Bytes with their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    /// What was written.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Bytes as they are read; `None` from any of its methods where they are not what was written.
#[derive(Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// From the start of these.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader(bytes)
    }

    /// A whole number.
    pub fn whole(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A count or a place.
    pub fn count(&mut self) -> Option<usize> {
        self.whole().and_then(|number| usize::try_from(number).ok())
    }

    /// The number of things that follow, each of at least one byte: more than there are bytes is none.
    pub fn things(&mut self) -> Option<usize> {
        self.count().filter(|&count| count <= self.0.len())
    }

    /// A floating-point number.
    pub fn float(&mut self) -> Option<f64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(f64::from_le_bytes(*bytes))
    }

    /// Bytes with their length.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.things()?;
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(bytes)
    }

    /// A text.
    pub fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    /// Whether all was read.
    pub fn is_done(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let mut out = Writer::default();
        let wholes = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        wholes.iter().for_each(|&number| out.whole(number));
        out.float(-0.1);
        out.bytes(b"topic");
        let bytes = out.finish();
        // 300 = 2 * 128 + 44: the lower seven bits first, with the mark that more follow.
        assert_eq!(bytes[5..7], [0x80 | 44, 2]);
        let mut read = Reader::new(&bytes);
        assert!(wholes.iter().all(|&number| read.whole() == Some(number)));
        assert_eq!((read.float(), read.text().as_deref(), read.is_done()), (Some(-0.1), Some("topic"), true));
    }

    #[test]
    fn what_is_cut_short_or_too_long_is_refused() {
        assert_eq!(Reader::new(&[0x80]).whole(), None);
        assert_eq!(Reader::new(&[0xff; 11]).whole(), None);
        assert_eq!(Reader::new(&[9, 1, 2]).bytes(), None);
        assert_eq!(Reader::new(&[1; 7]).float(), None);
        assert_eq!(Reader::new(&[1, 0xff]).text(), None);
    }
}
