//! How good is each run, and how sure is that?

mod belief_notes;
pub mod correction;
pub mod gold;
pub mod imputation;
mod notes;
mod row;
mod sampling_notes;
mod tables;
mod tie_notes;

use karat_data::{Problems, RunSource, Ties};
use karat_report::{Provenance, Report};
use karat_stats::judge_error::Calibration;

use crate::scores::{RunScores, Setting, score};
use crate::summary::{Inference, IntervalMethod, SourceIntervals};
use row::Row;
pub use tables::percent;

/// What is asked beyond the scores themselves.
pub struct Question<'a> {
    /// How chance over the topics is judged.
    pub inference: Inference,
    /// Whether every topic is listed.
    pub by_query: bool,
    /// Why there are no bounds to give, where the treatment of unjudged documents leaves none: "unjudged documents
    /// are believed not relevant".
    pub no_bounds: Option<&'static str>,
    /// Where the numbers come from; the runs are added here.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
    /// Notes of the caller's, before the study's own.
    pub notes: Vec<String>,
    /// Draws of what gold would have said, for measures that are not linear, where there is a calibration.
    pub draws: u32,
    /// Gold's judgements of some of the queries, where scores are to be as gold would have given them.
    pub gold: Option<gold::Gold<'a>>,
    /// The report's title.
    pub title: &'a str,
}

/// Scores all runs and reports on them.
///
/// # Errors
/// Everything wrong with the runs.
pub fn eval(setting: &Setting<'_>, runs: &dyn RunSource, question: Question<'_>) -> Result<Report, Problems> {
    evaluate(setting, runs, question).map(|found| found.report)
}

/// The report, and what it was made from, for those who ask on.
pub struct Evaluated {
    /// The report.
    pub report: Report,
    /// By measure, then by run; `None` where a run has no value.
    pub standings: Vec<Vec<Option<RunStanding>>>,
    /// The scores by topic, corrected where the judges' errors are known.
    pub scored: Vec<RunScores>,
}

/// A run's value by a measure, with its intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunStanding {
    /// The value.
    pub value: f64,
    /// Topics it summarises.
    pub topics: usize,
    /// Its intervals.
    pub intervals: SourceIntervals,
}

/// The same as [`eval`], with what the report was made from.
///
/// # Errors
/// Everything wrong with the runs.
pub fn evaluate(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    mut question: Question<'_>,
) -> Result<Evaluated, Problems> {
    let mut scored = score(setting, runs)?;
    let corrections: Vec<Vec<Option<correction::Correction>>> = match setting.calibration {
        Some(calibration) => {
            let Question { draws, inference, .. } = &question;
            let drawing = imputation::Drawing {
                draws: *draws,
                bounds: setting.bounds,
                seed: inference.seed,
                threads: setting.threads,
            };
            scored.iter_mut().map(|run| correction::apply(run, setting, calibration, &drawing)).collect()
        }
        None => scored.iter().map(|_| Vec::new()).collect(),
    };
    let scored = scored;
    let under_gold = match &question.gold {
        Some(gold) => {
            let runs = score(&Setting { qrels: gold.qrels, uncut: None, ..*setting }, runs)?;
            Some(gold::GoldScores::new(runs, gold.qrels, setting.qrels))
        }
        None => None,
    };
    let mut provenance = std::mem::take(&mut question.provenance);
    for run in &scored {
        let facts = &run.topics.facts;
        provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    }
    let mut notes = std::mem::take(&mut question.notes);
    let mut silent: Vec<(String, String)> = Vec::new();
    let shown = Shown {
        bounds: question.no_bounds.is_none(),
        ties: setting.policy.ties == Ties::Range,
        sampling: scored.iter().any(|run| !run.sampling.is_empty()),
        probable: setting.belief.is_some(),
        judges: setting.calibration.is_some() || under_gold.is_some(),
        gold: under_gold.is_some(),
    };
    let mut scores = tables::scores_table(shown);
    let mut people = tables::people_table(question.inference.level, shown);
    let mut rows = Row::all(&scored, setting, &question, &corrections);
    if let Some((gold, scores)) = question.gold.as_ref().zip(under_gold.as_ref()) {
        for (place, (rows, run)) in rows.iter_mut().zip(&scored).enumerate() {
            for (index, (row, measure)) in rows.iter_mut().zip(setting.measures).enumerate() {
                let found = gold::correct((index, measure.as_ref()), (place, run), scores, gold.weight);
                found.into_iter().for_each(|found| row.predict(measure.as_ref(), found, question.inference.level));
            }
        }
    }
    let rows = rows;
    for (index, measure) in setting.measures.iter().enumerate() {
        let name = measure.spec().to_string();
        for (place, run) in scored.iter().enumerate() {
            let row = &rows[place][index];
            row.note(&name, &run.name, &mut notes);
            if let Some(reason) = row.why_no_interval()
                && !silent.contains(&(reason.clone(), name.clone()))
            {
                silent.push((reason, name.clone()));
            }
            people.push(row.for_people(if place == 0 { &name } else { "" }, &run.name, shown));
            scores.push(row.for_data(&name, &run.name, &question.inference, shown));
        }
    }
    let bca_stays = question.inference.method == IntervalMethod::StudentT && setting.belief.is_none();
    notes.extend(notes::kind_note(setting));
    notes.extend(notes::no_interval_notes(silent));
    notes.extend(notes::bounds_notes(setting, &rows, question.no_bounds));
    notes.extend(sampling_notes::notes(setting.measures, &rows));
    notes.extend(notes::range_notes(setting.measures, &rows, bca_stays, setting.calibration.is_some()));
    notes.extend(belief_notes::notes(setting));
    if let Some(calibration) = setting.calibration {
        notes.extend(correction_notes(setting, calibration, &scored, &rows, &question));
    }
    if let Some(gold) = &question.gold {
        notes.extend(gold_notes(setting, gold, &scored, &rows));
    }
    notes.extend(tie_notes::notes(setting, &scored, &rows));
    notes.extend(notes::topic_notes(setting, &scored));
    let mut report = Report::new(question.title, "eval", question.version).table(people).table(scores);
    let standing = |rows: &Vec<Row>, index: usize| {
        let Row { topics, intervals, .. } = rows[index];
        rows[index].number().map(|value| RunStanding { value, topics: topics as usize, intervals })
    };
    let by_measure = (0..setting.measures.len()).map(|index| rows.iter().map(|rows| standing(rows, index)).collect());
    let standings: Vec<Vec<Option<RunStanding>>> = by_measure.collect();
    if let Some(belief) = setting.belief.filter(|belief| !belief.compared.is_empty()) {
        report = report.table(belief_notes::table(belief));
    }
    if question.by_query {
        let table = tables::by_query(setting.qrels, setting.measures, &scored, under_gold.as_ref(), shown);
        report = report.table(table);
    }
    report.provenance = provenance;
    report.notes = notes;
    Ok(Evaluated { report, standings, scored })
}

