//! The karat command line: arguments to a study, the study's report to a renderer.
//!
//! Files, the terminal, the environment and the exit status live here and nowhere else. It is a library with a door for
//! each world: [`program`] for people who type, [`call`] for a caller (the Python package) that has inputs in memory and
//! wants the answer itself. Both parse the same arguments, so that a name, a default or a check exists once.

mod calibration;
mod commands;
pub mod condensing;
mod failure;
mod figure;
mod files;
mod judgement_file;
mod labels;
mod lengths;
mod options;
mod output;
mod outside;
mod progress;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

pub use clap;
pub use failure::Failure;
pub use karat_runtime::Stop;
use karat_runtime::Stopped;
pub use outside::{Answer, Outside};

/// Search evaluation in which every number says how sure you can be.
#[derive(Parser)]
#[command(name = "karat", version, about, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Say nothing of how far long work has come
    #[arg(long, global = true, display_order = 1000)]
    no_progress: bool,
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
    /// Reproduce the papers' numbers and figures, ours next to theirs
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
    let done = match Cli::try_parse_from(arguments) {
        Ok(Cli { command: Command::TrecEval { arguments }, .. }) => return commands::trec_eval::run(arguments),
        Ok(cli) => run(cli.command, &Outside::program(!cli.no_progress)),
        Err(error) => usage(&error, &Outside::program(false)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// A call: arguments as they would be typed after `karat`, and what the command may touch. Returns its answer, and whatever kept it from
/// answering; with a failed gate comes the answer that failed it. Work that was stopped ([`Outside::stopped_by`]) has no answer.
pub fn call(arguments: Vec<OsString>, outside: Outside) -> (Answer, Result<(), Failure>) {
    let arguments = std::iter::once("karat".into()).chain(arguments);
    match outside.stop().watch(|| answer(arguments, &outside)) {
        Ok(done) => (outside.into_answer(), done),
        Err(Stopped) => (Answer::default(), Err(Failure::Stopped)),
    }
}

fn answer(arguments: impl Iterator<Item = OsString>, outside: &Outside) -> Result<(), Failure> {
    match Cli::try_parse_from(arguments) {
        Ok(Cli { command: Command::TrecEval { .. }, .. }) => {
            Err(Failure::usage("trec_eval is a program with an exit status of its own; it cannot be called"))
        }
        Ok(cli) => run(cli.command, outside),
        Err(error) if error.use_stderr() => Err(Failure::Usage(error.render().to_string())),
        Err(error) => outside.say(error.render().to_string().as_bytes()),
    }
}

/// The definition of every command and option.
pub fn definition() -> clap::Command {
    Cli::command()
}

fn run(command: Command, outside: &Outside) -> Result<(), Failure> {
    match command {
        Command::Demo(arguments) => commands::demo::run(&arguments, outside),
        Command::Eval(arguments) => commands::eval::run(&arguments, outside),
        Command::Compare(arguments) => commands::compare::run(&arguments, outside),
        Command::Budget(arguments) => commands::budget::run(&arguments, outside),
        Command::Report(arguments) => commands::report::run(&arguments, outside),
        Command::Check(arguments) => commands::check::run(&arguments, outside),
        Command::Convert(arguments) => commands::convert::run(&arguments, outside),
        Command::Simulate(arguments) => commands::simulate::run(&arguments, outside),
        Command::Pool(arguments) => commands::pool::run(&arguments, outside),
        Command::Sample(arguments) => commands::sample::run(&arguments, outside),
        Command::Next(arguments) => commands::next::run(&arguments, outside),
        Command::Published(arguments) => commands::published::run(&arguments, outside),
        Command::Judges(arguments) => commands::judges::run(&arguments, outside),
        Command::Plan(arguments) => commands::plan::run(&arguments, outside),
        Command::Ab(arguments) => commands::ab::run(&arguments, outside),
        Command::Tune(arguments) => commands::tune::run(&arguments, outside),
        Command::Rbo(arguments) => commands::rbo::run(&arguments, outside),
        Command::Reproduce(arguments) => commands::reproduce::run(&arguments, outside),
        Command::Measures(arguments) => commands::measures::run(&arguments, outside),
        Command::Explain(arguments) => commands::explain::run(&arguments, outside),
        // Answered in `program`, with an exit status of its own.
        Command::TrecEval { .. } => Ok(()),
    }
}

/// Whether the program was started under this name, through a link.
fn called_as(arguments: &[OsString], name: &str) -> bool {
    arguments.first().and_then(|program| Path::new(program).file_stem()).is_some_and(|stem| stem == name)
}

/// Help and version are answers; anything else about the arguments is a mistake.
fn usage(error: &clap::Error, outside: &Outside) -> Result<(), Failure> {
    let text = error.render();
    if error.use_stderr() {
        let _ = write!(std::io::stderr(), "{text}");
        return Err(Failure::Usage(String::new()));
    }
    outside.say(text.to_string().as_bytes())
}
