//! Compression is detected from the first bytes, never from the name. Text in UTF-16 that begins with its mark, as spreadsheets save "Unicode text", is
//! decoded here too, so that no format needs to know of it.

use std::io::{self, Chain, Cursor, Read};

use crate::input::Stream;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// What comes after the first byte of a frame that zstd skips; pzstd begins its files with one.
const ZSTD_SKIPPED: &[u8] = &[0x2a, 0x4d, 0x18];
const BZIP2: &[u8] = b"BZh";
const XZ: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z', 0];

/// What an xz file may ask for. `xz -9` needs 65 MiB; a hostile header can ask for 4 GiB.
const XZ_MEMORY: u64 = 1 << 30;

/// The compression that these bytes begin with.
pub fn compression(head: &[u8]) -> Option<&'static str> {
    // `BZh` may begin a plain line; bzip2 goes on with its block size, a digit from 1 to 9, and a magic number of pi.
    let bzip2 = head.starts_with(BZIP2) && matches!(head.get(3..6), Some([b'1'..=b'9', 0x31 | 0x17, 0x41 | 0x72]));
    if head.starts_with(GZIP) {
        Some("gz")
    } else if head.starts_with(ZSTD)
        || (matches!(head.first(), Some(0x50..=0x5f)) && head.get(1..4) == Some(ZSTD_SKIPPED))
    {
        Some("zst")
    } else if bzip2 {
        Some("bz2")
    } else if head.starts_with(XZ) {
        Some("xz")
    } else {
        None
    }
}

/// The stream, decompressed if it is compressed. Files made of several members (as `cat a.gz b.gz` makes) are read to
/// their end.
///
/// # Errors
/// The first bytes cannot be read.
pub fn decompress(mut stream: Stream) -> io::Result<Stream> {
    let mut head = [0u8; 6];
    let mut filled = 0;
    while filled < head.len() {
        match stream.read(&mut head[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let whole: Chain<Cursor<Vec<u8>>, Stream> = Cursor::new(head[..filled].to_vec()).chain(stream);
    Ok(match compression(&head[..filled]) {
        Some("gz") => Box::new(flate2::read::MultiGzDecoder::new(whole)),
        Some("zst") => Box::new(zstd::stream::read::Decoder::new(whole)?),
        Some("bz2") => Box::new(bzip2::read::MultiBzDecoder::new(whole)),
        Some(_) => {
            let stream = liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, liblzma::stream::CONCATENATED)?;
            Box::new(liblzma::read::XzDecoder::new_stream(whole, stream))
        }
        None => match head {
            [0xff, 0xfe, ..] if filled >= 2 => Box::new(Utf16::new(whole, u16::from_le_bytes)),
            [0xfe, 0xff, ..] if filled >= 2 => Box::new(Utf16::new(whole, u16::from_be_bytes)),
            _ => Box::new(whole),
        },
    })
}

/// A stream of UTF-16 as UTF-8, without its mark.
struct Utf16 {
    stream: Chain<Cursor<Vec<u8>>, Stream>,
    unit: fn([u8; 2]) -> u16,
    /// Bytes that were read and not decoded: half a unit, or the first of two.
    left: Vec<u8>,
    text: Vec<u8>,
    /// How much of the text was handed out.
    done: usize,
    is_started: bool,
}

impl Utf16 {
    fn new(stream: Chain<Cursor<Vec<u8>>, Stream>, unit: fn([u8; 2]) -> u16) -> Utf16 {
        Utf16 { stream, unit, left: Vec::new(), text: Vec::new(), done: 0, is_started: false }
    }

    /// Decodes more; whether there is more.
    fn fill(&mut self) -> io::Result<bool> {
        let mut raw = [0u8; 16 * 1024];
        let read = self.stream.read(&mut raw)?;
        self.left.extend_from_slice(&raw[..read]);
        let mut units: Vec<u16> = self.left.chunks_exact(2).map(|pair| (self.unit)([pair[0], pair[1]])).collect();
        let is_first_of_two = |unit: &u16| (0xd800..0xdc00).contains(unit);
        if read > 0 && units.last().is_some_and(is_first_of_two) {
            units.pop();
        }
        let rest = self.left.split_off(2 * units.len());
        self.left = rest;
        self.text.clear();
        self.done = 0;
        let skipped = usize::from(!self.is_started && !units.is_empty());
        self.is_started |= skipped > 0;
        let mut bytes = [0u8; 4];
        for decoded in char::decode_utf16(units.into_iter().skip(skipped)) {
            let character = decoded.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not valid UTF-16"))?;
            self.text.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
        }
        if read == 0 && !self.left.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "UTF-16 that ends within a character"));
        }
        Ok(read > 0)
    }
}

impl Read for Utf16 {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.done == self.text.len() {
            if !self.fill()? && self.text.is_empty() {
                return Ok(0);
            }
        }
        let size = out.len().min(self.text.len() - self.done);
        out[..size].copy_from_slice(&self.text[self.done..self.done + size]);
        self.done += size;
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: Vec<u8>) -> io::Result<String> {
        let mut text = String::new();
        decompress(Box::new(Cursor::new(bytes)))?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn utf_16_with_its_mark_is_decoded() {
        // Characters of one, two, three and four bytes, over several buffers; the pair of 😀 falls on the end of one.
        for start in 0..3 {
            let text = "x".repeat(start) + &"aé日😀\r\n".repeat(5_000);
            let units: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            assert_eq!(decoded(little.clone()).unwrap(), text);
            assert_eq!(decoded(big).unwrap(), text);
            assert_eq!(decoded(little[..little.len() - 1].to_vec()).unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
        assert_eq!(decoded(vec![0xff, 0xfe]).unwrap(), "");
        // The second of a pair alone.
        assert!(decoded(vec![0xff, 0xfe, 0x00, 0xdc]).is_err());
    }
}
