//! What a reader of a test over units must know.

use super::note::{AbNote, ComparisonName};
use super::rows::{Observations, Several};
use super::users::{Arms, Pair, UsersOptions};

/// Below so many units in an arm, the delta method is a little off.
const FEW: u64 = 100;

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
        if let Err(why) = pair.test {
            notes.push(AbNote::NoTest(name.clone(), why));
        }
        if let Err(why) = pair.lift {
            notes.push(AbNote::NoLift(name.clone(), why));
        }
        notes.extend(pair.looks.as_ref().map(|looks| looks.note(name)));
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
