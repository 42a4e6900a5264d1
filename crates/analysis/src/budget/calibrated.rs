//! Scores corrected for the judges' errors: how sure their error rates are, and what further judgements and gold labels do to that.

use karat_data::CollectionFacts;
use karat_measures::{Measure, Score};
use karat_stats::judge_error::{self, Calibration, Redraw};
use karat_stats::seed::Seed;

use crate::eval::correction;
use crate::labels::LabelWeights;
use crate::streams;
use crate::unjudged::RelevanceModel;

/// Calibrations drawn to see how sure the variance from one is.
const REDRAWS: usize = 400;

/// A calibration applied to the scores of a measure.
pub(super) struct Calibrated<'a> {
    calibration: &'a Calibration,
    gains: Vec<f64>,
    /// Mean weight on each bronze grade.
    pub weights: Vec<f64>,
    /// The share of each grade among documents that are relevant, and among the others.
    shares: Vec<(f64, f64)>,
    /// Variance of the mean because error rates are estimated.
    pub judges: f64,
}

impl<'a> Calibrated<'a> {
    /// Corrects the scores; `None` where the measure is not linear.
    pub fn new(
        measure: &dyn Measure,
        collection: &CollectionFacts,
        calibration: &'a Calibration,
        labelled: &mut [(Score, LabelWeights)],
        relevance_model: Option<&RelevanceModel>,
    ) -> Option<Calibrated<'a>> {
        let form = measure.linear(collection)?;
        let found = correction::correct(measure, collection, calibration, labelled)?;
        let grades = calibration.grades();
        let gains: Vec<f64> = grades.iter().map(|&grade| form.gain.of(grade)).collect();
        let mut weights = vec![0.0; grades.len()];
        for (_, own) in labelled.iter() {
            weights.iter_mut().zip(own.as_ref()?).for_each(|(sum, weight)| *sum += weight / labelled.len() as f64);
        }
        let share = |grade: f64| {
            let is = |other: f64| f64::from(u8::from(other == grade));
            relevance_model.map_or((0.0, 0.0), |relevance_model| {
                let (yes, no) = relevance_model.grades().gains(&is);
                (yes.mean, no.mean)
            })
        };
        let shares = grades.iter().map(|&grade| share(grade)).collect();
        Some(Calibrated { calibration, gains, weights, shares, judges: found.judges })
    }

    /// Once a document is judged its weight falls on grades.
    pub fn add_judgement(&self, weights: &mut [f64], added: f64, chance: f64, topics: f64) {
        for (weight, (yes, no)) in weights.iter_mut().zip(&self.shares) {
            *weight += added / topics * (no + chance * (yes - no));
        }
    }

    /// Gold labels behind the calibration.
    pub fn gold_labels(&self) -> u64 {
        self.calibration.counts().iter().flatten().sum()
    }

    /// What gold judges would say of a grade, by grade of the calibration.
    pub fn gold_gains(&self) -> Option<Vec<(f64, f64)>> {
        let gains = judge_error::worth(&self.gains, self.calibration).ok()?;
        Some(self.calibration.grades().iter().copied().zip(gains).collect())
    }

    /// The variance because error rates are estimated, with this weight on each grade.
    pub fn variance(&self, weights: &[f64]) -> Option<f64> {
        self.variance_by(weights, self.calibration)
    }

    fn variance_by(&self, weights: &[f64], calibration: &Calibration) -> Option<f64> {
        let twice = [weights.to_vec(), weights.to_vec()];
        judge_error::linear(&twice, &self.gains, calibration).ok().map(|found| found.judges)
    }

    /// How much larger than estimated that variance must be taken for plans to hold on average: the squared mean of σ/s, over calibrations
    /// drawn from the present one.
    pub fn variance_factor(&self) -> f64 {
        let Ok(redraw) = Redraw::new(self.calibration) else { return 1.0 };
        let mut stream = Seed(0).stream(streams::GOLD_LABELS, 0);
        let drawn = (0..REDRAWS).filter_map(|_| redraw.draw(&mut stream));
        let ratios: Vec<f64> = drawn
            .filter_map(|calibration| self.variance_by(&self.weights, &calibration))
            .map(|drawn| (self.judges / drawn).sqrt())
            .filter(|ratio| ratio.is_finite() && *ratio > 0.0)
            .collect();
        let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
        // Rates that may be no better than a coin's have a mean without meaning; beyond 2 more labels would look worse than none.
        (mean * mean).clamp(1.0, 2.0)
    }
}
