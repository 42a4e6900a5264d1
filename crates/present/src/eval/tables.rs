//! The tables of an evaluation. Each fits 80 columns with short names of runs; JSON has every field.

use karat_analysis::eval::answer::{QueryRow, ScoreRow, ScoreValue, TieFields};
use karat_analysis::summary::VarianceSources;
use karat_analysis::unjudged::{ModelComparison, ModelParameters};
use karat_report::{Cell, Column, Columns, NumberStyle, Plot, Table};
use karat_stats::Method;

use crate::words::percent;

/// One row per measure and run.
pub(crate) fn scores(rows: &[ScoreRow]) -> Table {
    let level = percent(rows.first().map_or(0.0, |row| row.level));
    let first = rows.first().map_or("", |row| row.run.as_str());
    let ties = rows.iter().any(|row| row.ties.is_some());
    let model = rows.iter().any(|row| row.unjudged.is_some());
    let bounds = rows.iter().any(|row| row.low.is_some()) && !ties;
    let measure = |row: &ScoreRow| if row.run == first { row.measure.clone() } else { String::new() };
    let if_judged = |row: &ScoreRow| row.unjudged.and_then(|found| found.unjudged_interval);
    let interval = interval_heading(rows, &level, model);
    Columns::new()
        .column("measure", "measure", move |row: &ScoreRow| measure(row).into())
        .column("run", "run", |row| row.run.as_str().into())
        .column("value", "value", |row| value(row.value))
        .when(ties, |columns| {
            columns.column("ties", "tie range", |row: &ScoreRow| range(row.value, tie_range(row.ties))).column(
                "ties_expected",
                "expected",
                |row| tie_mean(row.ties),
            )
        })
        .when(bounds, |columns| {
            columns.column("bounds", "bounds", |row: &ScoreRow| range(row.value, row.low.zip(row.high)))
        })
        .when(model, |columns| {
            columns.column("unjudged_interval", format!("{level}, unjudged"), move |row| if_judged(row).into())
        })
        .column("interval", interval, |row| row.interval.into())
        .when(!ties && !model, |columns| columns.column("topics", "topics", |row: &ScoreRow| row.topics.into()))
        .table("scores_by_measure", "", rows)
        .plotted(Plot { value: "value", interval: "interval", bounds: "bounds", zero: false })
}

/// Columns that tie ranges leave no room for.
pub(super) fn not_shown(rows: &[ScoreRow]) -> Option<String> {
    let what = if rows.iter().any(|row| row.low.is_some()) { "bounds and topics" } else { "topics" };
    let ties = rows.iter().any(|row| row.ties.is_some());
    ties.then(|| format!("The table with tie ranges has no columns for {what}; -f json has them"))
}

/// The heading of the interval, which names the sources of error that it includes.
fn interval_heading(rows: &[ScoreRow], level: &str, model: bool) -> String {
    let more = |row: &ScoreRow| (row.sources.judges.is_some(), row.sources.judgement_sampling.is_some());
    let mut found = rows.iter().filter(|row| row.interval.is_some()).map(more);
    let first = found.next().unwrap_or_default();
    let same = found.all(|other| other == first);
    match (same.then_some(first), model) {
        (Some((false, false)), false) => format!("{level} interval, topics"),
        (Some((false, false)), true) => format!("{level}, with topics"),
        (Some((true, false)), false) => format!("{level}, topics+judges"),
        (Some((false, true)), false) => format!("{level}, topics+sampling"),
        _ => format!("{level} interval"),
    }
}

/// The sources of error of each interval, where they differ between measures.
pub(super) fn interval_sources(rows: &[ScoreRow]) -> Option<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for row in rows.iter().filter(|row| row.interval.is_some()) {
        // Scores without spread have an interval over topics too, and no variance.
        let sources = Some(source_names(&row.sources)).filter(|names| !names.is_empty());
        let sources = sources.unwrap_or_else(|| "topics".into());
        let place = groups.iter().position(|(other, _)| *other == sources).unwrap_or(groups.len());
        if place == groups.len() {
            groups.push((sources, Vec::new()));
        }
        if !groups[place].1.contains(&row.measure.as_str()) {
            groups[place].1.push(&row.measure);
        }
    }
    let one = |(sources, measures): &(String, Vec<&str>)| format!("{sources} ({})", measures.join(", "));
    let level = percent(rows.first().map_or(0.0, |row| row.level));
    (groups.len() > 1).then(|| {
        format!("Errors that the {level} interval covers: {}", groups.iter().map(one).collect::<Vec<_>>().join("; "))
    })
}

