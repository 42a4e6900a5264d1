//! A Rust file as the rules see it: code without comments, strings, attributes and tests, and the strings.

use std::ops::Range;

/// A file, split.
pub struct Source {
    /// The text, every byte of a comment, string, attribute or test replaced by a blank; lines are kept.
    pub code: String,
    /// The strings of the code.
    pub strings: Vec<StringLiteral>,
    /// Modules that exist for tests only, in files of their own.
    pub test_modules: Vec<String>,
}

/// A string in the code.
pub struct StringLiteral {
    /// Where it begins in the text, in bytes.
    pub at: usize,
    /// It, with its quotes.
    pub text: String,
}

impl Source {
    /// Splits a file.
    pub fn new(text: &str) -> Source {
        let mut code: Vec<u8> = text.bytes().collect();
        let strings = blank_text(text, &mut code);
        let mut test_modules = Vec::new();
        while let Some(found) = test_item(&code) {
            if let Some(name) = module_name(&code[found.clone()]) {
                test_modules.push(name);
            }
            blank(&mut code, found);
        }
        while let Some(found) = attribute(&code) {
            blank(&mut code, found);
        }
        // What was blanked is no code of ours; its strings do not count either.
        let strings = strings.into_iter().filter(|(range, _)| code[range.start] == MARK);
        let strings = strings.map(|(range, text)| StringLiteral { at: range.start, text }).collect();
        let code = code.into_iter().map(|byte| if byte == MARK { b' ' } else { byte }).collect();
        Source { code: String::from_utf8(code).unwrap_or_default(), strings, test_modules }
    }
}

/// Stands where a string began, until it is known whether it is in the code.
const MARK: u8 = 1;

fn blank(code: &mut [u8], range: Range<usize>) {
    code[range].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// Blanks comments, characters and strings; returns the strings that are text.
fn blank_text(text: &str, code: &mut [u8]) -> Vec<(Range<usize>, String)> {
    let bytes = text.as_bytes();
    let mut strings = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let word_before = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        let end = if rest.starts_with(b"//") {
            at + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            at + find(rest, b"*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw_string(rest).filter(|_| !word_before) {
            at + length
        } else if rest[0] == b'"' {
            at + quoted(rest, b'"')
        } else if rest[0] == b'\'' && is_character(rest) {
            at + quoted(rest, b'\'')
        } else {
            at += 1;
            continue;
        };
        let is_string = matches!(rest[0], b'"' | b'r') && (at == 0 || bytes[at - 1] != b'b');
        blank(code, at..end);
        if is_string {
            code[at] = MARK;
            strings.push((at..end, String::from_utf8_lossy(&bytes[at..end]).into_owned()));
        }
        at = end;
    }
    strings
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// The length of `r#"..."#`.
fn raw_string(bytes: &[u8]) -> Option<usize> {
    let hashes = bytes.strip_prefix(b"r")?.iter().take_while(|&&byte| byte == b'#').count();
    (bytes.get(1 + hashes) == Some(&b'"')).then_some(())?;
    let close = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
    let start = 2 + hashes;
    Some(find(&bytes[start..], &close).map_or(bytes.len(), |end| start + end + close.len()))
}

/// The length of a text in quotes, escapes included.
fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// Whether a quote begins a character and not a lifetime.
fn is_character(bytes: &[u8]) -> bool {
    match bytes.get(1) {
        Some(b'\\') => true,
        Some(byte) if byte.is_ascii() => bytes.get(2) == Some(&b'\''),
        Some(_) => true,
        None => false,
    }
}

/// An item under `#[cfg(test)]`, with the attribute.
fn test_item(code: &[u8]) -> Option<Range<usize>> {
    let start = find(code, b"#[cfg(test)]")?;
    let open = start + code[start..].iter().position(|&byte| matches!(byte, b'{' | b';'))?;
    Some(start..if code[open] == b';' { open + 1 } else { closing(code, open) })
}

fn module_name(item: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(item);
    let name = text.strip_suffix(';')?.rsplit_once("mod ")?.1;
    Some(name.trim().to_owned())
}

fn attribute(code: &[u8]) -> Option<Range<usize>> {
    let start = find(code, b"#[").or_else(|| find(code, b"#!["))?;
    let open = start + code[start..].iter().position(|&byte| byte == b'[')?;
    Some(start..closing(code, open))
}

/// The place after the bracket that closes the one here.
pub fn closing(code: &[u8], open: usize) -> usize {
    let mut depth = 0usize;
    for (at, byte) in code.iter().enumerate().skip(open) {
        match byte {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r##"
//! A "comment" { with a brace.
#[error("words for people")]
fn one<'a>(x: &'a str) -> char {
    let s = "two words"; // "three words here"
    let bytes = b"not a text";
    let raw = r#"raw "text" {"#;
    '{'
}
#[cfg(test)]
mod kept_apart;
#[cfg(test)]
mod tests {
    fn two() { let s = "in a test"; }
}
fn three() {}
"##;

    #[test]
    fn strings_of_the_code_are_kept_with_their_places() {
        let source = Source::new(FILE);
        let line = |at: usize| FILE[..at].lines().count();
        let strings: Vec<(usize, &str)> =
            source.strings.iter().map(|string| (line(string.at), string.text.as_str())).collect();
        assert_eq!(strings, [(5, "\"two words\""), (7, "r#\"raw \"text\" {\"#")]);
        assert_eq!(source.test_modules, ["kept_apart"]);
        assert!(source.code.contains("fn one<'a>(x: &'a str)") && source.code.contains("fn three() {}"));
        assert!(!source.code.contains("two") && !source.code.contains("error") && !source.code.contains("comment"));
        assert_eq!(source.code.lines().count(), FILE.lines().count());
        // The braces that are left belong to the two functions.
        assert_eq!(source.code.matches('{').count(), 2);
    }
}
