//! `judges correct`: one score by bronze labels and as gold labels would give it; of two grades, or of several from shares by rank.

use karat_stats::Seed;
use karat_stats::dist::normal;
use karat_stats::judge_error::{
    Calibration, Corrected, CorrectionError, RateInterval, Shares, Summary, from_shares, graded, parametric, proportion,
};
use karat_stats::resample::{NoResample, Replicates};
use schemars::JsonSchema;
use serde::Serialize;

use super::warnings::{RateWarning, ScoreWarning, out_of_range, rate_warnings, score_warnings};

/// What the bronze labels gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Observation {
    /// A mean score over queries, of two grades.
    Score(Summary),
    /// How often each grade was given at each rank.
    Shares(Shares),
}

impl Observation {
    fn correct(&self, calibration: &Calibration) -> Result<Corrected, CorrectionError> {
        match self {
            Observation::Score(summary) => proportion(*summary, calibration),
            Observation::Shares(shares) => graded(shares, calibration),
        }
    }

    fn resample(&self, calibration: &Calibration, resamples: u32, seed: Seed) -> Result<Replicates, CorrectionError> {
        match self {
            Observation::Score(summary) => parametric(*summary, calibration, resamples, seed),
            Observation::Shares(shares) => from_shares(shares, calibration, resamples, seed),
        }
    }
}

/// The options of a correction.
#[derive(Debug, Clone, PartialEq)]
pub struct CorrectOptions {
    /// What the bronze labels gave.
    pub observation: Observation,
    /// The judges' error rates.
    pub calibration: Calibration,
    /// Level of intervals.
    pub level: f64,
    /// Bootstrap replicates.
    pub resamples: u32,
    /// Seed of the bootstrap.
    pub seed: Seed,
}

/// A score corrected for the judges' errors.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CorrectAnswer {
    /// The score.
    pub scores: [CorrectedScore; 1],
    /// What a reader should know about it.
    #[serde(skip)]
    pub notes: Vec<CorrectNote>,
}

/// A score by bronze labels, and corrected.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CorrectedScore {
    /// The score by bronze labels.
    pub naive: f64,
    /// The corrected score; not truncated to the valid range.
    pub value: f64,
    /// Its standard error by the delta method: queries and calibration.
    pub std_error: f64,
    /// Its standard error by the bootstrap; null if too many replicates have no value.
    pub std_error_bootstrap: Option<f64>,
    /// Its interval, from `std_error`.
    pub interval: (f64, f64),
    /// Percentile interval of the bootstrap; null if too many replicates have no value.
    pub interval_bootstrap: Option<(f64, f64)>,
    /// Confidence level of the intervals.
    pub level: f64,
    /// Method of `std_error` and `interval`.
    pub method: CorrectionMethod,
    /// Variance by source.
    pub sources: CorrectionSources,
    /// Share of the variance that comes from the judges; null if the variance is 0.
    pub share_judges: Option<f64>,
    /// The nearest possible score, if `value` is not a possible one.
    pub nearest: Option<f64>,
    /// How well the judges tell grades apart: determinant of the matrix of rates, m_R + m_N - 1 for two grades.
    pub d: f64,
    /// Condition number of the matrix of rates.
    pub condition: Option<f64>,
}

/// Method of a standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CorrectionMethod {
    /// Delta method.
    Delta,
}

/// Variance by source.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct CorrectionSources {
    /// Sampling of queries.
    pub topics: f64,
    /// Estimation of the judges' error rates.
    pub judges: f64,
}

/// What a reader of a corrected score should know.
#[derive(Debug, Clone, PartialEq)]
pub enum CorrectNote {
    /// About the error rates.
    Rates(RateWarning),
    /// About the corrected score.
    Score(ScoreWarning),
    /// The correction assumes the same error rates everywhere.
    SameRates,
    /// How the bootstrap was made.
    Bootstrap {
        /// Replicates.
        resamples: u32,
        /// Replicates without a value, because D was not above 0.
        undefined: u32,
    },
    /// Why there is no bootstrap.
    NoBootstrap(NoResample),
    /// No standard deviation was given, so the score is treated as P@1.
    TreatedAsPrecisionAt1,
    /// The variance treats the ranks of a query as independent.
    IndependentRanks {
        /// Ranks.
        ranks: usize,
    },
}

/// Corrects a score for the judges' errors.
///
/// # Errors
/// The score cannot be corrected.
pub fn correct(options: &CorrectOptions) -> Result<CorrectAnswer, CorrectionError> {
    let CorrectOptions { observation, calibration, level, resamples, seed } = options;
    let corrected = observation.correct(calibration)?;
    let z = normal::quantile(0.5 + level / 2.0).map_err(out_of_range)?;
    let d = calibration.discrimination(*level, RateInterval::ClopperPearson).map_err(out_of_range)?;
    let replicates = observation.resample(calibration, *resamples, *seed)?;
    let std_error = corrected.std_error();
    let score = CorrectedScore {
        naive: corrected.naive,
        value: corrected.value,
        std_error,
        std_error_bootstrap: replicates.std_error().ok(),
        interval: (corrected.value - z * std_error, corrected.value + z * std_error),
        interval_bootstrap: replicates.percentile(*level).ok().map(|found| (found.low, found.high)),
        level: *level,
        method: CorrectionMethod::Delta,
        sources: CorrectionSources { topics: corrected.topics, judges: corrected.judges },
        share_judges: (std_error > 0.0).then(|| corrected.judges / (std_error * std_error)),
        nearest: corrected.nearest(),
        d: d.value,
        condition: calibration.condition(),
    };
    let mut notes: Vec<CorrectNote> = rate_warnings(calibration, &d).into_iter().map(CorrectNote::Rates).collect();
    notes.extend(score_warnings(&corrected).into_iter().map(CorrectNote::Score));
    notes.push(CorrectNote::SameRates);
    notes.push(bootstrap_note(&replicates, *resamples));
    notes.extend(observation_note(observation));
    Ok(CorrectAnswer { scores: [score], notes })
}

fn bootstrap_note(replicates: &Replicates, resamples: u32) -> CorrectNote {
    match replicates.std_error() {
        Ok(_) => CorrectNote::Bootstrap { resamples, undefined: replicates.without() },
        Err(reason) => CorrectNote::NoBootstrap(reason),
    }
}

fn observation_note(observation: &Observation) -> Option<CorrectNote> {
    match observation {
        Observation::Score(Summary { sd: None, .. }) => Some(CorrectNote::TreatedAsPrecisionAt1),
        Observation::Score(_) => None,
        Observation::Shares(shares) => Some(CorrectNote::IndependentRanks { ranks: shares.ranks.len() }),
    }
}
