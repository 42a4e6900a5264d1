//! The karat command line: arguments to a study, the study's report to a renderer.
//!
//! Files, the terminal, the environment and the exit status live here and nowhere else. Called through a link named
//! `trec_eval`, the program is `karat trec_eval`.

mod commands;
mod failure;
mod files;
mod options;
mod output;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Search evaluation in which every number says how sure you can be.
#[derive(Parser)]
#[command(name = "karat", version, about, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// How good is each run, and how sure is that?
    Eval(commands::eval::Arguments),
    /// What is wrong with these files?
    Check(commands::check::Arguments),
    /// Every measure karat has
    Measures(commands::measures::Arguments),
    /// What a measure means, where it comes from, when it misleads
    Explain(commands::explain::Arguments),
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let done = match Cli::try_parse_from(arguments) {
        Ok(cli) => run(cli.command),
        Err(error) => usage(&error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Measures(arguments) => commands::measures::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
    }
}

/// Help and version are answers; anything else about the arguments is a mistake.
fn usage(error: &clap::Error) -> Result<(), Failure> {
    let text = error.render();
    if error.use_stderr() {
        let _ = write!(std::io::stderr(), "{text}");
        return Err(Failure::Usage(String::new()));
    }
    output::to_stdout(text.to_string().as_bytes())
}
