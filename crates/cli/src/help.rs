//! The help of the program: commands grouped by task.

use std::ffi::OsString;
use std::fmt::Write as _;

use crate::commands::{DEFAULT_MEASURES, GROUPS};

/// The command with its subcommands grouped in its help.
pub fn grouped(command: clap::Command) -> clap::Command {
    let mut list = String::new();
    for (heading, names) in GROUPS {
        // Writing to a string does not fail.
        let _ = writeln!(list, "{heading}:");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(list, "  {name:<10} {about}");
        }
        list.push('\n');
    }
    let help = "`karat COMMAND --help` lists the options of a command.";
    let template =
        format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}\n\n{help}\n");
    // Wrapped at 80 columns on wider terminals too.
    command.max_term_width(80).help_template(template)
}

/// The command with options that take `-1` for a value, so that what is wrong with it is said by the option and not by the parser.
pub fn with_negative_values(command: clap::Command) -> clap::Command {
    let taking = |argument: clap::Arg| {
        let named = argument.get_long().is_some() || argument.get_short().is_some();
        let takes = named && argument.get_action().takes_values();
        if takes { argument.allow_negative_numbers(true) } else { argument }
    };
    command.mut_args(taking).mut_subcommands(with_negative_values)
}

/// The command with the measures that each of its commands uses by default in the help of `--measure`.
pub fn with_default_measures(command: clap::Command) -> clap::Command {
    DEFAULT_MEASURES.iter().fold(command, |command, (path, measures)| with_default(command, path, measures))
}

fn with_default(command: clap::Command, path: &[&str], measures: &[&str]) -> clap::Command {
    match path.split_first() {
        Some((first, rest)) => command.mut_subcommand(first, |found| with_default(found, rest, measures)),
        None => command.mut_arg("measures", |argument| {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            argument.help(format!("{help} [default: {}]", measures.join(", ")))
        }),
    }
}

/// What a parser says last, in words of its own.
const PARSER_HELP: &str = "For more information, try '--help'.";

/// An error in the arguments with a line of help: its own, or where the options are.
pub fn with_help(message: &str, arguments: &[OsString]) -> String {
    let message = message.replace(PARSER_HELP, "");
    let message = message.trim_end();
    if message.contains("\nhelp: ") {
        return message.to_owned();
    }
    let definition = crate::definition();
    let (mut command, mut path) = (&definition, String::from("karat"));
    for word in arguments.iter().skip(1).filter_map(|word| word.to_str()) {
        let Some(found) = command.find_subcommand(word) else { break };
        command = found;
        path = format!("{path} {word}");
    }
    format!("{message}\nhelp: {path} --help lists the options and their values")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let definition = crate::definition();
        let mut all: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
        listed.sort_unstable();
        all.sort_unstable();
        assert_eq!(listed, all);
    }
}
