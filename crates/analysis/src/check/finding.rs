//! One thing worth saying about a file.

use karat_data::problem::Place;
use karat_data::{FileOffsets, Problem};
use karat_report::Cell;

use super::Unit;

/// How bad it is; the worst comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file is refused by every other command.
    Error,
    /// The file is read, and something about it may be a mistake.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// One thing worth saying about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The file.
    pub file: String,
    /// The line where it is, or is first seen.
    pub line: Option<u64>,
    /// The row, where it has no line.
    pub row: Option<u64>,
    /// The field, where it is about one.
    pub field: Option<&'static str>,
    /// What was found.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

impl Finding {
    fn new(severity: Severity, file: &str, what: impl Into<String>, remedy: &str) -> Finding {
        Finding {
            severity,
            file: file.into(),
            line: None,
            row: None,
            field: None,
            what: what.into(),
            remedy: remedy.into(),
        }
    }

    /// An error of the whole file.
    pub fn error(file: &str, what: impl Into<String>, remedy: &str) -> Finding {
        Finding::new(Severity::Error, file, what, remedy)
    }

    /// A warning about the whole file.
    pub fn warning(file: &str, what: impl Into<String>, remedy: &str) -> Finding {
        Finding::new(Severity::Warning, file, what, remedy)
    }

    /// A note about the whole file.
    pub fn note(file: &str, what: impl Into<String>, remedy: &str) -> Finding {
        Finding::new(Severity::Note, file, what, remedy)
    }

    /// The same, seen first on a line, about a field.
    pub fn on(mut self, line: u64, field: &'static str) -> Finding {
        self.line = Some(line);
        self.field = Some(field);
        self
    }

    /// The same, about a field.
    pub fn on_field(mut self, field: &'static str) -> Finding {
        self.field = Some(field);
        self
    }

    /// Says by which file, and by line or row, where it is, after its lines were counted through all files.
    pub(super) fn place(&mut self, unit: Unit, starts: &FileOffsets) {
        if let Some((file, line)) = self.line.and_then(|line| starts.place(line)) {
            self.what = starts.first(&self.what, file);
            (self.file, self.line) = (file.to_owned(), Some(line));
        }
        if unit != Unit::Line {
            self.row = self.line.take().map(|line| if unit == Unit::Row { line } else { line.saturating_sub(1) });
        }
    }

    pub(super) fn row(&self) -> Vec<Cell> {
        vec![
            self.severity.name().into(),
            self.file.as_str().into(),
            self.line.into(),
            self.row.into(),
            self.field.into(),
            self.what.as_str().into(),
            self.remedy.as_str().into(),
        ]
    }
}

impl From<&Problem> for Finding {
    fn from(problem: &Problem) -> Finding {
        let what = format!("expected {}, found {}", problem.expected, problem.found);
        let mut finding = Finding::error(&problem.file, what, &problem.remedy);
        finding.line = problem.line;
        match &problem.place {
            Some(Place::Row { row, .. }) => finding.row = Some(*row),
            Some(keys @ Place::Keys { .. }) => finding.what = format!("{keys}: {}", finding.what),
            None => {}
        }
        finding.field = problem.field;
        finding
    }
}

/// The findings of a file as people read them: a remedy once for a row of findings that share it.
pub(super) fn words(path: &str, kind: &str, findings: &[Finding]) -> String {
    let mut words = format!("{path} ({kind})\n");
    for (place, finding) in findings.iter().enumerate() {
        let line = match (finding.line, finding.row) {
            (Some(line), _) => format!("line {line}: "),
            (None, Some(row)) => format!("row {row}: "),
            (None, None) => String::new(),
        };
        let file = if finding.file == path { String::new() } else { format!("{}: ", finding.file) };
        let field = finding.field.map(|field| format!("{field}: ")).unwrap_or_default();
        words.push_str(&format!("  {}: {file}{line}{field}{}\n", finding.severity.name(), finding.what));
        if findings.get(place + 1).is_none_or(|next| next.remedy != finding.remedy) {
            words.push_str(&format!("    what to do: {}\n", finding.remedy));
        }
    }
    words
}
