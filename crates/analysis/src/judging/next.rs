//! Which documents to judge next, and how many until little enough is open.
//!
//! Of a measure linear in gain the list is made as if its documents were judged one after the other: a document on it takes its weight out of what is
//! open, and counts with its estimated gain, so that the second is chosen knowing the first. Other measures are in `by_effect`.

use std::collections::HashSet;

use karat_data::names::text;
use karat_data::{CollectionFacts, FormGrade, FormRow, Qrels, RankedDocuments, RunSource};
use karat_measures::Measure;
use karat_measures::linear::Form;
use schemars::JsonSchema;
use serde::Serialize;

use super::open::Open;
use super::priority::{Picker, priority};
use super::random_share::{self, RandomShare};
use super::world::{Doc, Scope, World};
use super::{
    About, GainModel, JudgingError, MeasureError, NeedsWeights, Selection, Strategy, by_effect, check_common_topics,
    check_level,
};
use crate::lists::RunPair;
use crate::scores::{Setting, names};
use crate::settle::draw::Drawn;
use crate::settle::record::Record;
use crate::unjudged::RelevanceModel;

/// Options of `next`.
pub struct NextOptions<'a> {
    /// The judgements so far, the collection, how lists are ordered and cut.
    pub setting: &'a Setting<'a>,
    /// The measure, the one of the setting.
    pub measure: &'a dyn Measure,
    /// How documents are put in order.
    pub strategy: Strategy,
    /// Whose uncertainty is to shrink.
    pub about: About,
    /// The estimated gain of unjudged documents, for a measure linear in gain.
    pub model: GainModel,
    /// How likely unjudged documents are relevant, for any other measure.
    pub relevance_model: Option<&'a RelevanceModel>,
    /// At most so many documents.
    pub count: Option<usize>,
    /// Until no more than this is open.
    pub target: Option<f64>,
    /// The part of the documents that is drawn at random.
    pub random: Option<RandomShare>,
}

impl NextOptions<'_> {
    /// How many documents are chosen, and not drawn at random.
    pub(super) fn chosen(&self) -> usize {
        let drawn = self.random.as_ref().map_or(0, |random| random.count);
        self.count.map_or(usize::MAX, |count| count.saturating_sub(drawn))
    }
}

/// The documents to judge next.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct NextAnswer {
    /// The documents, the most important first.
    pub next: Vec<NextJudgement>,
    /// The runs, with what is open before and after.
    pub runs: Vec<RunResidual>,
    /// Whether no further unjudged document matters.
    #[serde(skip)]
    pub ran_out: bool,
    /// How the target stands, where there is one.
    #[serde(skip)]
    pub target: Option<TargetState>,
    /// What `open_after` is the width of.
    #[serde(skip)]
    pub open: OpenOf,
    /// How the random part was drawn, if there is one: it goes next to the form.
    #[serde(skip)]
    pub record: Option<Box<Record>>,
}

/// A document to judge.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct NextJudgement {
    /// Its place in the order, from 1.
    pub place: usize,
    /// Its topic.
    pub topic: String,
    /// The document.
    pub document: String,
    /// Its priority by the strategy.
    pub weight: f64,
    /// The probability that it was to be in the list, 1 where it was chosen; null where nothing is drawn at random.
    pub probability: Option<f64>,
    /// What is open once it is judged: the largest width of bounds; null where it depends on the grade (measures not linear in gain).
    pub open_after: Option<f64>,
    /// Its ranks, in words; filled in when the answer is presented.
    pub why: String,
    /// The same as data.
    #[serde(skip)]
    pub ranks: DocumentRanks,
}

/// Where runs rank a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRanks {
    /// Runs and their ranks; `None` where a run does not have it.
    pub ranks: Vec<(String, Option<u32>)>,
    /// Further runs that have it.
    pub more: usize,
}

/// A run, with the width of its score's bounds.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunResidual {
    /// The run.
    pub run: String,
    /// Its mean score; unjudged documents count as not relevant.
    pub value: f64,
    /// Width of its bounds; null where the measure has none.
    pub residual: Option<f64>,
    /// Width of its bounds once these documents are judged; null where it depends on the grades.
    pub residual_after: Option<f64>,
    /// The part of the width that lies below the end of its lists; null for measures not linear in gain.
    pub residual_least: Option<f64>,
}

/// How a target stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TargetState {
    /// Little enough is open already.
    Met(f64),
    /// These judgements reach it, whatever they say.
    Reached(f64),
    /// These judgements do not reach it.
    NotReached(f64),
}

