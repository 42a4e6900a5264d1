//! What the three reports share: the sample ratio, the reason of a verdict, why there is no number.

use karat_analysis::ab::{FEWEST_EXPECTED, SampleRatioCheck, Verdict, VerdictReason};
use karat_report::{Block, NumberStyle, Table};
use karat_stats::ab::{
    MINIMUM_EFFECTIVE_UNITS, MINIMUM_SPREAD_UNITS, MINIMUM_UNITS, NoAnswer, Refusal, Side, UNITS_WITHOUT_SPREAD,
    Waiting,
};

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

/// The two sides of a comparison.
#[derive(Clone, Copy)]
pub(super) struct Arms<'n> {
    /// The control's name.
    pub(super) control: &'n str,
    /// The other arm's.
    pub(super) arm: &'n str,
    /// What is counted, such as users.
    pub(super) units: &'n str,
}

/// Why, in one sentence.
pub(super) fn because(reason: VerdictReason, test: &str, arms: Arms<'_>, level: f64) -> String {
    let threshold = threshold(level);
    let show = |p| NumberStyle::P.show(p);
    match reason {
        VerdictReason::SampleRatioMismatch => "the sample ratio check failed, so the arms cannot be compared".into(),
        VerdictReason::NoTest => "no test could be computed; see the notes".into(),
        VerdictReason::TooSmall(refusal) => format!("no verdict: {}", too_small(&refusal, arms)),
        VerdictReason::FewCounts { least } => format!(
            "no verdict: the counts are too small for a z test (an arm would have {}; at least {FEWEST_EXPECTED} successes and failures are needed)",
            NumberStyle::Decimals(1).show(least)
        ),
        VerdictReason::Waiting(waiting) => format!("no verdict: no look counts yet: {}", waits(&waiting, arms)),
        VerdictReason::LooksContradict => {
            "the intervals of two looks exclude each other, so the effect changed over time".into()
        }
        VerdictReason::NotSignificant { p } => {
            format!("not significant: {test} gives p {}, not below {threshold}", show(p))
        }
        VerdictReason::Significant { p } => format!("significant: {test} gives p {}, below {threshold}", show(p)),
    }
}

impl<'n> Arms<'n> {
    fn name(&self, side: &Side) -> &'n str {
        match side {
            Side::Control => self.control,
            Side::Treatment => self.arm,
        }
    }
}

/// What a look still needs.
pub(super) fn waits(waiting: &Waiting, arms: Arms<'_>) -> String {
    let many = arms.units;
    match waiting {
        Waiting::Units { side, have } => {
            format!("{} has {have} {many}, and {MINIMUM_UNITS} are needed", arms.name(side))
        }
        Waiting::EffectiveUnits { side, have } => {
            let have = NumberStyle::Decimals(1).show(*have);
            format!("{} has {have} effective {many}, and {MINIMUM_EFFECTIVE_UNITS} are needed", arms.name(side))
        }
        Waiting::SpreadUnits { side, units } => format!(
            "fewer than {MINIMUM_SPREAD_UNITS} {many} carry the variance of {}; looks count once {MINIMUM_SPREAD_UNITS} do, or from {UNITS_WITHOUT_SPREAD} \
             {many} on (it has {units})",
            arms.name(side)
        ),
    }
}

/// Why arms are too small for a verdict, and what would help.
pub(super) fn too_small(refusal: &Refusal, arms: Arms<'_>) -> String {
    let name = |side: &Side| arms.name(side);
    let many = arms.units;
    match refusal {
        Refusal::FewEffectiveUnits { side, effective, need, units } => format!(
            "{} has {} effective {many}, and {need} are needed, as about {units} {many} would have",
            name(side),
            NumberStyle::Decimals(1).show(*effective)
        ),
        Refusal::FewEvents { side } => {
            format!("hardly any {many} of {} differ from the others; collect more data", name(side))
        }
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
        NoAnswer::Constant => "the units of each arm have the same value".into(),
        NoAnswer::DenominatorMayBeZero { low, high, .. } if *low < 0.0 => {
            let show = |end| NumberStyle::Score.show(end);
            format!("the interval of the control includes 0 ({} to {})", show(*low), show(*high))
        }
        // Resampling does not say where the interval of one arm ends.
        NoAnswer::DenominatorMayBeZero { .. } => "the interval of the control includes 0".into(),
        NoAnswer::NothingDecided => "neither side won any".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_test_p_and_threshold() {
        let arms = Arms { control: "A", arm: "B", units: "users" };
        let said = |reason| because(reason, "the test", arms, 0.95);
        assert_eq!(said(VerdictReason::Significant { p: 0.01 }), "significant: the test gives p 0.010, below 0.05");
        let few = Refusal::FewEffectiveUnits { side: Side::Treatment, effective: 6.04, need: 8.0, units: 40.0 };
        assert_eq!(
            said(VerdictReason::TooSmall(few)),
            "no verdict: B has 6.0 effective users, and 8 are needed, as about 40 users would have"
        );
        assert_eq!(
            said(VerdictReason::Waiting(Waiting::SpreadUnits { side: Side::Treatment, units: 60 })),
            "no verdict: no look counts yet: fewer than 3 users carry the variance of B; looks count once 3 do, or from 300 users on (it has 60)"
        );
    }
}
