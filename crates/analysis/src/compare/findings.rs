//! What unjudged documents do to every pair, topic by topic: bounds, and what the relevance model expects.
//!
//! The one decision: the lists of a topic live as long as the topic is looked at, and only numbers about pairs are kept, so that memory
//! does not grow with the length of lists. Measures linear in gain have their expected difference in closed form; others are computed on draws,
//! in batches, until the draws' own error is small beside the standard error ([`ACCURACY`]).

use karat_data::{JudgementKind, RankedDocuments, TopicIndex};
use karat_measures::Measure;
use karat_measures::difference::{self, Pair};
use karat_runtime::jobs::in_order;

use super::truths::{self, Drawn};
use crate::lists::{CutLists, Lists};
use crate::scores::{RunScores, Setting};
use crate::unjudged::RelevanceModel;
use crate::unjudged::expected::{Expected, spread};
use crate::unjudged::grades::GainMoments;

/// Draws end when their own error is below this share of the standard error of a difference, and when the variance they show is known to
/// this share of the whole.
pub const ACCURACY: f64 = 0.05;
/// Lists of the first batch of draws, over all topics and runs; at least [`SMALLEST_BATCH`] draws for each. Every further batch is as large as
/// all before it.
const BATCH: usize = 20_000;
const SMALLEST_BATCH: usize = 10;

/// One topic.
pub struct TopicFindings {
    pairs: usize,
    /// By measure, then by pair.
    bounds: Vec<Option<(f64, f64)>>,
    expected: Vec<Option<Expected>>,
    /// By measure, then by run.
    added: Vec<Option<f64>>,
    drawn: Drawn,
    /// Whether all draws share one model, which has no error of its own.
    has_one_model: bool,
}

impl TopicFindings {
    /// Least and greatest difference of a pair; `None` where the measure has no such bounds.
    pub fn bounds(&self, measure: usize, pair: usize) -> Option<(f64, f64)> {
        self.bounds[measure * self.pairs + pair]
    }

    /// What unjudged documents add to the difference of a pair, in closed form.
    pub fn expected(&self, measure: usize, pair: usize) -> Option<&Expected> {
        self.expected[measure * self.pairs + pair].as_ref()
    }

    /// The expected scores of two runs whose scores are these; `None` where the model does not say.
    pub fn values(&self, measure: usize, (a, b): (usize, usize), (first, second): (f64, f64)) -> Option<(f64, f64)> {
        let added = |run: usize| self.added[measure * self.drawn.len() + run];
        if let Some((more, other)) = added(a).zip(added(b)) {
            return Some((first + more, second + other));
        }
        let mean = |draws: &[f64]| draws.iter().sum::<f64>() / draws.len() as f64;
        let (first, second) = self.draws(a, measure).zip(self.draws(b, measure))?;
        (!first.is_empty() && !second.is_empty()).then(|| (mean(first), mean(second)))
    }

    /// Whether all draws share one model.
    pub fn has_one_model(&self) -> bool {
        self.has_one_model
    }

    /// The score of a run on every draw.
    pub fn draws(&self, run: usize, measure: usize) -> Option<&[f64]> {
        self.drawn[run][measure].as_deref()
    }
}

/// A linear measure, ready for every topic.
struct Linear {
    /// By rank, from 1.
    weights: Vec<f64>,
    yes: GainMoments,
    no: GainMoments,
}

/// All that is the same for every topic.
pub struct Searcher<'a> {
    setting: &'a Setting<'a>,
    read: &'a RankedDocuments,
    pairs: &'a [(usize, usize)],
    relevance_model: Option<&'a RelevanceModel>,
    linear: Vec<Option<Linear>>,
    /// The measures that need draws.
    drawn: Vec<Option<&'a dyn Measure>>,
    topics: Vec<TopicIndex>,
}

