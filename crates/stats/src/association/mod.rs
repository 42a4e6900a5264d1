//! How alike two rankings are.

mod rbo;

pub use rbo::{RankBiasedOverlap, rank_biased_overlap};
