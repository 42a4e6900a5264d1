//! What `eval` has to say about scores that were inferred from a sample of the judgements.

use karat_measures::Measure;
use karat_stats::estimate::Source;

use super::row::Row;

/// The name the source has among a row's.
const SAMPLING: Source = Source::JudgementSampling;

/// That the standard error holds two kinds of chance, and where a topic's part of it is a guess.
pub(super) fn notes(measures: &[Box<dyn Measure>], rows: &[Vec<Row>]) -> Vec<String> {
    let mut notes = Vec::new();
    let matters =
        |row: &Row| row.sources.iter().any(|(source, variance)| *source == SAMPLING.name() && *variance > 0.0);
    let inferred = measures.iter().enumerate().filter(|(index, _)| rows.iter().any(|run| matters(&run[*index])));
    let inferred: Vec<String> = inferred.map(|(_, measure)| measure.spec().to_string()).collect();
    if !inferred.is_empty() {
        notes.push(format!(
            "{}: inferred from a sample of the judgements; the standard error holds what another sample could have made of \
             it (source {}) beside the chance over topics",
            inferred.join(", "),
            SAMPLING.name()
        ));
    }
    for (index, measure) in measures.iter().enumerate() {
        let silent = |row: &Row| if row.sampled > 0 { row.topics - row.sampled } else { 0 };
        let Some(most) = rows.iter().map(|run| silent(&run[index])).max().filter(|most| *most > 0) else { continue };
        let topics = if most == 1 { "1 topic".to_owned() } else { format!("up to {most} topics of a run") };
        notes.push(format!(
            "{}: for {topics} the sample does not tell its own error (too little was judged, or nothing relevant found); the \
             mean of the others is taken",
            measure.spec()
        ));
    }
    notes
}
