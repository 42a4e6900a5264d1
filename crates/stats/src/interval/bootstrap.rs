//! Bootstrap intervals of a mean: percentile, and bias-corrected and accelerated (BCa; Efron 1987).
//!
//! The one decision: resample i draws from its own stream (seed, "bootstrap", i), so the interval is a function of sample,
//! level, number of resamples and seed alone. What is resampled are deviations from the mean: their sums are small and
//! a resample that ties with the mean is recognised as a tie, where comparing rounded means would toss a coin.

use super::{BOOTSTRAP_HANDFUL, HANDFUL, NoInterval, check_sample};
use crate::{
    dist::{each_side, normal},
    estimate::{Interval, Method},
    sample::Sample,
    seed::{Seed, Stream},
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
    /// Least and greatest observation: no mean of observations lies outside.
    range: (f64, f64),
    /// Resampled means minus the mean, in the order drawn.
    shifts: Vec<f64>,
    bias: Result<f64, NoInterval>,
    acceleration: f64,
    resamples: u32,
    observations: usize,
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
    /// Draws the resamples. Cost: observations × resamples draws.
    pub fn new(sample: &Sample<'_>, resamples: u32, seed: Seed) -> Result<Self, NoInterval> {
        check_sample(sample, HANDFUL)?;
        if resamples == 0 {
            return Err(NoInterval::TooFewResamples { have: 0, need: 1 });
        }
        let deviations: Vec<f64> = sample.deviations().collect();
        let have = deviations.len();
        let n = u32::try_from(have).map_err(|_| NoInterval::TooMany { have })?;
        let streams = seed.streams("bootstrap");
        let shifts: Vec<f64> = (0..resamples)
            .map(|index| resampled_sum(&deviations, n, &mut streams.at(u64::from(index))) / f64::from(n))
            .collect();
        // Deviations are rounded at the scale of the values; shifts within that of zero are ties with the mean.
        let largest = sample.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let bias = bias(&shifts, 4.0 * f64::EPSILON * largest);
        let range = sample
            .values()
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &value| (least.min(value), most.max(value)));
        Ok(Bootstrap {
            mean: sample.mean(),
            range,
            shifts,
            bias,
            acceleration: acceleration(&deviations),
            resamples,
            observations: have,
        })
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
        let [low, high] = self.quantiles([side, 1.0 - side]);
        Ok(Interval { low, high, level, method })
    }

    /// Quantiles of the resampled means at levels corrected for bias and skewness (Efron and Tibshirani 1993, eq. 14.10).
    pub fn bca(&self, level: f64) -> Result<Interval, NoInterval> {
        let z = normal::upper_quantile(self.side(level)?)?;
        let bias = self.bias?;
        let corrected = |z: f64| {
            let shrink = 1.0 - self.acceleration * (bias + z);
            // A shrink of zero or less would turn the interval inside out.
            if shrink > 0.0 { Ok(normal::cdf(bias + (bias + z) / shrink)?) } else { Err(NoInterval::OneSided) }
        };
        let [low, high] = self.quantiles([corrected(-z)?, corrected(z)?]);
        Ok(Interval { low, high, level, method: Method::Bca { resamples: self.resamples } })
    }

    /// The share left outside on each side, if there are resamples enough to find its end.
    fn side(&self, level: f64) -> Result<f64, NoInterval> {
        let side = each_side(level)?;
        if self.observations < BOOTSTRAP_HANDFUL {
            return Err(NoInterval::TooFew { have: self.observations, need: BOOTSTRAP_HANDFUL });
        }
        // Less a hair: (1 − 0.9)/2 is just below 0.05 in floats, and should still need 100, not 101.
        let need = (BEYOND / side - 1e-6).ceil();
        if f64::from(self.resamples) < need {
            return Err(NoInterval::TooFewResamples { have: self.resamples, need: need as u32 });
        }
        Ok(side)
    }

    /// Quantiles with linear interpolation between order statistics (type 7, as NumPy's default). Selected, not sorted:
    /// at 50 observations a sort would be a third of the whole cost.
    fn quantiles(&self, probabilities: [f64; 2]) -> [f64; 2] {
        let mut shifts = self.shifts.clone();
        probabilities.map(|p| {
            let last = shifts.len() - 1;
            let place = p * last as f64;
            let below = (place as usize).min(last);
            let (_, &mut low, after) = shifts.select_nth_unstable_by(below, f64::total_cmp);
            let high = after.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
            let found = self.mean + low + (high - low) * (place - below as f64);
            // Rounding alone may carry it out of the data.
            found.clamp(self.range.0, self.range.1)
        })
    }
}

