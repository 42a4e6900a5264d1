//! Error rates of judges, agreement between them, and scores corrected for their errors.
//!
//! One file per command; the numbers come from [`karat_stats::judge_error`]. Every answer carries notes about the assumptions of its
//! corrections: the same error rates for every system, rank and topic, and pairs that were not chosen by the bronze label.

mod agree;
mod calibrate;
mod compare;
mod correct;
mod error;
mod merge;
mod pairs;
mod plan;
mod scale;
mod warnings;

pub use agree::{
    AgreeAnswer, AgreeBackground, AgreeNote, AgreeOptions, Agreement, GradePair, JudgeScore, JudgeVerdict,
    OrderAgreement, PairAgreement, QueryAgreement, SystemRuns, SystemsByJudge, SystemsNote, agree,
};
pub use agree::{Judged, order};
pub use calibrate::{
    CalibrateAnswer, CalibrateNote, CalibrateOptions, CalibrationCaution, ErrorRate, Factor, FactorTest, FactorValue,
    RateCovariance, Sampling, TestedFactors, calibrate, cautions,
};
pub use compare::{
    CompareAnswer, CompareNote, CompareOptions, ComparedScore, ComparisonTest, ErrorSources, TestName, compare,
};
pub use correct::{
    CorrectAnswer, CorrectNote, CorrectOptions, CorrectedScore, CorrectionMethod, CorrectionSources, Observation,
    correct,
};
pub use error::{JudgesError, OffScaleLabels};
pub use merge::{
    DocumentToLabel, JudgeModel, JudgeQuality, MergeAnswer, MergeMethod, MergeNote, MergeOptions, MergedGrade,
    MergedLabel, NoOverlap, merge,
};
pub use pairs::{Pairs, PairsNote, pairs};
pub use plan::{PlanAnswer, PlanError, PlanMix, PlanNote, PlanNumber, PlanOptions, PlanTarget, plan};
pub use scale::{Scale, ScaleChoice, ScaleOrigin};
pub use warnings::{RateWarning, ScoreWarning, System, rate_warnings, score_warnings};
