//! The karat command line: arguments to an analysis, its report to a renderer.
//!
//! Files, the terminal, the environment and the exit status live here and nowhere else. It is a library with a door for
//! each world: [`program`] for people who type, [`call`] for a caller (the Python package) that has inputs in memory and
//! wants the answer itself. Both parse the same arguments, so that a name, a default or a check exists once.

mod calibration;
mod command;
mod commands;
pub mod condensing;
mod environment;
mod failure;
mod figure;
mod help;
mod inputs;
mod judgement_file;
mod labels;
mod lengths;
mod options;
mod output;
mod progress;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub use clap;
pub use environment::{Answer, Environment};
pub use failure::Failure;
pub use karat_runtime::Stop;
use karat_runtime::Stopped;

/// Evaluate search results, with intervals and bounds for every score.
#[derive(Parser)]
#[command(name = "karat", version, about, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Hide progress
    #[arg(long, global = true, display_order = 1000)]
    no_progress: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Evaluate a small built-in collection with known truth
    Demo(commands::demo::Arguments),
    /// Score runs, with confidence intervals and bounds
    Eval(commands::eval::Arguments),
    /// Compare runs: significance, unjudged documents, judges
    Compare(commands::compare::Arguments),
    /// Show the sources of uncertainty and the cheapest way to reduce it
    Budget(commands::budget::Arguments),
    /// Write one HTML page with scores, comparisons and figures
    Report(Box<commands::report::Arguments>),
    /// Check files for problems
    Check(commands::check::Arguments),
    /// Convert a file to another format
    Convert(commands::convert::Arguments),
    /// Simulate rankings and judges with a known truth
    Simulate(commands::simulate::Arguments),
    /// Pool the top k documents of every run for judging
    Pool(commands::pool::Arguments),
    /// Sample documents of the pool for judging
    Sample(commands::sample::Arguments),
    /// List the documents that are most useful to judge next
    Next(commands::next::Arguments),
    /// Compare published RBP scores with different p
    Published(commands::published::Arguments),
    /// Measure the judges' agreement and correct for their errors
    Judges(commands::judges::Arguments),
    /// Plan the number of topics or labels
    Plan(commands::plan::Arguments),
    /// Analyse A/B tests and interleaving
    Ab(Box<commands::ab::Arguments>),
    /// Choose on development topics, evaluate on test topics
    Tune(commands::tune::Arguments),
    /// Compute the rank-biased overlap of each pair of runs
    Rbo(commands::rbo::Arguments),
    /// Reproduce numbers and figures of papers
    Reproduce(commands::reproduce::Arguments),
    /// List all measures
    Measures(commands::measures::Arguments),
    /// Explain a measure: definition, source, pitfalls
    Explain(commands::explain::Arguments),
    /// Print the JSON Schema of a command's -f json answer
    Schema(commands::schema::Arguments),
    /// Drop-in replacement for trec_eval (see karat trec_eval -h)
    #[command(name = "trec_eval", disable_help_flag = true, disable_version_flag = true)]
    TrecEval {
        /// trec_eval's own flags, then QRELS RUN
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

/// The Parquet library panics on some damaged files, and the library for Python on dictionaries that change; both are caught and told as errors, so their
/// own words are kept from the terminal. Of the process as a whole: [`program`] does it, a caller may.
pub fn hush_libraries() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let own = panic
            .location()
            .is_none_or(|place| !["parquet-", "pyo3-"].iter().any(|other| place.file().contains(other)));
        if own {
            tell(panic);
        }
    }));
}

