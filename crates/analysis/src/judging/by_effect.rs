//! Which documents to judge next, by any measure: those with the largest effects.
//!
//! The one decision: a document's priority is that of a measure linear in gain, the variance of the mean score that its judgement removes, with the
//! effect of [`crate::document_effects`] in place of weight times gain: effect² p (1 − p) / topics². `budget` uses the same effects. They are computed
//! once, so that no document of the list counts as judged for those after it.

use karat_data::names::text;
use karat_data::{RankedDocuments, RunSource, TopicIndex};
use karat_measures::{Aggregate, Score};
use karat_runtime::jobs::in_order;

use super::next::{NextAnswer, NextJudgement, NextOptions, RunResidual, document_ranks, named_runs, open_of, pairs};
use super::{About, JudgingError, MeasureError, NeedsWeights, Selection, Strategy, random_share};
use crate::compare::truths;
use crate::document_effects::chances::Chances;
use crate::document_effects::{self, ROUNDING, Retrieved, Turning};
use crate::lists::{Lists, RunPair};
use crate::scores::Setting;
use crate::settle::draw::Drawn;
use crate::unjudged::RelevanceModel;

/// Draws of unjudged relevance per topic that say which two runs are best.
const DRAWS: u32 = 20;

/// An unjudged document.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    priority: f64,
    topic: u32,
    /// Its number in the topic.
    document: u32,
}

/// The documents to judge next.
pub(super) fn next(runs: &dyn RunSource, options: &NextOptions<'_>) -> Result<Selection<NextAnswer>, JudgingError> {
    let relevance_model = check(options)?;
    let Setting { qrels, policy, threads, .. } = *options.setting;
    let documents = RankedDocuments::named(qrels, runs, &policy, threads)?;
    let names = named_runs(options, &documents)?;
    let topics: Vec<TopicIndex> = qrels.topics().collect();
    let order = Order { options, relevance_model, documents: &documents, topics: &topics, runs: names.len() };
    let pair = order.best_two();
    let all = order.candidates(pair)?;
    let mut list = List { order: &order, names: &names, pair, rows: Vec::new(), form: Vec::new() };
    let chosen = all.iter().take(options.chosen());
    chosen.for_each(|candidate| list.add(candidate, 1.0));
    let pairs = pairs(options.about, names.len(), pair);
    let drawn = random_share::draw(options, (&documents, &names, pairs), &list.form)?;
    let record = drawn.map(|(drawn, record)| {
        drawn.iter().for_each(|drawn| list.add_drawn(&all, drawn));
        record
    });
    let List { rows, form, .. } = list;
    let ran_out = options.count.is_some_and(|count| rows.len() < count);
    let runs = names.iter().enumerate().map(|(run, name)| order.residual(run, name)).collect();
    let open = open_of(options.about, pair, &names);
    let answer = NextAnswer { next: rows, runs, ran_out, target: None, open, record };
    Ok(Selection { answer, form, runs: documents.runs })
}

/// The options suit a measure that is not linear; the relevance model.
fn check<'a>(options: &NextOptions<'a>) -> Result<&'a RelevanceModel, JudgingError> {
    let measure = || options.measure.spec().to_string();
    let needs = |what: NeedsWeights| Err(MeasureError::NotLinear { measure: measure(), what }.into());
    if options.strategy != Strategy::Variance {
        return needs(NeedsWeights::Strategy(options.strategy));
    }
    if options.target.is_some() {
        return needs(NeedsWeights::Target);
    }
    let is_mean = options.measure.info().aggregate == Aggregate::Mean;
    let model = options.relevance_model.filter(|_| is_mean && RelevanceModel::concerns(options.measure));
    model.ok_or_else(|| MeasureError::NoEffect { measure: measure() }.into())
}

/// What documents are put in order by.
struct Order<'o> {
    options: &'o NextOptions<'o>,
    relevance_model: &'o RelevanceModel,
    documents: &'o RankedDocuments,
    topics: &'o [TopicIndex],
    runs: usize,
}

