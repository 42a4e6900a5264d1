//! Compression is told from the first bytes, never from the name.

use std::io::{self, Chain, Cursor, Read};

use crate::input::Stream;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const BZIP2: &[u8] = b"BZh";
const XZ: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z', 0];

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
    let head = &head[..filled];
    // `BZh` may begin a plain line; bzip2 goes on with its block size, a digit from 1 to 9, and a magic number of pi.
    let bzip2 = head.starts_with(BZIP2) && matches!(head.get(3..6), Some([b'1'..=b'9', 0x31 | 0x17, 0x41 | 0x72]));
    Ok(if head.starts_with(GZIP) {
        Box::new(flate2::read::MultiGzDecoder::new(whole))
    } else if head.starts_with(ZSTD) {
        Box::new(zstd::stream::read::Decoder::new(whole)?)
    } else if bzip2 {
        Box::new(bzip2::read::MultiBzDecoder::new(whole))
    } else if head.starts_with(XZ) {
        Box::new(liblzma::read::XzDecoder::new_multi_decoder(whole))
    } else {
        Box::new(whole)
    })
}
