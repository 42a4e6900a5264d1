//! The tables of readers. A new format is one file and one row here; detection, the command line's `--run-format` and
//! `--qrels-format`, the guide's page of formats and the tests over all formats read them.

use karat_data::{Judgement, JudgementKind, LineProblem, MarkedRow};

use crate::Dialect;
use crate::block::{Block, Cut, Form, first_field};
use crate::form;
use crate::qrels_lines::Part;
use crate::records::formats as records;
use crate::rows::{BlockFacts, Rows};
use crate::sample::Sample;
use crate::sink::{QrelsRows, RunRows};
use crate::{diversity_qrels, msmarco_run, prels, sampled_qrels, trec_jg, trec_prefs, trec_qrels, trec_run};

/// Parses a block of a run: the bytes with their padding, how many of them are lines, and where the rows go.
pub type ParseRun = for<'a> fn(&'a [u8], usize, Dialect, Rows<'a, '_>) -> BlockFacts;

/// A format of runs.
pub struct RunFormat {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a sentence or two for the guide.
    pub about: &'static str,
    /// Its fields, in a line.
    pub layout: &'static str,
    /// The field of the docno, as problems call it: "docno (field 3)".
    pub docno: &'static str,
    /// The field of the rank, where it is the rank that orders the documents; the score is then its negative.
    pub ordering_rank: Option<&'static str>,
    /// Whether a file that begins so has this format.
    pub recognise: fn(&Sample<'_>) -> bool,
    /// How it is read.
    pub reader: RunReader,
}

/// A line of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunLine<'a> {
    /// The topic.
    pub topic: &'a [u8],
    /// The document.
    pub docno: &'a [u8],
    /// The rank as it is written.
    pub rank: &'a [u8],
    /// The score.
    pub score: f64,
    /// The tag; empty where the format has none.
    pub tag: &'a [u8],
}

/// How a format of runs is read.
pub enum RunReader {
    /// In blocks of whole topics, on several threads.
    Lines {
        /// The topic of a line, for cutting a file between topics.
        topic_of: fn(&[u8]) -> Option<&[u8]>,
        /// Parses a block of whole lines.
        parse: ParseRun,
        /// Parses a line that is neither blank nor a comment.
        parse_line: for<'a> fn(&'a [u8], Dialect) -> Result<RunLine<'a>, LineProblem>,
    },
    /// All of it at once.
    Whole {
        /// Whether it is text (and so may have a byte-order mark, and no zero bytes).
        text: bool,
        /// Takes the file's bytes, decompressed.
        read: fn(&[u8], &mut dyn RunRows),
    },
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

/// Parses any line of judgements that is neither blank nor a comment.
pub type ParseQrelsLine = for<'a> fn(&'a [u8], Dialect) -> Result<QrelsLine<'a>, LineProblem>;

/// Parses a line of judgements that says more than a grade.
pub type ParseMarkedLine = for<'a> fn(&'a [u8]) -> Result<MarkedRow<'a>, LineProblem>;

/// A format of judgements.
pub struct QrelsFormat {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a sentence or two for the guide.
    pub about: &'static str,
    /// Its fields, in a line.
    pub layout: &'static str,
    /// What the file says of a document.
    pub kind: JudgementKind,
    /// The field of the docno, as problems call it: "docno (field 3)".
    pub docno: &'static str,
    /// Whether a file that begins so has this format.
    pub recognise: fn(&Sample<'_>) -> bool,
    /// How it is read.
    pub reader: QrelsReader,
}

/// How a format of judgements is read.
pub enum QrelsReader {
    /// Plain grades, in blocks of whole topics, on several threads.
    Lines {
        /// Parses a block of lines; for each format a loop of its own, so that nothing is called for a line.
        parse: fn(&Block, Dialect) -> Part,
        /// Parses a line that is neither blank nor a comment.
        parse_line: ParseQrelsLine,
    },
    /// Line by line, where a line says more than a grade; the line is neither blank nor a comment.
    Marked(ParseMarkedLine),
    /// All of it at once.
    Whole {
        /// Whether it is text (and so may have a byte-order mark, and no zero bytes).
        text: bool,
        /// Takes the file's bytes, decompressed.
        read: fn(&[u8], &mut dyn QrelsRows),
    },
}

impl QrelsFormat {
    /// What to do about a document that is judged twice.
    pub fn if_judged_twice(&self) -> &'static str {
        match self.reader {
            QrelsReader::Lines { .. } => {
                "keep one of the two; if field 2 is a subtopic, use --qrels-format diversity; if a judge, trec-jg"
            }
            _ => "keep one of the two",
        }
    }
}

impl Form for &'static RunFormat {
    fn cut(&self) -> Cut {
        match self.reader {
            RunReader::Lines { topic_of, .. } => Cut::Topic(topic_of),
            RunReader::Whole { .. } => Cut::Nowhere,
        }
    }

    fn is_text(&self) -> bool {
        !matches!(self.reader, RunReader::Whole { text: false, .. })
    }
}

impl Form for &'static QrelsFormat {
    fn cut(&self) -> Cut {
        match self.reader {
            QrelsReader::Lines { .. } => Cut::Topic(first_field),
            QrelsReader::Marked(_) | QrelsReader::Whole { .. } => Cut::Nowhere,
        }
    }

    fn is_text(&self) -> bool {
        !matches!(self.reader, QrelsReader::Whole { text: false, .. })
    }
}

/// Formats of runs. The first is what files without data count as.
pub static RUN_FORMATS: &[&RunFormat] = &[
    &trec_run::FORMAT,
    &msmarco_run::FORMAT,
    &records::CSV_RUN,
    &records::TSV_RUN,
    &records::JSON_RUN,
    &records::JSONL_RUN,
    &records::PARQUET_RUN,
];

/// Formats of judgements. The first is what files without data count as.
pub static QREL_FORMATS: &[&QrelsFormat] = &[
    &trec_qrels::FORMAT,
    &diversity_qrels::FORMAT,
    &sampled_qrels::FORMAT,
    &prels::FORMAT,
    &trec_prefs::FORMAT,
    &trec_jg::FORMAT,
    &form::LABEL_STUDIO,
    &records::BEIR_QRELS,
    &records::CSV_QRELS,
    &records::TSV_QRELS,
    &records::JSON_QRELS,
    &records::JSONL_QRELS,
    &records::PARQUET_QRELS,
];
