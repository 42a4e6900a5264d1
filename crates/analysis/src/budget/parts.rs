//! From scores, lists and calibration to the parts of the budget, and the order in which to judge.

use karat_data::names::text;
use karat_data::{Qrels, RankedDocuments, TopicIndex};
use karat_measures::Score;
use karat_runtime::jobs::in_order;
use karat_stats::Sample;
use karat_stats::interval;

use super::answer::{NextDocument, Source};
use super::calibrated::Calibrated;
use super::documents::{self, Documents, Worth};
use super::effects::{self, TopicModel};
use super::order::{Ordering, centred_refits};
use super::outlook::{Effort, Fit, Outlook, Quantiles, Step, Steps};
use super::{BudgetError, BudgetOptions, Subject};
use crate::document_effects::chances::Chances;
use crate::labels::LabelWeights;
use crate::lists::Lists;
use crate::scores::{RunScores, Setting};
use crate::unjudged::RelevanceModel;

/// As alike as documents of a topic are taken to be at most.
const MOST_ALIKE: f64 = 0.95;

/// The parts.
pub(super) struct Parts<'a> {
    /// The mean by the labels as they are.
    pub observed: f64,
    /// The mean with estimated relevance of unjudged documents, as gold judges would have it.
    pub value: f64,
    /// How alike documents of a topic are.
    pub alike: f64,
    /// Draws per topic, where the measure has no closed form.
    pub draws: Option<usize>,
    /// Whether unjudged documents are a source at all.
    pub modelled: bool,
    indices: Vec<TopicIndex>,
    topics: Vec<Documents>,
    worth: Worth,
    chances: Chances,
    spread: f64,
    sampling: Option<f64>,
    calibrated: Option<Calibrated<'a>>,
    /// What the refits of the model say of all documents, less its mean.
    refits: Vec<f64>,
    /// The numbers of all documents in the order of judging.
    order: Vec<u32>,
}

/// The topics that have a score in every run.
struct TopicScores {
    indices: Vec<TopicIndex>,
    /// The score, or the difference.
    observed: Vec<f64>,
    /// The same, corrected where there is a calibration, with the weight on each grade.
    labelled: Vec<(Score, LabelWeights)>,
}

impl TopicScores {
    fn new(subject: Subject<'_, '_>, scored: &[RunScores]) -> TopicScores {
        let mut scores = TopicScores { indices: Vec::new(), observed: Vec::new(), labelled: Vec::new() };
        for topic in subject.setting.qrels.topics() {
            let value = |run: &RunScores| Some(run.topics.get(topic)?[0].as_ref().ok()?.value);
            let Some(values) = scored.iter().map(value).collect::<Option<Vec<f64>>>() else { continue };
            let observed = values[0] - values.get(1).copied().unwrap_or(0.0);
            let weights: Option<Vec<_>> = scored.iter().map(|run| run.labels_of(topic, 0)).collect();
            let apart = weights.map(|weights| match &*weights {
                [one] => one.clone(),
                [one, other, ..] => one.iter().zip(other).map(|(a, b)| a - b).collect(),
                [] => Box::new([]),
            });
            scores.indices.push(topic);
            scores.observed.push(observed);
            scores.labelled.push((Score::exact(observed), apart));
        }
        scores
    }

    /// Corrects the scores for the judges' errors, where there is a calibration.
    fn calibrate<'a>(
        &mut self,
        subject: Subject<'_, 'a>,
        relevance_model: Option<&RelevanceModel>,
    ) -> Option<Calibrated<'a>> {
        let calibration = subject.setting.calibration?;
        Calibrated::new(subject.measure, &subject.setting.collection, calibration, &mut self.labelled, relevance_model)
    }

    /// The expected scores: with what unjudged documents add, corrected.
    fn expected(&self, topics: &[Documents]) -> Vec<f64> {
        let scores = self.observed.iter().zip(&self.labelled);
        let one = |(documents, (observed, (corrected, _))): (&Documents, (&f64, &(Score, LabelWeights)))| {
            documents.expected.unwrap_or(observed + documents.added) + corrected.value - observed
        };
        topics.iter().zip(scores).map(one).collect()
    }
}

