//! How alike two rankings are, or two lists of scores.

mod correlation;
mod interval;
mod kendall;
mod rbo;

pub use correlation::{pearson, root_mean_square, spearman};
pub use interval::{by_group, by_item};
pub use kendall::{kendall_tau, tau_a, tau_ap};
pub use rbo::{RankBiasedOverlap, rank_biased_overlap};
