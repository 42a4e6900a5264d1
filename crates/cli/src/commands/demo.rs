//! `karat demo`: what does karat do?
//!
//! A collection is invented whose truth is known, evaluated as `karat eval` would, and the answers are laid beside the
//! truth. The words depend on the numbers, so they hold for any seed.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use karat_analysis::eval::{EvalOptions, eval};
use karat_analysis::scores::{RunScores, Setting, score};
use karat_analysis::summary::{Inference, IntervalMethod, summarise};
use karat_data::{CollectionFacts, Policy, Qrels};
use karat_formats::{Dialect, Input, QREL_FORMATS, RUN_FORMATS, RunFiles, read_qrels};
use karat_measures::{Measure, Score, spec};
use karat_present::Context;
use karat_present::eval::View;
use karat_present::words::percent;
use karat_report::{Block, NumberStyle, OptionValue, Provenance, RenderOptions, Report, Table, renderer};
use karat_sim::{Design, World};
use karat_stats::{Bounds, Estimate, Interval, Seed};

use super::demo_settle::Settled;
use super::{VERSION, demo_clicks, demo_labels, demo_page, demo_settle, text};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::Color;
use crate::output;
use crate::samples::Samples;

/// The measure that is compared with the truth comes first; all of them are shown and are in the commands.
pub(super) const MEASURES: &[&str] = &["RBP(p=0.8)", "P@10", "Judged@10"];
const PERSISTENCE: f64 = 0.8;
pub(super) const LEVEL: f64 = 0.95;
pub(super) const POWER: f64 = 0.8;
pub(super) const QRELS: &str = "qrels.txt";
pub(super) const COMPLETE: &str = "complete-qrels.txt";
pub(super) const LABELS: &str = "labels.csv";
const CLICKS: &str = "clicks.csv";
const INTERLEAVING: &str = "interleaving.csv";
pub(super) const SETTLE: &str = "settle.csv";
const PLAN: &str = "settle.csv.plan.json";
const PAGE: &str = "report.html";
/// Prose is wrapped here when the terminal does not say how wide it is.
const WIDTH: u16 = 80;

/// Evaluate a small built-in collection with known truth.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Folder for the demo files; other files in it are not touched
    #[arg(short, long, value_name = "DIR", default_value = "karat-demo")]
    output: PathBuf,
    /// Seed of the random collection
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Do not write the HTML page
    #[arg(long)]
    no_report: bool,
}

/// Runs the command.
///
/// # Errors
/// A file cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let design = Design::default();
    let world = design.simulate(Seed(arguments.seed)).map_err(Failure::usage)?;
    let (mut report, systems) = evaluate(&design, &world, arguments.seed)?;
    let settled = demo_settle::settle(&world)?;
    let settling = [settled.words.clone(), true_difference(&systems)].concat();
    report.blocks.push(Block::Text(settling.clone()));

    // Files first: whoever reads the commands can run them.
    let labels = demo_labels::of(&world.qrels, Seed(arguments.seed));
    let clicks = demo_clicks::clicks(Seed(arguments.seed)).map_err(Failure::usage)?;
    let interleaving = demo_clicks::interleaving(Seed(arguments.seed));
    let files = Files::of(&world, &settled, &labels, [&clicks, &interleaving]);
    let mut page = Vec::new();
    if !arguments.no_report {
        let told = Told { labels: &labels, systems: &systems, samples: &settled.samples, settling };
        let made = demo_page::of(&design, &world, told, arguments.seed)?;
        karat_report::page::write(&made, &mut page)
            .map_err(|error| Failure::Output(format!("cannot render the page: {error}")))?;
    }
    files.write(&arguments.output, Some(page.as_slice()).filter(|page| !page.is_empty()))?;
    let mut options = output::render_options(Color::Auto, environment.is_terminal());
    options.width = options.width.or(Some(WIDTH));
    let mut answer = rendered(&report, "terminal", options)?;
    answer.extend_from_slice(next_steps(&files, &arguments.output, arguments.no_report).as_bytes());
    environment.say(&answer)
}

/// What the page shows beside the world.
pub(super) struct Told<'a> {
    pub labels: &'a [u8],
    pub systems: &'a [Compared],
    pub samples: &'a Samples,
    pub settling: String,
}