impl Order<'_> {
    fn lists(&self, topic: usize) -> Lists<'_> {
        let Setting { qrels, collection, policy, .. } = *self.options.setting;
        Lists::new(qrels, collection, policy.depth, self.documents, self.topics[topic])
    }

    fn name(&self, topic: usize) -> &[u8] {
        self.options.setting.qrels.name(self.topics[topic])
    }

    /// The two runs with the largest expected scores.
    fn best_two(&self) -> RunPair {
        if self.runs < 2 || self.options.about != About::Top {
            return (0, 1.min(self.runs.saturating_sub(1)));
        }
        let right = self.relevance_model.taken_as_right(DRAWS);
        let measures = self.options.setting.measures;
        let one = |topic: usize| {
            let lists = self.lists(topic);
            let drawn = truths::draw(&lists, self.runs, measures, &right, self.name(topic));
            let sum =
                |run: usize| drawn[run].first().and_then(Option::as_deref).map_or(0.0, |values| values.iter().sum());
            (0..self.runs).map(sum).collect::<Vec<f64>>()
        };
        let found = in_order(self.topics.len(), self.options.setting.threads, one);
        let score = |run: usize| found.iter().map(|topic| topic[run]).sum::<f64>();
        let mut order: Vec<(f64, usize)> = (0..self.runs).map(|run| (score(run), run)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        (order[0].1, order[1].1)
    }

    /// All documents that matter, the largest priority first; equal ones by topic, then docno.
    fn candidates(&self, pair: RunPair) -> Result<Vec<Candidate>, JudgingError> {
        let lists = self.documents.topics.iter().flat_map(|topic| (0..self.runs).map(|run| topic.list(run).len()));
        let chances = Chances::new(self.relevance_model, lists.max().unwrap_or(0));
        let all = self.documents.topics.iter().map(karat_data::TopicDocuments::len).sum();
        let truths = document_effects::truths(self.runs, all);
        let one = |topic: usize| self.of_topic(topic, (&chances, truths), pair);
        let found = in_order(self.topics.len(), self.options.setting.threads, one);
        let mut candidates = Vec::new();
        for (topic, own) in found.into_iter().enumerate() {
            candidates.extend(own.ok_or_else(|| MeasureError::Undefined {
                measure: self.options.measure.spec().to_string(),
                topic: text(self.name(topic)),
            })?);
        }
        candidates
            .sort_by(|a, b| b.priority.total_cmp(&a.priority).then((a.topic, a.document).cmp(&(b.topic, b.document))));
        Ok(candidates)
    }

    /// The documents of a topic; `None` where the measure has no value on some truth.
    fn of_topic(&self, topic: usize, (chances, truths): (&Chances, usize), pair: RunPair) -> Option<Vec<Candidate>> {
        let lists = self.lists(topic);
        let retrieved = Retrieved::new(&lists, self.runs);
        let turning = Turning::new(&lists, (self.relevance_model, chances), &retrieved);
        let effects = turning.effects(self.options.measure, truths, self.name(topic))?;
        let topics = self.topics.len() as f64;
        let candidate = |place: usize| {
            let squared = squared_effect(effects.of(place), self.options.about, pair);
            let chance = chances.of_ranks(retrieved.ranks(place));
            let priority = squared * chance * (1.0 - chance) / (topics * topics);
            let is_open = !retrieved.judgement(place).is_judged() && squared > ROUNDING * ROUNDING && priority > 0.0;
            is_open.then_some(Candidate { priority, topic: topic as u32, document: retrieved.number(place) })
        };
        Some((0..retrieved.len()).filter_map(candidate).collect())
    }

    /// A run with the width of its bounds.
    fn residual(&self, run: usize, name: &str) -> RunResidual {
        let score = |topic: usize| self.options.measure.score(&self.lists(topic).view(run)).ok();
        let found: Vec<Score> = (0..self.topics.len()).filter_map(score).collect();
        let mean = |of: fn(&Score) -> f64| found.iter().map(of).sum::<f64>() / found.len().max(1) as f64;
        RunResidual {
            run: name.to_owned(),
            value: mean(|score| score.value),
            residual: Some(mean(|score| score.high - score.low)).filter(|width| width.is_finite()),
            residual_after: None,
            residual_least: None,
        }
    }
}

/// The square of a document's effect on the scores or differences, summed over runs or pairs of runs.
fn squared_effect(effects: &[f64], about: About, (a, b): RunPair) -> f64 {
    let squares = || effects.iter().map(|effect| effect * effect).sum::<f64>();
    match about {
        About::Scores => squares(),
        // Sum over pairs of (e_a - e_b)^2 = n * sum of e^2 - (sum of e)^2; what rounding leaves of equal effects is no difference.
        About::Differences => {
            let (all, sum) = (effects.len() as f64 * squares(), effects.iter().sum::<f64>());
            if all - sum * sum > 1e-12 * all { all - sum * sum } else { 0.0 }
        }
        About::Top => (effects[a] - effects[b]).powi(2),
    }
}

/// The list.
struct List<'l> {
    order: &'l Order<'l>,
    names: &'l [String],
    pair: RunPair,
    rows: Vec<NextJudgement>,
    form: Vec<karat_data::FormRow>,
}

impl List<'_> {
    fn add(&mut self, candidate: &Candidate, probability: f64) {
        let name = self.order.name(candidate.topic as usize);
        let Some(documents) = self.order.documents.find(name) else { return };
        let docno = documents.docno(candidate.document);
        let places = (0..self.order.runs).filter_map(|run| {
            let place = documents.list(run).iter().position(|document| *document == candidate.document)?;
            Some((run, place as u32 + 1))
        });
        let options = self.order.options;
        let probability = options.random.as_ref().map(|_| probability);
        self.form.push(random_share::row(name, docno, probability));
        self.rows.push(NextJudgement {
            place: self.rows.len() + 1,
            topic: text(name),
            document: text(docno),
            weight: candidate.priority,
            probability,
            open_after: None,
            why: String::new(),
            ranks: document_ranks(options.about, self.pair, self.names, places.collect()),
        });
    }

    /// Adds a document that was drawn.
    fn add_drawn(&mut self, all: &[Candidate], drawn: &Drawn) {
        let name = self.order.name(drawn.topic);
        let Some(document) = self.order.documents.find(name).and_then(|found| found.place(&drawn.docno)) else {
            return;
        };
        let is_it = |candidate: &&Candidate| (candidate.topic as usize, candidate.document) == (drawn.topic, document);
        let priority = all.iter().find(is_it).map_or(0.0, |candidate| candidate.priority);
        self.add(&Candidate { priority, topic: drawn.topic as u32, document }, drawn.probability);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_by_hand() {
        let effects = [0.5, 0.25, 0.0];
        assert_eq!(squared_effect(&effects, About::Scores, (0, 1)), 0.3125);
        // .25² + .5² + .25².
        assert_eq!(squared_effect(&effects, About::Differences, (0, 1)), 0.375);
        assert_eq!(squared_effect(&effects, About::Top, (0, 1)), 0.0625);
        assert_eq!(squared_effect(&[0.1, 0.1, 0.1], About::Differences, (0, 1)), 0.0);
    }
}
