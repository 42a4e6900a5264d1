//! The verdict on a comparison: a pure function of the evidence.

use karat_stats::ab::{Refusal, Waiting};
use schemars::JsonSchema;
use serde::Serialize;

/// How the arm compares with the control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The arm is significantly higher than the control.
    Higher,
    /// The arm is significantly lower than the control.
    Lower,
    /// Not significant, not testable, too few users, or the sample ratio is wrong.
    Undecided,
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VerdictReason {
    /// The sample ratio is wrong, so the arms cannot be compared.
    SampleRatioMismatch,
    /// There is no p-value.
    NoTest,
    /// The arms are too small for a verdict, or too unequal.
    TooSmall(Refusal),
    /// Counts are too small for a z test.
    FewCounts {
        /// The smallest number of successes or failures that an arm would have if both had one rate.
        least: f64,
    },
    /// No look counts yet.
    Waiting(Waiting),
    /// Intervals of two looks exclude each other.
    LooksContradict,
    /// The p-value is not below 1 − level.
    NotSignificant {
        /// The p-value, corrected where there are several comparisons.
        p: f64,
    },
    /// The p-value is below 1 − level.
    Significant {
        /// The p-value, corrected where there are several comparisons.
        p: f64,
    },
}

/// What a verdict is decided by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Grounds {
    /// Whether the sample ratio is right.
    pub(super) sample_ratio_holds: bool,
    /// The difference, or a number with its sign.
    pub(super) difference: f64,
    /// The p-value, corrected where there are several comparisons.
    pub(super) p: Option<f64>,
    /// Confidence level.
    pub(super) level: f64,
    /// What keeps any p-value from deciding.
    pub(super) refusal: Option<VerdictReason>,
}

/// The verdict: nothing is decided while the sample ratio is wrong or the test is not valid for such arms; then the p-value decides.
pub(super) fn decide(grounds: &Grounds) -> (Verdict, VerdictReason) {
    let undecided = |reason| (Verdict::Undecided, reason);
    if !grounds.sample_ratio_holds {
        return undecided(VerdictReason::SampleRatioMismatch);
    }
    let Some(p) = grounds.p else {
        let waiting = grounds.refusal.filter(|reason| matches!(reason, VerdictReason::Waiting(_)));
        return undecided(waiting.unwrap_or(VerdictReason::NoTest));
    };
    if let Some(reason) = grounds.refusal {
        return undecided(reason);
    }
    // 1 − .95 is a little more than .05; a p of exactly .05 must not pass.
    if p >= (1.0 - grounds.level) * (1.0 - 1e-12) {
        return undecided(VerdictReason::NotSignificant { p });
    }
    let verdict = if grounds.difference > 0.0 { Verdict::Higher } else { Verdict::Lower };
    (verdict, VerdictReason::Significant { p })
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_stats::ab::Side;

    #[test]
    fn a_p_below_one_minus_level_decides_where_nothing_forbids_it() {
        use {Verdict::*, VerdictReason::*};
        let small = TooSmall(Refusal::FewEvents { side: Side::Treatment });
        let early = Waiting(karat_stats::ab::Waiting::Units { side: Side::Control, have: 49 });
        for (holds, difference, p, refusal, expected) in [
            (true, 1.0, Some(0.01), None, (Higher, Significant { p: 0.01 })),
            (true, -1.0, Some(0.01), None, (Lower, Significant { p: 0.01 })),
            (true, 1.0, Some(0.05), None, (Undecided, NotSignificant { p: 0.05 })),
            (true, 1.0, None, None, (Undecided, NoTest)),
            (true, 1.0, Some(0.01), Some(small), (Undecided, small)),
            (true, 1.0, Some(0.7), Some(small), (Undecided, small)),
            (true, 1.0, None, Some(small), (Undecided, NoTest)),
            (true, 1.0, None, Some(early), (Undecided, early)),
            (true, 1.0, Some(0.01), Some(LooksContradict), (Undecided, LooksContradict)),
            (false, 1.0, Some(0.01), Some(small), (Undecided, SampleRatioMismatch)),
        ] {
            let grounds = Grounds { sample_ratio_holds: holds, difference, p, level: 0.95, refusal };
            assert_eq!(decide(&grounds), expected, "{grounds:?}");
        }
    }
}
