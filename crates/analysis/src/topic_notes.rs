//! What a reader must know of the judgements and of the topics that runs lack, whatever is made of the scores.

use karat_data::{JudgementKind, MissingTopics, Qrels, TopicFacts};
use karat_measures::info::{MeasureInfo, Tightness};

use crate::scores::{RunScores, Setting};

/// A note on judgements and topics.
#[derive(Debug, Clone, PartialEq)]
pub enum TopicNote {
    /// Measures of plain grades read judgements of another kind.
    NotPlainGrades(JudgementKind),
    /// No document is judged, as in a form that nobody has filled in.
    NothingJudged {
        /// Pooled documents without a judgement.
        pooled: u64,
    },
    /// Many pooled documents are unjudged: the judgements may be a sample.
    PooledUnjudged {
        /// Pooled documents without a judgement.
        pooled: u64,
        /// Judged documents.
        judged: u64,
    },
    /// Documents of a sample with probabilities are not judged, as in a form that is filled in by half.
    SampleIncomplete {
        /// Documents of the sample without a judgement.
        unjudged: u64,
        /// Judged documents.
        judged: u64,
    },
    /// Runs lack judged topics.
    MissingTopics {
        /// The topics.
        topics: Vec<Vec<u8>>,
        /// The runs.
        runs: RunGroup,
        /// How they are treated.
        policy: MissingTopics,
    },
    /// Runs have topics without judgements.
    NotJudged {
        /// The topics.
        topics: Vec<Vec<u8>>,
        /// The runs.
        runs: RunGroup,
    },
    /// Topics have no relevant document.
    NothingRelevant {
        /// The least relevant grade.
        level: f64,
        /// The topics.
        topics: Vec<Vec<u8>>,
    },
    /// No grade reaches the level, so unjudged documents cannot be relevant.
    LevelTooHigh {
        /// The level.
        level: f64,
    },
}

/// Some of the runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunGroup {
    /// Their names.
    pub names: Vec<String>,
    /// How many runs there are in all.
    pub of: usize,
}

impl RunGroup {
    /// Runs with the same finding together, in the order of the first.
    pub(crate) fn by_finding<T: PartialEq>(
        scored: &[RunScores],
        find: impl Fn(usize) -> Option<T>,
    ) -> Vec<(T, RunGroup)> {
        let mut groups: Vec<(T, RunGroup)> = Vec::new();
        for (place, run) in scored.iter().enumerate() {
            let Some(found) = find(place) else { continue };
            match groups.iter_mut().find(|(other, _)| *other == found) {
                Some((_, group)) => group.names.push(run.name.clone()),
                None => groups.push((found, RunGroup { names: vec![run.name.clone()], of: scored.len() })),
            }
        }
        groups
    }
}

/// How measures of grades read judgements that are not plain grades, if there are such measures.
pub fn judgement_note(setting: &Setting<'_>) -> Option<TopicNote> {
    let kind = setting.qrels.kind();
    let of_grades = |info: &MeasureInfo| info.needs == JudgementKind::Grades && info.bounds != Tightness::Estimator;
    if !setting.measures.iter().any(|measure| of_grades(measure.info())) {
        return None;
    }
    if kind == JudgementKind::Grades { pooled(setting.qrels) } else { Some(TopicNote::NotPlainGrades(kind)) }
}

/// Topics: missing, without judgements, without relevant documents. Runs with the same topics share a note.
pub fn topic_notes(setting: &Setting<'_>, scored: &[RunScores]) -> Vec<TopicNote> {
    let filled = |names: Vec<Vec<u8>>| (!names.is_empty()).then_some(names);
    let missing = |run: usize| {
        let names = scored[run].missing.iter().map(|&topic| setting.qrels.name(topic).to_vec());
        filled(names.collect())
    };
    let policy = setting.policy.missing_topics;
    let missing = RunGroup::by_finding(scored, missing).into_iter();
    let mut notes: Vec<TopicNote> = sample_incomplete(setting.qrels).into_iter().collect();
    notes.extend(missing.map(|(topics, runs)| TopicNote::MissingTopics { topics, runs, policy }));
    let is_judged = |name: &[u8]| setting.uncut.is_some_and(|all| all.find(name).is_some());
    let strange = |run: usize| {
        let names = scored[run].topics.unjudged_topics.iter().filter(|name| !is_judged(name)).cloned();
        filled(names.collect())
    };
    let strange = RunGroup::by_finding(scored, strange).into_iter();
    notes.extend(strange.map(|(topics, runs)| TopicNote::NotJudged { topics, runs }));
    notes.extend(nothing_relevant(setting));
    notes
}

/// Judgements with many documents that are pooled and not judged look like a sample.
fn pooled(qrels: &Qrels) -> Option<TopicNote> {
    let pooled = qrels.pooled_unjudged();
    if pooled == 0 {
        return None;
    }
    let judged = judged(qrels);
    if judged == 0 {
        return Some(TopicNote::NothingJudged { pooled });
    }
    (pooled > judged / 4).then_some(TopicNote::PooledUnjudged { pooled, judged })
}

/// A sample with probabilities of which documents are not judged: estimates count them as not relevant.
fn sample_incomplete(qrels: &Qrels) -> Option<TopicNote> {
    let unjudged = qrels.pooled_unjudged();
    let sampled = qrels.kind() == JudgementKind::Probabilities && unjudged > 0;
    sampled.then(|| TopicNote::SampleIncomplete { unjudged, judged: judged(qrels) })
}

fn judged(qrels: &Qrels) -> u64 {
    qrels.all_facts().flat_map(|facts| facts.grades).map(|(_, count)| u64::from(*count)).sum()
}

/// Topics without a relevant document, for each level of a measure.
fn nothing_relevant(setting: &Setting<'_>) -> Vec<TopicNote> {
    let mut levels: Vec<f64> = setting.measures.iter().filter_map(|measure| measure.level()).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let qrels = setting.qrels;
    let mut notes = Vec::new();
    for level in levels {
        let nothing = |facts: TopicFacts<'_>| facts.relevant(level) == 0;
        if !qrels.all_facts().any(nothing) {
            continue;
        }
        let topics = qrels.topics().filter(|&topic| nothing(qrels.facts(topic)));
        notes.push(TopicNote::NothingRelevant {
            level,
            topics: topics.map(|topic| qrels.name(topic).to_vec()).collect(),
        });
        if setting.collection.max_grade < level {
            notes.push(TopicNote::LevelTooHigh { level });
        }
    }
    notes
}
