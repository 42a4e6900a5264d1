//! The formats of inputs, where the user names them.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use karat_formats::{QREL_FORMATS, QrelsChoice, RUN_FORMATS, RunChoice, detect};

/// The formats of the inputs.
#[derive(Debug, Args)]
pub struct FormatOptions {
    /// Format of the judgements
    #[arg(long, value_name = "NAME", default_value = AUTO, value_parser = formats(QREL_FORMATS.iter().map(|f| (f.name, f.layout))))]
    qrels_format: String,
    /// Format of the runs
    #[arg(long, value_name = "NAME", default_value = AUTO, value_parser = formats(RUN_FORMATS.iter().map(|f| (f.name, f.layout))))]
    run_format: String,
}

const AUTO: &str = "auto";

fn formats(table: impl Iterator<Item = (&'static str, &'static str)>) -> PossibleValuesParser {
    let auto = PossibleValue::new(AUTO).help("detected from the content");
    PossibleValuesParser::new(
        std::iter::once(auto).chain(table.map(|(name, layout)| PossibleValue::new(name).help(layout))),
    )
}

impl FormatOptions {
    /// The format of judgements.
    pub fn qrels(&self) -> QrelsChoice {
        detect::qrels_by_name(&self.qrels_format).unwrap_or(detect::QRELS)
    }

    /// The format of runs.
    pub fn runs(&self) -> RunChoice {
        detect::run_by_name(&self.run_format).unwrap_or(detect::RUN)
    }

    /// The choices that are not the defaults, as they would be typed.
    pub fn choices(&self) -> Vec<String> {
        let given = [("--qrels-format", &self.qrels_format), ("--run-format", &self.run_format)];
        given.iter().filter(|(_, name)| *name != AUTO).map(|(option, name)| format!("{option} {name}")).collect()
    }
}
