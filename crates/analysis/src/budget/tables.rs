//! The report of a budget.

use karat_data::names::text;
use karat_report::{Audience, Block, Cell, Column, Figure, NumberStyle, Report, Table};

use super::advice::Priced;
use super::outlook::Effort;
use super::parts::Parts;
use super::{Budget, Question, source};
use crate::eval::percent;
use crate::scores::{RunScores, Setting};
use crate::unjudged::{Belief, NoBelief};

/// Judgements that "ten more judgements" are, and gold labels.
pub(super) const UNIT: usize = 10;

fn show(value: f64) -> String {
    NumberStyle::Score.show(value)
}

pub(super) fn report(
    setting: &Setting<'_>,
    scored: &[RunScores],
    question: Question,
    belief: Option<&Result<Belief, NoBelief>>,
    prices: &Priced,
    parts: &Parts<'_>,
    found: &Budget,
) -> Report {
    let mut provenance = question.provenance.clone();
    for run in scored {
        let facts = &run.topics.facts;
        provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    }
    let mut report = Report::new("Uncertainty budget", "budget", question.version)
        .block(Block::Record(record(setting, scored, &question, parts, found)))
        .table(budget(found));
    if !found.advice.is_empty() {
        report = report.table(advice(found, &question));
    }
    if !found.next.is_empty() {
        // As many as are advised, and ten at least; people see the first ten.
        let advised = found.advice.first().and_then(|cheapest| cheapest.effort).map_or(0, |effort| effort.judgements);
        report = report
            .table(next(setting, found, UNIT).audience(Audience::People))
            .table(next(setting, found, UNIT.max(advised)).audience(Audience::Data));
    }
    report = report.block(Block::Figure(figure(setting, scored, found)));
    report.notes = question.notes.clone();
    report.notes.extend(notes(setting, &question, belief, prices, parts, found));
    report.provenance = provenance;
    report
}

fn record(
    setting: &Setting<'_>,
    scored: &[RunScores],
    question: &Question,
    parts: &Parts<'_>,
    found: &Budget,
) -> Table {
    let now = Effort::default();
    let half = found.outlook.half_width(now);
    let level = percent(question.level);
    let difference = scored.len() == 2;
    let mut table = Table::new("total", "").column("measure", "measure");
    let mut row: Vec<Cell> =
        vec![setting.measures.first().map(|measure| measure.spec().to_string()).unwrap_or_default().into()];
    for (run, (key, heading)) in scored.iter().zip([("a", if difference { "a" } else { "run" }), ("b", "b")]) {
        table = table.column(key, heading);
        row.push(run.name.as_str().into());
    }
    let table = table
        .column("topics", "topics")
        .with(Column::new("value", if difference { "a − b, expected" } else { "value, expected" }))
        .with(Column::new("observed", if difference { "a − b, observed" } else { "value, observed" }))
        .with(Column::new("std_error", "standard error"))
        .with(Column::new("half_width", format!("half width ({level})")))
        .with(Column::new("width", "width"))
        .with(Column::new("interval", format!("{level} interval")).range())
        .with(Column::new("level", "level").style(NumberStyle::Given).data_only())
        .with(Column::new("target", "width wanted").style(NumberStyle::Given));
    row.extend([
        found.outlook.topics().into(),
        found.value.into(),
        parts.observed.into(),
        found.outlook.after(now).std_error().into(),
        half.into(),
        (2.0 * half).into(),
        Cell::Range(found.value - half, found.value + half),
        question.level.into(),
        question.target.into(),
    ]);
    table.row(row)
}

/// What one unit of effort is for a source, in words and as effort.
fn unit(of: &str, found: &Budget) -> Option<(String, Effort)> {
    match of {
        source::TOPICS => Some(("1 more topic".into(), Effort { topics: 1, ..Effort::default() })),
        source::UNJUDGED if found.outlook.documents() > 0 => {
            let judgements = UNIT.min(found.outlook.documents());
            Some((format!("{judgements} more judgements"), Effort { judgements, ..Effort::default() }))
        }
        source::JUDGES => Some((format!("{UNIT} more gold labels"), Effort { gold: UNIT as u64, ..Effort::default() })),
        _ => None,
    }
}

