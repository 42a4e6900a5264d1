//! Shares that depend on a number: how often yes, at each x.
//!
//! The one decision: observations come as counts ([`Cell`]), so that a million of them cost what their distinct x cost.

mod isotonic;
mod logistic;

pub use isotonic::falling;
pub use logistic::{Logistic, logistic};

/// What was observed at one x.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Cell {
    /// Observations.
    pub count: f64,
    /// Those that were "yes".
    pub yes: f64,
}

impl Cell {
    /// Both added up.
    #[must_use]
    pub fn plus(self, other: Cell) -> Cell {
        Cell { count: self.count + other.count, yes: self.yes + other.yes }
    }

    /// The share of "yes", with half an observation of each kind added: never 0 or 1, and 1/2 of nothing.
    pub fn share(self) -> f64 {
        (self.yes + 0.5) / (self.count + 1.0)
    }
}
