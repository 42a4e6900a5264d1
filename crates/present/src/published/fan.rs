//! The possible scores over all p' (figures 2 and 4 of the paper), and many of them as a grid (figure 3).

use karat_analysis::published::PublishedScore;
use karat_analysis::published::answer::SystemFan;
use karat_analysis::published::answer::fan::{FanPanel, PaperCurves};
use karat_analysis::published::answer::range::ScoreRange;
use karat_report::{Axis, Column, Columns, Figure, Mark, NumberStyle, Panel, Table};

const TITLE: &str = "RBP at another p, from the printed score";

/// One panel for each published score, so many in a row.
pub(super) fn figure(panels: &[FanPanel], columns: usize) -> Figure {
    let figure = Figure::new("fan", TITLE, columns);
    panels.iter().fold(figure, |figure, panel| {
        figure.panel(match panel {
            FanPanel::Fan { published, sweep, paper } => fan(published, sweep, paper.as_ref()),
            FanPanel::Empty { p, score } => {
                axes(format!("p = {p}, score {score}")).words((0.5, 0.5), "no ranking has this score")
            }
        })
    })
}

fn axes(title: String) -> Panel {
    Panel::new(title, Axis::new("p'", 0.0, 1.0), Axis::new("RBP", 0.0, 1.0))
}

fn fan(published: &PublishedScore, sweep: &[ScoreRange], paper: Option<&PaperCurves>) -> Panel {
    let (p, printed) = (published.persistence(), published.score().value);
    let residual = published.residual().map_or(String::new(), |residual| format!(", residual {}", residual.value));
    let graded = sweep.iter().map(|range| (range.at, range.low_graded, range.high_graded)).collect();
    let binary = sweep.iter().filter_map(|range| Some((range.at, range.low?, range.high?))).collect();
    let mut panel = axes(format!("p = {p}, score {printed}{residual}")).band(5, "graded, or a mean", graded);
    if let Some(paper) = paper {
        panel = panel
            .band(0, "binary, one topic", binary)
            .line(1, "the paper's R_G", false, paper.greatest.clone())
            .line(2, "the paper's R_L", false, paper.least.clone());
        if let Some((greatest, least)) = &paper.unjudged_relevant {
            panel = panel.line(1, "R'_G, unjudged relevant", true, greatest.clone()).line(
                2,
                "R'_L, unjudged relevant",
                true,
                least.clone(),
            );
        }
    }
    panel.dot(3, (p, printed))
}

/// Systems that have a colour of their own.
const COLOURED: usize = 6;

/// What printed scores allow at every other p: one band for each system.
pub fn systems_figure(systems: &[SystemFan]) -> Figure {
    let shown = &systems[..systems.len().min(COLOURED)];
    let panel = shown.iter().enumerate().fold(axes(String::new()), |panel, (place, system)| band(panel, place, system));
    let more = systems.len() - shown.len();
    let subtitle = match more {
        0 => String::new(),
        _ => format!("the first {COLOURED} systems; {more} more are in the table of pairs"),
    };
    Figure::new("fan", TITLE, 1)
        .subtitle(subtitle)
        .reading("Each band holds every score that the system may have at p', given its printed score (the mark). Where two bands do not overlap, the order is certain.")
        .panel(panel)
        .rows(table(shown))
}

fn band(mut panel: Panel, place: usize, system: &SystemFan) -> Panel {
    let SystemFan { system: name, p, score, sweep, .. } = system;
    let low = sweep.iter().map(|&(p, low, _)| (p, low)).collect();
    let high = sweep.iter().map(|&(p, _, high)| (p, high)).collect();
    // Bands overlap: their edges tell them apart, by colour and by dashes.
    for points in [low, high] {
        panel = panel.mark(Mark::Line { series: place, label: String::new(), name: name.clone(), dash: place, points });
    }
    panel
        .band(place, name.clone(), sweep.clone())
        .mark(Mark::point(place, (*p, *score)).named(format!("{name}: {score} at p = {p}")))
}

fn table(systems: &[SystemFan]) -> Table {
    let given = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Given);
    let rows: Vec<(&SystemFan, (f64, f64, f64))> =
        systems.iter().flat_map(|system| system.common.iter().map(move |&at| (system, at))).collect();
    Columns::new()
        .column("system", "system", |(system, _): &(&SystemFan, (f64, f64, f64))| system.system.as_str().into())
        .with(given("p", "p"), |(system, _)| system.p.into())
        .with(given("score", "score"), |(system, _)| system.score.into())
        .with(given("at", "at p'"), |(_, (at, _, _))| (*at).into())
        .column("low", "at least", |(_, (_, low, _))| (*low).into())
        .column("high", "at most", |(_, (_, _, high))| (*high).into())
        .table("fans", "", &rows)
}
