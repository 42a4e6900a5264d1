//! A sample as tables and notes.

use karat_analysis::judging::sample::{Design, DrawReason, SampleAnswer, SampleOptions, SampledDocument, Stratum};
use karat_data::RunFacts;
use karat_report::{Column, Columns, NumberStyle, Report, Table};

use crate::Context;
use crate::words::{count, list_names};

/// The report.
pub fn report(mut answer: SampleAnswer, options: &SampleOptions<'_>, runs: &[RunFacts], context: Context) -> Report {
    for row in &mut answer.sample {
        row.why = reason_text(row.reason);
    }
    let mut report =
        context.with_runs(runs).report("Sample", "sample").table(drawn(&answer.sample)).table(strata(&answer.strata));
    report.notes.extend(notes(&answer, options, runs.len()));
    report.answering(answer)
}

fn reason_text(reason: DrawReason) -> String {
    match reason {
        DrawReason::Weight(weight) => format!("weight {}", NumberStyle::Significant(3).show(weight)),
        DrawReason::Share { drawn, count, ranks } => format!("{drawn} of {count} at best ranks {ranks}"),
    }
}

fn drawn(rows: &[SampledDocument]) -> Table {
    Columns::new()
        .column("topic", "topic", |row: &SampledDocument| row.topic.as_str().into())
        .column("document", "document", |row| row.document.as_str().into())
        .column("stratum", "stratum", |row| row.stratum.into())
        .column("rank", "best rank", |row| row.rank.into())
        .with(Column::new("probability", "probability").style(NumberStyle::Significant(3)), |row| {
            row.probability.into()
        })
        .column("why", "drawn", |row| row.why.as_str().into())
        .table("drawn", "Documents to judge", rows.iter().filter(|row| row.drawn))
}

fn strata(rows: &[Stratum]) -> Table {
    Columns::new()
        .column("stratum", "stratum", |row: &Stratum| row.stratum.into())
        .column("ranks", "best ranks", |row| row.ranks.to_string().into())
        .column("documents", "documents", |row| row.documents.into())
        .column("drawn", "drawn", |row| row.drawn.into())
        .table("strata", "Strata", rows)
}

fn notes(answer: &SampleAnswer, options: &SampleOptions<'_>, runs: usize) -> Vec<String> {
    let drawn: usize = answer.strata.iter().map(|stratum| stratum.drawn).sum();
    let mut notes = vec![format!(
        "{drawn} of {} {} documents drawn ({}, {}, depth {}, seed {}).",
        answer.sample.len(),
        if options.judged_only { "pooled and judged" } else { "pooled" },
        count(answer.topics, "topic"),
        count(runs, "run"),
        options.depth,
        options.seed.0
    )];
    if matches!(options.design, Design::Weighted { .. }) {
        notes.push(
            "Probabilities are proportional to the weight that all runs together give a document, at most 1. A tenth of the \
             sample is spread evenly over all documents."
                .into(),
        );
    }
    notes.push(estimators(answer, options));
    if options.until_relevant.is_some() {
        let names = |topics: &[Vec<u8>]| list_names(topics.iter().map(Vec::as_slice), topics.len());
        let again = if answer.redrawn.is_empty() { "no topic".to_owned() } else { names(&answer.redrawn) };
        notes.push(format!(
            "Redrawn until a relevant document was in the sample: {again}. This biases estimates: topics with few relevant \
             documents look better than they are, and the probabilities are those of a single draw."
        ));
        if !answer.never_relevant.is_empty() {
            let never = names(&answer.never_relevant);
            notes.push(format!("No relevant document can be drawn for {never}; the first draw is kept."));
        }
    }
    notes
}

/// What to estimate with, by design.
fn estimators(answer: &SampleAnswer, options: &SampleOptions<'_>) -> String {
    let estimators = answer.estimators.join(", ");
    match options.design {
        Design::Weighted { .. } => format!(
            "Estimate with {estimators}, which are unbiased. For AP draw --design strata and use xinfAP; statAP is biased here and refused."
        ),
        Design::Uniform { .. } => format!(
            "Estimate with {estimators}. AP and nDCG come out too low if few relevant documents are drawn per topic: judge top ranks \
             completely (--design strata)."
        ),
        Design::Strata(_) => format!("Estimate with {estimators}. Their pages show bias and coverage for this design."),
    }
}