impl<'a> Searcher<'a> {
    /// For runs that were read to any depth.
    pub fn new(
        setting: &'a Setting<'a>,
        read: &'a RankedDocuments,
        pairs: &'a [(usize, usize)],
        relevance_model: Option<&'a RelevanceModel>,
    ) -> Searcher<'a> {
        let lists = read.topics.iter().flat_map(|topic| (0..read.runs.len()).map(|run| topic.list(run).len()));
        let longest = lists.max().unwrap_or(0).min(setting.policy.depth.unwrap_or(usize::MAX));
        let by_rank = relevance_model.filter(|relevance_model| relevance_model.is_by_rank());
        let linear: Vec<Option<Linear>> = setting
            .measures
            .iter()
            .map(|measure| {
                let form =
                    measure.linear(&setting.collection).filter(|_| RelevanceModel::concerns(measure.as_ref()))?;
                let (yes, no) = by_rank?.grades().gains(&|grade| form.gain.of(grade));
                let ranks = form.depth(longest);
                Some(Linear { weights: (1..=ranks).map(|rank| form.weight(rank)).collect(), yes, no })
            })
            .collect();
        let needs_draws = |(measure, linear): (&'a dyn Measure, &Option<Linear>)| {
            (relevance_model.is_some() && linear.is_none() && RelevanceModel::concerns(measure)).then_some(measure)
        };
        let drawn = setting.measures.iter().map(AsRef::as_ref).zip(&linear).map(needs_draws).collect();
        Searcher { setting, read, pairs, relevance_model, linear, drawn, topics: setting.qrels.topics().collect() }
    }

    /// Looks at every topic, and draws until the draws are accurate enough.
    pub fn find(&self, scored: &[RunScores]) -> Vec<TopicFindings> {
        let most = self.relevance_model.map_or(0, RelevanceModel::draws);
        let lists = self.topics.len() * self.read.runs.len();
        let batch = (BATCH / lists.max(1)).clamp(SMALLEST_BATCH, most.max(SMALLEST_BATCH));
        let mut done = batch.min(most);
        let mut found = in_order(self.topics.len(), self.setting.threads, |at| self.topic(at, done));
        while done < most && !self.is_accurate(scored, &found, done) {
            let next = (2 * done).min(most);
            let more = in_order(self.topics.len(), self.setting.threads, |at| self.draw(&self.lists(at), done..next));
            found.iter_mut().zip(more).for_each(|(topic, more)| topic.extend(more));
            done = next;
        }
        found
    }

    fn lists(&self, at: usize) -> Lists<'_> {
        let Setting { qrels, collection, policy, .. } = self.setting;
        Lists::new(qrels, *collection, policy.depth, self.read, self.topics[at])
    }

    fn draw(&self, lists: &Lists<'_>, draws: std::ops::Range<usize>) -> Drawn {
        let (runs, name) = (self.read.runs.len(), self.setting.qrels.name(lists.index));
        match self.relevance_model {
            Some(relevance_model) => truths::draw_some(lists, runs, &self.drawn, relevance_model, name, draws),
            None => vec![vec![None; self.drawn.len()]; runs],
        }
    }

    fn topic(&self, at: usize, draws: usize) -> TopicFindings {
        let lists = self.lists(at);
        let chances = Chances::new(&lists, self.relevance_model.filter(|_| self.linear.iter().any(Option::is_some)));
        let (measures, pairs) = (self.setting.measures.len(), self.pairs.len());
        let mut bounds = vec![None; measures * pairs];
        let mut expected = vec![None; measures * pairs];
        let measured = |measure: &dyn Measure| measure.info().needs == JudgementKind::Grades;
        let measure = |index: usize| self.setting.measures[index].as_ref();
        let (cut, whole): (Vec<usize>, Vec<usize>) =
            (0..measures).filter(|&at| measured(measure(at))).partition(|&at| measure(at).cutoff().is_some());
        let depth = cut.iter().filter_map(|&at| measure(at).cutoff()).max();
        let cut_lists = depth.map(|depth| CutLists::new(&lists, depth));
        for (pair, &(a, b)) in self.pairs.iter().enumerate() {
            let mut bound = |indices: &[usize], both: Pair<'_>| {
                for &index in indices {
                    bounds[index * pairs + pair] = difference::bounds(measure(index), &both);
                }
            };
            if let Some(cut_lists) = &cut_lists {
                bound(&cut, cut_lists.pair(a, b));
            }
            if !whole.is_empty() {
                bound(&whole, lists.pair(a, b));
            }
            for (index, linear) in self.linear.iter().enumerate() {
                let linear = linear.as_ref().zip(chances.as_ref());
                expected[index * pairs + pair] = linear.map(|(linear, chances)| chances.added(linear, &lists, (a, b)));
            }
        }
        let added = self.added(&lists, chances.as_ref());
        let has_one_model = self.relevance_model.is_some_and(RelevanceModel::has_one_model);
        TopicFindings { pairs, bounds, expected, added, drawn: self.draw(&lists, 0..draws), has_one_model }
    }

    /// What unjudged documents add to the score of every run, by measure.
    fn added(&self, lists: &Lists<'_>, chances: Option<&Chances>) -> Vec<Option<f64>> {
        let of_run = |linear: Option<(&Linear, &Chances)>, run: usize| {
            linear.map(|(linear, chances)| chances.added_to(linear, lists.open_of(run)))
        };
        let measures = self.linear.iter().map(|linear| linear.as_ref().zip(chances));
        measures.flat_map(|linear| (0..self.read.runs.len()).map(move |run| of_run(linear, run))).collect()
    }

    /// Whether more draws would change little: for every pair and measure the variance of the drawn mean differences, which shrinks as 1/D,
    /// beside the variance over topics.
    fn is_accurate(&self, scored: &[RunScores], found: &[TopicFindings], done: usize) -> bool {
        let measures = (0..self.drawn.len()).filter(|&measure| self.drawn[measure].is_some());
        measures.into_iter().all(|measure| {
            self.pairs.iter().all(|&(a, b)| {
                let topics = common_topics(scored, measure, (a, b));
                let drawn = variance(&mean_differences(found, measure, (a, b), &topics, done));
                let observed: Vec<f64> = topics.iter().map(|(_, difference)| *difference).collect();
                let over_topics = variance(&observed) / observed.len().max(1) as f64;
                let share = drawn / (drawn + over_topics).max(f64::MIN_POSITIVE);
                done as f64 >= draws_needed(share, self.relevance_model.is_some_and(RelevanceModel::has_one_model))
            })
        })
    }
}

