//! Notes of `eval`: topics, bounds and intervals.

use karat_data::{JudgementKind, Qrels, TopicFacts};
use karat_measures::Measure;
use karat_measures::info::{BoundsKind, MeasureInfo};
use karat_report::Cell;

use super::row::Row;
use crate::scores::{RunScores, Setting, grades_of, list_names, list_topics};

/// How measures of grades read judgements that are not plain grades, if there are such measures.
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
            "{pooled} pooled documents are unjudged (grade -1) and {judged} are judged. Unjudged documents count as not relevant. \
             If the judged ones are a random sample, use infAP instead of AP."
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
            format!("No interval for {}: {}", measures.join(", "), group[0].0)
        })
        .collect()
}

/// Notes on topics: missing, unjudged, without relevant documents. Runs with the same note share it.
pub(super) fn topic_notes(setting: &Setting<'_>, scored: &[RunScores]) -> Vec<String> {
    use karat_data::MissingTopics;
    let mut notes = Vec::new();
    let missing =
        told_together(scored, |run| (!run.missing.is_empty()).then(|| list_topics(setting.qrels, &run.missing)));
    for (topics, runs) in missing {
        let what = match setting.policy.missing_topics {
            MissingTopics::Zero => "scored as empty result lists",
            MissingTopics::Skip | MissingTopics::Error => "excluded from the means",
        };
        notes.push(format!("Not in {runs}: {topics}; {what} (--missing-topics)"));
    }
    let is_judged = |name: &[u8]| setting.uncut.is_some_and(|all| all.find(name).is_some());
    let unjudged = told_together(scored, |run| {
        let names = run.topics.unjudged_topics.iter().map(Vec::as_slice);
        let names: Vec<&[u8]> = names.filter(|name| !is_judged(name)).collect();
        (!names.is_empty()).then(|| list_names(names.iter().copied(), names.len()))
    });
    for (topics, runs) in unjudged {
        notes.push(format!("No judgements for {topics} of {runs}; ignored"));
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
        let at = if level == 1.0 { String::new() } else { format!(" (grade {level} or above)") };
        notes.push(format!(
            "No relevant document{at} for {topics}: measures that divide by the number of relevant documents are 0, \
             as in trec_eval"
        ));
        if setting.collection.max_grade < level {
            notes.push(format!(
                "No grade reaches {level}, so unjudged documents cannot be relevant and the bounds equal the value; set \
                 --max-grade if higher grades are possible"
            ));
        }
    }
    notes
}

/// Why bounds are missing, once per kind of measure.
pub(super) fn bounds_notes(setting: &Setting<'_>, rows: &[Vec<Row>], none_at_all: Option<&str>) -> Vec<String> {
    if let Some(reason) = none_at_all {
        return vec![format!("No bounds: {reason}")];
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
            "{}: estimated from the judged documents; the estimate can lie outside the bounds of full judgement",
            estimators.join(", ")
        ));
    }
    let unfinished = without(&[BoundsKind::Estimator]);
    if !unfinished.is_empty() {
        notes.push(format!("No bounds for the mean of {}: some topics have no estimate yet", unfinished.join(", ")));
    }
    let others = without(&[BoundsKind::Exact, BoundsKind::Sound]);
    if !others.is_empty() {
        notes.push(format!(
            "No bounds for {}: negative gains, gains for unjudged documents, or too many unjudged documents to enumerate",
            others.join(", ")
        ));
    }
    notes
}

/// Intervals that exceed the valid range.
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
        "the value itself is outside, so scores and error rates are inconsistent"
    } else if calibrated {
        "the calibration error is not truncated to the valid range"
    } else if bca_stays {
        "too few or too similar topics for Student's t; --interval bca stays within the range"
    } else {
        "the interval is symmetric, but the distribution near the limit is not"
    };
    vec![format!("An interval of {} exceeds the valid range: {why}", outside.join(", "))]
}
