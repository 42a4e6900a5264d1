//! Judgements, measures and judges' errors of one command: read once, checked against each other, ready to score runs with.

use karat_analysis::compare::verdict::Unjudged;
use karat_analysis::eval::correction;
use karat_analysis::scores::{Setting, check_compatible};
use karat_analysis::sparse::is_sparse;
use karat_analysis::unjudged::{ModelError, RelevanceModel, Treatment, fit_default_model, fit_model};
use karat_data::{CollectionFacts, RunSource};
use karat_measures::Measure;
use karat_stats::judge_error::{Calibration, worth};
use karat_stats::seed::Seed;

use super::{EvaluationOptions, Judgements, UnjudgedOption};
use crate::calibration;
use crate::environment::Environment;
use crate::failure::Failure;

/// What runs are scored with.
pub struct Prepared {
    /// The measures.
    pub measures: Vec<Box<dyn Measure>>,
    /// The judgements.
    pub judgements: Judgements,
    /// What holds for the whole collection.
    pub collection: CollectionFacts,
    calibration: Option<Calibration>,
}

impl Prepared {
    /// Checks judgements, measures and a calibration against each other.
    ///
    /// # Errors
    /// Whatever does not suit the measures.
    pub fn of(
        options: &EvaluationOptions,
        environment: &Environment,
        judgements: Judgements,
        measures: Vec<Box<dyn Measure>>,
        calibration: Option<&str>,
    ) -> Result<Prepared, Failure> {
        let collection = options.collection(&judgements)?;
        let Judgements { qrels, facts, .. } = &judgements;
        check_compatible(qrels, &measures, &facts.file)?;
        let calibration = calibration.map(|file| calibration::from_file(environment, file)).transpose()?;
        if let Some(known) = &calibration {
            correction::check_compatible(qrels, known, &facts.file)?;
            worth(known.grades(), known).map_err(|error| Failure::usage(format!("--calibration: {error}")))?;
        }
        let all = judgements.uncut.as_ref().unwrap_or(&judgements.qrels);
        options.keep_sparse(|| measures.iter().all(|measure| is_sparse(all, measure.as_ref(), &collection)));
        Ok(Prepared { measures, judgements, collection, calibration })
    }

    /// Refuses measures to which no document can be relevant, for commands whose answer would only be zeros.
    ///
    /// # Errors
    /// No grade reaches the level of a measure.
    pub fn check_level_reached(&self) -> Result<(), Failure> {
        let largest = self.collection.max_grade;
        let above = |measure: &&dyn Measure| measure.level().is_some_and(|level| level > largest);
        let Some(measure) = self.measures.iter().map(AsRef::as_ref).find(above) else { return Ok(()) };
        Err(Failure::usage(format!(
            "{}: no document can be relevant: the largest grade is {largest}\nhelp: lower -l, or set --max-grade if higher grades are possible",
            measure.spec()
        )))
    }

    /// As the studies take it; with bounds unless the options leave none.
    pub fn setting(&self, options: &EvaluationOptions) -> Setting<'_> {
        Setting {
            qrels: &self.judgements.qrels,
            uncut: self.judgements.uncut.as_ref(),
            collection: self.collection,
            policy: options.policy(),
            measures: &self.measures,
            bounds: options.why_no_bounds().is_none(),
            detect_sparse: options.detects_sparse(),
            relevance_model: None,
            calibration: self.calibration.as_ref(),
            threads: options.threads.count(),
        }
    }
}

/// How likely unjudged documents are relevant, and from what that is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Draws {
    /// Draws of the unjudged documents' judgements.
    pub count: u32,
    /// Their seed.
    pub seed: u64,
}

impl EvaluationOptions {
    /// How unjudged documents are treated in a comparison.
    pub fn treatment(&self) -> Unjudged {
        match self.unjudged() {
            _ if self.judged_only => Unjudged::Modelled,
            UnjudgedOption::Condensed | UnjudgedOption::Probable(_) => Unjudged::Modelled,
            UnjudgedOption::Nonrelevant => Unjudged::NotRelevant,
            UnjudgedOption::Bounds if self.is_sparse() => Unjudged::Sparse,
            UnjudgedOption::Bounds => Unjudged::Tested,
        }
    }

    /// What unjudged documents probably are, where the options ask for it.
    ///
    /// # Errors
    /// It cannot be said.
    pub fn requested_model(
        &self,
        setting: &Setting<'_>,
        runs: &dyn RunSource,
        draws: Draws,
    ) -> Result<Option<RelevanceModel>, Failure> {
        let model = self.chances()?.map(|treatment| self.fit_model(setting, runs, treatment, draws));
        Ok(model.transpose()?)
    }

    /// What unjudged documents probably are: as asked for, else under the fitted model. `None` where options leave no unjudged documents.
    /// What was asked for must be had; what is done by default may be missing, and the answer says so.
    ///
    /// # Errors
    /// Runs cannot be read, or what was asked for cannot be said.
    pub fn relevance_model(
        &self,
        setting: &Setting<'_>,
        runs: &dyn RunSource,
        draws: Draws,
    ) -> Result<Option<Result<RelevanceModel, ModelError>>, Failure> {
        if self.why_no_bounds().is_some() {
            return Ok(None);
        }
        match self.chances()? {
            Some(treatment) => Ok(Some(Ok(self.fit_model(setting, runs, treatment, draws)?))),
            None => {
                let seed = Seed(draws.seed);
                Ok(Some(fit_default_model(&setting.model_data(), runs, self.relevance_level, draws.count, seed)?))
            }
        }
    }

    fn fit_model(
        &self,
        setting: &Setting<'_>,
        runs: &dyn RunSource,
        treatment: Treatment,
        draws: Draws,
    ) -> Result<RelevanceModel, ModelError> {
        fit_model(&setting.model_data(), runs, treatment, self.relevance_level, draws.count, Seed(draws.seed))
    }
}
