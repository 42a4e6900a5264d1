//! Evaluation and comparison, asked for the page.
//!
//! A few runs are compared pair by pair with every source of doubt, as `karat compare --all-pairs` does. Of many runs the pairs are compared
//! over queries only (with what unjudged documents may do, thousands of pairs would take hours): the page says so.

use karat_data::{Problems, RunSource};
use karat_measures::{Aggregate, Measure};
use karat_report::page::Standing;
use karat_report::{Block, Cell, Provenance, Report, Table};
use karat_stats::correction::HOLM;
use karat_stats::test::{self, Settings, TestInfo};

use super::{Question, Seen, level, seed};
use crate::Context;
use crate::compare::View;
use karat_analysis::compare::{self, Correcting, DECIDING, More, compare};
use karat_analysis::eval::{self, Evaluated, RunStanding};
use karat_analysis::scores::{RunScores, Setting};
use karat_analysis::summary::{Inference, IntervalMethod};
use karat_analysis::unjudged::{NoBelief, Treatment, believe};

/// Up to so many runs are compared with every source of doubt.
pub(super) const FEW: usize = 12;
/// Steps that all randomisation tests together may take.
const STEPS: u64 = 4_000_000_000;

/// What was found.
pub(super) struct Answers {
    pub seen: Seen,
    pub scored: Vec<RunScores>,
    /// By measure and run: values and how unsure they are, for the leaderboard.
    pub standings: Vec<Vec<Option<RunStanding>>>,
    pub notes: Vec<String>,
    pub tables: Tables,
}

/// Tables that sections show as they are.
#[derive(Default)]
pub(super) struct Tables {
    pub scores: Option<Table>,
    pub verdicts: Option<Table>,
    pub systems: Option<Table>,
    pub decomposition: Option<Table>,
}

/// Asks both.
pub(super) fn ask(setting: &Setting<'_>, runs: &dyn RunSource, question: &Question<'_>) -> Result<Answers, Problems> {
    let Evaluated { report: evaluated, mut standings, scored } = evaluate(setting, runs, question)?;
    probable(setting, runs, question, &mut standings)?;
    let mut seen = Seen {
        runs: scored.iter().map(|run| run.name.clone()).collect(),
        measures: setting.measures.iter().map(|measure| measure.spec().to_string()).collect(),
        percent: level(question),
        ..Seen::default()
    };
    seen.standings = told(&evaluated, &seen);
    let mut notes = evaluated.notes.clone();
    let mut tables = Tables { scores: taken(&evaluated, "scores_by_measure"), ..Tables::default() };
    match contest(setting, runs, question, &scored, &mut seen)? {
        Some(report) => {
            notes.extend(report.notes.iter().filter(|note| !evaluated.notes.contains(note)).cloned());
            tables.verdicts = taken(&report, "verdicts");
            tables.systems = taken(&report, "systems");
            tables.decomposition = taken(&report, "decomposition");
            letters(tables.systems.as_ref(), &mut seen);
        }
        None => notes.extend(seen.no_comparison.as_ref().map(|why| format!("no comparison: {why}"))),
    }
    Ok(Answers { seen, scored, standings, notes, tables })
}

fn evaluate(setting: &Setting<'_>, runs: &dyn RunSource, question: &Question<'_>) -> Result<Evaluated, Problems> {
    let asked = eval::Question {
        inference: Inference { method: IntervalMethod::StudentT, level: question.level, seed: seed(question) },
        by_query: false,
        no_bounds: question.no_bounds,
        provenance: Provenance::default(),
        version: question.version,
        notes: Vec::new(),
        draws: question.draws,
        gold: None,
        title: "",
    };
    eval::evaluate(setting, runs, asked)
}

/// Adds to the standings what unjudged documents probably do: from the least to the greatest of two intervals, around the observed score, in which
/// they are not relevant, and around the expected one, as comparisons have it. Of many runs that is left out.
fn probable(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    question: &Question<'_>,
    standings: &mut [Vec<Option<RunStanding>>],
) -> Result<(), Problems> {
    let many = standings.first().is_some_and(|runs| runs.len() > FEW);
    if !setting.bounds || question.chances.is_some() || many || setting.calibration.is_some() {
        return Ok(());
    }
    let belief = match believe(setting, runs, Treatment::Fit, question.relevance_level, question.draws, seed(question))
    {
        Err(NoBelief::Runs(problems)) => return Err(problems),
        // Nothing is known of them; the comparison says so.
        Err(_) => return Ok(()),
        Ok(belief) => belief,
    };
    let expected = evaluate(&Setting { belief: Some(&belief), ..*setting }, runs, question)?;
    for (known, expected) in standings.iter_mut().flatten().zip(expected.standings.into_iter().flatten()) {
        let Some((known, expected)) = known.as_mut().zip(expected) else { continue };
        let Some(with) = expected.intervals.unjudged else { continue };
        known.intervals.unjudged = known.intervals.topics.map(|(low, high)| (low.min(with.0), high.max(with.1)));
    }
    Ok(())
}

