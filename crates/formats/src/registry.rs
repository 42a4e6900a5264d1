//! The tables of readers. A new format is one file and one row here; the command line's `--run-format` and
//! `--qrels-format` read them.

use karat_data::{Judgement, LineProblem};

use crate::Dialect;
use crate::known::Known;
use crate::rows::{BlockFacts, Rows};
use crate::{trec_qrels, trec_run};

/// Parses a block of a run: the bytes with their padding, how many of them are lines, and where the rows go.
pub type ParseRun = for<'a> fn(&'a [u8], usize, Dialect, Rows<'a, '_>) -> BlockFacts;

/// A format of runs made of lines.
pub struct RunFormat {
    /// Its name.
    pub name: &'static str,
    /// What it looks like.
    pub about: &'static str,
    /// The topic of a line, for cutting a file between topics.
    pub topic_of: fn(&[u8]) -> Option<&[u8]>,
    /// Parses a block of whole lines.
    pub parse: ParseRun,
}

/// A line of judgements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QrelsLine<'a> {
    /// The topic.
    pub topic: &'a [u8],
    /// The document.
    pub docno: &'a [u8],
    /// What is known of it.
    pub judgement: Judgement,
}

/// Parses a line of judgements if it has the usual shape.
pub type FastQrelsLine = for<'a> fn(&'a [u8], usize, Known<'a>, Dialect) -> Option<(QrelsLine<'a>, usize)>;

/// A format of judgements made of lines.
pub struct QrelsFormat {
    /// Its name.
    pub name: &'static str,
    /// What it looks like.
    pub about: &'static str,
    /// Parses the line that begins at an offset of padded bytes if it has the usual shape and the topic of the line
    /// before; returns where the next line begins.
    pub fast_line: FastQrelsLine,
    /// Parses a line that is neither blank nor a comment.
    pub parse_line: for<'a> fn(&'a [u8], Dialect) -> Result<QrelsLine<'a>, LineProblem>,
}

/// Formats of runs.
pub static RUN_FORMATS: &[&RunFormat] = &[&trec_run::FORMAT];

/// Formats of judgements.
pub static QREL_FORMATS: &[&QrelsFormat] = &[&trec_qrels::FORMAT];
