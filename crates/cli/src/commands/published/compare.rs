//! `karat published compare`

use clap::Args;
use karat_analysis::published::answer::{CompareOptions, PublishedSystem, compare};
use karat_analysis::published::score::check_persistence;
use karat_analysis::published::{Printed, PublishedError, PublishedScore};
use karat_data::problem::quote;
use karat_data::{LineProblem, Problem, Problems};
use karat_formats::published_scores::{self, ScoreRow};
use karat_present::published::error::{Mismatch, mismatch};
use karat_present::{Context, published};
use karat_report::Provenance;

use super::typed;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{FigureOptions, write};
use crate::options::OutputOptions;

/// Decide which system scores higher, where the printed scores allow it
///
/// Compares each pair at the lower of its two p. A verdict is given if the ranges of possible scores do not overlap. The ranges
/// hold for means over topics; --single-topic uses the narrower ranges for one topic with binary relevance.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Table of published scores: columns system, p, score, and optionally residual and digits
    #[arg(conflicts_with_all = ["a", "b"])]
    file: Option<String>,
    /// First score: p=0.8,score=0.42, optionally ,residual=0.01 and ,name=bm25
    #[arg(long, value_name = "SCORE")]
    a: Option<String>,
    /// Second score
    #[arg(long, value_name = "SCORE")]
    b: Option<String>,
    /// Compare at this p, or several (0.5,0.8 or 0.1:0.9:0.1) [default: the lower p of each pair]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    at: Option<String>,
    /// Precision of scores and residuals [default: from their digits]
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    precision: Option<String>,
    /// The scores are of one topic with binary relevance, not means
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
    let figure = arguments.figure.wanted(environment, &arguments.output, arguments.file.as_slice())?;
    let precision = arguments.precision.as_deref().map(typed::precision).transpose()?;
    let at = arguments.at.as_deref().map_or(Ok(Vec::new()), |text| typed::persistences("--at", text))?;
    let (systems, provenance) = read_systems(arguments, environment, precision)?;
    let provenance = provenance.option("at", at.clone()).option("single_topic", arguments.single_topic);
    let provenance = match &arguments.precision {
        Some(precision) => provenance.option("precision", precision.as_str()),
        None => provenance,
    };
    let answer = compare(&CompareOptions { systems, at, single_topic: arguments.single_topic });
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    write(environment, &published::compare::report(answer, figure, context), &arguments.figure, &arguments.output)
}

/// The systems from the table, or from --a and --b.
fn read_systems(
    arguments: &Arguments,
    environment: &Environment,
    precision: Option<f64>,
) -> Result<(Vec<PublishedSystem>, Provenance), Failure> {
    let provenance = Provenance::default();
    match (&arguments.file, &arguments.a, &arguments.b) {
        (Some(file), ..) => {
            let (systems, bytes) = from_file(environment, file, precision, arguments.single_topic)?;
            let rows = systems.len() as u64;
            Ok((systems, provenance.input(file.as_str(), bytes, rows)))
        }
        (None, Some(a), Some(b)) => {
            let read = |option, text| from_text(option, text, precision, arguments.single_topic);
            let systems = vec![read("--a", a)?, read("--b", b)?];
            let name = &systems[0].name;
            if *name == systems[1].name {
                return Err(Failure::usage(format!("--a and --b have the same name '{name}'; change one of them")));
            }
            Ok((systems, provenance.option("a", a.as_str()).option("b", b.as_str())))
        }
        _ => Err(Failure::usage(
            "expected a table of published scores, or two scores: --a p=0.8,score=0.42 --b p=0.95,score=0.30",
        )),
    }
}

/// `p=0.8,score=0.42,residual=0.01,name=bm25`
fn from_text(option: &str, text: &str, precision: Option<f64>, single_topic: bool) -> Result<PublishedSystem, Failure> {
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
                "{option}: {key}=... is missing in '{text}'; expected p=...,score=..."
            )));
        }
    }
    system(&row, precision, single_topic).map_err(|(field, wrong)| {
        Failure::usage(format!("{option}: {field}: {}; expected {}", wrong.found, wrong.expected))
    })
}

pub(crate) fn from_file(
    environment: &Environment,
    file: &str,
    precision: Option<f64>,
    single_topic: bool,
) -> Result<(Vec<PublishedSystem>, u64), Failure> {
    let names = [file.to_owned()];
    let mut inputs = environment.inputs(&names)?;
    let input = inputs.remove(0);
    let (rows, bytes) = published_scores::read(&input)?;
    let mut problems = Problems::default();
    let mut systems = Vec::new();
    for row in rows {
        match system(&row, precision, single_topic) {
            Ok(system) => systems.push(system),
            Err((field, Mismatch { found, expected })) => {
                let problem = LineProblem::new(field, expected, found, "correct the line to what the paper prints");
                problems.push(Problem::of_line(input.name(), row.line - 1, problem));
            }
        }
    }
    problems.into_result()?;
    Ok((systems, bytes))
}

/// The score, or the field that is wrong and why.
fn system(
    row: &ScoreRow,
    precision: Option<f64>,
    single_topic: bool,
) -> Result<PublishedSystem, (&'static str, Mismatch)> {
    let not = |expected: &str, text: &str| Mismatch { found: quote(text.as_bytes()), expected: expected.to_owned() };
    let no_persistence = || ("p", not("a number above 0 and below 1", &row.p));
    let in_score = |error: PublishedError| ("score", mismatch(&error));
    let p: f64 = row.p.parse().map_err(|_| no_persistence())?;
    check_persistence(p).map_err(|_| no_persistence())?;
    let unit = match (&row.digits, precision) {
        (Some(digits), None) => match digits.parse::<i32>() {
            Ok(digits @ 0..=15) => Some(10f64.powi(-digits)),
            _ => return Err(("digits", not("a whole number from 0 to 15", digits))),
        },
        _ => precision,
    };
    let number =
        |field: &'static str, text: &str| Printed::parse(text, unit).map_err(|error| (field, mismatch(&error)));
    let score = number("score", &row.score)?;
    let residual = row.residual.as_deref().map(|text| number("residual", text)).transpose()?;
    let published = PublishedScore::new(p, score, residual).map_err(in_score)?;
    if single_topic {
        published.check_binary().map_err(in_score)?;
    }
    Ok(PublishedSystem { name: row.system.clone(), published })
}