impl<'a> Parts<'a> {
    pub fn new(
        subject: Subject<'_, 'a>,
        scored: &[RunScores],
        known: Option<(&RankedDocuments, &RelevanceModel)>,
        options: &BudgetOptions,
    ) -> Result<Parts<'a>, BudgetError> {
        let runs = scored.len();
        let known = known.filter(|_| RelevanceModel::concerns(subject.measure));
        let mut scores = TopicScores::new(subject, scored);
        let calibrated = scores.calibrate(subject, known.map(|(_, model)| model));
        let worth = known.map_or(Worth::EFFECT, |(_, model)| worth(subject, model, calibrated.as_ref()));
        let chances = known.map_or_else(Chances::default, |(read, model)| chances(read, model, runs));
        let draws = known.filter(|_| subject.form().is_none()).map(|known| draws(known, options));
        let topics = match known {
            None => scores.indices.iter().map(|_| Documents::default()).collect(),
            Some((read, relevance_model)) => {
                let right = relevance_model.taken_as_right(draws.unwrap_or(0));
                let model = TopicModel { relevance_model, right, chances: &chances };
                topic_documents(subject, runs, (read, &model), &scores.indices, &worth)?
            }
        };
        let expected = scores.expected(&topics);
        let parts = Parts {
            observed: mean(&scores.observed),
            value: mean(&expected),
            alike: alike(&topics),
            draws: draws.map(|draws| draws as usize),
            modelled: known.is_some(),
            sampling: sampling(scored, &scores.indices),
            indices: scores.indices,
            refits: centred_refits(&topics, &worth, &chances),
            topics,
            worth,
            chances,
            spread: spread(&expected, options.level)?,
            calibrated,
            order: Vec::new(),
        };
        Ok(Parts { order: parts.ordering().order(), ..parts })
    }

    fn count(&self) -> f64 {
        self.topics.len() as f64
    }

    /// Documents that can be judged.
    pub fn documents(&self) -> usize {
        self.order.len()
    }

    fn ordering(&self) -> Ordering<'_> {
        Ordering::new(&self.topics, &self.worth, &self.chances, &self.refits)
    }

    /// What effort does.
    pub fn outlook(&self, level: f64) -> Outlook {
        let count = self.topics.len() as u64;
        let monte_carlo: f64 = self.topics.iter().map(|topic| topic.monte_carlo).sum();
        Outlook {
            level,
            quantiles: Quantiles::new(level, count),
            count,
            spread: self.spread,
            monte_carlo: monte_carlo / (self.count() * self.count()),
            steps: self.steps(),
            gold: self.calibrated.as_ref().map_or(0, Calibrated::gold_labels),
            gold_unsure: self.calibrated.as_ref().map_or(1.0, Calibrated::variance_factor),
        }
    }

    /// What is left after each judgement in the order of judging.
    fn steps(&self) -> Steps {
        let ordering = self.ordering();
        let (mut left, all) = (self.refits.clone(), &self.refits);
        let mut weights = self.calibrated.as_ref().map_or_else(Vec::new, |found| found.weights.clone());
        let mut step = Step {
            open: self.topics.iter().map(|topic| topic.variance).sum(),
            shown: 0.0,
            fit: Fit::new(&left, all),
            judges: self.calibrated.as_ref().map_or(0.0, |found| found.judges),
        };
        let mut shown: Vec<f64> = self.topics.iter().map(|topic| topic.judged).collect();
        let mut steps = Steps::new(self.order.len());
        steps.push(step);
        for (judgements, number) in (1..).zip(&self.order) {
            let (place, open) = ordering.document(*number);
            let topic = &self.topics[place];
            let chance = self.chances.chance(open.ranks);
            step.open = (step.open - topic.together * self.worth.variance(open.weight, chance)).max(0.0);
            // Documents that are alike add up where they pull the same way. Where they would cancel that is not counted on: a document that
            // good systems did not find is less alike to those they found than these are to each other.
            let (own, before) = (topic.together.sqrt() * self.worth.will_show(open.weight, chance), &mut shown[place]);
            step.shown += own * own + 2.0 * self.alike * (own * *before).max(0.0);
            *before += own;
            ordering.remove(open, &mut left);
            if let Some(found) = &self.calibrated {
                found.add_judgement(&mut weights, open.weight, chance, self.count());
            }
            if steps.keeps(judgements) {
                step.fit = Fit::new(&left, all);
                let found = self.calibrated.as_ref().and_then(|found| found.variance(&weights));
                step.judges = found.unwrap_or(step.judges);
                steps.push(step);
            }
        }
        steps
    }

    /// The sources that apply. What the sample of judgements does is within the scatter of the topics' scores, and is booked under its own name.
    pub fn sources(&self, outlook: &Outlook) -> Vec<(Source, f64)> {
        let parts = outlook.after(Effort::default());
        let sampling = self.sampling.unwrap_or(0.0).min(parts.topics);
        let all = [
            (true, Source::Topics, parts.topics - sampling),
            (self.modelled, Source::Unjudged, parts.chance + parts.fit),
            (self.calibrated.is_some(), Source::Judges, parts.judges),
            (self.sampling.is_some(), Source::JudgementSampling, sampling),
            (self.draws.is_some(), Source::MonteCarlo, parts.monte_carlo),
            (parts.fit > 0.0, Source::Interaction, parts.interaction()),
        ];
        all.into_iter().filter(|(applies, ..)| *applies).map(|(_, source, variance)| (source, variance)).collect()
    }

    /// The first documents in order.
    pub fn next(&self, qrels: &Qrels, read: Option<&RankedDocuments>, most: usize) -> Vec<NextDocument> {
        let ordering = self.ordering();
        let one = |(number, removed): (&u32, f64)| {
            let (place, open) = ordering.document(*number);
            let topic = qrels.name(self.indices[place]);
            let documents = read?.find(topic)?;
            let (run, rank) = open.ranks.iter().enumerate().find(|(_, rank)| **rank > 0)?;
            let document = *documents.list(run).get(*rank as usize - 1)?;
            Some(NextDocument {
                topic: text(topic),
                document: text(documents.docno(document)),
                weight: self.worth.effect(open.weight),
                variance_removed: removed / (self.count() * self.count()),
            })
        };
        self.order.iter().zip(ordering.removed(&self.order, most)).filter_map(one).collect()
    }
}

