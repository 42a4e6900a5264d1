//! Why a file of records was not read.

use karat_data::problem::KEPT;
use karat_data::{LineProblem, Problem, Problems};

/// What is wrong with a file, line by line and as a whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Refusal {
    /// The first problems of lines or rows, counted from 0.
    pub lines: Vec<LineProblem>,
    /// How many more there are.
    pub more: u64,
    /// What is wrong with the whole: expected, found, what to do.
    pub whole: Vec<(String, String, String)>,
    /// Whether all that is wrong is that there is nothing in it.
    pub nothing: bool,
}

impl Refusal {
    /// One thing wrong with the whole file.
    pub fn whole(expected: impl Into<String>, found: impl Into<String>, remedy: impl Into<String>) -> Refusal {
        Refusal { whole: vec![(expected.into(), found.into(), remedy.into())], ..Refusal::default() }
    }

    /// Nothing in the file.
    pub fn nothing(expected: &str, found: &str, remedy: &str) -> Refusal {
        Refusal { nothing: true, ..Refusal::whole(expected, found, remedy) }
    }

    /// One thing wrong with a line or row, from 1.
    pub fn line(line: u64, problem: LineProblem) -> Refusal {
        let mut refusal = Refusal::default();
        refusal.push(line, problem);
        refusal
    }

    /// Adds a thing wrong with a line or row, from 1.
    pub fn push(&mut self, line: u64, problem: LineProblem) {
        if self.lines.len() < KEPT {
            let line = u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX);
            self.lines.push(LineProblem { line, ..problem });
        } else {
            self.more += 1;
        }
    }

    /// The problems of lines, as many as there are: those beyond the first are only counted by whoever takes them.
    pub fn lines(&self) -> impl Iterator<Item = LineProblem> + '_ {
        let more = usize::try_from(self.more).unwrap_or(usize::MAX);
        self.lines.iter().cloned().chain(self.lines.last().cloned().into_iter().cycle().take(more))
    }

    /// Whether there is nothing wrong.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.whole.is_empty()
    }

    /// As problems of a file.
    pub fn problems(self, file: &str) -> Problems {
        let mut problems = Problems::default();
        for (expected, found, remedy) in self.whole {
            problems.push(Problem::of_file(file, expected, found, remedy));
        }
        for problem in self.lines {
            problems.push(Problem::of_line(file, 0, problem));
        }
        problems.count_more(self.more);
        problems
    }
}