/// Evaluates the world as `karat eval` does, and lays the truth beside it.
fn evaluate(design: &Design, world: &World, seed: u64) -> Result<(Report, Vec<Compared>), Failure> {
    let measures: Vec<Box<dyn Measure>> =
        MEASURES.iter().map(|name| spec::parse(name, 1.0)?.build()).collect::<Result<_, _>>()?;
    let (qrels, facts) = read_qrels(&Input::bytes(QRELS, world.qrels.as_slice()), QREL_FORMATS[0], Dialect::Strict, 1)?;
    let complete = Input::bytes(COMPLETE, world.complete_qrels.as_slice());
    let (complete, complete_facts) = read_qrels(&complete, QREL_FORMATS[0], Dialect::Strict, 1)?;
    let runs = runs(world);
    let inference = Inference { method: IntervalMethod::Auto, level: LEVEL, seed: Seed(1) };
    let names: Vec<OptionValue> = MEASURES.iter().map(text).collect();
    let provenance = Provenance::default()
        .input(&facts.file, facts.bytes, facts.rows)
        .input(&complete_facts.file, complete_facts.bytes, complete_facts.rows)
        .option("measures", names)
        .option("level", LEVEL)
        .seed(seed);
    let options =
        EvalOptions { inference, by_query: false, draws: 0, gold: None, sampled: Vec::new(), score_bands: None };
    let evaluation = eval(&setting(&qrels, &measures), &runs, &options)?;
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    let mut report = karat_present::eval::report(&setting(&qrels, &measures), evaluation, View::default(), context);
    report.title = "karat demo: a simulated experiment with known truth".into();
    let measured = estimates(&setting(&qrels, &measures), &runs, &inference)?;
    let true_here = estimates(&setting(&complete, &measures), &runs, &inference)?;
    let systems = beside_truth(design, measured, true_here)?;
    report.command = "demo";
    report.blocks.insert(0, Block::Text(introduction(design, &systems)));
    report.blocks.push(Block::Table(truth_table(&systems)));
    report.blocks.extend(notice(&systems).into_iter().map(Block::Text));
    Ok((report, systems))
}

/// The scores of each system as measured, and as they are.
fn beside_truth(
    design: &Design,
    measured: Vec<(String, Vec<Estimate>)>,
    true_here: Vec<(String, Vec<Estimate>)>,
) -> Result<Vec<Compared>, Failure> {
    let mut systems = Vec::new();
    for (place, (measured, truth)) in measured.into_iter().zip(true_here).enumerate() {
        let [score, _, judged] = &measured.1[..] else { continue };
        systems.push(Compared {
            name: measured.0,
            pooled: design.systems[place].pooled,
            judged: judged.point,
            measured: score.point,
            bounds: score.bounds,
            interval: score.interval,
            true_here: truth.1[0].point,
            true_anywhere: design.expected_rbp(place, PERSISTENCE).map_err(Failure::usage)?,
        });
    }
    Ok(systems)
}

pub(super) fn runs(world: &World) -> RunFiles {
    let inputs = world.runs.iter().map(|run| Input::bytes(run_file(run.name), run.bytes.as_slice())).collect();
    RunFiles::new(inputs, RUN_FORMATS[0], Dialect::Strict)
}

pub(super) fn setting<'a>(qrels: &'a Qrels, measures: &'a [Box<dyn Measure>]) -> Setting<'a> {
    let collection = CollectionFacts { max_grade: qrels.max_grade().unwrap_or(1.0), ..CollectionFacts::default() };
    Setting {
        qrels,
        uncut: None,
        collection,
        policy: Policy::default(),
        measures,
        bounds: true,
        detect_sparse: false,
        relevance_model: None,
        calibration: None,
        threads: 1,
    }
}

