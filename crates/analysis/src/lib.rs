//! The questions people ask, each answered with a struct.
//!
//! An analysis is given judgements, a source of runs and options, and returns a typed answer whose serialisation is the JSON of its command. It
//! reads no file, has no sentences and rounds nothing: `karat-present` has the words.

pub mod ab;
pub mod budget;
pub mod check;
pub mod compare;
pub mod curves;
pub mod eval;
pub mod judges;
pub mod judging;
pub mod plan_topics;
pub mod published;
pub mod rbo;
pub mod score_bands;
pub mod scores;
pub mod simulate;
pub mod summary;
pub mod ties;
pub mod tune;
pub mod unjudged;
