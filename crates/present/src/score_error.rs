//! Why runs cannot be scored, in words.

use karat_analysis::scores::{MissingTopicsOf, SameName, ScoreError};
use karat_data::problem::quote;
use karat_data::{JudgementKind, Problem, Problems};

use crate::words::list_names;

/// What is wrong.
pub fn problems(error: ScoreError) -> Problems {
    match error {
        ScoreError::Data(problems) => problems,
        ScoreError::SameName(runs) => collect(runs.iter().map(same_name)),
        ScoreError::MissingTopics(runs) => collect(runs.iter().map(missing_topics)),
        ScoreError::WrongJudgements { file, found, measures } => {
            collect(measures.iter().map(|(measure, needs)| wrong_judgements(&file, found, measure, *needs)))
        }
    }
}

pub(crate) fn collect(each: impl Iterator<Item = Problem>) -> Problems {
    let mut problems = Problems::default();
    each.for_each(|problem| problems.push(problem));
    problems
}

fn same_name(run: &SameName) -> Problem {
    let tag = match (run.format, run.has_tag) {
        ("trec", _) => "another tag (field 6) or ",
        (_, true) => "another tag or ",
        (_, false) => "",
    };
    Problem::of_file(
        &run.file,
        "unique run names",
        format!("the name {} again (also of {})", quote(run.name.as_bytes()), run.earlier),
        format!("give one of the files {tag}another name, or remove it if it is the same run"),
    )
}

fn missing_topics(run: &MissingTopicsOf) -> Problem {
    let topics = list_names(run.topics.iter().map(Vec::as_slice), run.topics.len());
    let remedy = "complete the run, or choose `--missing-topics zero` or `skip`";
    Problem::of_file(&run.file, "every judged topic", format!("no rows for {topics}"), remedy)
}

fn wrong_judgements(file: &str, found: JudgementKind, measure: &str, needs: JudgementKind) -> Problem {
    Problem::of_file(
        file,
        format!("{needs}, which {measure} is computed from"),
        found.to_string(),
        format!(
            "use judgements of that kind, or remove the measure; if this file has them, read it with --qrels-format {}",
            format_of(needs)
        ),
    )
}

/// The format whose lines say this.
fn format_of(kind: JudgementKind) -> &'static str {
    match kind {
        JudgementKind::Grades => "trec",
        JudgementKind::Subtopics => "diversity",
        JudgementKind::Groups => "trec-jg",
        JudgementKind::Preferences => "trec-prefs",
        JudgementKind::Strata => "sampled",
        JudgementKind::Probabilities => "prels",
    }
}
