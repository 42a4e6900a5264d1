//! Bounds of Q and its kin, measures of the blended ratio BR(r) = (count + beta gain) / (r + beta ideal gain).
//!
//! For a given number of newly relevant documents, the n-th relevant document of the list stands highest when they have the
//! highest unjudged ranks, and lowest when they have the lowest. Of those new among the first n, a greater gain raises BR
//! there (it is in the ideal as well, but BR is below 1), of those after it and of the missed ones it lowers it. So Q and
//! NCUrb, which weigh the n-th relevant document whatever it is, are bounded term by term: for every number of new documents,
//! and of these among the first n. Where there is one gain the bounds are exact. (With several, a completion
//! cannot simply have its best documents on top: a poor one above a good one can cost more than it adds, which brute force
//! shows.)

use karat_data::{Judgement, TopicFacts, TopicView};

use super::Open;
use crate::gains::Gains;
use crate::linear::Gain;
use crate::tally;

/// Numbers of documents times ranks that are tried for one topic.
const MOST_STEPS: usize = 20_000_000;

/// The same when the number of new ones above each document is tried as well.
const MOST_STEPS_EACH: usize = 2_000_000;

/// Gains of whole grades that are told apart.
const MOST_GAINS: usize = 8;

/// Documents of one gain.
type Group = (f64, usize);

/// A topic and what its unjudged documents may gain when they are relevant.
pub(crate) struct Blend<'a> {
    view: &'a TopicView<'a>,
    level: f64,
    beta: f64,
    cutoff: Option<usize>,
    gain: &'a Gains,
    /// The least and the greatest gain a newly relevant document may have.
    least: f64,
    greatest: f64,
    /// The same with the judged relevant documents.
    bottom: f64,
    top: f64,
    /// Judged relevant documents by falling gain.
    judged: Vec<Group>,
    open: Open,
}

