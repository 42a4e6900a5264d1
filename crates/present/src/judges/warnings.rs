//! Warnings about error rates and corrected scores.

use karat_analysis::judges::{RateWarning, ScoreWarning};
use karat_report::NumberStyle;

/// What every correction assumes.
pub const SAME_RATES: &str =
    "Assumes the same error rates for every system, rank and topic; karat judges calibrate --factor tests this.";

/// A warning about error rates.
pub fn rate_warning(warning: &RateWarning) -> String {
    let show = |value: f64| NumberStyle::Score.show(value);
    match *warning {
        RateWarning::MayBeZero { d, interval: (low, high) } => format!(
            "warning: D = {} is not significantly above 0 (interval {} to {}). These judges may be no better than chance, so corrected \
             scores are unreliable; collect more gold labels.",
            show(d),
            show(low),
            show(high)
        ),
        RateWarning::BelowZero { d, interval: (low, high) } => format!(
            "warning: D = {} is below 0 (interval {} to {}): these judges contradict gold more often than they agree. Scores cannot be \
             corrected; check that grades, topics and documents have the same meaning and names in both.",
            show(d),
            show(low),
            show(high)
        ),
        RateWarning::IllConditioned { condition } => {
            let condition = NumberStyle::Decimals(0).show(condition);
            format!(
                "warning: the condition number of the error rates is {condition}: errors in the bronze label shares may be amplified \
                 {condition}-fold, and standard errors do not show it if errors depend on the topic. Merge grades that these judges confuse."
            )
        }
        RateWarning::OneBronzeGrade { gold, pairs, deviation } => format!(
            "warning: all {pairs} pairs of gold grade {gold} got the same bronze grade, so the variance of these rates is estimated as 0. \
             The exact 95% interval allows a deviation of {}.",
            show(deviation)
        ),
    }
}

/// A warning about a corrected score; `name` names the system (" of a"), or is empty.
pub fn score_warning(name: &str, warning: &ScoreWarning) -> String {
    match *warning {
        ScoreWarning::Harm(harm) => {
            let show = |square: f64| NumberStyle::Significant(2).show(square.sqrt());
            format!(
                "warning: the correction{name} does more harm than good: the expected error is {} with it and {} without it. Keep the \
                 uncorrected score, merge grades that these judges confuse, or collect more gold labels.",
                show(harm.corrected),
                show(harm.naive)
            )
        }
        ScoreWarning::Impossible { value, possible: (low, high), nearest } => format!(
            "warning: the corrected score{name} is {}, outside {low} to {high} (nearest valid score: {nearest}): the score and the error \
             rates are inconsistent.",
            NumberStyle::Score.show(value)
        ),
    }
}
