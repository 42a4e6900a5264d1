//! `karat simulate judges` for people.

use karat_analysis::simulate::judges::{SimulatedJudges, SimulatedJudgesOptions};
use karat_report::{Column, Columns, NumberStyle, Report};

use crate::Context;
use crate::words::percent;

/// One kind of score over all runs.
struct ScoreRow {
    score: &'static str,
    mean: f64,
    std_dev: f64,
    coverage: f64,
}

/// The report of simulated judges.
pub fn judges_report(answer: SimulatedJudges, options: &SimulatedJudgesOptions, context: Context) -> Report {
    let rows = [
        ScoreRow {
            score: "bronze",
            mean: answer.naive_mean,
            std_dev: answer.naive_std_dev,
            coverage: answer.naive_coverage,
        },
        ScoreRow {
            score: "corrected",
            mean: answer.corrected_mean,
            std_dev: answer.corrected_std_dev,
            coverage: answer.corrected_coverage,
        },
    ];
    let coverage = format!("coverage of {} interval", percent(options.level));
    let table = Columns::new()
        .column("score", "score", |row: &ScoreRow| row.score.into())
        .column("mean", "mean", |row| row.mean.into())
        .column("std_dev", "std. dev.", |row| row.std_dev.into())
        .with(Column::new("coverage", coverage).style(NumberStyle::Decimals(3)), |row| row.coverage.into())
        .table("scores", "", &rows);
    let mut report = context.report("Simulated judges", "simulate judges").table(table);
    report.notes.extend(judges_notes(&answer, options));
    report.answering(answer)
}

fn judges_notes(answer: &SimulatedJudges, options: &SimulatedJudgesOptions) -> Vec<String> {
    let world = &options.world;
    let score = |value: f64| NumberStyle::Score.show(value);
    let mut notes = vec![
        format!(
            "The true P@{} is {}; bronze judges with m_R = {} and m_N = {} are expected to give {} (equation 3).",
            world.truth.len(),
            score(answer.truth),
            world.relevant,
            world.nonrelevant,
            score(answer.naive_expected)
        ),
        format!(
            "{} runs of {} queries, each calibrated on {} relevant and {} non-relevant pairs. Reported standard error (equation 7): \
             {} on average; observed standard deviation: {}.",
            options.runs,
            world.queries,
            world.pairs.0,
            world.pairs.1,
            score(answer.std_error_told),
            score(answer.corrected_std_dev)
        ),
    ];
    if answer.without > 0.0 {
        notes.push(format!(
            "{} runs have no corrected score (D was not above 0); they count as not covered.",
            answer.without
        ));
    }
    if answer.impossible > 0.0 {
        notes.push(format!("{} corrected scores lie outside 0 to 1; they are not truncated.", answer.impossible));
    }
    notes
}
