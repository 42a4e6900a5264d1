//! What a reader of corrected scores must know: whether the error rates can carry a correction, and whether its result makes sense.

use karat_stats::dist::OutOfRange;
use karat_stats::judge_error::{Calibration, Corrected, CorrectionError, Discrimination, Harm};
use schemars::JsonSchema;
use serde::Serialize;

/// A condition number above which a correction does more harm than good: on real crowd labels with 28 it did (the guide).
const ILL_CONDITIONED: f64 = 10.0;

/// Why error rates may not carry a correction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RateWarning {
    /// D is not significantly above 0.
    MayBeZero {
        /// D, which says how well bronze tells grades apart.
        d: f64,
        /// Its interval.
        interval: (f64, f64),
    },
    /// D is significantly below 0: bronze contradicts gold.
    BelowZero {
        /// D.
        d: f64,
        /// Its interval.
        interval: (f64, f64),
    },
    /// More than two grades, some of which bronze hardly tells apart.
    IllConditioned {
        /// Condition number of the matrix of rates.
        condition: f64,
    },
    /// All pairs of a gold grade got one bronze grade, so the variance of that row is estimated as 0.
    OneBronzeGrade {
        /// The gold grade.
        gold: f64,
        /// Its pairs.
        pairs: u64,
        /// How far the rate may be from the observed one, by the exact 95% interval.
        deviation: f64,
    },
}

/// Warnings about a calibration.
pub fn rate_warnings(calibration: &Calibration, d: &Discrimination) -> Vec<RateWarning> {
    let interval = (d.interval.low, d.interval.high);
    let mut warnings = Vec::new();
    warnings.extend(d.may_be_zero().then_some(RateWarning::MayBeZero { d: d.value, interval }));
    warnings.extend((interval.1 < 0.0).then_some(RateWarning::BelowZero { d: d.value, interval }));
    // For two grades D says the same.
    let condition = calibration.condition().filter(|_| calibration.grades().len() > 2);
    let ill = condition.filter(|&condition| condition > ILL_CONDITIONED);
    warnings.extend(ill.map(|condition| RateWarning::IllConditioned { condition }));
    for (row, &gold) in calibration.grades().iter().enumerate() {
        let pairs = calibration.pairs(row);
        if calibration.counts()[row].contains(&pairs) {
            let deviation = 1.0 - 0.025f64.powf(1.0 / pairs as f64);
            warnings.push(RateWarning::OneBronzeGrade { gold, pairs, deviation });
        }
    }
    warnings
}

/// One of the two systems of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum System {
    /// The first.
    A,
    /// The second.
    B,
}

/// A warning about a corrected score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScoreWarning {
    /// The corrected score has a larger expected error than the uncorrected one.
    Harm(Harm),
    /// The corrected score is not a possible score.
    Impossible {
        /// The corrected score.
        value: f64,
        /// What is possible.
        possible: (f64, f64),
        /// The nearest possible score.
        nearest: f64,
    },
}

/// Warnings about a corrected score.
pub fn score_warnings(corrected: &Corrected) -> Vec<ScoreWarning> {
    let Corrected { value, possible, .. } = *corrected;
    let impossible = corrected.nearest().map(|nearest| ScoreWarning::Impossible { value, possible, nearest });
    corrected.harm().map(ScoreWarning::Harm).into_iter().chain(impossible).collect()
}

/// An argument that a distribution refuses, as an error of the correction.
pub(super) fn out_of_range(error: OutOfRange) -> CorrectionError {
    CorrectionError::OutOfRange { what: error.argument, found: error.found, expected: error.legal }
}
