//! Whether a sample could have drawn the documents that a question needs. Where some had probability 0, nothing is known of them, and an estimate from the
//! sample would be biased by all they can change.

use std::collections::HashSet;

use karat_stats::Seed;

use super::draw::Frame;
use super::question::{Design, Question};

/// By contrast of a question: of all that its unjudged documents can change, the share of those that were not drawn from. `drawn_for` is what the sample
/// was drawn for, under the same judgements.
pub fn uncovered(question: &Question<'_>, drawn_for: &Question<'_>, seed: Seed) -> Vec<f64> {
    // Which documents are in a frame does not depend on the design.
    let frame = |question: &Question<'_>| Frame::new(question, Design::Documents, seed, &|_, _| false);
    let (needed, drawn) = (frame(question), frame(drawn_for));
    let contrasts = question.contrasts().count();
    let (mut all, mut outside) = (vec![0.0; contrasts], vec![0.0; contrasts]);
    for (needed, drawn) in needed.topics.iter().zip(&drawn.topics) {
        let known: HashSet<&[u8]> = drawn.iter().map(|candidate| &candidate.docno[..]).collect();
        for candidate in needed {
            let is_outside = !known.contains(&candidate.docno[..]);
            for (place, (span, _)) in candidate.spans.iter().enumerate() {
                all[place] += span.abs();
                outside[place] += if is_outside { span.abs() } else { 0.0 };
            }
        }
    }
    all.iter().zip(outside).map(|(all, outside)| if *all > 0.0 { outside / all } else { 0.0 }).collect()
}
