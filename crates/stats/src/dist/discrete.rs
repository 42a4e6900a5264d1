//! A distribution on consecutive whole numbers, given by its chances, and draws from it.
//!
//! The one decision: a draw inverts running sums found with a guide table, one uniform number each. Chances come from additions,
//! multiplications and divisions only, so that one seed gives the same draws on every machine.

use super::{OutOfRange, check, closed_probability};
use crate::seed::Stream;

/// Numbers less likely than this share of the most likely one are left out.
const LEAST: f64 = 1.0 / (1u128 << 80) as f64;
/// Entries of the guide: so many that nearly all of them lie between two running sums, and a draw needs no search.
const GUIDE: usize = 4096;

/// The chances of first, first + 1, ...
#[derive(Clone, Debug)]
pub struct Discrete {
    first: u64,
    below: Vec<f64>,
    guide: Vec<u32>,
}

impl Discrete {
    /// The distribution in which `first + i` has a chance proportional to `weights[i]`.
    ///
    /// # Errors
    /// No weights, or one that is negative or not finite, or all are 0.
    pub fn new(first: u64, weights: &[f64]) -> Result<Discrete, OutOfRange> {
        let total: f64 = weights.iter().sum();
        let bad = weights.iter().copied().find(|weight| !(weight.is_finite() && *weight >= 0.0));
        check(bad.is_none(), "weight", bad.unwrap_or(0.0), "a finite number from 0")?;
        check(total > 0.0 && total.is_finite(), "sum of weights", total, "a number above 0")?;
        let mut sum = 0.0;
        let below: Vec<f64> = weights
            .iter()
            .map(|weight| {
                sum += weight / total;
                sum
            })
            .collect();
        let mut at = 0;
        let start = |entry: usize| {
            while below.get(at).is_some_and(|&sum| sum <= entry as f64 / GUIDE as f64) {
                at += 1;
            }
            at as u32
        };
        let guide = (0..GUIDE).map(start).collect();
        Ok(Discrete { first, below, guide })
    }

    /// Binomial(n, p).
    ///
    /// # Errors
    /// p is no probability, or n is beyond 1e10.
    pub fn binomial(n: u64, p: f64) -> Result<Discrete, OutOfRange> {
        closed_probability(p)?;
        check(n <= 10_000_000_000, "trials", n as f64, "a count to 1e10")?;
        if p == 0.0 || p == 1.0 || n == 0 {
            return Discrete::new(if p == 1.0 { n } else { 0 }, &[1.0]);
        }
        let odds = p / (1.0 - p);
        let mode = (((n + 1) as f64 * p) as u64).min(n);
        // P(k − 1) / P(k) = k / ((n − k + 1) odds), and upwards its inverse, from 1 at the mode.
        let mut weights = Vec::new();
        let (mut weight, mut k) = (1.0, mode);
        while k > 0 && weight >= LEAST {
            weight *= k as f64 / ((n - k + 1) as f64 * odds);
            weights.push(weight);
            k -= 1;
        }
        weights.reverse();
        weights.push(1.0);
        let first = k;
        (weight, k) = (1.0, mode);
        while k < n && weight >= LEAST {
            weight *= (n - k) as f64 * odds / (k + 1) as f64;
            weights.push(weight);
            k += 1;
        }
        Discrete::new(first, &weights)
    }

    /// How many of independent trials succeed, each with a probability of its own: exact, by adding one trial at a time.
    ///
    /// # Errors
    /// A probability is none.
    pub fn successes(probabilities: &[f64]) -> Result<Discrete, OutOfRange> {
        let mut chances = vec![1.0];
        for &p in probabilities {
            closed_probability(p)?;
            let mut next = vec![0.0; chances.len() + 1];
            for (successes, chance) in chances.iter().enumerate() {
                next[successes] += chance * (1.0 - p);
                next[successes + 1] += chance * p;
            }
            chances = next;
        }
        Discrete::new(0, &chances)
    }

    /// A draw.
    #[inline]
    pub fn draw(&self, stream: &mut Stream) -> u64 {
        self.at(stream.unit())
    }

    /// Two draws from the two halves of one word; chances are then right to 2⁻³².
    #[inline]
    pub fn draw_pair(&self, stream: &mut Stream) -> (u64, u64) {
        const STEP: f64 = 1.0 / (1u64 << 32) as f64;
        let word = stream.next_u64();
        (self.at((word >> 32) as f64 * STEP), self.at((word as u32) as f64 * STEP))
    }

    #[inline]
    fn at(&self, unit: f64) -> u64 {
        let last = self.below.len() - 1;
        let mut at = (self.guide[(unit * GUIDE as f64) as usize] as usize).min(last);
        while at < last && self.below[at] <= unit {
            at += 1;
        }
        self.first + at as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    #[test]
    fn binomial_draws_have_the_binomial_cdf() {
        // The running sums against the tail of the beta distribution, which is another way to them.
        for (n, p) in [(3, 0.5), (59, 43.0 / 59.0), (20_604, 0.6385)] {
            let drawn = Discrete::binomial(n, p).unwrap();
            for (at, below) in drawn.below.iter().enumerate() {
                let exact = super::super::binomial::cdf(drawn.first + at as u64, n, p).unwrap();
                assert!((below - exact).abs() < 1e-12, "{n} {p} {at}: {below} {exact}");
            }
        }
        let mut stream = Seed(1).stream("draw", 0);
        for (n, p, only) in [(5, 0.0, 0), (5, 1.0, 5), (0, 0.3, 0)] {
            assert_eq!(Discrete::binomial(n, p).unwrap().draw(&mut stream), only);
        }
        // 40 000 draws of Binomial(50, .3): mean 15, sd √10.5; five standard errors of the mean are .081.
        let drawn = Discrete::binomial(50, 0.3).unwrap();
        let mean = (0..40_000).map(|_| drawn.draw(&mut stream) as f64).sum::<f64>() / 40_000.0;
        assert!((mean - 15.0).abs() < 0.081, "{mean}");
    }

    #[test]
    fn successes_of_unequal_trials_by_hand() {
        // ½ and ¼: none 3/8, one 1/2 · 3/4 + 1/2 · 1/4 = 1/2, both 1/8.
        let both = Discrete::successes(&[0.5, 0.25]).unwrap();
        assert_eq!(both.below, [0.375, 0.875, 1.0]);
        let mut stream = Seed(1).stream("pair", 0);
        let mut counts = [0u32; 3];
        for _ in 0..20_000 {
            let (a, b) = both.draw_pair(&mut stream);
            counts[a as usize] += 1;
            counts[b as usize] += 1;
        }
        // 40 000 draws: five sd of a count are at most 5 √(40000/4) = 500.
        for (count, expected) in counts.iter().zip([15_000, 20_000, 5_000]) {
            assert!(count.abs_diff(expected) < 500, "{counts:?}");
        }
    }

    #[test]
    fn refusals() {
        assert!(
            Discrete::new(0, &[]).is_err() && Discrete::new(0, &[0.0]).is_err() && Discrete::new(0, &[-1.0]).is_err()
        );
        assert!(Discrete::new(0, &[f64::NAN]).is_err() && Discrete::binomial(3, 1.5).is_err());
        assert!(Discrete::successes(&[0.5, f64::NAN]).is_err());
    }
}
