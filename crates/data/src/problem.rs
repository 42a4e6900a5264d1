//! What is wrong with an input, said so that it can be mended: file, line, field, what was found, what was expected,
//! what to do.
//!
//! Problems are collected, not thrown: a reader goes on where it can, so that the first answer names the first twenty
//! problems and how many more there are.

use std::fmt;

/// How many problems are kept with their text; further ones are only counted.
pub const KEPT: usize = 20;

/// Whether an input could not be read at all, or was read and is wrong. The command line's exit status follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// The bytes could not be had (missing file, no permission, device error).
    Unreadable,
    /// The bytes are there and are not what they should be.
    Malformed,
}

/// A problem with a line, before it is known in which file and after how many lines the block began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineProblem {
    /// Line within the block, from 0.
    pub line: u32,
    /// The field, as people call it ("score"), with its number where it has one.
    pub field: &'static str,
    /// What was expected there.
    pub expected: String,
    /// What was found there.
    pub found: String,
    /// What to do about it.
    pub remedy: String,
}

/// One thing wrong with one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Unreadable or malformed.
    pub kind: ProblemKind,
    /// The file's name as the user gave it.
    pub file: String,
    /// Line in the file, from 1, where it has one.
    pub line: Option<u64>,
    /// The field, where it is about one.
    pub field: Option<&'static str>,
    /// What was expected there.
    pub expected: String,
    /// What was found there.
    pub found: String,
    /// What to do about it.
    pub remedy: String,
}

impl Problem {
    /// A problem of the whole file.
    pub fn of_file(
        file: &str,
        expected: impl Into<String>,
        found: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Problem {
        Problem {
            kind: ProblemKind::Malformed,
            file: file.to_owned(),
            line: None,
            field: None,
            expected: expected.into(),
            found: found.into(),
            remedy: remedy.into(),
        }
    }

    /// A problem of a line, placed: `lines_before` lines of the file come before the block it was found in.
    pub fn of_line(file: &str, lines_before: u64, problem: LineProblem) -> Problem {
        Problem {
            kind: ProblemKind::Malformed,
            file: file.to_owned(),
            line: Some(lines_before + u64::from(problem.line) + 1),
            field: Some(problem.field),
            expected: problem.expected,
            found: problem.found,
            remedy: problem.remedy,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(field) = self.field {
            write!(f, ": {field}")?;
        }
        write!(f, ": expected {}, found {}\n  what to do: {}", self.expected, self.found, self.remedy)
    }
}

/// All that is wrong: never empty when it is an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    kept: Vec<Problem>,
    total: u64,
}

impl Problems {
    /// Adds one.
    pub fn push(&mut self, problem: Problem) {
        self.total += 1;
        if self.kept.len() < KEPT {
            self.kept.push(problem);
        }
    }

    /// Adds another collection's.
    pub fn extend(&mut self, other: Problems) {
        self.total += other.total;
        let room = KEPT - self.kept.len();
        self.kept.extend(other.kept.into_iter().take(room));
    }

    /// Counts `more` problems whose texts were not kept.
    pub fn count_more(&mut self, more: u64) {
        self.total += more;
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The first ones, with their texts.
    pub fn kept(&self) -> &[Problem] {
        &self.kept
    }

    /// How many there are in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// `Ok(())` when there is none.
    ///
    /// # Errors
    /// The problems themselves.
    pub fn into_result(self) -> Result<(), Problems> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Problems {
        Problems { kept: vec![problem], total: 1 }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, problem) in self.kept.iter().enumerate() {
            if position > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        let more = self.total - self.kept.len() as u64;
        if more > 0 {
            write!(f, "\n... and {more} more problem{}", if more == 1 { "" } else { "s" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Bytes of a file as a message may show them: quoted, control bytes and what is not UTF-8 escaped, cut at 60
/// characters.
pub fn quote(bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN * 4)]);
    let mut out = String::from("\"");
    for (count, character) in text.chars().enumerate() {
        if count == SHOWN {
            out.push_str("\"...");
            return out;
        }
        if character.is_control() || character == '"' {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_are_shown_and_the_rest_counted() {
        let mut problems = Problems::default();
        for line in 0..23 {
            problems.push(Problem::of_line(
                "a.run",
                100,
                LineProblem {
                    line,
                    field: "score (field 5)",
                    expected: "a number".into(),
                    found: "\"x\"".into(),
                    remedy: "correct it".into(),
                },
            ));
        }
        let text = problems.to_string();
        assert!(
            text.starts_with("a.run:101: score (field 5): expected a number, found \"x\"\n  what to do: correct it\n")
        );
        assert!(text.ends_with("... and 3 more problems"), "{text}");
        assert_eq!(problems.kept().len(), 20);
        assert_eq!(problems.total(), 23);
    }

    #[test]
    fn quoting_escapes_and_cuts() {
        assert_eq!(quote(b"a\tb\"\x1b[31m"), "\"a\\tb\\\"\\u{1b}[31m\"");
        assert_eq!(quote(&[b'x'; 100]), format!("\"{}\"...", "x".repeat(60)));
        assert_eq!(quote(&[0xff]), "\"\u{fffd}\"");
    }
}
