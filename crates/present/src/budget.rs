//! `karat budget` for people.

use karat_analysis::budget::{
    AdviceRow, BudgetAnswer, BudgetError, BudgetNote, CompletePrices, Effort, NextDocument, Source, SourceRow,
    Strategy, UNIT,
};
use karat_data::{Problem, Problems, RunFacts};
use karat_report::{Block, Column, Columns, Figure, NumberStyle, Report, Table};
use karat_stats::interval::HANDFUL;

use crate::Context;
use crate::eval::notes::MODEL_FITTED;
use crate::figures::budget::{SourcePiece, budget};
use crate::words::percent;
use crate::{model_error, score_error};

/// The report; `no_bounds` is the reason why unjudged documents are no source, where the options give one.
pub fn report(
    mut answer: BudgetAnswer,
    runs: &[RunFacts],
    no_bounds: Option<&'static str>,
    context: Context,
) -> Report {
    name_units(&mut answer);
    let mut report =
        context.with_runs(runs).report("Uncertainty budget", "budget").block(Block::Record(record(&answer)));
    report = report.table(sources(&answer.budget));
    if let (Some(advice), Some(target)) = (&answer.advice, answer.target) {
        report = report.table(advice_table(advice, target));
    }
    if let Some(next) = &answer.next {
        report = report.table(next_table(&next[..next.len().min(UNIT)]));
    }
    report = report.block(Block::Figure(figure(&answer)));
    report.notes.extend(notes(&answer, no_bounds));
    report.answering(answer)
}

/// Puts the units of effort into words.
pub fn name_units(answer: &mut BudgetAnswer) {
    for row in &mut answer.budget {
        row.unit = row.effort.map(unit_text);
    }
}

/// The notes in words.
pub fn notes(answer: &BudgetAnswer, no_bounds: Option<&'static str>) -> Vec<String> {
    let fitted =
        |note: &BudgetNote| matches!(note, BudgetNote::RelevanceModel { name: Some(_) }).then_some(MODEL_FITTED);
    let all = answer
        .notes
        .iter()
        .flat_map(|note| std::iter::once(note_text(note, answer, no_bounds)).chain(fitted(note).map(str::to_owned)));
    all.collect()
}

fn show(value: f64) -> String {
    NumberStyle::Score.show(value)
}

/// A unit of effort in words.
fn unit_text(effort: Effort) -> String {
    match effort {
        Effort { topics: 1, .. } => "1 more topic".into(),
        Effort { gold: 0, judgements, .. } => format!("{judgements} more judgements"),
        Effort { gold, .. } => format!("{gold} more gold labels"),
    }
}

fn record(answer: &BudgetAnswer) -> Table {
    let level = percent(answer.level);
    let what = if answer.b.is_some() { "a − b" } else { "value" };
    Columns::new()
        .column("measure", "measure", |row: &BudgetAnswer| row.measure.as_str().into())
        .column("a", if answer.b.is_some() { "a" } else { "run" }, |row| row.a.as_str().into())
        .when(answer.b.is_some(), |columns| columns.column("b", "b", |row| row.b.clone().into()))
        .column("topics", "topics", |row| row.topics.into())
        .column("value", format!("{what}, expected"), |row| row.value.into())
        .column("observed", format!("{what}, observed"), |row| row.observed.into())
        .column("std_error", "standard error", |row| row.std_error.into())
        .column("half_width", format!("half width ({level})"), |row| row.half_width.into())
        .column("width", "width", |row| row.width.into())
        .with(Column::new("interval", format!("{level} interval, all sources")), |row| Some(row.interval).into())
        .when(answer.target.is_some(), |columns| {
            columns.with(Column::new("target", "target width").style(NumberStyle::Given), |row| row.target.into())
        })
        .table("total", "", [answer])
}

/// A source as people read it.
pub(crate) fn source_label(source: Source) -> String {
    source.name().replace('_', " ")
}

