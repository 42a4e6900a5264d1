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
    /// The method that drew a fixed number of documents, this one among them; `None` where it was chosen independently of others.
    pub fixed_size: Option<u32>,
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

/// The variance of the estimated total of `worth` (Horvitz and Thompson) over the samples that might have been drawn.
///
/// Documents chosen independently add [`Chosen::variance`]. Of a method that draws a fixed number n, one document more is another one less:
///
/// > v = n/(n-1) * sum of (1-p) (worth/p - B)^2, B the mean of worth/p with weights 1-p
///
/// (Hajek 1964), over its documents with p < 1. With equal probabilities it is the textbook's N^2 (1 - n/N) s^2/n. A single document of a
/// method tells of no spread, and counts as chosen independently.
pub(crate) fn variance_of_total(documents: &[Chosen], worth: impl Fn(&Chosen) -> f64) -> f64 {
    let mut methods: Vec<u32> = documents.iter().filter_map(|document| document.fixed_size).collect();
    methods.sort_unstable();
    methods.dedup();
    let alone = documents.iter().filter(|document| document.fixed_size.is_none());
    let mut variance: f64 = alone.map(|document| document.variance(worth(document))).sum();
    for method in methods {
        let drawn =
            documents.iter().filter(|document| document.fixed_size == Some(method) && document.probability < 1.0);
        let drawn: Vec<(&Chosen, f64)> = drawn.map(|document| (document, worth(document))).collect();
        if let [(document, worth)] = drawn[..] {
            variance += document.variance(worth);
            continue;
        }
        let expanded = || drawn.iter().map(|(document, worth)| (1.0 - document.probability, worth * document.weight()));
        let mean =
            expanded().map(|(left, value)| left * value).sum::<f64>() / expanded().map(|(left, _)| left).sum::<f64>();
        let squares: f64 = expanded().map(|(left, value)| left * (value - mean) * (value - mean)).sum();
        let count = drawn.len() as f64;
        variance += if drawn.is_empty() { 0.0 } else { count / (count - 1.0) * squares };
    }
    variance
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
        let method = details.of(document).first().map(|mark| mark.group);
        let fixed_size = method.filter(|&method| details.is_fixed_size(method));
        documents.push(Chosen { rank, grade, probability, fixed_size });
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
        let document = |rank, grade, probability| Chosen { rank, grade, probability, fixed_size: None };
        let expected = [document(Some(2), 2.0, 0.5), document(Some(3), 0.0, 1.0), document(None, 1.0, 0.25)];
        assert_eq!(of("- 2a0.5 0b", "1a0.25").unwrap(), expected);
    }

    /// Grades 1, 0, 0 and 1, the last one certain.
    #[test]
    fn the_variance_of_a_total_by_hand() {
        let of = |fixed: Vec<u32>| {
            let kind = JudgementKind::Probabilities;
            let topic = Owned::parse_marked(kind, "1a0.5 1b", "0a0.5 0b0.25", CollectionFacts::default()).unwrap();
            let topic = topic.drawn_in_fixed_number(fixed);
            variance_of_total(&chosen(&topic.view()).unwrap(), |document| document.grade)
        };
        // Chosen independently: (1 - 1/2)/(1/4) = 2.
        assert_eq!(of(Vec::new()), 2.0);
        // Two of four: values 2 and 0 with weights 1/2, their mean 1: 2/1 * (1/2) (1 + 1) = 2. The textbook's: 16 (1 - 2/4) (1/2)/2 = 2.
        assert_eq!(of(vec![0]), 2.0);
        // Of b only one document was left to chance: as if chosen independently, 0 since its grade is.
        assert_eq!(of(vec![0, 1]), 2.0);
        // All of grade 1 and alike: the sample of two has always the same total.
        let kind = JudgementKind::Probabilities;
        let alike = Owned::parse_marked(kind, "1a0.5 1a0.5", "", CollectionFacts::default()).unwrap();
        let alike = alike.drawn_in_fixed_number(vec![0]);
        assert_eq!(variance_of_total(&chosen(&alike.view()).unwrap(), |document| document.grade), 0.0);
    }

    #[test]
    fn a_probability_that_is_none() {
        for bad in ["1a0", "1a1.5", "1"] {
            assert_eq!(of(bad, "").unwrap_err(), NO_PROBABILITY, "{bad}");
            assert_eq!(of("", bad).unwrap_err(), NO_PROBABILITY, "{bad}");
        }
    }
}
