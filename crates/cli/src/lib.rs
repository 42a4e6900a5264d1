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
mod outputs;
mod page_sample;
mod progress;
mod samples;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};

pub use clap;
use commands::{Command, run};
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
    let done = match parse(arguments.clone()) {
        Ok(Cli { command: Command::TrecEval { arguments }, .. }) => return commands::trec_eval::run(arguments),
        Ok(cli) => run(cli.command, &Environment::program(!cli.no_progress)),
        Err(error) if error.use_stderr() => Err(usage(&error)),
        Err(error) => Environment::program(false).say(error.render().to_string().as_bytes()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) if !message.is_empty() => {
            Failure::Usage(help::with_help(&message, &arguments)).report()
        }
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
    help::with_default_measures(help::with_negative_values(help::grouped(Cli::command())))
}

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&definition().try_get_matches_from(arguments)?)
}

/// Whether the program was started under this name, through a link.
fn called_as(arguments: &[OsString], name: &str) -> bool {
    arguments.first().and_then(|program| Path::new(program).file_stem()).is_some_and(|stem| stem == name)
}

/// Where an option of trec_eval belongs.
fn trec_eval_hint(error: &clap::Error, text: &str) -> &'static str {
    const OPTIONS: &[&str] = &["-c", "-n", "-N", "-R", "-T", "-Z", "-D"];
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if option == "-c" && text.contains("karat eval ") => {
            "\nhelp: karat eval scores missing topics as 0 already, as -c does (--missing-topics); `karat trec_eval` takes the options \
             of trec_eval"
        }
        Some(ContextValue::String(option)) if OPTIONS.contains(&option.as_str()) => {
            "\nhelp: `karat trec_eval` takes the options of trec_eval"
        }
        _ => "",
    }
}

/// The parser's message without its own advice, where there is better.
fn without_advice(text: &str) -> String {
    let advice =
        |part: &str| ["tip: ", "For more information"].iter().any(|start| part.trim_start().starts_with(start));
    let paragraphs: Vec<&str> = text.split("\n\n").filter(|part| !advice(part)).collect();
    paragraphs.join("\n\n")
}

/// A mistake in the arguments as the parser says it. Without any argument that is the whole help, which is printed as it is.
fn usage(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Nothing more can be done when standard error is closed.
        let _ = write!(std::io::stderr(), "{text}");
        return Failure::Usage(String::new());
    }
    let hint = trec_eval_hint(error, &text);
    let text = if hint.is_empty() { text } else { without_advice(&text) };
    Failure::usage(format!("{}{hint}", text.strip_prefix("error: ").unwrap_or(&text).trim_end()))
}