fn sources(rows: &[SourceRow]) -> Table {
    Columns::new()
        .column("source", "source of error", |row: &SourceRow| source_label(row.source).into())
        .with(Column::new("share", "share").style(NumberStyle::Decimals(3)), |row| row.share.into())
        .column("std_error", "std. error", |row| row.std_error.into())
        .column("unit", "next step", |row| row.unit.clone().into())
        .column("half_width_then", "half width then", |row| row.unit_buys.map(|buys| buys.half_width).into())
        .table("budget", "Variance by source", rows)
}

fn advice_table(rows: &[AdviceRow], target: f64) -> Table {
    let whole = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Decimals(0));
    Columns::new()
        .column("strategy", "strategy", |row: &AdviceRow| strategy_name(row.strategy).into())
        .with(whole("topics", "+ topics"), |row| row.topics.into())
        .with(whole("judgements", "+ judgements"), |row| row.judgements.into())
        .with(whole("gold", "+ gold labels"), |row| row.gold.into())
        .with(Column::new("cost", "cost").style(NumberStyle::Significant(4)), |row| row.cost.into())
        .column("width", "width then", |row| row.width.into())
        .column("reaches", "reached", |row| row.reaches.into())
        .table("advice", format!("Additional effort to reach a width of {target}"), rows)
}

fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Cheapest => "cheapest",
        Strategy::Topics => "topics",
        Strategy::Judgements => "judgements",
        Strategy::Gold => "gold",
    }
}

fn next_table(rows: &[NextDocument]) -> Table {
    let significant = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Significant(3));
    Columns::new()
        .column("topic", "topic", |row: &NextDocument| row.topic.as_str().into())
        .column("document", "document", |row| row.document.as_str().into())
        .with(significant("weight", "effect in topic"), |row| row.weight.into())
        .with(significant("variance_removed", "variance removed"), |row| row.variance_removed.into())
        .table("next", "Documents to judge first", rows)
}

fn figure(answer: &BudgetAnswer) -> Figure {
    let sources: Vec<SourcePiece> =
        answer.budget.iter().map(|row| SourcePiece::new(row.source, row.variance)).collect();
    let mut halves = vec![("now".to_owned(), answer.half_width)];
    halves.extend(answer.budget.iter().filter_map(|row| Some((row.unit.clone()?, row.unit_buys?.half_width))));
    let some = |row: &&AdviceRow| {
        [row.topics, row.judgements.map(|count| count as u64), row.gold].iter().flatten().any(|count| *count > 0)
    };
    let advised = answer.advice.iter().flatten().filter(some);
    halves.extend(advised.map(|row| (format!("advice: {}", strategy_name(row.strategy)), row.half_width)));
    let runs: Vec<&str> = std::iter::once(&answer.a).chain(&answer.b).map(String::as_str).collect();
    budget(&format!("{} of {}", answer.measure, runs.join(" − ")), &sources, &halves)
}

fn note_text(note: &BudgetNote, answer: &BudgetAnswer, no_bounds: Option<&'static str>) -> String {
    let target = answer.target.unwrap_or(answer.width);
    match note {
        BudgetNote::Prices => prices_text(&answer.prices),
        BudgetNote::TargetMet => format!("The interval is already at most {target} wide."),
        BudgetNote::TargetOutOfReach { least } => {
            format!("A width of {target} cannot be reached at these prices; the smallest possible is {}.", show(*least))
        }
        BudgetNote::AloneNotEnough { strategy, least } => format!(
            "{} alone cannot reach a width of {target}; the smallest possible is {}.",
            effort(*strategy),
            show(*least)
        ),
        BudgetNote::RelevanceModel { name } => model_text(*name, answer.b.is_some()),
        BudgetNote::JudgementsShowSpread { correlation } => format!(
            "Each judgement removes one unknown but may reveal differences between topics. Judged documents of a topic \
             correlate by {}.",
            NumberStyle::Decimals(2).show(*correlation)
        ),
        BudgetNote::NoRelevanceModel(why) => format!(
            "Unjudged documents are not in the budget, because there is no relevance model: {}",
            model_error::reason(why)
        ),
        BudgetNote::UnjudgedIsNoSource => {
            let why = no_bounds.unwrap_or("this measure does not depend on them");
            format!("Unjudged documents are not in the budget: {why}.")
        }
        BudgetNote::Interaction => INTERACTION.into(),
        BudgetNote::MonteCarlo { draws } => format!(
            "monte carlo: this measure has no closed form, so relevance was drawn {draws} times per topic; a larger --draws reduces this part."
        ),
        BudgetNote::Judges => JUDGES.into(),
        BudgetNote::NotCorrected => "Not corrected for the judges' errors: the measure is not linear in gain.".into(),
        BudgetNote::NewTopics => {
            "New topics are assumed to resemble the current ones and to be judged to the same depth.".into()
        }
        BudgetNote::Settle { to_settle } => settle_text(*to_settle),
    }
}

