//! The answer of `karat settle`: which documents to judge, and what their labels can decide.

use karat_data::names::text;
use karat_stats::Seed;
use schemars::JsonSchema;
use serde::Serialize;

use super::draw::{Drawn, Frame};
use super::plan::{Planned, Planner};
use super::question::{Contrast, Design, Question};
use super::record::Document;

/// Options of `settle`.
#[derive(Debug, Clone)]
pub struct SettleOptions {
    /// What is sampled.
    pub design: Design,
    /// Documents to draw; without it as many as the plan says.
    pub count: Option<usize>,
    /// Power that is planned for.
    pub power: f64,
    /// Difference that is to be found; without it the one that is expected.
    pub difference: Option<f64>,
    /// Level of the verdict.
    pub level: f64,
    /// How many batches share the number; `None`: no plan, any number of batches.
    pub batches: Option<u32>,
    /// The number of this batch, from 1.
    pub batch: u32,
    /// Seed of the draws.
    pub seed: Seed,
}

/// Documents to judge, and the plan.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SettleAnswer {
    /// Documents to judge.
    pub documents: Vec<SettleDocument>,
    /// The plan that needs most; null where only scores are estimated, which nothing is planned for.
    pub planned: Option<Planned>,
    /// The plan of every measure and pair that is to be settled.
    pub comparisons: Vec<SettleComparison>,
}

/// A document to judge.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SettleDocument {
    /// The query.
    pub query_id: String,
    /// The document.
    pub doc_id: String,
    /// The probability that it was drawn with.
    pub probability: f64,
    /// What its label can change, as a share of all that unjudged documents can change, added up over measures, pairs and scores.
    pub weight: f64,
    /// The batch.
    pub batch: u32,
}

/// The plan of a measure and a pair.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SettleComparison {
    /// The measure.
    pub measure: String,
    /// The first run.
    pub a: String,
    /// The second run.
    pub b: String,
    /// The difference that judged documents lead one to expect, `a - b`.
    pub expected_difference: f64,
    /// The plan.
    #[serde(flatten)]
    pub planned: Planned,
}

/// Draws the documents to judge. `names` are those of the runs; documents in `known` have labels from earlier batches. Also what was drawn, for the form.
pub fn settle(
    question: &Question<'_>,
    names: &[String],
    options: &SettleOptions,
    known: &std::collections::HashSet<Document>,
) -> (SettleAnswer, Vec<Drawn>) {
    let qrels = question.setting.qrels;
    let is_known = |topic, docno: &[u8]| known.contains(&(qrels.name(topic).to_vec(), docno.to_vec()));
    let frame = Frame::new(question, options.design, options.seed, &is_known);
    let comparisons = plans(question, names, options, &frame);
    let planned = hardest(&comparisons);
    let whole = options.count.or(planned.as_ref().and_then(|planned| planned.count)).unwrap_or(0);
    let count =
        if options.count.is_some() { whole } else { whole.div_ceil(options.batches.unwrap_or(1).max(1) as usize) };
    let drawn = if count == 0 { Vec::new() } else { frame.draw(count, options.seed, options.batch) };
    let document = |drawn: &Drawn| SettleDocument {
        query_id: text(qrels.name(question.topics[drawn.topic])),
        doc_id: text(&drawn.docno),
        probability: drawn.probability,
        weight: drawn.priority,
        batch: options.batch,
    };
    let documents = drawn.iter().map(document).collect();
    (SettleAnswer { documents, planned, comparisons }, drawn)
}

/// How many documents would settle each measure and pair, at the difference that is expected.
pub fn plans(
    question: &Question<'_>,
    names: &[String],
    options: &SettleOptions,
    frame: &Frame,
) -> Vec<SettleComparison> {
    let pairs = question.targets.iter().filter(|target| target.less.is_some()).count().max(1) as f64;
    // Several pairs are corrected; the plan divides the level, which Holm's rule asks of the first at most.
    let level = 1.0 - (1.0 - options.level) / pairs;
    let one = |(place, (measure, target)): (usize, Contrast)| {
        let (a, b) = target.pair()?;
        let planner = Planner::new(frame, place, options.power, level);
        let expected_difference = planner.expected_difference();
        Some(SettleComparison {
            measure: question.setting.measures[measure].spec().to_string(),
            a: names[a].clone(),
            b: names[b].clone(),
            expected_difference,
            planned: planner.plan(options.difference.unwrap_or(expected_difference)),
        })
    };
    question.contrasts().enumerate().filter_map(one).collect()
}

/// The plan that needs most; one that cannot be met before all others.
fn hardest(comparisons: &[SettleComparison]) -> Option<Planned> {
    let needs = |found: &Planned| found.count.unwrap_or(usize::MAX);
    let plans = comparisons.iter().map(|comparison| &comparison.planned);
    plans.reduce(|most, other| if needs(other) > needs(most) { other } else { most }).cloned()
}
