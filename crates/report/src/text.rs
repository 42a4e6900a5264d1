//! Strings from files, made safe to look at, and their width on a terminal.
//!
//! Run tags and document numbers come from files anyone may have written. An escape sequence in one must not move the
//! cursor or set the window's title, and a direction mark must not reorder the numbers beside it, so every such
//! character is shown as a visible stand-in instead.

use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The string with control and direction characters replaced: C0 by its picture (ESC → ␛), others by �.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().any(|c| stand_in(c).is_some()) {
        Cow::Owned(text.chars().map(|c| stand_in(c).unwrap_or(c)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

fn stand_in(c: char) -> Option<char> {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)),
        '\x7f' => Some('␡'),
        // C1 controls, Arabic letter mark, direction marks, line and paragraph separators, embeddings, isolates,
        // noncharacters (not allowed in HTML).
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fdd0}'..='\u{fdef}' => Some('\u{fffd}'),
        _ if u32::from(c) & 0xfffe == 0xfffe => Some('\u{fffd}'),
        _ => None,
    }
}

/// The lines of a text, each made visible.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.lines().map(visible)
}

/// How many terminal cells a visible string takes.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// The string without its middle, where it takes more cells than this.
pub(crate) fn shortened(text: &str, cells: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    let kept = cells.saturating_sub(1);
    let within = |characters: &mut dyn Iterator<Item = char>, room: usize| -> Vec<char> {
        let mut used = 0;
        let mut fits = |c: &char| {
            used += c.width().unwrap_or(0);
            used <= room
        };
        characters.take_while(|c| fits(c)).collect()
    };
    let end = within(&mut text.chars().rev(), kept / 2);
    let begin = within(&mut text.chars(), kept - kept / 2);
    Cow::Owned(begin.into_iter().chain(['…']).chain(end.into_iter().rev()).collect())
}

/// Appends words, broken before `limit` cells where there is a space; later lines start with `indent` spaces. The
/// first line already holds `indent` cells. A word longer than the limit stays whole.
pub fn wrap(text: &str, limit: Option<u16>, indent: usize, out: &mut String) {
    let Some(limit) = limit.map(usize::from) else { return out.push_str(text) };
    let mut at = indent;
    for (index, word) in text.split(' ').enumerate() {
        let size = width(word);
        if index > 0 {
            if at + 1 + size > limit && at > indent {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent));
                at = indent;
            } else {
                out.push(' ');
                at += 1;
            }
        }
        out.push_str(word);
        at += size;
    }
}

/// The string as HTML and XML show it.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_become_visible() {
        assert_eq!(visible("a\x1b[31mb\n\u{9b}\u{202e}"), "a␛[31mb␊\u{fffd}\u{fffd}");
        assert!(matches!(visible("plain – 文"), Cow::Borrowed(_)));
    }

    #[test]
    fn wide_characters_take_two_cells() {
        assert_eq!((width("ab"), width("文"), width("é–")), (2, 2, 2));
    }

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shortened("10x10.prf.unipd.it", 11), "10x10…pd.it");
        assert_eq!(shortened("10x10.prf.unipd.it", 10), "10x10…d.it");
        assert_eq!(shortened("fits", 4), "fits");
        // A wide character is kept whole or not at all.
        assert_eq!(shortened("文文文文", 6), "文…文");
    }

    #[test]
    fn words_wrap_with_a_hanging_indent() {
        let mut out = String::from("n: ");
        wrap("aa bb cccccccc d", Some(8), 3, &mut out);
        assert_eq!(out, "n: aa bb\n   cccccccc\n   d");
        out.clear();
        wrap("aa bb cccccccc d", None, 3, &mut out);
        assert_eq!(out, "aa bb cccccccc d");
    }
}
