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

pub use agree::{AgreeQuestion, agree};
pub use calibrate::{CalibrateQuestion, Factor, calibrate, cautions};
pub use compare::{CompareQuestion, compare};
pub use correct::{CorrectQuestion, Observation, correct};
pub use effect::Effect;
pub(crate) use effect::{Judged, order};
pub use merge::{How, MergeQuestion, MergedLabel, merge};
pub use pairs::{Pairs, pairs};
pub use plan::{PlanQuestion, Wanted, plan};
pub use scale::{Scale, ScaleChoice};

use karat_report::NumberStyle;
use karat_stats::judge_error::{Calibration, Corrected, Discrimination};

/// What every correction assumes.
pub const ASSUMPTION: &str = "the correction assumes that the judges err alike for every system, rank and topic; \
                          karat judges calibrate --factor tests that";

/// A condition number beyond which a correction does more harm than good: on real crowd labels with 28 it did (the guide).
const ILL: f64 = 10.0;

/// Warnings about a calibration.
pub fn warnings(calibration: &Calibration, d: &Discrimination) -> Vec<String> {
    let mut notes = Vec::new();
    let show = |value: f64| NumberStyle::Score.show(value);
    if d.may_be_zero() {
        notes.push(format!(
            "warning: D = {} is within its error of 0 ({} to {}): these judges may be no better than a coin, and a corrected score \
             may be anything; let gold judge more pairs",
            show(d.value),
            show(d.interval.low),
            show(d.interval.high)
        ));
    }
    if d.interval.high < 0.0 {
        notes.push(format!(
            "warning: D = {} is below 0 ({} to {}): these judges say the opposite of gold more often than not; check that grades mean the same in both, and that \
             documents and topics are named alike. No score can be corrected with these rates",
            show(d.value),
            show(d.interval.low),
            show(d.interval.high)
        ));
    }
    // Of two grades D says it already.
    let graded = calibration.grades().len() > 2;
    if let Some(condition) = calibration.condition().filter(|&condition| graded && condition > ILL) {
        notes.push(format!(
            "warning: the condition number of the rates is {}: whatever is off in the shares of bronze's grades may grow so many times \
             in a corrected score, and if errors depend on the topic, no standard error here shows it; merge grades that these judges cannot \
             tell apart",
            NumberStyle::Decimals(0).show(condition)
        ));
    }
    let sure =
        (0..calibration.grades().len()).filter(|&gold| calibration.counts()[gold].contains(&calibration.pairs(gold)));
    for gold in sure {
        let pairs = calibration.pairs(gold);
        notes.push(format!(
            "warning: all {pairs} pairs of gold grade {} got one bronze grade, so that row's variance is estimated as 0; its exact \
             95% interval still reaches {} off",
            calibration.grades()[gold],
            show(1.0 - 0.025f64.powf(1.0 / pairs as f64))
        ));
    }
    notes
}

/// Says when a corrected score is none.
fn clipped(name: &str, corrected: &Corrected) -> Option<String> {
    let nearest = corrected.nearest()?;
    Some(format!(
        "warning: the corrected score{name} is {}, outside {} to {}; the nearest possible value is {}. The estimate is shown as it \
         is: it says that score and error rates do not fit together",
        NumberStyle::Score.show(corrected.value),
        corrected.possible.0,
        corrected.possible.1,
        nearest
    ))
}

/// Says when correcting costs more than it mends.
pub(crate) fn harm(name: &str, corrected: &Corrected) -> Option<String> {
    let harm = corrected.harm()?;
    let show = |square: f64| NumberStyle::Significant(2).show(square.sqrt());
    Some(format!(
        "warning: correcting does harm{name}: the corrected score is off by about {} (its standard error), the score as it is by {} (its own, and the bias that \
         the correction finds); merge grades that these judges cannot tell apart, let gold judge more pairs, or keep the score as it is",
        show(harm.corrected),
        show(harm.naive)
    ))
}

/// Says how many labels did not count because a judge gave another for the same document.
fn repeated(labels: &karat_data::JudgeLabels) -> Option<String> {
    let count = labels.repeated();
    (count > 0)
        .then(|| format!("{count} labels do not count: their judge labelled the same document twice (--repeats)"))
}
