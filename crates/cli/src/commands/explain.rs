//! `karat explain NAME`: a measure, a coefficient of agreement, a significance test, a correction for several tests, an interval, or a term of
//! the output.

use clap::Args;
use karat_measures::info::MeasureInfo;
use karat_measures::registry;
use karat_measures::spec::SpecError;
use karat_present::{Context, explain};
use karat_stats::interval::pages;
use karat_stats::{agreement, correction, test};

use super::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;

/// Explain a measure, a test or a term of the output
#[derive(Debug, Args)]
pub struct Arguments {
    /// A measure: AP, nDCG@10, recip_rank; a coefficient of agreement: cohen, krippendorff; a test: t, randomization, max_t;
    /// a correction: holm, benjamini_hochberg; an interval: auto, student_t, bounded_mean; or a term of the output: bounds, residual, interval,
    /// "adjusted p", undecided
    #[arg(value_name = "NAME")]
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
    } else if let Some(report) = explain::family_report(name, context.clone()) {
        report
    } else if let Some(row) = pages::find(name) {
        explain::interval_report(row, context)
    } else if let Some(info) = registry::find(name) {
        let mut report = explain::measure_report(info, context);
        report.notes.extend(explain::also_term(name));
        report
    } else if let Some(term) = explain::find_term(name) {
        explain::term_report(term, context)
    } else {
        explain::measure_report(parsed(name)?, context)
    };
    environment.write(&report, &arguments.output)
}

/// The measure of a name with parameters.
fn parsed(name: &str) -> Result<&'static MeasureInfo, Failure> {
    let terms = || explain::TERMS.iter().map(|term| term.name).collect::<Vec<_>>().join(", ");
    let unknown = |error: SpecError| {
        // A name may be meant for a term or a test as well.
        let message = error.to_string();
        let message = message.strip_prefix(&format!("invalid measure '{name}': ")).unwrap_or(&message);
        Failure::usage(format!("{message}\nhelp: terms of the output: {}", terms()))
    };
    karat_measures::spec::parse(name, 1.0).map(|spec| spec.info()).map_err(unknown)
}

#[cfg(test)]
mod tests {
    use karat_stats::{max_t, tukey};

    use super::*;

    #[test]
    fn a_term_hides_nothing() {
        for term in explain::TERMS {
            let taken = test::find(term.name).is_some() || correction::find(term.name).is_some();
            assert!(
                !taken && registry::find(term.name).is_none() && agreement::find(term.name).is_none(),
                "{}",
                term.name
            );
        }
    }

    #[test]
    fn no_name_means_two_things() {
        let names = test::TESTS.iter().map(|row| row.name).chain(correction::CORRECTIONS.iter().map(|row| row.name));
        for row in pages::INTERVALS {
            let taken = test::find(row.name).is_some() || correction::find(row.name).is_some();
            assert!(!taken && explain::find_term(row.name).is_none(), "{}", row.name);
        }
        let intervals = pages::INTERVALS.iter().map(|row| row.name);
        for name in names.chain([max_t::PAGE.name, tukey::PAGE.name]).chain(intervals) {
            assert!(registry::find(name).is_none() && agreement::find(name).is_none(), "{name}");
        }
    }
}
