//! How alike two rankings are.

mod kendall;
mod rbo;

pub use kendall::{kendall_tau, tau_ap};
pub use rbo::{RankBiasedOverlap, rank_biased_overlap};
