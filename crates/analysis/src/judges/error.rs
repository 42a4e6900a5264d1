//! What keeps labels of judges from being counted, merged or paired.

use karat_data::{JudgeLabels, Problems};
use karat_stats::agreement::LabelError;
use karat_stats::dawid_skene::NoFit;
use karat_stats::judge_error::CalibrationError;

use crate::scores::ScoreError;

/// Why labels give no answer.
#[derive(Debug)]
pub enum JudgesError {
    /// Something is wrong with the runs.
    Runs(ScoreError),
    /// Grades that are not on the declared scale.
    OffScale(OffScaleLabels),
    /// Labels of one judge only; agreement needs two.
    OneJudge {
        /// The file.
        file: String,
        /// The judge.
        judge: String,
    },
    /// Labels of one judge only; there is nothing to merge.
    NothingToMerge {
        /// The file.
        file: String,
        /// The judge.
        judge: String,
    },
    /// Labels that cannot be counted.
    Labels {
        /// The file.
        file: String,
        /// Why.
        error: LabelError,
    },
    /// No label has a grade.
    NoGrade {
        /// The file.
        file: String,
    },
    /// The model of the judges cannot be fitted.
    Fit {
        /// The file.
        file: String,
        /// Why.
        error: NoFit,
    },
    /// No document has both bronze and gold labels.
    NothingInCommon {
        /// The file of bronze labels.
        file: String,
        /// The file of gold labels.
        gold: String,
    },
    /// A document has two gold grades that differ.
    GoldDiffers {
        /// The file.
        file: String,
        /// The line of the second label.
        line: u64,
        /// The topic.
        topic: String,
        /// The document.
        document: String,
    },
    /// The pairs make no table of error rates.
    Calibration {
        /// The file of gold labels.
        file: String,
        /// Why.
        error: CalibrationError,
    },
}

impl From<Problems> for JudgesError {
    fn from(problems: Problems) -> Self {
        JudgesError::Runs(problems.into())
    }
}

impl From<ScoreError> for JudgesError {
    fn from(error: ScoreError) -> Self {
        JudgesError::Runs(error)
    }
}

impl From<OffScaleLabels> for JudgesError {
    fn from(labels: OffScaleLabels) -> Self {
        JudgesError::OffScale(labels)
    }
}

/// Labels whose grade is not on the declared scale.
#[derive(Debug, Clone, PartialEq)]
pub struct OffScaleLabels {
    /// The declared scale.
    pub scale: Vec<f64>,
    /// File, line and grade of each.
    pub labels: Vec<(String, u64, f64)>,
}

/// The file of the first label, which stands for all.
pub(super) fn first_file(labels: &JudgeLabels) -> String {
    labels.labels().first().map_or(String::new(), |label| labels.place(label).0.into())
}
