//! A figure as PNG: its SVG, painted.
//!
//! The one decision: the SVG that is read here is our own, so what it can hold is known: rectangles, circles, paths of straight
//! pieces, words. Anything else is an error and not a gap in the picture. The only font is the one that is part of the
//! program (DejaVu Sans, from a crate), so that a picture has the same bytes on every machine.
//!
//! Letters are set one after another from left to right: scripts that join or turn are right in the SVG, not here.

mod encode;
mod font;
mod paint;

use std::io::{self, Write};

use roxmltree::Document;

use super::{Figure, svg};
use paint::Canvas;

/// Pixels to a unit of the page: sharp in print at a column's width.
const SCALE: f32 = 2.0;
/// Pixels of a picture at most; a figure that would have more is drawn smaller.
const MOST: f32 = 24e6;

/// Writes the figure as PNG.
///
/// # Errors
/// It cannot be written, or is too large to be a picture.
pub fn write(figure: &Figure, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::new();
    svg::write(figure, &mut text)?;
    let picture = picture(&text)
        .map_err(|why| io::Error::new(io::ErrorKind::InvalidData, format!("figure {:?} as PNG: {why}", figure.id)))?;
    out.write_all(&picture)
}

fn picture(svg: &[u8]) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(svg).map_err(|error| error.to_string())?;
    let tree = Document::parse(text).map_err(|error| error.to_string())?;
    let root = tree.root_element();
    let (width, height) = (paint::number(&root, "width")?, paint::number(&root, "height")?);
    let scale = SCALE.min((MOST / (width * height)).sqrt());
    let mut canvas = Canvas::new(width, height, scale)?;
    for element in root.children().filter(roxmltree::Node::is_element) {
        canvas.element(&element)?;
    }
    encode::png(canvas.pixels()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size_and_pixel(svg: &str, x: u32, y: u32) -> [u8; 3] {
        let tree = Document::parse(svg).unwrap();
        let mut canvas = Canvas::new(20.0, 10.0, 1.0).unwrap();
        for element in tree.root_element().children().filter(roxmltree::Node::is_element) {
            canvas.element(&element).unwrap();
        }
        let pixel = canvas.pixels().pixel(x, y).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    #[test]
    fn shapes_are_painted_where_they_stand() {
        let rect = r##"<svg><rect x="5" y="2" width="10" height="6" fill="#0072b2"/></svg>"##;
        assert_eq!(size_and_pixel(rect, 10, 5), [0x00, 0x72, 0xb2]);
        assert_eq!(size_and_pixel(rect, 2, 5), [255, 255, 255]);
        // Half of black on white.
        let pale = r##"<svg><path d="M0 0H20V10h-20Z" fill="currentColor" fill-opacity="0.5"/></svg>"##;
        assert!(size_and_pixel(pale, 10, 5)[0].abs_diff(127) <= 1);
        let line = r##"<svg><path d="M0 5L20 5" fill="none" stroke="#d55e00" stroke-width="4"/></svg>"##;
        assert_eq!(size_and_pixel(line, 10, 5), [0xd5, 0x5e, 0x00]);
        assert_eq!(size_and_pixel(line, 10, 1), [255, 255, 255]);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for svg in
            ["<svg><ellipse/></svg>", r#"<svg><path d="M0 0C1 1 2 2 3 3"/></svg>"#, r#"<svg><rect width="x"/></svg>"#]
        {
            let tree = Document::parse(svg).unwrap();
            let element = tree.root_element().first_element_child().unwrap();
            assert!(Canvas::new(20.0, 10.0, 1.0).unwrap().element(&element).is_err(), "{svg}");
        }
    }
}
