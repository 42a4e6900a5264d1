//! What the order of documents with equal scores can do to every run and measure.

use karat_measures::Measure;

use crate::scores::{RunScores, Setting};
use crate::ties::{TieSummary, TieTally};

/// What the order of ties can make of one measure of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct TiedScore {
    /// The measure.
    pub measure: String,
    /// Whether it lies between 0 and 1, so that its range can be compared with those of others.
    pub unit: bool,
    /// The run.
    pub run: String,
    /// The value.
    pub value: f64,
    /// What other orders can make of it.
    pub ties: TieSummary,
}

/// What the order of ties can make of every score, by measure and run; where no run has ties there is nothing to say.
pub fn tied_scores(setting: &Setting<'_>, scored: &[RunScores]) -> Vec<TiedScore> {
    if scored.iter().all(|run| run.ties.is_empty()) {
        return Vec::new();
    }
    let measures = setting.measures.iter().map(AsRef::as_ref).enumerate();
    let of_measure = |at| scored.iter().filter_map(move |run| TiedScore::new(at, run));
    measures.flat_map(of_measure).collect()
}

impl TiedScore {
    /// `None` of a run without a score.
    fn new((index, measure): (usize, &dyn Measure), run: &RunScores) -> Option<TiedScore> {
        let aggregate = measure.info().aggregate;
        let (mut values, mut ties) = (TieTally::new(aggregate), TieTally::new(aggregate));
        for (topic, score) in run.of(index).filter_map(|(topic, scored)| Some((topic, *scored.as_ref().ok()?))) {
            values.push(score, None);
            ties.push(score, run.ties_of(topic).map(|ties| &ties[index]));
        }
        let (measure, unit) = (measure.spec().to_string(), measure.info().range == (0.0, 1.0));
        let (value, _) = values.summarise().ends?;
        Some(TiedScore { measure, unit, run: run.name.clone(), value, ties: ties.summarise() })
    }
}
