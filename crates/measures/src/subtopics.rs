//! What measures of novelty and diversity have in common: the subtopics of a topic, what each document adds to them, and
//! the ideal ranking.
//!
//! Everything is as TREC's ndeval has it. A subtopic counts when some document is relevant to it. Grades count as relevant or
//! not. The ideal ranking is greedy, and of documents that would add the same the one with the largest docno comes
//! first: another choice can change the ideal, so the rule is part of the definition.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use karat_data::{Details, JudgementKind, Mark, TopicView};

use crate::info::{Legal, Parameter};
use crate::score::Undefined;
use crate::spec::{MeasureSpec, SpecError};

/// The parameter `alpha`.
pub const ALPHA: Parameter = Parameter {
    name: "alpha",
    default: "0.5",
    legal: Legal::Described("0 <= alpha < 1"),
    meaning: "discount of repetition: each earlier document on a subtopic multiplies its gain by 1 - alpha",
};

/// Why there is no value.
pub const NO_SUBTOPICS: Undefined = Undefined { reason: "the judgements are not by subtopic" };

/// `alpha` of a specification.
///
/// # Errors
/// It is not what it should be.
pub fn alpha(spec: &MeasureSpec) -> Result<f64, SpecError> {
    let alpha = spec.number("alpha")?.unwrap_or(0.5);
    if (0.0..1.0).contains(&alpha) { Ok(alpha) } else { Err(spec.illegal("alpha", ALPHA.legal)) }
}

/// The largest value of a measure that divides by the greedy ideal: greedy choice reaches at least 1 - 1/e of the best
/// at every depth, since what a document adds only falls as others come before it.
pub const GREEDY_LIMIT: f64 = std::f64::consts::E / (std::f64::consts::E - 1.0);

/// Gains by rank, each times the discount of its rank.
pub fn discounted(gains: impl IntoIterator<Item = f64>, discount: impl Fn(usize) -> f64) -> f64 {
    gains.into_iter().enumerate().map(|(index, gain)| gain * discount(index + 1)).sum()
}

/// What one subtopic adds, discounted, when every document to a cut-off is relevant to it: no ranking adds more. Terms
/// that no longer change the sum are left out.
pub fn greatest(alpha: f64, cutoff: usize, discount: impl Fn(usize) -> f64) -> f64 {
    let (mut sum, mut worth) = (0.0, 1.0);
    for rank in 1..=cutoff {
        sum += worth * discount(rank);
        worth *= 1.0 - alpha;
        if worth < 1e-20 {
            break;
        }
    }
    sum
}

/// The subtopics of a topic that some document is relevant to.
#[derive(Debug)]
pub struct Subtopics<'a> {
    details: Details<'a>,
    level: f64,
    /// In ascending order, with the documents relevant to each.
    groups: Vec<(u32, u32)>,
    /// How many others the judgements name.
    unfound: usize,
}

impl<'a> Subtopics<'a> {
    /// Those of a topic; a grade of `level` or above is relevant.
    ///
    /// # Errors
    /// The judgements are of another kind.
    pub fn of(view: &TopicView<'a>, level: f64) -> Result<Subtopics<'a>, Undefined> {
        if view.details.kind != JudgementKind::Subtopics {
            return Err(NO_SUBTOPICS);
        }
        let mut all: Vec<u32> = Vec::new();
        for document in view.details.marks.chunk_by(|a, b| a.document == b.document) {
            all.extend(relevant(document, level));
        }
        all.sort_unstable();
        let groups = all.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32));
        let groups: Vec<(u32, u32)> = groups.collect();
        let mut named: Vec<u32> = view.details.marks.iter().map(|mark| mark.group).collect();
        named.sort_unstable();
        named.dedup();
        let unfound = named.len() - groups.len();
        Ok(Subtopics { details: view.details, level, groups, unfound })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there is none: then nothing is relevant.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// How many more the judgements name, to which no document is relevant so far.
    pub fn unfound(&self) -> usize {
        self.unfound
    }

    /// The documents relevant to each, in the order of [`Subtopics::by_rank`]'s numbers.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.groups.iter().map(|&(_, documents)| documents)
    }

    /// Rank by rank, the subtopics the document is relevant to, by their place among the topic's.
    pub fn by_rank(&self) -> impl ExactSizeIterator<Item = impl Iterator<Item = usize> + '_> + '_ {
        self.details.by_rank().map(|marks| self.places(marks))
    }

    fn places<'b>(&'b self, marks: &'b [Mark]) -> impl Iterator<Item = usize> + 'b {
        relevant(marks, self.level)
            .filter_map(|group| self.groups.binary_search_by_key(&group, |&(group, _)| group).ok())
    }

    /// What each rank adds, down to a cut-off: a subtopic is worth 1, and `1 - alpha` times as much each time it is seen.
    pub fn novelty(&self, alpha: f64, cutoff: usize) -> impl Iterator<Item = f64> + '_ {
        let mut worth = vec![1.0; self.len()];
        self.by_rank().take(cutoff).map(move |places| {
            let mut sum = 0.0;
            for place in places {
                sum += worth[place];
                worth[place] *= 1.0 - alpha;
            }
            sum
        })
    }

    /// The same for the ideal ranking of the topic's documents, where something is left to add.
    ///
    /// What a document adds only falls as others are taken, so what it would have added before is an upper limit: the
    /// document whose limit is greatest is looked at again, and taken when it still is.
    pub fn ideal_novelty(&self, alpha: f64, cutoff: usize) -> Vec<f64> {
        let mut worth = vec![1.0; self.len()];
        let added = |worth: &[f64], marks: &[Mark]| self.places(marks).map(|place| worth[place]).sum::<f64>();
        let documents = self.details.marks.chunk_by(|a, b| a.document == b.document);
        let candidates = documents.map(|marks| Candidate { limit: added(&worth, marks), marks });
        let mut heap: BinaryHeap<Candidate<'_>> = candidates.filter(|candidate| candidate.limit > 0.0).collect();
        let mut ideal = Vec::new();
        while ideal.len() < cutoff
            && let Some(mut best) = heap.pop()
        {
            best.limit = added(&worth, best.marks);
            if heap.peek().is_some_and(|next| *next > best) {
                heap.push(best);
                continue;
            }
            for place in self.places(best.marks) {
                worth[place] *= 1.0 - alpha;
            }
            ideal.push(best.limit);
        }
        ideal
    }
}

/// The subtopics that marks of one document say it is relevant to, each once.
fn relevant(marks: &[Mark], level: f64) -> impl Iterator<Item = u32> + '_ {
    let subtopics = marks.chunk_by(|a, b| a.group == b.group);
    subtopics.filter(move |same| same.iter().any(|mark| mark.value >= level)).map(|same| same[0].group)
}

/// A document for the ideal ranking: the greatest that it could add.
struct Candidate<'a> {
    limit: f64,
    marks: &'a [Mark],
}

impl Candidate<'_> {
    fn key(&self) -> (f64, Option<u32>) {
        (self.limit, self.marks.first().map(|mark| mark.document))
    }
}

impl Ord for Candidate<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((a, first), (b, second)) = (self.key(), other.key());
        a.total_cmp(&b).then(first.cmp(&second))
    }
}

impl PartialOrd for Candidate<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate<'_> {}