/// What relevance does to gains, and what gold judges would say of it where scores are corrected.
fn worth(subject: Subject<'_, '_>, relevance_model: &RelevanceModel, calibrated: Option<&Calibrated<'_>>) -> Worth {
    let Some(form) = subject.form() else { return Worth::EFFECT };
    let gold = calibrated.and_then(Calibrated::gold_gains);
    let gold_gain = |grade: f64| {
        let known = gold.iter().flatten().find(|(other, _)| *other == grade);
        known.map_or(0.0, |(_, gain)| *gain)
    };
    let shown: Option<&dyn Fn(f64) -> f64> = if gold.is_some() { Some(&gold_gain) } else { None };
    Worth::new(&form, relevance_model, shown)
}

/// Chances down to the deepest rank.
fn chances(read: &RankedDocuments, relevance_model: &RelevanceModel, runs: usize) -> Chances {
    let lists = read.topics.iter().flat_map(|topic| (0..runs).map(|run| topic.list(run).len()));
    Chances::new(relevance_model, lists.max().unwrap_or(0))
}

/// The number of draws per topic: as given, else as many as the model has, and fewer where there are many documents.
fn draws((read, relevance_model): (&RankedDocuments, &RelevanceModel), options: &BudgetOptions) -> u32 {
    options.draws.unwrap_or_else(|| effects::draws(relevance_model.draws(), documents_of(read)) as u32)
}

fn documents_of(read: &RankedDocuments) -> usize {
    read.topics.iter().map(karat_data::TopicDocuments::len).sum()
}

/// What the documents of each topic do.
fn topic_documents(
    subject: Subject<'_, '_>,
    runs: usize,
    (read, model): (&RankedDocuments, &TopicModel<'_>),
    indices: &[TopicIndex],
    worth: &Worth,
) -> Result<Vec<Documents>, BudgetError> {
    let Setting { qrels, collection, policy, measures, threads, .. } = *subject.setting;
    let all = documents_of(read);
    let one = |at: usize| {
        let lists = Lists::new(qrels, collection, policy.depth, read, indices[at]);
        match subject.form() {
            Some(form) => Some(documents::linear(&form, &lists, runs, (model.relevance_model, model.chances), worth)),
            None => effects::drawn(measures, &lists, runs, model, qrels.name(indices[at]), all),
        }
    };
    let found = in_order(indices.len(), threads, one);
    found
        .into_iter()
        .zip(indices)
        .map(|(documents, topic)| {
            documents.ok_or_else(|| BudgetError::Undefined {
                measure: subject.measure.spec().to_string(),
                topic: text(qrels.name(*topic)),
            })
        })
        .collect()
}

/// How alike documents of a topic are, from the judged ones.
fn alike(topics: &[Documents]) -> f64 {
    let (surprises, scales) =
        topics.iter().fold((0.0, 0.0), |sum, topic| (sum.0 + topic.alike.0, sum.1 + topic.alike.1));
    if scales > 0.0 { (surprises / scales).clamp(0.0, MOST_ALIKE) } else { 0.0 }
}

/// The variance of topics' scores.
fn spread(expected: &[f64], level: f64) -> Result<f64, BudgetError> {
    let topics = expected.len();
    match Sample::new(expected).ok().map(|sample| (interval::t(&sample, level), sample.variance())) {
        Some((Ok(_), Ok(variance))) => Ok(variance),
        Some((Err(interval::NoInterval::Constant { value }), _)) => Err(BudgetError::SameScore { topics, value }),
        _ => Err(BudgetError::TooFewTopics { topics }),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Variance of a single run's mean over samples of the judgements; topics that do not tell theirs are as the others.
fn sampling(scored: &[RunScores], topics: &[TopicIndex]) -> Option<f64> {
    let [run] = scored else { return None };
    let known: Vec<f64> = topics.iter().filter_map(|topic| run.sampling_of(*topic, 0)).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64 / topics.len() as f64)
}
