//! The comparison as tables: one for programs, one for people, one by topic.

use karat_analysis::compare::difference::With;
use karat_analysis::compare::verdict::Side;
use karat_analysis::compare::{CompareOptions, Compared, Comparison, DECIDING};
use karat_data::{Qrels, names::text};
use karat_measures::Measure;
use karat_report::{Audience, Cell, Column, NumberStyle, Plot, Table};

use super::{View, because};
use crate::words::percent;

/// Variances by source, those that apply.
pub(super) fn sources(comparison: &Comparison) -> Vec<(&'static str, f64)> {
    let difference = &comparison.difference;
    let topics = difference.over_topics();
    let unjudged = difference.unjudged.map(|unjudged| unjudged.beside(topics.unwrap_or(0.0)));
    let drawn = difference.unjudged.and_then(|unjudged| unjudged.monte_carlo);
    let named = [("topics", topics), ("unjudged", unjudged), ("judges", difference.judges), ("monte_carlo", drawn)];
    named.into_iter().filter_map(|(name, variance)| Some((name, variance?))).collect()
}

pub(super) fn comparisons(measures: &[Box<dyn Measure>], options: &CompareOptions<'_>, compared: &Compared) -> Table {
    let mut table = Table::new("comparisons", "")
        .audience(Audience::Data)
        .column("measure", "")
        .column("a", "")
        .column("b", "")
        .column("topics", "")
        .column("value_a", "")
        .column("value_b", "")
        .column("difference", "")
        .column("low", "")
        .column("high", "")
        .with(Column::new("interval", "").range())
        .column("level", "")
        .column("method", "")
        .column("std_error", "")
        .with(Column::new("sources", "").names(&["topics", "unjudged", "judges", "monte_carlo"]))
        .column("expected_difference", "")
        .with(Column::new("interval_topics", "").range())
        .column("effect_size", "")
        .column("wins", "")
        .column("ties", "")
        .column("losses", "")
        .column("tests", "")
        .column("verdict", "")
        .column("certain", "")
        .column("because", "")
        .column("blocked_by", "")
        .column("detectable_difference", "")
        .column("topics_needed", "");
    for comparison in &compared.comparisons {
        let difference = &comparison.difference;
        let whole = difference.interval(&options.inference, With::ALL);
        let over_topics = difference.interval(&options.inference, With::TOPICS);
        let sources = sources(comparison);
        let (won, tied, lost) = comparison.wins();
        let tests = comparison.tests.iter().map(|(test, found)| {
            let number = |value: Option<f64>| Cell::from(value);
            let evidence = found.as_ref().ok();
            let mut record = vec![
                ("test", Cell::from(test.name)),
                ("statistic", number(evidence.map(|(found, _)| found.statistic))),
                ("p", number(evidence.map(|(found, _)| found.p))),
                ("p_adjusted", number(evidence.map(|(_, adjusted)| *adjusted))),
                ("smallest_p", number(evidence.and_then(|(found, _)| found.smallest_p))),
                ("calculation", evidence.map(|(found, _)| found.calculation.name()).into_cell()),
            ];
            if let Some(posterior) = evidence.and_then(|(found, _)| found.posterior) {
                record.extend([
                    ("rope", posterior.rope.into()),
                    ("above_rope", posterior.above.into()),
                    ("within_rope", posterior.within.into()),
                    ("below_rope", posterior.below.into()),
                ]);
            }
            if let Err(why) = found {
                record.push(("reason", Cell::text(why)));
            }
            Cell::Record(record)
        });
        table.push([
            measures[comparison.measure].spec().to_string().into(),
            compared.names[comparison.pair.0].as_str().into(),
            compared.names[comparison.pair.1].as_str().into(),
            difference.topics.len().into(),
            comparison.means.0.into(),
            comparison.means.1.into(),
            difference.observed.into(),
            difference.bounds.map(|(low, _)| low).into(),
            difference.bounds.map(|(_, high)| high).into(),
            whole.as_ref().ok().map(|found| (found.low, found.high)).into(),
            options.inference.level.into(),
            whole.as_ref().ok().map(|found| found.method.name()).into_cell(),
            (sources.iter().any(|(name, _)| *name == "topics"))
                .then(|| sources.iter().map(|(_, variance)| variance).sum::<f64>().sqrt())
                .into(),
            Cell::Map(sources),
            difference.unjudged.map(|_| difference.expected).into(),
            over_topics.as_ref().ok().map(|found| (found.low, found.high)).into(),
            comparison.effect_size.into(),
            won.into(),
            tied.into(),
            lost.into(),
            Cell::List(tests.collect()),
            comparison.verdict.name().into(),
            comparison.verdict.certain.into(),
            because(compared, comparison).into(),
            Cell::List(comparison.verdict.blocked.iter().map(|block| block.name().into()).collect()),
            comparison.detectable.into(),
            comparison.topics_needed.into(),
        ]);
    }
    table
}

/// A static name as a cell, where there is one.
trait IntoCell {
    fn into_cell(self) -> Cell;
}