impl TopicFindings {
    fn extend(&mut self, more: Drawn) {
        for (own, more) in self.drawn.iter_mut().flatten().zip(more.into_iter().flatten()) {
            *own = own.take().zip(more).map(|(own, more)| own.iter().chain(&more).copied().collect());
        }
    }
}

/// How many draws are accurate enough, where draws make this share of the variance of a mean difference. The mean and the variance have the
/// relative errors 1/D and 2/D. The error of the model's fit, told from the variance of D means, is uncertain by share * sqrt(2/D), and widens an
/// interval by twice the root of itself times the rest.
fn draws_needed(share: f64, has_one_model: bool) -> f64 {
    let accuracy = ACCURACY * ACCURACY;
    let of_fit = if has_one_model { 0.0 } else { share * (1.0 - share) / (4.0 * accuracy) };
    (2.0 * share * share / accuracy).max(share / accuracy).max(2.0 * of_fit * of_fit)
}

/// The topics that both runs have a score for, with the observed difference.
fn common_topics(scored: &[RunScores], measure: usize, (a, b): (usize, usize)) -> Vec<(TopicIndex, f64)> {
    let both = scored[a].of(measure).filter_map(|(topic, first)| {
        let second = scored[b].topics.get(topic)?[measure].as_ref().ok()?;
        Some((topic, first.as_ref().ok()?.value - second.value))
    });
    both.collect()
}

