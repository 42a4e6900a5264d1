//! Notes of `eval` on documents with equal scores.

use karat_data::Ties;
use karat_measures::Measure;
use karat_report::NumberStyle;

use super::notes::told_together;
use super::row::Row;
use crate::scores::{RunScores, Setting};

/// Without --ties range: whether the tie order changes printed digits. With it: what could not be computed.
pub(super) fn notes(setting: &Setting<'_>, scored: &[RunScores], rows: &[Vec<Row>]) -> Vec<String> {
    match setting.policy.ties {
        Ties::File => Vec::new(),
        Ties::Docno | Ties::DocnoRising => {
            let warned = tie_warning(setting.measures, scored, rows);
            warned.into_iter().chain(untried(setting.measures, scored, rows)).collect()
        }
        Ties::Range => no_tie_notes(setting.measures, scored, rows),
    }
}

/// Measures and runs whose printed digits depend on the tie order, and the widest range of measures from 0 to 1.
fn tie_warning(measures: &[Box<dyn Measure>], scored: &[RunScores], rows: &[Vec<Row>]) -> Option<String> {
    let seen = |row: &Row| row.number().and_then(|value| row.ties.could_be_seen(value)) == Some(true);
    let names = measures.iter().enumerate().filter(|(index, _)| rows.iter().any(|run| seen(&run[*index])));
    let names: Vec<String> = names.map(|(_, measure)| measure.spec().to_string()).collect();
    let (_, runs) = told_together(scored, |run| of_run(scored, rows, run).iter().any(seen).then(String::new)).pop()?;
    let alone = rows.iter().flatten().filter(|row| seen(row)).count() == 1;
    let mut widest: Option<(f64, String)> = None;
    for (run, rows) in scored.iter().zip(rows) {
        for (row, measure) in rows.iter().zip(measures).filter(|(_, measure)| measure.info().range == (0.0, 1.0)) {
            let Some((low, high)) = row.ties.ends else { continue };
            if high - low > widest.as_ref().map_or(0.0, |(width, _)| *width) {
                let which =
                    if alone { String::new() } else { format!(", most for {} of {}", measure.spec(), run.name) };
                let show = |value| NumberStyle::Score.show(value);
                widest = Some((high - low, format!("{which} ({} to {})", show(low), show(high))));
            }
        }
    }
    Some(format!(
        "Tied scores: another tie order changes {} of {runs}{}; see --ties range",
        names.join(", "),
        widest.map_or_else(String::new, |(_, text)| text)
    ))
}

/// Measures and runs with too many tie orders to enumerate.
fn untried(measures: &[Box<dyn Measure>], scored: &[RunScores], rows: &[Vec<Row>]) -> Option<String> {
    let unknown = |row: &Row| row.number().is_some_and(|value| row.ties.could_be_seen(value).is_none());
    let names = measures.iter().enumerate().filter(|(index, _)| rows.iter().any(|run| unknown(&run[*index])));
    let names: Vec<String> = names.map(|(_, measure)| measure.spec().to_string()).collect();
    let (_, runs) =
        told_together(scored, |run| of_run(scored, rows, run).iter().any(unknown).then(String::new)).pop()?;
    Some(format!("Tied scores in {runs}: too many tie orders to enumerate for {}; use --ties range", names.join(", ")))
}

/// Why ranges or expected values over the orders of ties are missing.
fn no_tie_notes(measures: &[Box<dyn Measure>], scored: &[RunScores], rows: &[Vec<Row>]) -> Vec<String> {
    let mut notes = Vec::new();
    for (index, measure) in measures.iter().enumerate() {
        let said = told_together(scored, |run| {
            let ties = of_run(scored, rows, run).get(index)?.ties;
            let what = if ties.ends.is_some() { "expected value" } else { "range" };
            ties.why.map(|why| format!("{what}\n{why}"))
        });
        for (text, runs) in said {
            let (what, why) = text.split_once('\n').unwrap_or((&text, ""));
            notes.push(format!("No {what} over tie orders for {} of {runs}: {why}", measure.spec()));
        }
    }
    notes
}

/// The rows of a run; names are unique.
fn of_run<'a>(scored: &[RunScores], rows: &'a [Vec<Row>], run: &RunScores) -> &'a [Row] {
    let place = scored.iter().position(|other| other.name == run.name);
    place.and_then(|place| rows.get(place)).map_or(&[], Vec::as_slice)
}
