//! Compression is detected from the first bytes, never from the name.

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
        None => Box::new(whole),
    })
}