/// Each run's name and its estimate by measure.
fn estimates(
    setting: &Setting<'_>,
    runs: &RunFiles,
    inference: &Inference,
) -> Result<Vec<(String, Vec<Estimate>)>, Failure> {
    let estimate = |run: &RunScores, index: usize| {
        let scores: Vec<Score> = run.of(index).filter_map(|(_, scored)| scored.as_ref().ok().copied()).collect();
        summarise(setting.measures[index].info(), &scores, inference).map(|(estimate, _)| estimate)
    };
    let by_measure = |run: &RunScores| (0..setting.measures.len()).filter_map(|index| estimate(run, index)).collect();
    Ok(score(setting, runs)?.into_iter().map(|run| (run.name.clone(), by_measure(&run))).collect())
}

/// One system: what was measured, and what nobody would know outside a simulation.
pub(super) struct Compared {
    name: String,
    pooled: bool,
    judged: f64,
    measured: f64,
    bounds: Option<Bounds>,
    interval: Option<Interval>,
    /// With everything judged, on these topics: what the bounds speak of.
    true_here: f64,
    /// With everything judged, over all topics that could have been drawn: what the interval speaks of.
    true_anywhere: f64,
}

impl Compared {
    fn within_bounds(&self) -> bool {
        self.bounds.is_some_and(|bounds| bounds.contains(self.true_here))
    }

    fn within_interval(&self) -> bool {
        self.interval.is_some_and(|interval| interval.contains(self.true_anywhere))
    }
}

pub(super) fn introduction(design: &Design, systems: &[Compared]) -> String {
    let late: Vec<&str> = systems.iter().filter(|system| !system.pooled).map(|system| system.name.as_str()).collect();
    format!(
        "{} systems and {} topics. The top {} documents of the first {} systems were judged. The experiment is \
         simulated, so the truth is known. The last system, {}, was added after judging.",
        systems.len(),
        design.topics,
        design.pool_depth,
        systems.len() - late.len(),
        late.join(", "),
    )
}

pub(super) fn truth_table(systems: &[Compared]) -> Table {
    let mut table = Table::new("truth", format!("{} compared with the truth", MEASURES[0]))
        .column("run", "run")
        .column("value", "value")
        .column("true_here", "true value")
        .column("within_bounds", "in bounds?")
        .column("true_anywhere", "true mean, all topics")
        .column("within_interval", "in interval?");
    for system in systems {
        table.push([
            system.name.as_str().into(),
            system.measured.into(),
            system.true_here.into(),
            system.within_bounds().into(),
            system.true_anywhere.into(),
            system.within_interval().into(),
        ]);
    }
    table
}

/// What to see in the numbers, a paragraph each.
pub(super) fn notice(systems: &[Compared]) -> Vec<String> {
    let mut said: Vec<String> = systems.iter().filter(|system| !system.pooled).filter_map(unjudged).collect();
    said.extend(order(systems));
    said.push(chance(systems));
    said
}

fn two(value: f64) -> String {
    NumberStyle::Decimals(2).show(value)
}

fn unjudged(system: &Compared) -> Option<String> {
    let bounds = system.bounds?;
    Some(format!(
        "Unjudged documents. Only {}% of the top 10 of {} is judged. Its RBP is {} if no unjudged document is relevant \
         and {} if all are; these are the bounds. The true value, {}, lies within them.",
        NumberStyle::Decimals(0).show(system.judged * 100.0),
        system.name,
        two(bounds.low()),
        two(bounds.high()),
        two(system.true_here),
    ))
}

fn order(systems: &[Compared]) -> Option<String> {
    let best = |key: fn(&Compared) -> f64| systems.iter().max_by(|a, b| key(a).total_cmp(&key(b)));
    let (by_value, in_truth) = (best(|system| system.measured)?, best(|system| system.true_here)?);
    if by_value.name == in_truth.name {
        return Some(format!("Order. {} has the highest value and the highest true value.", by_value.name));
    }
    // Both orders are completions of the same judgements: the values are what they are if nothing unjudged is relevant.
    Some(format!(
        "Order. {} has the highest value, but {} has the highest true value. The bounds allow both orders: unless more \
         documents are judged, either of the two may be better.",
        by_value.name, in_truth.name
    ))
}

/// The true difference of the two runs of the sample.
fn true_difference(systems: &[Compared]) -> String {
    let [Some(a), Some(b)] = demo_settle::PAIR.map(|place| systems.get(place)) else { return String::new() };
    let difference = a.true_here - b.true_here;
    let ahead = if difference < 0.0 { b } else { a };
    format!(" In truth, {} leads by {}.", ahead.name, NumberStyle::Score.show(difference.abs()))
}

