//! Which document next: the strategies.
//!
//! A, B and C are those of Moffat, Webber and Zobel (2007), Strategic system comparisons via targeted relevance judgments,
//! SIGIR: a document counts what runs give it; that times what is open in the run; that times how good the run can still
//! turn out. The fourth is the variance that a judgement takes away under a model of gains. Residual and base are the
//! run's in the topic. Equal priorities go by topic, then docno.

use schemars::JsonSchema;
use serde::Serialize;

use super::world::{Doc, Topic, World};

/// How documents are put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Sum over runs of the weight.
    A,
    /// Sum over runs of weight times residual.
    B,
    /// Sum over runs of weight times residual times (base + residual / 2) cubed.
    C,
    /// The reduction of variance.
    Variance,
}

/// Whose uncertainty is to shrink.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// Every run's score.
    Scores,
    /// The difference of every two runs.
    Differences,
    /// The difference of the two runs that are probably the best.
    Top,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Strategy; 4] = [Strategy::A, Strategy::B, Strategy::C, Strategy::Variance];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::A => "A",
            Strategy::B => "B",
            Strategy::C => "C",
            Strategy::Variance => "variance",
        }
    }
}

impl About {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            About::Scores => "scores",
            About::Differences => "differences",
            About::Top => "top",
        }
    }
}

/// Picks documents one by one.
pub(super) struct Picker {
    strategy: Strategy,
    about: About,
    /// The two best runs, for [`About::Top`].
    pub pair: (usize, usize),
    /// Each topic's first document and its priority; `None` where it must be looked for.
    best: Vec<Option<Option<(f64, usize)>>>,
}

impl Picker {
    pub fn new(world: &World<'_>, strategy: Strategy, about: About) -> Picker {
        let mut picker = Picker { strategy, about, pair: (0, 0), best: vec![None; world.topics.len()] };
        picker.pair = best_two(world);
        picker
    }

    /// The document of the highest priority.
    pub fn pick(&mut self, world: &World<'_>) -> Option<(Doc, f64)> {
        let mut found: Option<(Doc, f64)> = None;
        for (topic, best) in self.best.iter_mut().enumerate() {
            let look = || first(world, &world.topics[topic], self.strategy, self.about, self.pair);
            if let Some((priority, place)) = *best.get_or_insert_with(look)
                && found.is_none_or(|(_, highest)| priority > highest)
            {
                found = Some((Doc { topic, place }, priority));
            }
        }
        found
    }

    /// A document was judged, and its gain is known or not.
    pub fn judged(&mut self, world: &World<'_>, document: Doc, learnt: bool) {
        self.best[document.topic] = None;
        if learnt && self.strategy == Strategy::Variance {
            if world.gains.learns() {
                self.best.fill(None);
            }
            let pair = best_two(world);
            if self.about == About::Top && pair != self.pair {
                self.best.fill(None);
            }
            self.pair = pair;
        }
    }
}

/// The two runs with the largest expected scores.
pub(super) fn best_two(world: &World<'_>) -> (usize, usize) {
    let mut order: Vec<(f64, usize)> = (0..world.runs).map(|run| (world.expected(run), run)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let at = |place: usize| order.get(place).map_or(0, |&(_, run)| run);
    (at(0), at(1))
}

fn first(
    world: &World<'_>,
    topic: &Topic<'_>,
    strategy: Strategy,
    about: About,
    pair: (usize, usize),
) -> Option<(f64, usize)> {
    let mut best: Option<(f64, usize)> = None;
    for document in topic.candidates() {
        let priority = priority(world, topic, document, strategy, about, pair);
        if priority > 0.0 && best.is_none_or(|(highest, _)| priority > highest) {
            best = Some((priority, document));
        }
    }
    best
}

/// A document's priority.
pub(super) fn priority(
    world: &World<'_>,
    topic: &Topic<'_>,
    document: usize,
    strategy: Strategy,
    about: About,
    pair: (usize, usize),
) -> f64 {
    let span = world.greatest - world.least;
    let places = topic.places(document);
    let residual = |run: usize| span * (topic.open[run] + topic.tail[run]);
    let sum = |of: &dyn Fn(usize) -> f64| {
        places.iter().map(|place| span * place.weight * of(place.run as usize)).sum::<f64>()
    };
    match strategy {
        Strategy::A => sum(&|_| 1.0),
        Strategy::B => sum(&residual),
        Strategy::C => sum(&|run| {
            let middle = topic.base[run] + residual(run) / 2.0;
            residual(run) * middle * middle * middle
        }),
        Strategy::Variance => {
            let (_, variance) = world.gains.of(topic.bands[document]);
            let topics = world.topics.len().max(1) as f64;
            squared_weight(world, topic, document, about, pair) * variance / (topics * topics)
        }
    }
}

/// The square of the weight that a document has in what is asked about, summed over runs or pairs of runs.
fn squared_weight(world: &World<'_>, topic: &Topic<'_>, document: usize, about: About, pair: (usize, usize)) -> f64 {
    let places = topic.places(document);
    let squares = || places.iter().map(|place| place.weight * place.weight).sum::<f64>();
    match about {
        About::Scores => squares(),
        // Sum over pairs of (w_a - w_b)^2 = n * sum of w^2 - (sum of w)^2.
        About::Differences => {
            let sum: f64 = places.iter().map(|place| place.weight).sum();
            let all = world.runs as f64 * squares();
            // What rounding leaves where all runs rank a document alike is no difference.
            if all - sum * sum > 1e-12 * all { all - sum * sum } else { 0.0 }
        }
        About::Top => {
            let weight = |run: usize| weight_of(topic, document, run);
            let difference = weight(pair.0) - weight(pair.1);
            difference * difference
        }
    }
}

/// The weight a run gives a document.
pub(super) fn weight_of(topic: &Topic<'_>, document: usize, run: usize) -> f64 {
    let places = topic.places(document);
    places.binary_search_by_key(&(run as u32), |place| place.run).map_or(0.0, |at| places[at].weight)
}
