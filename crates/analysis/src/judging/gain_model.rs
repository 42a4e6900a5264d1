//! What an unjudged document's gain probably is: mean and variance.
//!
//! The one decision: documents that runs rank alike are judged alike. A document's band is how much weight all runs together
//! give it, by powers of two; its gain is like that of the judged documents of its band, drawn towards that of all judged
//! ones where the band has few.

/// Bands of weight: the first is more than half of all the weight a document can have, the last all below 2^-15.
pub(super) const BANDS: usize = 16;

/// How many documents' worth of all judged documents' gains a band starts with.
const BORROWED: f64 = 2.0;

/// Where the gains of unjudged documents come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GainModel {
    /// The greatest gain with this probability, else the least.
    Given(f64),
    /// As the judged documents of the same band.
    Bands,
}

/// The gains judged so far, by band.
#[derive(Debug, Clone)]
pub(super) struct Gains {
    model: GainModel,
    least: f64,
    greatest: f64,
    bands: [Sums; BANDS],
    all: Sums,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: f64,
    gain: f64,
    square: f64,
}

impl Gains {
    pub fn new(model: GainModel, least: f64, greatest: f64) -> Gains {
        // One document of each kind, so that nothing judged yet is not certainty (Laplace's rule).
        let all = Sums { count: 2.0, gain: least + greatest, square: least * least + greatest * greatest };
        Gains { model, least, greatest, bands: [Sums::default(); BANDS], all }
    }

    /// One more judged document.
    pub fn add(&mut self, band: u8, gain: f64) {
        for sums in [&mut self.bands[band as usize], &mut self.all] {
            sums.count += 1.0;
            sums.gain += gain;
            sums.square += gain * gain;
        }
    }

    /// Mean and variance of a document's gain.
    pub fn of(&self, band: u8) -> (f64, f64) {
        if let GainModel::Given(q) = self.model {
            let span = self.greatest - self.least;
            return (self.least + q * span, span * span * q * (1.0 - q));
        }
        let (own, all) = (&self.bands[band as usize], &self.all);
        let pooled = |own_sum: f64, all_sum: f64| (own_sum + BORROWED * all_sum / all.count) / (own.count + BORROWED);
        let mean = pooled(own.gain, all.gain);
        (mean, (pooled(own.square, all.square) - mean * mean).max(0.0))
    }

    /// Whether a judgement changes what is thought of others.
    pub fn learns(&self) -> bool {
        self.model == GainModel::Bands
    }
}

/// The band of a document with this share of the weight it could have.
pub(super) fn band(share: f64) -> u8 {
    let halvings = -share.max(f64::MIN_POSITIVE).log2();
    halvings.clamp(0.0, (BANDS - 1) as f64) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_borrows_from_all() {
        let mut gains = Gains::new(GainModel::Bands, 0.0, 1.0);
        [1.0, 1.0, 1.0, 0.0].into_iter().for_each(|gain| gains.add(3, gain));
        [1.0, 1.0, 0.0, 0.0].into_iter().for_each(|gain| gains.add(5, gain));
        // All: (5 + 1) of (8 + 2) is 0.6. Band 3: (3 + 2 * 0.6) / (4 + 2) = 0.7, variance 0.7 * 0.3. Band 0 has nothing: 0.6.
        let (mean, variance) = gains.of(3);
        assert!((mean - 0.7).abs() < 1e-12 && (variance - 0.21).abs() < 1e-12);
        assert!((gains.of(0).0 - 0.6).abs() < 1e-12);
    }

    #[test]
    fn a_given_probability_is_a_coin() {
        // Gains 0 or 2 with q = 0.25: mean 0.5, variance 4 * 0.25 * 0.75.
        let gains = Gains::new(GainModel::Given(0.25), 0.0, 2.0);
        assert_eq!(gains.of(7), (0.5, 0.75));
    }

    #[test]
    fn bands_are_powers_of_two() {
        assert_eq!([1.0, 0.6, 0.5, 0.3, 0.25, 1e-9, 0.0].map(band), [0, 0, 1, 1, 2, 15, 15]);
    }
}