/// The measures whose intervals know their range, for the other intervals are Student's t or what was asked for.
pub(super) fn interval_methods(rows: &[ScoreRow]) -> Option<String> {
    let named = [(Method::ClopperPearson, "exact"), (Method::Bounded, "bounded mean")];
    let of = |(method, words): (Method, &str)| {
        let mut measures: Vec<&str> = Vec::new();
        for row in rows.iter().filter(|row| row.method == Some(method.name())) {
            if !measures.contains(&row.measure.as_str()) {
                measures.push(&row.measure);
            }
        }
        (!measures.is_empty()).then(|| format!("{} ({words})", measures.join(", ")))
    };
    let found: Vec<String> = named.into_iter().filter_map(of).collect();
    (!found.is_empty()).then(|| format!("Intervals not by t: {}; see karat explain auto", found.join("; ")))
}

fn source_names(sources: &VarianceSources) -> String {
    let names = [
        (sources.topics, "topics"),
        (sources.unjudged, "unjudged documents"),
        (sources.judges, "judge errors"),
        (sources.judgement_sampling, "judgement sampling"),
    ];
    let names: Vec<&str> = names.iter().filter(|(variance, _)| variance.is_some()).map(|(_, name)| *name).collect();
    names.join(" and ")
}

fn value(value: Option<ScoreValue>) -> Cell {
    match value {
        Some(ScoreValue::Count(count)) => count.into(),
        Some(ScoreValue::Number(number)) => number.into(),
        None => Cell::Missing,
    }
}

/// The range of a value: of a count, counts.
fn range(value: Option<ScoreValue>, ends: Option<(f64, f64)>) -> Cell {
    match (value, ends) {
        (Some(ScoreValue::Count(_)), Some((low, high))) => Cell::Text(format!("{low}–{high}")),
        (_, ends) => ends.into(),
    }
}

fn tie_range(ties: Option<TieFields>) -> Option<(f64, f64)> {
    ties.and_then(|ties| ties.ties_low.zip(ties.ties_high))
}

fn tie_mean(ties: Option<TieFields>) -> Cell {
    ties.and_then(|ties| ties.ties_expected).into()
}

/// One row per run, measure and topic.
pub(super) fn by_query(rows: &[QueryRow]) -> Table {
    let bounds = rows.iter().any(|row| row.low.is_some()) && rows.iter().all(|row| row.ties.is_none());
    let gold = rows.iter().any(|row| row.gold.is_some());
    let sampling = rows.iter().any(|row| row.sampling.is_some());
    let ties = rows.iter().any(|row| row.ties.is_some());
    Columns::new()
        .column("run", "run", |row: &QueryRow| row.run.as_str().into())
        .column("measure", "measure", |row| row.measure.as_str().into())
        .column("topic", "topic", |row| row.topic.as_str().into())
        .column("value", "value", |row| value(row.value))
        .when(bounds, |columns| {
            columns.column("bounds", "bounds", |row: &QueryRow| range(row.value, row.low.zip(row.high)))
        })
        .when(gold, |columns| {
            columns.column("gold", "gold", |row: &QueryRow| row.gold.and_then(|found| found.gold).into())
        })
        .when(sampling, |columns| {
            let error = |row: &QueryRow| row.sampling.and_then(|found| found.std_error);
            columns.column("std_error", "SE", move |row: &QueryRow| error(row).into())
        })
        .when(ties, |columns| {
            columns.column("ties", "tie range", |row: &QueryRow| range(row.value, tie_range(row.ties))).column(
                "ties_expected",
                "expected",
                |row| tie_mean(row.ties),
            )
        })
        .table("by_query", "By topic", rows)
}

/// The relevance models and their fit.
pub(super) fn models(rows: &[ModelComparison]) -> Table {
    let four = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Decimals(4));
    let several = rows.iter().any(|row| row.parameters != ModelParameters::None);
    Columns::new()
        .column("model", "model", |row: &ModelComparison| row.name.into())
        .with(four("log_loss", "log loss"), |row| row.log_loss.into())
        .with(four("rank_1", "rank 1"), |row| row.rank_1.into())
        .with(four("rank_10", "rank 10"), |row| row.rank_10.into())
        .with(four("rank_100", "rank 100"), |row| row.rank_100.into())
        .when(several, |columns| columns.column("parameters", "parameters", |row| parameters(row.parameters).into()))
        .column("used", "used", |row| row.used.into())
        .table("models", "Relevance models of unjudged documents: probability by rank", rows)
}

fn parameters(parameters: ModelParameters) -> String {
    match parameters {
        ModelParameters::None => String::new(),
        ModelParameters::Urn { documents, share, weight } => {
            let show = |value: f64| NumberStyle::Significant(3).show(value);
            format!("N={documents} q={} w={}", show(share), show(weight))
        }
    }
}
