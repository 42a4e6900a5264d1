//! What one document's relevance does to the scores of runs, by any measure: the score with it relevant less the score with it not.
//!
//! The one decision: the effect of a document is the mean over truths, in which every other unjudged document has a drawn grade. To first order that is
//! all that a judgement can show. `budget` and `next` both choose documents by it.
//!
//! Usual measures are turned in one pass per truth ([`ClosedForm`]); any other is scored twice for each document ([`Literal`]).

pub(crate) mod chances;
mod closed_form;
mod literal;

use karat_data::{Grade, Judgement};
use karat_measures::Measure;

use crate::lists::Lists;
use crate::unjudged::RelevanceModel;
use chances::Chances;
use closed_form::ClosedForm;
use literal::Literal;

/// Scores that may be computed for one question, over all topics.
const MOST_SCORES: usize = 400_000;
/// Truths on which each document is turned.
const TRUTHS: (usize, usize) = (4, 32);
/// Smaller effects are rounding.
pub(crate) const ROUNDING: f64 = 1e-13;

/// On how many truths each document of some runs is turned; `documents` is how many there are over all topics.
pub(crate) fn truths(runs: usize, documents: usize) -> usize {
    (MOST_SCORES / (2 * runs * documents).max(1)).clamp(TRUTHS.0, TRUTHS.1)
}

/// The documents that some runs have, in the order in which they are met, with their ranks.
#[derive(Debug, Clone)]
pub(crate) struct Retrieved {
    runs: usize,
    documents: Vec<(u32, Judgement)>,
    /// From 1, one run after the other for each document; 0 where a run does not have it.
    ranks: Vec<u32>,
}

impl Retrieved {
    /// Of the first runs.
    pub fn new(lists: &Lists<'_>, runs: usize) -> Retrieved {
        let longest = (0..runs).flat_map(|run| lists.list(run)).map(|document| *document as usize + 1).max();
        let mut places: Vec<u32> = vec![u32::MAX; longest.unwrap_or(0)];
        let mut documents = Vec::with_capacity((0..runs).map(|run| lists.list(run).len()).sum());
        let mut ranks = Vec::new();
        for run in 0..runs {
            for (rank, &document) in (1..).zip(lists.list(run)) {
                let place = &mut places[document as usize];
                if *place == u32::MAX {
                    *place = documents.len() as u32;
                    documents.push((document, lists.known(document)));
                    ranks.resize(ranks.len() + runs, 0);
                }
                ranks[*place as usize * runs + run] = rank;
            }
        }
        Retrieved { runs, documents, ranks }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// The number of a document in its topic.
    pub fn number(&self, place: usize) -> u32 {
        self.documents[place].0
    }

    /// What is known of it.
    pub fn judgement(&self, place: usize) -> Judgement {
        self.documents[place].1
    }

    /// Its ranks by run.
    pub fn ranks(&self, place: usize) -> &[u32] {
        &self.ranks[place * self.runs..][..self.runs]
    }

    /// What is known of each, with its ranks in one run or in two.
    pub fn pairs(&self) -> impl Iterator<Item = (Judgement, chances::Ranks)> + '_ {
        (0..self.len()).map(|place| (self.judgement(place), self.pair(place)))
    }

    /// Its ranks in one run or in two.
    pub fn pair(&self, place: usize) -> chances::Ranks {
        let ranks = self.ranks(place);
        [ranks[0], ranks.get(1).copied().unwrap_or(0)]
    }
}

/// A truth of a topic, and what every document retrieved would be if it were turned.
#[derive(Debug, Default)]
struct Truth {
    /// By document retrieved.
    documents: Vec<Turned>,
    /// All documents of the topic by grade, in ascending order.
    counts: Vec<(Grade, u32)>,
}

/// The grades of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Turned {
    /// In the truth.
    is: f64,
    /// If it were relevant.
    relevant: f64,
    /// If it were not.
    other: f64,
}

/// By document retrieved, its effect on each run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Effects {
    runs: usize,
    values: Vec<f64>,
}

impl Effects {
    fn none(runs: usize, documents: usize) -> Effects {
        Effects { runs, values: vec![0.0; runs * documents] }
    }

