//! Resampling whole groups: a statistic of so many times each group.
//!
//! The one decision: the statistic is handed multiplicities, not copies. Replicate i draws from its own stream, so the answer is the
//! same for any number of threads; a replicate without a value is left out, and too many of those are a reason, not an interval.

use crate::dist::{OutOfRange, each_side};
use crate::estimate::{Interval, Method};
use crate::interval::HANDFUL;
use crate::sample::Sample;
use crate::seed::{Seed, Stream};
use std::fmt;

/// The greatest share of replicates that may be without a value.
const UNDEFINED: f64 = 0.05;

/// Why resampling gives nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoResample {
    /// Too few groups to show how they differ.
    TooFew {
        /// Groups given.
        have: usize,
        /// Groups needed.
        need: usize,
    },
    /// Too few replicates for the level: fewer than five would lie beyond each end.
    TooFewResamples {
        /// Replicates asked for.
        have: u32,
        /// Replicates needed.
        need: u32,
    },
    /// More than one replicate in twenty has no value.
    Undefined {
        /// Replicates without a value.
        without: u32,
        /// Replicates drawn.
        resamples: u32,
    },
    /// The confidence level is not a level.
    Level(OutOfRange),
}

impl fmt::Display for NoResample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoResample::TooFew { have, need } => {
                write!(f, "{have} group(s) to resample; an interval needs at least {need}")
            }
            NoResample::TooFewResamples { have, need } => {
                write!(f, "{have} resamples; this confidence level needs at least {need}")
            }
            NoResample::Undefined { without, resamples } => {
                write!(f, "{without} of {resamples} resamples have no value, so the others cannot stand for all")
            }
            NoResample::Level(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NoResample {}

impl From<OutOfRange> for NoResample {
    fn from(error: OutOfRange) -> Self {
        NoResample::Level(error)
    }
}

/// Values of a statistic over replicates.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicates {
    values: Vec<f64>,
    resamples: u32,
}

impl Replicates {
    /// Draws so many replicates; one for which `draw` has no finite value is counted and left out.
    pub fn draw(
        resamples: u32,
        seed: Seed,
        name: &str,
        mut draw: impl FnMut(&mut Stream) -> Option<f64>,
    ) -> Replicates {
        let streams = seed.streams(name);
        let values = (0..resamples).filter_map(|index| draw(&mut streams.at(u64::from(index))));
        Replicates { values: values.filter(|value| value.is_finite()).collect(), resamples }
    }

    /// Replicates without a value.
    pub fn without(&self) -> u32 {
        self.resamples - self.values.len() as u32
    }

    /// The values there are, in the order drawn.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    fn check(&self) -> Result<(), NoResample> {
        let (without, resamples) = (self.without(), self.resamples);
        if self.values.len() < 2 || f64::from(without) > UNDEFINED * f64::from(resamples) {
            return Err(NoResample::Undefined { without, resamples });
        }
        Ok(())
    }

    /// The standard deviation of the values: the bootstrap's standard error.
    ///
    /// # Errors
    /// Too many replicates have no value.
    pub fn std_error(&self) -> Result<f64, NoResample> {
        self.check()?;
        let undefined = NoResample::Undefined { without: self.without(), resamples: self.resamples };
        Sample::new(&self.values).and_then(|sample| sample.sd()).map_err(|_| undefined)
    }

    /// The interval between quantiles of the values (type 7, as NumPy's default).
    ///
    /// # Errors
    /// Too few replicates for the level, or too many without a value.
    pub fn percentile(&self, level: f64) -> Result<Interval, NoResample> {
        let side = each_side(level)?;
        let need = (5.0 / side - 1e-6).ceil();
        if f64::from(self.resamples) < need {
            return Err(NoResample::TooFewResamples { have: self.resamples, need: need as u32 });
        }
        self.check()?;
        let mut sorted = self.values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |p: f64| {
            let place = p * (sorted.len() - 1) as f64;
            let below = place as usize;
            let above = (below + 1).min(sorted.len() - 1);
            sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
        };
        let method = Method::Percentile { resamples: self.resamples };
        Ok(Interval { low: at(side), high: at(1.0 - side), level, method })
    }
}

/// How many times each of `groups` comes up in as many draws with replacement.
pub fn multiplicities(groups: usize, stream: &mut Stream, times: &mut Vec<u32>) {
    times.clear();
    times.resize(groups, 0);
    for _ in 0..groups {
        times[stream.below(groups as u64) as usize] += 1;
    }
}

/// The percentile interval of a statistic of groups drawn with replacement; `statistic` gets how often each group came up.
///
/// # Errors
/// Fewer than a handful of groups, too few replicates, or too many without a value.
pub fn percentile(
    groups: usize,
    statistic: impl Fn(&[u32]) -> Option<f64>,
    resamples: u32,
    level: f64,
    seed: Seed,
) -> Result<Interval, NoResample> {
    if groups < HANDFUL {
        return Err(NoResample::TooFew { have: groups, need: HANDFUL });
    }
    let mut times = Vec::new();
    let replicates = Replicates::draw(resamples, seed, "groups", |stream| {
        multiplicities(groups, stream, &mut times);
        statistic(&times)
    });
    replicates.percentile(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_groups_has_its_standard_error() {
        // Values 0..99: sd of one √(9999/12) = 28.87 (divisor n), of the mean of 100 2.887; the interval is about ± 1.96 of it.
        let mean = |times: &[u32]| {
            let sum: f64 = times.iter().zip(0..).map(|(&times, value)| f64::from(times) * f64::from(value)).sum();
            Some(sum / 100.0)
        };
        let interval = percentile(100, mean, 4000, 0.95, Seed(3)).unwrap();
        assert!((interval.width() - 2.0 * 1.96 * 2.887).abs() < 0.7 && interval.contains(49.5), "{interval:?}");
    }

    #[test]
    fn refusals() {
        assert_eq!(percentile(4, |_| Some(0.0), 1000, 0.95, Seed(1)), Err(NoResample::TooFew { have: 4, need: 5 }));
        let few = percentile(9, |_| Some(0.0), 100, 0.95, Seed(1));
        assert_eq!(few, Err(NoResample::TooFewResamples { have: 100, need: 200 }));
        let none = percentile(9, |_| Some(f64::NAN), 1000, 0.95, Seed(1));
        assert_eq!(none, Err(NoResample::Undefined { without: 1000, resamples: 1000 }));
        assert!(matches!(percentile(9, |_| Some(0.0), 1000, 95.0, Seed(1)), Err(NoResample::Level(_))));
    }
}
