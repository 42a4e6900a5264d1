//! Worlds we invent, with a known truth.
//!
//! The one decision: everything is drawn from a [`karat_stats::Seed`] that is passed in, with additions,
//! multiplications, divisions and comparisons only. IEEE 754 fixes those to the last bit, so one seed gives one world,
//! byte for byte, on every machine.

pub mod clicks;
pub mod collection;
pub mod heavy_users;
pub mod judges;
pub mod urn;

pub use clicks::{Arrival, ClickError, ClickWorld, Found as FoundDifferences, Peeked, Search};
pub use collection::{Design, DesignError, SimulatedRun, System, World};
pub use heavy_users::{
    Agreement, Coverage, HEAVY_WORLDS, HeavyPeeked, HeavyUsers, HeavyWorld, Kind, Level, Looks, OTHER_WORLDS,
};
pub use judges::{JudgesError, JudgesWorld, Simulated as SimulatedJudges};
pub use urn::{Experiment, ModelError, Moments, Posterior, RankingModel, Relevant, Simulated, Urn, UrnError};