    fn add(&mut self, place: usize, run: usize, effect: f64) {
        self.values[place * self.runs + run] += effect;
    }

    /// The effects of a document by run.
    pub fn of(&self, place: usize) -> &[f64] {
        &self.values[place * self.runs..][..self.runs]
    }
}

/// What the effect of every document retrieved on each run is computed from.
pub(crate) struct Turning<'a> {
    lists: &'a Lists<'a>,
    runs: usize,
    relevance_model: &'a RelevanceModel,
    chances: &'a Chances,
    retrieved: &'a Retrieved,
    /// For each run and rank the place of the document among those retrieved.
    places: Vec<Vec<u32>>,
}

impl<'a> Turning<'a> {
    /// Of a topic.
    pub fn new(
        lists: &'a Lists<'a>,
        (relevance_model, chances): (&'a RelevanceModel, &'a Chances),
        retrieved: &'a Retrieved,
    ) -> Turning<'a> {
        let runs = retrieved.runs;
        let mut places: Vec<Vec<u32>> = (0..runs).map(|run| vec![0; lists.list(run).len()]).collect();
        for place in 0..retrieved.len() {
            for (places, rank) in places.iter_mut().zip(retrieved.ranks(place)).filter(|(_, rank)| **rank > 0) {
                places[*rank as usize - 1] = place as u32;
            }
        }
        Turning { lists, runs, relevance_model, chances, retrieved, places }
    }

    /// The effects: in closed form where the measure has one. `None` where the measure has no value on some truth.
    pub fn effects(&self, measure: &dyn Measure, truths: usize, name: &[u8]) -> Option<Effects> {
        match ClosedForm::new(measure) {
            Some(form) => self.mean(truths, name, |truth, run, effects| form.turn(self, truth, run, effects)),
            None => {
                let literal = Literal::new(self, measure);
                self.mean(truths, name, |truth, run, effects| literal.turn(truth, run, effects))
            }
        }
    }

    /// The mean over truths of what `turn` adds up for each of them and each run.
    fn mean(
        &self,
        truths: usize,
        name: &[u8],
        mut turn: impl FnMut(&Truth, usize, &mut Effects) -> Option<()>,
    ) -> Option<Effects> {
        let streams = self.relevance_model.streams(&[name, b", one document turned"].concat());
        let all = self.retrieved.len();
        let chances: Vec<f64> = (0..all).map(|place| self.chances.of_ranks(self.retrieved.ranks(place))).collect();
        let known = self.lists.view(0).facts.grades.to_vec();
        let mut effects = Effects::none(self.runs, all);
        let mut truth = Truth::default();
        for draw in 0..truths {
            let mut stream = streams.at(draw as u64);
            truth.documents.clear();
            truth.counts.clone_from(&known);
            for (place, chance) in chances.iter().enumerate() {
                let is = self.retrieved.judgement(place).grade().unwrap_or_else(|| {
                    let grade = self.relevance_model.grade(stream.unit(), *chance);
                    count(&mut truth.counts, grade, 1);
                    grade
                });
                truth.documents.push(Turned { is, relevant: is, other: is });
            }
            for turned in &mut truth.documents {
                let unit = stream.unit();
                turned.relevant = self.relevance_model.grades().given(unit, true);
                turned.other = self.relevance_model.grades().given(unit, false);
            }
            (0..self.runs).try_for_each(|run| turn(&truth, run, &mut effects))?;
        }
        effects.values.iter_mut().for_each(|effect| *effect /= truths as f64);
        Some(effects)
    }
}

/// One document more or less of a grade, among grades in ascending order.
fn count(counts: &mut Vec<(Grade, u32)>, grade: f64, by: i32) {
    let grade = Grade::new(grade).unwrap_or(Grade::ZERO);
    match counts.binary_search_by(|(known, _)| known.value().total_cmp(&grade.value())) {
        Ok(place) => {
            counts[place].1 = counts[place].1.saturating_add_signed(by);
            if counts[place].1 == 0 {
                counts.remove(place);
            }
        }
        Err(place) => counts.insert(place, (grade, by.max(0) as u32)),
    }
}
