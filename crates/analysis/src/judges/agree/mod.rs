//! `judges agree`: coefficients over all judges and for every pair, by query, by grade, and what disagreement means for the systems.

mod answer;
mod effect;

use std::fmt;

use karat_data::names::text;
use karat_data::{JudgeLabels, State};
use karat_stats::Seed;
use karat_stats::agreement::{
    COEFFICIENTS, Coefficient, Counted, LabelError, Labels, NoAgreementInterval, Undefined, band, by_group,
};

pub use answer::{AgreeAnswer, AgreeBackground, AgreeNote, Agreement, GradePair, PairAgreement, QueryAgreement};
pub use effect::{JudgeScore, JudgeVerdict, OrderAgreement, SystemRuns, SystemsByJudge, SystemsNote};
pub use effect::{Judged, order};

use super::error::{JudgesError, first_file};
use super::scale::{Scale, ScaleChoice};
use crate::values::NO_INTERVAL;

/// Above so many judges, pairs are not listed.
const MOST_LISTED: usize = 20;

/// Of a scale with more grades, only pairs of grades that occur are listed.
const MOST_GRADES: usize = 20;

/// The options of agreement.
pub struct AgreeOptions<'a> {
    /// The labels.
    pub labels: &'a JudgeLabels,
    /// The scale.
    pub scale: ScaleChoice,
    /// Confidence level of intervals.
    pub level: f64,
    /// Resamples of the queries.
    pub resamples: u32,
    /// Seed of the resamples.
    pub seed: Seed,
    /// Runs to score by each judge's labels.
    pub runs: Option<SystemRuns<'a>>,
}

/// Labels that can be counted: items with at least one grade, and the query of each.
struct Counting {
    labels: Labels,
    queries: Vec<usize>,
    names: Vec<String>,
}

/// How far do the judges agree?
///
/// # Errors
/// One judge only, a grade that is not on the scale, or something wrong with the runs.
pub fn agree(options: &AgreeOptions<'_>) -> Result<AgreeAnswer, JudgesError> {
    let judges: Vec<String> = options.labels.judges().into_iter().map(text).collect();
    let file = first_file(options.labels);
    if let [judge] = &judges[..] {
        return Err(JudgesError::OneJudge { file, judge: judge.clone() });
    }
    let scale = Scale::new(&options.scale, &[options.labels])?;
    let counting = count(options.labels, &scale, judges.len()).map_err(|error| JudgesError::Labels { file, error })?;
    let counted = Counted::by_group(&counting.labels, &counting.queries);
    let listed = judges.len() > 2 && judges.len() <= MOST_LISTED;
    let mut notes = Vec::new();
    let (mut systems, mut runs) = (None, Vec::new());
    if let Some(of) = &options.runs {
        let found = effect::score_systems(of, options.labels, &scale, options.level)?;
        notes.extend(found.notes.into_iter().map(AgreeNote::Systems));
        (systems, runs) = (Some(found.systems), found.runs);
    }
    notes.extend(label_notes(options, &counted, &counting, judges.len()));
    let two = judges.len() == 2;
    Ok(AgreeAnswer {
        agreement: COEFFICIENTS.iter().map(|row| agreement(options, &counted, row, judges.len())).collect(),
        pairs: listed.then(|| pairs(options, &counting, &judges)),
        confusion: confusion(&counted, &scale, two),
        by_query: by_query(&counting),
        systems,
        background: AgreeBackground {
            matrix: (scale.grades.len() <= MOST_GRADES).then(|| matrix(&counted, scale.grades.len(), two)),
            judges,
            scale,
            level: options.level,
            runs,
            notes,
        },
    })
}

fn count(labels: &JudgeLabels, scale: &Scale, judges: usize) -> Result<Counting, LabelError> {
    let mut counting = Counting { labels: Labels::new(&scale.grades, judges)?, queries: Vec::new(), names: Vec::new() };
    for item in labels.items() {
        let grades: Vec<(usize, f64)> =
            item.grades().map(|(judge, grade)| (judge as usize, scale.counted(grade))).collect();
        if grades.is_empty() {
            continue;
        }
        // Items come in the order of queries.
        let name = text(labels.topic(item.topic));
        if counting.names.last() != Some(&name) {
            counting.names.push(name);
        }
        counting.queries.push(counting.names.len() - 1);
        counting.labels.push(grades)?;
    }
    Ok(counting)
}

/// Why a coefficient has no value or no interval.
enum MissingReason {
    Value(Undefined),
    Interval(NoAgreementInterval),
}

impl fmt::Display for MissingReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MissingReason::Value(reason) => reason.fmt(f),
            MissingReason::Interval(reason) => write!(f, "{NO_INTERVAL}{reason}"),
        }
    }
}

/// A coefficient's value and interval, in words of its band, and why something is missing.
struct Estimated {
    value: Option<f64>,
    interval: Option<(f64, f64)>,
    band: Option<&'static str>,
    reason: Option<String>,
}

