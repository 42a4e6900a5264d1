//! Does the winner depend on choices that nobody argued for?
//!
//! The one decision: the whole comparison is made anew for each other value of a choice, one choice at a time, and its verdict is set beside the one
//! given, so "undecided" counts too. What unjudged documents probably are is taken from the model already fitted.

use karat_data::{MissingTopics, Policy, RunSource, Ties};
use karat_measures::Measure;
use karat_measures::info::Legal;
use karat_measures::spec::{MeasureSpec, Value};

use super::answer::{Choice, SensitivityRow};
use super::notes::CompareNote;
use super::verdict::{Side, UNDECIDED};
use super::{CompareError, CompareOptions, Comparison, find};
use crate::scores::{RunScores, Setting};
use crate::unjudged::RelevanceModel;
use crate::values::{DOCNO_RISING, FROM_GRADE};

/// Persistences that are tried.
const PERSISTENCES: [f64; 3] = [0.5, 0.8, 0.95];
/// Cut-offs that are tried.
const CUTOFFS: [usize; 4] = [5, 10, 20, 100];
/// More grades than this are no levels.
const MOST_GRADES: usize = 20;

/// Another value of a choice, and what comes out.
struct Variant {
    choice: Choice,
    setting: String,
    comparison: Comparison,
    /// The measure's place among those given.
    of: usize,
}

/// Another form of a measure.
struct Other {
    of: usize,
    choice: Choice,
    setting: String,
    measure: Box<dyn Measure>,
}

/// The other forms of a measure: each parameter that people choose by habit, one at a time.
fn others(of: usize, given: &dyn Measure, grades: &[f64]) -> Vec<Other> {
    let spec = given.spec();
    let mut found: Vec<Other> = Vec::new();
    let mut add = |choice: Choice, setting: String, changed: MeasureSpec| {
        // A form that cannot be built is no choice; one that prints the same is the one given.
        let Ok(measure) = changed.build() else { return };
        if measure.spec().to_string() != spec.to_string() {
            found.push(Other { of, choice, setting, measure });
        }
    };
    for parameter in given.info().parameters {
        match parameter.name {
            "p" => PERSISTENCES
                .iter()
                .for_each(|&p| add(Choice::Persistence, p.to_string(), spec.changed("p", Value::Number(p)))),
            "cutoff" if matches!(parameter.legal, Legal::Rank { .. }) => {
                CUTOFFS.iter().for_each(|&k| add(Choice::Cutoff, k.to_string(), spec.clone().cutoff(k)));
                add(Choice::Cutoff, "none".into(), spec.clone().without_cutoff());
            }
            "dcg" | "gain" | "gains" => {
                let Legal::Words(words) = parameter.legal else { continue };
                for &word in words.iter() {
                    add(Choice::Gains, word.to_owned(), spec.changed(parameter.name, Value::Word(word.to_owned())));
                }
            }
            "rel" => {
                for &grade in grades {
                    let setting = [FROM_GRADE, &grade.to_string()].concat();
                    add(Choice::Threshold, setting, spec.changed("rel", Value::Number(grade)));
                }
            }
            _ => {}
        }
    }
    found
}

/// Grades above 0 that were given.
fn grades(setting: &Setting<'_>) -> Vec<f64> {
    let judged = setting.uncut.unwrap_or(setting.qrels);
    let mut grades: Vec<f64> = judged
        .all_facts()
        .flat_map(|facts| facts.grades)
        .map(|(grade, _)| grade.value())
        .filter(|&grade| grade > 0.0)
        .collect();
    grades.sort_by(f64::total_cmp);
    grades.dedup();
    if grades.len() > MOST_GRADES { Vec::new() } else { grades }
}

