//! Where does the uncertainty come from, and what is the cheapest way to reduce it?
//!
//! The budget is that of the interval of `eval --unjudged fit` and `compare --unjudged fit`: the mean over all such topics of a score, or of the
//! difference of two runs, with everything judged by gold judges. With e_t the expected score of topic t, v_t the variance of its unjudged
//! documents, n topics:
//!
//! ```text
//! topics      s²(e) / n              topic sampling error
//! unjudged    Σ v_t / n² + F         variance of unjudged relevance, and F, the error of the fitted relevance model
//! judges      J                      the judges' error rates are estimated from N gold labels (delta method)
//! interaction 2 √(s²(e)/n · F)       upper limit of the covariance of topic error and model error: the model is fitted to these topics
//! monte_carlo                        of our own draws, for measures without a closed form
//! ```
//!
//! What effort does to them ([`outlook`]); the one decision is that a plan is for the interval that will be computed then, not for a part
//! of it:
//!
//! - A new topic resembles the present ones and is judged as deep: it brings v̄ of its own. Everything but J falls as 1/n; F too, for the model is
//!   fitted to more topics.
//! - A judgement removes its document's variance from `unjudged`, and from F what the model says of it. But it reveals spread
//!   between topics: s²(e) grows by as much, and by more where documents of one topic are correlated (ρ, estimated from the judged
//!   ones). So judging shrinks the interval by the part of F it removes, and not by v. The model is not refitted for the forecast.
//! - A gold label has the grades of the present ones: J falls as 1/N. J is shared by all topics, so they do not reduce it.

mod advice;
mod answer;
mod calibrated;
mod documents;
mod effects;
mod order;
pub mod outlook;
mod parts;

use karat_data::{Problems, Qrels, RankedDocuments, RunFacts, RunSource};
use karat_measures::linear::Form;
use karat_measures::{Aggregate, Measure};
use karat_stats::Seed;

use crate::compare::to_settle;
use crate::scores::{ScoreError, Setting, score};
use crate::unjudged::{ModelError, RelevanceModel};
pub use advice::{Advice, CompletePrices, Prices, Strategy};
pub use answer::{AdviceRow, BudgetAnswer, BudgetNote, NextDocument, Source, SourceRow, UNIT, UnitBuys};
pub use outlook::{Effort, Outlook};
use parts::Parts;

/// The measure where none is given.
pub const DEFAULT_MEASURES: &[&str] = &["RBP(p=0.8)"];

/// Draws of unjudged relevance per topic where none are given.
pub const DEFAULT_DRAWS: u32 = 200;

/// Options of `budget`.
pub struct BudgetOptions {
    /// Confidence level.
    pub level: f64,
    /// What effort costs.
    pub prices: Prices,
    /// The relevance model of unjudged documents, or why there is none; `None` where they are treated as not relevant.
    pub model: Option<Result<RelevanceModel, ModelError>>,
    /// Draws of unjudged relevance per topic, for measures without a closed form; `None`: as many as the model has, and fewer where
    /// there are many documents.
    pub draws: Option<u32>,
    /// Seed of the plan of a sample.
    pub seed: Seed,
}

/// Why there is no budget.
#[derive(Debug)]
pub enum BudgetError {
    /// The runs cannot be read.
    Runs(ScoreError),
    /// Not one measure.
    MeasureCount(usize),
    /// The measure is not a mean over topics.
    NotAveraged {
        /// The measure.
        measure: String,
    },
    /// Not one or two runs.
    RunCount(usize),
    /// The measure has no value for some relevance of the unjudged documents.
    Undefined {
        /// The measure.
        measure: String,
        /// The topic.
        topic: String,
    },
    /// Too few topics for an interval.
    TooFewTopics {
        /// Topics with a score.
        topics: usize,
    },
    /// All topics have the same score.
    SameScore {
        /// Topics.
        topics: usize,
        /// That score.
        value: f64,
    },
}

impl From<Problems> for BudgetError {
    fn from(problems: Problems) -> Self {
        BudgetError::Runs(problems.into())
    }
}

impl From<ScoreError> for BudgetError {
    fn from(error: ScoreError) -> Self {
        BudgetError::Runs(error)
    }
}

/// What the budget is of.
#[derive(Clone, Copy)]
struct Subject<'s, 'a> {
    setting: &'s Setting<'a>,
    measure: &'s dyn Measure,
}

impl<'s, 'a> Subject<'s, 'a> {
    /// The one measure of a setting.
    fn new(setting: &'s Setting<'a>) -> Result<Subject<'s, 'a>, BudgetError> {
        let [measure] = setting.measures else { return Err(BudgetError::MeasureCount(setting.measures.len())) };
        if measure.info().aggregate != Aggregate::Mean {
            return Err(BudgetError::NotAveraged { measure: measure.spec().to_string() });
        }
        Ok(Subject { setting, measure: measure.as_ref() })
    }