impl<'a> Blend<'a> {
    /// `None` where a gain could be negative or is too large to compute with.
    pub fn of(
        view: &'a TopicView<'a>,
        gain: &'a Gains,
        level: f64,
        beta: f64,
        cutoff: Option<usize>,
    ) -> Option<Blend<'a>> {
        let max_grade = view.collection.max_grade;
        let levels = (max_grade - level.ceil()).max(0.0);
        let all_gains = view.collection.whole_grades && levels < MOST_GAINS as f64;
        let collection = &view.collection;
        if gain.least(collection) < 0.0 || !gain.greatest(collection).is_finite() {
            return None;
        }
        let steps = if all_gains { levels as usize + 1 } else { 0 };
        let gains = || (0..steps).map(|step| gain.of(level.ceil() + step as f64));
        let least = gains().reduce(f64::min).unwrap_or_else(|| gain.least(collection));
        let greatest = gains().reduce(f64::max).unwrap_or_else(|| gain.greatest(collection));
        let start = view.facts.grades.partition_point(|(grade, _)| grade.value() < level);
        let facts = TopicFacts { grades: &view.facts.grades[start..], pooled_unjudged: 0 };
        let of_judged = || facts.grades.iter().map(|(grade, _)| gain.of(grade.value()));
        let (bottom, top) = (of_judged().fold(least, f64::min), of_judged().fold(greatest, f64::max));
        let judged = gain.ideal(facts).map(|group| (group.gain, group.count)).collect();
        let open = Open::of(view, level);
        Some(Blend { view, level, beta, cutoff, gain, least, greatest, bottom, top, judged, open })
    }

    /// Ideal gain to each rank, from none, with more documents.
    fn ideal(&self, more: Group) -> Vec<f64> {
        let mut groups: Vec<Group> = self.judged.iter().chain([&more]).copied().collect();
        groups.sort_by(|a, b| b.0.total_cmp(&a.0));
        let depth = tally::first(self.view, self.cutoff).len();
        let gains = groups.into_iter().flat_map(|(gain, count)| std::iter::repeat_n(gain, count));
        let mut sum = 0.0;
        let sums = std::iter::once(0.0).chain(gains.chain(std::iter::repeat(0.0)).map(|gain| {
            sum += gain;
            sum
        }));
        sums.take(depth + 1).collect()
    }

    /// Ends of a measure that gives the n-th relevant document retrieved a weight, and divides by a total that rises with R;
    /// `None` where the numbers are too many to try.
    pub fn by_count(&self, weight: impl Fn(usize) -> f64, total: impl Fn(usize) -> f64) -> Option<(f64, f64)> {
        let (retrieved, missed) = (self.open.retrieved, self.open.missed);
        let ranks = tally::first(self.view, self.cutoff);
        let steps = retrieved.saturating_mul(ranks.len());
        if steps > MOST_STEPS {
            return None;
        }
        let known = self.view.facts.relevant(self.level) as usize;
        // Every number of new ones among the first n is tried, or all are taken together: the gain of the most, the ideal of
        // the fewest.
        let each = steps.saturating_mul(ranks.len()) <= MOST_STEPS_EACH;
        let ratios = Ratios::new(self, ranks, each);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for newly in 0..=retrieved {
            let (mut sum, mut seen) = (0.0, 0);
            self.placed(
                |place| place < newly,
                |n, rank, new| {
                    sum += weight(n) * ratios.greatest(n, rank, newly, new);
                    seen = n;
                },
            );
            let relevant = known + newly;
            high = high.max(if seen > 0 { sum / total(relevant) } else { 0.0 });
            (sum, seen) = (0.0, 0);
            self.placed(
                |place| place + newly >= retrieved,
                |n, rank, new| {
                    sum += weight(n) * ratios.least(n, rank, newly, new);
                    seen = n;
                },
            );
            low = low.min(if seen > 0 { sum / total(relevant + missed) } else { 0.0 });
        }
        Some((low, high))
    }

    /// The relevant documents with some of the unjudged ones (by their place among them, from 0): which one it is, at
    /// which rank, both from 1, and how many down to it are new.
    fn placed(&self, newly: impl Fn(usize) -> bool, mut see: impl FnMut(usize, usize, usize)) {
        let (mut n, mut new, mut unjudged) = (0, 0, 0);
        for (index, judgement) in tally::first(self.view, self.cutoff).iter().enumerate() {
            if !judgement.is_judged() {
                unjudged += 1;
                if !newly(unjudged - 1) {
                    continue;
                }
                new += 1;
            } else if !judgement.is_relevant(self.level) {
                continue;
            }
            n += 1;
            see(n, index + 1, new);
        }
    }

    /// Ends of BR at the first relevant document, counting itself alone: exact. It rises with the document's own gain, whether
    /// that is in the ideal to its rank or not, and falls with its rank.
    pub fn first(&self) -> (f64, f64) {
        let ranks = self.view.ranks;
        let known = ranks.iter().position(|judgement| judgement.is_relevant(self.level));
        let judged = self.ideal((0.0, 0));
        // With `more` documents of the greatest gain, and the document itself where it is not among the judged ones.
        let ratio = |index: usize, own: f64, more: usize, is_new: bool| {
            let rank = index + 1;
            let left = rank - more.min(rank);
            let with_own = if is_new && left > 0 { judged[left - 1] + own } else { 0.0 };
            let ideal = (rank - left) as f64 * self.top + judged[left].max(with_own);
            (1.0 + self.beta * own) / (rank as f64 + self.beta * ideal)
        };
        let of_known = |index: usize| ranks[index].grade().map_or(0.0, |grade| self.gain.of(grade));
        let (mut low, mut high) = (0.0, 0.0);
        if let Some(index) = known {
            let below = tally::unjudged(&ranks[index..]) + self.open.missed;
            high = ratio(index, of_known(index), 0, false);
            low = ratio(index, of_known(index), below, false);
        }
        let mut below = self.open.retrieved + self.open.missed;
        for index in (0..known.unwrap_or(ranks.len())).filter(|index| !ranks[*index].is_judged()) {
            below -= 1;
            high = high.max(ratio(index, self.greatest, 0, true));
            low = low.min(ratio(index, self.least, below, true));
        }
        (low, high)
    }

    /// Ends of BR at the preferred rank, and of means of BR to it: of BR at any rank that could be it.
    pub fn preferred(&self, to_it: bool) -> (f64, f64) {
        let ranks = self.view.ranks;
        let is_relevant = |index: &usize| ranks[*index].is_relevant(self.level);
        let grade = |index: usize| ranks[index].grade().unwrap_or(0.0);
        let best = (0..ranks.len())
            .filter(is_relevant)
            .reduce(|best, next| if grade(next) > grade(best) { next } else { best });
        // Behind a document of the largest grade nothing is preferred.
        let last = best.filter(|best| grade(*best) >= self.view.collection.max_grade).unwrap_or(ranks.len());
        let open = self.open.retrieved + self.open.missed;
        let (least, most) = (self.ideal((0.0, 0)), self.ideal((self.greatest, open)));
        let (mut count, mut gained, mut unjudged) = (0.0, 0.0, 0.0);
        let (mut low, mut high) = (if best.is_some() { f64::INFINITY } else { 0.0 }, 0.0f64);
        for (index, judgement) in ranks.iter().enumerate().take(last.saturating_add(1)) {
            let (mut own, mut own_gain) = (0.0, 0.0);
            if !judgement.is_judged() {
                unjudged += 1.0;
                (own, own_gain) = (1.0, self.least);
            } else if judgement.is_relevant(self.level) {
                count += 1.0;
                gained += self.gain.of(grade(index));
                if !to_it && best != Some(index) {
                    continue;
                }
            } else {
                continue;
            }
            let rank = (index + 1) as f64;
            let (counted, gain) = (count + unjudged, gained + unjudged * self.greatest);
            high = high.max((counted + self.beta * gain) / (rank + self.beta * gain.max(least[index + 1])));
            low = low.min((count + own + self.beta * (gained + own_gain)) / (rank + self.beta * most[index + 1]));
        }
        (low, high.min(1.0))
    }

    /// Ends of the mean of BR over relevant documents, each weighed by its gain: for each number of newly relevant ones, from
    /// what BR can be at a judged document and at a new one.
    pub fn graded(&self) -> Option<(f64, f64)> {
        let ranks = self.view.ranks;
        let all: f64 = self.judged.iter().map(|(gain, count)| gain * *count as f64).sum();
        let missed = self.open.missed as f64 * self.greatest;
        let counts = |index: &usize| !ranks[*index].is_judged() || ranks[*index].is_relevant(self.level);
        let candidates: Vec<usize> = (0..ranks.len()).filter(counts).collect();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        if self.open.retrieved.saturating_mul(ranks.len()) > MOST_STEPS {
            return None;
        }
        for newly in 0..=self.open.retrieved {
            high = high.max(self.greatest_graded(newly, &candidates, all));
            let (sum, new) = self.least_graded(newly, &candidates);
            for gain in [self.least, self.greatest] {
                let (more, total) = (newly as f64 * gain, all + newly as f64 * gain + missed);
                low = low.min(if total > 0.0 { (sum + more * new) / total } else { 0.0 });
            }
        }
        Some((low, high.min(1.0)))
    }

    fn gain_at(&self, index: usize) -> f64 {
        self.view.ranks[index].grade().map_or(0.0, |grade| self.gain.of(grade))
    }

    /// The greatest mean with so many newly relevant documents, `all` being the gain of the judged ones.
    fn greatest_graded(&self, newly: usize, candidates: &[usize], all: f64) -> f64 {
        let ideal = self.ideal((self.least, newly));
        let (mut sum, mut new) = (0.0, Vec::new());
        self.at_candidates(
            candidates,
            &ideal,
            |unjudged| unjudged.min(newly),
            self.greatest,
            |index, ratio| {
                if self.view.ranks[index].is_judged() { sum += self.gain_at(index) * ratio } else { new.push(ratio) }
            },
        );
        // The n-th new document stands at the n-th unjudged rank or below.
        for place in (1..new.len()).rev() {
            new[place - 1] = new[place].max(new[place - 1]);
        }
        new.truncate(newly);
        greatest_mean(sum, all, &new, self.least, self.greatest)
    }

    /// The least weighed sum over judged documents with so many newly relevant ones, and the least ratio of a new one.
    fn least_graded(&self, newly: usize, candidates: &[usize]) -> (f64, f64) {
        let ideal = self.ideal((self.greatest, newly + self.open.missed));
        let first = self.open.retrieved - newly;
        let (mut sum, mut new) = (0.0, f64::INFINITY);
        self.at_candidates(
            candidates,
            &ideal,
            |unjudged| unjudged.saturating_sub(first),
            self.least,
            |index, ratio| {
                if self.view.ranks[index].is_judged() {
                    sum += self.gain_at(index) * ratio
                } else {
                    new = ratio.min(new)
                }
            },
        );
        (sum, if newly == 0 { 0.0 } else { new })
    }

    /// BR at the candidates, `newly` of those unjudged to a rank being relevant with one gain, and at least the one there.
    fn at_candidates(
        &self,
        candidates: &[usize],
        ideal: &[f64],
        newly: impl Fn(usize) -> usize,
        gain: f64,
        mut see: impl FnMut(usize, f64),
    ) {
        let (mut count, mut gained, mut unjudged) = (0.0, 0.0, 0);
        for &index in candidates {
            let mut own = 0;
            if let Some(grade) = self.view.ranks[index].grade() {
                count += 1.0;
                gained += self.gain.of(grade);
            } else {
                unjudged += 1;
                own = 1;
            }
            let more = newly(unjudged).max(own) as f64;
            let ratio = (count + more + self.beta * (gained + more * gain))
                / ((index + 1) as f64 + self.beta * ideal[index + 1]);
            see(index, ratio.min(1.0));
        }
    }
}

