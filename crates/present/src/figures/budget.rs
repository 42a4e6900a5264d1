//! Where the uncertainty comes from, as one bar, and what would shrink it.

use karat_analysis::budget::Source;
use karat_report::figure::GREY;
use karat_report::{Anchor, Axis, Column, Figure, Mark, NumberStyle, Panel, Table};

use super::{FigureInfo, JUDGES, TOPICS, UNJUDGED, example_score, number};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "budget",
    title: "Uncertainty budget",
    shows: "One bar shows the variance of a score or a difference by source. Below it: the half width of the interval now and after more effort.",
    reading: "The longest piece is where effort pays most, if effort can reduce it: more topics reduce topics, judgements reduce unjudged, gold labels reduce judges.",
    example: |names| {
        let piece =
            |(at, name): (usize, &String)| SourcePiece { name: name.clone(), colour: at, variance: example_score(at) };
        let sources: Vec<SourcePiece> = names.iter().enumerate().map(piece).collect();
        let then =
            names.iter().enumerate().map(|(at, name)| (name.clone(), 0.05 * example_score(at))).collect::<Vec<_>>();
        budget("AP of a run", &sources, &then)
    },
};

/// A piece of the bar.
#[derive(Debug, Clone, PartialEq)]
pub struct SourcePiece {
    /// What it is called.
    pub name: String,
    /// Its colour.
    pub colour: usize,
    /// Its variance.
    pub variance: f64,
}

impl SourcePiece {
    /// The piece of a source.
    pub fn new(source: Source, variance: f64) -> SourcePiece {
        let colour = match source {
            Source::Topics => TOPICS,
            Source::Unjudged => UNJUDGED,
            Source::Judges => JUDGES,
            Source::Interaction => 5,
            Source::JudgementSampling => 2,
            Source::MonteCarlo => GREY,
        };
        SourcePiece { name: crate::budget::source_label(source), colour, variance }
    }
}

/// The bar of variances by source, and half widths: the first now, others after some effort.
pub fn budget(of: &str, sources: &[SourcePiece], half_widths: &[(String, f64)]) -> Figure {
    let title = format!("Where the uncertainty comes from: {of}");
    let known: Vec<&SourcePiece> =
        sources.iter().filter(|piece| piece.variance.is_finite() && piece.variance > 0.0).collect();
    if known.is_empty() {
        return INFO.nothing(title, "no source has a variance");
    }
    let (stack, table) = stack(&known);
    let figure = INFO.empty(title, 1).panel(stack);
    let finite: Vec<&(String, f64)> = half_widths.iter().filter(|(_, half)| half.is_finite()).collect();
    let figure = if finite.is_empty() { figure } else { figure.panel(bars(&finite)) };
    figure.rows(table)
}

/// One bar, cut by source, and its rows.
fn stack(sources: &[&SourcePiece]) -> (Panel, Table) {
    let total: f64 = sources.iter().map(|piece| piece.variance).sum();
    let mut table = Table::new("budget_figure", "")
        .column("source", "source")
        .with(Column::new("variance", "variance").style(NumberStyle::Significant(3)))
        .with(Column::new("share", "share").style(NumberStyle::Decimals(3)));
    let mut stack = Panel::new(
        "",
        Axis::new("share of the variance", 0.0, 1.0),
        Axis { grid: false, ..Axis::ticks("", 0.0, 1.0, vec![(0.5, String::new())]) },
    )
    .sized(0.0, 64.0);
    let mut start = 0.0;
    for SourcePiece { name, colour, variance } in sources {
        let share = variance / total;
        let hint = format!("{name}: {} of the variance", NumberStyle::Decimals(3).show(share));
        let bar = Mark::bar(*colour, (start, start + share), (0.1, 0.9));
        stack = stack.mark(bar.labelled(name.clone()).named(hint));
        // Room for words: about 8 units of the page per letter.
        if share * 600.0 > 40.0 {
            stack = stack.mark(Mark::Words {
                at: (start + share / 2.0, 0.5),
                text: format!("{}%", NumberStyle::Decimals(0).show(100.0 * share)),
                anchor: Anchor::Middle,
                shift: (0.0, 0.0),
                on_colour: matches!(*colour, TOPICS | 2),
            });
        }
        start += share;
        table.push([name.as_str().into(), (*variance).into(), share.into()]);
    }
    (stack, table)
}

/// Half widths: the first now, others after some effort.
fn bars(half_widths: &[&(String, f64)]) -> Panel {
    let most = half_widths.iter().map(|(_, half)| *half).fold(0.0, f64::max);
    let rows = Axis::rows("", half_widths.iter().map(|(words, _)| words.clone()).collect());
    let x = Axis::new("half width of the interval", 0.0, if most > 0.0 { most * 1.05 } else { 1.0 });
    let mut bars = Panel::new("after more effort", x, rows).sized(0.0, 26.0 * half_widths.len() as f64);
    let mut words = Vec::new();
    for (row, (effort, half)) in half_widths.iter().enumerate() {
        let at = row as f64;
        // Not a source's colour: these bars hold all sources.
        bars = bars.mark(Mark::Bar {
            series: GREY,
            label: String::new(),
            name: format!("{effort}: ± {}", number(*half)),
            shade: if row == 0 { 1.0 } else { 0.5 },
            x: (0.0, *half),
            y: (at - 0.3, at + 0.3),
        });
        words.push((at, format!("± {}", NumberStyle::Decimals(4).show(*half))));
    }
    bars.right(Axis::ticks("", 0.0, 0.0, words))
}