/// What the largest width of bounds is taken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenOf {
    /// The score of any run.
    Scores,
    /// The difference of any two runs.
    Differences,
    /// The difference of these two.
    Pair(String, String),
}

/// The documents to judge next.
///
/// # Errors
/// Everything wrong with the runs; a measure that no single document changes; a target that cannot be reached, or a random share that the measure
/// cannot be estimated from.
pub fn next(runs: &dyn RunSource, options: &NextOptions<'_>) -> Result<Selection<NextAnswer>, JudgingError> {
    let Setting { qrels, collection, policy, threads, .. } = *options.setting;
    check_level(options.measure, &collection)?;
    let Some(form) = options.measure.linear(&collection) else { return by_effect::next(runs, options) };
    let documents = RankedDocuments::read(runs, &policy, threads)?;
    let names = named_runs(options, &documents)?;
    let before = World::new(qrels, &documents, &form, &collection, options.model, Scope::All);
    let mut chooser = Chooser::new(before.clone(), options, &names);
    let least = chooser.open.floor(&chooser.world);
    if let Some(target) = options.target.filter(|&target| target < least) {
        return Err(JudgingError::TargetTooSmall { target, least });
    }
    let met = options.target.is_some_and(|target| chooser.now() <= target);
    let ran_out = chooser.choose();
    let target = options.target.map(|target| match chooser.now() <= target {
        _ if met => TargetState::Met(target),
        true => TargetState::Reached(target),
        false => TargetState::NotReached(target),
    });
    let pairs = chooser.pairs();
    let drawn = random_share::draw(options, (&documents, &names, pairs), &chooser.form)?;
    let record = drawn.map(|(drawn, record)| {
        drawn.iter().for_each(|drawn| chooser.add_drawn(drawn));
        record
    });
    let after = &chooser.world;
    let residual = |(run, name): (usize, &String)| RunResidual {
        run: name.clone(),
        value: before.value(run),
        residual: Some(before.residual(run)),
        residual_after: Some(after.residual(run)),
        residual_least: Some(after.tail(run)),
    };
    let runs = names.iter().enumerate().map(residual).collect();
    let open = open_of(options.about, chooser.picker.pair, &names);
    let answer = NextAnswer { next: chooser.next, runs, ran_out, target, open, record };
    Ok(Selection { answer, form: chooser.form, runs: documents.runs })
}

/// The names of the runs; checks that there are enough, and that they have topics of the judgements.
pub(super) fn named_runs(options: &NextOptions<'_>, documents: &RankedDocuments) -> Result<Vec<String>, JudgingError> {
    check_common_topics(options.setting.qrels, documents)?;
    let names = names(&documents.runs.iter().collect::<Vec<_>>())?;
    if (options.about != About::Scores || options.random.is_some()) && names.len() < 2 {
        return Err(JudgingError::OneRun { random: options.about == About::Scores });
    }
    Ok(names)
}

/// Chooses documents one after the other.
struct Chooser<'w> {
    world: World<'w>,
    picker: Picker,
    open: Open,
    options: &'w NextOptions<'w>,
    names: &'w [String],
    next: Vec<NextJudgement>,
    form: Vec<FormRow>,
}