/// The comparison; `None` with the reason in `seen` where there is none.
fn contest(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    question: &Question<'_>,
    scored: &[RunScores],
    seen: &mut Seen,
) -> Result<Option<Report>, Problems> {
    let mean = |measure: &dyn Measure| measure.info().aggregate == Aggregate::Mean;
    let places = (0..setting.measures.len()).filter(|&place| mean(setting.measures[place].as_ref()));
    // A measure is what its spec builds; one that did not build would not be here.
    let kept: Vec<(usize, Box<dyn Measure>)> =
        places.filter_map(|place| Some((place, setting.measures[place].spec().build().ok()?))).collect();
    let (comparable, measures): (Vec<usize>, Vec<Box<dyn Measure>>) = kept.into_iter().unzip();
    if scored.len() < 2 {
        seen.no_comparison = Some("there is one run only".into());
        return Ok(None);
    }
    if measures.is_empty() {
        seen.no_comparison = Some("no measure here is a mean over topics".into());
        return Ok(None);
    }
    let pairs = scored.len() * (scored.len() - 1) / 2;
    let many = scored.len() > FEW;
    let plain = setting.calibration.is_none() && question.chances.is_none();
    let asked = Setting { measures: &measures, bounds: setting.bounds && !many, belief: None, ..*setting };
    let belief = if asked.bounds {
        let treatment = question.chances.unwrap_or(Treatment::Fit);
        match believe(&asked, runs, treatment, question.relevance_level, question.draws, seed(question)) {
            Err(NoBelief::Runs(problems)) => return Err(problems),
            other => Some(other),
        }
    } else {
        None
    };
    let steps = (pairs * measures.len() * setting.qrels.len().max(1)) as u64;
    let permutations = (STEPS / steps.max(1)).clamp(1_000, 100_000) as u32;
    if many && question.no_bounds.is_none() {
        seen.limits = Some(format!(
            "{} runs make {pairs} pairs: they are compared over queries only, by {permutations} random shuffles; what unjudged documents and judges could change is left out here. \
             karat compare with a few of the runs takes all of it into account.",
            scored.len()
        ));
    }
    let options = compare::CompareOptions {
        all_pairs: true,
        baseline: question.baseline,
        tests: tests(many),
        correction: if plain { Correcting::Tukey } else { Correcting::Rule(HOLM) },
        settings: Settings { permutations, seed: seed(question), threads: setting.threads, tie: 0.0, rope: 0.01 },
        inference: compare::difference::Inference { level: question.level, bca: None, seed: seed(question) },
        power: 0.8,
        strict: false,
        by_query: false,
        belief,
        expected: question.chances.is_some(),
        more: More::default(),
    };
    let compared = compare(&asked, runs, &options)?;
    let no_bounds = question.no_bounds.or(many.then_some("many runs are compared over topics only"));
    let view = View { no_bounds, figures: false };
    let report = crate::compare::report(&asked, &options, &compared, view, Context::default());
    seen.comparable = comparable;
    seen.compared = Some(compared);
    Ok(Some(report))
}

/// The deciding test, and Student's beside it where there is time.
fn tests(many: bool) -> Vec<&'static TestInfo> {
    let names: &[&str] = if many { &[DECIDING] } else { &["t", DECIDING] };
    names.iter().filter_map(|name| test::find(name)).collect()
}

/// A table of a report, by its id.
fn taken(report: &Report, id: &str) -> Option<Table> {
    report.blocks.iter().find_map(|block| match block {
        Block::Table(table) if table.id == id => Some(table.clone()),
        _ => None,
    })
}

/// The cell of a row under a key.
fn cell<'t>(table: &Table, row: &'t [Cell], key: &str) -> Option<&'t Cell> {
    row.get(table.columns.iter().position(|column| column.key == key)?)
}

fn number(cell: Option<&Cell>) -> Option<f64> {
    match cell? {
        Cell::Number(value) if value.is_finite() => Some(*value),
        Cell::Count(count) => Some(*count as f64),
        _ => None,
    }
}

fn is(cell: Option<&Cell>, name: &str) -> bool {
    matches!(cell, Some(Cell::Text(text)) if text == name)
}

/// How each run stands by each measure, as the evaluation has it.
fn told(report: &Report, seen: &Seen) -> Vec<Vec<Standing>> {
    let Some(table) = taken(report, "scores") else { return Vec::new() };
    let one = |measure: &String, run: &String| {
        let row = table
            .rows
            .iter()
            .find(|row| is(cell(&table, row, "run"), run) && is(cell(&table, row, "measure"), measure));
        let Some(row) = row else { return Standing::default() };
        let of = |key: &str| cell(&table, row, key);
        Standing {
            value: number(of("value")),
            bounds: number(of("low")).zip(number(of("high"))),
            interval: match of("interval") {
                Some(Cell::Range(low, high)) => Some((*low, *high)),
                _ => None,
            },
            topics: number(of("topics")).unwrap_or(0.0) as u64,
            letters: String::new(),
        }
    };
    seen.measures.iter().map(|measure| seen.runs.iter().map(|run| one(measure, run)).collect()).collect()
}

/// Letters of groups from the table of the comparison; of two runs there is none.
fn letters(systems: Option<&Table>, seen: &mut Seen) {
    let Some(table) = systems else { return };
    for row in &table.rows {
        let place = |names: &[String], key: &str| names.iter().position(|name| is(cell(table, row, key), name));
        let places = place(&seen.measures, "measure").zip(place(&seen.runs, "run"));
        if let (Some((measure, run)), Some(Cell::Text(letters))) = (places, cell(table, row, "groups")) {
            seen.standings[measure][run].letters.clone_from(letters);
        }
    }
}
