//! The commands: one file each (arguments to an analysis, its report to the output), and everything that lists them.
//!
//! A new command is its file and four lines here: its module, its variant of [`Command`], its arm of [`run`], its place in [`GROUPS`]; and a
//! row of [`ANSWERS`] where it has an answer for programs.

pub mod ab;
pub mod budget;
pub mod check;
pub mod compare;
pub mod convert;
pub mod demo;
mod demo_clicks;
mod demo_labels;
mod demo_page;
mod demo_settle;
pub mod eval;
pub mod explain;
mod form;
pub mod judges;
pub mod measures;
pub mod next;
pub mod plan;
pub mod pool;
pub mod published;
pub mod rbo;
pub mod report;
pub mod reproduce;
pub mod sample;
pub mod schema;
pub mod settle;
pub mod simulate;

pub mod trec_eval;
pub mod tune;

use std::ffi::OsString;

use clap::Subcommand;
use karat_analysis::ab::InterleavingAnswer;
use karat_analysis::budget::BudgetAnswer;
use karat_analysis::compare::answer::Comparisons;
use karat_analysis::eval::EvalAnswer;
use karat_analysis::plan_topics::PlanTopicsAnswer;
use karat_analysis::rbo::RboAnswer;
use karat_analysis::settle::SettleAnswer;
use karat_analysis::simulate::judges::SimulatedJudges;
use karat_analysis::simulate::ranking::SimulatedRankings;
use karat_analysis::tune::TuneAnswer;
use karat_analysis::{judges as judge_answers, judging, published as published_answers};
use karat_papers::answer::ReproduceAnswer;
use karat_present::check::CheckAnswer;
use karat_present::explain::{ExplainAnswer, MeasuresAnswer};
use karat_report::OptionValue;

use crate::environment::Environment;
use crate::failure::Failure;
use schema::{AbAnswer, AnswerSchema, NextCommandAnswer, row};

