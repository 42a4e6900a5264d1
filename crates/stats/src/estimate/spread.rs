//! Spread: how far chance may have carried a number, split by where the chance came from.
//!
//! The one decision: a source nobody has looked at is unknown, and unknown is not zero. A source that was looked at and
//! cannot move the number has variance 0, which is knowledge.

use std::fmt;

/// Where uncertainty comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// These topics rather than others were asked.
    Topics,
    /// Documents nobody judged.
    Unjudged,
    /// Judges who err or disagree.
    Judges,
    /// Only a random part was judged, by design.
    JudgementSampling,
    /// Inputs that were published rounded.
    Rounding,
    /// Our own finite number of random draws.
    MonteCarlo,
}

impl Source {
    /// All sources, in the order they are reported.
    pub const ALL: [Source; 6] = [
        Source::Topics,
        Source::Unjudged,
        Source::Judges,
        Source::JudgementSampling,
        Source::Rounding,
        Source::MonteCarlo,
    ];

    /// The name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Source::Topics => "topics",
            Source::Unjudged => "unjudged",
            Source::Judges => "judges",
            Source::JudgementSampling => "judgement_sampling",
            Source::Rounding => "rounding",
            Source::MonteCarlo => "monte_carlo",
        }
    }
}

/// Variances by source; each is known (perhaps zero) or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Spread {
    variances: [Option<f64>; Source::ALL.len()],
}

/// A number that cannot be a variance: negative or not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotVariance(pub f64);

impl fmt::Display for NotVariance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "variance {}; expected a finite number from 0", self.0)
    }
}

impl std::error::Error for NotVariance {}

impl Spread {
    /// Nothing known about any source.
    pub fn unknown() -> Self {
        Spread::default()
    }

    /// The same spread with the variance due to `source` now known, replacing what was there.
    pub fn with(mut self, source: Source, variance: f64) -> Result<Self, NotVariance> {
        if !(variance.is_finite() && variance >= 0.0) {
            return Err(NotVariance(variance));
        }
        self.variances[source as usize] = Some(variance);
        Ok(self)
    }

    /// Variance due to one source; `None` if unknown.
    pub fn variance_of(&self, source: Source) -> Option<f64> {
        self.variances[source as usize]
    }

    /// The known sources with their variances.
    pub fn known(&self) -> impl Iterator<Item = (Source, f64)> + '_ {
        Source::ALL.into_iter().filter_map(|source| Some((source, self.variance_of(source)?)))
    }

    /// The sources nobody has looked at; whoever prints a standard error names these beside it.
    pub fn unknown_sources(&self) -> impl Iterator<Item = Source> + '_ {
        Source::ALL.into_iter().filter(|&source| self.variance_of(source).is_none())
    }

    /// Root of the sum of the known variances: at least this much. `None` if no source is known.
    pub fn std_error(&self) -> Option<f64> {
        let sum = self.known().map(|(_, variance)| variance).reduce(|a, b| a + b)?;
        Some(sum.sqrt())
    }

    /// Spread of the sum (or difference) of two independent numbers. A source unknown in either is unknown in the result.
    pub fn plus(&self, other: &Spread) -> Spread {
        Spread { variances: std::array::from_fn(|i| Some(self.variances[i]? + other.variances[i]?)) }
    }

    /// Spread of the number times `factor`.
    pub fn scaled(&self, factor: f64) -> Spread {
        Spread { variances: self.variances.map(|variance| variance.map(|v| v * factor * factor)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_is_not_zero() {
        let topics = Spread::unknown().with(Source::Topics, 9.0).unwrap();
        let both = topics.with(Source::Judges, 16.0).unwrap();
        assert_eq!(Spread::unknown().std_error(), None);
        assert_eq!(topics.std_error(), Some(3.0));
        // √(9 + 16) = 5.
        assert_eq!(both.std_error(), Some(5.0));
        // Judges are unknown in one of the two, hence in the sum; topics 9 + 9 = 18.
        assert_eq!(both.plus(&topics), Spread::unknown().with(Source::Topics, 18.0).unwrap());
        assert_eq!(both.scaled(0.5).std_error(), Some(2.5));
        assert_eq!(both.unknown_sources().count(), 4);
    }

    #[test]
    fn every_source_has_its_own_place_and_name() {
        for (place, source) in Source::ALL.into_iter().enumerate() {
            assert_eq!(source as usize, place);
            assert!(source.name().chars().all(|c| c.is_ascii_lowercase() || c == '_'));
            assert!(Source::ALL[place + 1..].iter().all(|other| other.name() != source.name()));
        }
    }

    #[test]
    fn refusals() {
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(Spread::unknown().with(Source::Topics, bad).is_err());
        }
    }
}
