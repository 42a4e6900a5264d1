//! What there is to say besides the numbers, as data.

use karat_stats::interval::NoInterval;
use karat_stats::judge_error::ppi::BronzeWeight;

use crate::judges::RateWarning;
use crate::score_bands::ScoreBandNote;
use crate::settle::estimate::NoSample;
use crate::ties::NoTieRange;
use crate::topic_notes::{RunGroup, TopicNote};

/// A note on an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub enum EvalNote {
    /// A measure of a run is undefined on some topics.
    Undefined {
        /// The measure.
        measure: String,
        /// The run.
        run: String,
        /// How many topics.
        topics: usize,
        /// Why.
        reason: &'static str,
    },
    /// On judgements and topics.
    Topics(TopicNote),
    /// Measures have no interval.
    NoInterval {
        /// The measures.
        measures: Vec<String>,
        /// Why.
        why: NoInterval,
    },
    /// A judged sample gives no interval for measures.
    NoSample {
        /// The measures.
        measures: Vec<String>,
        /// Why.
        why: NoSample,
    },
    /// Measures that are estimates from judged documents, which may lie outside the bounds.
    Estimators(Vec<String>),
    /// Measures without bounds, because some topics have no estimate yet.
    NoBoundsYet(Vec<String>),
    /// Other measures without bounds.
    NoBounds(Vec<String>),
    /// Measures without bounds, because the judgements name documents relevant to them only.
    Sparse(Vec<String>),
    /// The scale of grades, whose ends these are, probably starts at 1.
    ScaleFrom1(f64, f64),
    /// Measures whose bounds assume that every relevant document was retrieved or pooled.
    RetrievedBounds(Vec<String>),
    /// Measures that are inferred from sampled judgements.
    Sampled(Vec<String>),
    /// The sampling error of some topics is unknown.
    SamplingErrorUnknown {
        /// The measure.
        measure: String,
        /// At most so many topics of a run.
        topics: u64,
    },
    /// Intervals exceed the valid range.
    OutOfRange {
        /// Of these measures.
        measures: Vec<String>,
        /// Why.
        why: OutOfRangeReason,
    },
    /// On the relevance model of unjudged documents.
    Model(ModelNote),
    /// On the correction for judge errors.
    Correction(CorrectionNote),
    /// On gold labels of some topics.
    Gold(GoldNote),
    /// Tie ranges, or expected values over tie orders, are not known.
    NoTieRange {
        /// The measure.
        measure: String,
        /// The runs.
        runs: RunGroup,
        /// Whether only the expected value is missing.
        only_expected: bool,
        /// Why.
        why: NoTieRange,
    },
    /// What orders of ties give is not corrected for judge errors.
    TiesUncorrected,
    /// On the calibration of scores.
    ScoreBands(ScoreBandNote),
}

/// Why an interval exceeds the valid range of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfRangeReason {
    /// The value itself is outside.
    Value,
    /// The calibration error is not truncated.
    Calibration,
    /// Student's t with too few or too similar topics; a bootstrap interval would stay inside.
    StudentT,
    /// The interval is symmetric, the distribution is not.
    Symmetric,
}

/// A note on the relevance model.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelNote {
    /// No measure depends on unjudged documents.
    NotUsed,
    /// Values are expected values under this model; `None` where a probability was given.
    ExpectedValues(Option<&'static str>),
    /// The model was fitted to the judged documents of all runs.
    Fitted,
    /// Measures that treat ranks below the end of a list as unjudged.
    BelowEndUnjudged(Vec<String>),
    /// Measures that treat ranks below the end of a list as not relevant.
    BelowEndNotRelevant(Vec<String>),
    /// Measures in which unjudged documents below a depth (`-M`) count, with the chances of the next ranks.
    BelowDepth {
        /// The measures.
        measures: Vec<String>,
        /// The depth.
        depth: usize,
    },
    /// Measures that the model does not affect.
    NotAffected(Vec<String>),
}

/// A note on the correction for judge errors.
#[derive(Debug, Clone, PartialEq)]
pub enum CorrectionNote {
    /// A warning about the error rates.
    Rates(RateWarning),
    /// A corrected value.
    Corrected {
        /// The measure.
        measure: String,
        /// The run.
        run: String,
        /// The value by the labels as they are.
        naive: f64,
        /// The corrected value.
        value: f64,
    },
    /// A corrected value is not possible.
    Impossible {
        /// The measure.
        measure: String,
        /// The run.
        run: String,
        /// The corrected value.
        value: f64,
        /// The nearest possible value.
        nearest: f64,
    },
    /// The correction increases the expected squared error.
    Harm {
        /// Of these measures and runs.
        scores: Vec<(String, String)>,
        /// Corrected values in all.
        of: usize,
    },
    /// Measures that are not corrected.
    NotCorrected(Vec<String>),
    /// What the correction assumes.
    Assumption,
    /// Measures that are corrected by drawing gold labels.
    Drawn {
        /// The measures.
        measures: Vec<String>,
        /// Draws.
        draws: u32,
    },
    /// Many resampled calibrations carry no information.
    LostCalibrations {
        /// So many.
        lost: u32,
        /// Of so many.
        of: u32,
    },
    /// Topics are listed corrected.
    ByQuery,
    /// The relevance model is fitted to uncorrected labels.
    ModelUncorrected,
}

/// A note on gold labels of some topics.
#[derive(Debug, Clone, PartialEq)]
pub enum GoldNote {
    /// A corrected value.
    Corrected {
        /// The measure.
        measure: String,
        /// The run.
        run: String,
        /// The value by bronze labels.
        naive: f64,
        /// The corrected value.
        value: f64,
        /// Topics with gold labels.
        gold: usize,
        /// All topics.
        topics: usize,
        /// The weight of the bronze scores.
        weight: f64,
    },
    /// Measures that are not corrected.
    NotCorrected(Vec<String>),
    /// The topics with gold labels are taken as a random sample.
    Sample {
        /// Topics with gold labels.
        gold: usize,
        /// All topics.
        topics: usize,
    },
    /// How the weight of the bronze scores was chosen.
    Weight(BronzeWeight),
    /// Few topics have gold labels.
    Few {
        /// So many.
        gold: usize,
        /// So many are recommended.
        recommended: usize,
    },
    /// Gold judged fewer documents of its topics than bronze.
    Coverage {
        /// Documents that both judged.
        both: u64,
        /// Documents that bronze judged.
        bronze: u64,
    },
}
