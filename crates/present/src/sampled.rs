//! What an estimate from a judged sample rests on, in words: of a comparison, and of scores.

use karat_analysis::settle::estimate::{FEWEST_TOPICS, NoSample};
use karat_report::NumberStyle;

/// What is known of a sample besides its numbers.
#[derive(Debug, Clone, Copy)]
pub struct SampleNote {
    /// Documents that were drawn.
    pub drawn: usize,
    /// Those without a label that can be used.
    pub open: usize,
    /// What p must be below at this look.
    pub limit: f64,
    /// 1 − level.
    pub alpha: f64,
    /// The number of this look, and how many were planned.
    pub look: Option<(u32, Option<u32>)>,
    /// Whether some measure is no sum over documents.
    pub not_a_sum: bool,
    /// Whether documents were drawn, not topics.
    pub documents: bool,
    /// The largest grade of the sample and that of the judgements, where the sample has a larger one.
    pub above: Option<(f64, f64)>,
}

/// A grade that the judgements do not have may be a slip of the pen.
fn above(note: &SampleNote) -> Option<String> {
    let (grade, largest) = note.above?;
    let show = |grade: f64| NumberStyle::Given.show(grade);
    Some(format!(
        "warning: The sample has grade {}, above {}, the largest of the judgements. If that is a mistake, correct the form.",
        show(grade),
        show(largest)
    ))
}

/// What to know of an estimate to first order.
const NOT_A_SUM: &str = "nDCG is estimated to first order from sampled documents. Where relevance varies much between topics and few documents are judged, \
                         this can be biased towards 0 (by up to 0.015 in simulations); --design topics has no bias.";

/// What to know of scores that depend on how many documents are relevant.
const RELEVANT: &str = "Where a measure depends on how many documents are relevant (AP, nDCG, recall), these are the relevant ones among the judged documents and the run's own.";

fn significant(value: f64) -> String {
    NumberStyle::Significant(2).show(value)
}

/// Notes on a comparison.
pub fn comparison_notes(note: &SampleNote) -> Vec<String> {
    let mut notes = vec![format!(
        "Sample: {} of {} documents judged. Difference, interval and verdict are estimated from it; values and bounds treat unjudged documents as usual.",
        note.drawn - note.open,
        note.drawn
    )];
    if note.open > 0 {
        notes.push(format!(
            "{} sampled documents are not judged, or could not be: the interval holds both extremes, all labels in favour of one run, and all in favour of the other.",
            note.open
        ));
    }
    let limit = significant(note.limit);
    notes.extend(note.look.map(|(number, planned)| match planned {
        Some(planned) if number <= planned => {
            format!("Look {number} of {planned}: p must be below {limit}, so that all looks together keep the level (alpha spending).")
        }
        Some(planned) => format!(
            "Look {number}, but {planned} planned: p must be below {limit}. All looks together give up to {}% of false verdicts, because the planned looks spent 1 - level.",
            unplanned_error(note.alpha, planned)
        ),
        None => format!("Look {number} of any number: p must be below {limit}, so that all looks together keep the level."),
    }));
    notes.extend((note.not_a_sum && note.documents).then(|| NOT_A_SUM.to_owned()));
    notes.extend(above(note));
    notes
}

/// Notes on scores.
pub fn score_notes(note: &SampleNote) -> Vec<String> {
    let mut notes = vec![format!(
        "Sample: {} of {} documents judged. Values and intervals are estimated from it, without an assumption about the other unjudged documents. Bounds, \
         and scores by topic, use the judgements alone.",
        note.drawn - note.open,
        note.drawn
    )];
    if note.open > 0 {
        notes.push(format!(
            "{} sampled documents have no usable label: the interval holds both extremes, all of them relevant and none of them.",
            note.open
        ));
    }
    let confidence = significant(100.0 * (1.0 - note.limit));
    notes.extend(note.look.map(|(number, planned)| match planned {
        Some(planned) if number <= planned => format!(
            "Look {number} of {planned}: each interval is one of {confidence}%, so that those of all looks together keep the level (alpha spending)."
        ),
        Some(planned) => format!(
            "Look {number}, but {planned} planned: each interval is one of {confidence}%. Those of all looks together miss up to {}%, because the planned looks spent 1 - level.",
            unplanned_error(note.alpha, planned)
        ),
        None => format!(
            "Look {number} of any number: each interval is one of {confidence}%, so that those of all looks together keep the level."
        ),
    }));
    notes.extend(note.not_a_sum.then(|| RELEVANT.to_owned()));
    notes.extend(above(note));
    notes
}

/// What all looks together may err by, in percent, once one was added to those that were planned.
fn unplanned_error(alpha: f64, planned: u32) -> String {
    significant(100.0 * alpha * (1.0 + 1.0 / f64::from(planned + 1)))
}

/// Why there is no interval of a score.
pub(crate) fn no_sample(why: &NoSample) -> String {
    match why {
        NoSample::FewTopics { have } => {
            format!("{have} topics were sampled, and {FEWEST_TOPICS} are needed; draw a larger sample (karat settle)")
        }
        NoSample::OpenLabels { open } => format!(
            "{open} sampled documents have no usable label, and this measure is no sum over documents; judge them, or use P@k, RBP or DCG"
        ),
        NoSample::Interval(why) => why.to_string(),
    }
}
