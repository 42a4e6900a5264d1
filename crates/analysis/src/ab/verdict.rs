//! The verdict on a comparison: a pure function of the evidence.

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
    /// Not significant, not testable, or the sample ratio is wrong.
    Undecided,
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VerdictReason {
    /// The sample ratio is wrong, so the arms cannot be compared.
    SampleRatioMismatch,
    /// There is no p-value.
    NoTest,
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

/// The verdict by an adjusted p-value, once the sample ratio holds.
pub(super) fn decide(ratio_holds: bool, difference: f64, p: Option<f64>, level: f64) -> (Verdict, VerdictReason) {
    if !ratio_holds {
        return (Verdict::Undecided, VerdictReason::SampleRatioMismatch);
    }
    let Some(p) = p else { return (Verdict::Undecided, VerdictReason::NoTest) };
    // 1 − .95 is a little more than .05; a p of exactly .05 must not pass.
    if p >= (1.0 - level) * (1.0 - 1e-12) {
        return (Verdict::Undecided, VerdictReason::NotSignificant { p });
    }
    let verdict = if difference > 0.0 { Verdict::Higher } else { Verdict::Lower };
    (verdict, VerdictReason::Significant { p })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_p_below_one_minus_level_decides_once_the_sample_ratio_holds() {
        use {Verdict::*, VerdictReason::*};
        for (holds, difference, p, expected) in [
            (true, 1.0, Some(0.01), (Higher, Significant { p: 0.01 })),
            (true, -1.0, Some(0.01), (Lower, Significant { p: 0.01 })),
            (true, 1.0, Some(0.05), (Undecided, NotSignificant { p: 0.05 })),
            (true, 1.0, None, (Undecided, NoTest)),
            (false, 1.0, Some(0.01), (Undecided, SampleRatioMismatch)),
        ] {
            assert_eq!(decide(holds, difference, p, 0.95), expected);
        }
    }
}
