//! How wrong are the judges, and what would gold judges have said?
//!
//! One file per question; the numbers come from [`karat_stats::judge_error`]. The one decision: whatever a correction rests on
//! (error rates that are the same for every system, rank and topic; a calibration sample that was not chosen by bronze label) is
//! said in a note beside its result.

mod agree;
mod calibrate;
mod compare;
mod correct;
mod effect;
pub mod labels;
mod merge;
mod pairs;
mod plan;
mod scale;
mod warnings;
mod words;

pub use agree::{AgreeQuestion, agree};
pub use calibrate::{CalibrateQuestion, Factor, calibrate, cautions};
pub use compare::{
    CompareAnswer, CompareNote, CompareOptions, ComparedScore, ComparisonTest, ErrorSources, TestName, compare,
};
pub use correct::{
    CorrectAnswer, CorrectNote, CorrectOptions, CorrectedScore, CorrectionMethod, CorrectionSources, Observation,
    correct,
};
pub use effect::Effect;
pub use effect::{Judged, order};
pub use merge::{How, MergeQuestion, MergedLabel, merge};
pub use pairs::{Pairs, pairs};
pub use plan::{PlanAnswer, PlanError, PlanMix, PlanNote, PlanNumber, PlanOptions, PlanTarget, plan};
pub use scale::{Scale, ScaleChoice};
pub use warnings::{RateWarning, ScoreWarning, System, rate_warnings, score_warnings};
pub(crate) use words::{ASSUMPTION, warnings};

/// Says how many labels did not count because a judge gave another for the same document.
fn repeated(labels: &karat_data::JudgeLabels) -> Option<String> {
    let count = labels.repeated();
    (count > 0)
        .then(|| format!("{count} labels do not count: their judge labelled the same document twice (--repeats)"))
}