/// What was corrected and what was not.
fn correction_notes(
    setting: &Setting<'_>,
    calibration: &Calibration,
    scored: &[RunScores],
    rows: &[Vec<Row>],
    question: &Question<'_>,
) -> Vec<String> {
    let (mut corrected, mut left) = (Vec::new(), Vec::new());
    for (index, measure) in setting.measures.iter().enumerate() {
        let name = measure.spec().to_string();
        for (run, rows) in scored.iter().zip(rows) {
            match rows[index].correction.zip(rows[index].number()) {
                Some((found, value)) => corrected.push((name.clone(), run.name.clone(), value, found)),
                None if !left.contains(&name) => left.push(name.clone()),
                None => {}
            }
        }
    }
    let level = question.inference.level;
    let mut notes = correction::notes(calibration, level, &corrected, &left, question.draws);
    if question.by_query {
        notes.push("queries are listed corrected; a single query's corrected score may be one that no query can have, and means little".into());
    }
    if setting.belief.is_some() {
        notes.push(
            "--unjudged with --calibration: the judged part of each score is corrected; what unjudged documents are expected to add is fitted to the labels \
             as they are, judges' errors and all"
                .into(),
        );
    }
    if scored.iter().any(|run| !run.ties.is_empty()) {
        notes.push(UNCORRECTED_TIES.into());
    }
    notes
}

/// What gold's labels of some queries did.
fn gold_notes(setting: &Setting<'_>, gold: &gold::Gold<'_>, scored: &[RunScores], rows: &[Vec<Row>]) -> Vec<String> {
    let mut found = Vec::new();
    for (index, measure) in setting.measures.iter().enumerate() {
        for (run, rows) in scored.iter().zip(rows) {
            let value = rows[index].number().unwrap_or(f64::NAN);
            found.push((measure.spec().to_string(), run.name.clone(), value, rows[index].predicted));
        }
    }
    let mut notes = gold::notes(setting, gold, &found);
    if scored.iter().any(|run| !run.ties.is_empty()) {
        notes.push(UNCORRECTED_TIES.into());
    }
    notes
}

const UNCORRECTED_TIES: &str =
    "what other orders of documents with equal scores give is by the labels as they are, not corrected";

/// Which columns there are beyond those that are always there.
#[derive(Clone, Copy)]
struct Shown {
    bounds: bool,
    ties: bool,
    sampling: bool,
    probable: bool,
    judges: bool,
    gold: bool,
}
