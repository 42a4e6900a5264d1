//! The true value of a world's metric.

use super::{ClickRate, HeavyUsers, HeavyWorld, Searches};

/// Numbers of searches that are added up one by one; beyond, sums are integrals from ½ before.
const ONE_BY_ONE: u32 = 100_000;

impl HeavyWorld {
    /// Clicks per search or per user, the same in both arms; `None` where the rate depends on searches.
    pub fn truth(&self) -> Option<f64> {
        let HeavyUsers { searches, rate } = self.control;
        let rate = match rate {
            ClickRate::Beta(a, b) => a / (a + b),
            ClickRate::HalfNever => 0.25,
            ClickRate::Some(share) => share,
            ClickRate::Falling => return None,
        };
        Some(if self.per_user { rate * searches.mean() } else { rate })
    }
}

impl Searches {
    /// The mean: the sum of the chances to have more than 0, 1, 2, ... searches.
    fn mean(self) -> f64 {
        let start = f64::from(ONE_BY_ONE) - 0.5;
        match self {
            Searches::One => 1.0,
            Searches::Geometric(mean) => mean,
            Searches::Lognormal(spread) => {
                let more = |k: f64| below((1.0 - libm::log(k)) / spread);
                let near: f64 = (1..ONE_BY_ONE).map(|k| more(f64::from(k))).sum();
                // The mean excess of a lognormal number over `start`.
                let distance = (1.0 - libm::log(start)) / spread;
                let whole = libm::exp(1.0 + 0.5 * spread * spread);
                1.0 + near + whole * below(distance + spread) - start * below(distance)
            }
            Searches::Pareto(alpha) => {
                // 2 for certain; k or more with chance (2/k)^α.
                let near: f64 = (3..ONE_BY_ONE).map(|k| libm::pow(2.0 / f64::from(k), alpha)).sum();
                2.0 + near + libm::pow(2.0 / start, alpha) * start / (alpha - 1.0)
            }
        }
    }
}

/// The chance of a standard normal number below this.
fn below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_stats::Seed;

    #[test]
    fn means_are_those_of_many_users() {
        for searches in [Searches::Geometric(5.0), Searches::Lognormal(1.0), Searches::Pareto(3.0), Searches::One] {
            let users = HeavyUsers { searches, rate: ClickRate::HalfNever };
            let mut stream = Seed(3).stream("mean", 0);
            let mean = (0..200_000).map(|_| users.user(&mut stream).0 as f64).sum::<f64>() / 2e5;
            // Standard deviations are at most 8, so five standard errors are at most .09.
            assert!((mean - searches.mean()).abs() < 0.09, "{searches:?}: {mean} {}", searches.mean());
        }
        // ζ(3/2) = 2.612375: 2 + 2^1.5 (ζ − 1 − 2^−1.5).
        let by_zeta = 2.0 + 2.0 * 2f64.sqrt() * (2.612_375_348_685_488 - 1.0) - 1.0;
        assert!((Searches::Pareto(1.5).mean() / by_zeta - 1.0).abs() < 1e-9);
    }
}
