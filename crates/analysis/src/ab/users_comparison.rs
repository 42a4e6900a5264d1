//! One row of the answer: a pair's evidence and its verdict.

use karat_stats::ab::{Difference, Lift, Refusal, UsersTest, Waiting};

use super::looks::Looks;
use super::users::{Evidence, Pair};
use super::users_answer::{Refused, TestUsed, UsersComparison};
use super::verdict::{Grounds, VerdictReason, decide};

/// What the evidence says, whichever it is.
struct Shown {
    test: Option<TestUsed>,
    draws: Option<u32>,
    p: Option<f64>,
    interval: Option<(f64, f64)>,
    lift_intervals: Option<[(f64, f64); 2]>,
    refusal: Option<VerdictReason>,
    /// A number with the sign of what was found.
    direction: f64,
}

pub(super) fn comparison(
    pair: &Pair,
    metric: &str,
    names: &[String],
    adjusted: Option<f64>,
    holds: bool,
    level: f64,
) -> UsersComparison {
    let difference = pair.own.value - pair.control.value;
    let shown = shown(pair, difference);
    let (direction, refusal) = (shown.direction, shown.refusal);
    let grounds = Grounds { sample_ratio_holds: holds, difference: direction, p: adjusted, level, refusal };
    numbers(pair, (metric, names), (difference, shown), grounds)
}

/// The numbers of a comparison, with the verdict on its grounds.
fn numbers(
    pair: &Pair,
    (metric, names): (&str, &[String]),
    (difference, shown): (f64, Shown),
    grounds: Grounds,
) -> UsersComparison {
    let test = one_look(&pair.evidence);
    let fixed = test.filter(|_| matches!(pair.evidence, Evidence::AllLooks(..)));
    let (verdict, reason) = decide(&grounds);
    UsersComparison {
        metric: metric.to_owned(),
        control: names[0].clone(),
        arm: names[pair.arm].clone(),
        control_value: pair.control.value,
        arm_value: pair.own.value,
        difference,
        std_error: test.map(|test| test.std_error),
        interval: shown.interval,
        interval_fixed: fixed.map(|fixed| (fixed.interval.low, fixed.interval.high)),
        lift: shown.lift_intervals.map(|_| pair.own.value / pair.control.value - 1.0),
        lift_interval: shown.lift_intervals.map(|intervals| intervals[0]),
        lift_interval_delta: shown.lift_intervals.map(|intervals| intervals[1]),
        t: test.map(|test| test.t),
        df: test.map(|test| test.df),
        test: shown.test,
        draws: shown.draws,
        p: shown.p,
        p_fixed: fixed.map(|fixed| fixed.p),
        p_sequence: shown.p.filter(|_| fixed.is_some()),
        p_adjusted: grounds.p,
        p_naive: pair.naive.map(|naive| naive.0),
        design_effect: pair.naive.map(|naive| naive.1),
        verdict,
        refused: shown.refusal.and_then(refused),
        because: String::new(),
        level: grounds.level,
        reason,
    }
}

/// The test as if there were one look.
fn one_look(evidence: &Evidence) -> Option<Difference> {
    match evidence {
        Evidence::OneLook(found) => found.as_ref().ok().map(|found| found.difference),
        Evidence::AllLooks(_, fixed) => fixed.as_ref().ok().copied(),
    }
}

fn shown(pair: &Pair, difference: f64) -> Shown {
    match &pair.evidence {
        Evidence::OneLook(found) => {
            let found = found.as_ref().ok();
            let intervals = |lift: &Lift| [lift.interval, lift.delta];
            Shown {
                test: found.map(|found| match found.test {
                    UsersTest::Resampling { .. } => TestUsed::Resampling,
                    UsersTest::T => TestUsed::T,
                }),
                draws: found.and_then(|found| match found.test {
                    UsersTest::Resampling { draws } => Some(draws),
                    UsersTest::T => None,
                }),
                p: found.map(|found| found.p),
                interval: found.and_then(|found| found.interval),
                lift_intervals: found.and_then(|found| found.lift.as_ref().ok().map(intervals)),
                refusal: found.and_then(|found| found.refusal).map(VerdictReason::TooSmall),
                direction: difference,
            }
        }
        Evidence::AllLooks(looks, _) => {
            let interval = looks.last.and_then(|look| look.interval);
            Shown {
                test: looks.last.map(|_| TestUsed::Sequence),
                draws: None,
                p: looks.last.map(|look| look.p),
                interval,
                lift_intervals: looks
                    .lift
                    .filter(|lift| lift.common.0 <= lift.common.1)
                    .map(|lift| [lift.common, lift.delta]),
                refusal: refusal(looks),
                // What was found at some look is on that side of 0 on which the interval is.
                direction: interval.map_or(difference, |(low, _)| low),
            }
        }
    }
}

/// Why no verdict may rest on these looks.
fn refusal(looks: &Looks) -> Option<VerdictReason> {
    match looks.last {
        None => looks.waiting.map(VerdictReason::Waiting),
        Some(look) => look.interval.is_none().then_some(VerdictReason::LooksContradict),
    }
}

fn refused(reason: VerdictReason) -> Option<Refused> {
    match reason {
        VerdictReason::TooSmall(Refusal::FewEffectiveUnits { .. })
        | VerdictReason::Waiting(Waiting::Units { .. } | Waiting::EffectiveUnits { .. }) => {
            Some(Refused::FewEffectiveUnits)
        }
        VerdictReason::TooSmall(Refusal::FewEvents { .. }) | VerdictReason::Waiting(Waiting::SpreadUnits { .. }) => {
            Some(Refused::FewEvents)
        }
        VerdictReason::LooksContradict => Some(Refused::LooksContradict),
        VerdictReason::SampleRatioMismatch
        | VerdictReason::NoTest
        | VerdictReason::FewCounts { .. }
        | VerdictReason::NotSignificant { .. }
        | VerdictReason::Significant { .. } => None,
    }
}
