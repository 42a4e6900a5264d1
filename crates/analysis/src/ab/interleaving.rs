//! Interleaved rankings: whose results are clicked?
//!
//! Ties, searches without clicks and lists of unequal length are counted and shown; the tests are given with and without the
//! last.

use karat_stats::ab::{NoAnswer, margin, sign_test};
use karat_stats::estimate::Interval;
use schemars::JsonSchema;
use serde::Serialize;

use super::error::AbError;
use super::note::InterleavingNote;
use super::outcomes::{Outcome, Outcomes};
use super::unit_name::UnitName;
use super::verdict::{Grounds, Verdict, VerdictReason, decide};

/// How the lists were interleaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Radlinski, Kurup and Joachims (2008): the rankings draft in turns, a coin decides who picks first.
    TeamDraft,
    /// Joachims (2003): every prefix holds as many of the best of each.
    Balanced,
}

/// How outcomes are analysed.
#[derive(Debug, Clone, PartialEq)]
pub struct InterleavingOptions {
    /// The names of the two rankings.
    pub names: (String, String),
    /// How they were interleaved.
    pub scheme: Scheme,
    /// The unit whose searches belong together, where there is one.
    pub unit: Option<UnitName>,
    /// Confidence level.
    pub level: f64,
}

/// An interleaving experiment.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InterleavingAnswer {
    /// The ranking that is preferred.
    pub verdict: Preference,
    /// Why, in one sentence.
    // Worded where the answer is presented; empty until then.
    pub because: String,
    /// Name of ranking a.
    pub a: String,
    /// Name of ranking b.
    pub b: String,
    /// Searches and units by who won.
    pub outcomes: Vec<OutcomeCounts>,
    /// The tests; the last that could be computed decides.
    pub tests: Vec<InterleavingTest>,
    /// The tests without searches in which one ranking was longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests_equal_lengths: Option<Vec<InterleavingTest>>,
    /// What the verdict rests on.
    #[serde(skip)]
    pub reason: VerdictReason,
    /// The place of the test that decides.
    #[serde(skip)]
    pub deciding: usize,
    /// Warnings and assumptions.
    #[serde(skip)]
    pub notes: Vec<InterleavingNote>,
}

/// Which ranking is preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preference {
    /// Ranking a.
    A,
    /// Ranking b.
    B,
    /// The difference is not significant.
    Undecided,
}

/// How many were won by whom.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OutcomeCounts {
    /// What is counted: searches, or units such as users.
    pub over: String,
    /// How many there are.
    pub count: u64,
    /// Won by a.
    pub wins_a: u64,
    /// Won by b.
    pub wins_b: u64,
    /// With as many clicks on both.
    pub ties: u64,
    /// Without any click.
    pub without_clicks: u64,
    /// Wins of b minus wins of a, over all.
    pub margin: f64,
}

/// A test of an interleaving experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TestName {
    /// The sign test.
    Sign,
    /// Student's t of the margin.
    T,
}

/// The result of one test.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InterleavingTest {
    /// The test.
    pub test: TestName,
    /// What it is over: searches, or units such as users.
    pub over: String,
    /// Sign test: share won by b of those decided. t: the margin per search.
    pub value: Option<f64>,
    /// Interval of the value.
    pub interval: Option<(f64, f64)>,
    /// p-value.
    pub p: Option<f64>,
    /// Why the test could not be computed.
    // Worded where the answer is presented; empty until then.
    pub reason: Option<String>,
    /// Confidence level.
    pub level: f64,
    /// What keeps the test from being computed.
    #[serde(skip)]
    pub no_answer: Option<NoAnswer>,
}

/// Whose results are clicked?
///
/// # Errors
/// There is no search.
pub fn interleaving(outcomes: &Outcomes, options: &InterleavingOptions) -> Result<InterleavingAnswer, AbError> {
    if outcomes.searches() == 0 {
        return Err(AbError::NoSearches);
    }
    let units: Vec<Outcome> = outcomes.users.values().map(|own| own.0).collect();
    let tests = all_tests(&outcomes.all, &units, options);
    let deciding = deciding_test(&tests);
    let (verdict, reason) = decide(&Grounds {
        sample_ratio_holds: true,
        difference: outcomes.all.margin(),
        p: tests[deciding].p,
        level: options.level,
        refusal: None,
    });
    let tests_equal_lengths = (outcomes.unequal > 0).then(|| {
        let equal: Vec<Outcome> = outcomes.users.values().map(|own| own.1).filter(|own| own.searches() > 0).collect();
        all_tests(&outcomes.equal_lengths, &equal, options)
    });
    Ok(InterleavingAnswer {
        verdict: match verdict {
            Verdict::Higher => Preference::B,
            Verdict::Lower => Preference::A,
            Verdict::Undecided => Preference::Undecided,
        },
        because: String::new(),
        a: options.names.0.clone(),
        b: options.names.1.clone(),
        outcomes: outcome_counts(&outcomes.all, &units, options.unit.as_ref()),
        notes: notes(outcomes, &tests, units.len(), options),
        tests,
        tests_equal_lengths,
        reason,
        deciding,
    })
}

