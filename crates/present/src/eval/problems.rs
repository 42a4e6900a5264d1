//! What keeps an evaluation from being made, as problems of its files.

use karat_analysis::eval::EvalError;
use karat_data::problem::quote;
use karat_data::{Problem, Problems};

use crate::score_error;

/// Why there is no answer, as problems.
pub fn problems(error: EvalError) -> Problems {
    match error {
        EvalError::Runs(error) => score_error::problems(error),
        EvalError::GradeNotCalibrated { file, grade, topic, document, known } => {
            let known = known.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
            let remedy = "calibrate with all grades of these judges, or use judgements on the scale of the calibration";
            let found = format!("{grade} (topic {topic}, document {document})");
            Problem::of_file(&file, format!("a grade of the calibration ({known})"), found, remedy).into()
        }
        EvalError::GoldTopics { file, topics } => {
            let mut problems = Problems::default();
            for topic in topics {
                problems.push(Problem::of_file(
                    &file,
                    "gold judgements of topics that the bronze judgements have",
                    format!("topic {}", quote(&topic)),
                    "remove the topic, or check the order (karat eval BRONZE RUN --gold GOLD)",
                ));
            }
            problems
        }
        EvalError::FewGoldTopics { file, found } => {
            let remedy = "collect gold judgements of more topics";
            Problem::of_file(&file, "gold judgements of at least 2 topics", found.to_string(), remedy).into()
        }
    }
}
