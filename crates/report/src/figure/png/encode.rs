//! Pixels as a PNG file (ISO/IEC 15948): 8 bits of red, green and blue, no more than a picture on white needs.

use std::io::{self, Write};

use flate2::{Compression, Crc, write::ZlibEncoder};
use tiny_skia::Pixmap;

/// The file. Each line is written as its difference from the line above ("up"), because most lines of a figure are alike.
pub fn png(pixels: &Pixmap) -> io::Result<Vec<u8>> {
    let (width, height) = (pixels.width(), pixels.height());
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut above = vec![0u8; width as usize * 3];
    let mut line = Vec::with_capacity(above.len() + 1);
    for row in pixels.data().chunks_exact(width as usize * 4) {
        line.clear();
        line.push(2);
        for (at, pixel) in row.chunks_exact(4).enumerate() {
            for part in 0..3 {
                line.push(pixel[part].wrapping_sub(above[at * 3 + part]));
                above[at * 3 + part] = pixel[part];
            }
        }
        packed.write_all(&line)?;
    }
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Bits a channel, colours without transparency, the only compression, the only filters, not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &header)?;
    chunk(&mut file, b"IDAT", &packed.finish()?)?;
    chunk(&mut file, b"IEND", &[])?;
    Ok(file)
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) -> io::Result<()> {
    let length = u32::try_from(data.len()).map_err(|_| io::Error::other("too large"))?;
    let mut sum = Crc::new();
    sum.update(name);
    sum.update(data);
    file.extend(length.to_be_bytes());
    file.extend(name);
    file.extend(data);
    file.extend(sum.sum().to_be_bytes());
    Ok(())
}
