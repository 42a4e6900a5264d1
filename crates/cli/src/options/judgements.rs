//! Judgements as commands use them: read, restricted to the chosen topics, with facts about the whole collection.

use std::collections::HashSet;

use karat_data::problem::quote;
use karat_data::{CollectionFacts, MaxGradeError, Problem, Problems, Qrels};
use karat_formats::{Input, QrelsFacts};

use crate::environment::Environment;
use crate::failure::Failure;

/// Judgements as a command uses them.
pub struct Judgements {
    /// Of the topics asked for.
    pub qrels: Qrels,
    /// Of all topics, where that is not the same.
    pub uncut: Option<Qrels>,
    /// The file.
    pub facts: QrelsFacts,
}

/// Judgements cut to the topics asked for.
///
/// # Errors
/// A topic is not judged, or the list cannot be read.
pub fn cut(
    environment: &Environment,
    qrels: Qrels,
    facts: QrelsFacts,
    topics: Option<&str>,
) -> Result<Judgements, Failure> {
    let Some(wanted) = topics else { return Ok(Judgements { qrels, uncut: None, facts }) };
    let wanted = named_topics(environment, "--topics", wanted, &qrels, &facts.file)?;
    let kept = qrels.restricted_to(|name| wanted.contains(name));
    Ok(Judgements { qrels: kept, uncut: Some(qrels), facts })
}

/// The topics of a list that an option gave, all of them judged.
///
/// # Errors
/// A topic is not judged, or the list cannot be read.
pub fn named_topics(
    environment: &Environment,
    option: &str,
    text: &str,
    qrels: &Qrels,
    file: &str,
) -> Result<HashSet<Vec<u8>>, Failure> {
    let wanted = topic_list(environment, option, text, qrels)?;
    let mut problems = Problems::default();
    let mut missing: Vec<&Vec<u8>> = wanted.iter().filter(|topic| qrels.find(topic).is_none()).collect();
    missing.sort();
    for topic in missing {
        problems.push(Problem::of_file(
            file,
            format!("judgements for topic {} ({option})", quote(topic)),
            "none",
            "remove it from the list, or check that these are the right judgements",
        ));
    }
    problems.into_result()?;
    Ok(wanted)
}

/// What holds for the whole collection, given what the user said of it.
///
/// # Errors
/// The largest grade is below one that was given.
pub fn collection(
    judgements: &Judgements,
    max_grade: Option<f64>,
    documents: Option<u64>,
) -> Result<CollectionFacts, Failure> {
    let qrels = judgements.uncut.as_ref().unwrap_or(&judgements.qrels);
    CollectionFacts::new(qrels, max_grade, documents).map_err(|MaxGradeError { given, least, most }| {
        Failure::usage(format!(
            "--max-grade needs a number from {least} (the largest grade in the qrels) to {most}, found {given}"
        ))
    })
}

/// A list of topics: the comma-separated text itself where it names topics of the judgements, else a file with one a line
/// if there is one of that name. So a file that happens to be called `2` does not hide topic 2.
fn topic_list(environment: &Environment, option: &str, text: &str, qrels: &Qrels) -> Result<HashSet<Vec<u8>>, Failure> {
    let trimmed = |part: &[u8]| part.trim_ascii().to_vec();
    let typed: HashSet<Vec<u8>> =
        text.split(',').map(|part| trimmed(part.as_bytes())).filter(|t| !t.is_empty()).collect();
    let listed = if typed.iter().any(|topic| qrels.find(topic).is_some()) || !environment.has(text) {
        typed
    } else {
        let bytes = environment.read(text).map_err(|error| {
            let remedy = format!("check the file name given to {option}, or list topics separated by commas");
            Failure::from(Problem::unreadable(text, format!("a list of topics ({option})"), &error, remedy))
        })?;
        let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(&bytes);
        bytes.split(|&byte| byte == b'\n').map(trimmed).filter(|topic| !topic.is_empty()).collect()
    };
    if listed.is_empty() { Err(Failure::usage(format!("{option} has no topics"))) } else { Ok(listed) }
}

/// Opens the judgements and the runs of a command.
///
/// # Errors
/// `-` is named twice.
pub fn open(environment: &Environment, qrels: &str, runs: &[String]) -> Result<(Input, Vec<Input>), Failure> {
    let names: Vec<String> = std::iter::once(qrels.to_owned()).chain(runs.iter().cloned()).collect();
    let mut inputs = environment.inputs(&names)?;
    Ok((inputs.remove(0), inputs))
}
