//! Settling a comparison: a sample of the unjudged documents is judged, and says which run is better, or how good each is, without any assumption about
//! the others.
//!
//! [`draw`] chooses documents with known probabilities, [`estimate`] reads the labels back, [`plan`] says how many are needed.

pub mod answer;
pub mod coverage;
pub mod draw;
pub mod effects;
pub mod estimate;
pub mod guess;
pub mod plan;
pub mod question;
mod ratio;
pub mod record;
pub mod stopping;

pub use answer::{SettleAnswer, SettleOptions, settle};
pub use question::{Contrast, Design, Purpose, Question, Target};
