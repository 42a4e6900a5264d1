//! The commands and options as the command line defines them, for the generator of the Python functions.

use std::any::TypeId;
use std::path::PathBuf;

use pyo3::prelude::*;
use serde_json::{Value, json};

/// Every command with its options, as JSON.
#[pyfunction]
pub fn definition() -> String {
    let mut root = karat_cli::definition();
    root.build();
    json!(root.get_subcommands().filter(|command| command.get_name() != "help").map(command).collect::<Vec<_>>())
        .to_string()
}

type Clap = karat_cli::clap::Command;

fn command(own: &Clap) -> Value {
    let about = own.get_long_about().or(own.get_about()).map(ToString::to_string).unwrap_or_default();
    let shown = |argument: &&karat_cli::clap::Arg| {
        !matches!(argument.get_id().as_str(), "help" | "version") && !argument.is_hide_set()
    };
    json!({
        "name": own.get_name(),
        "about": about,
        "arguments": own.get_arguments().filter(shown).map(argument).collect::<Vec<_>>(),
        "commands": own.get_subcommands().filter(|own| own.get_name() != "help").map(command).collect::<Vec<_>>(),
    })
}

fn argument(own: &karat_cli::clap::Arg) -> Value {
    let kind = own.get_value_parser().type_id();
    let is = |other: TypeId| kind == other;
    let kind = if !own.get_action().takes_values() {
        "flag"
    } else if is(TypeId::of::<f64>()) {
        "float"
    } else if [TypeId::of::<u8>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()].into_iter().any(is)
    {
        "int"
    } else if is(TypeId::of::<PathBuf>()) {
        "path"
    } else {
        "text"
    };
    let several = own.get_num_args().is_some_and(|count| count.max_values() > 1)
        || matches!(own.get_action(), karat_cli::clap::ArgAction::Append);
    let help = own.get_long_help().or(own.get_help()).map(ToString::to_string).unwrap_or_default();
    let values: Vec<Value> = own
        .get_possible_values()
        .iter()
        .map(|value| json!({ "name": value.get_name(), "help": value.get_help().map(ToString::to_string) }))
        .collect();
    let defaults: Vec<String> =
        own.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    json!({
        "id": own.get_id().as_str(),
        "long": own.get_long(),
        "value": own.get_value_names().and_then(|names| names.first()).map(ToString::to_string),
        "kind": kind,
        "several": several,
        "delimiter": own.get_value_delimiter().map(String::from),
        "required": own.is_required_set(),
        "defaults": defaults,
        "values": values,
        "help": help,
    })
}
