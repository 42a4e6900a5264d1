//! One thing worth reporting about a file.

use karat_data::problem::{FirstSeen, Place};
use karat_data::{FileOffsets, JudgementKind, Problem, State, problem};
use schemars::JsonSchema;
use serde::Serialize;

use super::Unit;

/// How bad it is; the worst comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Every other command refuses the file.
    Error,
    /// The file is read, but something may be a mistake.
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

/// One thing worth reporting about a file.
#[derive(Debug, Clone, PartialEq)]
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
    pub field: Option<Field>,
    /// What is counted in the file.
    pub unit: Unit,
    /// What was found.
    pub kind: FindingKind,
}

/// A field of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The topic of a TREC run.
    Topic,
    /// The rank of a TREC run.
    Rank,
    /// The score of a TREC run.
    Score,
    /// The tag of a TREC run.
    Tag,
    /// As its format calls it.
    Named(&'static str),
}

/// What can be found in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum FindingKind {
    /// The reader refuses a line or the file.
    Problem(Box<Problem>),
    /// Errors that are not listed.
    MoreErrors(u64),
    /// No file of a folder has any row.
    EmptyFolder,
    /// Lines with a carriage return before the line feed.
    CarriageReturns(u64),
    /// Lines whose docno is not UTF-8.
    NotUtf8(u64),
    /// Something odd about judgements.
    Qrels(QrelsFinding),
    /// Something odd about a run.
    Run(RunFinding),
    /// Something odd about files that are checked together.
    Across(AcrossFinding),
    /// Something odd about labels.
    Labels(LabelsFinding),
}

/// What can be found in judgements.
#[derive(Debug, Clone, PartialEq)]
pub enum QrelsFinding {
    /// A document is judged twice for a topic.
    Repeated {
        /// The document.
        docno: Vec<u8>,
        /// The earlier judgement.
        first: FirstSeen,
        /// Grade of the earlier and of this one, where they differ.
        grades: Option<(f64, f64)>,
        /// What the format says to do.
        remedy: &'static str,
    },
    /// Judgements that are not plain grades.
    Kind {
        /// What they are.
        kind: JudgementKind,
        /// Subtopics, strata, methods or groups.
        groups: Vec<Vec<u8>>,
        /// Documents drawn, and all documents, of a stratified sample.
        drawn: Option<(u64, u64)>,
    },
    /// Topics without a relevant document.
    NoRelevant(Vec<Vec<u8>>),
    /// Rows with a negative grade.
    NegativeGrades(u64),
    /// Grades with a fraction.
    Fractions(u64),
}

/// What can be found in a run.
#[derive(Debug, Clone, PartialEq)]
pub enum RunFinding {
    /// A document occurs twice for a topic.
    RepeatedDocument {
        /// The document.
        docno: Vec<u8>,
        /// The topic.
        topic: Vec<u8>,
        /// The earlier row.
        first: FirstSeen,
    },
    /// A rank occurs twice for a topic where ranks order the documents.
    RepeatedRank {
        /// The rank.
        rank: i64,
        /// The topic.
        topic: Vec<u8>,
        /// The earlier row.
        first: FirstSeen,
    },
    /// The ranks or scores of some topics are odd.
    Order {
        /// What is odd.
        order: OddOrder,
        /// Whether ranks, not scores, order the documents.
        by_rank: bool,
        /// The topics.
        topics: Vec<Vec<u8>>,
        /// All topics of the run.
        all_topics: u64,
    },
    /// Ranks that are not whole numbers.
    OddRanks(u64),
    /// The tag changes within the file.
    TagChanges {
        /// How often.
        times: u64,
        /// The last tag.
        last: Vec<u8>,
    },
    /// Rows of a topic are not consecutive.
    ScatteredTopics(u64),
    /// Documents whose score another document of the topic has too.
    Ties {
        /// These documents.
        tied: u64,
        /// All documents.
        documents: u64,
    },
}

/// What may be odd about the order of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OddOrder {
    /// A higher rank has a lower score.
    RanksContradictScores,
    /// A score is larger than that of the row before.
    ScoresRise,
    /// Ranks begin at 0.
    RanksFromZero,
    /// Ranks are missing.
    RanksHaveGaps,
    /// A rank occurs twice.
    RankTwice,
    /// Rows are not in the order of ranks.
    Unsorted,
}

