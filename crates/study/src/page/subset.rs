//! Some of the runs of a source, as a source.

use karat_data::{LineProblem, Problems, RunFacts, RunSource, TopicRows, Visitor, Worker};

/// The runs at these places, in this order.
pub struct Subset<'a> {
    /// All runs.
    pub of: &'a dyn RunSource,
    /// The places of those that are wanted, each once.
    pub places: &'a [usize],
}

impl RunSource for Subset<'_> {
    fn visit(&self, threads: usize, visitor: &dyn Visitor) -> Result<Vec<RunFacts>, Problems> {
        let facts = self.of.visit(threads, &Passing { places: self.places, visitor })?;
        Ok(self.places.iter().filter_map(|&place| facts.get(place).cloned()).collect())
    }
}

/// Passes on the topics of the runs that are wanted.
struct Passing<'a> {
    places: &'a [usize],
    visitor: &'a dyn Visitor,
}

impl Visitor for Passing<'_> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Passer { places: self.places, worker: self.visitor.worker() })
    }
}

struct Passer<'a> {
    places: &'a [usize],
    worker: Box<dyn Worker + 'a>,
}

impl Worker for Passer<'_> {
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        match self.places.iter().position(|&place| place == rows.run) {
            Some(run) => self.worker.topic(&TopicRows { run, ..*rows }),
            None => Vec::new(),
        }
    }
}