/// What the relevance model is, and what the interval makes of it.
fn model_text(name: Option<&str>, difference: bool) -> String {
    let model = name.map_or_else(|| "given probability".to_owned(), |name| format!("model: {name}"));
    let compared = if difference {
        "; that of karat compare is over topics only, with unjudged documents as not relevant"
    } else {
        ""
    };
    format!(
        "unjudged: variance of unjudged relevance under the relevance model, plus the error of the fit ({model}). The \
         interval uses the model alone{compared}."
    )
}

/// What the documents to judge first are not good for, and what is.
fn settle_text(to_settle: Option<usize>) -> String {
    let planned = to_settle.map_or_else(String::new, |count| format!(" (about {count})"));
    format!(
        "Judging these documents first shrinks the interval. For a verdict use karat settle: it draws a random sample of documents to judge{planned}, \
         which gives an unbiased estimate."
    )
}

const INTERACTION: &str = "interaction: upper limit of the covariance between topic error and model error.";
const JUDGES: &str = "judges: error rates are estimated from gold labels and shared by all topics, so new topics do not reduce this \
                      part. New gold labels are assumed to have the grades of the present ones.";

/// What a strategy does more of.
fn effort(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Gold => "Gold labels",
        Strategy::Judgements => "More judgements",
        Strategy::Topics | Strategy::Cheapest => "New topics",
    }
}

fn prices_text(prices: &CompletePrices) -> String {
    let price =
        |price: Option<f64>| price.map_or_else(|| "not available".into(), |price| NumberStyle::Given.show(price));
    let topic = match prices.topic {
        Some(topic) if !prices.given => {
            let short = |value: f64| NumberStyle::Significant(3).show(value);
            format!("{} ({} judgements, the current mean)", short(topic), short(prices.per_topic))
        }
        other => price(other),
    };
    let (judgement, gold) = (price(prices.judgement), price(prices.gold));
    format!("Prices: topic {topic}, judgement {judgement}, gold label {gold}. Change them with --price.")
}

/// Why there is no budget.
pub fn problems(error: BudgetError) -> Problems {
    const MORE_TOPICS: &str = "give judgements and runs of more topics";
    let topics_needed = || format!("at least {HANDFUL} topics with scores that differ");
    let problem = match error {
        BudgetError::Runs(error) => return score_error::problems(error),
        BudgetError::MeasureCount(count) => {
            Problem::of_file("-m", "one measure", count.to_string(), "run karat budget once per measure")
        }
        BudgetError::NotAveraged { measure } => {
            let remedy = "use the measure it summarises (AP for GMAP)";
            Problem::of_file("-m", "a measure that is averaged over topics", measure, remedy)
        }
        BudgetError::RunCount(count) => {
            Problem::of_file("RUN", "one run, or two for their difference", count.to_string(), "leave some out")
        }
        BudgetError::Undefined { measure, topic } => Problem::of_file(
            "-m",
            format!("a measure that is defined however the unjudged documents of topic {topic} are judged"),
            measure,
            "choose another measure, or --unjudged nonrelevant",
        ),
        BudgetError::TooFewTopics { topics } => {
            Problem::of_file("topics", topics_needed(), format!("{topics} with a score"), MORE_TOPICS)
        }
        BudgetError::SameScore { topics, value } => {
            Problem::of_file("topics", topics_needed(), format!("{topics} topics that all have {value}"), MORE_TOPICS)
        }
    };
    problem.into()
}
