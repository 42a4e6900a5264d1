//! How many judgements would have been enough? Strategies replayed on judgements that are known.
//!
//! The judgements are taken away and given back one by one, in the order a strategy asks for them. Documents without a judgement
//! count as not relevant and lists as complete, so that the end of every replay is the same, and is the truth. A
//! thing is settled when it is right and stays so to the end: that is known in hindsight only. It is certain when no outcome of
//! the judgements still missing could undo it.

use karat_data::{RankedDocuments, RunFacts, RunSource, hash};
use karat_stats::Seed;
use schemars::JsonSchema;
use serde::Serialize;

use super::next::{NextOptions, linear};
use super::replayer::{Course, POINTS, Point, Replayer, Truth, candidates};
use super::world::{Doc, Scope, World};
use super::{About, JudgingError, NeedsWeights, Strategy, check_common_topics, check_level};
use crate::scores::{Setting, names};
use crate::streams;

/// Options of a replay.
#[derive(Debug, Clone, Copy)]
pub struct ReplayOptions {
    /// Seed of the random order.
    pub seed: Seed,
    /// Repetitions of the random order.
    pub repetitions: u32,
    /// Kendall's tau with the full order that is enough.
    pub threshold: f64,
}

/// How many judgements each strategy needs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReplayAnswer {
    /// One row per strategy.
    pub replay: Vec<ReplayedStrategy>,
    /// Agreement with the full order after so many judgements.
    pub curve: Vec<CurvePoint>,
    /// Number of topics.
    #[serde(skip)]
    pub topics: usize,
    /// Number of runs.
    #[serde(skip)]
    pub runs: usize,
    /// The best two runs by all judgements, with their scores.
    #[serde(skip)]
    pub best: [(String, f64); 2],
    /// Whether the first three runs have different scores.
    #[serde(skip)]
    pub clear: bool,
}

/// What a strategy needs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReplayedStrategy {
    /// The strategy, `random` or `depth`.
    pub strategy: &'static str,
    /// Whose uncertainty it shrinks.
    pub about: Option<About>,
    /// Judgements until the first two runs are as with all judgements, and stay so; the median over repetitions.
    pub top_two: Option<usize>,
    /// Its range over repetitions.
    pub top_two_range: Option<(usize, usize)>,
    /// Judgements until Kendall's tau with the full order is reached, and stays so; the median over repetitions.
    pub tau: Option<usize>,
    /// Its range over repetitions.
    pub tau_range: Option<(usize, usize)>,
    /// Judgements until no outcome of the others could put the second run before the first.
    pub certain: Option<usize>,
    /// Judged documents in all.
    pub judgements: usize,
}

/// Agreement with the full order after so many judgements.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CurvePoint {
    /// The strategy, `random` or `depth`.
    pub strategy: &'static str,
    /// Whose uncertainty it shrinks.
    pub about: Option<About>,
    /// Judgements.
    pub judgements: usize,
    /// Kendall's tau, the mean over repetitions.
    pub tau: Option<f64>,
    /// tau_AP, the mean over repetitions.
    pub tau_ap: Option<f64>,
}

/// A strategy with all its replays.
struct Replayed {
    strategy: &'static str,
    about: Option<About>,
    courses: Vec<Course>,
}

