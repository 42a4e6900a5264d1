//! Evaluation and comparison for the page.
//!
//! Runs are compared pair by pair, as `karat compare --all-pairs` does. Of many runs fewer tests are shown, and no topics of single pairs.

use karat_data::{Problems, RunSource};
use karat_measures::{Aggregate, Measure};
use karat_report::Table;
use karat_report::page::Standing;
use karat_stats::test::{self, Settings, TestInfo};

use super::{PageOptions, Summary, level, seed};
use crate::compare::tables::{decomposition, systems, verdicts_of_page};
use karat_analysis::compare::sampled::SampledPair;
use karat_analysis::compare::{CompareOptions, Compared, Correcting, DECIDING, More, compare, sampled};
use karat_analysis::eval::{EvalOptions, Evaluation, ScoreRow, ScoreValue, eval};
use karat_analysis::scores::{RunScores, Setting};
use karat_analysis::summary::{Inference, IntervalMethod};

/// Up to so many runs have all tests, and topics of every pair.
pub(super) const FEW: usize = 12;
/// The power that the number of topics needed is for.
pub(super) const POWER: f64 = 0.8;
/// Steps that all randomisation tests together may take.
const STEPS: u64 = 4_000_000_000;

/// What was found.
pub(super) struct Answers {
    pub summary: Summary,
    pub evaluation: Evaluation,
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

/// Evaluates and compares.
pub(super) fn find_answers(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    page_options: &PageOptions<'_>,
) -> Result<Answers, Problems> {
    let evaluation = evaluate(setting, runs, page_options)?;
    let measures = 0..setting.measures.len();
    let mut summary = Summary {
        runs: evaluation.scored.iter().map(|run| run.name.clone()).collect(),
        measures: setting.measures.iter().map(|measure| measure.spec().to_string()).collect(),
        standings: measures.map(|measure| evaluation.of_measure(measure).iter().map(standing).collect()).collect(),
        percent: level(page_options),
        ..Summary::default()
    };
    let mut notes = crate::eval::notes::notes(setting, &evaluation, page_options.no_bounds);
    let scores = Some(crate::eval::tables::scores(&evaluation.answer.scores));
    let mut tables = Tables { scores, ..Tables::default() };
    match contest(setting, runs, page_options, &evaluation.scored, &mut summary)? {
        Some((of_comparison, more)) => {
            notes.extend(more.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
            tables = Tables { scores: tables.scores, ..of_comparison };
            add_letters(&mut summary);
        }
        None => notes.extend(summary.no_comparison.as_ref().map(|why| format!("no comparison: {why}"))),
    }
    Ok(Answers { summary, evaluation, notes, tables })
}

fn evaluate(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    page_options: &PageOptions<'_>,
) -> Result<Evaluation, Problems> {
    let options = EvalOptions {
        inference: inference(page_options),
        by_query: false,
        draws: page_options.draws,
        gold: None,
        sampled: Vec::new(),
        score_bands: None,
    };
    eval(setting, runs, &options).map_err(crate::eval::problems)
}

fn inference(page_options: &PageOptions<'_>) -> Inference {
    Inference { method: IntervalMethod::Auto, level: page_options.level, seed: seed(page_options) }
}

/// How a run stands by a measure.
fn standing(row: &ScoreRow) -> Standing {
    Standing {
        value: row.value.map(ScoreValue::number),
        bounds: row.low.zip(row.high),
        interval: row.interval,
        topics: row.topics,
        letters: String::new(),
    }
}

/// The letters of groups, where all pairs of three runs or more were compared.
fn add_letters(summary: &mut Summary) {
    let Summary { compared: Some(compared), standings, measures, runs, .. } = summary else { return };
    for row in compared.systems.iter().flatten() {
        let place = |names: &[String], name: &String| names.iter().position(|other| other == name);
        let places = place(measures, &row.measure).zip(place(runs, &row.run));
        let groups = row.grouping.as_ref().and_then(|found| found.groups.as_ref());
        if let Some(((measure, run), groups)) = places.zip(groups) {
            standings[measure][run].letters.clone_from(groups);
        }
    }
}

/// The tables and notes of the comparison, which goes to `summary`; `None` with the reason in `summary` where there is none.
fn contest(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    page_options: &PageOptions<'_>,
    scored: &[RunScores],
    summary: &mut Summary,
) -> Result<Option<(Tables, Vec<String>)>, Problems> {
    let mean = |measure: &dyn Measure| measure.info().aggregate == Aggregate::Mean;
    let places = (0..setting.measures.len()).filter(|&place| mean(setting.measures[place].as_ref()));
    // A measure is what its spec builds; one that did not build would not be here.
    let kept: Vec<(usize, Box<dyn Measure>)> =
        places.filter_map(|place| Some((place, setting.measures[place].spec().build().ok()?))).collect();
    let (comparable, measures): (Vec<usize>, Vec<Box<dyn Measure>>) = kept.into_iter().unzip();
    if scored.len() < 2 {
        summary.no_comparison = Some("there is one run only".into());
        return Ok(None);
    }
    if measures.is_empty() {
        summary.no_comparison = Some("no measure here is a mean over topics".into());
        return Ok(None);
    }
    let pairs = scored.len() * (scored.len() - 1) / 2;
    let many = scored.len() > FEW;
    let plain = setting.calibration.is_none() && page_options.chances.is_none();
    let page_setting = Setting { measures: &measures, relevance_model: None, ..*setting };
    // Of two runs there is one pair, and nothing to correct for.
    let together = plain && scored.len() > 2;
    // Signed sums of every run, eight topics at a time, and every pair twice: by itself and with the others. What is not plain goes pair by pair.
    let topics = setting.qrels.len().max(1);
    let of_a_draw = if together { scored.len() * topics.div_ceil(8) + 2 * pairs } else { pairs * topics };
    let steps = (of_a_draw * measures.len()) as u64;
    let permutations = (STEPS / steps.max(1)).clamp(1_000, 100_000) as u32;
    let options = CompareOptions {
        all_pairs: true,
        baseline: page_options.baseline,
        tests: tests(many),
        correction: Correcting::default_for(true),
        settings: Settings { permutations, seed: seed(page_options), threads: setting.threads, ..Settings::default() },
        inference: inference(page_options),
        power: POWER,
        strict: false,
        by_query: false,
        margin: None,
        unjudged: page_options.unjudged,
        relevance_model: setting.relevance_model.cloned(),
        more: More::default(),
    };
    let mut compared = compare(&page_setting, runs, &options).map_err(crate::compare::problems)?;
    let among = |measure: usize| comparable.iter().position(|&place| place == measure);
    let sampled = page_options.sampled.iter().cloned();
    let sampled = sampled.filter_map(|one| Some(SampledPair { measure: among(one.measure)?, ..one }));
    sampled::apply(&page_setting, &mut compared, sampled.collect());
    let notes = crate::compare::notes(&page_setting, &compared, page_options.no_bounds);
    let tables = tables(&page_setting, &options, &compared);
    summary.comparable = comparable;
    summary.compared = Some(compared);
    Ok(Some((tables, notes)))
}

fn tables(setting: &Setting<'_>, options: &CompareOptions<'_>, compared: &Compared) -> Tables {
    let answer = crate::compare::answer(setting, options, compared);
    let level = options.inference.level;
    let several = compared.comparisons.len() > setting.measures.len();
    Tables {
        scores: None,
        verdicts: Some(verdicts_of_page(&answer.comparisons, level, several)),
        systems: answer.systems.as_deref().map(|rows| systems(rows, level)),
        decomposition: Some(decomposition(&answer.decomposition)),
    }
}

/// The deciding test, and Student's beside it where there is time.
fn tests(many: bool) -> Vec<&'static TestInfo> {
    let names: &[&str] = if many { &[DECIDING] } else { &["t", DECIDING] };
    names.iter().filter_map(|name| test::find(name)).collect()
}
