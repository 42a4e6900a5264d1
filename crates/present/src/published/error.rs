//! What is wrong with a published score, in words.

use karat_analysis::published::{PublishedError, PublishedScore};
use karat_data::problem::quote;
use karat_report::NumberStyle;

/// What was found, and what was expected instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

/// What was found and what was expected.
pub fn mismatch(error: &PublishedError) -> Mismatch {
    let (found, expected) = match error {
        PublishedError::NotAScore(text) => (quote(text.as_bytes()), "a number from 0 to 1".into()),
        PublishedError::Precision(precision) => {
            (format!("a precision of {precision}"), "a number from 1e-15 to 1, such as 1e-4".into())
        }
        PublishedError::Persistence(p) => (format!("p = {p}"), "a number above 0 and below 1".into()),
        PublishedError::PersistenceTooHigh { p, highest } => {
            (format!("p = {p}"), format!("at most {highest}: closer to 1, scores depend on millions of ranks"))
        }
        PublishedError::AboveOne { score, residual } => (
            format!("score {score} + residual {residual} = {}", shortest(score + residual)),
            "at most 1: the residual is what the score can still gain".into(),
        ),
        PublishedError::NoBinaryRanking { score, p, below, above } => (
            format!("RBP {score} at p={p}, which no ranking with binary relevance has"),
            format!("a possible score (the nearest are {} and {})", shortest(*below), shortest(*above)),
        ),
        PublishedError::TooManyRanks { published, most } => (
            format!(
                "{} ranks at p={} and precision {}",
                published.depth(),
                published.persistence(),
                published.precision()
            ),
            format!("at most {most}; give a coarser --precision"),
        ),
        PublishedError::NoRanking(published) => (
            format!("no ranking has {}", score_text(published)),
            "a score and residual that some ranking has: check p, score and residual, or give a coarser --precision"
                .into(),
        ),
        PublishedError::SearchGaveUp(published) => (
            format!("the search stopped before a ranking with {} was found or excluded", score_text(published)),
            "a smaller search: give a coarser --precision".into(),
        ),
    };
    Mismatch { found, expected }
}

/// The same in one sentence.
pub fn text(error: &PublishedError) -> String {
    if let PublishedError::NoBinaryRanking { score, p, below, above } = error {
        return format!(
            "no ranking with binary relevance has RBP {score} at p={p}; the nearest possible scores are {} and {}",
            shortest(*below),
            shortest(*above)
        );
    }
    let Mismatch { found, expected } = mismatch(error);
    format!("{found}; expected {expected}")
}

fn score_text(published: &PublishedScore) -> String {
    let residual = published.residual().map_or(String::new(), |residual| format!(" and residual {}", residual.value));
    format!("RBP {} at p={}{residual}", published.score().value, published.persistence())
}

/// At most six decimals, without trailing zeros.
fn shortest(value: f64) -> String {
    let text = NumberStyle::Decimals(6).show(value);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_analysis::published::Printed;

    #[test]
    fn errors_say_what_would_be_possible() {
        let printed = |text| Printed::parse(text, None).unwrap();
        // p = 0.2: rank 1 weighs 0.8, all ranks below together 0.2; nothing lies between.
        let none = PublishedScore::new(0.2, printed("0.5"), None).unwrap().check_binary().unwrap_err();
        assert!(text(&none).ends_with("the nearest possible scores are 0.2 and 0.8"), "{}", text(&none));
        // 0.9 + 0.2 = 1.1.
        let above = PublishedScore::new(0.8, printed("0.90"), Some(printed("0.20"))).unwrap_err();
        assert!(mismatch(&above).found.ends_with("= 1.1"), "{above:?}");
    }
}
