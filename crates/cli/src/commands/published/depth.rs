//! `karat published depth`

use clap::Args;
use karat_analysis::published::answer::{Depths, depth};
use karat_report::Provenance;

use super::typed;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{FigureOptions, write};
use crate::options::OutputOptions;

/// How many ranks count at a p and a precision?
///
/// The ranks below the answer, all relevant, would together not change the last digit (Zhang, Park, Moffat 2008, table 1).
#[derive(Debug, Args)]
pub struct Arguments {
    /// Persistence of RBP's user; a list for a table
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    p: String,
    /// Precision; a list for a table
    #[arg(long, value_name = "X", default_value = "1e-4", allow_hyphen_values = true)]
    precision: String,
    #[command(flatten)]
    figure: FigureOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// A number outside its range, or the answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let figure = arguments.figure.wanted(environment, &arguments.output)?;
    let persistences = typed::persistences("--p", &arguments.p)?;
    let precisions = arguments.precision.split(',').map(typed::precision).collect::<Result<Vec<_>, _>>()?;
    let provenance = Provenance::default().option("p", persistences.clone()).option("precision", precisions.clone());
    let question = Depths { persistences, precisions, contributions: figure, provenance, version: VERSION };
    write(environment, &depth(question), &arguments.figure, &arguments.output)
}
