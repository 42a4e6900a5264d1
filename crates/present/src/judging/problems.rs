//! Why documents cannot be selected, in words.

use karat_analysis::judging::JudgingError;
use karat_data::{Problem, Problems};

use crate::score_error::{self, collect};

/// What is wrong.
pub fn problems(error: JudgingError) -> Problems {
    let problem = match error {
        JudgingError::Runs(error) => return score_error::problems(error),
        JudgingError::NoCommonTopic { files } => return collect(files.iter().map(|file| no_common_topic(file))),
        JudgingError::NotLinear { measure } => Problem::of_file(
            "-m",
            "a measure linear in gain, so that a document's weight does not depend on other judgements",
            measure,
            "choose RBP, P@k, DCG, CG, SDCG or INSQ",
        ),
        JudgingError::NoGrade { level, largest } => Problem::of_file(
            "-l",
            format!("a grade that occurs: the largest is {largest}"),
            level.to_string(),
            "lower -l, or set --max-grade if higher grades are possible",
        ),
        JudgingError::OneRun => {
            Problem::of_file("--about", "at least two runs for a difference", "one", "give a second run")
        }
        JudgingError::TargetTooSmall { target, least } => Problem::of_file(
            "--target",
            format!("at least {least}: the part below the ends of the lists, and of missing topics, stays open"),
            target.to_string(),
            "choose a larger target, longer lists, or a measure with a cut-off (RBP@k)",
        ),
        JudgingError::NothingJudgedInPool => Problem::of_file(
            "--judged-only",
            "judged documents in the pool",
            "none",
            "give runs that retrieve judged documents within the depth, or leave --judged-only out",
        ),
        JudgingError::TooFewRuns(count) => {
            Problem::of_file("--replay", "at least three runs", count.to_string(), "give more runs")
        }
        JudgingError::NothingToReplay => Problem::of_file(
            "--replay",
            "judged documents among those retrieved",
            "none",
            "give the judgements that were made, and runs that retrieve what was judged",
        ),
    };
    problem.into()
}

fn no_common_topic(file: &str) -> Problem {
    let remedy = "check that run and judgements belong together and write topics alike (leading zeros, prefixes)";
    Problem::of_file(file, "at least one topic of the judgements", "none of them among its topics", remedy)
}
