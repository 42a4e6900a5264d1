//! `karat published depth`

use clap::Args;
use karat_analysis::published::answer::{DepthOptions, depth};
use karat_present::{Context, published};
use karat_report::Provenance;

use super::typed;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{FigureOptions, write};
use crate::options::OutputOptions;

/// How many ranks matter at a given p and precision
///
/// The ranks below could not change the last printed digit, even if all were relevant (Zhang, Park, Moffat 2008, table 1).
#[derive(Debug, Args)]
pub struct Arguments {
    /// Persistence p of RBP: a number, a list (0.5,0.8) or a sweep (0.1:0.9:0.1)
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    p: String,
    /// Precision of the printed score; one number or a list
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
    let figure = arguments.figure.wanted(environment, &arguments.output, &[])?;
    let persistences = typed::persistences("--p", &arguments.p)?;
    let precisions = arguments.precision.split(',').map(typed::precision).collect::<Result<Vec<_>, _>>()?;
    let provenance = Provenance::default().option("p", persistences.clone()).option("precision", precisions.clone());
    let answer = depth(&DepthOptions { persistences, precisions, contributions: figure });
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    write(environment, &published::depth::report(answer, context), &arguments.figure, &arguments.output)
}
