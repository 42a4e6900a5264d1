//! The figure of a budget; all others are drawn by the crate for presentation.

pub mod budget;

use karat_report::{Figure, NumberStyle};

/// A figure's row: what it is called, what it shows and how to read it.
pub struct FigureInfo {
    /// The figure's name for programs, and of its file.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it shows.
    pub shows: &'static str,
    /// How to read it, and what it must not be read for.
    pub reading: &'static str,
    /// The figure of made-up values for things of these names: for tests, and to see what it looks like.
    pub example: fn(&[String]) -> Figure,
}

impl FigureInfo {
    fn empty(&self, title: impl Into<String>, columns: usize) -> Figure {
        Figure::new(self.name, title, columns).reading(format!("{} {}", self.shows, self.reading))
    }

    fn nothing(&self, title: impl Into<String>, why: impl Into<String>) -> Figure {
        Figure { empty: Some(why.into()), ..self.empty(title, 1) }
    }
}

/// The colours of sources.
const TOPICS: usize = 0;
const UNJUDGED: usize = 4;
const JUDGES: usize = 3;

fn number(value: f64) -> String {
    let tiny = value != 0.0 && value.abs() < 0.0005;
    if tiny { NumberStyle::Significant(1).show(value) } else { NumberStyle::Decimals(3).show(value) }
}

fn example_score(k: usize) -> f64 {
    (k as f64 * 0.618_033_988_749_895 + 0.21).fract()
}
