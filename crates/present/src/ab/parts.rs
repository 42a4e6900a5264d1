//! What the three reports share: the sample ratio, the reason of a verdict, why there is no number.

use karat_analysis::ab::{SampleRatioCheck, Verdict, VerdictReason};
use karat_report::{Block, NumberStyle, Table};
use karat_stats::ab::NoAnswer;

/// The sample ratio check in one line.
pub(super) fn sample_ratio(check: &SampleRatioCheck) -> Block {
    let units: Vec<String> = check.arms.iter().map(|arm| format!("{} {}", arm.arm, arm.units)).collect();
    let expected: Vec<String> = check.arms.iter().map(|arm| NumberStyle::Decimals(1).show(arm.expected)).collect();
    let line = format!(
        "{} (p {}): {} {}; {} split {}",
        if check.holds { "passed" } else { "FAILED" },
        NumberStyle::P.show(check.p),
        check.unit,
        units.join(", "),
        if check.planned { "planned" } else { "equal" },
        expected.join(", "),
    );
    Block::Record(Table::new("sample_ratio", "").column("sample_ratio", "sample ratio").row([line.into()]))
}

/// A verdict for people.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Higher => "higher",
        Verdict::Lower => "lower",
        Verdict::Undecided => "undecided",
    }
}

/// Why, in one sentence.
pub(super) fn because(reason: VerdictReason, test: &str, level: f64) -> String {
    let threshold = threshold(level);
    let show = |p| NumberStyle::P.show(p);
    match reason {
        VerdictReason::SampleRatioMismatch => "the sample ratio check failed, so the arms cannot be compared".into(),
        VerdictReason::NoTest => "no test could be computed; see the notes".into(),
        VerdictReason::NotSignificant { p } => {
            format!("not significant: {test} gives p {}, not below {threshold}", show(p))
        }
        VerdictReason::Significant { p } => format!("significant: {test} gives p {}, below {threshold}", show(p)),
    }
}

/// 1 − level, without the digits that floats add.
pub(super) fn threshold(level: f64) -> String {
    NumberStyle::Significant(3).show(1.0 - level).trim_end_matches('0').to_owned()
}

/// Why there is no number.
pub(super) fn no_answer(why: &NoAnswer) -> String {
    match why {
        NoAnswer::OutOfRange(error) => error.to_string(),
        NoAnswer::TooFew { what, have: 1, need } => {
            format!("1 {}; at least {need} are needed", what.trim_end_matches('s'))
        }
        NoAnswer::TooFew { what, have, need } => format!("{have} {what}; at least {need} are needed"),
        NoAnswer::NoDenominator => "a denominator of 0".into(),
        NoAnswer::Constant => "all units have the same value".into(),
        NoAnswer::DenominatorMayBeZero { low, high, .. } => {
            let show = |end| NumberStyle::Score.show(end);
            format!("the interval of the control includes 0 ({} to {})", show(*low), show(*high))
        }
        NoAnswer::NothingDecided => "neither side won any".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_test_p_and_threshold() {
        let said = because(VerdictReason::Significant { p: 0.01 }, "the test", 0.95);
        assert_eq!(said, "significant: the test gives p 0.010, below 0.05");
    }
}
