//! The documents to judge next as tables and notes.

use karat_analysis::judging::Strategy;
use karat_analysis::judging::next::{
    DocumentRanks, NextAnswer, NextJudgement, NextOptions, OpenOf, RunResidual, TargetState,
};
use karat_data::RunFacts;
use karat_report::{Column, Columns, NumberStyle, Report, Table};

use crate::Context;
use crate::words::count;

/// What the report says besides the answer.
pub struct NextFacts<'a> {
    /// The options.
    pub options: &'a NextOptions<'a>,
    /// The form, where one is written.
    pub form: Option<String>,
}

/// The report.
pub fn report(mut answer: NextAnswer, facts: &NextFacts<'_>, runs: &[RunFacts], context: Context) -> Report {
    for row in &mut answer.next {
        row.why = ranks_text(&row.ranks);
    }
    let mut report = context
        .with_runs(runs)
        .report("What to judge next", "next")
        .table(documents(&answer.next))
        .table(residuals(&answer.runs));
    report.notes.extend(notes(&answer, facts));
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
        .when(rows.iter().any(|row| row.probability.is_some()), |columns| {
            let probability = Column::new("probability", "probability").style(NumberStyle::Significant(3));
            columns.with(probability, |row: &NextJudgement| row.probability.into())
        })
        .when(rows.iter().any(|row| row.open_after.is_some()), |columns| {
            columns.column("open_after", "width after", |row: &NextJudgement| row.open_after.into())
        })
        .column("why", "rank in runs", |row| short_ranks(&row.ranks).into())
        .table("next", "Documents to judge, in this order", rows)
}

fn residuals(rows: &[RunResidual]) -> Table {
    let is_known = rows.iter().any(|row| row.residual_after.is_some());
    let title = if is_known {
        "Width of the bounds of each run, now and after judging"
    } else {
        "Width of the bounds of each run"
    };
    Columns::new()
        .column("run", "run", |row: &RunResidual| row.run.as_str().into())
        .column("value", "value", |row| row.value.into())
        .column("residual", "now", |row| row.residual.into())
        .when(is_known, |columns| {
            columns.column("residual_after", "after these", |row: &RunResidual| row.residual_after.into()).column(
                "residual_least",
                "if all judged",
                |row| row.residual_least.into(),
            )
        })
        .table("runs", title, rows)
}

fn notes(answer: &NextAnswer, facts: &NextFacts<'_>) -> Vec<String> {
    let NextFacts { options, form } = facts;
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
    let measure = options.measure.spec().to_string();
    if options.measure.linear(&options.setting.collection).is_some() {
        notes.push(format!("priority (--strategy {}): {}.", options.strategy.name(), formula(options.strategy)));
        notes.push(open_text(&answer.open, &measure));
    } else {
        notes.push(format!("priority: {EFFECT}"));
        notes.push(format!(
            "The width of the bounds of {measure} after a judgement depends on its grade, so it is not shown."
        ));
    }
    notes.push(match &answer.record {
        Some(_) => sample_text(answer, form.as_deref()),
        None => SETTLE.into(),
    });
    notes
}

/// What priorities are of any measure.
const EFFECT: &str = "variance of the mean score that the judgement removes: effect^2 p (1 - p) / topics^2; effect is the score with the document \
                      relevant less the score with it not, p the probability of relevance.";

/// What the other command is for.
const SETTLE: &str = "These judgements shrink bounds. They are no random sample: for an unbiased estimate and a verdict use karat settle, or \
                      --random-share.";

/// What the form of a sample is good for.
fn sample_text(answer: &NextAnswer, form: Option<&str>) -> String {
    let drawn = answer.next.iter().filter(|row| row.probability.is_some_and(|probability| probability < 1.0)).count();
    let runs: Vec<&str> = answer.runs.iter().map(|run| run.run.as_str()).collect();
    let read = match form {
        Some(form) => {
            format!(
                "The form holds the sample only. When it is judged: karat compare QRELS {} --sample {form}",
                runs.join(" ")
            )
        }
        None => "--form FILE writes them for judges and karat compare --sample".into(),
    };
    format!(
        "{} chosen (probability 1) and {drawn} drawn at random: differences can be estimated from them. {read}.",
        count(answer.next.len() - drawn, "document")
    )
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
