//! `karat published range`

use clap::Args;
use karat_analysis::published::answer::{Ranges, range};
use karat_report::Provenance;

use super::typed;
use crate::commands::{VERSION, text};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{FigureOptions, write};
use crate::options::OutputOptions;

/// What might the score be at another p?
///
/// Gives the lowest and highest RBP at the other p of all rankings whose RBP is printed so: for binary relevance on one topic, and
/// for gains from 0 to 1, which holds for means over topics too.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Persistence of RBP's user; a list for a grid
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    p: String,
    /// The printed score, with all its digits; a list for a grid
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    score: String,
    /// The other p: a number, a list (0.5,0.8) or a sweep (0.1:0.9:0.1)
    #[arg(long, value_name = "P", required_unless_present_any = ["figure", "figures"], allow_hyphen_values = true)]
    at: Option<String>,
    /// The printed residual: what unjudged documents could still add
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    residual: Option<String>,
    /// Precision of score and residual, instead of their digits
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    precision: Option<String>,
    /// The scores are means over topics: only the graded range is given
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
    let figure = arguments.figure.wanted(environment, &arguments.output)?;
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
    let question =
        Ranges { persistences, scores, residual, at, mean: arguments.mean, figure, provenance, version: VERSION };
    write(environment, &range(question).map_err(Failure::usage)?, &arguments.figure, &arguments.output)
}
