//! `karat judges` and `karat plan judges` for people, one file per command.

pub mod agree;
pub mod calibrate;
pub mod compare;
pub mod correct;
pub mod merge;
pub mod plan;
mod problems;
mod warnings;

pub use problems::{problems, scale_note};
pub use warnings::{SAME_RATES, rate_warning, score_warning};
