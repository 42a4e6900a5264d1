//! The elements of our SVG on a canvas.

use roxmltree::Node;
use tiny_skia::{Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform};

use super::font::Font;

/// A white canvas.
pub struct Canvas {
    pixels: Pixmap,
    scale: f32,
    fonts: (Font<'static>, Font<'static>),
}

/// An attribute that is a number.
pub fn number(element: &Node<'_, '_>, name: &str) -> Result<f32, String> {
    let text = element.attribute(name).ok_or_else(|| format!("<{}> has no {name}", element.tag_name().name()))?;
    text.parse().map_err(|_| format!("{name} {text:?} is no number"))
}

/// The same, where it may be missing.
fn number_or(element: &Node<'_, '_>, name: &str, otherwise: f32) -> Result<f32, String> {
    if element.has_attribute(name) { number(element, name) } else { Ok(otherwise) }
}

impl Canvas {
    /// Of a size in units of the page.
    pub fn new(width: f32, height: f32, scale: f32) -> Result<Canvas, String> {
        let mut pixels =
            Pixmap::new((width * scale).ceil() as u32, (height * scale).ceil() as u32).ok_or("too large")?;
        pixels.fill(Color::WHITE);
        let read = |bytes: &'static [u8]| Font::read(bytes).ok_or("the font cannot be read");
        let fonts = (read(dejavu::sans::regular())?, read(dejavu::sans::bold())?);
        Ok(Canvas { pixels, scale, fonts })
    }

    /// What was painted.
    pub fn pixels(&self) -> &Pixmap {
        &self.pixels
    }

    /// Paints an element.
    pub fn element(&mut self, element: &Node<'_, '_>) -> Result<(), String> {
        let path = match element.tag_name().name() {
            "title" | "desc" => return Ok(()),
            "text" => return self.words(element),
            "path" => straight(element.attribute("d").unwrap_or(""))?,
            "circle" => {
                let (x, y, r) = (number(element, "cx")?, number(element, "cy")?, number(element, "r")?);
                PathBuilder::from_circle(x, y, r)
            }
            "rect" => {
                let (x, y) = (number_or(element, "x", 0.0)?, number_or(element, "y", 0.0)?);
                let rect = Rect::from_xywh(x, y, number(element, "width")?, number(element, "height")?);
                rect.map(PathBuilder::from_rect)
            }
            other => return Err(format!("<{other}> is not painted")),
        };
        // Nothing is seen of a rectangle without width, a line without length.
        path.map_or(Ok(()), |path| self.paint(element, &path, Transform::identity()))
    }

    /// Fills and strokes a path as the element says.
    fn paint(&mut self, element: &Node<'_, '_>, path: &Path, placed: Transform) -> Result<(), String> {
        let placed = placed.post_scale(self.scale, self.scale);
        if let Some(paint) = paint(element, "fill", Some("currentColor"))? {
            self.pixels.fill_path(path, &paint, FillRule::Winding, placed, None);
        }
        if let Some(paint) = paint(element, "stroke", None)? {
            let lengths = element.attribute("stroke-dasharray").unwrap_or("");
            let lengths: Vec<f32> = lengths.split(' ').filter_map(|length| length.parse().ok()).collect();
            let stroke = Stroke {
                width: number_or(element, "stroke-width", 1.0)?,
                line_join: if element.has_attribute("stroke-linejoin") { LineJoin::Round } else { LineJoin::Miter },
                dash: StrokeDash::new(lengths, 0.0),
                ..Stroke::default()
            };
            self.pixels.stroke_path(path, &paint, &stroke, placed, None);
        }
        Ok(())
    }

    fn words(&mut self, element: &Node<'_, '_>) -> Result<(), String> {
        let text: String = element.children().filter(Node::is_text).filter_map(|node| node.text()).collect();
        let size = number_or(element, "font-size", super::super::layout::TEXT as f32)?;
        let font = if element.attribute("font-weight") == Some("bold") { self.fonts.1 } else { self.fonts.0 };
        let aside = match element.attribute("text-anchor") {
            Some("middle") => font.width(&text) * size / 2.0,
            Some("end") => font.width(&text) * size,
            _ => 0.0,
        };
        let (x, y) = (number(element, "x")?, number(element, "y")?);
        let Some(path) = font.words(&text) else { return Ok(()) };
        // The font's letters stand upright on a line at 0, one unit high.
        let mut placed = Transform::from_row(size, 0.0, 0.0, -size, x - aside, y);
        match element.attribute("transform") {
            Some(turned) if turned.starts_with("rotate(-90 ") => {
                placed = placed.post_concat(Transform::from_rotate_at(-90.0, x, y))
            }
            Some(other) => return Err(format!("{other} is not painted")),
            None => {}
        }
        self.paint(element, &path, placed)
    }
}

/// The colour of an attribute with its opacity; `None` for none.
fn paint(element: &Node<'_, '_>, name: &str, otherwise: Option<&str>) -> Result<Option<Paint<'static>>, String> {
    let Some(colour) = element.attribute(name).or(otherwise).filter(|colour| *colour != "none") else {
        return Ok(None);
    };
    let [red, green, blue] = match colour {
        "currentColor" => [0, 0, 0],
        "#fff" => [255; 3],
        hex => {
            let part = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
            let parts = (part(1), part(3), part(5));
            let (Some(red), Some(green), Some(blue)) = parts else { return Err(format!("{hex:?} is no colour")) };
            [red, green, blue]
        }
    };
    let opacity = number_or(element, &format!("{name}-opacity"), 1.0)?;
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
    Ok(Some(paint))
}

/// A path of straight pieces: M, L, H, V, h, v, l, Z.
fn straight(text: &str) -> Result<Option<Path>, String> {
    let mut builder = PathBuilder::new();
    let (mut x, mut y) = (0.0f32, 0.0f32);
    let mut rest = text;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
        let numbers: Result<Vec<f32>, _> =
            rest[1..end].split(' ').filter(|part| !part.is_empty()).map(str::parse).collect();
        let numbers = numbers.map_err(|_| format!("{text:?} is no path"))?;
        match (command, &*numbers) {
            ('M' | 'L', &[to_x, to_y]) => (x, y) = (to_x, to_y),
            ('l', &[by_x, by_y]) => (x, y) = (x + by_x, y + by_y),
            ('H', &[to]) => x = to,
            ('h', &[by]) => x += by,
            ('V', &[to]) => y = to,
            ('v', &[by]) => y += by,
            ('Z', []) => {}
            _ => return Err(format!("{:?} of a path is not painted", &rest[..end])),
        }
        match command {
            'M' => builder.move_to(x, y),
            'Z' => builder.close(),
            _ => builder.line_to(x, y),
        }
        rest = &rest[end..];
    }
    Ok(builder.finish())
}
