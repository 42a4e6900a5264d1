//! `karat schema`: JSON Schema of the answers, from their types.

use clap::Args;
use karat_analysis::ab::{CountsAnswer, UsersAnswer};
use karat_analysis::judging;
use karat_report::schema::answer_schema;
use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::ANSWERS;
use crate::environment::Environment;
use crate::failure::Failure;

/// A command and the schema of its answer.
pub struct AnswerSchema {
    /// The command, as in the field `command` of the answer.
    command: &'static str,
    schema: fn(&str) -> Value,
}

/// The row of a command whose answer is a `T`.
pub const fn row<T: JsonSchema>(command: &'static str) -> AnswerSchema {
    AnswerSchema { command, schema: answer_schema::<T> }
}

/// An A/B test, from counts or from one row per user.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub enum AbAnswer {
    Counts(CountsAnswer),
    Users(UsersAnswer),
}

/// What to judge next, or with `--replay` how judging would have gone.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub enum NextCommandAnswer {
    Next(judging::next::NextAnswer),
    Replay(judging::replay::ReplayAnswer),
}

/// Print the JSON Schema of a command's -f json answer
///
/// Without COMMAND: one object with the schemas of all commands, by name.
#[derive(Debug, Args)]
#[command(after_help = format!("Commands: {}", names().join(", ")))]
pub struct Arguments {
    /// The command, such as compare or judges agree
    command: Vec<String>,
}

fn names() -> Vec<&'static str> {
    ANSWERS.iter().map(|answer| answer.command).collect()
}

/// Runs the command.
///
/// # Errors
/// No command of that name has a schema, or it cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let wanted = arguments.command.join(" ");
    let schema = |answer: &AnswerSchema| (answer.schema)(answer.command);
    let schema = if wanted.is_empty() {
        ANSWERS.iter().map(|answer| (answer.command.to_owned(), schema(answer))).collect::<Map<_, _>>().into()
    } else {
        let found = ANSWERS.iter().find(|answer| answer.command == wanted);
        let unknown =
            || Failure::usage(format!("no schema for '{wanted}'\nhelp: choose one of {}", names().join(", ")));
        schema(found.ok_or_else(unknown)?)
    };
    let text = format!("{schema:#}\n");
    environment.say(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands that take `-f`, by name.
    fn with_format(command: &clap::Command, name: &str, found: &mut Vec<String>) {
        if command.get_arguments().any(|argument| argument.get_id() == "format") {
            found.push(name.to_owned());
        }
        for below in command.get_subcommands() {
            with_format(below, format!("{name} {}", below.get_name()).trim(), found);
        }
    }

    #[test]
    fn every_command_with_json_has_a_schema() {
        let mut commands = Vec::new();
        with_format(&crate::definition(), "", &mut commands);
        let mut listed: Vec<String> = names().iter().map(ToString::to_string).collect();
        commands.sort();
        listed.sort();
        assert_eq!(listed, commands);
    }
}
