//! Errors in input files: file, line, field, what was found, what was expected, how to fix it.
//!
//! Problems are collected, not thrown: a reader continues where it can, so that the first message lists the first twenty
//! problems and how many more there are. Repetition is avoided: a remedy is printed once after consecutive problems that
//! share it, and a problem that every line of a file has is printed once.

use std::{fmt, io};

use crate::names;

/// How many problems are kept with their text; further ones are only counted.
pub const KEPT: usize = 20;

/// What kind of problem it is, for whoever decides by it. Exit statuses follow it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProblemKind {
    /// The bytes are there and are not what they should be.
    #[default]
    Malformed,
    /// The bytes could not be had (missing file, no permission, device error).
    Unreadable,
    /// A document occurs twice where it may occur once.
    Repeated,
    /// Preferences that contradict each other.
    Contradictory,
    /// Run and judgements have no topic in common.
    NoCommonTopic,
    /// A level of preference below 0.
    NegativeLevel,
    /// NaN where a number belongs.
    NotANumber,
    /// A text where a number belongs, or a number out of range.
    WrongNumber,
}

/// A problem with a line, before it is known in which file and after how many lines the block began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineProblem {
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// Line within the block, from 0.
    pub line: u32,
    /// The earlier line of the block that it clashes with, where there is one.
    pub also_line: Option<u32>,
    /// The field, as people call it ("score"), with its number where it has one.
    pub field: &'static str,
    /// The column, by the name that its owner gave it, where the field does not say it.
    pub column: Option<Box<str>>,
    /// What was expected there.
    pub expected: String,
    /// What was found there.
    pub found: String,
    /// How to fix it.
    pub remedy: Box<str>,
}

/// One thing wrong with one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// The file's name as the user gave it.
    pub file: String,
    /// Line in the file, from 1, where it has one.
    pub line: Option<u64>,
    /// The field, where it is about one.
    pub field: Option<&'static str>,
    /// The column, by the name that its owner gave it, where the field does not say it.
    pub column: Option<String>,
    /// What was expected there.
    pub expected: String,
    /// What was found there.
    pub found: String,
    /// How to fix it.
    pub remedy: String,
    /// The earlier place of a thing that may occur once, where that is the problem.
    pub first: Option<FirstSeen>,
    /// How many problems this one speaks for, itself included.
    pub stands_for: u64,
    /// Whether all lines of the input have it.
    pub everywhere: bool,
    /// Where it is, of inputs that are no files and have no lines.
    pub place: Option<Place>,
}

/// What is counted to say where something is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unit {
    /// Lines of a text, from 1.
    #[default]
    Line,
    /// Rows of a table.
    Row,
}

/// The earlier place of a thing that may occur once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstSeen {
    /// Its file, where that is another one.
    pub file: Option<String>,
    /// What is counted.
    pub unit: Unit,
    /// Which one it is.
    pub number: u64,
}

impl FirstSeen {
    /// A line of the same file, from 1.
    pub fn line(number: u64) -> FirstSeen {
        FirstSeen { file: None, unit: Unit::Line, number }
    }
}

impl fmt::Display for FirstSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FirstSeen { file, unit, number } = self;
        match (file, unit) {
            (None, Unit::Line) => write!(f, "first on line {number}"),
            (None, Unit::Row) => write!(f, "first in row {number}"),
            (Some(file), Unit::Line) => write!(f, "first in {file}, line {number}"),
            (Some(file), Unit::Row) => write!(f, "first in {file}, row {number}"),
        }
    }
}

/// A place in a table in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A row, from 0, and the column where it is about one, by the name its owner gave it.
    Row {
        /// The row.
        row: u64,
        /// The column.
        column: Option<String>,
    },
    /// Keys of a mapping of mappings.
    Keys {
        /// The outer one.
        topic: String,
        /// The inner one.
        document: String,
        /// The column where it is about one, of a table whose rows have no number.
        column: Option<String>,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Row { row, column: None } => write!(f, "row {row}"),
            Place::Row { row, column: Some(column) } => write!(f, "row {row}, column '{}'", names::shown(column)),
            Place::Keys { topic, document, column } => {
                write!(f, "topic '{}', document '{}'", names::shown(topic), names::shown(document))?;
                column.iter().try_for_each(|column| write!(f, ", column '{}'", names::shown(column)))
            }
        }
    }
}

impl LineProblem {
    /// A problem whose line is filled in by whoever counts lines.
    pub fn new(field: &'static str, expected: impl Into<String>, found: impl Into<String>, remedy: &str) -> Self {
        LineProblem {
            kind: ProblemKind::Malformed,
            line: 0,
            also_line: None,
            field,
            column: None,
            expected: expected.into(),
            found: found.into(),
            remedy: remedy.into(),
        }
    }

