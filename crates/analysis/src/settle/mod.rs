//! Settling a comparison: a sample of the unjudged documents is judged, and says which run is better without any assumption about the others.
//!
//! [`draw`] chooses documents with known probabilities, [`estimate`] reads the labels back, [`plan`] says how many are needed.

pub mod answer;
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
pub use question::{Contrast, Design, Question};