fn budget(found: &Budget) -> Table {
    let mut table = Table::new("budget", "Where the uncertainty comes from")
        .column("source", "source")
        .with(Column::new("variance", "variance").style(NumberStyle::Significant(3)))
        .with(Column::new("share", "share").style(NumberStyle::Decimals(3)))
        .with(Column::new("std_error", "standard error"))
        .column("unit", "what could be done")
        .with(Column::new("unit_buys", "").data_only())
        .with(Column::new("std_error_then", "standard error then").people_only())
        .with(Column::new("half_width_then", "half width then").people_only());
    let total: f64 = found.sources.iter().map(|(_, variance)| variance).sum();
    for (name, variance) in &found.sources {
        let (words, buys, error, half) = match unit(name, found) {
            Some((words, effort)) => {
                let (error, half) = (found.outlook.after(effort).std_error(), found.outlook.half_width(effort));
                let buys = Cell::Map(vec![("std_error", error), ("half_width", half)]);
                (words.into(), buys, error.into(), half.into())
            }
            None => (Cell::Missing, Cell::Missing, Cell::Missing, Cell::Missing),
        };
        let share = if total > 0.0 { (variance / total).into() } else { Cell::Missing };
        table.push([(*name).into(), (*variance).into(), share, variance.sqrt().into(), words, buys, error, half]);
    }
    table
}

fn figure(setting: &Setting<'_>, scored: &[RunScores], found: &Budget) -> Figure {
    let measure = setting.measures.first().map(|measure| measure.spec().to_string()).unwrap_or_default();
    let names: Vec<&str> = scored.iter().map(|run| run.name.as_str()).collect();
    let sources: Vec<(String, f64)> = found.sources.iter().map(|(name, v)| ((*name).to_owned(), *v)).collect();
    let mut halves = vec![("now".to_owned(), found.outlook.half_width(Effort::default()))];
    let more = found.sources.iter().filter_map(|(name, _)| unit(name, found));
    halves.extend(more.map(|(words, effort)| (words, found.outlook.half_width(effort))));
    let advised = found.advice.iter().filter(|advice| advice.effort.is_some_and(|effort| effort != Effort::default()));
    halves.extend(advised.map(|advice| (format!("as advised: {}", advice.strategy), advice.half_width)));
    crate::figures::budget::budget(&format!("{measure} of {}", names.join(" − ")), &sources, &halves)
}

fn advice(found: &Budget, question: &Question) -> Table {
    let whole = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Decimals(0));
    let wanted = question.target.map_or_else(String::new, |target| format!("What would make it {target} wide"));
    let mut table = Table::new("advice", wanted)
        .column("strategy", "strategy")
        .with(whole("topics", "topics"))
        .with(whole("judgements", "judgements"))
        .with(whole("gold", "gold labels"))
        .with(Column::new("cost", "cost").style(NumberStyle::Significant(4)))
        .with(Column::new("half_width", "half width then"))
        .with(Column::new("width", "width then"))
        .column("reaches", "reaches it");
    for advice in &found.advice {
        let of = |part: fn(Effort) -> u64| advice.effort.map_or(Cell::Missing, |effort| part(effort).into());
        table.push([
            advice.strategy.into(),
            of(|effort| effort.topics),
            of(|effort| effort.judgements as u64),
            of(|effort| effort.gold),
            advice.cost.into(),
            advice.half_width.into(),
            (2.0 * advice.half_width).into(),
            Cell::Flag(advice.effort.is_some()),
        ]);
    }
    table
}

