//! A score somebody published: p, RBP, and the residual if one was printed. Checked once, here.

use super::ROUNDING;
use super::depth::significant_ranks;
use super::error::PublishedError;
use super::possible::{Possible, possible};
use super::printed::Printed;

/// A published RBP score. Whether a single ranking can have it is another question ([`PublishedScore::check_binary`]): a mean over topics
/// may lie where no ranking does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedScore {
    persistence: f64,
    score: Printed,
    residual: Option<Printed>,
}

impl PublishedScore {
    /// Checks what was printed.
    ///
    /// # Errors
    /// p is no persistence, or score and residual exceed 1 together.
    pub fn new(persistence: f64, score: Printed, residual: Option<Printed>) -> Result<PublishedScore, PublishedError> {
        check_persistence(persistence)?;
        let published = PublishedScore { persistence, score, residual };
        let at_least = score.low() + residual.map_or(0.0, |residual| residual.low());
        if at_least > 1.0 + ROUNDING {
            return Err(PublishedError::AboveOne {
                score: score.value,
                residual: residual.map_or(0.0, |residual| residual.value),
            });
        }
        Ok(published)
    }

    /// Whether a single ranking with binary relevance can have this score.
    ///
    /// # Errors
    /// None has; names the nearest scores that can be.
    pub fn check_binary(&self) -> Result<(), PublishedError> {
        let (p, score) = (self.persistence, self.score);
        match possible(p, score.low(), score.high()) {
            Possible::Yes => Ok(()),
            Possible::No { below, above } => {
                Err(PublishedError::NoBinaryRanking { score: score.value, p, below, above })
            }
        }
    }

    /// p.
    pub fn persistence(&self) -> f64 {
        self.persistence
    }

    /// The score as printed.
    pub fn score(&self) -> Printed {
        self.score
    }

    /// The residual as printed.
    pub fn residual(&self) -> Option<Printed> {
        self.residual
    }

    /// The finest unit that was printed.
    pub fn precision(&self) -> f64 {
        self.residual.map_or(self.score.unit, |residual| residual.unit.min(self.score.unit))
    }

    /// How many ranks the printed digits can show.
    pub fn depth(&self) -> usize {
        significant_ranks(self.persistence, self.precision())
    }

    /// What the score may come to at its own p, once everything is judged: from the least number the printed score
    /// stands for to the greatest with all of the residual gained.
    pub fn judged(&self) -> (f64, f64) {
        let gained = self.residual.map_or(0.0, |residual| residual.high());
        (self.score.low(), (self.score.high() + gained).min(1.0))
    }
}

/// The p nearest to 1 that is taken: its rankings have tens of millions of ranks.
const NEAREST: f64 = 0.999_999;

/// Whether a number can be a persistence.
///
/// # Errors
/// It cannot.
pub fn check_persistence(persistence: f64) -> Result<(), PublishedError> {
    if persistence > NEAREST && persistence < 1.0 {
        Err(PublishedError::PersistenceTooHigh { p: persistence, highest: NEAREST })
    } else if persistence > 0.0 && persistence < 1.0 {
        Ok(())
    } else {
        Err(PublishedError::Persistence(persistence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(p: f64, score: &str, residual: Option<&str>) -> Result<PublishedScore, PublishedError> {
        let parse = |text| Printed::parse(text, None).unwrap();
        PublishedScore::new(p, parse(score), residual.map(parse))
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_could() {
        // Section 6: at p = 0.2 rank 1 weighs 0.8 and all others 0.2: nothing lies between.
        let binary = |p, text| score(p, text, None).unwrap().check_binary();
        let refused = binary(0.2, "0.5").unwrap_err();
        let PublishedError::NoBinaryRanking { below, above, .. } = refused else { panic!("{refused:?}") };
        assert!((below - 0.2).abs() < 1e-12 && (above - 0.8).abs() < 1e-12, "{below} {above}");
        // 0.2 and 0.8 themselves can be: 0111..., 1000...
        assert!(binary(0.2, "0.2").is_ok() && binary(0.2, "0.80").is_ok() && binary(0.5, "0.5").is_ok());
        for p in [0.0, 1.0, -0.5, f64::NAN, 2.0] {
            let refused = score(p, "0.5", None).unwrap_err();
            assert!(matches!(refused, PublishedError::Persistence(_)), "{p}: {refused:?}");
        }
        assert_eq!(score(0.8, "0.90", Some("0.20")), Err(PublishedError::AboveOne { score: 0.9, residual: 0.2 }));
        // 0.67 + 0.34 may be 0.666 + 0.334, rounded.
        assert!(score(0.8, "0.67", Some("0.34")).is_ok());
    }

    #[test]
    fn the_residual_can_only_be_gained() {
        let (low, high) = score(0.8, "0.42", Some("0.010")).unwrap().judged();
        assert!((low - 0.415).abs() < 1e-12 && (high - (0.425 + 0.0105)).abs() < 1e-12);
    }
}
