//! What the reader must know beside the numbers.

use karat_data::{JudgementKind, Qrels, TopicFacts};
use karat_measures::Measure;
use karat_measures::info::{BoundsKind, MeasureInfo};
use karat_report::Cell;

use super::row::Row;
use crate::scores::{RunScores, Setting, grades_of, list_names, list_topics};

/// What measures of grades make of judgements that are not plain grades, where there are such measures.
pub(super) fn kind_note(setting: &Setting<'_>) -> Option<String> {
    let kind = setting.qrels.kind();
    let of_grades = |info: &MeasureInfo| info.needs == JudgementKind::Grades && info.bounds != BoundsKind::Estimator;
    if !setting.measures.iter().any(|measure| of_grades(measure.info())) {
        return None;
    }
    grades_of(kind).map(|made| format!("{kind}: {made}")).or_else(|| pooled_note(setting.qrels))
}

/// Judgements with many documents that a pool has and nobody judged look like a sample.
fn pooled_note(qrels: &Qrels) -> Option<String> {
    let pooled = qrels.pooled_unjudged();
    if pooled == 0 {
        return None;
    }
    let judged: u64 = qrels.all_facts().flat_map(|facts| facts.grades).map(|(_, count)| u64::from(*count)).sum();
    (pooled > judged / 4).then(|| {
        format!(
            "{pooled} documents of the judgements have no grade (-1), {judged} have one: the value counts them as not relevant; \
             if the graded ones are a random sample of all, infAP estimates what AP would be"
        )
    })
}

/// One note for each reason, naming the measures it holds for.
pub(super) fn no_interval_notes(mut silent: Vec<(String, String)>) -> Vec<String> {
    silent.sort_by(|a, b| a.0.cmp(&b.0));
    silent
        .chunk_by(|a, b| a.0 == b.0)
        .map(|group| {
            let measures: Vec<&str> = group.iter().map(|(_, measure)| measure.as_str()).collect();
            format!("no interval for {}: {}", measures.join(", "), group[0].0)
        })
        .collect()
}

/// What the reader must know about topics: missing, unjudged, without relevant documents. Runs that have the same to
/// say say it together.
pub(super) fn topic_notes(setting: &Setting<'_>, scored: &[RunScores]) -> Vec<String> {
    use karat_data::MissingTopics;
    let mut notes = Vec::new();
    let missing =
        told_together(scored, |run| (!run.missing.is_empty()).then(|| list_topics(setting.qrels, &run.missing)));
    for (topics, runs) in missing {
        let what = match setting.policy.missing_topics {
            MissingTopics::Zero => "scored there as if nothing had been retrieved",
            MissingTopics::Skip | MissingTopics::Error => "left out of the means",
        };
        notes.push(format!("no row for {topics} in {runs}: {what} (--missing-topics)"));
    }
    let is_judged = |name: &[u8]| setting.uncut.is_some_and(|all| all.find(name).is_some());
    let unjudged = told_together(scored, |run| {
        let names = run.topics.unjudged_topics.iter().map(Vec::as_slice);
        let names: Vec<&[u8]> = names.filter(|name| !is_judged(name)).collect();
        (!names.is_empty()).then(|| list_names(names.iter().copied(), names.len()))
    });
    for (topics, runs) in unjudged {
        notes.push(format!("nobody judged {topics} in {runs}: ignored"));
    }
    notes.extend(barren_notes(setting));
    notes
}

/// What runs have to say, each text once with the runs it holds for: by name up to three, else by number.
pub(super) fn told_together(scored: &[RunScores], say: impl Fn(&RunScores) -> Option<String>) -> Vec<(String, String)> {
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for run in scored {
        let Some(text) = say(run) else { continue };
        match said.iter_mut().find(|(other, _)| *other == text) {
            Some((_, runs)) => runs.push(&run.name),
            None => said.push((text, vec![&run.name])),
        }
    }
    let name = |runs: Vec<&str>| match runs.len() {
        1..=3 => runs.join(", "),
        count => format!("{count} of {} runs", scored.len()),
    };
    said.into_iter().map(|(text, runs)| (text, name(runs))).collect()
}

