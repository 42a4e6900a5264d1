//! The report: what a study hands to a renderer.

use std::sync::Arc;

use crate::answer::Answer;
use crate::figure::Figure;
use crate::table::Table;

/// Everything one command has to say.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One line, for people.
    pub title: String,
    /// The command that made it, such as `eval`.
    pub command: &'static str,
    /// The version of karat that made it.
    pub version: &'static str,
    /// What the numbers were computed from.
    pub provenance: Provenance,
    /// Warnings and assumptions, one sentence each.
    pub notes: Vec<String>,
    /// The content for people, in reading order.
    pub blocks: Vec<Block>,
    /// What programs read.
    pub answer: Option<Arc<dyn Answer>>,
}

impl Report {
    /// A report with nothing in it yet.
    pub fn new(title: impl Into<String>, command: &'static str, version: &'static str) -> Self {
        Self { title: title.into(), command, version, ..Self::default() }
    }

    /// The typed answer that programs read: JSON, JSON lines and CSV are made from it.
    pub fn answering(mut self, answer: impl Answer + 'static) -> Self {
        self.answer = Some(Arc::new(answer));
        self
    }

    /// One more table.
    pub fn table(self, table: Table) -> Self {
        self.block(Block::Table(table))
    }

    /// One more block.
    pub fn block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// One more note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// One piece of a report.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Block {
    /// A table.
    Table(Table),
    /// A table of exactly one row, shown as a list of heading and value.
    Record(Table),
    /// A picture of what a table of this report says. HTML shows it; other formats leave it out, and the command line writes it
    /// to a file of its own.
    Figure(Figure),
    /// Words for people; line breaks are kept. Programs do not see it.
    Text(String),
}

/// What the numbers were computed from: enough to run it again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// The files read.
    pub inputs: Vec<Input>,
    /// The options in effect, defaults included; names are unique.
    pub options: Vec<(String, OptionValue)>,
    /// The seed of everything random, when something was.
    pub seed: Option<u64>,
}

impl Provenance {
    /// One more file.
    pub fn input(mut self, path: impl Into<String>, bytes: u64, rows: u64) -> Self {
        self.inputs.push(Input { path: path.into(), bytes, rows, format: None });
        self
    }

    /// One more file, in that format; the format is said when it is not TREC's, which goes without saying.
    pub fn input_in(self, format: &str, path: impl Into<String>, bytes: u64, rows: u64) -> Self {
        let mut all = self.input(path, bytes, rows);
        if let Some(input) = all.inputs.last_mut().filter(|_| !matches!(format, "" | "trec")) {
            input.format = Some(format.to_owned());
        }
        all
    }

    /// One more option.
    pub fn option(mut self, name: impl Into<String>, value: impl Into<OptionValue>) -> Self {
        self.options.push((name.into(), value.into()));
        self
    }

    /// The seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }
}

/// A file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// As given on the command line.
    pub path: String,
    /// Its size as stored.
    pub bytes: u64,
    /// The rows read from it.
    pub rows: u64,
    /// Its format, where that does not go without saying.
    pub format: Option<String>,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// A string.
    Text(String),
    /// A number; a whole one is written without a decimal point.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Several values.
    List(Vec<OptionValue>),
}

impl From<&str> for OptionValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for OptionValue {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<f64> for OptionValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<u32> for OptionValue {
    fn from(value: u32) -> Self {
        Self::Number(value.into())
    }
}

impl From<bool> for OptionValue {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl<T: Into<OptionValue>> From<Vec<T>> for OptionValue {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}
