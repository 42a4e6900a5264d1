//! What was observed, aligned: judgements, rankings, topics, and the policies that join them.
//!
//! Nothing here reads a file or computes a score. The one decision behind the crate: a document that was judged, one
//! that was pooled but not judged, and one outside the pool stay three different things ([`Judgement`]) from the file
//! to the last measure.

pub mod align;
mod aligned_runs;
pub mod condensed;
pub mod documents;
mod file_offsets;
pub mod form;
pub mod hash;
pub mod interned;
pub mod judgement;
pub mod labels;
mod list_cache;
pub mod marks;
pub mod names;
pub mod policy;
pub mod preferences;
pub mod problem;
pub mod qrels;
pub mod rankings;
pub mod scored;
pub mod source;
pub mod ties;
pub mod view;

pub use align::{Aligner, Ranking};
pub use aligned_runs::AlignedRuns;
pub use condensed::{Condensed, NotAPart, Part};
pub use documents::{RankedDocuments, TopicDocuments};
pub use file_offsets::FileOffsets;
pub use form::{FormGrade, FormRow};
pub use judgement::{Grade, Judgement};
pub use labels::{JudgeLabels, Label, Repeats, State};
pub use marks::{Details, FIRST_STRATUM_METHOD, JudgementKind, Mark, MarkedBuilder, MarkedRow, Marks, NO_DOCUMENT};
pub use policy::{MissingTopics, Policy, ScorePrecision, Ties};
pub use problem::{LineProblem, Problem, ProblemKind, Problems};
pub use qrels::{Qrels, QrelsBuilder, TopicIndex};
pub use scored::{ScoredDocument, ScoredRun};
pub use source::{Row, RunFacts, RunSource, TopicRows, Visitor, Worker};
pub use ties::{TieGroup, TieGroups};
pub use view::{CollectionFacts, MaxGradeError, TopicFacts, TopicView};
