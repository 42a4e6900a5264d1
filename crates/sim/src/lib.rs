//! Worlds we invent, with a known truth.
//!
//! The one decision: everything is drawn from a [`karat_stats::Seed`] that is passed in, with additions,
//! multiplications, divisions and comparisons only. IEEE 754 fixes those to the last bit, so one seed gives one world,
//! byte for byte, on every machine.

pub mod collection;
pub mod judges;
pub mod urn;

pub use collection::{Design, DesignError, SimulatedRun, System, World};
pub use judges::{JudgesError, JudgesWorld, Simulated as SimulatedJudges};
pub use urn::{Experiment, ModelError, Moments, Posterior, RankingModel, Relevant, Simulated, Urn, UrnError};
