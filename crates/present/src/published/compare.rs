//! `published compare` for people: verdicts for each pair, and the order of many.

use karat_analysis::published::Verdict;
use karat_analysis::published::answer::CompareAnswer;
use karat_analysis::published::answer::compare::{OrderGraph, OrderedSystem, PairVerdict};
use karat_report::{Block, Cell, Columns, Figure, NumberStyle, Panel, Report, Table};

use super::{RANGES, given, record_or_table};
use crate::Context;

/// The report; with a figure of the order where it is wanted.
pub fn report(mut answer: CompareAnswer, figure: bool, context: Context) -> Report {
    answer.rows_mut().iter_mut().for_each(|row| row.because = because(row));
    let mut report = context
        .report("Published scores compared", "published compare")
        .block(record_or_table(pairs(&answer), answer.one.is_some()));
    if let Some(order) = &answer.order {
        report = report.table(ordered(order, answer.graph.at));
    }
    if figure {
        report = report.block(Block::Figure(graph(&answer.graph)));
    }
    report.notes.extend(notes(&answer));
    report.answering(answer)
}

/// Why the verdict is what it is.
fn because(row: &PairVerdict) -> String {
    let at = row.at;
    match row.verdict {
        Verdict::A => format!("at p={at} every possible score of a is above every possible score of b"),
        Verdict::B => format!("at p={at} every possible score of b is above every possible score of a"),
        Verdict::Undecided => format!("at p={at} the possible scores overlap"),
    }
}

fn pairs(answer: &CompareAnswer) -> Table {
    let higher = |row: &PairVerdict, verdict: Verdict| -> Cell {
        match verdict {
            Verdict::A => row.a.as_str().into(),
            Verdict::B => row.b.as_str().into(),
            Verdict::Undecided => "undecided".into(),
        }
    };
    Columns::new()
        .column("a", "a", |row: &PairVerdict| row.a.as_str().into())
        .column("b", "b", |row| row.b.as_str().into())
        .with(given("at", "at p"), |row| row.at.into())
        .column("verdict", "higher", move |row| higher(row, row.verdict))
        .column("range_a", "a is", |row| row.range_a.into())
        .column("range_b", "b is", |row| row.range_b.into())
        .when(answer.one.is_some(), |columns| columns.column("difference", "a - b", |row| row.difference.into()))
        .when(!answer.single_topic, |columns| {
            columns.column("verdict_binary", "one topic", move |row| {
                row.verdict_binary.map_or(Cell::Missing, |verdict| higher(row, verdict))
            })
        })
        .table("comparisons", "", answer.rows())
}

fn ordered(order: &[OrderedSystem], at: f64) -> Table {
    Columns::new()
        .column("system", "system", |row: &OrderedSystem| row.system.as_str().into())
        .column("level", "level", |row| row.level.into())
        .column("low", "low", |row| row.low.into())
        .column("high", "high", |row| row.high.into())
        .column("above", "certainly above", |row| {
            Cell::List(row.above.iter().map(|name| name.as_str().into()).collect())
        })
        .table("order", format!("Order at p = {at}"), order)
}

fn notes(answer: &CompareAnswer) -> Vec<String> {
    let mut notes = Vec::new();
    if answer.order.is_some() {
        notes.push(format!(
            "The order is partial and holds at p={}: a system is above another only where that is certain.",
            answer.graph.at
        ));
    }
    notes.push(RANGES.to_owned());
    notes.push(match answer.single_topic {
        true => "The verdict holds for one topic with binary relevance (--single-topic), not for means.".into(),
        false => "The verdict uses the graded ranges, so it holds for means and for single topics.".into(),
    });
    let count = answer.decided_for_one_topic;
    if count > 0 && !answer.single_topic {
        let pairs = crate::words::count(count, "pair");
        notes.push(format!("{pairs} would be decided for one topic with binary relevance (--single-topic)."));
    }
    notes.push("Undecided does not mean equal: the possible scores overlap.".into());
    notes.push(
        "The verdict compares printed numbers only. It is no significance test, and assumes that all scores are over the same \
         topics and judgements."
            .into(),
    );
    if !answer.without_residual.is_empty() {
        let names = answer.without_residual.join(", ");
        notes.push(format!("No residual given for {names}: treated as 0, unjudged documents as not relevant."));
    }
    notes
}

/// The order as a graph: a system that is higher up and joined by lines is certainly above.
fn graph(graph: &OrderGraph) -> Figure {
    let OrderGraph { at, systems, ranges, order } = graph;
    let levels = order.level.iter().max().map_or(1, |most| most + 1);
    let place = |system: usize| {
        let level = order.level[system];
        let row: Vec<usize> = (0..systems.len()).filter(|&other| order.level[other] == level).collect();
        let position = row.iter().position(|&other| other == system).unwrap_or(0);
        ((position as f64 + 0.5) / row.len() as f64, 1.0 - (level as f64 + 0.5) / levels as f64)
    };
    // Axes without ticks: the place of a name shows the order, not a number.
    let height = 75.0 * levels as f64;
    let title = match levels {
        1 => format!("nothing is certain at p = {at}: all ranges overlap"),
        _ => format!("higher up and joined: certainly above, at p = {at}"),
    };
    let mut panel = Panel { title, height, ..Panel::default() };
    let room = 9.0 / height;
    for (system, lower) in order.next.iter().enumerate() {
        for &other in lower {
            let (from, to) = (place(system), place(other));
            panel = panel.line(0, "", false, vec![(from.0, from.1 - room), (to.0, to.1 + room)]);
        }
    }
    let shown = |score: f64| NumberStyle::Decimals(3).show(score);
    for (system, (name, &(low, high))) in systems.iter().zip(ranges).enumerate() {
        panel = panel.words(place(system), format!("{name} {}–{}", shown(low), shown(high)));
    }
    Figure::new("order", "Published scores in order", 1).panel(panel)
}
