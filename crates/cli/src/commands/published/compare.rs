//! `karat published compare`

use clap::Args;
use karat_analysis::published::answer::{Comparison, System, compare};
use karat_analysis::published::score::check_persistence;
use karat_analysis::published::{Printed, PublishedScore};
use karat_data::problem::quote;
use karat_data::{LineProblem, Problem, Problems};
use karat_formats::published_scores::{self, ScoreRow};
use karat_report::Provenance;

use super::typed;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{FigureOptions, write};
use crate::options::OutputOptions;
use crate::output;

/// Which of the systems scores higher, where that can be told?
///
/// Each score is carried to the lower p of its pair, and a verdict is given when the ranges of all that could have been printed so
/// do not meet. The ranges hold for means over topics; --single-topic takes the narrower ones of binary relevance on one topic.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A table of published scores: system, p, score, and residual and digits where there are any
    #[arg(conflicts_with_all = ["a", "b"])]
    file: Option<String>,
    /// A published score: p=0.8,score=0.42 (then also ,residual=0.01 and ,name=bm25)
    #[arg(long, value_name = "SCORE")]
    a: Option<String>,
    /// Another
    #[arg(long, value_name = "SCORE")]
    b: Option<String>,
    /// Compare at this p, or these (0.5,0.8 or 0.1:0.9:0.1), instead of the lower one of each pair
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    at: Option<String>,
    /// Precision of scores and residuals, instead of their digits
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    precision: Option<String>,
    /// The scores are of one topic with binary relevance, and not means
    #[arg(long)]
    single_topic: bool,
    #[command(flatten)]
    figure: FigureOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// Whatever is wrong with the scores, or the answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let figure = arguments.figure.wanted(environment, &arguments.output)?;
    let precision = arguments.precision.as_deref().map(typed::precision).transpose()?;
    let at = arguments.at.as_deref().map_or(Ok(Vec::new()), |text| typed::persistences("--at", text))?;
    let single_topic = arguments.single_topic;
    let mut provenance = Provenance::default();
    let systems = match (&arguments.file, &arguments.a, &arguments.b) {
        (Some(file), ..) => {
            output::refuse_overwrite(&arguments.output, std::slice::from_ref(file))?;
            let (systems, bytes) = from_file(environment, file, precision, single_topic)?;
            provenance = provenance.input(file.as_str(), bytes, systems.len() as u64);
            systems
        }
        (None, Some(a), Some(b)) => {
            provenance = provenance.option("a", a.as_str()).option("b", b.as_str());
            let systems =
                vec![from_text("--a", a, precision, single_topic)?, from_text("--b", b, precision, single_topic)?];
            if systems[0].name == systems[1].name {
                return Err(Failure::usage(format!(
                    "--a and --b are both named '{}'; give one another name",
                    systems[0].name
                )));
            }
            systems
        }
        _ => {
            return Err(Failure::usage(
                "expected a table of published scores, or two scores as --a p=0.8,score=0.42 --b p=0.95,score=0.30",
            ));
        }
    };
    provenance = provenance.option("at", at.clone()).option("single_topic", arguments.single_topic);
    let question = Comparison { systems, at, single_topic, figure, provenance, version: VERSION };
    write(environment, &compare(question), &arguments.figure, &arguments.output)
}

/// `p=0.8,score=0.42,residual=0.01,name=bm25`
fn from_text(option: &str, text: &str, precision: Option<f64>, single_topic: bool) -> Result<System, Failure> {
    let mut row = ScoreRow {
        line: 0,
        system: option.trim_start_matches('-').to_owned(),
        p: String::new(),
        score: String::new(),
        residual: None,
        digits: None,
    };
    for part in text.split(',').map(str::trim) {
        match part.split_once('=').map(|(key, value)| (key.trim(), value.trim().to_owned())) {
            Some(("p", value)) => row.p = value,
            Some(("score", value)) => row.score = value,
            Some(("residual", value)) => row.residual = Some(value),
            Some(("digits", value)) => row.digits = Some(value),
            Some(("name", value)) if !value.is_empty() => row.system = value,
            _ => {
                return Err(Failure::usage(format!(
                    "{option}: expected p=...,score=...[,residual=...][,digits=...][,name=...], found '{part}'"
                )));
            }
        }
    }
    for (key, value) in [("p", &row.p), ("score", &row.score)] {
        if value.is_empty() {
            return Err(Failure::usage(format!(
                "{option}: there is no {key}=...; expected p=...,score=... in '{text}'"
            )));
        }
    }
    system(&row, precision, single_topic)
        .map_err(|(field, problem)| Failure::usage(format!("{option}: {field}: {problem}")))
}

pub(crate) fn from_file(
    environment: &Environment,
    file: &str,
    precision: Option<f64>,
    single_topic: bool,
) -> Result<(Vec<System>, u64), Failure> {
    let names = [file.to_owned()];
    let mut inputs = environment.inputs(&names)?;
    let input = inputs.remove(0);
    let (rows, bytes) = published_scores::read(&input)?;
    let mut problems = Problems::default();
    let mut systems = Vec::new();
    for row in rows {
        match system(&row, precision, single_topic) {
            Ok(system) => systems.push(system),
            Err((field, problem)) => {
                let (found, expected) = split(&problem);
                let problem =
                    LineProblem::new(field, expected, found, "correct the line as it is printed in the paper");
                problems.push(Problem::of_line(input.name(), row.line - 1, problem));
            }
        }
    }
    problems.into_result()?;
    Ok((systems, bytes))
}

/// "it is so; expected thus" as what was found and what was expected.
fn split(problem: &str) -> (String, String) {
    match problem.split_once("; expected ") {
        Some((found, expected)) => (found.to_owned(), expected.to_owned()),
        None => (problem.to_owned(), "a score that is possible".to_owned()),
    }
}

/// The score, or the field that is wrong and why.
fn system(row: &ScoreRow, precision: Option<f64>, single_topic: bool) -> Result<System, (&'static str, String)> {
    let not = |expected: &str, text: &str| format!("{}; expected {expected}", quote(text.as_bytes()));
    let p: f64 = row.p.parse().map_err(|_| ("p", not("a number above 0 and below 1", &row.p)))?;
    check_persistence(p).map_err(|_| ("p", not("a number above 0 and below 1", &row.p)))?;
    let unit = match (&row.digits, precision) {
        (Some(digits), None) => match digits.parse::<i32>() {
            Ok(digits @ 0..=15) => Some(10f64.powi(-digits)),
            _ => return Err(("digits", not("a whole number from 0 to 15", digits))),
        },
        _ => precision,
    };
    let number = |field: &'static str, text: &str| {
        Printed::parse(text, unit).map_err(|_| (field, not("a number from 0 to 1", text)))
    };
    let score = number("score", &row.score)?;
    let residual = row.residual.as_deref().map(|text| number("residual", text)).transpose()?;
    let published = PublishedScore::new(p, score, residual).map_err(|problem| ("score", problem))?;
    if single_topic {
        published.check_binary().map_err(|problem| ("score", problem))?;
    }
    Ok(System { name: row.system.clone(), published })
}
