//! The documents to judge next as tables and notes.

use karat_analysis::judging::Strategy;
use karat_analysis::judging::next::{
    DocumentRanks, NextAnswer, NextJudgement, NextOptions, OpenOf, RunResidual, TargetState,
};
use karat_data::RunFacts;
use karat_report::{Column, Columns, NumberStyle, Report, Table};

use crate::Context;
use crate::words::count;

/// The report.
pub fn report(mut answer: NextAnswer, options: &NextOptions<'_>, runs: &[RunFacts], context: Context) -> Report {
    for row in &mut answer.next {
        row.why = ranks_text(&row.ranks);
    }
    let mut report = context
        .with_runs(runs)
        .report("What to judge next", "next")
        .table(documents(&answer.next))
        .table(residuals(&answer.runs));
    report.notes.extend(notes(&answer, options));
    report.answering(answer)
}

/// Ranks of a document: "rank 1 in a, 2 in b and 1 more run".
fn ranks_text(found: &DocumentRanks) -> String {
    let one = |(run, rank): &(String, Option<u32>)| match rank {
        Some(rank) => format!("{rank} in {run}"),
        None => format!("none in {run}"),
    };
    let ranks: Vec<String> = found.ranks.iter().map(one).collect();
    let more = match found.more {
        0 => String::new(),
        more => format!(" and {} more run{}", more, if more == 1 { "" } else { "s" }),
    };
    format!("rank {}{more}", ranks.join(", "))
}

/// The same for a table: "1 a, 2 b +1".
fn short_ranks(found: &DocumentRanks) -> String {
    let one = |(run, rank): &(String, Option<u32>)| match rank {
        Some(rank) => format!("{rank} {run}"),
        None => format!("- {run}"),
    };
    let ranks: Vec<String> = found.ranks.iter().map(one).collect();
    let more = if found.more == 0 { String::new() } else { format!(" +{}", found.more) };
    format!("{}{more}", ranks.join(", "))
}

fn documents(rows: &[NextJudgement]) -> Table {
    Columns::new()
        .with(Column::new("place", "").style(NumberStyle::Decimals(0)), |row: &NextJudgement| row.place.into())
        .column("topic", "topic", |row| row.topic.as_str().into())
        .column("document", "document", |row| row.document.as_str().into())
        .with(Column::new("weight", "priority").style(NumberStyle::Significant(3)), |row| row.weight.into())
        .column("open_after", "width after", |row| row.open_after.into())
        .column("why", "rank in runs", |row| short_ranks(&row.ranks).into())
        .table("next", "Documents to judge, in this order", rows)
}

fn residuals(rows: &[RunResidual]) -> Table {
    Columns::new()
        .column("run", "run", |row: &RunResidual| row.run.as_str().into())
        .column("value", "value", |row| row.value.into())
        .column("residual", "now", |row| row.residual.into())
        .column("residual_after", "after these", |row| row.residual_after.into())
        .column("residual_least", "if all judged", |row| row.residual_least.into())
        .table("runs", "Width of the bounds of each run, now and after judging", rows)
}

fn notes(answer: &NextAnswer, options: &NextOptions<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let chosen = answer.next.len();
    if answer.ran_out {
        notes.push(match chosen {
            0 => "Nothing left to judge: no unjudged document can change the result.".to_owned(),
            _ => format!("Nothing left to judge after {}.", count(chosen, "document")),
        });
    }
    notes.extend(answer.target.map(|state| match state {
        TargetState::Met(target) => format!("The target {target} is already met."),
        TargetState::Reached(target) => {
            format!("{} reach the target {target}, whatever the grades are.", count(chosen, "judgement"))
        }
        TargetState::NotReached(target) => format!("These judgements do not reach the target {target}."),
    }));
    notes.push(format!("priority (--strategy {}): {}.", options.strategy.name(), formula(options.strategy)));
    notes.push(open_text(&answer.open, &options.measure.spec().to_string()));
    notes
}

/// The weight that a strategy gives a document.
fn formula(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::A => "sum over runs of w, the weight of the document's rank",
        Strategy::B => "sum over runs of w r; r is the run's residual in the topic",
        Strategy::C => "sum over runs of w r (b + r/2)^3; b is the run's score in the topic so far, r its residual",
        Strategy::Variance => {
            "variance of the mean score that the judgement removes: w^2 Var(gain) / topics^2; w is the weight of the document's rank"
        }
    }
}

fn open_text(open: &OpenOf, measure: &str) -> String {
    match open {
        OpenOf::Scores => {
            format!(
                "width after: the largest width of the bounds of a run's mean {measure} (its residual) after this judgement."
            )
        }
        OpenOf::Differences => {
            format!(
                "width after: the largest width of the bounds of a difference in mean {measure} between two runs after this judgement."
            )
        }
        OpenOf::Pair(a, b) => format!(
            "width after: the width of the bounds of the difference in mean {measure} between {a} and {b}, the best two runs \
             by estimated score, after this judgement."
        ),
    }
}
