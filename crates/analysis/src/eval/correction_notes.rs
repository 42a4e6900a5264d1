//! Finds what a reader of corrected scores must know.

use karat_stats::judge_error::{Calibration, RateInterval};

use super::correction::Correction;
use super::notes::{CorrectionNote, EvalNote};
use super::observations::Observed;
use super::row::Row;
use crate::judges::rate_warnings;

impl Observed<'_> {
    /// What was corrected and what was not.
    pub(super) fn correction(&self) -> Vec<EvalNote> {
        let Some(calibration) = self.setting.calibration else { return Vec::new() };
        let corrected: Vec<(&Row, f64, Correction)> =
            self.by_measure().filter_map(|row| Some((row, row.number()?, row.correction?))).collect();
        let mut notes = self.rates(calibration);
        corrected.iter().for_each(|(row, value, found)| notes.extend(of_score(row, *value, found)));
        let name = |row: &Row| (row.score.measure.clone(), row.score.run.clone());
        let harmed = corrected.iter().filter(|(_, _, found)| found.harm.is_some());
        let harmed: Vec<(String, String)> = harmed.map(|(row, ..)| name(row)).collect();
        if !harmed.is_empty() {
            notes.push(CorrectionNote::Harm { scores: harmed, of: corrected.len() });
        }
        let is = |row: &Row, corrected: bool| (row.correction.is_some() && row.number().is_some()) == corrected;
        let left = self.measures(|index, _| self.rows.iter().any(|run| is(&run[index], false)));
        if !left.is_empty() {
            notes.push(CorrectionNote::NotCorrected(left));
        }
        notes.push(CorrectionNote::Assumption);
        let by_draws = |row: &Row| is(row, true) && row.correction.is_some_and(|found| found.drawn.is_some());
        let measures = self.measures(|index, _| self.rows.iter().any(|run| by_draws(&run[index])));
        if !measures.is_empty() {
            notes.push(CorrectionNote::Drawn { measures, draws: self.options.draws });
        }
        let lost = corrected.iter().filter_map(|(_, _, found)| found.drawn).map(|drawn| drawn.lost).max();
        let many = lost.filter(|(lost, of)| lost * 20 > *of);
        notes.extend(many.map(|(lost, of)| CorrectionNote::LostCalibrations { lost, of }));
        notes.extend(self.options.by_query.then_some(CorrectionNote::ByQuery));
        notes.extend(self.setting.relevance_model.map(|_| CorrectionNote::ModelUncorrected));
        notes.into_iter().map(EvalNote::Correction).chain(self.uncorrected_ties()).collect()
    }

    fn rates(&self, calibration: &Calibration) -> Vec<CorrectionNote> {
        let level = self.options.inference.level;
        let found = calibration.discrimination(level, RateInterval::ClopperPearson);
        let warnings = found.map(|d| rate_warnings(calibration, &d)).unwrap_or_default();
        warnings.into_iter().map(CorrectionNote::Rates).collect()
    }

    /// Where tie ranges stand next to corrected scores.
    pub(super) fn uncorrected_ties(&self) -> Option<EvalNote> {
        self.scored.iter().any(|run| !run.ties.is_empty()).then_some(EvalNote::TiesUncorrected)
    }
}

fn of_score(row: &Row, value: f64, found: &Correction) -> Vec<CorrectionNote> {
    let (measure, run) = (row.score.measure.clone(), row.score.run.clone());
    let mut notes =
        vec![CorrectionNote::Corrected { measure: measure.clone(), run: run.clone(), naive: found.naive, value }];
    notes.extend(found.nearest.map(|nearest| CorrectionNote::Impossible { measure, run, value, nearest }));
    notes
}
