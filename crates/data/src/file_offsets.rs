//! Files of a folder that are one thing, as Spark writes them.
//!
//! The one decision: whoever reads them counts lines through all of them, as if they were one file; where a line is, by the name of its file, is
//! said at the end, here.

use crate::Problems;

/// How readers say that a thing is on an earlier line, or in an earlier row, too.
const FIRST: [(&str, &str); 2] = [("; first on line ", "line"), ("; first in row ", "row")];

/// The first line of each file among the lines of all.
#[derive(Debug, Clone, Default)]
pub struct FileOffsets(Vec<(u64, String)>);

impl FileOffsets {
    /// One more file, after so many lines of others.
    pub fn file(&mut self, name: &str, lines_before: u64) {
        self.0.push((lines_before, name.to_owned()));
    }

    /// Whether there is no file: lines are those of the one that everybody knows of.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The file of a line, and the line in it, both from 1. Nothing before the first file.
    pub fn place(&self, line: u64) -> Option<(&str, u64)> {
        let at = self.0.partition_point(|(start, _)| *start < line).checked_sub(1)?;
        let (start, name) = self.0.get(at)?;
        Some((name, line - start))
    }

    /// Problems of lines through all files, each with its own file.
    pub fn placed(&self, problems: Problems) -> Problems {
        problems.map(|problem| {
            let Some((file, line)) = problem.line.and_then(|line| self.place(line)) else { return };
            problem.found = self.first(&problem.found, file);
            (problem.file, problem.line) = (file.to_owned(), Some(line));
        })
    }

    /// What was found in a file, where that names an earlier line.
    pub fn first(&self, found: &str, file: &str) -> String {
        let told = |(words, unit): (&str, &str)| {
            let (before, after) = found.split_once(words)?;
            let digits = after.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(after.len());
            let (other, line) = self.place(after[..digits].parse().ok()?)?;
            let place =
                if other == file { format!("{words}{line}") } else { format!("; first in {other}, {unit} {line}") };
            Some(format!("{before}{place}{}", &after[digits..]))
        };
        FIRST.into_iter().find_map(told).unwrap_or_else(|| found.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LineProblem, Problem};

    #[test]
    fn lines_through_all_files_are_told_by_file() {
        let mut starts = FileOffsets::default();
        assert_eq!(starts.place(1), None);
        // Files of 3, 0 and 2 lines: line 4 of all is the first of the last.
        for (name, before) in [("a", 0), ("empty", 3), ("b", 3)] {
            starts.file(name, before);
        }
        let places = [1, 3, 4, 5].map(|line| starts.place(line).unwrap());
        assert_eq!(places, [("a", 1), ("a", 3), ("b", 1), ("b", 2)]);
        let said = |line: u32, found: &str| {
            let problem = LineProblem { line, ..LineProblem::new("docno", "each once", found, "keep one") };
            starts.placed(Problem::of_line("folder", 0, problem).into()).to_string()
        };
        assert!(said(1, "d1").starts_with("a:2: docno: expected each once, found d1\n"));
        assert!(
            said(4, "d1 again; first on line 4")
                .starts_with("b:2: docno: expected each once, found d1 again; first on line 1\n")
        );
        assert!(
            said(4, "d1 again; first on line 2 (grade 1)").contains("found d1 again; first in a, line 2 (grade 1)\n")
        );
    }
}