fn chance(systems: &[Compared]) -> String {
    let held = systems.iter().filter(|system| system.within_interval()).count();
    let mut out = format!(
        "Topics. Other topics would give other scores. If everything is judged, a {0} interval contains the mean over \
         all possible topics {0} of the time; here it does for {held} of {1} systems.",
        percent(LEVEL),
        systems.len()
    );
    if systems.iter().any(|system| !system.pooled && !system.within_interval()) {
        out.push_str(" The interval does not cover unjudged documents; the bounds do.");
    }
    out
}

fn rendered(report: &Report, format: &str, options: RenderOptions) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    let Some(info) = renderer(format) else { return Err(Failure::usage(format!("unknown format '{format}'"))) };
    let written = (info.make)(options).render(report, &mut out);
    written.map_err(|error| Failure::Output(format!("cannot render the report: {error}")))?;
    Ok(out)
}

pub(super) fn run_file(name: &str) -> String {
    format!("{name}.run")
}

/// How many of the files come before the runs.
const NOT_RUNS: usize = 7;

/// The collection's files by name.
struct Files<'a>(Vec<(String, &'a [u8])>);

impl<'a> Files<'a> {
    fn of(
        world: &'a World,
        settled: &'a Settled,
        labels: &'a [u8],
        [clicks, interleaving]: [&'a [u8]; 2],
    ) -> Files<'a> {
        let qrels = [
            (QRELS.to_owned(), world.qrels.as_slice()),
            (COMPLETE.to_owned(), &world.complete_qrels),
            (SETTLE.to_owned(), &settled.form),
            (PLAN.to_owned(), &settled.plan),
            (LABELS.to_owned(), labels),
            (CLICKS.to_owned(), clicks),
            (INTERLEAVING.to_owned(), interleaving),
        ];
        let runs = world.runs.iter().map(|run| (run_file(run.name), run.bytes.as_slice()));
        Files(qrels.into_iter().chain(runs).collect())
    }

    /// Writes all files and the page, or none of them.
    fn write(&self, folder: &Path, page: Option<&[u8]>) -> Result<(), Failure> {
        fs::create_dir_all(folder).map_err(|error| {
            let folder = folder.display();
            Failure::Output(format!(
                "cannot create folder {folder}: {}\nhelp: choose another folder with -o",
                karat_data::problem::system_message(&error)
            ))
        })?;
        let files = || self.0.iter().map(|(name, bytes)| (name.as_str(), *bytes)).chain(page.map(|page| (PAGE, page)));
        // The same file again is fine; any other content is somebody's work.
        let differs = |path: &Path, bytes: &[u8]| path.exists() && fs::read(path).map_or(true, |found| found != bytes);
        if let Some((name, _)) = files().find(|(name, bytes)| differs(&folder.join(name), bytes)) {
            return Err(Failure::Output(format!(
                "{} exists with other content; nothing was written\nhelp: choose another folder with -o, or remove the file",
                folder.join(name).display()
            )));
        }
        files().try_for_each(|(name, bytes)| output::bytes_to_file(&folder.join(name), bytes))
    }

    fn runs(&self) -> impl Iterator<Item = &str> {
        self.0[NOT_RUNS..].iter().map(|(name, _)| name.as_str())
    }
}

/// Where the files are, and commands that work as they stand.
fn next_steps(files: &Files<'_>, folder: &Path, no_report: bool) -> String {
    let mut out = list_files(files, folder, no_report);
    out.push_str("\nTry next\n");
    if !on_path() {
        out.push_str("\n(karat is not on your PATH; `cargo install --path crates/cli` puts it there.)\n");
    }
    for (what, command) in commands(files, folder) {
        // Writing to a string cannot fail.
        let _ = write!(out, "\n{what}\n  {}\n", broken(&command));
    }
    out
}

