//! `judges correct`: one score, as bronze gave it and as gold would have; of two grades, or of many from shares by rank.

use karat_report::{Column, NumberStyle, Provenance, Report, Table};
use karat_stats::Seed;
use karat_stats::dist::normal;
use karat_stats::judge_error::{
    Calibration, Corrected, CorrectionError, RateInterval, Shares, Summary, from_shares, graded, parametric, proportion,
};
use karat_stats::resample::NoResample;

use super::{ASSUMPTION, clipped, harm, warnings};

/// What bronze said.
pub enum Observation {
    /// A mean score over queries, of two grades.
    Score(Summary),
    /// How often it gave each grade at each rank.
    Shares(Shares),
}

impl Observation {
    fn correct(&self, calibration: &Calibration) -> Result<Corrected, CorrectionError> {
        match self {
            Observation::Score(summary) => proportion(*summary, calibration),
            Observation::Shares(shares) => graded(shares, calibration),
        }
    }
}

/// What is asked.
pub struct CorrectQuestion {
    /// What bronze said.
    pub observation: Observation,
    /// The judges' errors.
    pub calibration: Calibration,
    /// Level of intervals.
    pub level: f64,
    /// Bootstrap replicates.
    pub resamples: u32,
    /// Of the bootstrap.
    pub seed: Seed,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

/// The corrected score.
///
/// # Errors
/// The score cannot be corrected.
pub fn correct(question: CorrectQuestion) -> Result<Report, CorrectionError> {
    let CorrectQuestion { observation, calibration, level, resamples, seed, .. } = &question;
    let corrected = observation.correct(calibration)?;
    let out = |error: karat_stats::dist::OutOfRange| CorrectionError::OutOfRange {
        what: error.argument,
        found: error.found,
        expected: error.legal,
    };
    let z = normal::quantile(0.5 + level / 2.0).map_err(out)?;
    let d = calibration.discrimination(*level, RateInterval::ClopperPearson).map_err(out)?;
    let replicates = match observation {
        Observation::Score(summary) => parametric(*summary, calibration, *resamples, *seed)?,
        Observation::Shares(shares) => from_shares(shares, calibration, *resamples, *seed)?,
    };
    let (std_error, by_bootstrap) = (corrected.std_error(), replicates.std_error());
    let percent = crate::eval::percent(*level);
    let mut table = Table::new("scores", "")
        .column("naive", "by bronze judges")
        .column("value", "corrected")
        .column("std_error", "std. error")
        .column("std_error_bootstrap", "by bootstrap")
        .with(Column::new("interval", format!("{percent} interval")).range())
        .with(Column::new("interval_bootstrap", "").range().data_only())
        .with(Column::new("level", "").data_only())
        .with(Column::new("method", "").data_only())
        .with(Column::new("sources", "").names(&["topics", "judges"]).data_only())
        .with(Column::new("share_judges", "of it judges").style(NumberStyle::Decimals(2)))
        .with(Column::new("nearest", "").data_only())
        .with(Column::new("d", "D"))
        .with(Column::new("condition", "").data_only());
    let interval_bootstrap = replicates.percentile(*level).ok().map(|found| (found.low, found.high));
    table.push([
        corrected.naive.into(),
        corrected.value.into(),
        std_error.into(),
        by_bootstrap.ok().into(),
        (corrected.value - z * std_error, corrected.value + z * std_error).into(),
        interval_bootstrap.into(),
        (*level).into(),
        "delta".into(),
        karat_report::Cell::Map(vec![("topics", corrected.topics), ("judges", corrected.judges)]),
        (std_error > 0.0).then(|| corrected.judges / (std_error * std_error)).into(),
        corrected.nearest().into(),
        d.value.into(),
        calibration.condition().into(),
    ]);
    let mut notes = warnings(calibration, &d);
    notes.extend(harm("", &corrected));
    notes.extend(clipped("", &corrected));
    notes.push(ASSUMPTION.into());
    notes.push(match by_bootstrap {
        Ok(_) if replicates.without() == 0 => format!("bootstrap: {resamples} replicates of score and calibration (algorithm 1)"),
        Ok(_) => format!(
            "bootstrap: {resamples} replicates of score and calibration (algorithm 1), {} of them without a value because D was not \
             above 0",
            replicates.without()
        ),
        Err(reason) => no_bootstrap(reason),
    });
    notes.extend(match observation {
        Observation::Score(Summary { sd: None, .. }) => {
            Some("without --sd the score is taken as P@1: one document a query, so its variance is j (1 - j) / n".into())
        }
        Observation::Score(_) => None,
        Observation::Shares(shares) => Some(format!(
            "equation 18 on {} ranks; the variance over queries takes the ranks of a query as independent, since shares do not tell how they go \
             together (karat eval --calibration knows each query)",
            shares.ranks.len()
        )),
    });
    let mut report = Report::new("As gold judges would have said", "judges correct", question.version).table(table);
    report.notes = notes;
    report.provenance = question.provenance;
    Ok(report)
}

fn no_bootstrap(reason: NoResample) -> String {
    match reason {
        NoResample::Undefined { without, resamples } => format!(
            "warning: no bootstrap: in {without} of {resamples} replicates D is not above 0, so the standard error of the delta method \
             is not to be trusted either"
        ),
        other => format!("no bootstrap: {other}"),
    }
}