/// Topics without a relevant document, for each level that a measure asks for.
fn barren_notes(setting: &Setting<'_>) -> Vec<String> {
    let mut levels: Vec<f64> = setting.measures.iter().filter_map(|measure| measure.level()).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let mut notes = Vec::new();
    for level in levels {
        let qrels = setting.qrels;
        let is_barren = |facts: TopicFacts<'_>| facts.relevant(level) == 0;
        let count = qrels.all_facts().filter(|&facts| is_barren(facts)).count();
        if count == 0 {
            continue;
        }
        let barren = qrels.topics().filter(|&topic| is_barren(qrels.facts(topic)));
        let topics = list_names(barren.map(|topic| qrels.name(topic)), count);
        let at = if level == 1.0 { String::new() } else { format!(" at grade {level} or above") };
        notes.push(format!(
            "no document is judged relevant{at} for {topics}: measures that divide by the number of relevant documents \
             are 0 there, as in trec_eval"
        ));
        if setting.collection.max_grade < level {
            notes.push(format!(
                "no grade reaches {level}, so unjudged documents cannot turn out relevant either and bounds are closed; \
                 --max-grade says which grades are possible"
            ));
        }
    }
    notes
}

/// Why bounds are missing, told once for all measures of a kind.
pub(super) fn bounds_notes(setting: &Setting<'_>, rows: &[Vec<Row>], none_at_all: Option<&str>) -> Vec<String> {
    if let Some(reason) = none_at_all {
        return vec![format!("no bounds: {reason}")];
    }
    let without = |kinds: &[BoundsKind]| -> Vec<String> {
        let measures = setting.measures.iter().enumerate();
        measures
            .filter(|(index, measure)| {
                kinds.contains(&measure.info().bounds) && rows.iter().any(|run| run[*index].bounds.is_none())
            })
            .map(|(_, measure)| measure.spec().to_string())
            .collect()
    };
    let mut notes = Vec::new();
    let estimators: Vec<String> = setting
        .measures
        .iter()
        .filter(|measure| measure.info().bounds == BoundsKind::Estimator)
        .map(|measure| measure.spec().to_string())
        .collect();
    if !estimators.is_empty() {
        notes.push(format!(
            "{}: estimates from the judged part; the bounds are what full judgement could give, and need not hold the \
             estimate",
            estimators.join(", ")
        ));
    }
    let unfinished = without(&[BoundsKind::Estimator]);
    if !unfinished.is_empty() {
        notes.push(format!(
            "no bounds for the mean of {}: a topic has no estimate yet, and could have any once more is judged",
            unfinished.join(", ")
        ));
    }
    let others = without(&[BoundsKind::Exact, BoundsKind::Sound]);
    if !others.is_empty() {
        notes.push(format!(
            "no bounds for {}: gains below 0 or for unjudged documents, or too many unjudged documents to try all",
            others.join(", ")
        ));
    }
    notes
}

/// Intervals that go where no score can be.
pub(super) fn range_notes(
    measures: &[Box<dyn Measure>],
    rows: &[Vec<Row>],
    bca_stays: bool,
    calibrated: bool,
) -> Vec<String> {
    let leaves = |index: usize, (least, greatest): (f64, f64)| {
        rows.iter().any(|run| run[index].interval.is_some_and(|(low, high)| low < least || high > greatest))
    };
    let outside: Vec<String> = measures
        .iter()
        .enumerate()
        .filter(|(index, measure)| leaves(*index, measure.info().range))
        .map(|(_, measure)| measure.spec().to_string())
        .collect();
    if outside.is_empty() {
        return Vec::new();
    }
    let beyond = |index: usize, (least, greatest): (f64, f64)| {
        rows.iter().any(|run| matches!(run[index].value, Cell::Number(value) if value < least || value > greatest))
    };
    let why = if measures.iter().enumerate().any(|(index, measure)| beyond(index, measure.info().range)) {
        "the value itself is, and is shown as it was found: scores and error rates do not fit together"
    } else if calibrated {
        "it holds the error of the judges' calibration, which knows of no ends"
    } else if bca_stays {
        "the topics are too few or too much alike for Student's t; --interval bca stays within"
    } else {
        "it is as wide on one side as on the other, and a score near the end is not"
    };
    vec![format!("an interval of {} goes beyond the values a score can have: {why}", outside.join(", "))]
}
