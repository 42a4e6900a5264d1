//! `karat reproduce [PAPER|all]`

mod cells;
mod folder;

use std::path::{Path, PathBuf};

use clap::Args;
use karat_formats::{Dialect, Input, QREL_FORMATS, RUN_FORMATS, RunFiles, read_qrels};
use karat_papers::{Collection, Layout, PAPERS, Panel, Paper, Work, embedded, find, report};
use karat_present::Context;
use karat_report::Provenance;
use karat_stats::Seed;

use super::{VERSION, text};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::labels::LabelOptions;
use crate::options::{self, Color, FormatOptions, OutputOptions, ThreadOptions};
use cells::Cells;

/// Reproduce the papers' numbers and figures, ours next to theirs
///
/// Recomputes every checkable claim of the papers that karat is built on, and reports which hold. Experiments on systems use a
/// simulated collection, or --qrels and --runs.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Paper to reproduce: rbp-uncertainty, ranked-evaluation, rbp-parameter-sensitivity, noisy-judgements, inferred-ap, or all
    #[arg(value_name = "PAPER", default_value = "all")]
    paper: String,
    /// Use fewer simulations, samples and runs; a note says how many
    #[arg(long)]
    quick: bool,
    /// Write a page (index.html, index.md), the claims (claims.json) and the figures to this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Judgements for the experiments on systems; with --runs
    #[arg(long, value_name = "FILE", requires = "runs")]
    qrels: Option<String>,
    /// Runs for the experiments on systems; with --qrels
    #[arg(long, value_name = "RUN", num_args = 1.., requires = "qrels")]
    runs: Vec<String>,
    /// Labels of other judges for documents of --qrels (gold), to measure their effect on scores and rankings
    #[arg(long, value_name = "LABELS", num_args = 1.., requires = "qrels")]
    labels: Vec<String>,
    #[command(flatten)]
    formats: FormatOptions,
    #[command(flatten)]
    reading: LabelOptions,
    /// Continue an interrupted run with the same options and -o folder
    #[arg(long, requires = "output")]
    resume: bool,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Output format on standard output
    #[arg(short, long, value_parser = ["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"])]
    format: Option<String>,
    /// Colour headings
    #[arg(long, value_enum, default_value = "auto")]
    color: Color,
}

/// Runs the command.
///
/// # Errors
/// There is no such paper, an input is bad, or an answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let papers = papers(&arguments.paper)?;
    let folder = arguments.output.as_deref();
    if let Some(folder) = folder {
        folder::check(folder)?;
    }
    let provenance = Provenance::default()
        .option("paper", text(&arguments.paper))
        .option("quick", arguments.quick)
        .seed(arguments.seed);
    let (collection, panel, provenance) = collection(arguments, environment, provenance)?;
    let work = Work {
        collection: &collection,
        panel: &panel,
        seed: Seed(arguments.seed),
        threads: arguments.threads.count(),
        quick: arguments.quick,
    };
    let mut cells = Cells::new(folder, arguments.resume, environment.tells())?;
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    // A page has room for all columns, a terminal has not.
    let on_terminal = folder.is_none() && matches!(arguments.format.as_deref(), None | Some("terminal"));
    let layout = if on_terminal { Layout::Narrow } else { Layout::Wide };
    let report = report(&papers, &work, &mut cells, layout, context);
    cells.finish()?;
    if let Some(folder) = folder {
        folder::write(folder, &report)?;
        cells.clear();
    }
    let options = OutputOptions { format: arguments.format.clone(), output: None, color: arguments.color };
    match folder {
        // The page has it all; whoever asks for a format wants it here too.
        Some(folder) if arguments.format.is_none() => environment.write(&folder::summary(&report, folder), &options),
        _ => environment.write(&report, &options),
    }
}

fn papers(name: &str) -> Result<Vec<&'static Paper>, Failure> {
    match find(name) {
        Some(paper) => Ok(vec![paper]),
        None if name == "all" => Ok(PAPERS.iter().collect()),
        None => {
            let names: Vec<&str> = PAPERS.iter().map(|paper| paper.name).collect();
            Err(Failure::usage(format!("unknown paper '{name}'; use one of {}, or all", names.join(", "))))
        }
    }
}

/// What was given, or the simulated collection; and its judges, who are drawn where there are no labels.
fn collection(
    arguments: &Arguments,
    environment: &Environment,
    provenance: Provenance,
) -> Result<(Collection, Panel, Provenance), Failure> {
    match &arguments.qrels {
        Some(name) => given_collection(arguments, environment, name, provenance),
        None => {
            let (collection, panel) = simulated_collection(arguments)?;
            Ok((collection, panel, provenance))
        }
    }
}

fn given_collection(
    arguments: &Arguments,
    environment: &Environment,
    name: &String,
    provenance: Provenance,
) -> Result<(Collection, Panel, Provenance), Failure> {
    let threads = arguments.threads.count();
    let (qrels, runs) = options::open(environment, name, &arguments.runs)?;
    let (qrels, facts) = read_qrels(&qrels, arguments.formats.qrels(), Dialect::Strict, threads)?;
    let mut provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    if !qrels.kind().has_grades() {
        return Err(Failure::usage("--qrels needs judgements with grades; these have none"));
    }
    let source = RunFiles::new(runs, arguments.formats.runs(), Dialect::Strict);
    let called = Path::new(name).file_name().map_or_else(|| name.clone(), |own| own.to_string_lossy().into_owned());
    let collection = Collection::read(called.clone(), &qrels, &source, threads)?;
    for run in &collection.sources {
        provenance = provenance.input_in(run.format, &run.file, run.bytes, run.rows);
    }
    if arguments.labels.is_empty() {
        let panel = Panel::draw(&collection, Seed(arguments.seed));
        return Ok((collection, panel, provenance));
    }
    let scale = arguments.reading.scale()?;
    let given = arguments.reading.read(environment, &arguments.labels)?;
    let panel = Panel::read(&called, &qrels, &given.labels, &scale)?;
    let provenance = arguments.reading.provenance(given.provenance(provenance));
    Ok((collection, panel, provenance))
}

fn simulated_collection(arguments: &Arguments) -> Result<(Collection, Panel), Failure> {
    let threads = arguments.threads.count();
    let design = embedded::design(arguments.quick);
    let world = design.simulate(Seed(arguments.seed)).map_err(Failure::usage)?;
    let (qrels, _) = read_qrels(&Input::bytes("qrels", world.qrels), QREL_FORMATS[0], Dialect::Strict, threads)?;
    let inputs = world.runs.into_iter().map(|run| Input::bytes(run.name, run.bytes)).collect();
    let source = RunFiles::new(inputs, RUN_FORMATS[0], Dialect::Strict);
    let collection = Collection::read("a simulated collection".into(), &qrels, &source, threads)?;
    let collection = collection.simulated_systems();
    let panel = Panel::draw(&collection, Seed(arguments.seed));
    Ok((collection, panel))
}
