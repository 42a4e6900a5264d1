//! The tables, and which cells fail.

use std::fmt::Write;

use crate::kept::Cell;
use crate::tally::{MEASURES, PAIRS, Tally};

/// The rate of wrong verdicts that is allowed.
const ALLOWED: f64 = 0.05;

/// Whether a rate minus three standard errors is above what is allowed.
fn fails(wrong: u32, worlds: u32) -> bool {
    let (count, rate) = (f64::from(worlds), f64::from(wrong) / f64::from(worlds.max(1)));
    rate - 3.0 * (rate * (1.0 - rate) / count.max(1.0)).sqrt() > ALLOWED
}

/// A share in percent.
fn share(part: u32, whole: u32) -> String {
    if whole == 0 { "—".into() } else { format!("{:.1}", 100.0 * f64::from(part) / f64::from(whole)) }
}

/// All tables, with the failing cells first.
pub fn tables(cells: &[Cell]) -> String {
    let mut text = String::new();
    let least = cells.iter().map(Cell::done).min().unwrap_or(0);
    let _ = writeln!(text, "At least {least} worlds per cell.\n\n{}", failing(cells));
    for (place, (pair, _)) in PAIRS.iter().enumerate() {
        for (measure, name) in MEASURES.iter().enumerate() {
            let _ = writeln!(
                text,
                "\n### {name}, {}\n",
                if *pair == "pooled" { "two pooled systems" } else { "a pooled system and the newcomer" }
            );
            let _ = writeln!(
                text,
                "| world | topics | pool depth | true difference | full judgements: right / wrong | plain test | certain | assumed | assumed: wrong below tipping point | above tipping point | interval_all holds the truth |"
            );
            let _ = writeln!(text, "|---|---|---|---|---|---|---|---|---|---|---|");
            for cell in cells.iter().filter(|cell| cell.done() > 0) {
                let tally = &cell.tallies[measure][place];
                let _ =
                    writeln!(text, "{}", row(cell, tally, cell.truth.get(measure).map_or(0.0, |truth| truth[place])));
            }
        }
    }
    text
}

fn row(cell: &Cell, tally: &Tally, truth: f64) -> String {
    let of = |count: crate::tally::Count| {
        format!("{} / {}", share(count.right, tally.worlds), share(count.wrong, tally.worlds))
    };
    format!(
        "| {} | {} | {} | {truth:+.3} | {} | {} | {} | {} | {} | {} | {} |",
        cell.world.name,
        cell.topics,
        cell.pool_depth,
        of(tally.full),
        of(tally.plain),
        of(tally.certain),
        of(tally.assumed),
        share(tally.wrong_below_tipping, tally.worlds),
        share(tally.above_tipping, tally.worlds),
        share(tally.covered, tally.intervals)
    )
}

/// Cells whose rate of wrong verdicts is too high.
fn failing(cells: &[Cell]) -> String {
    let mut found = Vec::new();
    for cell in cells {
        for (measure, name) in MEASURES.iter().enumerate() {
            for (place, (pair, _)) in PAIRS.iter().enumerate() {
                let tally = &cell.tallies[measure][place];
                let kinds =
                    [("certain", tally.certain.wrong), ("assumed, below the tipping point", tally.wrong_below_tipping)];
                for (kind, wrong) in kinds.into_iter().filter(|(_, wrong)| fails(*wrong, tally.worlds)) {
                    found.push(format!(
                        "- {}, {} topics, pool depth {}, {name}, {pair}, {kind}: {}% wrong",
                        cell.world.name,
                        cell.topics,
                        cell.pool_depth,
                        share(wrong, tally.worlds)
                    ));
                }
            }
        }
    }
    if found.is_empty() {
        "No cell has a rate of wrong verdicts that is above 5% by more than three standard errors.".into()
    } else {
        format!("Cells that fail:\n\n{}", found.join("\n"))
    }
}
