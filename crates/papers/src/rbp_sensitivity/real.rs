//! The conclusion's question on the collection's runs: how often do printed scores decide, and is it ever wrong?
//!
//! Single topics are compared by the sound binary range and means by the graded one, as `karat published study` does; here each run's gains come
//! from the collection, everything judged.

use karat_report::{Axis, Cell, Column, Figure, NumberStyle, Panel, Table};
use karat_runtime::jobs::in_order;

use crate::collection::{means, measure};
use crate::drawing::top;
use crate::{Claim, Desk, Outcome, QUICK_RUNS, Value, Work};
use karat_analysis::published::{Printed, PublishedScore, Verdict, range::graded, verdict};

/// The p of papers.
const PERSISTENCES: [f64; 3] = [0.5, 0.8, 0.95];
const DIGITS: [u8; 3] = [2, 3, 4];

/// Adds claim, table and figure.
pub(super) fn real(work: &Work<'_>, _: &mut dyn Desk, outcome: &mut Outcome) {
    let runs = work.effort(work.collection.runs.len(), QUICK_RUNS.min(work.collection.runs.len()));
    let complete = work.collection.complete();
    // By p, run, topic.
    let scores: Vec<Vec<Vec<f64>>> = in_order(PERSISTENCES.len(), work.threads, |at| {
        let rbp = measure(&format!("RBP(p={})", PERSISTENCES[at]));
        rbp.map_or_else(Vec::new, |rbp| work.collection.scores(rbp.as_ref(), &complete, runs))
    });
    let mut table =
        Table::new("separable", "How often printed means decide which run is better (the conclusion's question)")
            .with(Column::new("p_low", "p").style(NumberStyle::Given))
            .with(Column::new("p_high", "and p").style(NumberStyle::Given))
            .column("digits", "digits")
            .column("pairs", "pairs")
            .with(Column::new("decided", "decided").style(NumberStyle::Decimals(3)))
            .column("wrong", "wrong");
    let (mut lines, mut shares) = (Vec::new(), Vec::new());
    let (mut all, mut decided, mut wrong) = (0u64, 0u64, 0u64);
    for (series, (low, high)) in [(0, 1), (1, 2), (0, 2)].into_iter().enumerate() {
        let (at_low, at_high) = (means(&scores[low]), means(&scores[high]));
        let mut line = Vec::new();
        for digits in DIGITS {
            let (pairs, own, mistaken) = compare(&at_low, &at_high, (PERSISTENCES[low], PERSISTENCES[high]), digits);
            let share = own as f64 / pairs.max(1) as f64;
            (all, decided, wrong) = (all + pairs, decided + own, wrong + mistaken);
            line.push((line.len() as f64, share));
            shares.push(share);
            let row: Vec<Cell> = vec![
                PERSISTENCES[low].into(),
                PERSISTENCES[high].into(),
                u32::from(digits).into(),
                pairs.into(),
                share.into(),
                mistaken.into(),
            ];
            table.push(row);
        }
        let name = format!("p = {} and {}", PERSISTENCES[low], PERSISTENCES[high]);
        lines.push(karat_report::Mark::curve(series, name, line));
    }
    let across = Axis::columns("digits printed", DIGITS.map(|digits| digits.to_string()).to_vec());
    let panel = Panel::new("", across, Axis::new("share of pairs decided", 0.0, top(&shares).min(1.0)));
    let panel = lines.into_iter().fold(panel, Panel::mark);
    let share = if all == 0 { Value::None } else { Value::Number(decided as f64 / all as f64) };
    outcome.claims.push(Claim::open(
        "7",
        "how often one system is outright superior (share of pairs of printed means)",
        "may be possible to find out",
        share,
        format!("asked and not answered in the paper; {decided} of {all} pairs over three pairs of p and 2 to 4 digits, {wrong} verdicts against the truth, by the range for means. `karat published study` has single topics too"),
    ));
    outcome.figures.push(
        Figure::new("rbp-parameter-sensitivity-separable", "How often printed means decide", 1)
            .reading("Share of pairs of runs, one mean printed with the lower p and one with the higher, that the printed numbers alone decide: the further apart the p, the fewer; digits matter little.")
            .panel(panel)
            .rows(table.clone()),
    );
    outcome.tables.push(table);
}

/// Pairs, those decided, and those decided wrongly: one run printed with the lower p, another with the higher, compared at the lower.
fn compare(at_low: &[f64], at_high: &[f64], (low, high): (f64, f64), digits: u8) -> (u64, u64, u64) {
    let printed = |value: f64, p: f64| PublishedScore::new(p, Printed::rounded(value, digits), None).ok();
    let carried: Vec<Option<(f64, f64)>> =
        at_high.iter().map(|&value| printed(value, high).map(|own| graded(&own, low))).collect();
    let (mut pairs, mut decided, mut wrong) = (0, 0, 0);
    for (a, &value) in at_low.iter().enumerate() {
        let Some(own) = printed(value, low) else { continue };
        for (b, range) in carried.iter().enumerate().filter(|(b, _)| *b != a) {
            let Some(range) = range else { continue };
            let found = verdict(own.judged(), *range);
            let truth = verdict((value, value), (at_low[b], at_low[b]));
            pairs += 1;
            decided += u64::from(found != Verdict::Undecided);
            wrong += u64::from(found != Verdict::Undecided && found != truth);
        }
    }
    (pairs, decided, wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_by_hand() {
        // At p = .5 the runs score .9 and .1. At p = .8 the first prints 0.80, the second 0.20. A mean of .20 at .8 is at most 1 0 0 … at .5: .2/.2 · .5 = .5 (gain 1 at rank 1),
        // below .9: decided. One of .80 is at least 1 − .5 = .5 there, above .1: decided.
        assert_eq!(compare(&[0.9, 0.1], &[0.8, 0.2], (0.5, 0.8), 2), (2, 2, 0));
        // Both .5: equal, and a range about .5 decides nothing.
        assert_eq!(compare(&[0.5, 0.5], &[0.5, 0.5], (0.5, 0.8), 2), (2, 0, 0));
    }
}