/// A command on lines of at most 80 columns that a shell reads as one. An option and its value stay together.
fn broken(command: &str) -> String {
    const INDENT: usize = 4;
    let (mut out, mut at) = (String::new(), 2);
    for piece in pieces(command) {
        let size = piece.chars().count();
        // A space, a backslash and the space before it.
        if !out.is_empty() && at + size + 3 > usize::from(WIDTH) {
            out.push_str(" \\\n    ");
            at = INDENT;
        } else if !out.is_empty() {
            out.push(' ');
            at += 1;
        }
        out.push_str(&piece);
        at += size;
    }
    out
}

/// The words of a command as a shell reads them, each option with its value.
fn pieces(command: &str) -> Vec<String> {
    let (mut quote, mut escaped) = (None, false);
    let between_words = |c: char| {
        let literal = escaped;
        escaped = quote.is_none() && c == '\\' && !literal;
        quote = match quote {
            None if !literal && (c == '\'' || c == '"') => Some(c),
            Some(open) if open == c => None,
            other => other,
        };
        quote.is_none() && !literal && c == ' '
    };
    let mut pieces: Vec<String> = Vec::new();
    for word in command.split(between_words) {
        match pieces.last_mut().filter(|last| last.starts_with('-') && !last.contains(' ') && !word.starts_with('-')) {
            Some(option) => *option = format!("{option} {word}"),
            None => pieces.push(word.to_owned()),
        }
    }
    pieces
}

fn list_files(files: &Files<'_>, folder: &Path, no_report: bool) -> String {
    let mut out = format!("\nWritten to {}\n", folder.display());
    let runs = files.runs().collect::<Vec<_>>().join(", ");
    let page = (!no_report).then_some((PAGE, "the report: open it in your browser"));
    let known = [
        (QRELS, "the judgements"),
        (COMPLETE, "the truth: every document judged"),
        (SETTLE, "a sample of the unjudged documents, with grades"),
        (PLAN, "how the sample was drawn"),
        (LABELS, "labels of three imperfect judges for judged documents"),
        (CLICKS, "clicks of an A/B test; B raises click-through by 10%"),
        (INTERLEAVING, "outcomes of interleaving two rankings"),
    ];
    for (name, what) in page.into_iter().chain(known) {
        let _ = writeln!(out, "  {name:<20}  {what}");
    }
    let _ = writeln!(out, "  {runs}");
    out
}

/// What to do next, and the command that does it.
fn commands(files: &Files<'_>, folder: &Path) -> [(&'static str, String); 9] {
    let path = |name: &str| shell_word(&folder.join(name));
    let runs: Vec<String> = files.runs().map(path).collect();
    let all = runs.join(" ");
    let pair = demo_settle::PAIR.map(|place| runs.get(place).map_or("", String::as_str));
    let (two, [_, last]) = (pair.join(" "), pair);
    let (qrels, settled, measures) = (path(QRELS), path(SETTLE), MEASURES.join(","));
    [
        (
            "Evaluate, as above (use your own judgements and runs the same way):",
            format!("karat eval {qrels} {all} -m \"{measures}\""),
        ),
        ("Compare the last two runs:", format!("karat compare {qrels} {two} -m \"{}\"", MEASURES[0])),
        (
            "Draw documents to judge, to settle it (--form FILE writes them for judges):",
            format!("karat settle {qrels} {two} -m \"{}\" --count {}", MEASURES[0], demo_settle::COUNT),
        ),
        ("Compare with a judged sample:", format!("karat compare {qrels} {two} --sample {settled}")),
        (
            "Show the sources of uncertainty of the last run:",
            format!("karat budget {qrels} {last} -m \"{}\"", MEASURES[0]),
        ),
        (
            "Export the scores of every topic as JSON:",
            format!("karat eval {qrels} {last} -m \"{}\" -q -f json", MEASURES[0]),
        ),
        (
            "Measure the agreement of the three judges and its effect on the scores:",
            format!("karat judges agree {} --runs {all}", path(LABELS)),
        ),
        (
            "Analyse the A/B test (users search more than once):",
            format!("karat ab {} --unit user --arm arm --metric clicks/searches", path(CLICKS)),
        ),
        ("Explain RBP:", "karat explain RBP".to_owned()),
    ]
}

/// Whether the shell would find a program named karat.
fn on_path() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("karat").is_file())
}

/// A path as a shell reads it: quoted where it must be, and never taken for an option.
fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/+:,@%\\".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
