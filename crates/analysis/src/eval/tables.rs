//! The tables of `eval`, for programs and for people.

use karat_data::Qrels;
use karat_measures::{Aggregate, Measure};
use karat_report::{Audience, Cell, Column, NumberStyle, Plot, Table};

use super::Shown;
use super::gold::GoldScores;
use crate::scores::RunScores;
use crate::ties::TieSummary;

pub(super) fn scores_table(shown: Shown) -> Table {
    let sources: &'static [&'static str] = match (shown.judges, shown.probable, shown.sampling) {
        (false, false, false) => &["topics"],
        (false, false, true) => &["topics", "judgement_sampling"],
        (false, true, false) => &["topics", "unjudged", "monte_carlo"],
        (false, true, true) => &["topics", "unjudged", "judgement_sampling", "monte_carlo"],
        (true, false, false) => &["topics", "judges", "monte_carlo"],
        (true, false, true) => &["topics", "judges", "judgement_sampling", "monte_carlo"],
        (true, true, _) => &["topics", "unjudged", "judges", "judgement_sampling", "monte_carlo"],
    };
    let table = Table::new("scores", "Scores")
        .audience(Audience::Data)
        .column("run", "run")
        .column("measure", "measure")
        .column("topics", "topics")
        .column("value", "value")
        .column("low", "low")
        .column("high", "high")
        .column("std_error", "std. error")
        .with(Column::new("interval", "interval").range())
        .column("level", "level")
        .column("method", "method")
        .with(Column::new("sources", "sources").names(sources).style(NumberStyle::Significant(3)));
    let table = if shown.ties { with_ties(table) } else { table };
    if shown.probable {
        table.with(Column::new("unjudged_interval", "unjudged interval").range()).column("unjudged_method", "method")
    } else {
        table
    }
}

fn with_ties(table: Table) -> Table {
    table.column("ties_low", "ties, min").column("ties_high", "ties, max").column("ties_expected", "ties, expected")
}

pub(super) fn people_table(level: f64, shown: Shown) -> Table {
    let mut table = Table::new("scores_by_measure", "")
        .audience(Audience::People)
        .column("measure", "measure")
        .column("run", "run")
        .column("value", "value");
    if shown.ties {
        table = table.with(Column::new("ties", "tie range").range()).column("ties_expected", "expected");
    }
    if shown.bounds {
        table = table.with(Column::new("bounds", "bounds").range());
    }
    if shown.probable {
        table = table.with(Column::new("unjudged_interval", format!("if judged ({})", percent(level))).range());
    }
    table
        .column("std_error", "SE")
        .with(Column::new("interval", format!("{} interval", percent(level))).range())
        .column("topics", "topics")
        .plotted(Plot { value: "value", interval: "interval", bounds: "bounds", zero: false })
}

/// A level as people write it: 95%.
pub fn percent(level: f64) -> String {
    let rounded = (level * 1e8).round() / 1e6;
    // 99.99999999% must not read as 100%.
    if rounded >= 100.0 || rounded <= 0.0 { format!("{level} ") } else { format!("{rounded}%") }
}

pub(super) fn by_query(
    qrels: &Qrels,
    measures: &[Box<dyn Measure>],
    scored: &[RunScores],
    gold: Option<&GoldScores>,
    shown: Shown,
) -> Table {
    let mut table = Table::new("by_query", "By query")
        .column("run", "run")
        .column("measure", "measure")
        .column("topic", "topic")
        .column("value", "value")
        .column("low", "low")
        .column("high", "high");
    if shown.gold {
        table = table.column("gold", "gold");
    }
    if shown.sampling {
        table = table.column("std_error", "sampling error");
    }
    if shown.ties {
        table = with_ties(table);
    }
    for (place, run) in scored.iter().enumerate() {
        for (index, measure) in measures.iter().enumerate() {
            let name = measure.spec().to_string();
            let counts = measure.info().aggregate == Aggregate::Sum;
            for (topic, scored) in run.of(index) {
                let ties = match (scored, run.ties_of(topic)) {
                    (Ok(score), None) => TieSummary::settled(score.value),
                    (Ok(_), Some(ties)) => TieSummary::of(&ties[index]),
                    (Err(_), _) => TieSummary::default(),
                };
                let by_gold =
                    gold.and_then(|gold| gold.of(place, topic, index)).and_then(|scored| scored.as_ref().ok());
                let std_error = run.sampling_of(topic, index).filter(|_| scored.is_ok()).map(f64::sqrt);
                let topic = karat_data::names::text(qrels.name(topic));
                let (value, bounds) = match scored {
                    Ok(score) if counts && !shown.probable => (Cell::Count(score.value as u64), score.bounds()),
                    Ok(score) => (Cell::Number(score.value), score.bounds()),
                    Err(_) => (Cell::Missing, None),
                };
                let bounds = bounds.filter(|_| shown.bounds);
                let mut cells = vec![
                    run.name.as_str().into(),
                    name.as_str().into(),
                    topic.into(),
                    value,
                    bounds.map(|(low, _)| low).into(),
                    bounds.map(|(_, high)| high).into(),
                ];
                if shown.gold {
                    cells.push(by_gold.map(|score| score.value).into());
                }
                if shown.sampling {
                    cells.push(std_error.into());
                }
                if shown.ties {
                    let (low, high) = ties.ends.unzip();
                    cells.extend([low.into(), high.into(), ties.expected.into()]);
                }
                table.push(cells);
            }
        }
    }
    table
}