/// The program: arguments as they were typed, the exit status. Called through a link named `trec_eval`, it is
/// `karat trec_eval`.
pub fn program(mut arguments: Vec<OsString>) -> ExitCode {
    hush_libraries();
    // trec_eval reads its arguments by rules of its own, so it gets them before anybody else.
    if called_as(&arguments, "trec_eval") {
        return commands::trec_eval::run(arguments.split_off(1));
    }
    if arguments.get(1).is_some_and(|command| command == "trec_eval") {
        return commands::trec_eval::run(arguments.split_off(2));
    }
    let done = match parse(arguments) {
        Ok(Cli { command: Command::TrecEval { arguments }, .. }) => return commands::trec_eval::run(arguments),
        Ok(cli) => run(cli.command, &Environment::program(!cli.no_progress)),
        Err(error) => usage(&error, &Environment::program(false)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// A call: arguments as they would be typed after `karat`, and what the command may touch. Returns its answer, and whatever kept it from
/// answering; with a failed gate comes the answer that failed it. Work that was stopped ([`Environment::stopped_by`]) has no answer.
pub fn call(arguments: Vec<OsString>, environment: Environment) -> (Answer, Result<(), Failure>) {
    let arguments = std::iter::once("karat".into()).chain(arguments);
    match environment.stop().watch(|| answer(arguments, &environment)) {
        Ok(done) => (environment.into_answer(), done),
        Err(Stopped) => (Answer::default(), Err(Failure::Stopped)),
    }
}

fn answer(arguments: impl Iterator<Item = OsString>, environment: &Environment) -> Result<(), Failure> {
    match parse(arguments) {
        Ok(Cli { command: Command::TrecEval { .. }, .. }) => {
            Err(Failure::usage("trec_eval is only available on the command line"))
        }
        Ok(cli) => run(cli.command, environment),
        Err(error) if error.use_stderr() => Err(Failure::Usage(error.render().to_string())),
        Err(error) => environment.say(error.render().to_string().as_bytes()),
    }
}

/// The definition of every command and option.
pub fn definition() -> clap::Command {
    help::grouped(Cli::command())
}

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&definition().try_get_matches_from(arguments)?)
}

fn run(command: Command, environment: &Environment) -> Result<(), Failure> {
    match command {
        Command::Demo(arguments) => commands::demo::run(&arguments, environment),
        Command::Eval(arguments) => commands::eval::run(&arguments, environment),
        Command::Compare(arguments) => commands::compare::run(&arguments, environment),
        Command::Budget(arguments) => commands::budget::run(&arguments, environment),
        Command::Report(arguments) => commands::report::run(&arguments, environment),
        Command::Check(arguments) => commands::check::run(&arguments, environment),
        Command::Convert(arguments) => commands::convert::run(&arguments, environment),
        Command::Simulate(arguments) => commands::simulate::run(&arguments, environment),
        Command::Pool(arguments) => commands::pool::run(&arguments, environment),
        Command::Sample(arguments) => commands::sample::run(&arguments, environment),
        Command::Next(arguments) => commands::next::run(&arguments, environment),
        Command::Published(arguments) => commands::published::run(&arguments, environment),
        Command::Judges(arguments) => commands::judges::run(&arguments, environment),
        Command::Plan(arguments) => commands::plan::run(&arguments, environment),
        Command::Ab(arguments) => commands::ab::run(&arguments, environment),
        Command::Tune(arguments) => commands::tune::run(&arguments, environment),
        Command::Rbo(arguments) => commands::rbo::run(&arguments, environment),
        Command::Reproduce(arguments) => commands::reproduce::run(&arguments, environment),
        Command::Measures(arguments) => commands::measures::run(&arguments, environment),
        Command::Explain(arguments) => commands::explain::run(&arguments, environment),
        Command::Schema(arguments) => commands::schema::run(&arguments, environment),
        // Answered in `program`, with an exit status of its own.
        Command::TrecEval { .. } => Ok(()),
    }
}

/// Whether the program was started under this name, through a link.
fn called_as(arguments: &[OsString], name: &str) -> bool {
    arguments.first().and_then(|program| Path::new(program).file_stem()).is_some_and(|stem| stem == name)
}

/// Help and version are answers; anything else about the arguments is a mistake.
fn usage(error: &clap::Error, environment: &Environment) -> Result<(), Failure> {
    let text = error.render();
    if error.use_stderr() {
        let _ = write!(std::io::stderr(), "{text}");
        return Err(Failure::Usage(String::new()));
    }
    environment.say(text.to_string().as_bytes())
}
