//! Notes of `eval` on scores that are inferred from sampled judgements.

use karat_measures::Measure;
use karat_stats::estimate::Source;

use super::row::Row;

/// The name the source has among a row's.
const SAMPLING: Source = Source::JudgementSampling;

/// The parts of the standard error, and topics whose own part cannot be estimated.
pub(super) fn notes(measures: &[Box<dyn Measure>], rows: &[Vec<Row>]) -> Vec<String> {
    let mut notes = Vec::new();
    let matters =
        |row: &Row| row.sources.iter().any(|(source, variance)| *source == SAMPLING.name() && *variance > 0.0);
    let inferred = measures.iter().enumerate().filter(|(index, _)| rows.iter().any(|run| matters(&run[*index])));
    let inferred: Vec<String> = inferred.map(|(_, measure)| measure.spec().to_string()).collect();
    if !inferred.is_empty() {
        notes.push(format!(
            "{}: inferred from sampled judgements; the standard error combines judgement sampling ({}) and topic sampling",
            inferred.join(", "),
            SAMPLING.name()
        ));
    }
    for (index, measure) in measures.iter().enumerate() {
        let silent = |row: &Row| if row.sampled > 0 { row.topics - row.sampled } else { 0 };
        let Some(most) = rows.iter().map(|run| silent(&run[index])).max().filter(|most| *most > 0) else { continue };
        let topics = if most == 1 { "1 topic".to_owned() } else { format!("up to {most} topics of a run") };
        notes.push(format!(
            "{}: the sampling error of {topics} cannot be estimated (too few judged or relevant documents); the mean of the \
             other topics is used",
            measure.spec()
        ));
    }
    notes
}
