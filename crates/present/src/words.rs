//! Words that several answers share: levels, counts with their noun, lists of names.

use karat_data::problem::quote;
use karat_data::{JudgementKind, Qrels, TopicIndex};

/// A level as people write it: 95%.
pub fn percent(level: f64) -> String {
    let rounded = (level * 1e8).round() / 1e6;
    // 99.99999999% must not read as 100%.
    if rounded >= 100.0 || rounded <= 0.0 { format!("{level} ") } else { format!("{rounded}%") }
}

/// The sources of error of an estimate from a judged sample.
pub const SAMPLED_SOURCES: &str = "topics and sampled judgements";

/// The sources of error that an interval includes.
pub fn error_sources(unjudged: bool, judges: bool) -> &'static str {
    match (unjudged, judges) {
        (false, false) => "topics",
        (true, false) => "topics and unjudged documents",
        (false, true) => "topics and judge errors",
        (true, true) => "topics, unjudged documents and judge errors",
    }
}

/// "1 topic", "3 topics".
pub fn count(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// "3 topics ("a", "b", ...)", at most ten by name.
pub fn list_names<'n>(names: impl Iterator<Item = &'n [u8]>, total: usize) -> String {
    let shown: Vec<_> = names.take(10).map(quote).collect();
    let more = if total > shown.len() { ", ..." } else { "" };
    format!("{} ({}{more})", count(total, "topic"), shown.join(", "))
}

/// The same for topics of judgements.
pub fn list_topics(qrels: &Qrels, topics: &[TopicIndex]) -> String {
    list_names(topics.iter().map(|&topic| qrels.name(topic)), topics.len())
}

/// How measures of plain grades use judgements that are not plain grades.
pub fn plain_grades(kind: JudgementKind) -> Option<&'static str> {
    match kind {
        JudgementKind::Grades => None,
        JudgementKind::Subtopics => Some(
            "measures of plain grades use a document's best grade over the subtopics (if field 2 is a judge, use --qrels-format trec-jg)",
        ),
        JudgementKind::Groups => Some("measures of plain grades use a document's best grade over the groups"),
        JudgementKind::Preferences => Some("measures of plain grades cannot be computed from preferences"),
        JudgementKind::Strata => Some(
            "measures of plain grades use the grades as they are; xinfAP, infNDCG and infP estimate from the strata. \
             Documents that were not drawn count as pooled but not judged",
        ),
        JudgementKind::Probabilities => Some(
            "measures of plain grades use the grades as they are; statAP, htP, htRBP and htDCG weight them by the probabilities",
        ),
    }
}
