//! `karat explain MEASURE`, or a coefficient of agreement, a significance test, a correction for several of them

use clap::Args;
use karat_measures::registry;
use karat_present::{Context, explain};
use karat_stats::{agreement, correction, test, tukey};

use super::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;

/// Explain a measure: definition, source, pitfalls
#[derive(Debug, Args)]
pub struct Arguments {
    /// A measure: AP, nDCG@10, recip_rank; a coefficient of agreement: cohen, krippendorff; a test: t, randomization, tukey;
    /// or a correction: holm, benjamini_hochberg
    measure: String,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// There is no such measure, or the answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let name = arguments.measure.as_str();
    let context = Context { version: VERSION, ..Context::default() };
    let report = if let Some(row) = agreement::find(name) {
        explain::coefficient_report(row, context)
    } else if let Some(row) = test::find(name) {
        explain::test_report(row, context)
    } else if let Some(row) = correction::find(name) {
        explain::correction_report(row, context)
    } else if name == tukey::PAGE.name {
        explain::tukey_report(context)
    } else {
        let info = match registry::find(name) {
            Some(info) => info,
            None => karat_measures::spec::parse(name, 1.0)?.info(),
        };
        explain::measure_report(info, context)
    };
    environment.write(&report, &arguments.output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_two_things() {
        let names = test::TESTS.iter().map(|row| row.name).chain(correction::CORRECTIONS.iter().map(|row| row.name));
        for name in names.chain([tukey::PAGE.name]) {
            assert!(registry::find(name).is_none() && agreement::find(name).is_none(), "{name}");
        }
    }
}