    /// The same, of another kind.
    pub fn of_kind(self, kind: ProblemKind) -> Self {
        LineProblem { kind, ..self }
    }

    /// The same, about a column that has this name.
    pub fn in_column(self, name: &str) -> Self {
        LineProblem { column: Some(name.into()), ..self }
    }

    /// The same, for a thing that an earlier line has, from 1.
    pub fn first_on(self, line: u64) -> Self {
        let also_line = Some(u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX));
        LineProblem { also_line, ..self }
    }
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
            column: None,
            expected: expected.into(),
            found: found.into(),
            remedy: remedy.into(),
            first: None,
            stands_for: 1,
            everywhere: false,
            place: None,
        }
    }

    /// A file that cannot be read, in the words of the system.
    pub fn unreadable(
        file: &str,
        expected: impl Into<String>,
        error: &io::Error,
        remedy: impl Into<String>,
    ) -> Problem {
        let kind = ProblemKind::Unreadable;
        Problem { kind, ..Problem::of_file(file, expected, system_message(error), remedy) }
    }

    /// A problem of a line, placed: `lines_before` lines of the file come before the block it was found in.
    pub fn of_line(file: &str, lines_before: u64, problem: LineProblem) -> Problem {
        let line = |line: u32| lines_before + u64::from(line) + 1;
        Problem {
            kind: problem.kind,
            line: Some(line(problem.line)),
            field: Some(problem.field),
            column: problem.column.map(Into::into),
            first: problem.also_line.map(|also| FirstSeen::line(line(also))),
            ..Problem::of_file(file, problem.expected, problem.found, problem.remedy)
        }
    }

    /// What was found there, and where it was first.
    pub fn found_text(&self) -> String {
        let mut text = self.found.clone();
        if let Some(first) = &self.first {
            text.push_str(&format!("; {first}"));
        }
        if self.everywhere {
            let unit = if self.place.is_some() { "rows" } else { "lines of the file" };
            text.push_str(&format!("; all {} {unit} have this problem", self.stands_for));
        }
        text
    }

    /// Place and problem, without the remedy. System errors are worded as the system words them.
    fn fmt_what(&self, f: &mut impl fmt::Write) -> fmt::Result {
        if self.kind == ProblemKind::Unreadable {
            return write!(f, "{}: {}", self.found, names::shown(&self.file));
        }
        write!(f, "{}", names::shown(&self.file))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(place) = &self.place {
            write!(f, ", {place}")?;
        }
        if let Some(field) = self.field {
            write!(f, ": {field}")?;
        }
        write!(f, ": expected {}, found {}", self.expected, self.found_text())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_what(f)?;
        write!(f, "\nhelp: {}", self.remedy)
    }
}

