//! The questions people ask, each answered with a typed answer.
//!
//! An analysis never reads a file and never words or renders anything: it is given judgements, a source of runs and options, and returns
//! a struct whose serialisation is the JSON of the command.

pub mod ab;
pub mod budget;
pub mod check;
pub mod compare;
pub mod curves;
mod document_effects;
pub mod draw;
pub mod eval;
pub mod judges;
pub mod judging;
pub mod labels;
mod lists;
pub mod plan_topics;
pub mod published;
pub mod rbo;
pub mod score_bands;
pub mod scored;
pub mod scores;
pub mod settle;
pub mod simulate;
pub mod sparse;
mod streams;
pub mod summary;
pub mod tied_scores;
pub mod ties;
pub mod topic_notes;
pub mod tune;
pub mod unjudged;
mod values;
