//! `karat judges compare` for people.

use karat_analysis::judges::{
    CompareAnswer, CompareNote, ComparedScore, ComparisonTest, ErrorSources, System, TestName,
};
use karat_report::{Block, Column, Columns, NumberStyle, Report, Table};

use super::{SAME_RATES, rate_warning, score_warning};
use crate::Context;
use crate::words::percent;

/// The comparison as a report.
pub fn report(answer: CompareAnswer, context: Context) -> Report {
    let mut report = context
        .report("Is a better than b?", "judges compare")
        .block(Block::Record(decision(&answer)))
        .table(tests(&answer.tests))
        .table(scores(&answer.scores));
    report.notes.extend(answer.notes.iter().map(note));
    report.answering(answer)
}

fn decision(answer: &CompareAnswer) -> Table {
    let interval = Column::new("interval", format!("{} interval", percent(answer.level)));
    Columns::new()
        .column("difference", "a - b, corrected", |answer: &CompareAnswer| answer.difference.into())
        .column("std_error", "std. error", |answer| answer.std_error.into())
        .with(interval, |answer| answer.interval.into())
        .with(Column::new("p", "p").style(NumberStyle::P), |answer| answer.p.into())
        .column("calibration_errors", "calibration errors", |answer| test_name(answer.calibration_errors).into())
        .table("comparison", "", [answer])
}

fn tests(tests: &[ComparisonTest]) -> Table {
    let column = |key, heading: &str, style| Column::new(key, heading).style(style);
    Columns::new()
        .column("errors", "errors", |test: &ComparisonTest| test_name(test.errors).into())
        .column("difference", "a - b", |test| test.difference.into())
        .column("std_error", "std. error", |test| test.std_error.into())
        .with(column("t", "t", NumberStyle::Decimals(3)), |test| test.t.into())
        .with(column("df", "df", NumberStyle::Decimals(1)), |test| test.df.into())
        .with(column("p", "p", NumberStyle::Significant(3)), |test| test.p.into())
        .column("because", "includes", |test| error_sources(test.because).into())
        .table("tests", "How judge errors change the p-value", tests)
}

fn scores(scores: &[ComparedScore]) -> Table {
    Columns::new()
        .column("run", "system", |score: &ComparedScore| system(score.run).into())
        .column("naive", "by bronze labels", |score| score.naive.into())
        .column("value", "corrected", |score| score.value.into())
        .column("std_error", "std. error", |score| score.std_error.into())
        .table("scores", "Scores", scores)
}

fn test_name(name: TestName) -> &'static str {
    match name {
        TestName::Naive => "naive",
        TestName::Independent => "independent",
        TestName::Shared => "shared",
    }
}

fn error_sources(sources: ErrorSources) -> &'static str {
    match sources {
        ErrorSources::Queries => "queries (Welch)",
        ErrorSources::PairedQueries => "queries (paired)",
        ErrorSources::TwoCalibrations => "+ 2 calibrations",
        ErrorSources::OneCalibration => "+ 1 calibration",
    }
}

fn system(system: System) -> &'static str {
    match system {
        System::A => "a",
        System::B => "b",
    }
}

fn note(note: &CompareNote) -> String {
    match note {
        CompareNote::Rates(warning) => rate_warning(warning),
        CompareNote::Score(of, warning) => score_warning(&format!(" of {}", system(*of)), warning),
        CompareNote::Shared => {
            "Shared: one calibration serves both systems, so its error partly cancels in the difference. \
                                Independent would count it twice."
                .into()
        }
        CompareNote::TwoCalibrations => {
            "Independent: each system has its own calibration, so their errors do not cancel.".into()
        }
        CompareNote::ChosenIndependent => {
            "p is too large: --calibration-errors independent counts the error of the calibration \
                                           twice, though one calibration serves both systems."
                .into()
        }
        CompareNote::SameRates => SAME_RATES.into(),
    }
}
