//! `karat judges merge LABELS...`

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use karat_analysis::judges::{MergeMethod, MergeOptions, MergedLabel, merge};
use karat_data::JudgementKind;
use karat_data::names::shown;
use karat_formats::records::{Column, Data, Table};
use karat_formats::write::{Writer, writer, writer_for_ending};
use karat_present::Context;
use karat_present::judges::problems;
use karat_report::Provenance;
use karat_stats::Seed;
use karat_stats::dawid_skene;
use karat_stats::merge::{RULES, rule};

use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::judgement_file;
use crate::labels::{Given, LabelOptions};
use crate::options::OutputOptions;
use crate::output;
use crate::outputs::Outputs;

const DAWID_SKENE: &str = "dawid_skene";

/// Merge the labels of several judges into one
///
/// By a rule (majority, mean, median, ...) or by Dawid and Skene's model, which estimates how often each judge errs. Shows the confidence
/// of each label, the quality of each judge, and which documents most need one more label.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Labels of several judges: one file, or one per judge; `-` for standard input. Formats are detected.
    #[arg(required = true, value_name = "LABELS")]
    labels: Vec<String>,
    /// Rule: majority (ties get no grade), majority_low, majority_high, mean (fractions kept), median, min, max, dawid_skene
    #[arg(long, value_name = "RULE", default_value = "majority", value_parser = PossibleValuesParser::new(RULES.iter().map(|rule| rule.name).chain([DAWID_SKENE])))]
    rule: String,
    /// Gold labels: dawid_skene holds them fixed, other rules are compared with them
    #[arg(long, value_name = "FILE")]
    gold: Option<String>,
    /// Save the merged labels to this file; its extension (qrels, csv, tsv, jsonl, json, parquet) sets the format
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Format of --save, if its extension does not set it: trec, beir, csv, tsv, json, jsonl, parquet
    #[arg(long, value_name = "FORMAT", requires = "save")]
    to: Option<String>,
    /// Documents to list that need one more label
    #[arg(long, value_name = "N", default_value_t = 10)]
    ask: usize,
    /// dawid_skene: labels added to every cell of every judge's matrix
    #[arg(long, value_name = "N", default_value_t = 0.01, allow_negative_numbers = true)]
    smoothing: f64,
    /// dawid_skene: starts, the first from the judges' shares, others partly random
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    starts: u32,
    /// dawid_skene: maximum rounds
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: u32,
    /// Seed of random starts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    reading: LabelOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Arguments {
    fn method(&self) -> MergeMethod {
        let Arguments { smoothing, starts, rounds, .. } = *self;
        rule(&self.rule).map_or_else(
            || {
                let tolerance = dawid_skene::Options::default().tolerance;
                let seed = Seed(self.seed);
                MergeMethod::DawidSkene(dawid_skene::Options { smoothing, starts, rounds, tolerance, seed })
            },
            MergeMethod::Rule,
        )
    }

    fn provenance(&self, given: &Given, gold: Option<&Given>) -> Provenance {
        let provenance = self.reading.provenance(given.provenance(Provenance::default()));
        let provenance = gold.into_iter().fold(provenance, |provenance, gold| gold.provenance(provenance));
        let provenance = provenance.option("rule", self.rule.as_str()).option("ask", self.ask as f64);
        if self.rule != DAWID_SKENE {
            return provenance;
        }
        provenance
            .option("smoothing", self.smoothing)
            .option("starts", self.starts)
            .option("rounds", self.rounds)
            .seed(self.seed)
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    output::chosen(&arguments.output)?;
    let all: Vec<String> = arguments.labels.iter().chain(&arguments.gold).cloned().collect();
    let outputs = Outputs::default().and("--save", arguments.save.as_deref());
    outputs.and("-o", output::file(&arguments.output)).check(&all)?;
    let save = arguments.save.as_deref().map(|path| Ok::<_, Failure>((path, chosen(path, arguments.to.as_deref())?)));
    let save = save.transpose()?;
    let scale = arguments.reading.scale()?;
    let given = arguments.reading.read(environment, &arguments.labels)?;
    let gold = arguments.gold.as_ref().map(|file| arguments.reading.read_gold(environment, std::slice::from_ref(file)));
    let gold = gold.transpose()?;
    let options = MergeOptions {
        labels: &given.labels,
        gold: gold.as_ref().map(|gold| &gold.labels),
        scale,
        method: arguments.method(),
        ask: arguments.ask,
        one_is_enough: arguments.reading.names_judges(),
    };
    let answer = merge(&options).map_err(problems)?;
    if let Some((path, writer)) = save {
        write(path, writer, &answer.labels)?;
    }
    let provenance = arguments.provenance(&given, gold.as_ref());
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    environment.write(&karat_present::judges::merge::report(answer, context), &arguments.output)
}

fn chosen(path: &Path, to: Option<&str>) -> Result<&'static Writer, Failure> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let found = match to {
        Some(name) => writer(name, Data::Judgements).filter(|writer| writer.holds_kind(JudgementKind::Grades)),
        None => writer_for_ending(&ending, Data::Judgements),
    };
    found.ok_or_else(|| {
        let path = shown(&path.to_string_lossy());
        Failure::usage(format!(
            "--save {path}: unknown format; set it with --to (trec, beir, csv, tsv, json, jsonl, parquet)"
        ))
    })
}

/// Writes merged labels as judgements; a document with an open tie is written as unjudged.
fn write(path: &Path, writer: &Writer, merged: &[MergedLabel]) -> Result<(), Failure> {
    if let Some(below) = merged.iter().filter_map(|label| label.grade).find(|&grade| grade < 0.0) {
        return Err(Failure::usage(format!(
            "--save: a merged grade is {below}, but in judgements a number below 0 means unjudged; use -f json instead"
        )));
    }
    let rows = merged.iter().map(|label| (label.topic.as_slice(), label.document.as_slice()));
    let mut table = Table::of_documents(JudgementKind::Grades, rows);
    table.set_numbers(Column::Grade, merged.iter().map(|label| label.grade.unwrap_or(-1.0)).collect());
    judgement_file::write(path, "--save", writer, table)
}
