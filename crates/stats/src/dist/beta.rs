//! The beta distribution.
//!
//! The one decision: quantiles are found in log-odds, so a quantile of 1e-24 has as many digits as one of 0.5.

use super::{OutOfRange, check, incomplete_beta, open_probability, shape, solve::Target};

/// Probability below x, 0 ≤ x ≤ 1. Both shapes from 0.01 to 1e10.
pub fn cdf(x: f64, a: f64, b: f64) -> Result<f64, OutOfRange> {
    Ok(tails(x, a, b)?.lower)
}

/// Probability above x, 0 ≤ x ≤ 1. Both shapes from 0.01 to 1e10.
pub fn sf(x: f64, a: f64, b: f64) -> Result<f64, OutOfRange> {
    Ok(tails(x, a, b)?.upper)
}

/// The point with probability p below it, for p above 0 and below 1; 0 where the point is below the smallest float.
pub fn quantile(p: f64, a: f64, b: f64) -> Result<f64, OutOfRange> {
    invert(Target::below(open_probability(p)?), a, b)
}

/// The point with probability p above it; for p near 0 more precise than `quantile(1 − p)`.
pub fn upper_quantile(p: f64, a: f64, b: f64) -> Result<f64, OutOfRange> {
    let p = open_probability(p)?;
    invert(if p <= 0.5 { Target::Upper(p) } else { Target::Lower(1.0 - p) }, a, b)
}

fn invert(target: Target, a: f64, b: f64) -> Result<f64, OutOfRange> {
    let (a, b) = (shape("first shape", a)?, shape("second shape", b)?);
    Ok(incomplete_beta::from_log_odds(incomplete_beta::log_odds(a, b, target)).0)
}

fn tails(x: f64, a: f64, b: f64) -> Result<super::Tails, OutOfRange> {
    let x = check((0.0..=1.0).contains(&x), "share", x, "a number from 0 to 1")?;
    Ok(incomplete_beta::tails(shape("first shape", a)?, shape("second shape", b)?, x, 1.0 - x))
}
