//! `karat measures`

use clap::Args;
use karat_measures::registry::MEASURES;
use karat_report::{Column, Report, Table};

use super::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;

/// List all measures
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// The answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let mut table = Table::new("measures", "")
        .column("name", "name")
        .with(Column::new("parameters", "parameters").data_only())
        .with(Column::new("aliases", "also called").data_only())
        .column("summary", "definition");
    for info in MEASURES {
        let parameters: Vec<String> = info
            .parameters
            .iter()
            .map(|parameter| match (parameter.name, parameter.default) {
                ("cutoff", _) => "@k".into(),
                (name, "") => name.into(),
                (name, default) => format!("{name}={default}"),
            })
            .collect();
        table.push([info.name.into(), parameters.join(" ").into(), info.aliases.join(" ").into(), info.summary.into()]);
    }
    let report = Report::new("Measures", "measures", VERSION)
        .table(table)
        .note("`karat explain NAME` shows formula, parameters, other names, pitfalls and source");
    environment.write(&report, &arguments.output)
}
