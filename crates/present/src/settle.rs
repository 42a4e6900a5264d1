//! The documents that settle a comparison, as tables and notes.

use karat_analysis::settle::answer::{SettleComparison, SettleDocument};
use karat_analysis::settle::plan::{LEAST, Planned};
use karat_analysis::settle::{Design, SettleAnswer, SettleOptions};
use karat_report::{Block, Column, Columns, NumberStyle, Report, Table};

use crate::Context;
use crate::words::{count, percent};

/// Rows of the table of documents; the form and JSON have all.
const SHOWN: usize = 10;

/// What the report says besides the answer.
pub struct Facts<'a> {
    /// The options.
    pub options: &'a SettleOptions,
    /// The form, where one is written.
    pub form: Option<String>,
    /// The forms of earlier batches.
    pub earlier: Vec<String>,
    /// Documents of earlier batches.
    pub judged_before: usize,
    /// Whether the sample is for scores too, or alone.
    pub scores: bool,
}

/// The report.
pub fn report(answer: SettleAnswer, facts: &Facts<'_>, context: Context) -> Report {
    let title = match answer.planned {
        Some(_) => "Documents to judge, to settle which run is better",
        None => "Documents to judge, to estimate scores",
    };
    let mut report = context.report(title, "settle").block(Block::Text(summary(&answer, facts)));
    if !answer.comparisons.is_empty() {
        report = report.table(plans(&answer.comparisons));
    }
    if !answer.documents.is_empty() {
        report =
            report.table(documents(&answer.documents[..answer.documents.len().min(SHOWN)], answer.documents.len()));
    }
    report.notes.extend(notes(&answer, facts));
    report.answering(answer)
}

fn styled(key: &'static str, heading: &str, style: NumberStyle) -> Column {
    Column::new(key, heading).style(style)
}

/// What was drawn, and what it can decide.
fn summary(answer: &SettleAnswer, facts: &Facts<'_>) -> String {
    let plan = answer.planned.as_ref().map(|planned| format!("{}\n", plan(planned))).unwrap_or_default();
    format!("{plan}{}", what_to_do(answer, facts))
}

/// How many documents decide.
fn plan(planned: &Planned) -> String {
    let Planned { count: needed, power, difference, documents, .. } = planned;
    let found = NumberStyle::Score.show(difference.abs());
    match needed {
        _ if *documents == 0 => {
            "Every document that can change the result is judged: compare without a sample.".to_owned()
        }
        Some(needed) => format!(
            "{}{} of {documents} unjudged documents settle a difference of {found} with a probability of {}{}.",
            count(*needed, "sampled judgement"),
            if *needed == LEAST { ", the fewest that are planned," } else { "" },
            percent(*power),
            if *needed == LEAST { " or more" } else { "" }
        ),
        None => format!(
            "No number of judgements settles a difference of {found} with a probability of {}: the topics vary too much. The smallest that these topics can show is {}.",
            percent(*power),
            NumberStyle::Score.show(planned.detectable_difference)
        ),
    }
}

/// What was drawn, and how it is read back.
fn what_to_do(answer: &SettleAnswer, facts: &Facts<'_>) -> String {
    let (options, drawn) = (facts.options, answer.documents.len());
    let none = answer.planned.as_ref().map_or(drawn == 0, |planned| planned.documents == 0);
    let batch = match options.batches {
        Some(1) if options.batch == 1 => String::new(),
        Some(planned) => format!(" (batch {} of {planned})", options.batch),
        None => format!(" (batch {})", options.batch),
    };
    let samples: String = facts.earlier.iter().chain(&facts.form).map(|form| format!(" --sample {form}")).collect();
    let compare = format!("karat compare QRELS RUN RUN{samples}");
    let eval = format!("karat eval QRELS RUN...{samples}");
    let then = match (&answer.planned, facts.scores) {
        (None, _) => eval,
        (Some(_), true) => format!("{compare}, and for scores: {eval}"),
        (Some(_), false) => compare,
    };
    match (&facts.form, drawn) {
        (_, 0) if none && answer.planned.is_none() => {
            "Every document that counts is judged: evaluate without a sample.".to_owned()
        }
        (_, 0) if none => String::new(),
        (_, 0) => "Nothing was drawn; give --count to draw all the same, or add topics.".to_owned(),
        (Some(form), _) => {
            format!("{} drawn to {form}{batch}. Fill in the grades, then: {then}", count(drawn, "document"))
        }
        (None, _) => format!("{} drawn; --form FILE writes them for judges.", count(drawn, "document")),
    }
}

fn plans(rows: &[SettleComparison]) -> Table {
    Columns::new()
        .column("measure", "measure", |row: &SettleComparison| row.measure.as_str().into())
        .column("a", "a", |row| row.a.as_str().into())
        .column("b", "b", |row| row.b.as_str().into())
        .with(styled("expected_difference", "expected a − b", NumberStyle::Score), |row| {
            row.expected_difference.into()
        })
        .with(styled("difference", "to find", NumberStyle::Score), |row| row.planned.difference.abs().into())
        .with(styled("count", "judgements", NumberStyle::Given), |row| {
            row.planned.count.map(|count| count as f64).into()
        })
        .with(styled("count_range", "range", NumberStyle::Given), |row| {
            row.planned.count_range.map(|(few, many)| (few as f64, many as f64)).into()
        })
        .table("comparisons", "Judgements needed", rows)
}

fn documents(rows: &[SettleDocument], all: usize) -> Table {
    let title = if rows.len() < all {
        format!("Documents to judge, the first {} of {all}", rows.len())
    } else {
        "Documents to judge".to_owned()
    };
    Columns::new()
        .column("query_id", "topic", |row: &SettleDocument| row.query_id.as_str().into())
        .column("doc_id", "document", |row| row.doc_id.as_str().into())
        .with(styled("probability", "probability", NumberStyle::Significant(3)), |row| row.probability.into())
        .table("documents", &title, rows)
}

fn notes(answer: &SettleAnswer, facts: &Facts<'_>) -> Vec<String> {
    let options = facts.options;
    let mut notes = Vec::new();
    if options.difference.is_none() && answer.planned.is_some() {
        notes.push(
            "The difference to find is the one expected if unjudged documents are relevant as often as each topic's judged ones. Give --difference for the smallest that matters."
                .into(),
        );
    }
    if answer.planned.as_ref().is_some_and(|planned| planned.count_range.is_some()) {
        notes.push("range: if the odds of relevance are half or twice those of each topic's judged documents.".into());
    }
    match (options.batches, options.batch) {
        (Some(1), 1) => {}
        (Some(planned), batch) if batch <= planned => notes.push(format!("Batch {batch} of {planned}.")),
        (Some(planned), batch) => {
            notes.push(format!("Batch {batch}, but {planned} were planned: the test will be stricter than planned."))
        }
        (None, batch) => notes.push(format!("Batch {batch} of any number: every further batch has a stricter test.")),
    }
    if facts.judged_before > 0 {
        notes.push(format!("{} of earlier batches are not drawn again.", count(facts.judged_before, "document")));
    }
    if options.design == Design::Topics {
        notes.push("Whole topics are drawn, with all documents that matter in them, so the number of documents is only near the one asked for.".into());
    }
    notes.push("The estimate from this sample needs no assumption about the documents that are not drawn. karat next shrinks bounds instead, and is no random sample.".into());
    notes
}
