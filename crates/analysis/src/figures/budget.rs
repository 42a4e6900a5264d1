//! Where the uncertainty comes from, as one bar, and what would shrink it.

use karat_report::figure::GREY;
use karat_report::{Anchor, Axis, Column, Figure, Mark, NumberStyle, Panel, Table};

use super::{FigureInfo, JUDGES, TOPICS, UNJUDGED, example_score, number};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "budget",
    title: "Uncertainty budget",
    shows: "One bar for the variance of a score or a difference, cut by source, and below it how wide the interval is now and would be after further effort.",
    reading: "The longest piece is where effort pays first, if effort can reach it at all: topics shrink with more topics, unjudged with judgements, judges with \
              gold labels.",
    example: |names| {
        let sources: Vec<(String, f64)> =
            names.iter().enumerate().map(|(at, name)| (name.clone(), example_score(at))).collect();
        let then =
            names.iter().enumerate().map(|(at, name)| (name.clone(), 0.05 * example_score(at))).collect::<Vec<_>>();
        budget("AP of a run", &sources, &then)
    },
};

/// The colour of a source.
fn colour(source: &str) -> usize {
    match source {
        "topics" => TOPICS,
        "unjudged" => UNJUDGED,
        "judges" => JUDGES,
        "interaction" => 5,
        "judgement_sampling" => 2,
        "rounding" => 1,
        _ => GREY,
    }
}

/// The bar of variances by source, and half widths: the first now, others after some effort.
pub fn budget(of: &str, sources: &[(String, f64)], half_widths: &[(String, f64)]) -> Figure {
    let title = format!("Where the uncertainty comes from: {of}");
    let known: Vec<&(String, f64)> =
        sources.iter().filter(|(_, variance)| variance.is_finite() && *variance > 0.0).collect();
    let total: f64 = known.iter().map(|(_, variance)| variance).sum();
    if known.is_empty() {
        return INFO.nothing(title, "no source has a variance");
    }
    let mut table = Table::new("budget_figure", "")
        .column("source", "source")
        .with(Column::new("variance", "variance").style(NumberStyle::Significant(3)))
        .with(Column::new("share", "share").style(NumberStyle::Decimals(3)));
    let mut stack = Panel::new(
        "",
        Axis::new("share of the variance", 0.0, 1.0),
        Axis { grid: false, ..Axis::ticks("", 0.0, 1.0, vec![(0.5, String::new())]) },
    );
    stack = stack.sized(0.0, 64.0);
    let mut start = 0.0;
    for (source, variance) in &known {
        let share = variance / total;
        let series = colour(source);
        let name = format!("{source}: {} of the variance", NumberStyle::Decimals(3).show(share));
        stack = stack.mark(Mark::bar(series, (start, start + share), (0.1, 0.9)).labelled(source.clone()).named(name));
        // Room for words: about 8 units of the page a letter.
        let text = format!("{}%", NumberStyle::Decimals(0).show(100.0 * share));
        if share * 600.0 > 40.0 {
            stack = stack.mark(Mark::Words {
                at: (start + share / 2.0, 0.5),
                text,
                anchor: Anchor::Middle,
                shift: (0.0, 0.0),
                on_colour: matches!(series, TOPICS | 2),
            });
        }
        start += share;
        table.push([source.as_str().into(), (*variance).into(), share.into()]);
    }
    let figure = INFO.empty(title, 1).panel(stack);
    let finite: Vec<&(String, f64)> = half_widths.iter().filter(|(_, half)| half.is_finite()).collect();
    if finite.is_empty() {
        return figure.rows(table);
    }
    let most = finite.iter().map(|(_, half)| *half).fold(0.0, f64::max);
    let rows = Axis::rows("", finite.iter().map(|(words, _)| words.clone()).collect());
    let x = Axis::new("half width of the interval", 0.0, if most > 0.0 { most * 1.05 } else { 1.0 });
    let mut bars = Panel::new("what effort does to it", x, rows).sized(0.0, 26.0 * finite.len() as f64);
    let mut words = Vec::new();
    for (row, (effort, half)) in finite.iter().enumerate() {
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
    figure.panel(bars.right(Axis::ticks("", 0.0, 0.0, words))).rows(table)
}
