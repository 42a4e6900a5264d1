//! `judges compare`: is one system better, and does that survive the judges?

use karat_report::{Block, Column, NumberStyle, Provenance, Report, Table};
use karat_stats::judge_error::{
    Calibration, CalibrationErrors, CorrectionError, Observed, RateInterval, TwoTailed, compare as by_numbers,
};

use super::{ASSUMPTION, clipped, harm, warnings};

/// What is asked.
pub struct CompareQuestion {
    /// The two systems.
    pub observed: Observed,
    /// The judges' errors.
    pub calibration: Calibration,
    /// The second system's own, where it has one.
    pub own: Option<Calibration>,
    /// Which answer is the answer; `None` lets the number of calibrations decide.
    pub errors: Option<CalibrationErrors>,
    /// Level of intervals.
    pub level: f64,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

/// All answers, and the chosen one on top.
///
/// # Errors
/// A score cannot be corrected, or the systems cannot be compared.
pub fn compare(question: CompareQuestion) -> Result<Report, CorrectionError> {
    let CompareQuestion { observed, calibration, own, level, .. } = &question;
    let found = by_numbers(observed, calibration, own.as_ref())?;
    let (chosen, name) = match (question.errors, found.shared) {
        (Some(CalibrationErrors::Independent), _) | (_, None) => (found.independent, "independent"),
        (_, Some(shared)) => (shared, "shared"),
    };
    let out = |error: karat_stats::dist::OutOfRange| CorrectionError::OutOfRange {
        what: error.argument,
        found: error.found,
        expected: error.legal,
    };
    let quantile = karat_stats::dist::student_t::quantile(0.5 + level / 2.0, chosen.df).map_err(out)?;
    let half = quantile * chosen.std_error;
    let p = |key, heading: &str| Column::new(key, heading).style(NumberStyle::P);
    let record = Table::new("comparison", "")
        .column("difference", "a - b, corrected")
        .column("std_error", "std. error")
        .with(Column::new("interval", format!("{} interval", crate::eval::percent(*level))).range())
        .with(p("p", "p"))
        .column("calibration_errors", "calibration errors")
        .with(p("p_naive", "").data_only())
        .with(p("p_independent", "").data_only())
        .with(p("p_shared", "").data_only())
        .with(Column::new("level", "").data_only())
        .row([
            chosen.difference.into(),
            chosen.std_error.into(),
            (chosen.difference - half, chosen.difference + half).into(),
            chosen.p.into(),
            name.into(),
            found.naive.p.into(),
            found.independent.p.into(),
            found.shared.map(|shared| shared.p).into(),
            (*level).into(),
        ]);
    let mut report = Report::new("Is a better than b?", "judges compare", question.version)
        .block(Block::Record(record))
        .table(tests(&found.naive, &found.independent, found.shared.as_ref(), observed.paired_sd.is_some()))
        .table(scores(&found));
    let d = calibration.discrimination(*level, RateInterval::ClopperPearson).map_err(out)?;
    report.notes = warnings(calibration, &d);
    if let Some(own) = own {
        report.notes.extend(warnings(own, &own.discrimination(*level, RateInterval::ClopperPearson).map_err(out)?));
    }
    report.notes.extend(harm(" to a", &found.a).into_iter().chain(harm(" to b", &found.b)));
    report.notes.extend(clipped(" of a", &found.a).into_iter().chain(clipped(" of b", &found.b)));
    report.notes.push(why(name, own.is_some()));
    report.notes.push(ASSUMPTION.into());
    report.provenance = question.provenance;
    Ok(report)
}

fn why(name: &str, own: bool) -> String {
    match (name, own) {
        ("shared", _) => "one calibration serves both systems, so its errors are the same in both and cancel in the difference: shared. \
                          Independent (the paper's equation 10) adds the same error twice"
            .into(),
        (_, true) => "each system has a calibration of its own, so their errors are independent".into(),
        _ => "--calibration-errors independent adds the calibration's error once for each system, though one calibration serves both: p is \
              too large"
            .into(),
    }
}

fn tests(naive: &TwoTailed, independent: &TwoTailed, shared: Option<&TwoTailed>, paired: bool) -> Table {
    let p = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Significant(3));
    let mut table = Table::new("tests", "Why p-values differ")
        .column("errors", "errors")
        .column("difference", "a - b")
        .column("std_error", "std. error")
        .with(Column::new("t", "t").style(NumberStyle::Decimals(3)))
        .with(Column::new("df", "df").style(NumberStyle::Decimals(1)))
        .with(p("p", "p (t)"))
        .with(p("p_normal", "p (Normal)"))
        .column("because", "because");
    let of_queries = if paired { "paired over queries" } else { "Welch, queries of each its own" };
    let rows = [
        ("naive", Some(naive), format!("bronze taken at its word; {of_queries}")),
        ("independent", Some(independent), "the calibration's error added once for each system".into()),
        ("shared", shared, "one calibration: its error only stretches the difference".into()),
    ];
    for (name, test, because) in rows {
        let Some(test) = test else { continue };
        table.push([
            name.into(),
            test.difference.into(),
            test.std_error.into(),
            (test.difference / test.std_error).into(),
            test.df.into(),
            test.p.into(),
            test.p_normal.into(),
            because.into(),
        ]);
    }
    table
}

fn scores(found: &karat_stats::judge_error::Comparison) -> Table {
    let mut table = Table::new("scores", "Scores")
        .column("run", "system")
        .column("naive", "by bronze judges")
        .column("value", "corrected")
        .column("std_error", "std. error")
        .with(Column::new("nearest", "").data_only());
    for (name, of) in [("a", &found.a), ("b", &found.b)] {
        let row = [name.into(), of.naive.into(), of.value.into(), of.std_error().into(), of.nearest().into()];
        table.push(row);
    }
    table
}
