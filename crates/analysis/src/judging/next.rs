//! Which documents to judge next, and how many until little enough is open.
//!
//! The list is made as if its documents were judged one after the other: a document on it takes its weight out of what is
//! open, and counts with its estimated gain, so that the second is chosen knowing the first.

use std::collections::HashSet;

use karat_data::names::text;
use karat_data::{CollectionFacts, FormGrade, FormRow, Policy, Qrels, RankedDocuments, RunSource};
use karat_measures::Measure;
use karat_measures::linear::Form;
use schemars::JsonSchema;
use serde::Serialize;

use super::open::Open;
use super::priority::Picker;
use super::world::{Doc, Scope, World};
use super::{About, GainModel, JudgingError, Selection, Strategy, check_common_topics, check_level};
use crate::scores::names;

/// Options of `next`.
pub struct NextOptions<'a> {
    /// The judgements so far.
    pub qrels: &'a Qrels,
    /// The collection.
    pub collection: CollectionFacts,
    /// The measure, linear in gain.
    pub measure: &'a dyn Measure,
    /// How lists are ordered and cut.
    pub policy: Policy,
    /// How documents are put in order.
    pub strategy: Strategy,
    /// Whose uncertainty is to shrink.
    pub about: About,
    /// The estimated gain of unjudged documents.
    pub model: GainModel,
    /// At most so many documents.
    pub count: Option<usize>,
    /// Until no more than this is open.
    pub target: Option<f64>,
    /// Threads to use.
    pub threads: usize,
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
    /// What is open once it is judged: the largest width of bounds.
    pub open_after: f64,
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
    /// Width of its bounds.
    pub residual: f64,
    /// Width of its bounds once these documents are judged.
    pub residual_after: f64,
    /// The part of the width that lies below the end of its lists.
    pub residual_least: f64,
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
/// Everything wrong with the runs; a measure that is not linear; a target that cannot be reached.
pub fn next(runs: &dyn RunSource, options: &NextOptions<'_>) -> Result<Selection<NextAnswer>, JudgingError> {
    let form = linear(options.measure, &options.collection)?;
    check_level(options.measure, &options.collection)?;
    let documents = RankedDocuments::read(runs, &options.policy, options.threads)?;
    check_common_topics(options.qrels, &documents)?;
    let names = names(&documents.runs.iter().collect::<Vec<_>>())?;
    if options.about != About::Scores && names.len() < 2 {
        return Err(JudgingError::OneRun);
    }
    let before = World::new(options.qrels, &documents, &form, &options.collection, options.model, Scope::All);
    let mut chooser = Chooser::new(before.clone(), options, &names);
    let least = chooser.open.floor(&chooser.world);
    if let Some(target) = options.target.filter(|&target| target < least) {
        return Err(JudgingError::TargetTooSmall { target, least });
    }
    let met = options.target.is_some_and(|target| chooser.now() <= target);
    let (next, form_rows, ran_out) = chooser.choose();
    let target = options.target.map(|target| match chooser.now() <= target {
        _ if met => TargetState::Met(target),
        true => TargetState::Reached(target),
        false => TargetState::NotReached(target),
    });
    let after = &chooser.world;
    let residual = |(run, name): (usize, &String)| RunResidual {
        run: name.clone(),
        value: before.value(run),
        residual: before.residual(run),
        residual_after: after.residual(run),
        residual_least: after.tail(run),
    };
    let runs = names.iter().enumerate().map(residual).collect();
    let answer = NextAnswer { next, runs, ran_out, target, open: chooser.open_of() };
    Ok(Selection { answer, form: form_rows, runs: documents.runs })
}

/// Chooses documents one after the other.
struct Chooser<'w> {
    world: World<'w>,
    picker: Picker,
    open: Open,
    options: &'w NextOptions<'w>,
    names: &'w [String],
}

impl<'w> Chooser<'w> {
    fn new(world: World<'w>, options: &'w NextOptions<'w>, names: &'w [String]) -> Chooser<'w> {
        let picker = Picker::new(&world, options.strategy, options.about);
        let open = Open::new(&world, options.about, picker.pair);
        Chooser { world, picker, open, options, names }
    }

    /// What is open now.
    fn now(&self) -> f64 {
        self.open.now(&self.world)
    }

    /// The documents, their rows of the form, and whether no other document matters.
    fn choose(&mut self) -> (Vec<NextJudgement>, Vec<FormRow>, bool) {
        let (mut next, mut form) = (Vec::new(), Vec::new());
        let most = self.options.count.unwrap_or(usize::MAX);
        while next.len() < most && self.options.target.is_none_or(|target| self.now() > target) {
            let Some((document, weight)) = self.picker.pick(&self.world) else { return (next, form, true) };
            let ranks = self.ranks(document);
            self.close(document);
            let (topic, docno) = self.name(document);
            form.push(FormRow::new(topic, docno, FormGrade::Asked));
            next.push(NextJudgement {
                place: next.len() + 1,
                topic: text(topic),
                document: text(docno),
                weight,
                open_after: self.now(),
                why: String::new(),
                ranks,
            });
        }
        (next, form, false)
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
        (self.options.qrels.name(topic.index), docno)
    }

    /// Which runs rank it, the best ranks first; the two best runs where it is about their difference.
    fn ranks(&self, document: Doc) -> DocumentRanks {
        const SHOWN: usize = 3;
        let mut places = self.world.topics[document.topic].places(document.place).to_vec();
        if self.options.about == About::Top {
            let (a, b) = self.picker.pair;
            let rank = |run: usize| {
                let place = places.iter().find(|place| place.run as usize == run);
                (self.names[run].clone(), place.map(|place| place.rank))
            };
            return DocumentRanks { ranks: vec![rank(a), rank(b)], more: 0 };
        }
        places.sort_by_key(|place| (place.rank, place.run));
        let shown = places.iter().take(SHOWN);
        let ranks = shown.map(|place| (self.names[place.run as usize].clone(), Some(place.rank))).collect();
        DocumentRanks { ranks, more: places.len().saturating_sub(SHOWN) }
    }

    fn open_of(&self) -> OpenOf {
        let (a, b) = self.picker.pair;
        match self.options.about {
            About::Scores => OpenOf::Scores,
            About::Differences => OpenOf::Differences,
            About::Top => OpenOf::Pair(self.names[a].clone(), self.names[b].clone()),
        }
    }
}

/// The measure taken apart.
pub(super) fn linear<'m>(measure: &'m dyn Measure, collection: &CollectionFacts) -> Result<Form<'m>, JudgingError> {
    measure.linear(collection).ok_or_else(|| JudgingError::NotLinear { measure: measure.spec().to_string() })
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
