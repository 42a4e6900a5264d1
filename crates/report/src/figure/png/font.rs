//! A TrueType font: which outline a character has, and how wide it is.
//!
//! As much of the format as one known font needs (OpenType 1.9: cmap formats 4 and 12, head, hhea, hmtx, loca, glyf); no hints, no
//! kerning. Whatever is not as expected is a missing letter, never a panic.

use tiny_skia::{Path, PathBuilder, Transform};

/// A font that was read.
#[derive(Clone, Copy)]
pub struct Font<'a> {
    cmap: &'a [u8],
    /// Where the mapping of characters is within `cmap`, and its format.
    mapping: (usize, u16),
    glyf: &'a [u8],
    loca: &'a [u8],
    long_places: bool,
    hmtx: &'a [u8],
    widths: usize,
    units: f32,
}

/// Parts within parts at most.
const DEEPEST: u8 = 4;

fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(data.get(at..at + 2)?.try_into().ok()?))
}

fn i16_at(data: &[u8], at: usize) -> Option<i16> {
    Some(i16::from_be_bytes(data.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(data.get(at..at + 4)?.try_into().ok()?))
}

/// A number with fourteen bits after the point.
fn f2dot14_at(data: &[u8], at: usize) -> Option<f32> {
    Some(f32::from(i16_at(data, at)?) / 16384.0)
}

impl<'a> Font<'a> {
    /// Reads a font; `None` where it is not one that is understood.
    pub fn read(data: &'a [u8]) -> Option<Font<'a>> {
        let tables = usize::from(u16_at(data, 4)?);
        let table = |name: &[u8; 4]| {
            let record = (0..tables).map(|at| 12 + 16 * at).find(|&at| data.get(at..at + 4) == Some(name))?;
            let (start, length) = (u32_at(data, record + 8)? as usize, u32_at(data, record + 12)? as usize);
            data.get(start..start.checked_add(length)?)
        };
        let (head, hhea, cmap) = (table(b"head")?, table(b"hhea")?, table(b"cmap")?);
        let mappings = (0..usize::from(u16_at(cmap, 2)?)).filter_map(|at| {
            let place = u32_at(cmap, 4 + 8 * at + 4)? as usize;
            Some((place, u16_at(cmap, place)?))
        });
        Some(Font {
            cmap,
            mapping: mappings.filter(|(_, format)| matches!(format, 4 | 12)).max_by_key(|(_, format)| *format)?,
            glyf: table(b"glyf")?,
            loca: table(b"loca")?,
            long_places: i16_at(head, 50)? == 1,
            hmtx: table(b"hmtx")?,
            widths: usize::from(u16_at(hhea, 34)?),
            units: f32::from(u16_at(head, 18)?),
        })
    }

    /// How wide words are at size 1.
    pub fn width(&self, text: &str) -> f32 {
        text.chars().map(|c| self.advance(self.glyph(c))).sum()
    }

    /// The outlines of words at size 1, standing on a line at 0; `None` where there is nothing to be seen.
    pub fn words(&self, text: &str) -> Option<Path> {
        let mut builder = PathBuilder::new();
        let mut x = 0.0;
        for c in text.chars() {
            let glyph = self.glyph(c);
            let mut letter = PathBuilder::new();
            // A letter whose outline breaks off is shown as far as it goes.
            let _ = self.outline(glyph, DEEPEST, &mut letter);
            let placed = Transform::from_row(1.0 / self.units, 0.0, 0.0, 1.0 / self.units, x, 0.0);
            if let Some(path) = letter.finish().and_then(|path| path.transform(placed)) {
                builder.push_path(&path);
            }
            x += self.advance(glyph);
        }
        builder.finish()
    }

    fn advance(&self, glyph: u16) -> f32 {
        // Glyphs beyond the last width have the last.
        let place = usize::from(glyph).min(self.widths.saturating_sub(1));
        u16_at(self.hmtx, 4 * place).map_or(0.0, |width| f32::from(width) / self.units)
    }

    /// The glyph of a character; 0, the box, where the font has none.
    fn glyph(&self, c: char) -> u16 {
        let (place, format) = self.mapping;
        let found = self.cmap.get(place..).and_then(|table| match format {
            12 => by_groups(table, u32::from(c)),
            _ => by_segments(table, u32::from(c)),
        });
        found.unwrap_or(0)
    }

    fn outline(&self, glyph: u16, depth: u8, builder: &mut PathBuilder) -> Option<()> {
        let place = |at: usize| match self.long_places {
            true => u32_at(self.loca, 4 * at).map(|place| place as usize),
            false => u16_at(self.loca, 2 * at).map(|place| 2 * usize::from(place)),
        };
        let data = self.glyf.get(place(glyph.into())?..place(usize::from(glyph) + 1)?)?;
        match i16_at(data, 0) {
            Some(contours @ 0..) => simple(data, contours as usize, builder),
            Some(_) => self.composite(data, depth.checked_sub(1)?, builder),
            None => Some(()),
        }
    }

    /// A glyph made of others, such as a letter and its accent.
    fn composite(&self, data: &[u8], depth: u8, builder: &mut PathBuilder) -> Option<()> {
        let mut at = 10;
        loop {
            let (flags, glyph) = (u16_at(data, at)?, u16_at(data, at + 2)?);
            at += 4;
            let (dx, dy) = if flags & 1 != 0 {
                at += 4;
                (f32::from(i16_at(data, at - 4)?), f32::from(i16_at(data, at - 2)?))
            } else {
                at += 2;
                let byte = |at: usize| data.get(at).map(|&byte| f32::from(byte.cast_signed()));
                (byte(at - 2)?, byte(at - 1)?)
            };
            let (mut a, mut b, mut c, mut d) = (1.0, 0.0, 0.0, 1.0);
            if flags & 0x08 != 0 {
                (a, d) = (f2dot14_at(data, at)?, f2dot14_at(data, at)?);
                at += 2;
            } else if flags & 0x40 != 0 {
                (a, d) = (f2dot14_at(data, at)?, f2dot14_at(data, at + 2)?);
                at += 4;
            } else if flags & 0x80 != 0 {
                (a, b) = (f2dot14_at(data, at)?, f2dot14_at(data, at + 2)?);
                (c, d) = (f2dot14_at(data, at + 4)?, f2dot14_at(data, at + 6)?);
                at += 8;
            }
            let mut part = PathBuilder::new();
            self.outline(glyph, depth, &mut part)?;
            let placed = Transform::from_row(a, b, c, d, dx, dy);
            if let Some(path) = part.finish().and_then(|path| path.transform(placed)) {
                builder.push_path(&path);
            }
            if flags & 0x20 == 0 {
                return Some(());
            }
        }
    }
}

/// cmap format 12: groups of characters.
fn by_groups(table: &[u8], c: u32) -> Option<u16> {
    let groups = u32_at(table, 12)? as usize;
    let group = (0..groups).map(|at| 16 + 12 * at).find(|&at| u32_at(table, at + 4).is_some_and(|end| c <= end))?;
    let start = u32_at(table, group)?;
    u16::try_from(u32_at(table, group + 8)?.checked_add(c.checked_sub(start)?)?).ok()
}

/// cmap format 4: segments of the first 65,536 characters.
fn by_segments(table: &[u8], c: u32) -> Option<u16> {
    let c = u16::try_from(c).ok()?;
    let twice = usize::from(u16_at(table, 6)?);
    let at = (0..twice).step_by(2).find(|&at| u16_at(table, 14 + at).is_some_and(|end| c <= end))?;
    let start = u16_at(table, 16 + twice + at)?;
    let (delta, range) = (u16_at(table, 16 + 2 * twice + at)?, 16 + 3 * twice + at);
    let offset = usize::from(u16_at(table, range)?);
    let within = usize::from(c.checked_sub(start)?);
    if offset == 0 {
        return Some(c.wrapping_add(delta));
    }
    u16_at(table, range + offset + 2 * within).filter(|&glyph| glyph != 0).map(|glyph| glyph.wrapping_add(delta))
}

/// A point of a contour and whether it lies on it.
type Point = (f32, f32, bool);

/// A glyph with contours of its own.
fn simple(data: &[u8], contours: usize, builder: &mut PathBuilder) -> Option<()> {
    let ends: Vec<usize> = (0..contours).map(|at| u16_at(data, 10 + 2 * at).map(usize::from)).collect::<Option<_>>()?;
    let Some(points) = ends.last().map(|last| last + 1) else { return Some(()) };
    let instructions = 10 + 2 * contours;
    let (flags, mut at) = flags(data, instructions + 2 + usize::from(u16_at(data, instructions)?), points)?;
    let mut along = |short: u8, same: u8| -> Option<Vec<f32>> {
        let mut value = 0i32;
        let one = |flag: &u8| {
            if flag & short != 0 {
                let step = i32::from(*data.get(at)?);
                at += 1;
                value += if flag & same != 0 { step } else { -step };
            } else if flag & same == 0 {
                value += i32::from(i16_at(data, at)?);
                at += 2;
            }
            Some(value as f32)
        };
        flags.iter().take(points).map(one).collect()
    };
    let (xs, ys) = (along(2, 16)?, along(4, 32)?);
    let mut start = 0;
    for end in ends {
        let contour: Vec<Point> = (start..=end)
            .map(|at| Some((*xs.get(at)?, *ys.get(at)?, flags.get(at)? & 1 != 0)))
            .collect::<Option<_>>()?;
        contour_of(&contour, builder);
        start = end + 1;
    }
    Some(())
}

/// The flags of so many points, and where they end.
fn flags(data: &[u8], mut at: usize, points: usize) -> Option<(Vec<u8>, usize)> {
    let mut flags = Vec::with_capacity(points);
    while flags.len() < points {
        let flag = *data.get(at)?;
        at += 1;
        let mut times = 1;
        if flag & 8 != 0 {
            times += usize::from(*data.get(at)?);
            at += 1;
        }
        flags.extend(std::iter::repeat_n(flag, times));
    }
    Some((flags, at))
}

/// Quadratic pieces; between two points off the contour the middle lies on it.
fn contour_of(points: &[Point], builder: &mut PathBuilder) {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return };
    let middle = |a: Point, b: Point| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let start = if first.2 {
        (first.0, first.1)
    } else if last.2 {
        (last.0, last.1)
    } else {
        middle(first, last)
    };
    builder.move_to(start.0, start.1);
    let mut control: Option<Point> = None;
    for &point in points {
        match (control, point.2) {
            (None, true) => builder.line_to(point.0, point.1),
            (Some(off), true) => builder.quad_to(off.0, off.1, point.0, point.1),
            (Some(off), false) => {
                let on = middle(off, point);
                builder.quad_to(off.0, off.1, on.0, on.1);
            }
            (None, false) => {}
        }
        control = (!point.2).then_some(point);
    }
    if let Some(off) = control {
        builder.quad_to(off.0, off.1, start.0, start.1);
    }
    builder.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_as_wide_and_high_as_the_font_says() {
        let font = Font::read(dejavu::sans::regular()).unwrap();
        // DejaVu Sans has 2048 units: a figure is 1303 of them wide, a space 651.
        assert!((font.width("0") - 1303.0 / 2048.0).abs() < 1e-6 && (font.width(" ") - 651.0 / 2048.0).abs() < 1e-6);
        // A capital H stands on the line and is 1493 units high.
        let bounds = font.words("H").unwrap().bounds();
        assert!(bounds.top() == 0.0 && (bounds.bottom() - 1493.0 / 2048.0).abs() < 1e-6, "{bounds:?}");
        // An accent makes it higher; what has no letter is a box; nothing is to be seen of a space.
        assert!(font.words("É").unwrap().bounds().bottom() > bounds.bottom());
        assert!(font.words("文").is_some() && font.words(" ").is_none() && font.words("").is_none());
        assert_ne!(font.glyph('▲'), 0);
    }

    #[test]
    fn a_broken_font_is_no_font_and_no_panic() {
        let whole = dejavu::sans::regular();
        for length in (0..2000).chain((2000..whole.len()).step_by(10_007)) {
            if let Some(font) = Font::read(&whole[..length]) {
                let _ = (font.width("aÉ文"), font.words("aÉ文"));
            }
        }
    }
}
