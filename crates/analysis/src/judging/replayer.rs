//! One replay: documents are judged one after the other, and what holds from when on is kept.

use karat_stats::association::{kendall_tau, tau_ap};

use super::priority::{Picker, weight_of};
use super::world::{Doc, World};
use super::{About, Strategy};

/// Points of a curve after the first.
pub(super) const POINTS: usize = 50;

/// Differences of scores below this are rounding.
const GRAIN: f64 = 1e12;

/// tau and tau_AP; the second has none where runs are tied.
pub(super) type Point = (Option<f64>, Option<f64>);

/// What came of one replay: how many judgements until each thing.
#[derive(Debug, Clone, Default)]
pub(super) struct Course {
    pub top_two: Option<usize>,
    pub certain: Option<usize>,
    pub tau: Option<usize>,
    pub curve: Vec<Point>,
}

/// The documents without a judgement.
pub(super) fn candidates(world: &World<'_>) -> Vec<Doc> {
    let topics = world.topics.iter().enumerate();
    topics.flat_map(|(topic, found)| found.candidates().map(move |place| Doc { topic, place })).collect()
}

/// What all judgements say.
pub(super) struct Truth {
    pub scores: Vec<f64>,
    pub best: (usize, usize),
}

/// Scores as they are compared.
fn grained(scores: &[f64]) -> Vec<f64> {
    scores.iter().map(|score| (score * GRAIN).round()).collect()
}

impl Truth {
    pub fn new(world: &World<'_>, all: &[Doc], gain: &impl Fn(Doc) -> f64) -> Truth {
        let mut scores = vec![0.0; world.runs];
        for &document in all {
            add(world, &mut scores, document, gain(document));
        }
        let mut order: Vec<usize> = (0..world.runs).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        Truth { best: (order[0], order[1]), scores }
    }

    /// Whether the first two runs of `scores` are the true ones, in order.
    fn has_top(&self, scores: &[f64]) -> bool {
        let (first, second) = self.best;
        let below = |run: usize| run == first || run == second || scores[run] < scores[second];
        scores[first] > scores[second] && (0..scores.len()).all(below)
    }

    pub fn is_clear(&self) -> bool {
        self.has_top(&grained(&self.scores))
    }
}

fn add(world: &World<'_>, scores: &mut [f64], document: Doc, gain: f64) {
    let topics = world.topics.len() as f64;
    for place in world.topics[document.topic].places(document.place) {
        scores[place.run as usize] += place.weight * gain / topics;
    }
}

/// Replays orders of judging.
pub(super) struct Replayer<'w, 'a> {
    pub world: &'w World<'a>,
    pub truth: &'w Truth,
    /// All documents.
    pub total: usize,
    /// The tau that is enough.
    pub threshold: f64,
}

impl Replayer<'_, '_> {
    /// The judgements at a point of the curve.
    pub fn at(&self, point: usize) -> usize {
        (self.total * point).div_ceil(POINTS)
    }

    /// Judges the documents in this order.
    pub fn in_order(&self, order: &[Doc], gain: &impl Fn(Doc) -> f64) -> Course {
        let mut watch = Watch::new(self);
        for &document in order {
            watch.judged(document, gain(document));
        }
        watch.course
    }

    /// Judges the documents as a strategy picks them.
    pub fn picked(&self, strategy: Strategy, about: About, gain: &impl Fn(Doc) -> f64) -> Course {
        let mut world = self.world.clone();
        let mut picker = Picker::new(&world, strategy, about);
        let mut watch = Watch::new(self);
        while let Some((document, _)) = picker.pick(&world) {
            let gain = gain(document);
            world.judge(document, gain);
            picker.judged(&world, document, true);
            watch.judged(document, gain);
        }
        // What could not matter to the strategy is judged last.
        candidates(&world).into_iter().for_each(|document| watch.judged(document, gain(document)));
        watch.course
    }
}

/// Looks on.
struct Watch<'r, 'w, 'a> {
    replayer: &'r Replayer<'w, 'a>,
    scores: Vec<f64>,
    /// The least that the first run can still be ahead of the second.
    least_ahead: f64,
    judged: usize,
    course: Course,
}

impl<'r, 'w, 'a> Watch<'r, 'w, 'a> {
    fn new(replayer: &'r Replayer<'w, 'a>) -> Self {
        let world = replayer.world;
        let mut watch =
            Watch { replayer, scores: vec![0.0; world.runs], least_ahead: 0.0, judged: 0, course: Course::default() };
        for (topic, found) in world.topics.iter().enumerate() {
            for place in found.candidates() {
                watch.least_ahead += watch.least(Doc { topic, place });
            }
        }
        watch.look();
        watch
    }

    fn ahead(&self, document: Doc) -> f64 {
        let (first, second) = self.replayer.truth.best;
        let topic = &self.replayer.world.topics[document.topic];
        let weight = |run: usize| weight_of(topic, document.place, run);
        (weight(first) - weight(second)) / self.replayer.world.topics.len() as f64
    }

    fn least(&self, document: Doc) -> f64 {
        let (ahead, world) = (self.ahead(document), self.replayer.world);
        if ahead > 0.0 { ahead * world.least } else { ahead * world.greatest }
    }

    fn judged(&mut self, document: Doc, gain: f64) {
        add(self.replayer.world, &mut self.scores, document, gain);
        self.least_ahead += self.ahead(document) * gain - self.least(document);
        self.judged += 1;
        self.look();
    }

    fn look(&mut self) {
        let (replayer, judged) = (self.replayer, self.judged);
        let scores = grained(&self.scores);
        let truth = grained(&replayer.truth.scores);
        let tau = kendall_tau(&scores, &truth);
        let keep = |holds: bool, since: &mut Option<usize>| *since = if holds { since.or(Some(judged)) } else { None };
        keep(replayer.truth.has_top(&scores), &mut self.course.top_two);
        keep(tau.is_some_and(|tau| tau >= replayer.threshold), &mut self.course.tau);
        keep(self.least_ahead * GRAIN > 1.0, &mut self.course.certain);
        // Few judgements can make several points one.
        while self.course.curve.len() <= POINTS && replayer.at(self.course.curve.len()) == judged {
            self.course.curve.push((tau, tau_ap(&scores, &truth)));
        }
    }
}
