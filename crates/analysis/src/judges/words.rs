//! Words that `eval`, `compare` and the reproductions share with judges, until they too leave wording to the crate for presentation.

use karat_report::NumberStyle;
use karat_stats::judge_error::{Calibration, Discrimination};

use super::warnings::{RateWarning, rate_warnings};

/// What every correction assumes.
pub(crate) const ASSUMPTION: &str = "the correction assumes that the judges err alike for every system, rank and topic; \
                          karat judges calibrate --factor tests that";

/// Warnings about a calibration.
pub(crate) fn warnings(calibration: &Calibration, d: &Discrimination) -> Vec<String> {
    rate_warnings(calibration, d).iter().map(warning).collect()
}

fn warning(warning: &RateWarning) -> String {
    let show = |value: f64| NumberStyle::Score.show(value);
    match *warning {
        RateWarning::MayBeZero { d, interval: (low, high) } => format!(
            "warning: D = {} is within its error of 0 ({} to {}): these judges may be no better than a coin, and a corrected score \
             may be anything; let gold judge more pairs",
            show(d),
            show(low),
            show(high)
        ),
        RateWarning::BelowZero { d, interval: (low, high) } => format!(
            "warning: D = {} is below 0 ({} to {}): these judges say the opposite of gold more often than not; check that grades mean the same in both, and that \
             documents and topics are named alike. No score can be corrected with these rates",
            show(d),
            show(low),
            show(high)
        ),
        RateWarning::IllConditioned { condition } => format!(
            "warning: the condition number of the rates is {}: whatever is off in the shares of bronze's grades may grow so many times \
             in a corrected score, and if errors depend on the topic, no standard error here shows it; merge grades that these judges cannot \
             tell apart",
            NumberStyle::Decimals(0).show(condition)
        ),
        RateWarning::OneBronzeGrade { gold, pairs, deviation } => format!(
            "warning: all {pairs} pairs of gold grade {gold} got one bronze grade, so that row's variance is estimated as 0; its exact \
             95% interval still reaches {} off",
            show(deviation)
        ),
    }
}
