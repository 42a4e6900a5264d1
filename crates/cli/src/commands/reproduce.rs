//! `karat reproduce [PAPER|all]`

mod cells;
mod folder;

use std::path::PathBuf;

use clap::Args;
use karat_formats::{Dialect, Input, QREL_FORMATS, RUN_FORMATS, RunFiles, read_qrels};
use karat_papers::{Collection, PAPERS, Panel, Paper, Work, embedded, find, report};
use karat_present::Context;
use karat_report::Provenance;
use karat_stats::Seed;

use super::{VERSION, text};
use crate::failure::Failure;
use crate::labels::LabelOptions;
use crate::options::{self, Color, FormatOptions, OutputOptions, ThreadOptions};
use crate::outside::Outside;
use cells::Cells;

/// The papers' numbers and figures, ours beside theirs.
///
/// Recomputes every claim of the papers karat is built on that can be checked, and says which hold. Experiments on systems run on a
/// simulated collection, or on judgements and runs that are given.
#[derive(Debug, Args)]
pub struct Arguments {
    /// rbp-uncertainty, ranked-evaluation, rbp-parameter-sensitivity, noisy-judgements, inferred-ap, or all
    #[arg(value_name = "PAPER", default_value = "all")]
    paper: String,
    /// Fewer replications, rates, samples and runs; the answer says how many
    #[arg(long)]
    quick: bool,
    /// Write a page (index.html, index.md), the claims (claims.json) and the figures into this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Judgements for the experiments on systems; with --runs
    #[arg(long, value_name = "FILE", requires = "runs")]
    qrels: Option<String>,
    /// Runs for the experiments on systems; with --qrels
    #[arg(long, value_name = "RUN", num_args = 1.., requires = "qrels")]
    runs: Vec<String>,
    /// Labels of other judges for the documents of --qrels, which are gold: what judges do to scores and to the order of systems is measured with them
    #[arg(long, value_name = "LABELS", num_args = 1.., requires = "qrels")]
    labels: Vec<String>,
    #[command(flatten)]
    formats: FormatOptions,
    #[command(flatten)]
    reading: LabelOptions,
    /// Go on with what an interrupted run with the same options left in the folder of -o
    #[arg(long, requires = "output")]
    resume: bool,
    /// Seed of everything drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Form of the answer on standard output
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
pub fn run(arguments: &Arguments, outside: &Outside) -> Result<(), Failure> {
    let papers = papers(&arguments.paper)?;
    let folder = arguments.output.as_deref();
    if let Some(folder) = folder {
        folder::check(folder)?;
    }
    let provenance = Provenance::default()
        .option("paper", text(&arguments.paper))
        .option("quick", arguments.quick)
        .seed(arguments.seed);
    let (collection, panel, provenance) = collection(arguments, outside, provenance)?;
    let work = Work {
        collection: &collection,
        panel: &panel,
        seed: Seed(arguments.seed),
        threads: arguments.threads.count(),
        quick: arguments.quick,
    };
    let mut cells = Cells::new(folder, arguments.resume, outside.tells())?;
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    let report = report(&papers, &work, &mut cells, context);
    cells.finish()?;
    if let Some(folder) = folder {
        folder::write(folder, &report)?;
        cells.clear();
    }
    let options = OutputOptions { format: arguments.format.clone(), output: None, color: arguments.color };
    match folder {
        // The page has it all; whoever asks for a format wants it here too.
        Some(folder) if arguments.format.is_none() => outside.write(&folder::told(&report, folder), &options),
        _ => outside.write(&report, &options),
    }
}

fn papers(name: &str) -> Result<Vec<&'static Paper>, Failure> {
    match find(name) {
        Some(paper) => Ok(vec![paper]),
        None if name == "all" => Ok(PAPERS.iter().collect()),
        None => {
            let names: Vec<&str> = PAPERS.iter().map(|paper| paper.name).collect();
            Err(Failure::usage(format!("there is no paper '{name}'; choose one of {}, or all", names.join(", "))))
        }
    }
}

/// What was given, or the simulated collection; and its judges, who are drawn where there are no labels.
fn collection(
    arguments: &Arguments,
    outside: &Outside,
    provenance: Provenance,
) -> Result<(Collection, Panel, Provenance), Failure> {
    let threads = arguments.threads.count();
    if let Some(name) = &arguments.qrels {
        let (qrels, runs) = options::open(outside, name, &arguments.runs)?;
        let (qrels, facts) = read_qrels(&qrels, arguments.formats.qrels(), Dialect::Strict, threads)?;
        let mut provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
        if !qrels.kind().has_grades() {
            return Err(Failure::usage("--qrels needs judgements with grades; these have none"));
        }
        let source = RunFiles::new(runs, arguments.formats.runs(), Dialect::Strict);
        let called = std::path::Path::new(name)
            .file_name()
            .map_or_else(|| name.clone(), |own| own.to_string_lossy().into_owned());
        let collection = Collection::read(called.clone(), &qrels, &source, threads)?;
        for run in &collection.sources {
            provenance = provenance.input_in(run.format, &run.file, run.bytes, run.rows);
        }
        if arguments.labels.is_empty() {
            let panel = Panel::draw(&collection, Seed(arguments.seed));
            return Ok((collection, panel, provenance));
        }
        let scale = arguments.reading.scale()?;
        let given = arguments.reading.read(outside, &arguments.labels)?;
        let panel = Panel::read(&called, &qrels, &given.labels, &scale)?;
        let provenance = arguments.reading.provenance(given.provenance(provenance));
        return Ok((collection, panel, provenance));
    }
    let design = embedded::design(arguments.quick);
    let world = design.simulate(Seed(arguments.seed)).map_err(Failure::usage)?;
    let (qrels, _) = read_qrels(&Input::bytes("qrels", world.qrels), QREL_FORMATS[0], Dialect::Strict, threads)?;
    let inputs = world.runs.into_iter().map(|run| Input::bytes(run.name, run.bytes)).collect();
    let source = RunFiles::new(inputs, RUN_FORMATS[0], Dialect::Strict);
    let collection = Collection::read("a simulated collection".into(), &qrels, &source, threads)?;
    let collection = collection.made_up();
    let panel = Panel::draw(&collection, Seed(arguments.seed));
    Ok((collection, panel, provenance))
}
