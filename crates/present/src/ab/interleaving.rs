//! An interleaving experiment.

use karat_analysis::ab::{
    InterleavingAnswer, InterleavingOptions, InterleavingTest, OutcomeCounts, Preference, TestName,
};
use karat_report::{Block, Column, Columns, NumberStyle, Report, Table};

use super::notes;
use super::parts::{Arms, because, no_answer};
use crate::Context;
use crate::words::percent;

/// The report of an interleaving experiment.
pub fn report(mut answer: InterleavingAnswer, options: &InterleavingOptions, context: Context) -> Report {
    let decided_by = answer.tests.get(answer.deciding).map_or_else(String::new, test_name);
    let arms = Arms { control: &options.names.0, arm: &options.names.1, units: "users" };
    answer.because = because(answer.reason, &decided_by, arms, options.level);
    for test in answer.tests.iter_mut().chain(answer.tests_equal_lengths.iter_mut().flatten()) {
        test.reason = test.no_answer.as_ref().map(no_answer);
    }
    let (a, b) = (&options.names.0, &options.names.1);
    let mut report = context
        .report(format!("Interleaving: {a} or {b}?"), "ab interleaving")
        .block(verdict(&answer))
        .table(outcomes(&answer.outcomes, a, b))
        .table(tests(&answer.tests, "tests", "Tests", options.level));
    if let Some(rows) = &answer.tests_equal_lengths {
        report = report.table(tests(rows, "tests_equal_lengths", "Only lists of equal length", options.level));
    }
    report.notes.extend(answer.notes.iter().map(|note| notes::interleaving_text(note, options)));
    report.answering(answer)
}

/// "t over users"
fn test_name(test: &InterleavingTest) -> String {
    match test.test {
        TestName::Sign => format!("the sign test over {}", test.over),
        TestName::T => format!("t over {}", test.over),
    }
}

fn verdict(answer: &InterleavingAnswer) -> Block {
    let preferred = match answer.verdict {
        Preference::A => &answer.a,
        Preference::B => &answer.b,
        Preference::Undecided => "undecided",
    };
    let table = Table::new("verdict", "").column("verdict", "verdict").column("because", "because");
    Block::Record(table.row([preferred.into(), answer.because.as_str().into()]))
}

fn outcomes(rows: &[OutcomeCounts], a: &str, b: &str) -> Table {
    Columns::new()
        .column("over", "over", |row: &OutcomeCounts| row.over.as_str().into())
        .column("count", "count", |row| row.count.into())
        .column("wins_a", format!("won by {a}"), |row| row.wins_a.into())
        .column("wins_b", format!("won by {b}"), |row| row.wins_b.into())
        .column("ties", "ties", |row| row.ties.into())
        .column("without_clicks", "no clicks", |row| row.without_clicks.into())
        .column("margin", format!("margin of {b}"), |row| row.margin.into())
        .table("outcomes", "Outcomes", rows)
}

fn tests(rows: &[InterleavingTest], id: &'static str, title: &str, level: f64) -> Table {
    let name = |test| match test {
        TestName::Sign => "sign",
        TestName::T => "t",
    };
    Columns::new()
        .column("test", "test", move |row: &InterleavingTest| name(row.test).into())
        .column("over", "over", |row| row.over.as_str().into())
        .column("value", "value", |row| row.value.into())
        .column("interval", format!("{} interval", percent(level)), |row| row.interval.into())
        .with(Column::new("p", "p").style(NumberStyle::P), |row| row.p.into())
        .table(id, title, rows)
}
