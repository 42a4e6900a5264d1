//! Why runs cannot be compared, in words.

use karat_analysis::compare::{CompareError, UnknownBaseline};
use karat_data::{Problem, Problems};

use crate::score_error::{self, collect};

/// What is wrong.
pub fn problems(error: CompareError) -> Problems {
    match error {
        CompareError::Runs(error) => score_error::problems(error),
        CompareError::Baseline(error) => unknown_baseline(&error).into(),
        CompareError::NotAveraged(measures) => collect(measures.iter().map(|measure| {
            let remedy = "leave it out, or take the measure it sums up (AP for GMAP)";
            Problem::of_file("-m", "a measure that is averaged over topics", measure.as_str(), remedy)
        })),
        CompareError::TooFewRuns(runs) => {
            Problem::of_file("RUN", "at least two runs", runs.to_string(), "give another run to compare with").into()
        }
        CompareError::NoCommonTopic { file, a, b } => {
            let remedy = "give runs of the same topics, or leave out --missing-topics skip";
            Problem::of_file(&file, format!("topics with a score for both {a} and {b}"), "none", remedy).into()
        }
    }
}

/// No run has the baseline's name.
pub(crate) fn unknown_baseline(error: &UnknownBaseline) -> Problem {
    let remedy = format!("choose one of {}", error.runs.join(", "));
    Problem::of_file("--baseline", "the name of a run", error.name.as_str(), remedy)
}