/// The mean difference of two runs over these topics, on every draw.
fn mean_differences(
    found: &[TopicFindings],
    measure: usize,
    (a, b): (usize, usize),
    topics: &[(TopicIndex, f64)],
    draws: usize,
) -> Vec<f64> {
    let mut sums = vec![0.0; draws];
    let findings = topics.iter().map(|(topic, _)| &found[topic.0 as usize]);
    for (first, second) in findings.filter_map(|found| found.draws(a, measure).zip(found.draws(b, measure))) {
        sums.iter_mut().zip(first.iter().zip(second)).for_each(|(sum, (first, second))| *sum += first - second);
    }
    sums.iter().map(|sum| sum / topics.len().max(1) as f64).collect()
}

fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0).max(1.0)
}

/// How likely the unjudged documents of a topic are relevant: by the model, then by each refit.
struct Chances {
    models: usize,
    all: Vec<f64>,
}

impl Chances {
    fn new(lists: &Lists<'_>, relevance_model: Option<&RelevanceModel>) -> Option<Chances> {
        let (model, refits) = relevance_model?.curves()?;
        let curves: Vec<&[f64]> = std::iter::once(model).chain(refits).collect();
        let at = |curve: &[f64], rank: u32| curve.get(rank as usize - 1).or(curve.last()).copied().unwrap_or(0.0);
        let mut all = Vec::with_capacity(lists.open() * curves.len());
        for open in 0..lists.open() {
            let places = lists.places(open);
            let mean =
                |curve: &&[f64]| places.iter().map(|&(_, rank)| at(curve, rank)).sum::<f64>() / places.len() as f64;
            all.extend(curves.iter().map(mean));
        }
        Some(Chances { models: curves.len(), all })
    }

    /// What the unjudged documents of a list, with their ranks, add to its score under the model.
    fn added_to(&self, linear: &Linear, open_of: &[(u32, u32)]) -> f64 {
        let (yes, no) = (linear.yes, linear.no);
        let gain = |&(open, rank): &(u32, u32)| {
            let weight = linear.weights.get(rank as usize - 1).copied().unwrap_or(0.0);
            let chance = self.all[open as usize * self.models];
            weight * (no.mean + chance * (yes.mean - no.mean))
        };
        open_of.iter().map(gain).sum()
    }

    /// What the unjudged documents add to a difference: Park (2016), equations 6 to 8, with the weight of a document its weight in the
    /// first list less that in the second.
    fn added(&self, linear: &Linear, lists: &Lists<'_>, (a, b): (usize, usize)) -> Expected {
        let weight =
            |rank: Option<u32>| rank.and_then(|rank| linear.weights.get(rank as usize - 1)).copied().unwrap_or(0.0);
        let (yes, no) = (linear.yes, linear.no);
        let (mut sums, mut variance) = (vec![0.0; self.models], 0.0);
        for (open, first, second) in lists.open_of_pair(a, b) {
            let weight = weight(first) - weight(second);
            // At the same rank in both runs it cancels.
            if weight == 0.0 {
                continue;
            }
            let chances = &self.all[open as usize * self.models..][..self.models];
            variance += weight * weight * spread(chances[0], yes, no);
            let gain = |chance: f64| weight * (no.mean + chance * (yes.mean - no.mean));
            sums.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += gain(*chance));
        }
        Expected { mean: sums[0], variance, refits: sums[1..].into(), terms: None, judged: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_needed_by_hand() {
        // A tenth of the variance drawn: 2 · .1² / .05² = 8 for the variance, .1 / .05² = 40 for the mean, 2 · (.1 · .9 / .01)² = 162 for the fit.
        assert!((draws_needed(0.1, false) - 162.0).abs() < 1e-9);
        assert!((draws_needed(0.1, true) - 40.0).abs() < 1e-9);
        assert_eq!(draws_needed(0.0, false), 0.0);
    }
}
