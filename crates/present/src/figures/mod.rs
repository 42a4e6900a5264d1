//! What people look at: one file and one row for each figure.

pub mod budget;

pub use karat_analysis::figures::{FigureInfo, JUDGES, TOPICS, UNJUDGED, example_score, number};
