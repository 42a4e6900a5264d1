//! A score somebody published: p, RBP, and the residual if one was printed. Checked once, here.

use super::ROUNDING;
use super::depth::significant_ranks;
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
    pub fn new(persistence: f64, score: Printed, residual: Option<Printed>) -> Result<PublishedScore, String> {
        check_persistence(persistence)?;
        let published = PublishedScore { persistence, score, residual };
        let at_least = score.low() + residual.map_or(0.0, |residual| residual.low());
        if at_least > 1.0 + ROUNDING {
            return Err(format!(
                "the score {} and the residual {} are {} together; expected at most 1, because the residual is what the \
                 score could still gain",
                score.value,
                residual.map_or(0.0, |residual| residual.value),
                shortest(score.value + residual.map_or(0.0, |residual| residual.value)),
            ));
        }
        Ok(published)
    }

    /// Whether a single ranking with binary relevance can have this score.
    ///
    /// # Errors
    /// None has; names the nearest scores that can be.
    pub fn check_binary(&self) -> Result<(), String> {
        let (p, score) = (self.persistence, self.score);
        match possible(p, score.low(), score.high()) {
            Possible::Yes => Ok(()),
            Possible::No { below, above } => Err(format!(
                "no ranking with binary relevance has RBP {} at p={p}; the nearest possible scores are {} and {} (below p=0.5 a rank \
                 weighs more than all ranks below it, which leaves gaps)",
                score.value,
                shortest(below),
                shortest(above)
            )),
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
/// Says what was expected.
pub fn check_persistence(persistence: f64) -> Result<(), String> {
    if persistence > NEAREST && persistence < 1.0 {
        let found = format!("p is {persistence}; expected at most {NEAREST}");
        Err(format!("{found}: scores at a p nearer to 1 depend on millions of ranks, which no list has"))
    } else if persistence > 0.0 && persistence < 1.0 {
        Ok(())
    } else {
        Err(format!("p is {persistence}; expected a number above 0 and below 1"))
    }
}

/// At most six digits, as few as say the number.
pub(super) fn shortest(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(p: f64, score: &str, residual: Option<&str>) -> Result<PublishedScore, String> {
        let parse = |text| Printed::parse(text, None).unwrap();
        PublishedScore::new(p, parse(score), residual.map(parse))
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_could() {
        // Section 6: at p = 0.2 rank 1 weighs 0.8 and all others 0.2: nothing lies between.
        let binary = |p, text| score(p, text, None).unwrap().check_binary();
        let refused = binary(0.2, "0.5").unwrap_err();
        assert!(refused.contains("the nearest possible scores are 0.2 and 0.8"), "{refused}");
        // 0.2 and 0.8 themselves can be: 0111..., 1000...
        assert!(binary(0.2, "0.2").is_ok() && binary(0.2, "0.80").is_ok() && binary(0.5, "0.5").is_ok());
        for p in [0.0, 1.0, -0.5, f64::NAN, 2.0] {
            assert!(score(p, "0.5", None).unwrap_err().starts_with("p is"), "{p}");
        }
        assert!(score(0.8, "0.90", Some("0.20")).unwrap_err().contains("are 1.1 together"));
        // 0.67 + 0.34 may be 0.666 + 0.334, rounded.
        assert!(score(0.8, "0.67", Some("0.34")).is_ok());
    }

    #[test]
    fn the_residual_can_only_be_gained() {
        let (low, high) = score(0.8, "0.42", Some("0.010")).unwrap().judged();
        assert!((low - 0.415).abs() < 1e-12 && (high - (0.425 + 0.0105)).abs() < 1e-12);
    }
}
