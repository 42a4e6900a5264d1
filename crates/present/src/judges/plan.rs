//! `karat plan judges` for people.

use karat_analysis::judges::{PlanAnswer, PlanError, PlanMix, PlanNote, PlanNumber, PlanTarget};
use karat_report::{Block, Column, Columns, NumberStyle, Report, Table};
use karat_stats::judge_error::CalibrationErrors;

use super::{SAME_RATES, rate_warning, score_warning};
use crate::Context;
use crate::words::percent;

/// The plan as a report.
pub fn report(answer: PlanAnswer, context: Context) -> Report {
    let mut report = context
        .report("Queries and gold labels needed", "plan judges")
        .block(Block::Record(cheapest(&answer)))
        .table(mixes(&answer.mixes));
    report.notes.extend(answer.notes.iter().map(note));
    report.answering(answer)
}

fn whole(key: &'static str, heading: &str) -> Column {
    Column::new(key, heading).style(NumberStyle::Decimals(0))
}

fn cost() -> Column {
    Column::new("cost", "cost").style(NumberStyle::Decimals(2))
}

fn cheapest(answer: &PlanAnswer) -> Table {
    Columns::new()
        .with(whole("queries", "queries"), |plan: &PlanAnswer| plan.queries.into())
        .with(whole("bronze_labels", "bronze labels"), |plan| plan.bronze_labels.into())
        .with(whole("gold_labels", "gold labels"), |plan| plan.gold_labels.into())
        .with(cost(), |plan| plan.cost.into())
        .with(whole("queries_at_least", "queries if the error rates were known"), |plan| plan.queries_at_least.into())
        .with(whole("gold_labels_at_least", "gold labels if queries were free"), |plan| {
            plan.gold_labels_at_least.into()
        })
        .table("plan", "", [answer])
}

fn mixes(mixes: &[PlanMix]) -> Table {
    Columns::new()
        .with(whole("queries", "queries"), |mix: &PlanMix| mix.queries.into())
        .with(whole("gold_labels", "gold labels"), |mix| mix.gold_labels.into())
        .with(cost(), |mix| mix.cost.into())
        .table("mixes", "Other mixes that reach the target", mixes)
}

fn note(note: &PlanNote) -> String {
    match note {
        PlanNote::Rates(warning) => rate_warning(warning),
        PlanNote::Score(warning) => score_warning("", warning),
        PlanNote::Target(target, level) => target_note(target, &percent(*level)),
        PlanNote::Prices(bronze, gold) => {
            format!("Prices: {bronze} per bronze label, {gold} per gold label (--bronze-price, --gold-price).")
        }
        PlanNote::Method => {
            "This is the cheapest mix for variance A / queries + G / gold labels, with gold labels on random pairs."
                .into()
        }
        PlanNote::SameRates => SAME_RATES.into(),
    }
}

fn target_note(target: &PlanTarget, level: &str) -> String {
    match target {
        PlanTarget::Width(width) => format!("Target: a {level} interval of the corrected score no wider than {width}."),
        PlanTarget::Difference { size, power, errors, .. } => format!(
            "Target: find a true difference of {size} with probability {power} (two-sided test, {level} confidence, {}). Queries are per \
             system; documents that both systems retrieve are counted twice.",
            match errors {
                CalibrationErrors::Shared => "one calibration for both systems",
                CalibrationErrors::Independent => "one calibration per system",
            }
        ),
    }
}

/// Why there is no plan, in words.
pub fn error_text(error: &PlanError) -> String {
    match error {
        PlanError::Correction(error) => error.to_string(),
        PlanError::OutOfRange(number, found) => {
            format!("{}: expected a number from 1e-6 to 1e9, found {found}", option(*number))
        }
        PlanError::Power(found) => format!("--power: expected a number from 0.5 and below 1, found {found}"),
    }
}

fn option(number: PlanNumber) -> &'static str {
    match number {
        PlanNumber::BronzePrice => "--bronze-price",
        PlanNumber::GoldPrice => "--gold-price",
        PlanNumber::LabelsPerQuery => "--labels-per-query",
        PlanNumber::Width => "--width",
        PlanNumber::Difference => "--difference",
    }
}
