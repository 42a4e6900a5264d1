//! `karat judges merge LABELS...`

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use karat_analysis::judges::{How, MergeQuestion, MergedLabel, merge};
use karat_data::JudgementKind;
use karat_data::names::shown;
use karat_formats::records::{Column, Data, Table};
use karat_formats::write::{Writer, writer, writer_for_ending};
use karat_report::Provenance;
use karat_stats::Seed;
use karat_stats::dawid_skene;
use karat_stats::merge::{RULES, rule};

use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::judgement_file;
use crate::labels::LabelOptions;
use crate::options::OutputOptions;
use crate::output;

const DAWID_SKENE: &str = "dawid_skene";

/// One label from several judges'
///
/// By a rule (majority, mean, median, ...) or by Dawid and Skene's model, which finds out how often each judge errs. Says how sure each
/// label is, how good each judge is, and where one more judge would settle most.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Labels, of several judges in one file or one file for each (formats are told from content; `-` is standard input)
    #[arg(required = true, value_name = "LABELS")]
    labels: Vec<String>,
    /// How: majority (no grade where two are tied), majority_low, majority_high, mean (fractions kept), median, min, max, dawid_skene
    #[arg(long, value_name = "RULE", default_value = "majority", value_parser = PossibleValuesParser::new(RULES.iter().map(|rule| rule.name).chain([DAWID_SKENE])))]
    rule: String,
    /// Known labels: dawid_skene holds to them, other rules are compared with them
    #[arg(long, value_name = "FILE")]
    gold: Option<String>,
    /// Write the merged labels to this file; its ending (qrels, csv, tsv, jsonl, json, parquet) names the format
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Format of --save, where its ending does not name it: trec, beir, csv, tsv, json, jsonl, parquet
    #[arg(long, value_name = "FORMAT", requires = "save")]
    to: Option<String>,
    /// Documents to list for one more judge
    #[arg(long, value_name = "N", default_value_t = 10)]
    ask: usize,
    /// Of dawid_skene: so many labels are added to every cell of every judge's matrix
    #[arg(long, value_name = "N", default_value_t = 0.01, allow_negative_numbers = true)]
    smoothing: f64,
    /// Of dawid_skene: starts, the first from the judges' shares, others partly random
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    starts: u32,
    /// Of dawid_skene: rounds at most
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

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    output::chosen(&arguments.output)?;
    let all: Vec<String> = arguments.labels.iter().chain(&arguments.gold).cloned().collect();
    output::refuse_overwrite(&arguments.output, &all)?;
    output::spare("--save", arguments.save.as_deref(), &all)?;
    output::two_places(("--save", arguments.save.as_deref()), ("-o", output::file(&arguments.output)))?;
    let save = arguments.save.as_deref().map(|path| Ok::<_, Failure>((path, chosen(path, arguments.to.as_deref())?)));
    let save = save.transpose()?;
    let scale = arguments.reading.scale()?;
    let given = arguments.reading.read(environment, &arguments.labels)?;
    let gold = arguments
        .gold
        .as_ref()
        .map(|file| arguments.reading.read_gold(environment, std::slice::from_ref(file)))
        .transpose()?;
    let Arguments { smoothing, starts, rounds, .. } = *arguments;
    let how = rule(&arguments.rule).map_or_else(
        || {
            let tolerance = dawid_skene::Options::default().tolerance;
            How::DawidSkene(dawid_skene::Options { smoothing, starts, rounds, tolerance, seed: Seed(arguments.seed) })
        },
        How::Rule,
    );
    let mut provenance = arguments.reading.provenance(given.provenance(Provenance::default()));
    if let Some(gold) = &gold {
        provenance = gold.provenance(provenance);
    }
    provenance = provenance.option("rule", arguments.rule.as_str());
    if arguments.rule == DAWID_SKENE {
        provenance = provenance
            .option("smoothing", smoothing)
            .option("starts", starts)
            .option("rounds", rounds)
            .seed(arguments.seed);
    }
    let question = MergeQuestion {
        labels: &given.labels,
        gold: gold.as_ref().map(|gold| &gold.labels),
        scale,
        how,
        ask: arguments.ask,
        chosen: arguments.reading.names_judges(),
        provenance,
        version: VERSION,
    };
    let (report, merged) = merge(question)?;
    if let Some((path, writer)) = save {
        write(path, writer, &merged)?;
    }
    environment.write(&report, &arguments.output)
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
            "--save {path}: no format; say one with --to (trec, beir, csv, tsv, json, jsonl, parquet)"
        ))
    })
}

/// Writes merged labels as judgements; a document whose tie was left open is not judged.
fn write(path: &Path, writer: &Writer, merged: &[MergedLabel]) -> Result<(), Failure> {
    if let Some(below) = merged.iter().filter_map(|label| label.grade).find(|&grade| grade < 0.0) {
        return Err(Failure::usage(format!(
            "--save: a merged grade is {below}, and in judgements numbers below 0 mean that nobody judged; take the labels from -f json"
        )));
    }
    let rows = merged.iter().map(|label| (label.topic.as_slice(), label.document.as_slice()));
    let mut table = Table::of_documents(JudgementKind::Grades, rows);
    table.set_numbers(Column::Grade, merged.iter().map(|label| label.grade.unwrap_or(-1.0)).collect());
    judgement_file::write(path, "--save", writer, table)
}
