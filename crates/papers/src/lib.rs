//! The papers' numbers and figures, ours next to theirs.
//!
//! One file and one row per paper: its claims as data, its experiments, its figures. The one decision: every number beside a printed
//! one is computed by the code that answers users, so that a claim that holds speaks for that code; where a paper is wrong, the
//! claim says so and why. Experiments on systems run on a [`Collection`]: any judgements and runs, or a simulated collection
//! ([`embedded`]).

pub mod answer;
pub mod claim;
pub mod collection;
mod drawing;
pub mod embedded;
pub mod inferred_ap;
pub mod noisy_judgements;
pub mod panel;
pub mod ranked_evaluation;
pub mod rbp_sensitivity;
pub mod rbp_uncertainty;
mod report;
mod tables;
#[cfg(test)]
mod tests;

pub use claim::{Claim, Value};
pub use collection::Collection;
pub use panel::Panel;
pub use report::report;

use answer::Experiments;
use karat_report::Figure;
use karat_stats::Seed;

/// A paper's row.
#[derive(Debug)]
pub struct Paper {
    /// Its name on the command line.
    pub name: &'static str,
    /// Who wrote what, where.
    pub title: &'static str,
    /// What is done to reproduce it.
    pub recipe: &'static str,
    /// Does it.
    pub reproduce: fn(&Work<'_>, &mut dyn Desk) -> Outcome,
}

/// Every paper.
pub static PAPERS: &[Paper] = &[
    rbp_uncertainty::PAPER,
    ranked_evaluation::PAPER,
    rbp_sensitivity::PAPER,
    noisy_judgements::PAPER,
    inferred_ap::PAPER,
];

/// The paper of that name.
pub fn find(name: &str) -> Option<&'static Paper> {
    PAPERS.iter().find(|paper| paper.name == name)
}

/// What all papers are reproduced with.
#[derive(Debug)]
pub struct Work<'a> {
    /// Systems and judgements for the experiments.
    pub collection: &'a Collection,
    /// Judges of its documents, beside gold.
    pub panel: &'a Panel,
    /// Seed of everything drawn.
    pub seed: Seed,
    /// Threads; they do not change the answer.
    pub threads: usize,
    /// Whether experiments are cut short ([`QUICK`]).
    pub quick: bool,
}

impl Work<'_> {
    /// The paper's number, or fewer where there is haste.
    pub fn effort<T>(&self, whole: T, quick: T) -> T {
        if self.quick { quick } else { whole }
    }
}

/// What quick means.
pub const QUICK: &str = "quick: simulations have 1,000 replications for 10,000; inferred AP is sampled at 1, 5, 10, 30 and 100% for 17 rates and 3 \
                         times for 10; experiments on runs take the first 10 runs; judges are mixed 100 times for 1,000 and labels split 3 times for 20; the simulated collection has 16 systems for 40 and \
                         25 topics for 50";

/// Runs that an experiment looks at when there is haste.
pub const QUICK_RUNS: usize = 10;

/// Where an experiment tells how far it has come, and keeps what it has finished.
pub trait Desk {
    /// So many of so many pieces are done.
    fn progress(&mut self, done: usize, all: usize);
    /// What was kept under this name, by this run or an earlier one that did the same work.
    fn find(&mut self, cell: &str) -> Option<String>;
    /// Keeps it.
    fn keep(&mut self, cell: &str, text: &str);
}

/// A desk that keeps nothing.
#[derive(Debug, Default)]
pub struct Bare;

impl Desk for Bare {
    fn progress(&mut self, _: usize, _: usize) {}

    fn find(&mut self, _: &str) -> Option<String> {
        None
    }

    fn keep(&mut self, _: &str, _: &str) {}
}

/// What became of a paper.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Its claims.
    pub claims: Vec<Claim>,
    /// What the experiments gave.
    pub experiments: Experiments,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// What the reader must know.
    pub notes: Vec<String>,
}
