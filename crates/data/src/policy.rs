//! The choices made when runs meet judgements. Each is explicit and ends up in the provenance of the answer.

use std::fmt;

/// What to do with topics that were judged but are missing from a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingTopics {
    /// The run retrieved nothing there: it is scored on an empty list.
    #[default]
    Zero,
    /// The topic is left out of that run's mean.
    Skip,
    /// The evaluation stops with an error that names the topics.
    Error,
}

/// How documents with equal scores are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// By docno, largest first, in byte order, as trec_eval does.
    #[default]
    Docno,
    /// As they stand in the file.
    File,
    /// As [`Ties::Docno`], and every order among equal scores is asked about too.
    Range,
}

/// The precision in which scores are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScorePrecision {
    /// As 64-bit numbers (trec_eval 10).
    #[default]
    F64,
    /// Rounded to 32-bit numbers first (trec_eval 9 and everything built on it): more ties.
    F32,
}

/// Everything that decides which ranking a topic's rows become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Order among equal scores.
    pub ties: Ties,
    /// Precision of score comparison.
    pub precision: ScorePrecision,
    /// Only the first so many ranks are kept (before unjudged documents are dropped, as in trec_eval).
    pub depth: Option<usize>,
    /// Unjudged documents are taken out of the ranking.
    pub judged_only: bool,
    /// Judged topics that a run does not have.
    pub missing_topics: MissingTopics,
    /// Whether a document that occurs twice is a problem only when both copies are within `depth` (trec_eval), or
    /// always.
    pub duplicates_below_depth: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            ties: Ties::default(),
            precision: ScorePrecision::default(),
            depth: None,
            judged_only: false,
            missing_topics: MissingTopics::default(),
            duplicates_below_depth: true,
        }
    }
}

impl fmt::Display for MissingTopics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MissingTopics::Zero => "zero",
            MissingTopics::Skip => "skip",
            MissingTopics::Error => "error",
        })
    }
}

impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ties::Docno => "docno",
            Ties::File => "file",
            Ties::Range => "range",
        })
    }
}

impl fmt::Display for ScorePrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScorePrecision::F64 => "float64",
            ScorePrecision::F32 => "float32",
        })
    }
}