/// What the program is asked to do.
#[derive(Subcommand)]
pub enum Command {
    /// Evaluate a small built-in collection with known truth
    Demo(demo::Arguments),
    /// Score runs, with confidence intervals and bounds
    Eval(eval::Arguments),
    /// Compare runs: significance, unjudged documents, judges
    Compare(compare::Arguments),
    /// Show the sources of uncertainty and the cheapest way to reduce it
    Budget(budget::Arguments),
    /// Write one HTML page with scores, comparisons and figures
    Report(Box<report::Arguments>),
    /// Check files for problems
    Check(check::Arguments),
    /// Convert a file to another format
    Convert(convert::Arguments),
    /// Simulate rankings and judges with a known truth
    Simulate(simulate::Arguments),
    /// Pool the top k documents of every run for judging
    Pool(pool::Arguments),
    /// Sample documents of the pool for judging
    Sample(sample::Arguments),
    /// List the documents that are most useful to judge next
    Next(next::Arguments),
    /// Draw the documents whose judgement settles which run is better
    Settle(settle::Arguments),
    /// Compare published RBP scores with different p
    Published(published::Arguments),
    /// Measure the judges' agreement and correct for their errors
    Judges(judges::Arguments),
    /// Plan the number of topics or labels
    Plan(plan::Arguments),
    /// Analyse A/B tests and interleaving
    Ab(Box<ab::Arguments>),
    /// Choose on development topics, evaluate on test topics
    Tune(tune::Arguments),
    /// Compute the rank-biased overlap of each pair of runs
    Rbo(rbo::Arguments),
    /// Reproduce numbers and figures of papers
    Reproduce(reproduce::Arguments),
    /// List all measures
    Measures(measures::Arguments),
    /// Explain a measure, a test or a term of the output
    Explain(explain::Arguments),
    /// Print the JSON Schema of a command's -f json answer
    Schema(schema::Arguments),
    /// Drop-in replacement for trec_eval (see karat trec_eval -h)
    #[command(name = "trec_eval", disable_help_flag = true, disable_version_flag = true)]
    TrecEval {
        /// trec_eval's own flags, then QRELS RUN
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

/// Runs a command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(command: Command, environment: &Environment) -> Result<(), Failure> {
    match command {
        Command::Demo(arguments) => demo::run(&arguments, environment),
        Command::Eval(arguments) => eval::run(&arguments, environment),
        Command::Compare(arguments) => compare::run(&arguments, environment),
        Command::Budget(arguments) => budget::run(&arguments, environment),
        Command::Report(arguments) => report::run(&arguments, environment),
        Command::Check(arguments) => check::run(&arguments, environment),
        Command::Convert(arguments) => convert::run(&arguments, environment),
        Command::Simulate(arguments) => simulate::run(&arguments, environment),
        Command::Pool(arguments) => pool::run(&arguments, environment),
        Command::Sample(arguments) => sample::run(&arguments, environment),
        Command::Next(arguments) => next::run(&arguments, environment),
        Command::Settle(arguments) => settle::run(&arguments, environment),
        Command::Published(arguments) => published::run(&arguments, environment),
        Command::Judges(arguments) => judges::run(&arguments, environment),
        Command::Plan(arguments) => plan::run(&arguments, environment),
        Command::Ab(arguments) => ab::run(&arguments, environment),
        Command::Tune(arguments) => tune::run(&arguments, environment),
        Command::Rbo(arguments) => rbo::run(&arguments, environment),
        Command::Reproduce(arguments) => reproduce::run(&arguments, environment),
        Command::Measures(arguments) => measures::run(&arguments, environment),
        Command::Explain(arguments) => explain::run(&arguments, environment),
        Command::Schema(arguments) => schema::run(&arguments, environment),
        // Answered in `crate::program`, with an exit status of its own.
        Command::TrecEval { .. } => Ok(()),
    }
}

/// The measures that a command uses by default, by the words that name the command.
pub const DEFAULT_MEASURES: [(&[&str], &[&str]); 7] = [
    (&["eval"], karat_analysis::eval::DEFAULT_MEASURES),
    (&["report"], report::DEFAULT_MEASURES),
    (&["compare"], karat_analysis::compare::DEFAULT_MEASURES),
    (&["budget"], karat_analysis::budget::DEFAULT_MEASURES),
    (&["settle"], settle::DEFAULT_MEASURES),
    (&["tune"], tune::DEFAULT_MEASURE),
    (&["plan", "topics"], plan::topics::DEFAULT_MEASURES),
];

/// The groups and their commands, in the order of the help.
pub const GROUPS: [(&str, &[&str]); 6] = [
    ("Evaluate", &["demo", "eval", "report", "measures", "explain", "trec_eval"]),
    ("Compare and decide", &["compare", "budget", "plan", "tune", "rbo", "ab"]),
    ("Choose documents to judge", &["pool", "sample", "next", "settle"]),
    ("Judges and labels", &["judges"]),
    ("Papers and simulations", &["published", "reproduce", "simulate"]),
    ("Files", &["check", "convert", "schema"]),
];

/// Every command with a typed answer: one row each.
pub const ANSWERS: &[AnswerSchema] = &[
    row::<AbAnswer>("ab"),
    row::<InterleavingAnswer>("ab interleaving"),
    row::<BudgetAnswer>("budget"),
    row::<CheckAnswer>("check"),
    row::<Comparisons>("compare"),
    row::<EvalAnswer>("eval"),
    row::<ExplainAnswer>("explain"),
    row::<judge_answers::AgreeAnswer>("judges agree"),
    row::<judge_answers::CalibrateAnswer>("judges calibrate"),
    row::<judge_answers::CompareAnswer>("judges compare"),
    row::<judge_answers::CorrectAnswer>("judges correct"),
    row::<judge_answers::MergeAnswer>("judges merge"),
    row::<MeasuresAnswer>("measures"),
    row::<NextCommandAnswer>("next"),
    row::<judge_answers::PlanAnswer>("plan judges"),
    row::<PlanTopicsAnswer>("plan topics"),
    row::<judging::pool::PoolAnswer>("pool"),
    row::<published_answers::answer::CompareAnswer>("published compare"),
    row::<published_answers::answer::DepthAnswer>("published depth"),
    row::<published_answers::answer::RangeAnswer>("published range"),
    row::<published_answers::study::StudyAnswer>("published study"),
    row::<published_answers::answer::VectorsAnswer>("published vectors"),
    row::<RboAnswer>("rbo"),
    row::<ReproduceAnswer>("reproduce"),
    row::<judging::sample::SampleAnswer>("sample"),
    row::<SettleAnswer>("settle"),
    row::<SimulatedJudges>("simulate judges"),
    row::<SimulatedRankings>("simulate ranking"),
    row::<TuneAnswer>("tune"),
];

/// The program's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Text options for the provenance.
pub fn text(value: impl ToString) -> OptionValue {
    OptionValue::from(value.to_string())
}
