//! `karat judges correct` for people.

use karat_analysis::judges::{CorrectAnswer, CorrectNote, CorrectedScore};
use karat_report::{Column, Columns, NumberStyle, Report, Table};
use karat_stats::resample::NoResample;

use super::{SAME_RATES, rate_warning, score_warning};
use crate::Context;
use crate::words::percent;

/// The corrected score as a report.
pub fn report(answer: CorrectAnswer, context: Context) -> Report {
    let mut report =
        context.report("Score corrected for the judges' errors", "judges correct").table(scores(&answer.scores));
    report.notes.extend(answer.notes.iter().map(note));
    report.answering(answer)
}

fn scores(scores: &[CorrectedScore; 1]) -> Table {
    let interval = Column::new("interval", format!("{} interval", percent(scores[0].level)));
    Columns::new()
        .column("naive", "bronze", |score: &CorrectedScore| score.naive.into())
        .column("value", "corrected", |score| score.value.into())
        .column("std_error", "std. error", |score| score.std_error.into())
        .column("std_error_bootstrap", "bootstrap", |score| score.std_error_bootstrap.into())
        .with(interval, |score| score.interval.into())
        .with(Column::new("share_judges", "from judges").style(NumberStyle::Decimals(2)), |score| {
            score.share_judges.into()
        })
        .column("d", "D", |score| score.d.into())
        .table("scores", "", scores)
}

fn note(note: &CorrectNote) -> String {
    match note {
        CorrectNote::Rates(warning) => rate_warning(warning),
        CorrectNote::Score(warning) => score_warning("", warning),
        CorrectNote::SameRates => SAME_RATES.into(),
        CorrectNote::Bootstrap { resamples, undefined: 0 } => {
            format!("Bootstrap: {resamples} replicates of score and calibration.")
        }
        CorrectNote::Bootstrap { resamples, undefined } => format!(
            "Bootstrap: {resamples} replicates of score and calibration; {undefined} of them have no value because D was not above 0."
        ),
        CorrectNote::NoBootstrap(NoResample::Undefined { without, resamples }) => format!(
            "warning: no bootstrap: D was not above 0 in {without} of {resamples} replicates. The standard error by the delta method is \
             unreliable too."
        ),
        CorrectNote::NoBootstrap(reason) => format!("No bootstrap: {reason}."),
        CorrectNote::TreatedAsPrecisionAt1 => {
            "Without --sd the score is treated as P@1 (one document per query): its variance is j (1 - j) / n.".into()
        }
        CorrectNote::IndependentRanks { ranks } => format!(
            "The variance treats the {ranks} ranks of a query as independent. karat eval --calibration uses the labels of each query instead."
        ),
    }
}
