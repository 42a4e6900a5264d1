//! Is a difference more than chance? Tests of paired differences, one topic one difference.
//!
//! The one decision: every test is a row of [`TESTS`] with its page, and gives the same [`Evidence`]: a statistic, a p that is
//! never 0 unless it underflows, how it was calculated, and the smallest p it could have given, so that "not significant" and
//! "could not have been significant" are told apart. What cannot be tested is a [`NoTest`] with its reason.

mod bayes;
mod bootstrap;
mod bounded;
mod ranks;
mod sign;
pub mod sign_flip;
mod t;
mod welch;
mod wilcoxon;

pub use bayes::{Posterior, posterior};
pub use ranks::mid_ranks;
pub use welch::satterthwaite;

use crate::sample::Sample;
use crate::seed::Seed;
use std::fmt;

/// Every test, in the order they are reported.
pub const TESTS: &[TestInfo] = &[
    t::ROW,
    sign_flip::ROW,
    bootstrap::SHIFT,
    bootstrap::STUDENTISED,
    wilcoxon::ROW,
    sign::ROW,
    bounded::ROW,
    bayes::ROW,
    welch::ROW,
];

/// Differences nearer to each other than this share of the largest one (of their sum, for sums) are equal: 0.3 − 0.2 and
/// 0.2 − 0.1 are, though their floats are not.
pub const SAME: f64 = 1e-10;

/// The row of a test by its name.
pub fn find(name: &str) -> Option<&'static TestInfo> {
    TESTS.iter().find(|row| row.name == name)
}

/// A test's row: its definition and its page.
#[derive(Clone, Copy, Debug)]
pub struct TestInfo {
    /// Its name in machine-readable output and after `--test`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What [`Evidence::statistic`] is.
    pub statistic: &'static str,
    /// The formula in plain text.
    pub formula: &'static str,
    /// How to read it.
    pub reading: &'static str,
    /// When it misleads.
    pub misleads: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// What it is computed from.
    pub of: Of,
    /// A case worked by hand.
    pub example: Example,
}

/// What a test is computed from.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// One difference for each topic.
    Differences(fn(&Sample<'_>, Alternative, &Settings) -> Result<Outcome, NoTest>),
    /// Two samples of different topics.
    TwoSamples(fn(&Sample<'_>, &Sample<'_>, Alternative) -> Result<Outcome, NoTest>),
}

/// Numbers, and what the test says of them (two-sided).
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The differences, or the first sample.
    pub differences: &'static [f64],
    /// The second sample, for a test of two.
    pub second: &'static [f64],
    /// The statistic.
    pub statistic: f64,
    /// The p-value.
    pub p: f64,
    /// How far a p by chance may be from it: five standard deviations at the default number of draws; else rounding.
    pub within: f64,
    /// How it comes about.
    pub derivation: &'static str,
}

/// Which differences speak against "no difference".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alternative {
    /// Either direction.
    #[default]
    TwoSided,
    /// Above 0 only.
    Greater,
    /// Below 0 only.
    Less,
}

impl Alternative {
    /// The name in machine-readable output, as SciPy spells it with underscores.
    pub fn name(self) -> &'static str {
        match self {
            Alternative::TwoSided => "two_sided",
            Alternative::Greater => "greater",
            Alternative::Less => "less",
        }
    }

    /// The p of this alternative from the probabilities of a statistic at least, and at most, as large as the one seen.
    fn p(self, at_least: f64, at_most: f64) -> f64 {
        match self {
            Alternative::TwoSided => (2.0 * at_least.min(at_most)).min(1.0),
            Alternative::Greater => at_least,
            Alternative::Less => at_most,
        }
    }
}

/// Choices that change a number; printed beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Random draws of a test by resampling.
    pub permutations: u32,
    /// What the draws are a function of.
    pub seed: Seed,
    /// Threads to use; they change no number.
    pub threads: usize,
    /// Sign test: differences up to this size are ties (Urbano, Lima and Hanjalic 2019 took 0.01). 0: equal scores only.
    pub tie: f64,
    /// Bayes: half the width of the region of practical equivalence around 0.
    pub rope: f64,
    /// Bounded: the largest difference there can be, such as 1 for scores from 0 to 1.
    pub largest: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { permutations: 100_000, seed: Seed(42), threads: 1, tie: 0.0, rope: 0.01, largest: 1.0 }
    }
}

/// How a p was calculated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calculation {
    /// From the distribution of the statistic when its assumptions hold: Student's t.
    Distribution,
    /// From all outcomes chance could have given.
    Exact,
    /// From the normal the statistic tends to.
    Asymptotic,
    /// From draws: p = (count + 1) / (draws + 1).
    Drawn {
        /// Draws made.
        draws: u32,
        /// Draws at least as extreme as what was seen.
        extreme: u32,
    },
}

impl Calculation {
    /// The name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Calculation::Distribution => "distribution",
            Calculation::Exact => "exact",
            Calculation::Asymptotic => "asymptotic",
            Calculation::Drawn { .. } => "monte_carlo",
        }
    }
}

/// What a test's function gives; [`TestInfo::run`] adds the name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    statistic: f64,
    p: f64,
    smallest_p: Option<f64>,
    calculation: Calculation,
    used: usize,
    posterior: Option<Posterior>,
}

impl Outcome {
    /// (extreme + 1) / (draws + 1), of which 1 / (draws + 1) is the least.
    fn drawn(statistic: f64, used: usize, draws: u32, extreme: u32) -> Outcome {
        let share = |count: u32| (f64::from(count) + 1.0) / (f64::from(draws) + 1.0);
        let calculation = Calculation::Drawn { draws, extreme };
        Outcome { statistic, p: share(extreme), smallest_p: Some(share(0)), calculation, used, posterior: None }
    }
}

