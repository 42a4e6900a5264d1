//! The report of the demo's collection: the page that `karat report` writes, with the truth in a section of its own.

use karat_analysis::compare::verdict::Unjudged;
use karat_analysis::judges::{AgreeOptions, ScaleChoice, agree};
use karat_data::{AlignedRuns, JudgeLabels, Policy, Repeats};
use karat_formats::labels::{self, Words};
use karat_formats::{Dialect, Input, QREL_FORMATS, QrelsFacts, RUN_FORMATS, RunFiles, read_qrels};
use karat_measures::{Measure, spec};
use karat_present::Context;
use karat_present::judges::problems;
use karat_present::page::{PageOptions, page};
use karat_report::page::{Page, Piece, Section};
use karat_report::{OptionValue, Provenance, Report};
use karat_sim::{Design, World};
use karat_stats::Seed;

use super::demo::{LABELS, LEVEL, QRELS, Told, introduction, notice, runs, setting, truth_table};
use super::{VERSION, text};
use crate::failure::Failure;

/// The measures of the page.
const MEASURES: &[&str] = &["RBP(p=0.8)", "AP", "nDCG@10", "P@10"];
/// Draws of unjudged documents, as `karat report` makes them.
const DRAWS: u32 = 200;
/// Ranks that the page carries, as for `karat report`.
const DEPTH: usize = 100;

/// The page of this world.
///
/// # Errors
/// It cannot be made.
pub(super) fn of(design: &Design, world: &World, told: Told<'_>, seed: u64) -> Result<Page, Failure> {
    let measures = measures()?;
    let (qrels, facts) = read_qrels(&Input::bytes(QRELS, world.qrels.as_slice()), QREL_FORMATS[0], Dialect::Strict, 1)?;
    let all = AlignedRuns::read(&qrels, runs(world), &Policy::default(), true, 1)?;
    let choose = |places: &[usize]| {
        let chosen = places.iter().map(|&place| &world.runs[place]);
        let chosen = chosen.map(|run| Input::bytes(format!("{}.run", run.name), run.bytes.as_slice()));
        all.some(places, RunFiles::new(chosen.collect(), RUN_FORMATS[0], Dialect::Strict))
    };
    let setting = setting(&qrels, &measures);
    let (sampled, notes) = told.samples.of_page(&setting, &all, (Vec::new(), QRELS, 1.0), LEVEL)?;
    let page_options = PageOptions {
        runs: &all,
        choose: &choose,
        baseline: None,
        level: LEVEL,
        seed: 1,
        draws: DRAWS,
        relevance_level: 1.0,
        depth: Some(DEPTH),
        chances: None,
        unjudged: Unjudged::Tested,
        no_bounds: None,
        provenance: told.samples.provenance(provenance(&facts, seed)),
        version: VERSION,
        notes,
        sampled,
        cautions: Vec::new(),
        judges: Some(judges(told.labels)?),
        published: None,
        queries: &|_| None,
        title: "karat demo: four systems, fifty topics, a known truth".into(),
    };
    let mut page = page(&setting, page_options)?;
    // After the leaderboard and the pairs, which it answers.
    page.sections.insert(2, truth(design, told));
    Ok(page)
}

fn measures() -> Result<Vec<Box<dyn Measure>>, Failure> {
    Ok(MEASURES.iter().map(|name| spec::parse(name, 1.0)?.build()).collect::<Result<_, _>>()?)
}

fn provenance(facts: &QrelsFacts, seed: u64) -> Provenance {
    let names: Vec<OptionValue> = MEASURES.iter().map(text).collect();
    Provenance::default()
        .input(&facts.file, facts.bytes, facts.rows)
        .option("measures", names)
        .option("level", LEVEL)
        .option("rankings_depth", DEPTH as f64)
        .seed(seed)
}

/// What nobody would know outside a simulation.
fn truth(design: &Design, Told { systems, settling, .. }: Told<'_>) -> Section {
    let mut pieces = vec![Piece::Table(truth_table(systems))];
    pieces.push(Piece::List(notice(systems).into_iter().chain([settling]).collect()));
    Section {
        id: "truth",
        title: "Compared with the truth".into(),
        lead: introduction(design, systems),
        content: Ok(pieces),
    }
}

/// Whether the three judges agree.
fn judges(bytes: &[u8]) -> Result<Report, Failure> {
    let read = labels::read(&Input::bytes(LABELS, bytes), None, &Words::default(), &[])?;
    let mut given = JudgeLabels::new(Repeats::Refuse);
    labels::collect(LABELS, &read, |_| true, &mut given);
    let given = given.finish()?;
    let options = AgreeOptions {
        labels: &given,
        scale: ScaleChoice { declared: Vec::new(), binary: None },
        level: LEVEL,
        resamples: 1000,
        seed: Seed(1),
        runs: None,
    };
    let context = Context { version: VERSION, ..Context::default() };
    let report = karat_present::judges::agree::report(agree(&options).map_err(problems)?, false, context);
    Ok(report)
}
