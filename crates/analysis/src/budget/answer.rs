//! The typed answer of `budget`: the interval, its sources, and what more effort would do to it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::unjudged::ModelError;

use super::advice::{CompletePrices, Strategy};
use super::outlook::{Effort, Outlook};
use super::{Advice, Budget};

/// Judgements, and gold labels, in one unit of effort.
pub const UNIT: usize = 10;

/// The uncertainty of a score, or of the difference of two runs, by source.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BudgetAnswer {
    /// The measure.
    pub measure: String,
    /// The run, or the first of two.
    pub a: String,
    /// The second run; the budget is then that of the difference a - b.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
    /// Number of topics.
    pub topics: u64,
    /// Expected value: unjudged documents count with their estimated relevance, judges' errors are corrected.
    pub value: f64,
    /// Value by the judgements alone.
    pub observed: f64,
    /// Standard error of `value`, all sources together.
    pub std_error: f64,
    /// Half the width of the confidence interval.
    pub half_width: f64,
    /// Width of the confidence interval.
    pub width: f64,
    /// Confidence interval of `value`.
    pub interval: (f64, f64),
    /// Confidence level.
    pub level: f64,
    /// The width wanted, if any.
    pub target: Option<f64>,
    /// Variance of `value` by source.
    pub budget: Vec<SourceRow>,
    /// Ways to reach the width wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Vec<AdviceRow>>,
    /// The documents to judge first: as many as the cheapest advice has, and at least ten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Vec<NextDocument>>,
    /// Sampled judgements that `karat settle` would plan to find which of two runs is better, the number that `karat compare` gives for an undecided verdict; null for
    /// one run, or where there is no such number.
    pub to_settle: Option<usize>,
    /// The prices that the advice is for.
    #[serde(skip)]
    pub prices: CompletePrices,
    /// Warnings and assumptions.
    #[serde(skip)]
    pub notes: Vec<BudgetNote>,
}

impl Budget<'_> {
    /// The answer, with advice where a width is wanted.
    pub fn answer(&self, target: Option<f64>) -> BudgetAnswer {
        let outlook = self.outlook();
        let half_width = outlook.half_width(Effort::default());
        let advice = target.map(|target| self.advise(target));
        let advised = advice.iter().flatten().next().and_then(|cheapest| cheapest.effort);
        let next = self.next(UNIT.max(advised.map_or(0, |effort| effort.judgements)));
        let sources = self.sources();
        BudgetAnswer {
            measure: self.measure.clone(),
            a: self.runs[0].clone(),
            b: self.runs.get(1).cloned(),
            topics: outlook.topics(),
            value: self.value(),
            observed: self.parts.observed,
            std_error: outlook.after(Effort::default()).std_error(),
            half_width,
            width: 2.0 * half_width,
            interval: (self.value() - half_width, self.value() + half_width),
            level: self.level,
            target,
            budget: source_rows(&sources, outlook),
            notes: self.notes(advice.as_deref(), &sources),
            advice: advice.map(|advice| advice.iter().map(AdviceRow::new).collect()),
            next: (!next.is_empty()).then_some(next),
            to_settle: self.to_settle,
            prices: self.prices,
        }
    }

    fn notes(&self, advice: Option<&[Advice]>, sources: &[(Source, f64)]) -> Vec<BudgetNote> {
        let mut notes = advice.map_or_else(Vec::new, advice_notes);
        notes.extend(self.notes.iter().cloned());
        let has = |wanted: Source| sources.iter().any(|(source, _)| *source == wanted);
        notes.extend(has(Source::Interaction).then_some(BudgetNote::Interaction));
        notes.extend(self.draws().map(|draws| BudgetNote::MonteCarlo { draws }));
        if has(Source::Judges) {
            notes.push(BudgetNote::Judges);
        } else if self.has_calibration {
            notes.push(BudgetNote::NotCorrected);
        }
        notes.push(BudgetNote::NewTopics);
        let two = self.runs.len() == 2 && self.parts.documents() > 0;
        notes.extend(two.then_some(BudgetNote::Settle { to_settle: self.to_settle }));
        notes
    }
}

/// The sources, with what one unit of effort does to each.
fn source_rows(sources: &[(Source, f64)], outlook: &Outlook) -> Vec<SourceRow> {
    let total: f64 = sources.iter().map(|(_, variance)| variance).sum();
    let row = |&(source, variance): &(Source, f64)| {
        let effort = source.unit(outlook);
        let buys = |effort: Effort| UnitBuys {
            std_error: outlook.after(effort).std_error(),
            half_width: outlook.half_width(effort),
        };
        SourceRow {
            source,
            variance,
            share: (total > 0.0).then(|| variance / total),
            std_error: variance.sqrt(),
            unit: None,
            unit_buys: effort.map(buys),
            effort,
        }
    };
    sources.iter().map(row).collect()
}

/// What the advice does not reach.
fn advice_notes(advice: &[Advice]) -> Vec<BudgetNote> {
    let mut notes = vec![BudgetNote::Prices];
    match advice.first() {
        Some(cheapest) if cheapest.effort == Some(Effort::default()) => notes.push(BudgetNote::TargetMet),
        Some(cheapest) if cheapest.effort.is_none() => {
            notes.push(BudgetNote::TargetOutOfReach { least: 2.0 * cheapest.half_width });
        }
        _ => {}
    }
    let alone = advice.iter().skip(1).filter(|single| single.effort.is_none());
    notes.extend(
        alone.map(|single| BudgetNote::AloneNotEnough { strategy: single.strategy, least: 2.0 * single.half_width }),
    );
    notes
}

