//! Bootstrap intervals of a mean: percentile, and bias-corrected and accelerated (BCa; Efron 1987).
//!
//! The one decision: resample i draws from its own stream (seed, "bootstrap", i), so the interval is a function of sample,
//! level, number of resamples and seed alone. What is resampled are deviations from the mean: their sums are small and
//! a resample that ties with the mean is recognised as a tie, where comparing rounded means would toss a coin.

use super::{NoInterval, check_sample};
use crate::{
    dist::{each_side, normal},
    estimate::{Interval, Method},
    sample::Sample,
    seed::Seed,
    summation::compensated_sum,
};

/// Resamples unless told otherwise.
pub const RESAMPLES: u32 = 10_000;

/// Resamples expected beyond each end of an interval, at the least.
const BEYOND: f64 = 5.0;

/// The bootstrap distribution of a mean, from which intervals at any level are read.
#[derive(Clone, Debug)]
pub struct Bootstrap {
    mean: f64,
    /// Resampled means minus the mean, ascending.
    shifts: Vec<f64>,
    bias: Result<f64, NoInterval>,
    acceleration: f64,
    resamples: u32,
}

/// BCa interval of the mean with [`RESAMPLES`] resamples.
pub fn bca(sample: &Sample<'_>, level: f64, seed: Seed) -> Result<Interval, NoInterval> {
    Bootstrap::new(sample, RESAMPLES, seed)?.bca(level)
}

/// Percentile interval of the mean with [`RESAMPLES`] resamples.
pub fn percentile(sample: &Sample<'_>, level: f64, seed: Seed) -> Result<Interval, NoInterval> {
    Bootstrap::new(sample, RESAMPLES, seed)?.percentile(level)
}

impl Bootstrap {
    /// Draws the resamples. Cost: observations × resamples draws and one sort.
    pub fn new(sample: &Sample<'_>, resamples: u32, seed: Seed) -> Result<Self, NoInterval> {
        check_sample(sample)?;
        if resamples == 0 {
            return Err(NoInterval::TooFewResamples { have: 0, need: 1 });
        }
        let deviations: Vec<f64> = sample.deviations().collect();
        let have = deviations.len();
        let n = u32::try_from(have).map_err(|_| NoInterval::TooMany { have })?;
        let streams = seed.streams("bootstrap");
        let mut shifts: Vec<f64> = (0..resamples)
            .map(|index| {
                let mut sum = 0.0;
                streams.at(u64::from(index)).indices(n, have, |drawn| sum += deviations[drawn]);
                sum / f64::from(n)
            })
            .collect();
        shifts.sort_unstable_by(f64::total_cmp);
        // Deviations are rounded at the scale of the values; shifts within that of zero are ties with the mean.
        let largest = sample.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let bias = bias(&shifts, 4.0 * f64::EPSILON * largest);
        Ok(Bootstrap { mean: sample.mean(), shifts, bias, acceleration: acceleration(&deviations), resamples })
    }

    /// Bias correction z₀: the normal quantile of the share of resampled means below the mean.
    pub fn bias(&self) -> Result<f64, NoInterval> {
        self.bias
    }

    /// Acceleration a: a sixth of the skewness of the jackknife's means.
    pub fn acceleration(&self) -> f64 {
        self.acceleration
    }

    /// Quantiles of the resampled means at (1 − level)/2 on each side.
    pub fn percentile(&self, level: f64) -> Result<Interval, NoInterval> {
        let side = self.side(level)?;
        let method = Method::Percentile { resamples: self.resamples };
        Ok(Interval { low: self.quantile(side), high: self.quantile(1.0 - side), level, method })
    }

    /// Quantiles of the resampled means at levels corrected for bias and skewness (Efron 1987, eq. 2.3).
    pub fn bca(&self, level: f64) -> Result<Interval, NoInterval> {
        let z = normal::upper_quantile(self.side(level)?)?;
        let bias = self.bias?;
        let corrected = |z: f64| {
            let shrink = 1.0 - self.acceleration * (bias + z);
            // A shrink of zero or less would turn the interval inside out.
            if shrink > 0.0 { Ok(normal::cdf(bias + (bias + z) / shrink)?) } else { Err(NoInterval::OneSided) }
        };
        let (low, high) = (self.quantile(corrected(-z)?), self.quantile(corrected(z)?));
        Ok(Interval { low, high, level, method: Method::Bca { resamples: self.resamples } })
    }

    /// The share left outside on each side, if there are resamples enough to find its end.
    fn side(&self, level: f64) -> Result<f64, NoInterval> {
        let side = each_side(level)?;
        let need = (BEYOND / side).ceil();
        if f64::from(self.resamples) < need {
            return Err(NoInterval::TooFewResamples { have: self.resamples, need: need as u32 });
        }
        Ok(side)
    }

    /// Quantile with linear interpolation between order statistics (type 7, as NumPy's default).
    fn quantile(&self, p: f64) -> f64 {
        let place = p * (self.shifts.len() as f64 - 1.0);
        let below = (place as usize).min(self.shifts.len() - 1);
        let above = (below + 1).min(self.shifts.len() - 1);
        let (a, b) = (self.shifts[below], self.shifts[above]);
        self.mean + a + (b - a) * (place - below as f64)
    }
}

/// z₀ = Φ⁻¹(share below, ties counted half).
fn bias(sorted_shifts: &[f64], tie: f64) -> Result<f64, NoInterval> {
    let below = sorted_shifts.partition_point(|&shift| shift < -tie);
    let not_above = sorted_shifts.partition_point(|&shift| shift <= tie);
    let share = (below + not_above) as f64 / (2.0 * sorted_shifts.len() as f64);
    normal::quantile(share).map_err(|_| NoInterval::OneSided)
}

/// a = Σ d³ / (6 (Σ d²)^(3/2)) over jackknife deviations d (Efron 1987, eq. 6.6). For a mean these are the sample's own
/// deviations over n − 1, and the factor cancels.
fn acceleration(deviations: &[f64]) -> f64 {
    let size = compensated_sum(deviations.iter().map(|d| d * d)).sqrt();
    // Divided first: cubes of large or tiny deviations would leave the range of floats.
    compensated_sum(deviations.iter().map(|d| (d / size).powi(3))) / 6.0
}