impl IntoCell for Option<&'static str> {
    fn into_cell(self) -> Cell {
        self.map_or(Cell::Missing, Cell::from)
    }
}

pub(super) fn people(
    measures: &[Box<dyn Measure>],
    options: &CompareOptions<'_>,
    compared: &Compared,
    view: View,
) -> Table {
    let level = percent(options.inference.level);
    let bounds = view.no_bounds.is_none();
    let mut table = Table::new("verdicts", "")
        .audience(Audience::People)
        .column("measure", "measure")
        .column("a", "a")
        .column("b", "b")
        .column("difference", "a − b")
        .column("interval", format!("{level} interval"));
    if bounds {
        table = table.column("bounds", "could become");
    }
    let several = compared.comparisons.len() > measures.len();
    table = table
        .with(Column::new("p", if several { "p (adjusted)" } else { "p" }).style(NumberStyle::P))
        .column("wins", "a wins/ties/loses")
        .with(Column::new("effect_size", "effect").style(NumberStyle::Decimals(2)))
        .column("verdict", "better")
        .plotted(Plot { value: "difference", interval: "interval", bounds: "bounds", zero: true });
    for comparison in &compared.comparisons {
        let difference = &comparison.difference;
        let deciding = comparison.tests.iter().find(|(test, _)| test.name == DECIDING);
        let (won, tied, lost) = comparison.wins();
        let name = |run: usize| compared.names[run].as_str();
        let better = match comparison.verdict.winner {
            Some(Side::A) => name(comparison.pair.0),
            Some(Side::B) => name(comparison.pair.1),
            None => "undecided",
        };
        let certain = if comparison.verdict.certain && comparison.verdict.winner.is_some() { ", certain" } else { "" };
        let mut row: Vec<Cell> = vec![
            measures[comparison.measure].spec().to_string().into(),
            name(comparison.pair.0).into(),
            name(comparison.pair.1).into(),
            difference.observed.into(),
            difference.interval(&options.inference, With::ALL).ok().map(|found| (found.low, found.high)).into(),
        ];
        if bounds {
            row.push(difference.bounds.into());
        }
        row.extend([
            deciding.and_then(|(_, found)| found.as_ref().ok()).map(|(_, adjusted)| *adjusted).into(),
            format!("{won}/{tied}/{lost}").into(),
            comparison.effect_size.into(),
            format!("{better}{certain}").into(),
        ]);
        table.push(row);
    }
    table
}

/// What every test says, for people; of many comparisons the first.
pub(super) fn tests(measures: &[Box<dyn Measure>], compared: &Compared, most: usize) -> Table {
    let bayes =
        compared.comparisons.iter().flat_map(|comparison| &comparison.tests).any(|(test, _)| test.name == "bayes");
    let mut table = Table::new("tests_for_people", "Tests")
        .audience(Audience::People)
        .column("measure", "measure")
        .column("a", "a")
        .column("b", "b")
        .column("test", "test")
        .with(Column::new("statistic", "statistic").style(NumberStyle::Significant(4)))
        .with(Column::new("p", "p").style(NumberStyle::P))
        .with(Column::new("p_adjusted", "adjusted p").style(NumberStyle::P));
    if bayes {
        table = table.column("rope", "probability of a − b above, within, below the region of practical equivalence");
    }
    for comparison in compared.comparisons.iter().take(most) {
        for (test, found) in &comparison.tests {
            let evidence = found.as_ref().ok();
            let mut row: Vec<Cell> = vec![
                measures[comparison.measure].spec().to_string().into(),
                compared.names[comparison.pair.0].as_str().into(),
                compared.names[comparison.pair.1].as_str().into(),
                test.title.into(),
                evidence.map(|(found, _)| found.statistic).into(),
                evidence.map(|(found, _)| found.p).into(),
                evidence.map(|(_, adjusted)| *adjusted).into(),
            ];
            if bayes {
                let posterior = evidence.and_then(|(found, _)| found.posterior);
                let shown = posterior.map(|found| {
                    let show = |value: f64| NumberStyle::Decimals(3).show(value);
                    format!("{} / {} / {}", show(found.above), show(found.within), show(found.below))
                });
                row.push(shown.into());
            }
            table.push(row);
        }
    }
    table
}

pub(super) fn by_query(qrels: &Qrels, measures: &[Box<dyn Measure>], compared: &Compared) -> Table {
    let mut table = Table::new("by_query", "By query")
        .column("measure", "measure")
        .column("a", "a")
        .column("b", "b")
        .column("topic", "topic")
        .column("difference", "a − b")
        .column("low", "at least")
        .column("high", "at most");
    for comparison in &compared.comparisons {
        for topic in &comparison.difference.topics {
            table.push([
                measures[comparison.measure].spec().to_string().into(),
                compared.names[comparison.pair.0].as_str().into(),
                compared.names[comparison.pair.1].as_str().into(),
                text(qrels.name(topic.topic)).into(),
                topic.observed.into(),
                topic.bounds.map(|bounds| bounds.0).into(),
                topic.bounds.map(|bounds| bounds.1).into(),
            ]);
        }
    }
    table
}
