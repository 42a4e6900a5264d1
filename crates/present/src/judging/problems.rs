//! Why documents cannot be selected, in words.

use karat_analysis::judging::{JudgingError, MeasureError, NeedsWeights};
use karat_analysis::unjudged::ModelError;
use karat_data::{Problem, Problems};

use crate::model_error;
use crate::score_error::{self, collect};

/// What is wrong.
pub fn problems(error: JudgingError) -> Problems {
    let problem = match error {
        JudgingError::Measure(error) => of_measure(error),
        JudgingError::Runs(error) => return score_error::problems(error),
        JudgingError::NoCommonTopic { files } => return collect(files.iter().map(|file| no_common_topic(file))),
        JudgingError::NoGrade { level, largest } => Problem::of_file(
            "-l",
            format!("a grade that occurs: the largest is {largest}"),
            level.to_string(),
            "lower -l, or set --max-grade if higher grades are possible",
        ),
        JudgingError::OneRun { random } => {
            let option = if random { "--random-share" } else { "--about" };
            Problem::of_file(option, "at least two runs for a difference", "one", "give a second run")
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

/// What a measure is not for.
fn of_measure(error: MeasureError) -> Problem {
    match error {
        MeasureError::NotLinear { measure, what } => not_linear(measure, what),
        MeasureError::NoEffect { measure } => Problem::of_file(
            "-m",
            "a mean over topics of a measure of grades, on which the judgement of one document has an effect",
            measure,
            "choose RBP, P@k, nDCG@k, AP, RR or another measure of grades",
        ),
        MeasureError::Undefined { measure, topic } => Problem::of_file(
            "-m",
            format!("a measure that is defined however the unjudged documents of topic {topic} are judged"),
            measure,
            "choose another measure",
        ),
        MeasureError::NotFromDocuments { measure } => Problem::of_file(
            "--random-share",
            "a measure that can be estimated from a sample of documents: P@k, RBP, DCG, CG or nDCG@k",
            measure,
            "leave --random-share out, or draw topics: karat settle --design topics",
        ),
    }
}

fn not_linear(measure: String, what: NeedsWeights) -> Problem {
    let (option, remedy) = match what {
        NeedsWeights::Strategy(strategy) => (format!("--strategy {}", strategy.name()), "use --strategy variance, or "),
        NeedsWeights::Target => ("--target".to_owned(), "give --count, or "),
        NeedsWeights::Replay => ("--replay".to_owned(), ""),
    };
    Problem::of_file(
        &option,
        "a measure linear in gain, so that a document's weight does not depend on other judgements",
        measure,
        format!("{remedy}choose RBP, P@k, DCG, CG, SDCG or INSQ"),
    )
}

/// Why a measure that is not linear has no priorities.
pub fn no_relevance_model(error: ModelError, measure: &str) -> Problems {
    let why = match error {
        ModelError::Runs(problems) => return problems,
        ModelError::NothingJudged => "no retrieved document is judged",
        ModelError::OneTopic => "judged documents of one topic only",
        ModelError::OnlyRelevant => "every judged document is relevant",
        other => return Problem::of_file("-m", "a relevance model", measure, model_error::reason(&other)).into(),
    };
    let expected = format!("judgements from which the probability of relevance can be estimated, for {measure}");
    Problem::of_file("QRELS", expected, why, "give the probability: --q 0.1").into()
}

fn no_common_topic(file: &str) -> Problem {
    let remedy = "check that run and judgements belong together and write topics alike (leading zeros, prefixes)";
    Problem::of_file(file, "at least one topic of the judgements", "none of them among its topics", remedy)
}
