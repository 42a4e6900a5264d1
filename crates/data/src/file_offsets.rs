//! Files of a folder that are one thing, as Spark writes them.
//!
//! The one decision: whoever reads them counts lines through all of them, as if they were one file; where a line is, by the name of its file, is
//! said at the end, here.

use crate::Problems;
use crate::problem::FirstSeen;

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
            problem.first = problem.first.take().map(|first| self.first(first, file));
            (problem.file, problem.line) = (file.to_owned(), Some(line));
        })
    }

    /// An earlier place among the lines of all files, for a problem in `file`.
    pub fn first(&self, first: FirstSeen, file: &str) -> FirstSeen {
        match self.place(first.number) {
            Some((other, number)) => FirstSeen { file: (other != file).then(|| other.to_owned()), number, ..first },
            None => first,
        }
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
        let text = |line: u32, also_line: Option<u32>| {
            let problem = LineProblem { line, also_line, ..LineProblem::new("docno", "each once", "d1", "keep one") };
            starts.placed(Problem::of_line("folder", 0, problem).into()).to_string()
        };
        assert!(text(1, None).starts_with("a:2: docno: expected each once, found d1\n"));
        assert!(text(4, Some(3)).starts_with("b:2: docno: expected each once, found d1; first on line 1\n"));
        assert!(text(4, Some(1)).contains("found d1; first in a, line 2\n"));
    }
}
