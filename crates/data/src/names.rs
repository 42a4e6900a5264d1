//! Names from files as text: topics, tags, paths are bytes, and people and programs are shown text.

/// The name as text that stands for these bytes alone: UTF-8 as it is, any other byte as `\xNN`. Two names that differ
/// stay different.
pub fn text(name: &[u8]) -> String {
    let mut out = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out
}

/// Text as a message may show it: what could act on a terminal (controls, direction marks, line separators) is escaped.
pub fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if acts(character) {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}

/// Characters that do something other than be seen.
pub(crate) fn acts(character: char) -> bool {
    let marks = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || marks || matches!(character, '\u{feff}' | '\u{e0001}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_stay_different() {
        assert_eq!(text(b"caf\xe9"), "caf\\xe9");
        assert_ne!(text(b"\xe9"), text(b"\xe8"));
        assert_eq!(text("café".as_bytes()), "café");
        assert_eq!(shown("a\u{1b}[31m\nb"), "a\\u{1b}[31m\\nb");
    }
}
