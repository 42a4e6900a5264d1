//! The papers' numbers and figures, ours next to theirs.
//!
//! One file and one row per paper: its claims as data, its experiments, its figures. The one decision: every number next to a
//! printed one is computed by the code that answers users, so that a claim that holds is evidence for that code; where a paper is
//! wrong, the claim says so and why. Experiments on systems run on a [`Collection`]: any judgements and runs, or a simulated collection
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
pub use report::{Layout, report};

use answer::Experiments;
use karat_report::Figure;
use karat_stats::Seed;

/// A paper.
#[derive(Debug)]
pub struct Paper {
    /// Its name on the command line.
    pub name: &'static str,
    /// Who wrote what, where.
    pub title: &'static str,
    /// How it is reproduced.
    pub recipe: &'static str,
    /// Reproduces it.
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
    /// Judges of its documents, besides gold.
    pub panel: &'a Panel,
    /// Seed of everything drawn.
    pub seed: Seed,
    /// Threads; they do not change the answer.
    pub threads: usize,
    /// Whether experiments are cut short ([`QUICK`]).
    pub quick: bool,
}

impl Work<'_> {
    /// The paper's number, or the one for `--quick`.
    pub fn effort<T>(&self, whole: T, quick: T) -> T {
        if self.quick { quick } else { whole }
    }
}

/// What `--quick` means.
pub const QUICK: &str = "quick: 1,000 simulations instead of 10,000; inferred AP at 5 sampling rates instead of 17, 3 samples each instead of 10; the first 10 runs; 100 mixtures of judges instead of 1,000; 3 splits of the labels instead of 20; 16 simulated systems instead of 40, 25 topics instead of 50";

/// Runs that an experiment uses under `--quick`.
pub const QUICK_RUNS: usize = 10;

/// Where an experiment reports progress and keeps finished pieces.
pub trait Desk {
    /// `done` of `all` pieces are done.
    fn progress(&mut self, done: usize, all: usize);
    /// The piece kept under this name, by this run or an earlier one with the same options.
    fn find(&mut self, cell: &str) -> Option<String>;
    /// Keeps a piece.
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

/// What came out for a paper.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Its claims.
    pub claims: Vec<Claim>,
    /// What the experiments gave.
    pub experiments: Experiments,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Notes for the reader.
    pub notes: Vec<String>,
}
