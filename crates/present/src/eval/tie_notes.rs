//! Notes on documents with equal scores, where another order would change what people read.

use karat_analysis::tied_scores::TiedScore;
use karat_analysis::ties::TieSummary;
use karat_analysis::topic_notes::RunGroup;
use karat_data::Ties;
use karat_report::NumberStyle;

use super::notes::runs;

/// Without `--ties range`: whether the tie order changes printed digits.
pub(crate) fn notes(policy: Ties, rows: &[TiedScore]) -> Vec<String> {
    match policy {
        Ties::Docno | Ties::DocnoRising => changed(rows).into_iter().chain(unknown(rows)).collect(),
        Ties::File | Ties::Range => Vec::new(),
    }
}

/// Whether another order shows another number; `None` where that is not known.
fn is_visible(ties: TieSummary, value: f64) -> Option<bool> {
    let show = |value: f64| NumberStyle::Score.show(value);
    ties.ends.map(|(low, high)| show(low) != show(value) || show(high) != show(value))
}

/// The rows for which this holds.
fn rows_with(rows: &[TiedScore], visible: Option<bool>) -> Vec<&TiedScore> {
    rows.iter().filter(|row| is_visible(row.ties, row.value) == visible).collect()
}

/// The names of the measures, and of the runs, in their order.
fn named(found: &[&TiedScore], all: &[TiedScore]) -> (String, String) {
    let unique = |name: fn(&TiedScore) -> &str, rows: &mut dyn Iterator<Item = &TiedScore>| {
        let mut names: Vec<String> = Vec::new();
        for row in rows {
            if !names.iter().any(|other| other == name(row)) {
                names.push(name(row).to_owned());
            }
        }
        names
    };
    let every = unique(|row| &row.run, &mut all.iter());
    let concerned = unique(|row| &row.run, &mut found.iter().copied());
    let in_order: Vec<String> = every.iter().filter(|run| concerned.contains(run)).cloned().collect();
    let group = RunGroup { names: in_order, of: every.len() };
    (unique(|row| &row.measure, &mut found.iter().copied()).join(", "), runs(&group))
}

/// Measures and runs whose printed digits depend on the tie order, and the widest range.
fn changed(rows: &[TiedScore]) -> Option<String> {
    let found = rows_with(rows, Some(true));
    let (measures, runs) = named(&found, rows);
    let alone = match found[..] {
        [] => return None,
        [_] => true,
        _ => false,
    };
    let widest = widest(rows).map_or_else(String::new, |(row, (low, high))| {
        let which =
            if alone { String::new() } else { format!("; the largest change is of {} of {}", row.measure, row.run) };
        let show = |value| NumberStyle::Score.show(value);
        format!("{which} ({} to {})", show(low), show(high))
    });
    Some(format!("Tied scores: another tie order changes {measures} of {runs}{widest}; see karat eval --ties range"))
}

/// The widest range over tie orders, among measures from 0 to 1, whose widths can be compared; the first run's first.
fn widest(rows: &[TiedScore]) -> Option<(&TiedScore, (f64, f64))> {
    let mut runs: Vec<&str> = Vec::new();
    rows.iter().for_each(|row| {
        if !runs.contains(&row.run.as_str()) {
            runs.push(&row.run)
        }
    });
    let mut widest: Option<(&TiedScore, (f64, f64))> = None;
    for run in runs {
        for row in rows.iter().filter(|row| row.unit && row.run == run) {
            let Some((low, high)) = row.ties.ends else { continue };
            if high - low > widest.map_or(0.0, |(_, (low, high))| high - low) {
                widest = Some((row, (low, high)));
            }
        }
    }
    widest
}

/// Measures and runs with too many tie orders to enumerate.
fn unknown(rows: &[TiedScore]) -> Option<String> {
    let found = rows_with(rows, None);
    let (measures, runs) = named(&found, rows);
    (!found.is_empty())
        .then(|| format!("Tied scores in {runs}: too many tie orders to enumerate for {measures}; use --ties range"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_printed_digits_are_worth_a_note() {
        let ends = |low, high| TieSummary { ends: Some((low, high)), ..TieSummary::default() };
        assert_eq!(is_visible(ends(0.123_41, 0.123_44), 0.123_42), Some(false));
        assert_eq!(is_visible(ends(0.123_41, 0.123_46), 0.123_42), Some(true));
        assert_eq!(is_visible(TieSummary::default(), 0.5), None);
    }
}
