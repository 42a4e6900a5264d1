//! `karat pool RUN...`

use clap::Args;
use karat_analysis::judging::pool::{PoolOptions, pool};
use karat_data::Policy;
use karat_formats::form::Asked;
use karat_present::Context;
use karat_present::judging::{pool_report, problems};

use super::VERSION;
use super::form::JudgingOptions;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;

/// Which documents to judge: the first k of every run, and which runs contributed them.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Runs, or `-` for standard input. Format and compression are detected
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// Ranks of each run that are pooled, from the first
    #[arg(short = 'M', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Judgements made already: shows which documents are still to judge
    #[arg(long, value_name = "FILE")]
    qrels: Option<String>,
    #[command(flatten)]
    judging: JudgingOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let judging = &arguments.judging;
    judging.form.refuse_layouts()?;
    let (qrels, runs, provenance) =
        judging.open(environment, arguments.qrels.as_ref(), &arguments.runs, &arguments.output)?;
    let options = PoolOptions {
        depth: arguments.depth as usize,
        qrels: qrels.as_ref(),
        policy: Policy::default(),
        threads: judging.threads.count(),
    };
    let found = pool(&runs, &options).map_err(problems)?;
    let (form_notes, provenance) = judging.form.write(environment, &found.form, Asked::Unjudged, provenance)?;
    let provenance = provenance.option("depth", arguments.depth);
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    let mut report = pool_report(found.answer, &found.runs, context);
    report.notes.extend(form_notes);
    environment.write(&report, &arguments.output)
}