/// A source of uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Topic sampling error.
    Topics,
    /// Unjudged documents: their random relevance, and the error of the fitted relevance model.
    Unjudged,
    /// Estimated error rates of the judges.
    Judges,
    /// Sampling of the documents that were judged.
    JudgementSampling,
    /// Random draws of this computation.
    MonteCarlo,
    /// Upper limit of the covariance between topic error and model error.
    Interaction,
}

impl Source {
    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Source::Topics => "topics",
            Source::Unjudged => "unjudged",
            Source::Judges => "judges",
            Source::JudgementSampling => "judgement_sampling",
            Source::MonteCarlo => "monte_carlo",
            Source::Interaction => "interaction",
        }
    }

    /// The next unit of effort that reduces it.
    fn unit(self, outlook: &Outlook) -> Option<Effort> {
        match self {
            Source::Topics => Some(Effort { topics: 1, ..Effort::default() }),
            Source::Unjudged if outlook.documents() > 0 => {
                Some(Effort { judgements: UNIT.min(outlook.documents()), ..Effort::default() })
            }
            Source::Judges => Some(Effort { gold: UNIT as u64, ..Effort::default() }),
            _ => None,
        }
    }
}

/// One source.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SourceRow {
    /// The source.
    pub source: Source,
    /// Its variance.
    pub variance: f64,
    /// Its share of the total variance.
    pub share: Option<f64>,
    /// Square root of its variance.
    pub std_error: f64,
    /// The next unit of effort that reduces it, in words; filled in when the answer is presented.
    pub unit: Option<String>,
    /// What that unit leaves of the uncertainty.
    pub unit_buys: Option<UnitBuys>,
    /// That unit.
    #[serde(skip)]
    pub effort: Option<Effort>,
}

/// The uncertainty after one unit of effort.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct UnitBuys {
    /// Standard error of the value then.
    pub std_error: f64,
    /// Half the width of the confidence interval then.
    pub half_width: f64,
}

/// One way to reach the width wanted.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AdviceRow {
    /// The cheapest mix, or one kind of effort alone.
    pub strategy: Strategy,
    /// New topics, judged as deep as the present ones; null where the width is not reached.
    pub topics: Option<u64>,
    /// More judgements on the present topics.
    pub judgements: Option<usize>,
    /// More gold labels.
    pub gold: Option<u64>,
    /// Cost of all of it.
    pub cost: Option<f64>,
    /// Half the width of the confidence interval then; where the width wanted is not reached, the smallest possible.
    pub half_width: f64,
    /// Width of the confidence interval then.
    pub width: f64,
    /// Whether the width wanted is reached.
    pub reaches: bool,
}

impl AdviceRow {
    fn new(advice: &Advice) -> AdviceRow {
        AdviceRow {
            strategy: advice.strategy,
            topics: advice.effort.map(|effort| effort.topics),
            judgements: advice.effort.map(|effort| effort.judgements),
            gold: advice.effort.map(|effort| effort.gold),
            cost: advice.cost,
            half_width: advice.half_width,
            width: 2.0 * advice.half_width,
            reaches: advice.effort.is_some(),
        }
    }
}

/// A document to judge.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NextDocument {
    /// Its topic.
    pub topic: String,
    /// The document.
    pub document: String,
    /// What relevance adds to the topic's score, or to the difference.
    pub weight: f64,
    /// What its judgement removes from the source `unjudged`.
    pub variance_removed: f64,
}

/// A warning or an assumption.
#[derive(Debug, Clone, PartialEq)]
pub enum BudgetNote {
    /// The prices that the advice is for.
    Prices,
    /// The interval is narrow enough already.
    TargetMet,
    /// No effort on sale reaches the width wanted.
    TargetOutOfReach {
        /// The smallest width possible.
        least: f64,
    },
    /// One kind of effort alone does not reach it.
    AloneNotEnough {
        /// The effort.
        strategy: Strategy,
        /// The smallest width possible.
        least: f64,
    },
    /// The relevance model used.
    RelevanceModel {
        /// Its name; `None` where a probability was given.
        name: Option<&'static str>,
    },
    /// What a judgement does to the interval.
    JudgementsShowSpread {
        /// Correlation of the judged documents of a topic.
        correlation: f64,
    },
    /// There is no relevance model, so unjudged documents are no source.
    NoRelevanceModel(ModelError),
    /// Unjudged documents are no source.
    UnjudgedIsNoSource,
    /// What the interaction is.
    Interaction,
    /// Unjudged relevance was drawn.
    MonteCarlo {
        /// Draws per topic.
        draws: usize,
    },
    /// How error rates of judges enter.
    Judges,
    /// The measure cannot be corrected for the judges' errors.
    NotCorrected,
    /// What new topics are assumed to be.
    NewTopics,
    /// Another command says which run is better.
    Settle {
        /// Sampled judgements that it would plan.
        to_settle: Option<usize>,
    },
}
