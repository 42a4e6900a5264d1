//! How good is each run, and how sure is that?

pub mod answer;
pub mod correction;
mod correction_notes;
mod error;
pub mod gold;
pub mod imputation;
pub mod notes;
mod observations;
mod row;
pub mod sampled;

use karat_data::{RunSource, Ties};
use karat_stats::judge_error::Calibration;

pub use answer::{EvalAnswer, QueryRow, ScoreRow, ScoreValue};
pub use error::EvalError;
pub use notes::EvalNote;

use crate::score_bands::{self, ScoreBandOptions};
use crate::scores::{RunScores, Setting, score};
use crate::summary::{Inference, IntervalMethod};
use crate::topic_notes::{judgement_note, topic_notes};
use answer::Fields;
use correction::Correction;
use gold::{Gold, GoldScores};
use observations::Observed;
use row::Row;
use sampled::SampledScore;

/// The measures where none are given.
pub const DEFAULT_MEASURES: &[&str] = &["AP", "nDCG@10", "P@10", "RR", "RBP(p=0.8)", "Judged@10"];

/// The same for preferences, from which no grade can be read.
pub const PREFERENCE_MEASURES: &[&str] = &["PrefRatio", "PrefPairs", "PrefGroups", "PrefGroupsR"];

/// What an evaluation includes beyond the scores themselves.
pub struct EvalOptions<'a> {
    /// How intervals over topics are made.
    pub inference: Inference,
    /// Whether every topic is listed.
    pub by_query: bool,
    /// Draws of gold labels, for measures that are not linear, where there is a calibration.
    pub draws: u32,
    /// Gold judgements of some of the topics, where scores are to be as gold would have given them.
    pub gold: Option<Gold<'a>>,
    /// What a judged sample of the unjudged documents says of the scores; empty without one.
    pub sampled: Vec<SampledScore>,
    /// Whether scores are calibrated probabilities, where that is to be checked.
    pub score_bands: Option<ScoreBandOptions>,
}

/// The answer, and what it was made from.
#[derive(Debug)]
pub struct Evaluation {
    /// The answer.
    pub answer: EvalAnswer,
    /// What there is to say besides.
    pub notes: Vec<EvalNote>,
    /// The scores by topic, corrected where the judges' errors are known.
    pub scored: Vec<RunScores>,
}

impl Evaluation {
    /// The rows of one measure, by run.
    pub fn of_measure(&self, measure: usize) -> &[ScoreRow] {
        let runs = self.scored.len();
        self.answer.scores.get(measure * runs..(measure + 1) * runs).unwrap_or_default()
    }
}

/// Scores all runs.
///
/// # Errors
/// Everything wrong with the runs.
pub fn eval(setting: &Setting<'_>, runs: &dyn RunSource, options: &EvalOptions<'_>) -> Result<Evaluation, EvalError> {
    let mut scored = score(setting, runs)?;
    let corrections = corrections(setting, options, &mut scored);
    let under_gold = match &options.gold {
        Some(gold) => {
            let runs = score(&Setting { qrels: gold.qrels, uncut: None, ..*setting }, runs)?;
            Some(GoldScores::new(runs, gold.qrels, setting.qrels))
        }
        None => None,
    };
    let fields = Fields {
        ties: setting.policy.ties == Ties::Range,
        sampling: scored.iter().any(|run| !run.sampling.is_empty()),
        model: setting.relevance_model.is_some(),
    };
    let mut rows = Row::all(&scored, setting, options, &corrections, fields);
    if let Some((gold, scores)) = options.gold.as_ref().zip(under_gold.as_ref()) {
        predict(setting, options, &mut rows, (&scored, scores), gold);
    }
    sampled::apply(&mut rows, setting.measures, &options.sampled, &options.inference);
    let mut notes = notes(&Observed { setting, options, scored: &scored, rows: &rows });
    let score_bands = match &options.score_bands {
        Some(options) => Some(score_bands::score_bands(setting, runs, options)?),
        None => None,
    };
    notes.extend(score_bands.iter().flat_map(|found| found.notes.iter().cloned()).map(EvalNote::ScoreBands));
    let models = setting
        .relevance_model
        .map(|relevance_model| relevance_model.compared.clone())
        .filter(|models| !models.is_empty());
    let by_query = || answer::query_rows(setting, &scored, under_gold.as_ref(), fields);
    let by_query = options.by_query.then(by_query);
    let answer = EvalAnswer { scores: by_measure(rows, setting.measures.len()), models, by_query, score_bands };
    Ok(Evaluation { answer, notes, scored })
}

/// Corrects all scores for the judges' errors, where they are known.
fn corrections(
    setting: &Setting<'_>,
    options: &EvalOptions<'_>,
    scored: &mut [RunScores],
) -> Vec<Vec<Option<Correction>>> {
    let drawing = imputation::Drawing {
        draws: options.draws,
        bounds: setting.bounds,
        seed: options.inference.seed,
        threads: setting.threads,
    };
    let correct = |run: &mut RunScores, known: &Calibration| correction::apply(run, setting, known, &drawing);
    scored.iter_mut().map(|run| setting.calibration.map(|known| correct(run, known)).unwrap_or_default()).collect()
}

/// Puts what gold makes of each score in its place.
fn predict(
    setting: &Setting<'_>,
    options: &EvalOptions<'_>,
    rows: &mut [Vec<Row>],
    (scored, under_gold): (&[RunScores], &GoldScores),
    gold: &Gold<'_>,
) {
    for (place, (rows, run)) in rows.iter_mut().zip(scored).enumerate() {
        for (index, (row, measure)) in rows.iter_mut().zip(setting.measures).enumerate() {
            let found = gold::correct((index, measure.as_ref()), (place, run), under_gold, gold.weight);
            found.into_iter().for_each(|found| row.predict(measure.as_ref(), found, &options.inference));
        }
    }
}

/// All notes but those on score bands, in the order of reading.
fn notes(observed: &Observed<'_>) -> Vec<EvalNote> {
    let mut notes = observed.undefined();
    notes.extend(judgement_note(observed.setting).map(EvalNote::Topics));
    notes.extend(observed.no_intervals());
    notes.extend(observed.no_samples());
    notes.extend(observed.bounds());
    notes.extend(observed.sampling());
    notes.extend(observed.ranges());
    notes.extend(observed.model());
    notes.extend(observed.correction());
    notes.extend(observed.gold());
    notes.extend(observed.ties());
    notes.extend(topic_notes(observed.setting, observed.scored).into_iter().map(EvalNote::Topics));
    notes
}

/// The rows of the answer by measure, then by run.
fn by_measure(rows: Vec<Vec<Row>>, measures: usize) -> Vec<ScoreRow> {
    let mut by_run: Vec<_> = rows.into_iter().map(|run| run.into_iter().map(|row| row.score)).collect();
    (0..measures).flat_map(|_| by_run.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>()).collect()
}
