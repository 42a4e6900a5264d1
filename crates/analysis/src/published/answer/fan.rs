//! The fan of possible scores over p' (figures 2 and 4), and many of them as a grid (figure 3).

use karat_report::{Axis, Column, Figure, Mark, NumberStyle, Panel, Table};

use super::super::range as ranges;
use super::super::vectors::{Extremes, Rank, score};
use super::super::{PublishedScore, paper};
use super::compare::System;
use super::range::At;

/// A fan, or why there is none.
pub(super) type Fan = Result<(PublishedScore, Vec<At>), (f64, f64)>;

/// One panel for each published score; `rows` by `columns` of them.
pub(super) fn figure(fans: &[Fan], columns: usize) -> Figure {
    let figure = Figure::new("fan", "RBP at another p, from what was printed", columns);
    fans.iter().fold(figure, |figure, fan| figure.panel(panel(fan)))
}

fn panel(fan: &Fan) -> Panel {
    let axes = |title: String| Panel::new(title, Axis::new("p'", 0.0, 1.0), Axis::new("RBP", 0.0, 1.0));
    let (published, ranges) = match fan {
        Ok(found) => found,
        Err((p, score)) => {
            return axes(format!("p = {p}, score {score}")).words((0.5, 0.5), "no ranking has this score");
        }
    };
    let (p, printed) = (published.persistence(), published.score().value);
    let graded = ranges.iter().map(|at| (at.at, at.graded.0, at.graded.1)).collect();
    let binary: Vec<_> =
        ranges.iter().filter_map(|at| at.single.map(|range| (at.at, range.low.value, range.high.value))).collect();
    let residual = published.residual().map_or(String::new(), |residual| format!(", residual {}", residual.value));
    let mut panel = axes(format!("p = {p}, score {printed}{residual}")).band(5, "gains from 0 to 1, or a mean", graded);
    if !binary.is_empty() {
        let Extremes { greatest, least } = paper::vectors(published);
        let curve =
            |ranks: &[Rank], unjudged: f64| ranges.iter().map(|at| (at.at, score(ranks, unjudged, at.at))).collect();
        panel = panel
            .band(0, "binary relevance, one topic", binary)
            .line(1, "the paper's R_G", false, curve(&greatest, 0.0))
            .line(2, "the paper's R_L", false, curve(&least, 0.0));
        if published.residual().is_some() {
            panel = panel.line(1, "R'_G, unjudged ranks relevant", true, curve(&greatest, 1.0)).line(
                2,
                "R'_L, unjudged ranks relevant",
                true,
                curve(&least, 1.0),
            );
        }
    }
    panel.dot(3, (p, printed))
}

/// Systems that have a colour of their own.
const COLOURED: usize = 6;

/// What printed scores allow at every other p, one band for each system: means over topics, and gains of any kind.
pub fn fans(systems: &[System]) -> Figure {
    let mut panel = Panel::new("", Axis::new("p'", 0.0, 1.0), Axis::new("RBP", 0.0, 1.0));
    let mut table = Table::new("fans", "").column("system", "system");
    for (key, heading) in [("p", "p"), ("score", "score"), ("at", "at p'"), ("low", "at least"), ("high", "at most")] {
        table = table.with(Column::new(key, heading).style(if matches!(key, "low" | "high") {
            NumberStyle::Score
        } else {
            NumberStyle::Given
        }));
    }
    for (place, system) in systems.iter().enumerate().take(COLOURED) {
        let (p, printed) = (system.published.persistence(), system.published.score().value);
        let at = |at: f64| ranges::graded(&system.published, at);
        let sweep: Vec<(f64, f64, f64)> =
            (1..100).map(|hundredth| f64::from(hundredth) / 100.0).map(|p| (p, at(p).0, at(p).1)).collect();
        // Bands lie upon each other: their edges tell them apart, by colour and by dashes.
        for edge in
            [sweep.iter().map(|&(p, low, _)| (p, low)).collect(), sweep.iter().map(|&(p, _, high)| (p, high)).collect()]
        {
            let (label, name) = (String::new(), system.name.clone());
            panel = panel.mark(Mark::Line { series: place, label, name, dash: place, points: edge });
        }
        panel = panel
            .band(place, system.name.clone(), sweep)
            .mark(Mark::point(place, (p, printed)).named(format!("{}: {printed} at p = {p}", system.name)));
        for other in [0.5, 0.8, 0.9, 0.95] {
            let (low, high) = at(other);
            table.push([system.name.as_str().into(), p.into(), printed.into(), other.into(), low.into(), high.into()]);
        }
    }
    let more = systems.len().saturating_sub(COLOURED);
    let subtitle = if more > 0 {
        format!("the first {COLOURED} systems; {more} more are in the table of pairs")
    } else {
        String::new()
    };
    Figure::new("fan", "RBP at another p, from what was printed", 1)
        .subtitle(subtitle)
        .reading("Each band holds every score that the system may have at p', given what was printed of it (the mark). Where two bands do not meet, the order is certain.")
        .panel(panel)
        .rows(table)
}
