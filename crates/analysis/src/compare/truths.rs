//! Whole truths: every unjudged document of a topic gets a grade, once, and all runs are scored on it.
//!
//! The one decision: a document is drawn once for all runs, so that what two runs share moves both scores and cancels where it
//! should. Its chance is the mean of the chances the model has for the ranks it has in the runs. Draw d of a topic comes from a
//! stream named by the topic; all topics of draw d share one model, moved within the error of its fit.

use std::ops::Range;

use karat_data::{Grade, Judgement, TopicFacts, TopicView};
use karat_measures::Measure;

use crate::lists::Lists;
use crate::unjudged::RelevanceModel;
use crate::unjudged::model::OnList;

/// Scores on every draw, by run and measure; `None` where a measure has no value on some draw, or needs no draws.
pub type Drawn = Vec<Vec<Option<Box<[f64]>>>>;

/// Scores all runs on all draws of a topic. Measures that unjudged documents are nothing to have no draws.
pub fn draw(
    lists: &Lists<'_>,
    runs: usize,
    measures: &[Box<dyn Measure>],
    relevance_model: &RelevanceModel,
    name: &[u8],
) -> Drawn {
    let concerned = measures.iter().map(|measure| RelevanceModel::concerns(measure.as_ref()));
    let measures: Vec<Option<&dyn Measure>> =
        measures.iter().zip(concerned).map(|(measure, concerned)| concerned.then_some(measure.as_ref())).collect();
    draw_some(lists, runs, &measures, relevance_model, name, 0..relevance_model.draws())
}

/// Some of the draws, for the measures that are given.
pub fn draw_some(
    lists: &Lists<'_>,
    runs: usize,
    measures: &[Option<&dyn Measure>],
    relevance_model: &RelevanceModel,
    name: &[u8],
    draws: Range<usize>,
) -> Drawn {
    let mut values: Vec<Vec<Option<Vec<f64>>>> =
        vec![measures.iter().map(|measure| measure.map(|_| Vec::with_capacity(draws.len()))).collect(); runs];
    if measures.iter().any(Option::is_some) {
        let streams = relevance_model.streams(name);
        let mut truth = Truth::new(lists, runs, measures, relevance_model);
        for draw in draws.clone() {
            truth.draw(draw, draws.end, &mut streams.at(draw as u64));
            for (run, values) in values.iter_mut().enumerate() {
                let view = truth.view(run);
                for (measure, values) in measures.iter().zip(values) {
                    let Some((measure, list)) = measure.zip(values.as_mut()) else { continue };
                    match measure.value(&view) {
                        Ok(value) if value.is_finite() => list.push(value),
                        _ => *values = None,
                    }
                }
            }
        }
    }
    values.into_iter().map(|run| run.into_iter().map(|list| list.map(Vec::into_boxed_slice)).collect()).collect()
}

/// One truth after the other, in room that is kept.
struct Truth<'a> {
    lists: &'a Lists<'a>,
    relevance_model: &'a RelevanceModel,
    /// The last rank that any measure looks at.
    horizon: usize,
    /// Documents without a place above the horizon count as missed ones, and only to measures that count those.
    counts_missed: bool,
    /// The chance of every unjudged document, where it is the same in all draws.
    fixed: Option<Vec<f64>>,
    /// Documents without a place that count as missed ones.
    unseen: usize,
    /// The grades that can be drawn, and where each is counted.
    drawable: Vec<(Judgement, usize)>,
    /// All grades in ascending order, with the documents that are judged to have them.
    known: Vec<(Grade, u32)>,
    counts: Vec<u32>,
    grades: Vec<(Grade, u32)>,
    /// What was drawn for the unjudged documents.
    drawn: Vec<Judgement>,
    /// The lists, down to the horizon.
    ranks: Vec<Vec<Judgement>>,
    /// Chances of the unjudged documents on the next draws, where they are by rank alone.
    chances: BlockOfChances,
}

/// Draws whose chances are found together: adding up rows of them is as quick as adding up single chances.
const BLOCK: usize = 16;
/// From so many runs on that pays.
const MANY_RUNS: usize = 8;

/// The chance of every unjudged document on a block of draws: the mean over its ranks in the runs.
#[derive(Default)]
struct BlockOfChances {
    /// The draws that it holds.
    draws: Range<usize>,
    /// By document.
    chances: Vec<[f64; BLOCK]>,
}

impl BlockOfChances {
    /// Of the draws from `first` on, and before `end`.
    fn fill(&mut self, lists: &Lists<'_>, relevance_model: &RelevanceModel, first: usize, end: usize) {
        self.draws = first..end.min(first + BLOCK);
        let curves: Vec<OnList<'_>> = self.draws.clone().map(|draw| relevance_model.on(draw, &[])).collect();
        let deepest = (0..lists.open()).flat_map(|open| lists.places(open)).map(|&(_, rank)| rank).max().unwrap_or(0);
        let mut by_rank = vec![[0.0; BLOCK]; deepest as usize];
        for (rank, row) in (1..).zip(&mut by_rank) {
            row.iter_mut().zip(&curves).for_each(|(chance, curve)| *chance = curve.at(rank));
        }
        self.chances.clear();
        self.chances.extend((0..lists.open()).map(|open| {
            let places = lists.places(open);
            let mut sums = [0.0; BLOCK];
            for &(_, rank) in places {
                let row = &by_rank[rank as usize - 1];
                for at in 0..BLOCK {
                    sums[at] += row[at];
                }
            }
            sums.map(|sum| sum / places.len() as f64)
        }));
    }
}

