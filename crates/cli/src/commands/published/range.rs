//! `karat published range`

use clap::Args;
use karat_analysis::published::PublishedError;
use karat_analysis::published::answer::{RangeOptions, range};
use karat_present::{Context, published};
use karat_report::Provenance;

use super::typed;
use crate::commands::{VERSION, text};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{FigureOptions, write};
use crate::options::OutputOptions;

/// Possible scores at another p
///
/// Prints the lowest and highest RBP at the other p of all rankings with this printed score: for one topic with binary
/// relevance, and for gains from 0 to 1, which covers means over topics.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Persistence p of the printed score; a list gives a grid
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    p: String,
    /// Printed score, with all its digits; a list gives a grid
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    score: String,
    /// Other p: a number, a list (0.5,0.8) or a sweep (0.1:0.9:0.1)
    #[arg(long, value_name = "P", required_unless_present_any = ["figure", "figures"], allow_hyphen_values = true)]
    at: Option<String>,
    /// Printed residual: the most that unjudged documents could add
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    residual: Option<String>,
    /// Precision of score and residual [default: from their digits]
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    precision: Option<String>,
    /// The scores are means over topics: show only the graded range
    #[arg(long)]
    mean: bool,
    #[command(flatten)]
    figure: FigureOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// A number outside its range, no such ranking, or the answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let figure = arguments.figure.wanted(environment, &arguments.output, &[])?;
    let precision = arguments.precision.as_deref().map(typed::precision).transpose()?;
    let persistences = typed::persistences("--p", &arguments.p)?;
    let printed = |part: &str| typed::printed("--score", part.trim(), precision);
    let scores = arguments.score.split(',').map(printed).collect::<Result<Vec<_>, _>>()?;
    let residual =
        arguments.residual.as_deref().map(|text| typed::printed("--residual", text, precision)).transpose()?;
    let at = arguments.at.as_deref().map_or(Ok(Vec::new()), |text| typed::persistences("--at", text))?;
    let provenance = Provenance::default()
        .option("p", persistences.clone())
        .option("score", arguments.score.as_str())
        .option("residual", arguments.residual.as_deref().unwrap_or("none"))
        .option("precision", precision.map_or(text("digits"), Into::into))
        .option("at", at.clone())
        .option("mean", arguments.mean);
    let options = RangeOptions { persistences, scores, residual, at, mean: arguments.mean, figure };
    let answer = range(&options).map_err(|error| refused(&error))?;
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    write(environment, &published::range::report(answer, &options, context), &arguments.figure, &arguments.output)
}

fn refused(error: &PublishedError) -> Failure {
    let text = published::error::text(error);
    match error {
        PublishedError::NoBinaryRanking { .. } => Failure::usage(format!("{text}; for a mean over topics use --mean")),
        _ => Failure::usage(text),
    }
}
