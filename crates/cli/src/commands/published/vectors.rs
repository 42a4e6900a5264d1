//! `karat published vectors`

use clap::Args;
use karat_analysis::published::answer::{VectorsOptions, vectors};
use karat_present::{Context, published};
use karat_report::Provenance;

use super::typed;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;
use crate::output;

/// Find the rankings that a printed score can come from
///
/// Prints the lexicographically greatest and least ranking with this printed RBP and residual, as strings of 1 (relevant),
/// 0 (not relevant) and ? (unjudged). 0.42 stands for 0.415 to 0.425: the digits give the precision, unless --precision does.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Persistence p of RBP
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    p: String,
    /// Printed score, with all its digits
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    score: String,
    /// Printed residual: the most that unjudged documents could add
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    residual: Option<String>,
    /// Precision of score and residual [default: from their digits]
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    precision: Option<String>,
    /// List and count all rankings
    #[arg(long)]
    all: bool,
    /// List at most this many rankings
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "all", value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// A number outside its range, no such ranking, or the answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    output::chosen(&arguments.output)?;
    let precision = arguments.precision.as_deref().map(typed::precision).transpose()?;
    let score = typed::published(&arguments.p, &arguments.score, arguments.residual.as_deref(), precision)?;
    let provenance = Provenance::default()
        .option("p", score.persistence())
        .option("score", arguments.score.as_str())
        .option("residual", arguments.residual.as_deref().unwrap_or("none"))
        .option("precision", score.precision());
    let list = if arguments.all { arguments.limit as usize } else { 0 };
    let answer = vectors(&VectorsOptions { published: score, list }).map_err(|error| typed::refused(&error))?;
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    environment.write(&published::vectors::report(answer, context), &arguments.output)
}