/// Replays every strategy, the random one several times. Of the options of `next`, strategy, target and count are not used. Also returns
/// what is known of the runs.
///
/// # Errors
/// Everything wrong with the runs; fewer than three; nothing judged.
pub fn replay(
    runs: &dyn RunSource,
    options: &NextOptions<'_>,
    replay_options: &ReplayOptions,
) -> Result<(ReplayAnswer, Vec<RunFacts>), JudgingError> {
    let Setting { qrels, collection, policy, threads, .. } = *options.setting;
    let form = linear(options.measure, &collection, NeedsWeights::Replay)?;
    check_level(options.measure, &collection)?;
    let documents = RankedDocuments::read(runs, &policy, threads)?;
    check_common_topics(qrels, &documents)?;
    let names = names(&documents.runs.iter().collect::<Vec<_>>())?;
    if names.len() < 3 {
        return Err(JudgingError::TooFewRuns(names.len()));
    }
    let world = World::new(qrels, &documents, &form, &collection, options.model, Scope::Judged);
    let gain = |document: Doc| {
        let topic = &world.topics[document.topic];
        let docno = topic.documents.map_or(&[][..], |documents| documents.docno(document.place as u32));
        let grade = qrels.judgement(topic.index, docno, hash::of(docno)).grade();
        form.gain.of(grade.unwrap_or(0.0))
    };
    let all = candidates(&world);
    if all.is_empty() {
        return Err(JudgingError::NothingToReplay);
    }
    let truth = Truth::new(&world, &all, &gain);
    let threshold = replay_options.threshold;
    let replayer = Replayer { world: &world, truth: &truth, total: all.len(), threshold };
    let rows = replay_all(&replayer, &all, replay_options, &gain);
    let best = |run: usize| (names[run].clone(), truth.scores[run]);
    let answer = ReplayAnswer {
        replay: rows.iter().map(|row| row.summary(all.len())).collect(),
        curve: rows.iter().flat_map(|row| row.curve(&replayer)).collect(),
        topics: world.topics.len(),
        runs: names.len(),
        best: [best(truth.best.0), best(truth.best.1)],
        clear: truth.is_clear(),
    };
    Ok((answer, documents.runs))
}

/// Every strategy: random, by depth, and those of `next`.
fn replay_all(
    replayer: &Replayer<'_, '_>,
    all: &[Doc],
    options: &ReplayOptions,
    gain: &impl Fn(Doc) -> f64,
) -> Vec<Replayed> {
    let world = replayer.world;
    let random = |repetition: u64| {
        let mut order = all.to_vec();
        let mut stream = options.seed.stream(streams::REPLAY_RANDOM, repetition);
        for at in (1..order.len()).rev() {
            order.swap(at, stream.below(at as u64 + 1) as usize);
        }
        replayer.in_order(&order, gain)
    };
    let courses = (0..u64::from(options.repetitions)).map(random).collect();
    let mut rows = vec![Replayed { strategy: "random", about: None, courses }];
    let mut by_depth = all.to_vec();
    let best_rank =
        |document: &Doc| world.topics[document.topic].places(document.place).iter().map(|place| place.rank).min();
    by_depth.sort_by_key(|document| (best_rank(document), *document));
    let courses = vec![replayer.in_order(&by_depth, gain)];
    rows.push(Replayed { strategy: "depth", about: None, courses });
    let by_weight = [Strategy::A, Strategy::B, Strategy::C].map(|strategy| (strategy, About::Scores));
    let by_variance = [About::Scores, About::Differences, About::Top].map(|about| (Strategy::Variance, about));
    for (strategy, about) in by_weight.into_iter().chain(by_variance) {
        let courses = vec![replayer.picked(strategy, about, gain)];
        rows.push(Replayed { strategy: strategy.name(), about: Some(about), courses });
    }
    rows
}

impl Replayed {
    fn summary(&self, judgements: usize) -> ReplayedStrategy {
        let median = |pick: fn(&Course) -> Option<usize>| median(self.courses.iter().map(pick).collect());
        let ((top_two, top_two_range), (tau, tau_range)) =
            (median(|course| course.top_two), median(|course| course.tau));
        ReplayedStrategy {
            strategy: self.strategy,
            about: self.about,
            top_two,
            top_two_range,
            tau,
            tau_range,
            certain: median(|course| course.certain).0,
            judgements,
        }
    }

    fn curve(&self, replayer: &Replayer<'_, '_>) -> Vec<CurvePoint> {
        let mean = |point: usize, pick: fn(&Point) -> Option<f64>| {
            let values: Option<Vec<f64>> = self.courses.iter().map(|course| pick(course.curve.get(point)?)).collect();
            values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
        };
        let one = |point: usize| CurvePoint {
            strategy: self.strategy,
            about: self.about,
            judgements: replayer.at(point),
            tau: mean(point, |found| found.0),
            tau_ap: mean(point, |found| found.1),
        };
        (0..=POINTS).map(one).collect()
    }
}

/// The median and the range; nothing where one of them is nothing.
fn median(values: Vec<Option<usize>>) -> (Option<usize>, Option<(usize, usize)>) {
    let Some(mut values) = values.into_iter().collect::<Option<Vec<usize>>>() else { return (None, None) };
    values.sort_unstable();
    let range = values.first().copied().zip(values.last().copied()).filter(|_| values.len() > 1);
    (values.get(values.len() / 2).copied(), range)
}