fn estimate(options: &AgreeOptions<'_>, counted: &Counted, row: &Coefficient) -> Estimated {
    let found = counted.value(row);
    let interval = by_group(counted, row, options.resamples, options.level, options.seed);
    let reason = match (&found, &interval) {
        (Err(reason), _) => Some(MissingReason::Value(*reason)),
        (_, Err(reason @ (NoAgreementInterval::Resample(_) | NoAgreementInterval::ManyPairs))) => {
            Some(MissingReason::Interval(*reason))
        }
        _ => None,
    };
    Estimated {
        value: found.ok(),
        interval: interval.ok().map(|found| (found.low, found.high)),
        band: found.ok().filter(|_| row.beyond_chance).map(band),
        reason: reason.map(|reason| reason.to_string()),
    }
}

fn agreement(options: &AgreeOptions<'_>, counted: &Counted, row: &Coefficient, judges: usize) -> Agreement {
    let Estimated { value, interval, band, reason } = estimate(options, counted, row);
    Agreement {
        coefficient: row.name,
        title: row.title,
        value,
        interval,
        band,
        judges,
        items: counted.items(),
        queries: counted.groups(),
        level: options.level,
        reason,
    }
}

/// Every coefficient of every pair of judges that have a document in common.
fn pairs(options: &AgreeOptions<'_>, counting: &Counting, judges: &[String]) -> Vec<PairAgreement> {
    let mut pairs = Vec::new();
    for (first, a) in judges.iter().enumerate() {
        for (second, b) in judges.iter().enumerate().skip(first + 1) {
            let counted = Counted::by_group(&counting.labels.pair(first, second), &counting.queries);
            if counted.items() == 0 {
                continue;
            }
            pairs.extend(COEFFICIENTS.iter().map(|row| {
                let Estimated { value, interval, band, reason } = estimate(options, &counted, row);
                PairAgreement {
                    a: a.clone(),
                    b: b.clone(),
                    coefficient: row.name,
                    value,
                    band,
                    items: counted.items(),
                    queries: counted.groups(),
                    reason,
                    interval,
                }
            }));
        }
    }
    pairs
}

/// Counts by the grades of two judges; of more than two judges every two labels of a document, both ways.
fn matrix(counted: &Counted, grades: usize, two: bool) -> Vec<Vec<f64>> {
    let mut cells = vec![vec![0.0; grades]; grades];
    for ((a, b), items) in counted.places_together() {
        cells[a][b] += items;
        if !two {
            cells[b][a] += items;
        }
    }
    cells
}

fn confusion(counted: &Counted, scale: &Scale, two: bool) -> Vec<GradePair> {
    let k = scale.grades.len();
    let mut cells = vec![0.0; k * k];
    for ((a, b), items) in counted.places_together() {
        let (row, column) = if two { (a, b) } else { (a.min(b), a.max(b)) };
        cells[row * k + column] += items;
    }
    let total: f64 = cells.iter().sum();
    let mut rows = Vec::new();
    for (a, &grade_a) in scale.grades.iter().enumerate() {
        for (b, &grade_b) in scale.grades.iter().enumerate() {
            let here = cells[a * k + b];
            if !two && b < a || k > MOST_GRADES && here == 0.0 {
                continue;
            }
            let share = (total > 0.0).then(|| here / total);
            rows.push(GradePair { grade_a, grade_b, pairs: here as u64, share });
        }
    }
    rows
}

fn by_query(counting: &Counting) -> Vec<QueryAgreement> {
    let row = |topic: &String| QueryAgreement { topic: topic.clone(), judged: 0, disagreements: 0 };
    let mut rows: Vec<QueryAgreement> = counting.names.iter().map(row).collect();
    for (item, &query) in counting.queries.iter().enumerate() {
        let given = counting.labels.of(item);
        if given.len() > 1 {
            rows[query].judged += 1;
            rows[query].disagreements += u64::from(given.iter().any(|label| label.1 != given[0].1));
        }
    }
    rows
}

fn label_notes(options: &AgreeOptions<'_>, counted: &Counted, counting: &Counting, judges: usize) -> Vec<AgreeNote> {
    let mut notes = Vec::new();
    let repeated = options.labels.repeated();
    notes.extend((repeated > 0).then_some(AgreeNote::Repeated(repeated)));
    let states = options.labels.states().into_iter();
    let other: Vec<_> = states.filter(|(state, count)| *state != State::Judged && *count > 0).collect();
    notes.extend((!other.is_empty()).then_some(AgreeNote::NotGrades(other)));
    let documents = counting.labels.items();
    let once = documents as u64 - counted.items();
    notes.extend((once > 0).then_some(AgreeNote::JudgedOnce { once, documents }));
    notes.extend((judges > 2).then_some(AgreeNote::MeansOverPairs));
    notes.extend((judges > MOST_LISTED).then_some(AgreeNote::ManyJudges { judges, most: MOST_LISTED }));
    notes.push(AgreeNote::Resamples(options.resamples));
    notes
}