impl<'w> Chooser<'w> {
    fn new(world: World<'w>, options: &'w NextOptions<'w>, names: &'w [String]) -> Chooser<'w> {
        let picker = Picker::new(&world, options.strategy, options.about);
        let open = Open::new(&world, options.about, picker.pair);
        Chooser { world, picker, open, options, names, next: Vec::new(), form: Vec::new() }
    }

    /// What is open now.
    fn now(&self) -> f64 {
        self.open.now(&self.world)
    }

    /// The pairs of runs that a random share is for.
    fn pairs(&self) -> Vec<RunPair> {
        pairs(self.options.about, self.names.len(), self.picker.pair)
    }

    /// Chooses the documents; whether no other document matters.
    fn choose(&mut self) -> bool {
        let most = self.options.chosen();
        while self.next.len() < most && self.options.target.is_none_or(|target| self.now() > target) {
            let Some((document, weight)) = self.picker.pick(&self.world) else { return true };
            self.add(document, weight, 1.0);
        }
        false
    }

    /// Adds a document that was drawn.
    fn add_drawn(&mut self, drawn: &Drawn) {
        let Some(topic) = self.world.topics.get(drawn.topic) else { return };
        let Some(place) = topic.documents.and_then(|documents| documents.place(&drawn.docno)) else { return };
        let Chooser { options, picker, .. } = &self;
        let weight = priority(&self.world, topic, place as usize, options.strategy, options.about, picker.pair);
        self.add(Doc { topic: drawn.topic, place: place as usize }, weight, drawn.probability);
    }

    fn add(&mut self, document: Doc, weight: f64, probability: f64) {
        let ranks = self.ranks(document);
        self.close(document);
        let (topic, docno) = self.name(document);
        let probability = self.options.random.as_ref().map(|_| probability);
        let row = random_share::row(topic, docno, probability);
        let next = NextJudgement {
            place: self.next.len() + 1,
            topic: text(topic),
            document: text(docno),
            weight,
            probability,
            open_after: Some(self.now()),
            why: String::new(),
            ranks,
        };
        self.form.push(row);
        self.next.push(next);
    }

    /// The document will be judged.
    fn close(&mut self, document: Doc) {
        let (gain, _) = self.world.gains.of(self.world.topics[document.topic].bands[document.place]);
        self.open.close(&self.world, document);
        self.world.close(document, gain);
        self.picker.judged(&self.world, document, false);
    }

    fn name(&self, document: Doc) -> (&[u8], &[u8]) {
        let topic = &self.world.topics[document.topic];
        let docno = topic.documents.map_or(&[][..], |documents| documents.docno(document.place as u32));
        (self.options.setting.qrels.name(topic.index), docno)
    }

    fn ranks(&self, document: Doc) -> DocumentRanks {
        let places = self.world.topics[document.topic].places(document.place);
        let places = places.iter().map(|place| (place.run as usize, place.rank)).collect();
        document_ranks(self.options.about, self.picker.pair, self.names, places)
    }
}

/// Which runs rank a document, the best ranks first; the two best runs where it is about their difference. `places` are runs and ranks.
pub(super) fn document_ranks(
    about: About,
    (a, b): RunPair,
    names: &[String],
    mut places: Vec<(usize, u32)>,
) -> DocumentRanks {
    const SHOWN: usize = 3;
    if about == About::Top {
        let rank = |run: usize| {
            let place = places.iter().find(|(own, _)| *own == run);
            (names[run].clone(), place.map(|(_, rank)| *rank))
        };
        return DocumentRanks { ranks: vec![rank(a), rank(b)], more: 0 };
    }
    places.sort_by_key(|&(run, rank)| (rank, run));
    let ranks = places.iter().take(SHOWN).map(|&(run, rank)| (names[run].clone(), Some(rank))).collect();
    DocumentRanks { ranks, more: places.len().saturating_sub(SHOWN) }
}

/// What widths are of.
pub(super) fn open_of(about: About, (a, b): RunPair, names: &[String]) -> OpenOf {
    match about {
        About::Scores => OpenOf::Scores,
        About::Differences => OpenOf::Differences,
        About::Top => OpenOf::Pair(names[a].clone(), names[b].clone()),
    }
}

/// The pairs of runs that a random share is for: the best two, or all.
pub(super) fn pairs(about: About, runs: usize, (a, b): RunPair) -> Vec<RunPair> {
    match about {
        About::Top => vec![(a.min(b), a.max(b))],
        About::Scores | About::Differences => (0..runs).flat_map(|b| (0..b).map(move |a| (a, b))).collect(),
    }
}

/// The measure taken apart; `what` needs that.
pub(super) fn linear<'m>(
    measure: &'m dyn Measure,
    collection: &CollectionFacts,
    what: NeedsWeights,
) -> Result<Form<'m>, JudgingError> {
    measure
        .linear(collection)
        .ok_or_else(|| MeasureError::NotLinear { measure: measure.spec().to_string(), what }.into())
}

/// Judgements so far, then what is to be judged.
pub fn completed(qrels: &Qrels, form: Vec<FormRow>) -> Vec<FormRow> {
    let mut rows: Vec<FormRow> = Vec::new();
    let asked: HashSet<(&[u8], &[u8])> = form.iter().map(|row| (&row.query_id[..], &row.doc_id[..])).collect();
    for topic in qrels.topics() {
        for (docno, judgement) in qrels.documents(topic) {
            if !asked.contains(&(qrels.name(topic), docno)) {
                let grade = judgement.grade().map_or(FormGrade::NotAsked, FormGrade::Grade);
                rows.push(FormRow::new(qrels.name(topic), docno, grade));
            }
        }
    }
    rows.extend(form);
    rows
}
