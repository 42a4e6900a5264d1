//! Functions that do not fit a screen, counted.

use super::source::closing;

/// Lines that fit a screen, blank ones and comments not counted.
const SCREEN: usize = 40;

/// The first lines of the functions that do not fit a screen.
pub fn long(text: &str, code: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let counts = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let long =
        |range: &(usize, usize)| lines[range.0..=range.1.min(lines.len() - 1)].iter().filter(counts).count() > SCREEN;
    bodies(code).iter().filter(|range| long(range)).map(|range| range.0 + 1).collect()
}

/// The first and the last line, from 0, of every function with a body.
fn bodies(code: &str) -> Vec<(usize, usize)> {
    let bytes = code.as_bytes();
    let line = |at: usize| bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let inside_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if inside_word || !bytes.get(at + 3).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
            continue;
        }
        let Some(end) = code[at..].find(['{', ';']).map(|end| at + end) else { continue };
        if bytes[end] == b'{' {
            found.push((line(at), line(closing(bytes, end) - 1)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forty_lines_fit_and_forty_one_do_not() {
        let function = |lines: usize| format!("fn one() {{\n{}}}\n", "    call();\n".repeat(lines - 2));
        let count = |text: &str| long(text, text).len();
        assert_eq!((count(&function(40)), count(&function(41))), (0, 1));
        // Blank lines and comments are no work to read.
        assert_eq!(count(&function(40).replacen("call();\n", "call();\n\n    // why\n", 1)), 0);
        assert_eq!(count("trait A { fn declared(&self); }\nfn short(f: fn(u8) -> u8) {}\n"), 0);
    }
}
