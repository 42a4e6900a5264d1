//! The answer of `judges merge`.

use karat_data::names::text;
use karat_stats::merge::Rule;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::judges::scale::Scale;

/// One label from several.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MergeAnswer {
    /// Documents by merged grade.
    pub grades: Vec<MergedGrade>,
    /// The judges, those with most labels first.
    pub judges: Vec<JudgeQuality>,
    /// Documents for which one more label would help most.
    pub ask: Vec<DocumentToLabel>,
    /// The merged labels.
    pub labels: Vec<MergedLabel>,
    /// The scale.
    #[serde(skip)]
    pub scale: Scale,
    /// What a reader should know.
    #[serde(skip)]
    pub notes: Vec<MergeNote>,
}

/// Documents of one merged grade.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MergedGrade {
    /// The grade.
    pub grade: f64,
    /// Documents.
    pub documents: usize,
    /// Mean confidence of their labels.
    pub confidence: Option<f64>,
}

/// How good a judge is.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct JudgeQuality {
    /// The judge.
    pub judge: String,
    /// Labels with a grade.
    pub labels: u64,
    /// Share of labels that agree with the merged label.
    pub agreement: Option<f64>,
    /// By the model of Dawid and Skene, if it was fitted.
    #[serde(flatten)]
    pub model: Option<JudgeModel>,
}

/// A judge by the model of Dawid and Skene.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct JudgeModel {
    /// Probability that a label is right.
    pub accuracy: Option<f64>,
    /// Probability of each label (column) given the true grade (row).
    pub errors: Vec<Vec<f64>>,
}

/// A document for which one more label would help.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DocumentToLabel {
    /// The topic.
    pub topic: String,
    /// The document.
    pub document: String,
    /// Its labels.
    pub labels: usize,
    /// Confidence of the merged label.
    pub confidence: Option<f64>,
}

/// A document's merged label.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MergedLabel {
    /// The topic.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub topic: Vec<u8>,
    /// The document.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub document: Vec<u8>,
    /// The grade; null if a tie was left open.
    pub grade: Option<f64>,
    /// Share of labels that agree, or the model's probability; null for a single label.
    pub confidence: Option<f64>,
    /// Labels it was made of.
    pub labels: usize,
    /// How split the judges are, from 0.
    #[serde(skip)]
    pub(super) doubt: f64,
}

fn as_text<S: Serializer>(name: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text(name))
}

/// What a reader should know about merged labels.
#[derive(Debug, Clone)]
pub enum MergeNote {
    /// The rule.
    Rule(&'static Rule),
    /// No document was labelled by two judges.
    NoOverlap(NoOverlap),
    /// How the model was fitted.
    Fit {
        /// Its log likelihood.
        log_likelihood: f64,
        /// Rounds of the best start.
        rounds: usize,
        /// Labels added to every cell.
        smoothing: f64,
        /// Starts that reach this log likelihood.
        best: usize,
        /// All starts.
        starts: usize,
    },
    /// The model had not converged when rounds ran out.
    NotConverged,
    /// Documents whose gold label is held fixed.
    GoldFixed(usize),
    /// Documents without a merged grade because of a tie.
    Ties(usize),
    /// Merged labels compared with gold labels.
    ComparedWithGold {
        /// Merged labels that equal the gold label.
        correct: usize,
        /// Documents with a gold label.
        documents: usize,
    },
    /// Labels not counted because the judge labelled the document twice.
    Repeated(u64),
    /// Documents without a grade by any judge.
    NoGrade(usize),
}

/// What happens when no document was labelled by two judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoOverlap {
    /// Each label is kept.
    Rule,
    /// The model cannot learn the judges' errors.
    Model,
}
