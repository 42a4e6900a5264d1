//! What keeps an A/B test from being analysed.

use karat_stats::ab::NoAnswer;

use super::counts::Counts;
use super::rows::Several;
use super::times::TimeKind;
use super::unit_name::UnitName;

/// What is wrong with the data or with options that must fit them.
#[derive(Debug, Clone, PartialEq)]
pub enum AbError {
    /// An arm has more successes than trials, or no trial.
    SuccessesBeyondTrials {
        /// The arm.
        arm: Counts,
        /// What is counted: successes and trials.
        counted: (String, String),
    },
    /// An arm has more users than trials, or no user.
    UsersBeyondTrials {
        /// The arm.
        arm: Counts,
        /// What trials are called.
        trials: String,
    },
    /// The split has another number of weights than there are arms.
    SplitLength {
        /// How many weights were given.
        weights: usize,
        /// The arms, the control first.
        arms: Vec<String>,
    },
    /// The split names other arms than there are.
    SplitNames {
        /// The names given.
        named: Vec<String>,
        /// The arms, the control first.
        arms: Vec<String>,
    },
    /// The sample ratio cannot be tested.
    NoSampleRatio(NoAnswer),
    /// There is one arm, or none.
    OneArm {
        /// The only arm; none when every unit is in two arms.
        arm: Option<String>,
    },
    /// The control is none of the arms.
    UnknownControl {
        /// The control given.
        control: String,
        /// The arms.
        arms: Vec<String>,
    },
    /// An arm has too few units for a variance, or nothing to divide by.
    TooFewUnits(Box<TooFewUnits>),
    /// Units were found in two arms.
    UnitsInTwoArms {
        /// The unit's column.
        unit: String,
        /// How many units there are.
        units: usize,
        /// The arms, in the order of bytes.
        arms: Vec<String>,
        /// Those in two arms, in the order of the lines that show it.
        crossed: Vec<CrossedUnit>,
    },
    /// Rows that count no search.
    NoSearches,
}

/// An arm with too few units for a variance, or nothing to divide by.
#[derive(Debug, Clone, PartialEq)]
pub struct TooFewUnits {
    /// The unit.
    pub unit: UnitName,
    /// What the metric is over.
    pub over: String,
    /// The arm.
    pub arm: String,
    /// All arms.
    pub arms: Vec<String>,
    /// What the arm lacks.
    pub why: NoAnswer,
}

/// A unit that was found in two arms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossedUnit {
    /// Its name.
    pub name: Vec<u8>,
    /// Its first arm.
    pub first_arm: Vec<u8>,
    /// The line of its first row.
    pub first_line: u64,
    /// Its other arm.
    pub other_arm: Vec<u8>,
    /// The first line with the other arm.
    pub other_line: u64,
}

/// What is wrong with one row.
#[derive(Debug, Clone, PartialEq)]
pub enum RowError {
    /// More successes than trials.
    NumeratorBeyondDenominator {
        /// The column above.
        numerator: String,
        /// What it is over.
        denominator: String,
        /// The two values.
        values: (f64, f64),
        /// How several clicks on one search are counted.
        several: Several,
    },
    /// A time that cannot be used.
    Time {
        /// The column.
        column: String,
        /// What is in it.
        found: Vec<u8>,
        /// What is wrong with it.
        error: TimeError,
    },
}

/// Why a time cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeError {
    /// It is no date, no time and no number.
    NotATime,
    /// It is written otherwise than the first one of the file.
    OtherKind {
        /// How the first one is written.
        first: TimeKind,
        /// Its line.
        line: u64,
    },
}
