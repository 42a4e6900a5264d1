//! `karat published study QRELS RUN...`

use clap::Args;
use karat_analysis::published::study::{StudyOptions, study};
use karat_analysis::scores::{Setting, score};
use karat_present::{Context, published};
use karat_report::Provenance;

use super::typed;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{FigureOptions, write};
use crate::options::{self, EvaluationOptions, OutputOptions, Prepared};
use crate::output;

/// Measure on real runs how often printed scores decide, and how often wrongly
///
/// Scores every run with every p, rounds as papers do, compares every pair from the printed numbers alone, and checks each
/// verdict against the true scores: per topic and for the mean over topics.
#[derive(Debug, Args)]
// The measures are RBP with each --p: the option that chooses others is not shown, and refused.
#[command(mut_arg("measures", |measures| measures.hide(true)))]
pub struct Arguments {
    /// Judgements file, or `-` for standard input. Format and compression are detected
    qrels: String,
    /// Two or more runs
    #[arg(required = true, num_args = 2.., value_name = "RUN")]
    runs: Vec<String>,
    /// Values of p; each pair of them is compared
    #[arg(long, value_name = "LIST", default_value = "0.5,0.8,0.95", allow_hyphen_values = true)]
    p: String,
    /// Digits printed after the decimal point
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [2, 3, 4], value_parser = clap::value_parser!(u8).range(1..=8))]
    digits: Vec<u8>,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    #[command(flatten)]
    figure: FigureOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// Whatever is wrong with the inputs, or the answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let options = &arguments.evaluation;
    arguments.figure.wanted(environment, &arguments.output)?;
    let files: Vec<String> =
        std::iter::once(&arguments.qrels).chain(&arguments.runs).chain(&options.topics).cloned().collect();
    output::refuse_overwrite(&arguments.output, &files)?;
    let mut persistences = typed::persistences("--p", &arguments.p)?;
    persistences.sort_by(f64::total_cmp);
    persistences.dedup();
    if persistences.len() < 2 {
        return Err(Failure::usage(format!("--p needs two different numbers or more, found {}", arguments.p)));
    }
    let names: Vec<String> = persistences.iter().map(|p| format!("RBP(p={p})")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let measures = options.measures(&names)?;
    if measures.len() != names.len() || !measures.iter().all(|measure| measure.info().name == "RBP") {
        return Err(Failure::usage("-m cannot be given here: the measures are RBP with each --p"));
    }
    let (qrels_input, run_inputs) = options::open(environment, &arguments.qrels, &arguments.runs)?;
    let prepared = Prepared::read(options, environment, &qrels_input, measures, None)?;
    let facts = &prepared.judgements.facts;
    let setting = Setting { bounds: true, ..prepared.setting(options) };
    let scores = score(&setting, &options.runs(run_inputs))?;
    let mut provenance = Provenance::default().input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    for run in &scores {
        let facts = &run.topics.facts;
        provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    }
    let mut digits = arguments.digits.clone();
    digits.sort_unstable();
    digits.dedup();
    provenance = provenance
        .option("p", persistences.clone())
        .option("digits", digits.iter().map(|&digits| u32::from(digits)).collect::<Vec<_>>())
        .option("relevance_level", options.relevance_level);
    let studied = StudyOptions { persistences, digits };
    let mut progress = environment.progress("cell");
    let answer = study(&studied, &scores, &mut |done, all| progress.tell(done, all));
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    write(environment, &published::study::report(answer, context), &arguments.figure, &arguments.output)
}
