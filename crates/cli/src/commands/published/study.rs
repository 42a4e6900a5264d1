//! `karat published study QRELS RUN...`

use clap::Args;
use karat_analysis::published::study::{StudyOptions, study};
use karat_analysis::scores::{Setting, score};
use karat_formats::Input;
use karat_present::{Context, published};

use super::typed;
use crate::command::ScoringInputs;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{FigureOptions, write};
use crate::options::{EvaluationOptions, OutputOptions, Prepared};

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
    let inputs = arguments.inputs();
    arguments.figure.wanted(environment, &arguments.output, &inputs.files(None))?;
    let studied = StudyOptions { persistences: arguments.persistences()?, digits: arguments.digits() };
    let (prepared, run_inputs) = read(&inputs, environment, &studied.persistences)?;
    prepared.check_level_reached()?;
    let setting = Setting { bounds: true, detect_sparse: false, ..prepared.setting(options) };
    let scores = score(&setting, &options.runs(run_inputs))?;
    let provenance = inputs.provenance(environment, &prepared, |options| {
        options
            .option("p", studied.persistences.clone())
            .option("digits", studied.digits.iter().map(|&digits| u32::from(digits)).collect::<Vec<_>>())
    });
    let provenance = scores
        .iter()
        .map(|run| &run.topics.facts)
        .fold(provenance, |provenance, facts| provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows));
    let mut progress = environment.progress("cell");
    let answer = study(&studied, &scores, &mut |done, all| progress.tell(done, all));
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    write(environment, &published::study::report(answer, context), &arguments.figure, &arguments.output)
}

impl Arguments {
    fn inputs(&self) -> ScoringInputs<'_> {
        ScoringInputs { qrels: &self.qrels, runs: &self.runs, evaluation: &self.evaluation, calibration: None }
    }

    fn persistences(&self) -> Result<Vec<f64>, Failure> {
        let mut persistences = typed::persistences("--p", &self.p)?;
        persistences.sort_by(f64::total_cmp);
        persistences.dedup();
        if persistences.len() < 2 {
            return Err(Failure::usage(format!("--p needs two different numbers or more, found {}", self.p)));
        }
        Ok(persistences)
    }

    fn digits(&self) -> Vec<u8> {
        let mut digits = self.digits.clone();
        digits.sort_unstable();
        digits.dedup();
        digits
    }
}

/// Reads the judgements and opens the runs; the measures are RBP with each p.
fn read(
    inputs: &ScoringInputs<'_>,
    environment: &Environment,
    persistences: &[f64],
) -> Result<(Prepared, Vec<Input>), Failure> {
    let names: Vec<String> = persistences.iter().map(|p| format!("RBP(p={p})")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let measures = inputs.evaluation.measures(&names)?;
    if measures.len() != names.len() || !measures.iter().all(|measure| measure.info().name == "RBP") {
        return Err(Failure::usage("-m cannot be given here: the measures are RBP with each --p"));
    }
    inputs.read(environment, &names)
}
