//! A figure as PNG: its SVG, drawn.
//!
//! The one decision: the only font is the one that is part of the program (DejaVu Sans, from a crate), so that a picture has
//! the same bytes on every machine. Letters that it does not have are boxes.

use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

use super::{Figure, svg};

/// Pixels to a unit of the page: sharp in print at a column's width.
const SCALE: f32 = 2.0;
/// Pixels of a picture at most; a figure that would have more is drawn smaller.
const MOST: f32 = 64e6;

/// Writes the figure as PNG.
///
/// # Errors
/// It cannot be written, or is too large to be a picture.
pub fn write(figure: &Figure, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::new();
    svg::write(figure, &mut text)?;
    let options = Options { fontdb: fonts(), font_family: "DejaVu Sans".into(), ..Options::default() };
    let tree = Tree::from_data(&text, &options).map_err(|error| wrong(figure, &error.to_string()))?;
    let size = tree.size();
    let scale = SCALE.min((MOST / (size.width() * size.height())).sqrt());
    let (width, height) = ((size.width() * scale).ceil(), (size.height() * scale).ceil());
    let mut picture = Pixmap::new(width as u32, height as u32).ok_or_else(|| wrong(figure, "too large"))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut picture.as_mut());
    let bytes = picture.encode_png().map_err(|error| wrong(figure, &error.to_string()))?;
    out.write_all(&bytes)
}

fn wrong(figure: &Figure, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("figure {:?} as PNG: {why}", figure.id))
}

/// The font, regular and bold, read once.
fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let read = || {
        let mut fonts = Database::new();
        for face in [dejavu::sans::regular(), dejavu::sans::bold()] {
            fonts.load_font_data(face.to_vec());
        }
        fonts.set_sans_serif_family("DejaVu Sans");
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(read))
}