impl<'a> Truth<'a> {
    fn new(
        lists: &'a Lists<'a>,
        runs: usize,
        measures: &[Option<&dyn Measure>],
        relevance_model: &'a RelevanceModel,
    ) -> Truth<'a> {
        let drawn = || measures.iter().flatten();
        let horizon = drawn().map(|measure| measure.cutoff().unwrap_or(usize::MAX)).max().unwrap_or(0);
        let cut = |run: usize| {
            let ranks = lists.view(run).ranks;
            ranks[..ranks.len().min(horizon)].to_vec()
        };
        let known = known_grades(lists, relevance_model);
        let slot = |grade: f64| {
            let grade = Grade::new(grade).unwrap_or(Grade::ZERO);
            (Judgement::Grade(grade), place_of(&known, grade).unwrap_or(0))
        };
        let counts_missed = drawn().any(|measure| measure.counts_missed());
        let fixed = relevance_model.has_one_model().then(|| {
            let on: Vec<OnList<'_>> = (0..runs).map(|run| relevance_model.on(0, lists.view(run).ranks)).collect();
            (0..lists.open()).map(|open| chance(lists.places(open), &on)).collect()
        });
        Truth {
            horizon,
            counts_missed,
            fixed,
            unseen: if counts_missed { lists.unseen() } else { 0 },
            drawable: relevance_model.grades().all().map(slot).collect(),
            counts: vec![0; known.len()],
            grades: Vec::with_capacity(known.len()),
            drawn: vec![Judgement::Unpooled; lists.open()],
            ranks: (0..runs).map(cut).collect(),
            chances: BlockOfChances::default(),
            known,
            lists,
            relevance_model,
        }
    }

    /// Draws a grade for every document; draws before `end` follow.
    fn draw(&mut self, draw: usize, end: usize, stream: &mut karat_stats::seed::Stream) {
        let Truth { lists, relevance_model, .. } = *self;
        let in_blocks = self.fixed.is_none() && relevance_model.is_by_rank() && self.ranks.len() >= MANY_RUNS;
        if in_blocks && !self.chances.draws.contains(&draw) {
            self.chances.fill(lists, relevance_model, draw, end);
        }
        let on: Vec<OnList<'_>> =
            (0..self.ranks.len()).map(|run| relevance_model.on(draw, lists.view(run).ranks)).collect();
        self.counts.iter_mut().zip(&self.known).for_each(|(count, (_, judged))| *count = *judged);
        for open in 0..lists.open() {
            let places = lists.places(open);
            if !self.counts_missed && places.iter().all(|&(_, rank)| rank as usize > self.horizon) {
                continue;
            }
            let chance = match &self.fixed {
                Some(fixed) => fixed[open],
                None if in_blocks => self.chances.chances[open][draw - self.chances.draws.start],
                None => chance(places, &on),
            };
            let (judgement, slot) = self.drawable[relevance_model.grades().place(stream.unit(), chance)];
            self.drawn[open] = judgement;
            self.counts[slot] += 1;
        }
        if self.unseen > 0 {
            // As below the longest list.
            let deepest = (0..on.len()).max_by_key(|&run| lists.list(run).len()).unwrap_or(0);
            let chance = on.get(deepest).map_or(0.0, |on| on.at(lists.list(deepest).len() + 1));
            for _ in 0..self.unseen {
                let (_, slot) = self.drawable[relevance_model.grades().place(stream.unit(), chance)];
                self.counts[slot] += 1;
            }
        }
        self.put_in_place();
    }

    /// Puts what was drawn into the counts of grades and the ranks of the runs.
    fn put_in_place(&mut self) {
        let counted = self.known.iter().zip(&self.counts).filter(|(_, count)| **count > 0);
        self.grades.clear();
        self.grades.extend(counted.map(|((grade, _), count)| (*grade, *count)));
        for (run, ranks) in self.ranks.iter_mut().enumerate() {
            for &(open, rank) in self.lists.open_of(run) {
                if let Some(place) = ranks.get_mut(rank as usize - 1) {
                    *place = self.drawn[open as usize];
                }
            }
        }
    }

    /// What a measure sees of a run in this truth.
    fn view(&self, run: usize) -> TopicView<'_> {
        let facts = TopicFacts { grades: &self.grades, pooled_unjudged: 0 };
        TopicView { ranks: &self.ranks[run], below: 0, facts, ..self.lists.view(run) }
    }
}

/// The mean of the chances of a document's ranks.
fn chance(places: &[(u32, u32)], on: &[OnList<'_>]) -> f64 {
    let sum: f64 = places.iter().map(|&(run, rank)| on[run as usize].at(rank as usize)).sum();
    sum / places.len() as f64
}

/// The grades that were given, each with its count, and those that may be drawn.
fn known_grades(lists: &Lists<'_>, relevance_model: &RelevanceModel) -> Vec<(Grade, u32)> {
    let mut known = lists.view(0).facts.grades.to_vec();
    for grade in relevance_model.grades().all().filter_map(Grade::new) {
        if let Err(place) = place_of(&known, grade) {
            known.insert(place, (grade, 0));
        }
    }
    known
}

fn place_of(grades: &[(Grade, u32)], grade: Grade) -> Result<usize, usize> {
    grades.binary_search_by(|(known, _)| known.value().total_cmp(&grade.value()))
}
