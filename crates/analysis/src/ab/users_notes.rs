//! What a reader of a test over units must know.

use karat_stats::ab::{NoAnswer, RESAMPLED_BELOW, UsersTest};

use super::note::{AbNote, ComparisonName};
use super::rows::{Observations, Several};
use super::users::{Arms, Evidence, Pair, UsersOptions};

/// Below so many units in an arm, no level was promised.
const FEW: u64 = 30;

pub(super) fn notes(
    observed: &Observations,
    arms: &Arms,
    pairs: &[Pair],
    per_day: Option<f64>,
    options: &UsersOptions,
) -> Vec<AbNote> {
    let mut notes = comparison_notes(observed, arms, pairs);
    notes.extend(data_notes(observed, arms, pairs, options));
    notes.push(AbNote::UnitOfAnalysis);
    notes.extend(test_notes(pairs));
    if pairs.len() > 1 {
        notes.push(AbNote::Corrected { comparisons: pairs.len() });
    }
    notes.push(match options.peek {
        Some(tuning) => AbNote::ConfidenceSequence { tuning },
        None => AbNote::OneLook { peek_possible: true },
    });
    if options.control.is_none() {
        notes.push(AbNote::ControlByName(arms.names[0].clone()));
    }
    notes.push(AbNote::UnitsNeeded);
    if let Some(units) = per_day.filter(|_| options.per_day.is_none()) {
        notes.push(AbNote::UnitsPerDay { units, days: observed.times.len() });
    }
    notes.extend([AbNote::ClicksAreNotQuality, AbNote::RowsAsGiven]);
    notes
}

/// What could not be computed, and what looks show.
fn comparison_notes(observed: &Observations, arms: &Arms, pairs: &[Pair]) -> Vec<AbNote> {
    let mut notes = Vec::new();
    for pair in pairs {
        let metric = observed.metrics[pair.metric].name.clone();
        let name = ComparisonName { metric, arm: arms.names[pair.arm].clone() };
        match &pair.evidence {
            Evidence::OneLook(Err(why)) => {
                notes.push(AbNote::NoTest(name.clone(), *why));
                notes.extend(no_lift(pair, name));
            }
            Evidence::OneLook(Ok(found)) => {
                notes.extend(found.refusal.map(|refusal| AbNote::TooSmall {
                    comparison: name.clone(),
                    control: arms.names[0].clone(),
                    refusal,
                }));
                notes.extend(found.lift.err().map(|why| AbNote::NoLift(name, why)));
            }
            Evidence::AllLooks(looks, fixed) => {
                notes.extend(fixed.err().map(|why| AbNote::NoTest(name.clone(), why)));
                if looks.lift.is_none() && looks.last.is_some() {
                    notes.extend(no_lift(pair, name.clone()));
                }
                if looks.last.is_some_and(|look| look.interval.is_none()) {
                    notes.push(AbNote::LooksContradict(name.clone()));
                }
                notes.push(looks.note(name, &arms.names[0]));
            }
        }
    }
    notes
}

/// What is unusual about the rows.
fn data_notes(observed: &Observations, arms: &Arms, pairs: &[Pair], options: &UsersOptions) -> Vec<AbNote> {
    let mut notes = Vec::new();
    for (at, name) in arms.names.iter().enumerate() {
        if let Some(like) = arms.names[..at].iter().find(|like| like.to_lowercase() == name.to_lowercase()) {
            notes.push(AbNote::ArmsDifferInCase(like.clone(), name.clone()));
        }
    }
    if observed.dropped > 0 {
        notes.push(AbNote::UnitsDropped(observed.dropped));
    }
    if observed.cut > 0 {
        notes.push(AbNote::ClicksCountedOnce(observed.cut));
    } else if options.several == Several::All {
        notes.push(AbNote::AllClicksCount);
    }
    let fewest = pairs.iter().map(|pair| pair.control.units.min(pair.own.units)).min().unwrap_or(0);
    if fewest < FEW {
        notes.push(AbNote::FewUnits(fewest));
    }
    notes
}

/// Why there is no lift where there is no test either, or no look that had one.
fn no_lift(pair: &Pair, name: ComparisonName) -> Option<AbNote> {
    let (value, error) = (pair.control.value, pair.control.std_error());
    let why =
        if error > 0.0 { NoAnswer::DenominatorMayBeZero { value, low: 0.0, high: value } } else { NoAnswer::Constant };
    Some(AbNote::NoLift(name, why))
}

/// Which tests were used, and what decided that.
fn test_notes(pairs: &[Pair]) -> Vec<AbNote> {
    let tests = || {
        pairs.iter().filter_map(|pair| match &pair.evidence {
            Evidence::OneLook(Ok(found)) => Some(found.test),
            _ => None,
        })
    };
    let draws: Vec<u32> = tests()
        .filter_map(|test| match test {
            UsersTest::Resampling { draws } => Some(draws),
            UsersTest::T => None,
        })
        .collect();
    let resampled = draws.iter().min().copied().zip(draws.iter().max().copied());
    let mut notes = Vec::new();
    if tests().next().is_some() {
        notes.push(AbNote::Tests { resampled, t: tests().any(|test| test == UsersTest::T) });
    }
    let fewest = |pair: &Pair| pair.control.effective_units.min(pair.own.effective_units);
    if pairs.iter().any(|pair| fewest(pair) < RESAMPLED_BELOW) {
        notes.push(AbNote::EffectiveUnits);
    }
    notes
}
