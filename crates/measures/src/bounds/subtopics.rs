//! Bounds of measures over subtopics: an unjudged document may turn out relevant to any of the subtopics that the topic's
//! judgements name, those without a relevant document so far among them.
//!
//! The one idea: subtopics do not know of each other. What a measure adds up for one of them lies between two ends of its
//! own, and all reach the same end at once; only how many subtopics there are is shared. A mean over them is
//! monotone in the number that is found anew, so that none and all of those are tried.

use karat_data::TopicView;

use super::Open;
use crate::score::Score;
use crate::subtopics::{GREEDY_LIMIT, Subtopics};

/// What is open at a topic.
pub(crate) struct Unfound {
    /// Subtopics in the judgements without a relevant document so far.
    pub subtopics: f64,
    /// Whether a document beyond the cut-off, or a missed one, could be relevant.
    pub outside: bool,
    /// The ranks to the cut-off without a judgement, from 0.
    pub ranks: Vec<usize>,
    open: Open,
}

impl Unfound {
    /// `None` where nothing can change.
    pub fn of(topic: &Subtopics<'_>, view: &TopicView<'_>, level: f64, cutoff: usize) -> Option<Unfound> {
        let open = Open::of(view, level);
        if open.is_closed() {
            return None;
        }
        let ranks = view.ranks.iter().take(cutoff).enumerate();
        let ranks: Vec<usize> = ranks.filter(|(_, judgement)| !judgement.is_judged()).map(|(index, _)| index).collect();
        let outside = open.retrieved + open.missed > ranks.len();
        Some(Unfound { subtopics: topic.unfound() as f64, outside, ranks, open })
    }

    /// Where all documents of the list are judged, and what lies below it is not.
    pub fn none(topic: &Subtopics<'_>, possible: bool) -> Unfound {
        let subtopics = if possible { topic.unfound() as f64 } else { 0.0 };
        Unfound { subtopics, outside: possible, ranks: Vec::new(), open: Open { retrieved: 0, missed: 0 } }
    }

    /// The ends of a mean over subtopics, from the sums over those found and the ends of a new one, which has at least one
    /// relevant document.
    pub fn mean(&self, found: usize, sums: (f64, f64), new: (f64, f64)) -> (f64, f64) {
        let mean = |sum: f64, more: f64, new: f64| {
            let count = found as f64 + more;
            if count > 0.0 { (sum + more * new) / count } else { 0.0 }
        };
        let low = mean(sums.0, 0.0, 0.0).min(mean(sums.0, self.subtopics, new.0));
        (low, mean(sums.1, 0.0, 0.0).max(mean(sums.1, self.subtopics, new.1)))
    }
}

/// Sums over ranks of discount times (1 - alpha)^(times the subtopic was seen before), over subtopics.
pub(crate) struct Novelty {
    pub alpha: f64,
    pub cutoff: usize,
}

impl Novelty {
    /// The greatest sum over the subtopics found, and the least and greatest of a new one. A relevant document more never
    /// lowers a sum: it adds w discount(rank) and takes alpha of what follows, which is at most w discount(rank) / alpha. So the
    /// least sum is the value's own. `tail` is what all ranks below the list add to a subtopic whose next document
    /// counts 1.
    fn ends(
        &self,
        topic: &Subtopics<'_>,
        view: &TopicView<'_>,
        unfound: &Unfound,
        discount: &impl Fn(usize) -> f64,
        tail: f64,
    ) -> (f64, (f64, f64)) {
        let mut worth = vec![1.0; topic.len()];
        let mut new = 1.0;
        let (mut sum, mut sum_of_new) = (0.0, 0.0);
        for ((index, places), judgement) in topic.by_rank().take(self.cutoff).enumerate().zip(view.ranks) {
            if judgement.is_judged() {
                for place in places {
                    sum += worth[place] * discount(index + 1);
                    worth[place] *= 1.0 - self.alpha;
                }
            } else {
                sum += worth.iter().sum::<f64>() * discount(index + 1);
                sum_of_new += new * discount(index + 1);
                worth.iter_mut().for_each(|worth| *worth *= 1.0 - self.alpha);
                new *= 1.0 - self.alpha;
            }
        }
        sum += worth.iter().sum::<f64>() * tail;
        sum_of_new += new * tail;
        let last = unfound.ranks.last().map_or(0.0, |index| discount(index + 1));
        (sum, (if unfound.outside || tail > 0.0 { 0.0 } else { last }, sum_of_new))
    }

    /// Bounds of the mean sum of a subtopic over the greatest there is.
    pub fn mean(
        &self,
        topic: &Subtopics<'_>,
        view: &TopicView<'_>,
        unfound: &Unfound,
        sum: f64,
        greatest: f64,
        (discount, tail): (impl Fn(usize) -> f64, f64),
    ) -> Score {
        let (most, new) = self.ends(topic, view, unfound, &discount, tail);
        let (low, high) = unfound.mean(topic.len(), (sum, most), new);
        let value = if topic.is_empty() { 0.0 } else { sum / topic.len() as f64 / greatest };
        Score::within(value, (low / greatest).min(value), (high / greatest).clamp(value, value.max(1.0)))
    }

    /// Sound bounds of a sum over that of the greedy ideal. With more documents the ideal is at most what every subtopic has
    /// when all its documents come first, and at least 1 - 1/e of the best ranking, which is as good as the run and
    /// as the ideal of what is judged.
    pub fn share(
        &self,
        topic: &Subtopics<'_>,
        view: &TopicView<'_>,
        unfound: &Unfound,
        (sum, ideal): (f64, f64),
        discount: impl Fn(usize) -> f64,
    ) -> Score {
        let (known, (_, new)) = self.ends(topic, view, unfound, &discount, 0.0);
        let most = known + unfound.subtopics * new;
        let more = unfound.open.retrieved + unfound.open.missed;
        let first = |documents: usize| crate::subtopics::greatest(self.alpha, self.cutoff.min(documents), &discount);
        let every: f64 = topic.documents().map(|documents| first(documents as usize + more)).sum();
        let largest = every + unfound.subtopics * first(more);
        // One subtopic has its documents in any order: greedy is best.
        let limit = if topic.len() as f64 + unfound.subtopics <= 1.0 { 1.0 } else { GREEDY_LIMIT };
        let best = ideal.max(most);
        let value = if ideal > 0.0 { sum / ideal } else { 0.0 };
        let low = if largest > 0.0 { sum / largest } else { 0.0 };
        let high = if best > 0.0 { limit * most / best } else { 0.0 };
        Score::within(value, low.min(value), high.max(value))
    }
}