fn next(setting: &Setting<'_>, found: &Budget, count: usize) -> Table {
    let mut table = Table::new("next", "Judge first")
        .column("topic", "topic")
        .column("document", "document")
        .with(Column::new("weight", "weight").style(NumberStyle::Significant(3)))
        .with(Column::new("variance_removed", "variance removed").style(NumberStyle::Significant(3)));
    for next in found.next.iter().take(count) {
        table.push([
            text(setting.qrels.name(next.topic)).into(),
            text(&next.docno).into(),
            next.weight.into(),
            next.removed.into(),
        ]);
    }
    table
}

fn notes(
    setting: &Setting<'_>,
    question: &Question,
    belief: Option<&Result<Belief, NoBelief>>,
    prices: &Priced,
    parts: &Parts<'_>,
    found: &Budget,
) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(target) = question.target {
        notes.extend(advice_notes(target, prices, found));
    }
    match belief {
        _ if parts.modelled => {
            let model = belief.and_then(|belief| belief.as_ref().ok()).and_then(|belief| {
                belief.compared.iter().find(|model| model.used).map(|model| format!("model {}", model.name))
            });
            notes.push(format!(
                "unjudged: what unjudged documents are by chance, and the error of what is taken for their chances ({})",
                model.unwrap_or_else(|| "the probability given".into())
            ));
            if !found.next.is_empty() {
                notes.push(format!(
                    "a judgement takes its document out of `unjudged`, but shows spread between topics that was hidden; the interval shrinks by what is left of it. Judged documents of one topic are alike with a correlation of {}",
                    NumberStyle::Decimals(2).show(parts.alike)
                ));
            }
        }
        Some(Err(why)) => notes.push(format!(
            "nothing is known of what unjudged documents probably are, so they are no part of the budget: {why}"
        )),
        _ => notes.push(format!(
            "unjudged documents are no part of the budget: {}",
            question.no_bounds.unwrap_or("this measure is not about them")
        )),
    }
    if found.sources.iter().any(|(name, _)| *name == source::INTERACTION) {
        notes.push("interaction: the model of unjudged documents is fitted to the topics asked, so its error goes with theirs; the most that can come to".into());
    }
    if parts.drawn {
        notes.push("monte_carlo: this measure has no closed form, so truths were drawn (--draws); more draws cost nothing but time".into());
    }
    if parts.corrected() {
        notes.push("judges: error rates are estimated from the calibration's gold labels and shared by all topics, so that new topics do not help; a new gold label is taken to fall on gold grades as the present ones do".into());
    } else if setting.calibration.is_some() {
        notes.push("not linear in gain, so not corrected for the judges' errors".into());
    }
    notes.push("a new topic is taken to be like the present ones, judged as deep, with as much left unjudged".into());
    notes
}

fn advice_notes(target: f64, prices: &Priced, found: &Budget) -> Vec<String> {
    let mut notes = Vec::new();
    let price =
        |price: Option<f64>| price.map_or_else(|| "not to be had".into(), |price| NumberStyle::Given.show(price));
    let topic = match prices.topic {
        Some(topic) if !prices.given => format!(
            "a topic {} ({} judgements, as many as the present ones have on average)",
            NumberStyle::Significant(3).show(topic),
            NumberStyle::Significant(3).show(prices.per_topic)
        ),
        other => format!("a topic with its judgements {}", price(other)),
    };
    notes.push(format!(
        "prices: {topic}, a judgement {}, a gold label {} (--price topic=..,judgement=..,gold=..)",
        price(prices.judgement),
        price(prices.gold)
    ));
    match found.advice.first() {
        Some(cheapest) if cheapest.effort == Some(Effort::default()) => {
            notes.push(format!("the interval is no wider than {target} already"));
        }
        Some(cheapest) if cheapest.effort.is_none() => notes.push(format!(
            "a width of {target} cannot be reached with what is to be had; {} is the least",
            show(2.0 * cheapest.half_width)
        )),
        _ => {}
    }
    for single in found.advice.iter().skip(1).filter(|single| single.effort.is_none()) {
        notes.push(format!(
            "{} alone cannot reach a width of {target}: {} is the least they can do",
            single.strategy,
            show(2.0 * single.half_width)
        ));
    }
    notes
}
