//! Notes of A/B tests and interleaving in words.

use karat_analysis::ab::{AbNote, ComparisonName, InterleavingNote, InterleavingOptions, Scheme, TestName, UnitName};
use karat_report::NumberStyle;
use karat_stats::ab::{
    EFFECTIVE_UNITS, MINIMUM_EFFECTIVE_UNITS, MINIMUM_UNITS, RESAMPLED_BELOW, SAMPLE_RATIO_THRESHOLD,
    SPREAD_UNITS_OF_AN_ARM,
};

use super::parts::{Arms, no_answer, too_small, waits};

const CLICKS: &str = "More clicks are not always better: check abandoned and reformulated searches too.";
const ONE_LOOK: &str = "p and intervals are valid for one look, at the planned end of the test.";
const NAIVE: &str = "warning: NAIVE: the test treats every search as a new user. If users repeat, equal arms differ significantly in 12% to 36% \
                     of tests or more, not in 5%. Give rows with users: karat ab FILE --unit user.";

/// A note of an A/B test.
pub(super) fn text(note: &AbNote, unit: &UnitName) -> String {
    let (one, many) = (&unit.one, &unit.many);
    match note {
        AbNote::SampleRatioMismatch { unit, p, planned } => sample_ratio_mismatch(unit, *p, *planned),
        AbNote::Naive { per_user: None } => NAIVE.into(),
        AbNote::Naive { per_user: Some((mean, trials)) } => {
            format!("{NAIVE} Here: {} {trials} per user.", NumberStyle::Decimals(2).show(*mean))
        }
        AbNote::NoUserRepeats => "No user repeats, so the z test is valid in that respect.".into(),
        AbNote::NoTest(name, why) => format!("{}: no test: {}.", named(name), no_answer(why)),
        AbNote::NoLift(name, why) => format!("{}: no lift: {}.", named(name), no_answer(why)),
        AbNote::NoLiftExtreme { comparison, arm, all } => {
            let share = if *all { "all" } else { "no" };
            format!("{}: no lift: {share} trials of {arm} succeeded, so its error is unknown.", named(comparison))
        }
        AbNote::SampleRatioOfTrials { trials } => {
            format!("The sample ratio is checked on {trials}; give users=N to check it on users.")
        }
        AbNote::CountsMethods => {
            "Intervals: Wilson (rates), Newcombe (difference), Fieller (lift). If repeating users raise the variance \
                                  beyond the design effect limit, the difference is not significant."
                .into()
        }
        AbNote::SequenceResult { comparison, decided, fixed_significant, looks } => {
            sequence_result(comparison, decided.as_deref(), *fixed_significant, *looks)
        }
        AbNote::NoLookYet { comparison, control, waiting } => {
            let arms = Arms { control, arm: &comparison.arm, units: many };
            let why =
                waiting.map_or_else(|| format!("all {many} have the same value"), |waiting| waits(&waiting, arms));
            format!("warning: {}: no verdict: no look counts yet: {why}.", named(comparison))
        }
        AbNote::NoArmInterval { metric, arm } => format!(
            "No interval for {metric} of {arm} at any look: that needs {MINIMUM_UNITS} {many}, {SPREAD_UNITS_OF_AN_ARM} of which carry the variance."
        ),
        AbNote::ArmsDifferInCase(a, b) => {
            format!("warning: the arms {a} and {b} differ only in capitals. If they are one arm, write them alike.")
        }
        AbNote::UnitsDropped(dropped) => format!(
            "warning: {dropped} {many} in two arms are left out. If the change made them switch, the rest is biased."
        ),
        AbNote::ClicksCountedOnce(rows) => format!("Several clicks on one search count once ({rows} rows)."),
        AbNote::AllClicksCount => "Every click counts, so the metric is a mean and may exceed 1.".into(),
        AbNote::FewUnits(units) => {
            format!(
                "warning: an arm has only {units} {many}. Below 30, up to 7% of equal arms may differ significantly."
            )
        }
        AbNote::UnitOfAnalysis => format!(
            "The unit is the {one} (--unit). Standard errors: jackknife over {many}. Design effect: that variance over the naive one."
        ),
        AbNote::Tests { resampled: None, .. } => format!("p and intervals: Welch's t over {many}."),
        AbNote::Tests { resampled: Some(draws), t } => tests_used(*draws, *t, many),
        AbNote::EffectiveUnits => format!(
            "Effective {many}: {many} with equal denominators that would weigh as much. A verdict needs {EFFECTIVE_UNITS} in each arm."
        ),
        AbNote::TooSmall { comparison, control, refusal } => {
            let arms = Arms { control, arm: &comparison.arm, units: many };
            format!("warning: {}: no verdict: {}.", named(comparison), too_small(refusal, arms))
        }
        AbNote::LooksContradict(name) => format!(
            "warning: {}: intervals of two looks exclude each other. The effect changed over time; there is no verdict.",
            named(name)
        ),
        AbNote::Corrected { comparisons } => {
            format!("{comparisons} comparisons: verdicts use Holm's correction; intervals are not corrected.")
        }
        AbNote::ConfidenceSequence { tuning } => format!(
            "Any look: asymptotic confidence sequence (Waudby-Smith et al. 2021), tightest at {tuning} {many} (--tune; choose it before \
             seeing data). Looks count from {MINIMUM_UNITS} {many} per arm on, {MINIMUM_EFFECTIVE_UNITS} effective. Corrected for unequal and \
             skewed arms."
        ),
        AbNote::OneLook { peek_possible: true } => {
            format!("{ONE_LOOK} To look earlier, use --time COLUMN --peek.")
        }
        AbNote::OneLook { peek_possible: false } => ONE_LOOK.into(),
        AbNote::ControlByName(control) => {
            format!("The control is {control}, the first arm by name; --control names another.")
        }
        AbNote::UnitsNeeded => format!(
            "{many} needed: over all arms, for one two-sided test with the observed variance. Corrections and earlier looks need more."
        ),
        AbNote::UnitsPerDay { units, days } => format!(
            "Days: at {} new {many} per day, the mean of {days} days; later days usually bring fewer.",
            NumberStyle::Decimals(1).show(*units)
        ),
        AbNote::ClicksAreNotQuality => CLICKS.into(),
        AbNote::RowsAsGiven => "Robots and searches without results count if they are in the rows.".into(),
    }
}

