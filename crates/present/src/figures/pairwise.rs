//! Verdicts on all pairs of runs.

use karat_report::figure::GREY;
use karat_report::{Anchor, Axis, Column, Figure, Mark, NumberStyle, Panel, Table};

use super::{FigureInfo, count, number};
use karat_analysis::compare::Comparison;
use karat_analysis::compare::verdict::{Basis, Side};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "pairwise",
    title: "Verdicts on all pairs",
    shows: "Which run of each pair is better, with the adjusted p. Runs are ordered by mean.",
    reading: "Read along a row: triangle up, the row's run is better; triangle down, it is worse; grey, undecided. With * difference and p are estimated from a judged sample. Grey with a small p means that something other than topic sampling prevents a verdict, such as unjudged documents. Undecided does not mean equal.",
    example: |names| {
        let pairs = (0..names.len()).flat_map(|a| (a + 1..names.len()).map(move |b| (a, b)));
        let pairs = pairs.map(|(a, b)| {
            let verdict = [Some(true), Some(false), None][(a + b) % 3];
            PairVerdict {
                pair: (a, b),
                first_better: verdict,
                basis: (verdict.is_some() && a == 0).then_some("certain"),
                sampled: (a, b) == (0, 2),
                difference: 0.1,
                p: (b != 2).then_some(0.003),
            }
        });
        pairwise("AP", names, &pairs.collect::<Vec<_>>())
    },
};

/// The verdict on a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairVerdict {
    /// Places of the two runs.
    pub pair: (usize, usize),
    /// Whether the first is better; `None` where it is undecided.
    pub first_better: Option<bool>,
    /// What that rests on.
    pub basis: Option<&'static str>,
    /// Whether difference and p are estimated from a judged sample.
    pub sampled: bool,
    /// First less second.
    pub difference: f64,
    /// The adjusted p that decides.
    pub p: Option<f64>,
}

impl PairVerdict {
    /// That of a comparison; `places` are those of its runs.
    pub fn new(comparison: &Comparison, places: (usize, usize)) -> PairVerdict {
        PairVerdict {
            pair: places,
            first_better: comparison.verdict.better().map(|winner| winner == Side::A),
            basis: comparison.verdict.basis().map(Basis::name),
            sampled: comparison.sampled.is_some(),
            difference: comparison.difference.observed,
            p: comparison.adjusted_p(),
        }
    }
}

/// So many runs have words in their cells.
const WORDED: usize = 14;

/// The matrix; runs in the order given, best first.
pub fn pairwise(measure: &str, names: &[String], pairs: &[PairVerdict]) -> Figure {
    let title = format!("{measure}: verdicts on all pairs");
    if names.len() < 2 || pairs.is_empty() {
        return INFO.nothing(title, "fewer than two runs were compared").of(measure);
    }
    let runs = names.len();
    let worded = runs <= WORDED;
    let cell = if worded { 52.0 } else { (560.0 / runs as f64).floor().clamp(8.0, 30.0) };
    let tall = if worded { 28.0 } else { cell.max(13.0) };
    let numbered = |(at, name): (usize, &String)| format!("{name}  {}", at + 1);
    let rows = Axis::rows("", names.iter().enumerate().map(numbered).collect());
    // Numbers on top of each other are left out.
    let every = (20.0 / cell).ceil() as usize;
    let number_of = |at: usize| if at.is_multiple_of(every) { (at + 1).to_string() } else { String::new() };
    let columns = Axis::columns("other run (number)", (0..runs).map(number_of).collect());
    let mut table = empty_table();
    let mut panel = Panel::new("", columns, rows).sized(cell * runs as f64, tall * runs as f64);
    for verdict in pairs {
        let (a, b) = verdict.pair;
        let (Some(first), Some(second)) = (names.get(a), names.get(b)) else { continue };
        let (better, name) = in_words(verdict, first, second);
        for (row, column, wins) in [(a, b, verdict.first_better), (b, a, verdict.first_better.map(|first| !first))] {
            let at = (column as f64, row as f64);
            panel = panel.mark(cell_bar(at, (cell, tall), wins, name.clone()));
            if worded {
                panel = panel.mark(cell_words(at, wins, verdict));
            }
        }
        table.push([
            first.as_str().into(),
            second.as_str().into(),
            verdict.difference.into(),
            verdict.p.into(),
            better.into(),
            verdict.basis.unwrap_or("").into(),
        ]);
    }
    INFO.empty(title, 1).of(measure).subtitle(subtitle(runs, pairs, worded)).panel(panel).rows(table)
}

fn subtitle(runs: usize, pairs: &[PairVerdict], worded: bool) -> String {
    let undecided = pairs.iter().filter(|verdict| verdict.first_better.is_none()).count();
    let has_sampled = pairs.iter().any(|verdict| verdict.sampled);
    let (runs, pairs) = (count(runs, "run"), count(pairs.len(), "pair"));
    let sampled = if worded && has_sampled { "; * estimated from a judged sample" } else { "" };
    format!("{runs}, {undecided} of {pairs} undecided; the number is the adjusted p{sampled}")
}

fn empty_table() -> Table {
    Table::new("pairwise", "")
        .column("a", "a")
        .column("b", "b")
        .column("difference", "a − b")
        .with(Column::new("p", "adjusted p").style(NumberStyle::P))
        .column("better", "better")
        .column("basis", "basis")
}

/// Which run is better, and all that is known of the pair.
fn in_words<'n>(verdict: &PairVerdict, first: &'n str, second: &'n str) -> (&'n str, String) {
    let better = match verdict.first_better {
        Some(true) => first,
        Some(false) => second,
        None => "undecided",
    };
    let p = verdict.p.map_or_else(String::new, |p| format!(", p {}", NumberStyle::P.show(p)));
    let basis = verdict.basis.map_or_else(String::new, |basis| format!(", {basis}"));
    (better, format!("{first} − {second}: {}{p}; better: {better}{basis}", number(verdict.difference)))
}

/// A cell of this size, coloured by whether the run of its row is better.
fn cell_bar((x, y): (f64, f64), (wide, tall): (f64, f64), wins: Option<bool>, name: String) -> Mark {
    let (series, shade, label) = match wins {
        Some(true) => (0, 0.85, "row is better"),
        Some(false) => (4, 0.6, "column is better"),
        None => (GREY, 0.22, "undecided"),
    };
    let edge = |at: f64, length: f64| (at - 0.5 + 0.7 / length, at + 0.5 - 0.7 / length);
    Mark::Bar { series, label: label.into(), name, shade, x: edge(x, wide), y: edge(y, tall) }
}

/// The sign and the p in a cell.
fn cell_words(at: (f64, f64), wins: Option<bool>, verdict: &PairVerdict) -> Mark {
    let sign = match wins {
        Some(true) => "▲",
        Some(false) => "▼",
        None => "",
    };
    let star = if verdict.sampled { "*" } else { "" };
    let text = verdict.p.map_or_else(|| format!("{sign}{star}"), |p| format!("{sign}{}{star}", short(p)));
    Mark::Words { at, text, anchor: Anchor::Middle, shift: (0.0, 0.0), on_colour: wins == Some(true) }
}

/// A p-value as short as a cell: no 0 before the point, two digits.
fn short(p: f64) -> String {
    if p < 0.001 {
        return "<.001".into();
    }
    let digits = if p < 0.1 { 3 } else { 2 };
    NumberStyle::Decimals(digits).show(p.min(1.0)).trim_start_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_p_fits_its_cell() {
        assert_eq!([0.0001, 0.0123, 0.5, 1.0].map(short), ["<.001", ".012", ".50", "1.00"]);
    }
}
