//! The karat command line: arguments to a study, the study's report to a renderer.
//!
//! Files, the terminal, the environment and the exit status live here and nowhere else. Called through a link named
//! `trec_eval`, the program is `karat trec_eval`.

mod calibration;
mod commands;
mod failure;
mod figure;
mod files;
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
    /// What does karat do? Evaluates a small built-in collection whose truth is known
    Demo(commands::demo::Arguments),
    /// How good is each run, and how sure is that?
    Eval(commands::eval::Arguments),
    /// Which run is better, and does that survive queries, unjudged documents and judges?
    Compare(commands::compare::Arguments),
    /// Where does the uncertainty come from, and what is the cheapest way to shrink it?
    Budget(commands::budget::Arguments),
    /// Everything above that applies, on one page for a browser
    Report(Box<commands::report::Arguments>),
    /// What is wrong with these files?
    Check(commands::check::Arguments),
    /// The same data in another format
    Convert(commands::convert::Arguments),
    /// Worlds with a known truth: what can rankings hide, what do judges' errors do?
    Simulate(commands::simulate::Arguments),
    /// Which documents to judge: the first k of every run, and who brought them
    Pool(commands::pool::Arguments),
    /// Which documents to judge: a sample of the pool, with the probability of each
    Sample(commands::sample::Arguments),
    /// Which documents to judge next: those that shrink the uncertainty most
    Next(commands::next::Arguments),
    /// What can be said from RBP scores printed in papers with different p?
    Published(commands::published::Arguments),
    /// How wrong are the judges, and what would gold judges have said?
    Judges(commands::judges::Arguments),
    /// What would decide it? Topics, bronze and gold labels
    Plan(commands::plan::Arguments),
    /// Did click-through change? A/B tests by counts or by users, and interleaving
    Ab(Box<commands::ab::Arguments>),
    /// Choose on development topics, report on test topics
    Tune(commands::tune::Arguments),
    /// How alike are these runs, whatever was judged? Rank-biased overlap of each pair
    Rbo(commands::rbo::Arguments),
    /// The papers' numbers and figures, ours beside theirs
    Reproduce(commands::reproduce::Arguments),
    /// Every measure karat has
    Measures(commands::measures::Arguments),
    /// What a measure means, where it comes from, when it misleads
    Explain(commands::explain::Arguments),
    /// Drop-in for trec_eval: its flags, measures, output and exit status (karat trec_eval -h)
    #[command(name = "trec_eval", disable_help_flag = true, disable_version_flag = true)]
    TrecEval {
        /// trec_eval's own flags, then QRELS RUN
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

/// The Parquet library panics on some damaged files; that is caught where they are read and told as an error, so its own
/// words are kept from the terminal.
fn hush_parquet() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let own = panic.location().is_none_or(|place| !place.file().contains("parquet-"));
        if own {
            tell(panic);
        }
    }));
}

fn main() -> ExitCode {
    hush_parquet();
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    // trec_eval reads its arguments by rules of its own, so it gets them before anybody else.
    if called_as(&arguments, "trec_eval") {
        return commands::trec_eval::run(arguments.split_off(1));
    }
    if arguments.get(1).is_some_and(|command| command == "trec_eval") {
        return commands::trec_eval::run(arguments.split_off(2));
    }
    let done = match Cli::try_parse_from(arguments) {
        Ok(Cli { command: Command::TrecEval { arguments } }) => return commands::trec_eval::run(arguments),
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
        Command::Demo(arguments) => commands::demo::run(&arguments),
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Budget(arguments) => commands::budget::run(&arguments),
        Command::Report(arguments) => commands::report::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Convert(arguments) => commands::convert::run(&arguments),
        Command::Simulate(arguments) => commands::simulate::run(&arguments),
        Command::Pool(arguments) => commands::pool::run(&arguments),
        Command::Sample(arguments) => commands::sample::run(&arguments),
        Command::Next(arguments) => commands::next::run(&arguments),
        Command::Published(arguments) => commands::published::run(&arguments),
        Command::Judges(arguments) => commands::judges::run(&arguments),
        Command::Plan(arguments) => commands::plan::run(&arguments),
        Command::Ab(arguments) => commands::ab::run(&arguments),
        Command::Tune(arguments) => commands::tune::run(&arguments),
        Command::Rbo(arguments) => commands::rbo::run(&arguments),
        Command::Reproduce(arguments) => commands::reproduce::run(&arguments),
        Command::Measures(arguments) => commands::measures::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        // Answered in `main`, with an exit status of its own.
        Command::TrecEval { .. } => Ok(()),
    }
}

/// Whether the program was started under this name, through a link.
fn called_as(arguments: &[OsString], name: &str) -> bool {
    arguments.first().and_then(|program| Path::new(program).file_stem()).is_some_and(|stem| stem == name)
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
