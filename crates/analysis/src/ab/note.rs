//! What a reader of an A/B test must know besides its numbers.

use karat_stats::ab::{NoAnswer, Refusal, Waiting};

use super::interleaving::{Scheme, TestName};

/// One comparison: a metric of an arm against the control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonName {
    /// The metric.
    pub metric: String,
    /// The arm.
    pub arm: String,
}

/// A warning or an assumption.
#[derive(Debug, Clone, PartialEq)]
pub enum AbNote {
    /// Arms got other numbers of units than planned.
    SampleRatioMismatch {
        /// What is counted, such as users.
        unit: String,
        /// p-value of the check.
        p: f64,
        /// Whether a split was given.
        planned: bool,
    },
    /// Counts without users: the test is only valid if no user repeats.
    Naive {
        /// Mean trials per user and what they are called, where users are known.
        per_user: Option<(f64, String)>,
    },
    /// As many users as trials: the test is valid.
    NoUserRepeats,
    /// A comparison has no test.
    NoTest(ComparisonName, NoAnswer),
    /// A comparison has no lift.
    NoLift(ComparisonName, NoAnswer),
    /// A comparison has no lift, because all or no trials of an arm succeeded.
    NoLiftExtreme {
        /// The comparison.
        comparison: ComparisonName,
        /// The arm without variance.
        arm: String,
        /// Whether all its trials succeeded; otherwise none did.
        all: bool,
    },
    /// The sample ratio is of trials, which vary more than users.
    SampleRatioOfTrials {
        /// What trials are called.
        trials: String,
    },
    /// How the intervals of counts are computed.
    CountsMethods,
    /// What the sequence of looks shows.
    SequenceResult {
        /// The comparison.
        comparison: ComparisonName,
        /// The time from which on the sequence excludes 0.
        decided: Option<String>,
        /// Looks at which the test for one look was significant.
        fixed_significant: usize,
        /// Looks with enough units.
        looks: usize,
    },
    /// No look counts yet.
    NoLookYet {
        /// The comparison.
        comparison: ComparisonName,
        /// The control.
        control: String,
        /// What is needed; nothing helps where all units have the same value.
        waiting: Option<Waiting>,
    },
    /// The value of an arm has no interval that is valid at all looks.
    NoArmInterval {
        /// The metric.
        metric: String,
        /// The arm.
        arm: String,
    },
    /// Two arms whose names differ only in capitals.
    ArmsDifferInCase(String, String),
    /// Units in two arms were left out.
    UnitsDropped(u64),
    /// Rows whose clicks were counted once.
    ClicksCountedOnce(u64),
    /// Every click counts.
    AllClicksCount,
    /// An arm has fewer units than were measured to be safe.
    FewUnits(u64),
    /// The unit and the standard error over it.
    UnitOfAnalysis,
    /// Which tests were used.
    Tests {
        /// Draws of the comparisons that were resampled, the fewest and the most.
        resampled: Option<(u32, u32)>,
        /// Whether others are by t.
        t: bool,
    },
    /// What effective units are, where they matter.
    EffectiveUnits,
    /// Intervals of two looks exclude each other.
    LooksContradict(ComparisonName),
    /// An arm is too small for a verdict.
    TooSmall {
        /// The comparison.
        comparison: ComparisonName,
        /// The control.
        control: String,
        /// Why.
        refusal: Refusal,
    },
    /// Several comparisons are corrected.
    Corrected {
        /// How many there are.
        comparisons: usize,
    },
    /// The confidence sequence, tuned for so many units.
    ConfidenceSequence {
        /// Units at which it is tightest.
        tuning: u64,
    },
    /// p-values and intervals are for one look at the planned end.
    OneLook {
        /// Whether rows have what a confidence sequence needs.
        peek_possible: bool,
    },
    /// The control was not named.
    ControlByName(String),
    /// What the needed number of units assumes.
    UnitsNeeded,
    /// New units per day, as the mean of the days in the rows.
    UnitsPerDay {
        /// New units per day.
        units: f64,
        /// How many days.
        days: usize,
    },
    /// More clicks are not always better.
    ClicksAreNotQuality,
    /// Rows are taken as they are.
    RowsAsGiven,
}

/// A warning or an assumption of an interleaving experiment.
#[derive(Debug, Clone, PartialEq)]
pub enum InterleavingNote {
    /// A test could not be computed.
    NoTest {
        /// The test.
        test: TestName,
        /// What it is over.
        over: String,
        /// Why.
        why: NoAnswer,
    },
    /// Rows whose winner is not the ranking with more clicks.
    WinnerContradictsClicks {
        /// How many.
        rows: u64,
        /// The line of the first.
        line: u64,
        /// All searches.
        searches: u64,
    },
    /// Searches without users: the test is only valid if no user repeats.
    Naive,
    /// The verdict is by the sign test over units.
    DecidedBySign {
        /// How many units.
        units: usize,
    },
    /// The verdict is by t over units.
    DecidedByT {
        /// How many units.
        units: usize,
        /// All searches.
        searches: u64,
    },
    /// How ties count.
    Ties,
    /// How the lists were interleaved.
    Scheme(Scheme),
    /// The lengths of the rankings are not known.
    LengthsUnknown,
    /// Both rankings were as long in every search.
    EqualLengths,
    /// Searches in which one ranking was longer.
    UnequalLengths {
        /// How many.
        unequal: u64,
        /// All searches.
        searches: u64,
    },
    /// p-values and intervals are for one look at the planned end.
    OneLook,
    /// More clicks are not always better.
    ClicksAreNotQuality,
}
