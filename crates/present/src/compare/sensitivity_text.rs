//! The sensitivity analysis in words: one line per comparison.

use karat_analysis::compare::answer::{Choice, SensitivityRow};
use karat_analysis::compare::verdict::UNDECIDED;

use super::SENTENCES;
use super::tables::choice_name;

/// One line per comparison.
pub(super) fn sentences(rows: &[SensitivityRow]) -> String {
    let same_pair = |one: &SensitivityRow, other: &SensitivityRow| {
        (&one.measure, &one.a, &one.b) == (&other.measure, &other.a, &other.b)
    };
    let groups: Vec<&[SensitivityRow]> = rows.chunk_by(same_pair).collect();
    let mut lines: Vec<String> = groups.iter().take(SENTENCES).filter_map(|rows| sentence(rows)).collect();
    if let Some(more) = groups.len().checked_sub(SENTENCES).filter(|more| *more > 0) {
        lines.push(format!("and {more} more (all: -f json)"));
    }
    lines.join("\n")
}

/// "nDCG@10, x and y: y is better, whatever gains, ties; changes with cut-off (5: undecided)."
fn sentence(rows: &[SensitivityRow]) -> Option<String> {
    let (base, own) = rows.split_first()?;
    let mut changing: Vec<(Choice, Vec<String>)> = Vec::new();
    for row in own.iter().filter(|row| !row.same) {
        let text = format!("{}: {}", row.setting, row.winner);
        match changing.iter_mut().find(|(choice, _)| *choice == row.choice) {
            Some((_, settings)) => settings.push(text),
            None => changing.push((row.choice, vec![text])),
        }
    }
    let mut steady: Vec<&str> = Vec::new();
    for row in own.iter().filter(|row| changing.iter().all(|(choice, _)| *choice != row.choice)) {
        let name = choice_name(row.choice);
        if !steady.contains(&name) {
            steady.push(name);
        }
    }
    let verdict = if base.winner == UNDECIDED { UNDECIDED.to_owned() } else { format!("{} is better", base.winner) };
    let steady = if steady.is_empty() { String::new() } else { format!(" for all tried {}", steady.join(", ")) };
    let changes: Vec<String> = changing
        .iter()
        .map(|(choice, settings)| format!("{} ({})", choice_name(*choice), settings.join(", ")))
        .collect();
    let changes = match (changes.is_empty(), own.is_empty()) {
        (false, _) => format!("changes with {}", changes.join(", ")),
        (true, true) => "no other setting to try".into(),
        (true, false) => "no setting changes it".into(),
    };
    Some(format!("{}, {} and {}: {verdict}{steady}; {changes}.", base.measure, base.a, base.b))
}