    /// The measure taken apart, where it is linear in gain.
    fn form(&self) -> Option<Form<'s>> {
        self.measure.linear(&self.setting.collection)
    }
}

/// The budget of one measure, for one run or the difference of two. It is computed once; answers for several widths can be had from it.
pub struct Budget<'a> {
    qrels: &'a Qrels,
    measure: String,
    runs: Vec<String>,
    facts: Vec<RunFacts>,
    parts: Parts<'a>,
    read: Option<RankedDocuments>,
    outlook: Outlook,
    prices: CompletePrices,
    level: f64,
    has_calibration: bool,
    /// Sampled judgements that would settle which of two runs is better.
    to_settle: Option<usize>,
    /// Notes on unjudged documents.
    notes: Vec<BudgetNote>,
}

/// The budget of the one measure of the setting, for one run or the difference of two.
///
/// # Errors
/// Everything wrong with the runs; not one or two of them; a measure that is not a mean; too few topics, or none that differ.
pub fn budget<'a>(
    setting: &Setting<'a>,
    runs: &dyn RunSource,
    options: &BudgetOptions,
) -> Result<Budget<'a>, BudgetError> {
    let subject = Subject::new(setting)?;
    let scored = score(setting, runs)?;
    if !(1..=2).contains(&scored.len()) {
        return Err(BudgetError::RunCount(scored.len()));
    }
    let known = options.model.as_ref().and_then(|model| model.as_ref().ok());
    let read = match known {
        // Deeper documents are needed to know what a depth cut off.
        Some(_) => Some(RankedDocuments::named(setting.qrels, runs, &setting.policy, setting.threads)?),
        None => None,
    };
    let parts = Parts::new(subject, &scored, read.as_ref().zip(known), options)?;
    let judged: u64 =
        setting.qrels.all_facts().flat_map(|facts| facts.grades).map(|(_, count)| u64::from(*count)).sum();
    Ok(Budget {
        qrels: setting.qrels,
        measure: subject.measure.spec().to_string(),
        runs: scored.iter().map(|run| run.name.clone()).collect(),
        outlook: parts.outlook(options.level),
        prices: options.prices.complete(judged as f64 / setting.qrels.len().max(1) as f64),
        level: options.level,
        has_calibration: setting.calibration.is_some(),
        notes: unjudged_notes(options, &parts),
        to_settle: to_settle(setting, read.as_ref(), options, scored.len()),
        facts: scored.into_iter().map(|run| run.topics.facts).collect(),
        parts,
        read,
    })
}

/// Sampled judgements that would settle which of two runs is better.
fn to_settle(
    setting: &Setting<'_>,
    read: Option<&RankedDocuments>,
    options: &BudgetOptions,
    runs: usize,
) -> Option<usize> {
    let read = read.filter(|_| runs == 2)?;
    let power = (to_settle::POWER, options.level);
    Some(to_settle::plan_for(setting, read, (0, (0, 1)), power, options.seed)?.judgements)
}

/// Notes on unjudged documents.
fn unjudged_notes(options: &BudgetOptions, parts: &Parts<'_>) -> Vec<BudgetNote> {
    let mut notes = Vec::new();
    match &options.model {
        Some(Ok(model)) if parts.modelled => {
            let used = model.compared.iter().find(|model| model.used);
            notes.push(BudgetNote::RelevanceModel { name: used.map(|model| model.name) });
            if parts.documents() > 0 {
                notes.push(BudgetNote::JudgementsShowSpread { correlation: parts.alike });
            }
        }
        Some(Err(why)) => notes.push(BudgetNote::NoRelevanceModel(why.clone())),
        _ => notes.push(BudgetNote::UnjudgedIsNoSource),
    }
    notes
}

impl Budget<'_> {
    /// Expected value: unjudged documents count with their estimated relevance, judges' errors are corrected.
    pub fn value(&self) -> f64 {
        self.parts.value
    }

    /// The variance by source.
    pub fn sources(&self) -> Vec<(Source, f64)> {
        self.parts.sources(&self.outlook)
    }

    /// What effort does to the interval.
    pub fn outlook(&self) -> &Outlook {
        &self.outlook
    }

    /// Draws of unjudged relevance per topic, where the measure has no closed form.
    pub fn draws(&self) -> Option<usize> {
        self.parts.draws
    }

    /// What is known of the runs.
    pub fn facts(&self) -> &[RunFacts] {
        &self.facts
    }

    /// The cheapest mix that makes the interval this wide, and what each kind of effort alone would cost.
    pub fn advise(&self, width: f64) -> Vec<Advice> {
        advice::advise(&self.outlook, &self.prices, width / 2.0)
    }

    /// The documents to judge first, in order.
    pub fn next(&self, most: usize) -> Vec<NextDocument> {
        self.parts.next(self.qrels, self.read.as_ref(), most)
    }
}