/// Other ways for runs to meet judgements.
fn policies(given: Policy, scored: &[RunScores]) -> Vec<(Choice, &'static str, Policy)> {
    let ties = [("docno", Ties::Docno), (DOCNO_RISING, Ties::DocnoRising), ("file", Ties::File)];
    // The range is around the order by docno.
    let now = if given.ties == Ties::Range { Ties::Docno } else { given.ties };
    let other_ties = ties.into_iter().filter(|(_, ties)| *ties != now);
    let mut all: Vec<_> = other_ties.map(|(name, ties)| (Choice::Ties, name, Policy { ties, ..given })).collect();
    if scored.iter().any(|run| !run.missing.is_empty()) {
        let missing = [("zero", MissingTopics::Zero), ("skip", MissingTopics::Skip)];
        let other = missing.into_iter().filter(|(_, missing)| *missing != given.missing_topics);
        all.extend(
            other.map(|(name, missing_topics)| (Choice::MissingTopics, name, Policy { missing_topics, ..given })),
        );
    }
    all
}

/// The comparison with every other setting, one at a time.
///
/// # Errors
/// Everything wrong with the runs.
pub(super) fn sensitivity(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &CompareOptions<'_>,
    relevance_model: Option<&RelevanceModel>,
    (scored, given): (&[RunScores], &[Comparison]),
    notes: &mut Vec<CompareNote>,
) -> Result<Vec<SensitivityRow>, CompareError> {
    let mut variants = of_measures(setting, runs, options, relevance_model)?;
    for (choice, name, policy) in policies(setting.policy, scored) {
        match find(&Setting { policy, ..*setting }, runs, options, relevance_model) {
            Ok(found) => variants.extend(found.comparisons.into_iter().map(|comparison| Variant {
                choice,
                setting: name.to_owned(),
                of: comparison.measure,
                comparison,
            })),
            Err(_) => notes.push(CompareNote::NothingLeft(choice, name.to_owned())),
        }
    }
    if scored.iter().all(|run| run.missing.is_empty()) {
        notes.push(CompareNote::NoMissingTopics);
    }
    let mut rows = Vec::new();
    for base in given {
        let table = Rows { setting, scored, base };
        rows.push(table.row(Choice::AsGiven, "", base));
        let own = variants.iter().filter(|other| other.of == base.measure && other.comparison.pair == base.pair);
        rows.extend(own.map(|other| table.row(other.choice, &other.setting, &other.comparison)));
    }
    Ok(rows)
}

/// The rows of one comparison.
struct Rows<'a> {
    setting: &'a Setting<'a>,
    scored: &'a [RunScores],
    /// As given.
    base: &'a Comparison,
}

impl Rows<'_> {
    fn row(&self, choice: Choice, value: &str, comparison: &Comparison) -> SensitivityRow {
        let Rows { setting, scored, base } = self;
        let (a, b) = (&scored[base.pair.0].name, &scored[base.pair.1].name);
        SensitivityRow {
            measure: setting.measures[base.measure].spec().to_string(),
            a: a.clone(),
            b: b.clone(),
            choice,
            setting: value.to_owned(),
            difference: comparison.difference.observed,
            p: comparison.adjusted_p(),
            winner: match comparison.verdict.better() {
                Some(Side::A) => a.clone(),
                Some(Side::B) => b.clone(),
                None => UNDECIDED.to_owned(),
            },
            same: comparison.verdict.better() == base.verdict.better(),
        }
    }
}

/// The comparison by every other form of the measures.
fn of_measures(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &CompareOptions<'_>,
    relevance_model: Option<&RelevanceModel>,
) -> Result<Vec<Variant>, CompareError> {
    let grades = grades(setting);
    let others: Vec<Other> =
        setting.measures.iter().enumerate().flat_map(|(of, measure)| others(of, measure.as_ref(), &grades)).collect();
    let (forms, labels): (Vec<Box<dyn Measure>>, Vec<_>) =
        others.into_iter().map(|other| (other.measure, (other.of, other.choice, other.setting))).unzip();
    if forms.is_empty() {
        return Ok(Vec::new());
    }
    let found = find(&Setting { measures: &forms, ..*setting }, runs, options, relevance_model)?;
    let variant = |comparison: Comparison| {
        let (of, choice, setting) = labels[comparison.measure].clone();
        Variant { choice, setting, comparison, of }
    };
    Ok(found.comparisons.into_iter().map(variant).collect())
}
