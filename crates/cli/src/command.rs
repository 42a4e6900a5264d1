//! What commands that score runs by judgements do alike: name the files they read, read them, and say where their numbers come from.

use karat_analysis::scores::Setting;
use karat_data::AlignedRuns;
use karat_formats::Input;
use karat_report::Provenance;

use crate::calibration;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{self, EvaluationOptions, Prepared};

/// The judgements and runs of a command, and how they are read.
pub struct ScoringInputs<'a> {
    /// The judgements.
    pub qrels: &'a String,
    /// The runs.
    pub runs: &'a [String],
    /// How they are read and scored.
    pub evaluation: &'a EvaluationOptions,
    /// The judges' errors.
    pub calibration: Option<&'a String>,
}

impl ScoringInputs<'_> {
    /// All files that the command reads; `own` are those that only this command has.
    pub fn files<'b>(&'b self, own: impl IntoIterator<Item = &'b String>) -> Vec<String> {
        std::iter::once(self.qrels)
            .chain(self.runs)
            .chain(self.calibration)
            .chain(own)
            .chain(&self.evaluation.topics)
            .cloned()
            .collect()
    }

    /// Reads the judgements and opens the runs.
    ///
    /// # Errors
    /// Everything wrong with the judgements, and whatever does not suit the measures.
    pub fn read(&self, environment: &Environment, defaults: &[&str]) -> Result<(Prepared, Vec<Input>), Failure> {
        let (qrels, runs) = options::open(environment, self.qrels, self.runs)?;
        Ok((self.prepare(environment, &qrels, defaults)?, runs))
    }

    /// Reads judgements that are open already.
    ///
    /// # Errors
    /// Everything wrong with the judgements, and whatever does not suit the measures.
    pub fn prepare(&self, environment: &Environment, qrels: &Input, defaults: &[&str]) -> Result<Prepared, Failure> {
        let measures = self.evaluation.measures(defaults)?;
        let judgements = self.evaluation.qrels(environment, qrels)?;
        Prepared::of(self.evaluation, environment, judgements, measures, self.calibration())
    }

    /// Judgements, options of the evaluation, and `own` options of the command.
    pub fn provenance(
        &self,
        environment: &Environment,
        prepared: &Prepared,
        own: impl FnOnce(Provenance) -> Provenance,
    ) -> Provenance {
        let facts = &prepared.judgements.facts;
        let provenance = own(self.evaluation.provenance(facts, &prepared.measures, &prepared.collection));
        calibration::provenance(environment, provenance, self.calibration())
    }

    /// What goes with the judges' errors, where they are used.
    pub fn cautions(&self, environment: &Environment) -> Vec<String> {
        calibration::cautions(environment, self.calibration())
    }

    fn calibration(&self) -> Option<&str> {
        self.calibration.map(String::as_str)
    }
}

impl EvaluationOptions {
    /// Reads the runs, once; with the documents they share where unjudged documents count.
    ///
    /// # Errors
    /// Everything wrong with the runs.
    pub fn align<'a>(&self, setting: &Setting<'a>, runs: Vec<Input>) -> Result<AlignedRuns<'a>, Failure> {
        let shared = self.why_no_bounds().is_none();
        Ok(AlignedRuns::read(setting.qrels, self.runs(runs), &setting.policy, shared, setting.threads)?)
    }
}
