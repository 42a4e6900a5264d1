//! The binomial distribution, and the Clopper-Pearson interval of a share.
//!
//! The one decision: P(X > k) is a tail of Beta(k+1, n−k) at p; sums of terms are left to the tests.

use super::{OutOfRange, Tails, beta, check, closed_probability, each_side, incomplete_beta, open_probability};
use crate::estimate::{Interval, Method};

/// Rounding allowed when a cumulative probability equals the one asked for, as it does exactly at p = ½.
const FUZZ: f64 = 64.0 * f64::EPSILON;

/// Probability of at most `k` successes in `n` trials (n to 1e10) that each succeed with probability `p`.
pub fn cdf(k: u64, n: u64, p: f64) -> Result<f64, OutOfRange> {
    Ok(tails(k, trials(n)?, closed_probability(p)?).lower)
}

/// Probability of more than `k` successes. "At least k" is `sf(k − 1, n, p)`.
pub fn sf(k: u64, n: u64, p: f64) -> Result<f64, OutOfRange> {
    Ok(tails(k, trials(n)?, closed_probability(p)?).upper)
}

/// The least number of successes k with `cdf(k, n, p) ≥ q`, for q above 0 and below 1.
pub fn quantile(q: f64, n: u64, p: f64) -> Result<u64, OutOfRange> {
    let (q, n, p) = (open_probability(q)?, trials(n)?, closed_probability(p)?);
    let enough = |k| {
        let tails = tails(k, n, p);
        // Compared on the smaller tail, where a probability near 1 is still told from 1.
        if q <= 0.5 { tails.lower >= q * (1.0 - FUZZ) } else { tails.upper <= (1.0 - q) * (1.0 + FUZZ) }
    };
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if enough(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(low)
}

/// Clopper and Pearson's interval of a share after `successes` in `trials`: covers at least `level`, whatever the share.
pub fn clopper_pearson(successes: u64, n: u64, level: f64) -> Result<Interval, OutOfRange> {
    check(n > 0, "trials", n as f64, "at least 1")?;
    clopper_pearson_worth(successes, trials(n)?, n as f64, level)
}

/// The same where `n` trials are worth only so many independent ones (Korn and Graubard 1998).
pub fn clopper_pearson_worth(successes: u64, n: u64, worth: f64, level: f64) -> Result<Interval, OutOfRange> {
    let side = each_side(level)?;
    let (k, rest) = shared_out(successes, n, worth)?;
    let low = if successes == 0 { 0.0 } else { beta::quantile(side, k, rest + 1.0)? };
    let high = if successes == n { 1.0 } else { beta::upper_quantile(side, k + 1.0, rest)? };
    Ok(Interval { low, high, level, method: Method::ClopperPearson })
}

/// Jeffreys' interval of a share: quantiles of Beta(successes + ½, failures + ½), with 0 and 1 as ends where none or all
/// succeeded (Brown, Cai and DasGupta 2001). Shorter than Clopper-Pearson's; covers `level` in the mean over shares.
pub fn jeffreys(successes: u64, n: u64, level: f64) -> Result<Interval, OutOfRange> {
    check(n > 0, "trials", n as f64, "at least 1")?;
    jeffreys_worth(successes, trials(n)?, n as f64, level)
}

/// The same where `n` trials are worth only so many independent ones.
pub fn jeffreys_worth(successes: u64, n: u64, worth: f64, level: f64) -> Result<Interval, OutOfRange> {
    let side = each_side(level)?;
    let (successful, failed) = shared_out(successes, n, worth)?;
    let (a, b) = (successful + 0.5, failed + 0.5);
    let low = if successes == 0 { 0.0 } else { beta::quantile(side, a, b)? };
    let high = if successes == n { 1.0 } else { beta::upper_quantile(side, a, b)? };
    Ok(Interval { low, high, level, method: Method::Jeffreys })
}

/// Successes and failures among the independent trials that all are worth.
fn shared_out(successes: u64, n: u64, worth: f64) -> Result<(f64, f64), OutOfRange> {
    check(successes <= n, "successes", successes as f64, "at most the number of trials")?;
    check(worth > 0.0 && worth <= n as f64, "independent trials", worth, "above 0, at most the number of trials")?;
    let each = worth / n as f64;
    Ok((successes as f64 * each, (n - successes) as f64 * each))
}

fn trials(n: u64) -> Result<u64, OutOfRange> {
    check(n <= 10_000_000_000, "trials", n as f64, "a count to 1e10").map(|_| n)
}

fn tails(k: u64, n: u64, p: f64) -> Tails {
    if k >= n {
        return Tails::AT_TOP;
    }
    incomplete_beta::tails(k as f64 + 1.0, (n - k) as f64, p, 1.0 - p).swapped()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_coins() {
        // Three fair coins: 1, 3, 3, 1 eighths.
        for (k, below) in [(0, 0.125), (1, 0.5), (2, 0.875), (3, 1.0)] {
            assert!((cdf(k, 3, 0.5).unwrap() - below).abs() < 1e-15);
            assert!((sf(k, 3, 0.5).unwrap() - (1.0 - below)).abs() < 1e-15);
        }
        // cdf(1) is exactly ½, so one success is enough; a hair above needs two.
        assert_eq!(quantile(0.5, 3, 0.5), Ok(1));
        assert_eq!(quantile(0.500_001, 3, 0.5), Ok(2));
        assert_eq!(quantile(0.875, 3, 0.5), Ok(2));
        assert_eq!((quantile(0.3, 3, 0.0), quantile(0.3, 3, 1.0)), (Ok(0), Ok(3)));
    }

    #[test]
    fn clopper_pearson_ends() {
        // No success in n: the upper end solves (1 − p)ⁿ = 0.025, so p = 1 − 0.025^(1/10) for n = 10.
        let interval = clopper_pearson(0, 10, 0.95).unwrap();
        assert_eq!(interval.low, 0.0);
        assert!((interval.high - (1.0 - 0.025f64.powf(0.1))).abs() < 1e-14);
        // All successes mirror it.
        let mirror = clopper_pearson(10, 10, 0.95).unwrap();
        assert!((mirror.low - (1.0 - interval.high)).abs() < 1e-14);
        assert_eq!(mirror.high, 1.0);
        // Jeffreys lies within: 5 of 10 is symmetric about ½, its lower end SciPy's beta.ppf(.025, 5.5, 5.5).
        let (jeffreys, exact) = (jeffreys(5, 10, 0.95).unwrap(), clopper_pearson(5, 10, 0.95).unwrap());
        assert!(
            (jeffreys.low + jeffreys.high - 1.0).abs() < 1e-12
                && jeffreys.low > exact.low
                && jeffreys.high < exact.high
        );
        assert!((jeffreys.low - 0.2235287).abs() < 1e-6, "{jeffreys:?}");
        assert!(clopper_pearson(3, 2, 0.95).is_err() && clopper_pearson(0, 0, 0.95).is_err());
    }
}