/// Sum of n deviations drawn with replacement. Two running sums, so that an addition need not wait for the one before.
fn resampled_sum(deviations: &[f64], n: u32, stream: &mut Stream) -> f64 {
    let (mut sum, mut other) = (0.0, 0.0);
    for _ in 0..n / 2 {
        let (first, second) = stream.pair_below(n);
        sum += deviations[first as usize];
        other += deviations[second as usize];
    }
    if n % 2 == 1 {
        sum += deviations[stream.pair_below(n).0 as usize];
    }
    sum + other
}

/// z₀ = Φ⁻¹(share below, ties counted half).
fn bias(shifts: &[f64], tie: f64) -> Result<f64, NoInterval> {
    let below = shifts.iter().filter(|&&shift| shift < -tie).count();
    let not_above = shifts.iter().filter(|&&shift| shift <= tie).count();
    let share = (below + not_above) as f64 / (2.0 * shifts.len() as f64);
    normal::quantile(share).map_err(|_| NoInterval::OneSided)
}

/// a = Σ d³ / (6 (Σ d²)^(3/2)) over jackknife deviations d (Efron and Tibshirani 1993, eq. 14.15). For a mean these are the sample's own
/// deviations over n − 1, and the factor cancels.
fn acceleration(deviations: &[f64]) -> f64 {
    let size = compensated_sum(deviations.iter().map(|d| d * d)).sqrt();
    // Divided first: cubes of large or tiny deviations would leave the range of floats.
    compensated_sum(deviations.iter().map(|d| (d / size).powi(3))) / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four zeros and a five: mean 1, deviations −1 (four times) and 4.
    const LOPSIDED: [f64; 5] = [0.0, 0.0, 0.0, 0.0, 5.0];

    #[test]
    fn acceleration_by_hand() {
        // Σd³ = −4 + 64 = 60, Σd² = 4 + 16 = 20, a = 60 / (6 · 20 · √20) = 1 / (2√20).
        let bootstrap = Bootstrap::new(&Sample::new(&LOPSIDED).unwrap(), 1000, Seed(1)).unwrap();
        assert!((bootstrap.acceleration() - 0.5 / 20f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn bias_by_hand() {
        // Two of five below, two ties counted half: share (2 + 4)/10 = 0.6; SciPy 1.17.1 norm.ppf(0.6) = 0.2533471031357997.
        assert!((bias(&[-2.0, -1.0, 0.0, 1e-17, 3.0], 1e-16).unwrap() - 0.2533471031357997).abs() < 1e-15);
        assert_eq!(bias(&[1.0, 2.0], 0.0), Err(NoInterval::OneSided));
        // The resampled mean of LOPSIDED is K ~ Binomial(5, 1/5): share P(K = 0) + P(K = 1)/2 = 0.32768 + 0.2048 = 0.53248,
        // so z₀ = 0.0815. At 100 000 resamples the share's sd is below 0.0016, z₀'s below 0.004; 5 sd = 0.02.
        let bootstrap = Bootstrap::new(&Sample::new(&LOPSIDED).unwrap(), 100_000, Seed(1)).unwrap();
        assert!((bootstrap.bias().unwrap() - normal::quantile(0.53248).unwrap()).abs() < 0.02);
    }

    #[test]
    fn agrees_with_scipy_within_monte_carlo_error() {
        // SciPy 1.17.1, stats.bootstrap((x,), np.mean, n_resamples=1_000_000), rng default_rng(1) and (2):
        // BCa 0.2305..0.502 and 0.2300..0.502, percentile 0.2215..0.4905. Standard error of the mean 0.069, so an end's
        // Monte-Carlo sd at 100 000 resamples is √(0.025·0.975/1e5)/0.85 = 0.0006, with z₀'s share 0.0008; 5 sd = 0.004.
        let x = [
            0.0, 0.02, 0.05, 0.08, 0.11, 0.15, 0.21, 0.22, 0.30, 0.34, 0.41, 0.47, 0.55, 0.62, 0.68, 0.80, 0.91, 1.0,
            0.03, 0.07,
        ];
        let bootstrap = Bootstrap::new(&Sample::new(&x).unwrap(), 100_000, Seed(1)).unwrap();
        let (bca, percentile) = (bootstrap.bca(0.95).unwrap(), bootstrap.percentile(0.95).unwrap());
        for (ours, scipy) in
            [(bca.low, 0.23025), (bca.high, 0.502), (percentile.low, 0.2215), (percentile.high, 0.4905)]
        {
            assert!((ours - scipy).abs() < 0.004, "{ours} against {scipy}");
        }
    }

    #[test]
    fn same_seed_same_interval_and_units_do_not_matter() {
        let x = [0.5, 0.25, 0.75, 1.0, 0.0, 0.53125, 0.125, 0.3828125, 0.0625, 0.9375];
        // Times 1024 and back is exact in binary, so every bit must agree.
        let scaled = x.map(|value| value * 1024.0);
        let (first, second) = (Sample::new(&x).unwrap(), Sample::new(&scaled).unwrap());
        let (a, b) = (bca(&first, 0.9, Seed(5)).unwrap(), bca(&second, 0.9, Seed(5)).unwrap());
        assert_eq!((a.low, a.high), (b.low / 1024.0, b.high / 1024.0));
        assert_eq!(bca(&first, 0.9, Seed(5)), Ok(a));
        assert_ne!(bca(&first, 0.9, Seed(6)), Ok(a));
    }

    #[test]
    fn the_ends_stay_within_the_data() {
        // 48 zeros and 2 ones: the lower end is 0 itself, not 0 less a rounding error.
        let mut values = [0.0; 50];
        values[..2].fill(1.0);
        let interval = bca(&Sample::new(&values).unwrap(), 0.95, Seed(1)).unwrap();
        assert!(interval.low >= 0.0 && interval.high <= 1.0, "{interval:?}");
    }

    #[test]
    fn reasons_instead_of_nan() {
        let of = |values: &[f64]| bca(&Sample::new(values).unwrap(), 0.95, Seed(1));
        assert_eq!(of(&[1.0]), Err(NoInterval::TooFew { have: 1, need: 5 }));
        assert_eq!(of(&[0.3; 50]), Err(NoInterval::Constant { value: 0.3 }));
        assert_eq!(of(&LOPSIDED), Err(NoInterval::TooFew { have: 5, need: 10 }));
        let twice = [LOPSIDED, LOPSIDED].concat();
        let few = Bootstrap::new(&Sample::new(&twice).unwrap(), 100, Seed(1)).unwrap();
        // 5 resamples beyond each end of 95 %: 5 / 0.025 = 200; of 90 %: 5 / 0.05 = 100.
        assert_eq!(few.bca(0.95), Err(NoInterval::TooFewResamples { have: 100, need: 200 }));
        assert!(few.percentile(0.9).is_ok());
        assert!(matches!(few.percentile(1.0), Err(NoInterval::Level(_))));
    }
}
