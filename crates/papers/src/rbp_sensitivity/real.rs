//! The conclusion's question on the collection's runs: how often do printed scores decide, and is it ever wrong?
//!
//! Single topics are compared by the sound binary range and means by the graded one, as `karat published study` does; here each run's gains come
//! from the collection, everything judged.

use karat_report::{Axis, Figure, Panel};
use karat_runtime::jobs::in_order;

use crate::answer::SeparablePairs;
use crate::collection::{means, measure};
use crate::drawing::top;
use crate::tables::separable_table;
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
    let of_pair = |(low, high): (usize, usize)| {
        let (at_low, at_high) = (means(&scores[low]), means(&scores[high]));
        DIGITS.map(|digits| compare(&at_low, &at_high, (PERSISTENCES[low], PERSISTENCES[high]), digits))
    };
    let found: Vec<SeparablePairs> = [(0, 1), (1, 2), (0, 2)].into_iter().flat_map(of_pair).collect();
    outcome.claims.push(claim(&found));
    outcome.figures.push(figure(&found));
    outcome.experiments.separable = Some(found);
}

fn claim(found: &[SeparablePairs]) -> Claim {
    let sum = |of: fn(&SeparablePairs) -> u64| found.iter().map(of).sum::<u64>();
    let (all, decided, wrong) = (sum(|row| row.pairs), sum(|row| row.decided_pairs), sum(|row| row.wrong));
    let share = if all == 0 { Value::None } else { Value::Number(decided as f64 / all as f64) };
    Claim::open(
        "7",
        "how often one system is outright superior (share of pairs of printed means)",
        "may be possible to find out",
        share,
        format!(
            "the paper leaves this open. Here {decided} of {all} pairs are decided, {wrong} of them wrongly (three pairs of p, 2 to 4 digits, range for means). `karat published study` also compares single topics"
        ),
    )
}

/// One curve per pair of p.
fn figure(found: &[SeparablePairs]) -> Figure {
    let shares: Vec<f64> = found.iter().map(|row| row.decided).collect();
    let across = Axis::columns("digits printed", DIGITS.map(|digits| digits.to_string()).to_vec());
    let mut panel = Panel::new("", across, Axis::new("share of pairs decided", 0.0, top(&shares).min(1.0)));
    for (series, rows) in found.chunks(DIGITS.len()).enumerate() {
        let name = rows.first().map_or_else(String::new, |row| format!("p = {} and {}", row.p_low, row.p_high));
        let line = rows.iter().enumerate().map(|(at, row)| (at as f64, row.decided)).collect();
        panel = panel.mark(karat_report::Mark::curve(series, name, line));
    }
    Figure::new("rbp-parameter-sensitivity-separable", "How often printed means decide", 1)
        .reading("Share of pairs of runs that are decided by the printed means alone, one printed with the lower p, one with the higher. The further apart the p, the fewer are decided; digits matter little.")
        .panel(panel)
        .rows(separable_table(found))
}

/// Pairs, those decided, and those decided wrongly: one run printed with the lower p, another with the higher, compared at the lower.
fn compare(at_low: &[f64], at_high: &[f64], (low, high): (f64, f64), digits: u8) -> SeparablePairs {
    let printed = |value: f64, p: f64| PublishedScore::new(p, Printed::rounded(value, digits), None).ok();
    let carried: Vec<Option<(f64, f64)>> =
        at_high.iter().map(|&value| printed(value, high).map(|own| graded(&own, low))).collect();
    let (mut pairs, mut decided, mut wrong) = (0, 0u64, 0);
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
    SeparablePairs {
        p_low: low,
        p_high: high,
        digits,
        pairs,
        decided: decided as f64 / pairs.max(1) as f64,
        decided_pairs: decided,
        wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_by_hand() {
        // At p = .5 the runs score .9 and .1. At p = .8 the first prints 0.80, the second 0.20. A mean of .20 at .8 is at most 1 0 0 … at .5: .2/.2 · .5 = .5 (gain 1 at rank 1),
        // below .9: decided. One of .80 is at least 1 − .5 = .5 there, above .1: decided.
        let counts = |found: SeparablePairs| (found.pairs, found.decided_pairs, found.wrong);
        assert_eq!(counts(compare(&[0.9, 0.1], &[0.8, 0.2], (0.5, 0.8), 2)), (2, 2, 0));
        // Both .5: equal, and a range about .5 decides nothing.
        assert_eq!(counts(compare(&[0.5, 0.5], &[0.5, 0.5], (0.5, 0.8), 2)), (2, 0, 0));
    }
}
