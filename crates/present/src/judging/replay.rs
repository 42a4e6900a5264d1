//! Replayed strategies as tables, a figure and notes.

use karat_analysis::judging::next::NextOptions;
use karat_analysis::judging::replay::{CurvePoint, ReplayAnswer, ReplayOptions, ReplayedStrategy};
use karat_analysis::judging::{About, Strategy};
use karat_data::RunFacts;
use karat_data::names::text;
use karat_report::{Axis, Block, Column, Columns, Figure, NumberStyle, Panel, Report, Table};

use crate::Context;

/// Lines of the figure that have a colour of their own; further ones are dashed.
const SOLID_LINES: usize = 6;

/// The report.
pub fn report(
    answer: ReplayAnswer,
    (options, replay_options): (&NextOptions<'_>, &ReplayOptions),
    runs: &[RunFacts],
    context: Context,
) -> Report {
    let mut report = context
        .with_runs(runs)
        .report("Judging replayed", "next")
        .table(summary(&answer.replay, replay_options.threshold))
        .block(Block::Figure(figure(&answer)));
    report.notes.extend(notes(&answer, options, replay_options));
    report.answering(answer)
}

fn summary(rows: &[ReplayedStrategy], threshold: f64) -> Table {
    let range = |key| Column::new(key, "range").style(NumberStyle::Decimals(0));
    Columns::new()
        .column("strategy", "strategy", |row: &ReplayedStrategy| row.strategy.into())
        .column("about", "about", |row| row.about.map(About::name).into())
        .column("top_two", "top two", |row| row.top_two.into())
        .with(range("top_two_range"), |row| wide(row.top_two_range).into())
        .column("tau", format!("tau {threshold}"), |row| row.tau.into())
        .with(range("tau_range"), |row| wide(row.tau_range).into())
        .column("certain", "certain", |row| row.certain.into())
        .table("replay", "Judgements needed", rows)
}

fn wide(range: Option<(usize, usize)>) -> Option<(f64, f64)> {
    range.map(|(least, most)| (least as f64, most as f64))
}

fn figure(answer: &ReplayAnswer) -> Figure {
    let all = answer.replay.first().map_or(0, |row| row.judgements);
    let mut panel = Panel::new(
        "",
        Axis::new("judgements", 0.0, all as f64),
        Axis::new("Kendall's tau with the order by all judgements", 0.0, 1.0),
    );
    for (at, row) in answer.replay.iter().enumerate() {
        let own = |point: &&CurvePoint| point.strategy == row.strategy && point.about == row.about;
        let points = answer.curve.iter().filter(own);
        let line = points.filter_map(|point| Some((point.judgements as f64, point.tau?.max(0.0)))).collect();
        let label = match row.about {
            Some(about) if row.strategy == Strategy::Variance.name() => format!("{}, {}", row.strategy, about.name()),
            _ => row.strategy.to_owned(),
        };
        panel = panel.line(at, label, at >= SOLID_LINES, line);
    }
    Figure::new("replay", "Judgements until the order of the runs is right", 1).panel(panel)
}

fn notes(answer: &ReplayAnswer, options: &NextOptions<'_>, replay_options: &ReplayOptions) -> Vec<String> {
    let best = |place: usize| {
        let (name, score): &(String, f64) = &answer.best[place];
        format!("{} ({})", text(name.as_bytes()), NumberStyle::Score.show(*score))
    };
    let mut notes = vec![
        format!(
            "The best two of {} runs by {} are {} and {}: {} judged documents with weight, {} topics.",
            answer.runs,
            options.measure.spec(),
            best(0),
            best(1),
            answer.replay.first().map_or(0, |row| row.judgements),
            answer.topics
        ),
        format!(
            "top two, tau {}: judgements after which the first two runs (tau with the full order) stay right. This is known in \
             hindsight only.",
            replay_options.threshold
        ),
        "certain: judgements after which no outcome of the others can put the second run before the first.".into(),
        format!("random: median and range of {} repetitions.", replay_options.repetitions),
        "Documents without a judgement are treated as not relevant, and lists as complete.".into(),
    ];
    if !answer.clear {
        notes.push(
            "The order of the best two runs is never settled: with all judgements they, or the second and third, have equal scores."
                .into(),
        );
    }
    notes
}
