//! `karat published vectors`

use clap::Args;
use karat_analysis::published::answer::{Vectors, vectors};
use karat_report::Provenance;

use super::typed;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;
use crate::output;

/// Which rankings can a printed score come from?
///
/// Gives the lexicographically greatest and least of all rankings whose RBP, and residual, are printed so: strings of 1
/// (relevant), 0 (not) and ? (unjudged). 0.42 stands for 0.415 to 0.425: the digits say how precise it is, unless --precision does.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Persistence of RBP's user
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    p: String,
    /// The printed score, with all its digits
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    score: String,
    /// The printed residual: what unjudged documents could still add
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    residual: Option<String>,
    /// Precision of score and residual, instead of their digits
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    precision: Option<String>,
    /// List all rankings, and say how many there are
    #[arg(long)]
    all: bool,
    /// List at most so many
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
    let published = typed::published(&arguments.p, &arguments.score, arguments.residual.as_deref(), precision)?;
    let provenance = Provenance::default()
        .option("p", published.persistence())
        .option("score", arguments.score.as_str())
        .option("residual", arguments.residual.as_deref().unwrap_or("none"))
        .option("precision", published.precision());
    let list = if arguments.all { arguments.limit as usize } else { 0 };
    let question = Vectors { published, list, provenance, version: VERSION };
    environment.write(&vectors(question).map_err(Failure::usage)?, &arguments.output)
}