/// A list of problems; not empty when it is returned as an error.
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

    /// Adds another collection's of the same file, in the order of lines; those of the whole file come first.
    pub fn merge_by_line(&mut self, other: Problems) {
        self.total += other.total;
        self.kept.extend(other.kept);
        self.kept.sort_by_key(|problem| problem.line);
        self.kept.truncate(KEPT);
    }

    /// For problems placed within a block: `lines_before` lines of the file come before it.
    pub fn after_lines(mut self, lines_before: u64) -> Problems {
        for problem in &mut self.kept {
            let first = problem.first.as_mut().filter(|first| first.file.is_none()).map(|first| &mut first.number);
            problem.line.as_mut().into_iter().chain(first).for_each(|line| *line += lines_before);
        }
        self
    }

    /// Keeps one problem for all where every line of a file has the same one. Only a reader that found no valid line may
    /// call it; it does nothing when problems differ.
    pub fn say_once(&mut self) {
        let Some((first, others)) = self.kept.split_first_mut() else { return };
        let alike = |other: &Problem| (&other.field, &other.remedy) == (&first.field, &first.remedy);
        if self.total < 2 || first.line.is_none() || !others.iter().all(alike) {
            return;
        }
        first.everywhere = true;
        first.stands_for = self.total;
        self.kept.truncate(1);
    }

    /// The same, each changed so.
    pub fn map(mut self, change: impl FnMut(&mut Problem)) -> Problems {
        self.kept.iter_mut().for_each(change);
        self
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

impl Problems {
    /// All kept problems, each after `prefix`, with their remedies.
    ///
    /// # Errors
    /// `f` cannot be written.
    pub fn fmt_prefixed(&self, prefix: &str, f: &mut impl fmt::Write) -> fmt::Result {
        for (position, problem) in self.kept.iter().enumerate() {
            if position > 0 {
                writeln!(f)?;
            }
            f.write_str(prefix)?;
            problem.fmt_what(f)?;
            if self.kept.get(position + 1).is_none_or(|next| next.remedy != problem.remedy) {
                write!(f, "\nhelp: {}", problem.remedy)?;
            }
        }
        let more = self.total - self.kept.iter().map(|problem| problem.stands_for).sum::<u64>();
        if more > 0 {
            write!(f, "\n... and {more} more problem{}", if more == 1 { "" } else { "s" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_prefixed("", f)
    }
}

impl std::error::Error for Problems {}

/// A system error in the system's words, without its number.
pub fn system_message(error: &io::Error) -> String {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(number) => text.trim_end_matches(&format!(" (os error {number})")).to_owned(),
        None => text,
    }
}

/// Bytes of a file as a message may show them: quoted, cut at 60 characters. What could act on a terminal or is not
/// UTF-8 is escaped.
pub fn quote(bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let mut out = String::from("\"");
    let mut count = 0;
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid().chars().map(Ok);
        for piece in valid.chain(chunk.invalid().iter().map(Err)) {
            if count == SHOWN {
                out.push_str("\"...");
                return out;
            }
            count += 1;
            match piece {
                Ok(character) if character == '"' || names::acts(character) => out.extend(character.escape_default()),
                Ok(character) => out.push(character),
                Err(byte) => out.push_str(&format!("\\x{byte:02x}")),
            }
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
                LineProblem { line, ..LineProblem::new("score (field 5)", "a number", "\"x\"", "correct it") },
            ));
        }
        let text = problems.to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 22);
        assert_eq!(lines[0], "a.run:101: score (field 5): expected a number, found \"x\"");
        assert_eq!(lines[19], "a.run:120: score (field 5): expected a number, found \"x\"");
        // The remedy they share comes once, after the last of them.
        assert_eq!(lines[20], "help: correct it");
        assert_eq!(lines[21], "... and 3 more problems");
        assert_eq!(problems.kept().len(), 20);
        assert_eq!(problems.total(), 23);
    }

    #[test]
    fn a_problem_of_every_line_is_said_once_and_different_ones_are_not() {
        let of = |line: u32, remedy: &str| {
            Problem::of_line("q", 0, LineProblem { line, ..LineProblem::new("fields", "6 fields", "4", remedy) })
        };
        let mut alike = Problems::default();
        (0..50).for_each(|line| alike.push(of(line, "swap the files")));
        alike.say_once();
        let said =
            "q:1: fields: expected 6 fields, found 4; all 50 lines of the file have this problem\nhelp: swap the files";
        assert_eq!((alike.to_string().as_str(), alike.total()), (said, 50));
        let mut different = Problems::default();
        (0..3).for_each(|line| different.push(of(line, ["a", "b", "b"][line as usize])));
        different.say_once();
        assert_eq!(different.kept().len(), 3);
        assert_eq!(different.to_string().matches("help: ").count(), 2);
    }

    #[test]
    fn system_errors_are_worded_as_the_system_words_them() {
        // ENOENT is 2 on every Unix.
        let missing = io::Error::from_raw_os_error(2);
        let problem = Problem::unreadable("qq", "a readable file", &missing, "check the path");
        assert_eq!(problem.to_string(), "No such file or directory: qq\nhelp: check the path");
    }

    #[test]
    fn every_problem_has_the_prefix_and_a_shared_remedy_comes_once() {
        let of = |line| {
            Problem::of_line("a", 0, LineProblem { line, ..LineProblem::new("score", "a number", "x", "fix it") })
        };
        let mut problems = Problems::default();
        (0..2).for_each(|line| problems.push(of(line)));
        let mut text = String::new();
        problems.fmt_prefixed("error: ", &mut text).unwrap();
        let said = "error: a:1: score: expected a number, found x\nerror: a:2: score: expected a number, found x\nhelp: fix it";
        assert_eq!(text, said);
    }

    #[test]
    fn a_clash_names_both_lines_in_the_file() {
        let clash =
            LineProblem { line: 5, also_line: Some(2), ..LineProblem::new("docno", "once", "\"d\" again", "-") };
        assert_eq!(Problem::of_line("a", 100, clash).found_text(), "\"d\" again; first on line 103");
    }

    #[test]
    fn quoting_escapes_and_cuts() {
        assert_eq!(quote(b"a\tb\"\x1b[31m"), "\"a\\tb\\\"\\u{1b}[31m\"");
        assert_eq!(quote(&[b'x'; 100]), format!("\"{}\"...", "x".repeat(60)));
        assert_eq!(quote(&[b'a', 0xff, 0xe2, 0x80]), "\"a\\xff\\xe2\\x80\"");
        assert_eq!(quote("\u{feff}1\u{202e}".as_bytes()), "\"\\u{feff}1\\u{202e}\"");
    }
}
