//! What unjudged documents leave open: the width of bounds.

use super::About;
use super::priority::weight_of;
use super::world::{Doc, World};

/// What is open: the largest width of the bounds of the scores or differences in question.
pub(super) struct Open {
    about: About,
    /// Pairs of runs with the width of their difference's bounds; none for scores.
    pairs: Vec<((usize, usize), f64)>,
}

impl Open {
    pub fn new(world: &World<'_>, about: About, pair: (usize, usize)) -> Open {
        let pairs: Vec<(usize, usize)> = match about {
            About::Scores => Vec::new(),
            About::Top => vec![pair],
            About::Differences => (0..world.runs).flat_map(|b| (0..b).map(move |a| (a, b))).collect(),
        };
        let floor = |(a, b): (usize, usize)| ((a, b), world.tail(a) + world.tail(b));
        let mut open = Open { about, pairs: pairs.into_iter().map(floor).collect() };
        for (at, topic) in world.topics.iter().enumerate() {
            for place in topic.candidates() {
                open.add(world, Doc { topic: at, place }, 1.0);
            }
        }
        open
    }

    fn add(&mut self, world: &World<'_>, document: Doc, sign: f64) {
        let topic = &world.topics[document.topic];
        let share = sign * (world.greatest - world.least) / world.topics.len() as f64;
        for ((a, b), width) in &mut self.pairs {
            let weight = |run: usize| weight_of(topic, document.place, run);
            *width = (*width + share * (weight(*a) - weight(*b)).abs()).max(0.0);
        }
    }

    pub fn close(&mut self, world: &World<'_>, document: Doc) {
        self.add(world, document, -1.0);
    }

    pub fn now(&self, world: &World<'_>) -> f64 {
        let widths = self.pairs.iter().map(|(_, width)| *width);
        match self.about {
            About::Scores => (0..world.runs).map(|run| world.residual(run)).fold(0.0, f64::max),
            About::Top | About::Differences => widths.fold(0.0, f64::max),
        }
    }

    /// What stays open when everything retrieved is judged.
    pub fn floor(&self, world: &World<'_>) -> f64 {
        let both = |(a, b): (usize, usize)| world.tail(a) + world.tail(b);
        match self.about {
            About::Scores => (0..world.runs).map(|run| world.tail(run)).fold(0.0, f64::max),
            About::Top | About::Differences => self.pairs.iter().map(|(pair, _)| both(*pair)).fold(0.0, f64::max),
        }
    }
}
