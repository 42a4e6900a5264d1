//! How good is each run, and how sure is that?

mod belief_notes;
pub mod correction;
mod notes;
mod row;
mod sampling_notes;
mod tables;
mod tie_notes;

use karat_data::{Problems, RunSource, Ties};
use karat_report::{Provenance, Report};
use karat_stats::judge_error::Calibration;

use crate::scores::{RunScores, Setting, score};
use crate::summary::{Inference, IntervalMethod};
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
    /// The report's title.
    pub title: &'a str,
}

/// Scores all runs and reports on them.
///
/// # Errors
/// Everything wrong with the runs.
pub fn eval(setting: &Setting<'_>, runs: &dyn RunSource, mut question: Question<'_>) -> Result<Report, Problems> {
    let scored = score(setting, runs)?;
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
    };
    let mut scores = tables::scores_table(shown);
    let mut people = tables::people_table(question.inference.level, shown);
    let rows: Vec<Vec<Row>> = scored.iter().map(|run| Row::all(run, setting, &question)).collect();
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
    notes.extend(notes::range_notes(setting.measures, &rows, bca_stays));
    notes.extend(belief_notes::notes(setting));
    if let Some(calibration) = setting.calibration {
        notes.extend(correction_notes(setting, calibration, &scored, &rows, question.inference.level));
    }
    notes.extend(tie_notes::notes(setting, &scored, &rows));
    notes.extend(notes::topic_notes(setting, &scored));
    let mut report = Report::new(question.title, "eval", question.version).table(people).table(scores);
    if let Some(belief) = setting.belief.filter(|belief| !belief.compared.is_empty()) {
        report = report.table(belief_notes::table(belief));
    }
    if question.by_query {
        let table = tables::by_query(setting.qrels, setting.measures, &scored, shown);
        report = report.table(table);
    }
    report.provenance = provenance;
    report.notes = notes;
    Ok(report)
}

/// What was corrected and what was not.
fn correction_notes(
    setting: &Setting<'_>,
    calibration: &Calibration,
    scored: &[RunScores],
    rows: &[Vec<Row>],
    level: f64,
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
    let mut notes = correction::notes(calibration, level, &corrected, &left);
    if scored.iter().any(|run| !run.ties.is_empty()) {
        notes.push(
            "what other orders of documents with equal scores give is by the labels as they are, not corrected".into(),
        );
    }
    notes
}

/// Which columns there are beyond those that are always there.
#[derive(Clone, Copy)]
struct Shown {
    bounds: bool,
    ties: bool,
    sampling: bool,
    probable: bool,
}