/// The place of the test that decides: t over units where it exists, else the sign test over the same. When all units agree, t has
/// no variance to work with, although that is the clearest result possible.
fn deciding_test(tests: &[InterleavingTest]) -> usize {
    let last = tests.len() - 1;
    if tests[last].p.is_some() { last } else { last.min(1) }
}

const SEARCHES: &str = "searches";

fn all_tests(all: &Outcome, units: &[Outcome], options: &InterleavingOptions) -> Vec<InterleavingTest> {
    let level = options.level;
    let sign = |over: &str, wins_a, wins_b| {
        let found = sign_test(wins_a, wins_b, level).map(|found| (found.share, found.interval, found.p));
        test_row(TestName::Sign, over, found, level)
    };
    let mut tests = vec![sign(SEARCHES, all.wins_a, all.wins_b)];
    if let Some(unit) = &options.unit {
        let (wins_a, wins_b) = units_won(units);
        tests.push(sign(&unit.many, wins_a, wins_b));
        let pairs: Vec<(f64, f64)> = units.iter().map(|own| (own.margin(), own.searches() as f64)).collect();
        let found = margin(&pairs, level).map(|found| (found.value, found.interval, found.p));
        tests.push(test_row(TestName::T, &unit.many, found, level));
    }
    tests
}

fn test_row(test: TestName, over: &str, found: Result<(f64, Interval, f64), NoAnswer>, level: f64) -> InterleavingTest {
    let no_answer = found.as_ref().err().copied();
    let found = found.ok();
    InterleavingTest {
        test,
        over: over.to_owned(),
        value: found.as_ref().map(|found| found.0),
        interval: found.as_ref().map(|found| (found.1.low, found.1.high)),
        p: found.as_ref().map(|found| found.2),
        reason: None,
        level,
        no_answer,
    }
}

/// Units won by a, and by b.
fn units_won(units: &[Outcome]) -> (u64, u64) {
    let count = |won: fn(&Outcome) -> bool| units.iter().filter(|own| won(own)).count() as u64;
    (count(|own| own.wins_a > own.wins_b), count(|own| own.wins_b > own.wins_a))
}

fn outcome_counts(all: &Outcome, units: &[Outcome], unit: Option<&UnitName>) -> Vec<OutcomeCounts> {
    let mut rows = vec![OutcomeCounts {
        over: SEARCHES.to_owned(),
        count: all.searches(),
        wins_a: all.wins_a,
        wins_b: all.wins_b,
        ties: all.ties,
        without_clicks: all.without,
        margin: all.margin() / all.searches() as f64,
    }];
    if let Some(unit) = unit.filter(|_| !units.is_empty()) {
        let (wins_a, wins_b) = units_won(units);
        let without = units.iter().filter(|own| own.without == own.searches()).count() as u64;
        let count = units.len() as u64;
        rows.push(OutcomeCounts {
            over: unit.many.clone(),
            count,
            wins_a,
            wins_b,
            ties: count - wins_a - wins_b - without,
            without_clicks: without,
            margin: (wins_b as f64 - wins_a as f64) / count as f64,
        });
    }
    rows
}

fn notes(
    outcomes: &Outcomes,
    tests: &[InterleavingTest],
    units: usize,
    options: &InterleavingOptions,
) -> Vec<InterleavingNote> {
    let searches = outcomes.searches();
    let untested = |test: &InterleavingTest| {
        let why = test.no_answer?;
        Some(InterleavingNote::NoTest { test: test.test, over: test.over.clone(), why })
    };
    let mut notes: Vec<InterleavingNote> = tests.iter().filter_map(untested).collect();
    if let Some((rows, line)) = outcomes.contradicted {
        notes.push(InterleavingNote::WinnerContradictsClicks { rows, line, searches });
    }
    notes.push(match (&options.unit, tests[deciding_test(tests)].test) {
        (None, _) => InterleavingNote::Naive,
        (Some(_), TestName::Sign) => InterleavingNote::DecidedBySign { units },
        (Some(_), TestName::T) => InterleavingNote::DecidedByT { units, searches },
    });
    notes.extend([InterleavingNote::Ties, InterleavingNote::Scheme(options.scheme)]);
    notes.push(match (outcomes.lengths, outcomes.unequal) {
        (false, _) => InterleavingNote::LengthsUnknown,
        (true, 0) => InterleavingNote::EqualLengths,
        (true, unequal) => InterleavingNote::UnequalLengths { unequal, searches },
    });
    notes.extend([InterleavingNote::OneLook, InterleavingNote::ClicksAreNotQuality]);
    notes
}
