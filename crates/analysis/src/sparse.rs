//! Judgements that name relevant documents only: MS MARCO, much of BEIR, judgements derived from clicks.
//!
//! The one decision: users of such judgements take every other document as not relevant, and so does karat; a model fitted to judged documents would
//! take nearly every document as relevant.

use karat_data::Qrels;

/// Fewer judgements say nothing about how they were made.
const FEWEST: u32 = 20;
/// Up to this share of the judgements may be of documents that are not relevant.
const MOST_NONRELEVANT: f64 = 0.01;

/// Whether the judgements name relevant documents only, or next to only.
pub fn is_sparse(qrels: &Qrels) -> bool {
    let (mut judged, mut nonrelevant) = (0u32, 0u32);
    for facts in qrels.all_facts() {
        judged += facts.judged();
        nonrelevant +=
            facts.grades.iter().filter(|(grade, _)| grade.value() <= 0.0).map(|(_, count)| count).sum::<u32>();
    }
    judged >= FEWEST && f64::from(nonrelevant) <= MOST_NONRELEVANT * f64::from(judged)
}
