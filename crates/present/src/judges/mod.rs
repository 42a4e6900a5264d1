//! `karat judges` and `karat plan judges` for people, one file per command.

pub mod compare;
pub mod correct;
pub mod plan;
mod warnings;

pub use warnings::{SAME_RATES, rate_warning, score_warning};