/// What can be found by comparing files.
#[derive(Debug, Clone, PartialEq)]
pub enum AcrossFinding {
    /// Run and judgements have no topic in common.
    NoCommonTopic {
        /// The judgements.
        qrels: String,
        /// Topics of the run.
        here: Vec<Vec<u8>>,
        /// Topics of the judgements.
        there: Vec<Vec<u8>>,
    },
    /// Judged topics that the run does not have.
    MissingTopics {
        /// The judgements.
        qrels: String,
        /// These topics.
        topics: Vec<Vec<u8>>,
    },
    /// Topics of the run that are not judged.
    UnjudgedTopics {
        /// The judgements.
        qrels: String,
        /// These topics.
        topics: Vec<Vec<u8>>,
    },
    /// A topic that may be written differently in the two files.
    WrittenDifferently {
        /// The judgements.
        qrels: String,
        /// The topic in the run.
        here: Vec<u8>,
        /// The topic in the judgements.
        there: Vec<u8>,
    },
    /// Topics of another run that this one does not have.
    TopicsOfOther {
        /// The other run.
        other: String,
        /// These topics.
        topics: Vec<Vec<u8>>,
    },
    /// Topics that another run does not have.
    TopicsNotInOther {
        /// The other run.
        other: String,
        /// These topics.
        topics: Vec<Vec<u8>>,
    },
    /// Another run has the same tag.
    SameTag {
        /// The other run.
        other: String,
        /// The tag.
        tag: Vec<u8>,
    },
}

/// What can be found in labels of judges.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelsFinding {
    /// How many there are.
    Summary {
        /// Judges.
        judges: u64,
        /// Documents with grades by several judges.
        several: u64,
        /// All documents.
        documents: u64,
    },
    /// No document has grades by two judges.
    NoOverlap,
    /// Labels that are not grades, counted by state.
    NotGrades(Vec<(State, usize)>),
    /// Grades that are not whole numbers.
    Fractions,
    /// Grades with their counts.
    Grades(Vec<(f64, u64)>),
    /// A judge who gives one grade only.
    ConstantJudge {
        /// The judge.
        judge: Vec<u8>,
        /// The grade.
        grade: f64,
        /// Documents labelled.
        documents: u64,
    },
}

impl Finding {
    fn new(severity: Severity, file: &str, kind: FindingKind) -> Finding {
        Finding { severity, file: file.into(), line: None, row: None, field: None, unit: Unit::Line, kind }
    }

    /// An error of the whole file.
    pub fn error(file: &str, kind: FindingKind) -> Finding {
        Finding::new(Severity::Error, file, kind)
    }

    /// A warning about the whole file.
    pub fn warning(file: &str, kind: FindingKind) -> Finding {
        Finding::new(Severity::Warning, file, kind)
    }

    /// A note about the whole file.
    pub fn note(file: &str, kind: FindingKind) -> Finding {
        Finding::new(Severity::Note, file, kind)
    }

    /// The same, seen first on a line, about a field.
    pub fn on(mut self, line: u64, field: Field) -> Finding {
        self.line = Some(line);
        self.field = Some(field);
        self
    }

    /// The same, about a field.
    pub fn on_field(mut self, field: Field) -> Finding {
        self.field = Some(field);
        self
    }

    /// Names file and line, or row, after lines were counted through all files of a folder.
    pub(super) fn place(&mut self, unit: Unit, starts: &FileOffsets) {
        self.unit = unit;
        if let Some((file, line)) = self.line.and_then(|line| starts.place(line)) {
            if let Some(first) = self.first() {
                *first = starts.first(first.clone(), file);
            }
            (self.file, self.line) = (file.to_owned(), Some(line));
        }
        if unit == Unit::Line {
            return;
        }
        let number = |line: u64| if unit == Unit::Row { line } else { line.saturating_sub(1) };
        if let Some(first) = self.first() {
            *first = FirstSeen { file: first.file.take(), unit: problem::Unit::Row, number: number(first.number) };
        }
        self.row = self.line.take().map(number);
    }

    /// The earlier place of a thing that occurs twice.
    fn first(&mut self) -> Option<&mut FirstSeen> {
        match &mut self.kind {
            FindingKind::Problem(problem) => problem.first.as_mut(),
            FindingKind::Qrels(QrelsFinding::Repeated { first, .. })
            | FindingKind::Run(RunFinding::RepeatedDocument { first, .. } | RunFinding::RepeatedRank { first, .. }) => {
                Some(first)
            }
            _ => None,
        }
    }
}

impl From<Problem> for Finding {
    fn from(problem: Problem) -> Finding {
        let row = match problem.place {
            Some(Place::Row { row, .. }) => Some(row),
            _ => None,
        };
        let (file, line, field) = (problem.file.clone(), problem.line, problem.field.map(Field::Named));
        Finding { line, row, field, ..Finding::error(&file, FindingKind::Problem(Box::new(problem))) }
    }
}