/// How p and intervals of arms with few effective units are found.
fn tests_used((fewest, most): (u32, u32), t: bool, many: &str) -> String {
    let draws = if fewest == most { format!("{most}") } else { format!("{fewest} to {most}") };
    let others = if t { " Others: Welch's t." } else { "" };
    format!(
        "p and intervals where an arm has fewer than {RESAMPLED_BELOW} effective {many}: the larger p of a permutation test and of random \
         signs, {draws} draws each.{others}"
    )
}

/// "clicks/searches of B"
fn named(name: &ComparisonName) -> String {
    format!("{} of {}", name.metric, name.arm)
}

fn sample_ratio_mismatch(unit: &str, p: f64, planned: bool) -> String {
    let p = NumberStyle::P.show(p);
    let split = if planned { "" } else { " If the split was not equal, give it: --split 90:10." };
    format!(
        "warning: SAMPLE RATIO MISMATCH: do not use these results. The {unit} per arm do not match the planned split (p {p}, below \
         {SAMPLE_RATIO_THRESHOLD}), so some are lost or miscounted and the arms are not comparable. Find the cause.{split}"
    )
}

fn sequence_result(name: &ComparisonName, decided: Option<&str>, fixed: usize, looks: usize) -> String {
    let sequence = match decided {
        Some(time) => format!("significant from {time} on, at any look"),
        None => "not significant at any look".into(),
    };
    format!("{}: {sequence}. The test for one look was significant at {fixed} of {looks} looks.", named(name))
}

/// A note of an interleaving experiment.
pub(super) fn interleaving_text(note: &InterleavingNote, options: &InterleavingOptions) -> String {
    let many = options.unit.as_ref().map_or("users", |unit| unit.many.as_str());
    let (a, b) = (&options.names.0, &options.names.1);
    match note {
        InterleavingNote::NoTest { test, over, why } => {
            let test = match test {
                TestName::Sign => "sign test",
                TestName::T => "t",
            };
            format!("No {test} over {over}: {}.", no_answer(why))
        }
        InterleavingNote::WinnerContradictsClicks { rows, line, searches } => format!(
            "warning: in {rows} of {searches} rows (first: line {line}) the winner is not the ranking with more clicks. The winner column \
             is used; check which is right."
        ),
        InterleavingNote::Naive => "warning: NAIVE: every search is treated as a new user. If users repeat, p is too small; name their \
                                    column with --unit."
            .into(),
        InterleavingNote::DecidedBySign { units } => {
            format!("The verdict is by the sign test over {units} {many}; t cannot be computed.")
        }
        InterleavingNote::DecidedByT { units, searches } => format!(
            "The verdict is by t over {units} {many}: (wins of {b} - wins of {a}) per search, over {searches} searches."
        ),
        InterleavingNote::Ties => format!(
            "The sign test leaves out ties and searches without clicks; its value is the share won by {b}. The margin counts them as 0."
        ),
        InterleavingNote::Scheme(Scheme::TeamDraft) => "team-draft: a click counts for the ranking that drafted the document. The first \
                                                        pick of every round must be random."
            .into(),
        InterleavingNote::Scheme(Scheme::Balanced) => "balanced: biased when one ranking is the other shifted by one rank: the shifted one \
                                                       wins more often, whatever is clicked. Team-draft has no such bias."
            .into(),
        InterleavingNote::LengthsUnknown => {
            "Rankings of unequal length bias the result; --lengths length_a,length_b shows it without such searches.".into()
        }
        InterleavingNote::EqualLengths => "Both rankings were equally long in every search.".into(),
        InterleavingNote::UnequalLengths { unequal, searches } => format!(
            "In {unequal} of {searches} searches one ranking was longer, which can bias the result. The tests are given with and without \
             them."
        ),
        InterleavingNote::OneLook => ONE_LOOK.into(),
        InterleavingNote::ClicksAreNotQuality => CLICKS.into(),
    }
}