/// What BR at a relevant document of a topic can be.
struct Ratios<'b> {
    blend: &'b Blend<'b>,
    /// Gain of the first so many judged relevant documents retrieved.
    run: Vec<f64>,
    /// Gain of the best so many judged documents there are.
    best: Vec<f64>,
    /// Whether every number of new documents is tried.
    each: bool,
}

impl<'b> Ratios<'b> {
    fn new(blend: &'b Blend<'b>, ranks: &[Judgement], each: bool) -> Ratios<'b> {
        let gain_of = |judgement: &Judgement| judgement.grade().map_or(0.0, |grade| blend.gain.of(grade));
        let run = sums(ranks.iter().filter(|judgement| judgement.is_relevant(blend.level)).map(gain_of));
        let best = sums(blend.judged.iter().flat_map(|&(gain, count)| std::iter::repeat_n(gain, count)));
        Ratios { blend, run, best, each }
    }

    /// The gain to a rank of the ideal of the judged documents, `tops` of the greatest gain, and some of a gain below all.
    #[inline]
    fn ideal(&self, rank: usize, tops: usize, (gain, bottoms): Group) -> f64 {
        let left = rank - tops.min(rank);
        let judged = left.min(self.best.len() - 1);
        (rank - left) as f64 * self.blend.top + self.best[judged] + (left - judged).min(bottoms) as f64 * gain
    }

    /// Numbers of new documents, for the gain and for the ideal.
    #[inline]
    fn numbers(&self, fewest: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
        let each = self.each;
        let together = (!each).then_some((most, fewest));
        (fewest..=most).filter(move |_| each).map(|new| (new, new)).chain(together)
    }

    /// The greatest BR at the n-th relevant document, at a rank, at most `new` of the n being new.
    #[inline]
    fn greatest(&self, n: usize, rank: usize, newly: usize, new: usize) -> f64 {
        let blend = self.blend;
        let at_most = |new: (usize, usize)| {
            let gained = self.run[n - new.0] + new.0 as f64 * blend.top;
            let possible = self.ideal(rank, new.1, (blend.least, newly - new.1)).max(gained);
            (n as f64 + blend.beta * gained) / (rank as f64 + blend.beta * possible)
        };
        self.numbers(n.saturating_sub(self.run.len() - 1), new).map(at_most).fold(0.0, f64::max)
    }

    /// The least BR there, at least `new` of the n being new.
    #[inline]
    fn least(&self, n: usize, rank: usize, newly: usize, new: usize) -> f64 {
        let blend = self.blend;
        let at_least = |new: (usize, usize)| {
            let gained = self.run[n - new.0] + new.0 as f64 * blend.bottom;
            let possible = self.ideal(rank, newly - new.1 + blend.open.missed, (blend.bottom, new.1));
            (n as f64 + blend.beta * gained) / (rank as f64 + blend.beta * possible)
        };
        self.numbers(new, n.min(newly)).map(at_least).fold(1.0, f64::min)
    }
}

/// The greatest (sum + sum of w ratio) / (all + sum of w), each w between two ends: by Dinkelbach's method.
fn greatest_mean(sum: f64, all: f64, ratios: &[f64], least: f64, greatest: f64) -> f64 {
    let mut mean = f64::NEG_INFINITY;
    loop {
        let (mut above, mut below) = (sum, all);
        for ratio in ratios {
            let weight = if *ratio > mean { greatest } else { least };
            above += weight * ratio;
            below += weight;
        }
        let next = if below > 0.0 { above / below } else { 0.0 };
        if next <= mean {
            return mean;
        }
        mean = next;
    }
}

/// Sums of the first so many numbers, from none.
fn sums(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    let first = std::iter::once(0.0);
    first
        .chain(numbers.map(|number| {
            sum += number;
            sum
        }))
        .collect()
}
