//! `karat simulate`: worlds with a known truth.

mod judges;
mod ranking;

use clap::{Args, Subcommand};

use crate::environment::Environment;
use crate::failure::Failure;

/// Worlds with a known truth.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    world: World,
}

#[derive(Debug, Subcommand)]
enum World {
    /// How much can unjudged documents add to RBP? Rankings drawn from an urn (Park 2016)
    Ranking(ranking::Arguments),
    /// How do judges' errors change P@k, and does the correction repair it?
    Judges(judges::Arguments),
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    match &arguments.world {
        World::Ranking(arguments) => ranking::run(arguments, environment),
        World::Judges(arguments) => judges::run(arguments, environment),
    }
}