/// What a test found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// The test's name.
    pub test: &'static str,
    /// See [`TestInfo::statistic`].
    pub statistic: f64,
    /// How often chance alone does as much.
    pub p: f64,
    /// The least p that this test could have given for so many observations that differ; `None` where it has no least.
    pub smallest_p: Option<f64>,
    /// How p was calculated.
    pub calculation: Calculation,
    /// Observations given.
    pub observations: usize,
    /// Observations with a say: fewer than given where zeros are dropped (`wilcoxon`, `sign`) or cannot matter (`randomization`).
    pub used: usize,
    /// What `bayes` adds.
    pub posterior: Option<Posterior>,
}

impl Evidence {
    /// Whether no outcome could have brought p to `alpha`: then "not significant" says nothing about the systems.
    pub fn unresolvable(&self, alpha: f64) -> bool {
        self.smallest_p.is_some_and(|smallest| smallest > alpha)
    }
}

/// Why there is no test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoTest {
    /// Too few observations.
    TooFew {
        /// Observations given.
        have: usize,
        /// Observations needed.
        need: usize,
    },
    /// Every difference is the same and not 0, so there is no spread to judge chance by.
    Constant {
        /// The difference.
        value: f64,
    },
    /// Every difference is 0: nothing speaks for either.
    AllZero,
    /// No draws were asked for.
    NoDraws,
    /// A setting is not one.
    Setting {
        /// Its name.
        what: &'static str,
        /// What was given.
        found: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// The test is of two samples, not of differences.
    Unpaired,
    /// The test is of differences, not of two samples.
    Paired,
}

impl fmt::Display for NoTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTest::TooFew { have, need } => write!(f, "{have} topic(s); this test needs at least {need}"),
            NoTest::Constant { value } => {
                write!(f, "every difference is {value}; without spread among them this test cannot judge chance")
            }
            NoTest::AllZero => f.write_str("the scores are equal on every topic, so there is no difference to test"),
            NoTest::NoDraws => f.write_str("0 permutations; ask for at least 1"),
            NoTest::Setting { what, found, expected } => write!(f, "{what} is {found}; expected {expected}"),
            NoTest::Unpaired => f.write_str("this test is of two samples; give both, not their differences"),
            NoTest::Paired => f.write_str("this test is of paired differences; give those, not two samples"),
        }
    }
}

impl std::error::Error for NoTest {}

impl TestInfo {
    /// Tests whether differences are more than chance.
    ///
    /// # Errors
    /// The differences are too few, all alike or all zero for this test; it takes two samples; a setting is not legal.
    pub fn run(
        &self,
        differences: &Sample<'_>,
        alternative: Alternative,
        settings: &Settings,
    ) -> Result<Evidence, NoTest> {
        let Of::Differences(test) = self.of else { return Err(NoTest::Unpaired) };
        check(differences)?;
        Ok(self.evidence(test(differences, alternative, settings)?, differences.len()))
    }

    /// Tests whether the means of two samples differ by more than chance; `Greater` means the first is.
    ///
    /// # Errors
    /// The samples are too few or constant, or the test takes differences.
    pub fn run_unpaired(
        &self,
        first: &Sample<'_>,
        second: &Sample<'_>,
        alternative: Alternative,
    ) -> Result<Evidence, NoTest> {
        let Of::TwoSamples(test) = self.of else { return Err(NoTest::Paired) };
        Ok(self.evidence(test(first, second, alternative)?, first.len() + second.len()))
    }

    /// Tests many pairs of systems, two-sided, given their scores on the same topics: the same evidence as pair by pair, and much sooner
    /// where the test knows a way. `None` where it knows none.
    pub fn run_pairs(
        &self,
        systems: &[Vec<f64>],
        pairs: &[(usize, usize)],
        settings: &Settings,
    ) -> Option<Vec<Result<Evidence, NoTest>>> {
        let topics = systems.first().map_or(0, Vec::len);
        let known = self.name == sign_flip::ROW.name && systems.iter().all(|scores| scores.len() == topics);
        let outcomes = known.then(|| sign_flip::run_pairs(systems, pairs, settings))?;
        Some(outcomes.into_iter().map(|outcome| outcome.map(|outcome| self.evidence(outcome, topics))).collect())
    }

    fn evidence(&self, outcome: Outcome, observations: usize) -> Evidence {
        let Outcome { statistic, p, smallest_p, calculation, used, posterior } = outcome;
        Evidence { test: self.name, statistic, p, smallest_p, calculation, observations, used, posterior }
    }
}

/// Fewest topics any test takes.
const FEWEST: usize = 2;

fn check(differences: &Sample<'_>) -> Result<(), NoTest> {
    let have = differences.len();
    if have < FEWEST {
        return Err(NoTest::TooFew { have, need: FEWEST });
    }
    if differences.is_constant() && differences.mean() == 0.0 {
        return Err(NoTest::AllZero);
    }
    Ok(())
}

/// For tests that need spread. Differences that are the same but for rounding have none.
fn check_spread(differences: &Sample<'_>) -> Result<(), NoTest> {
    let largest = differences.values().iter().fold(0.0f64, |most, value| most.max(value.abs()));
    let same = differences.sd().is_ok_and(|sd| sd <= largest * SAME);
    if same { Err(NoTest::Constant { value: differences.mean() }) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
