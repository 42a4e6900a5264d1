//! Judged documents with the probabilities they were chosen with (prels).

use karat_data::{JudgementKind, TopicView};

use crate::score::Undefined;

/// Why there is no value.
pub(crate) const NO_PROBABILITIES: Undefined = Undefined { reason: "the judgements come without probabilities" };
/// As above.
pub(crate) const NO_PROBABILITY: Undefined =
    Undefined { reason: "a judged document has no probability above 0 and at most 1 of having been chosen" };

/// A judged document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Chosen {
    /// Its rank, from 1; `None` where the list lacks it.
    pub rank: Option<usize>,
    /// Its grade.
    pub grade: f64,
    /// The probability with which it was chosen to be judged, above 0.
    pub probability: f64,
}

impl Chosen {
    /// How many documents of the collection it stands for: 1/probability.
    pub fn weight(self) -> f64 {
        1.0 / self.probability
    }

    /// What it adds to the variance of an estimate that changes by `slope` for each unit of its weight, when every
    /// document was chosen independently of the others: (1 - p)/p^2 * slope^2 estimates its part of the
    /// Horvitz-Thompson variance.
    pub fn variance(self, slope: f64) -> f64 {
        (1.0 - self.probability) * self.weight() * self.weight() * slope * slope
    }
}

/// Whether other documents might have been chosen: some judged one was not chosen with certainty.
pub(crate) fn by_chance(documents: &[Chosen]) -> bool {
    documents.iter().any(|document| document.probability < 1.0)
}

/// The judged documents of a topic: those of the list by rank, then the others.
///
/// # Errors
/// The judgements are of another kind, or a probability is missing.
pub(crate) fn chosen(view: &TopicView<'_>) -> Result<Vec<Chosen>, Undefined> {
    let details = view.details;
    if details.kind != JudgementKind::Probabilities {
        return Err(NO_PROBABILITIES);
    }
    let mut rank_of: Vec<Option<usize>> = vec![None; details.judgements.len()];
    for (index, &document) in details.documents.iter().enumerate() {
        if let Some(place) = rank_of.get_mut(document as usize) {
            *place = Some(index + 1);
        }
    }
    let mut documents = Vec::with_capacity(rank_of.len());
    for ((document, judgement), rank) in (0u32..).zip(details.judgements).zip(rank_of) {
        let Some(grade) = judgement.grade() else { continue };
        let probability = details.probability(document);
        let probability = probability.filter(|&number| number > 0.0 && number <= 1.0).ok_or(NO_PROBABILITY)?;
        documents.push(Chosen { rank, grade, probability });
    }
    documents.sort_by_key(|document| document.rank.unwrap_or(usize::MAX));
    Ok(documents)
}

#[cfg(test)]
mod tests {
    use karat_data::CollectionFacts;

    use super::*;
    use crate::example::Owned;

    fn of(ranking: &str, missed: &str) -> Result<Vec<Chosen>, Undefined> {
        let kind = JudgementKind::Probabilities;
        chosen(&Owned::parse_marked(kind, ranking, missed, CollectionFacts::default()).unwrap().view())
    }

    #[test]
    fn by_rank_then_the_missed() {
        let document = |rank, grade, probability| Chosen { rank, grade, probability };
        let expected = [document(Some(2), 2.0, 0.5), document(Some(3), 0.0, 1.0), document(None, 1.0, 0.25)];
        assert_eq!(of("- 2a0.5 0b", "1a0.25").unwrap(), expected);
    }

    #[test]
    fn a_probability_that_is_none() {
        for bad in ["1a0", "1a1.5", "1"] {
            assert_eq!(of(bad, "").unwrap_err(), NO_PROBABILITY, "{bad}");
            assert_eq!(of("", bad).unwrap_err(), NO_PROBABILITY, "{bad}");
        }
    }
}
