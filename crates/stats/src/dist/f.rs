//! The F distribution.
//!
//! The one decision: with r = df₁ f / df₂, r/(1+r) is Beta(df₁/2, df₂/2), so a quantile is the exponential of the
//! beta quantile's log-odds and never passes through 1 − x.

use super::{OutOfRange, check, incomplete_beta, open_probability, representable, shape, solve::Target};

/// Probability below f ≥ 0. Both degrees of freedom from 0.01 to 1e10.
pub fn cdf(f: f64, df_above: f64, df_below: f64) -> Result<f64, OutOfRange> {
    Ok(tails(f, df_above, df_below)?.lower)
}

/// Probability above f ≥ 0. Both degrees of freedom from 0.01 to 1e10.
pub fn sf(f: f64, df_above: f64, df_below: f64) -> Result<f64, OutOfRange> {
    Ok(tails(f, df_above, df_below)?.upper)
}

/// The point with probability p below it, for p above 0 and below 1; 0 where the point is below the smallest float.
pub fn quantile(p: f64, df_above: f64, df_below: f64) -> Result<f64, OutOfRange> {
    let target = Target::below(open_probability(p)?);
    let (above, below) = degrees(df_above, df_below)?;
    representable(below / above * libm::exp(incomplete_beta::log_odds(above / 2.0, below / 2.0, target)))
}

fn degrees(df_above: f64, df_below: f64) -> Result<(f64, f64), OutOfRange> {
    Ok((shape("numerator degrees of freedom", df_above)?, shape("denominator degrees of freedom", df_below)?))
}

fn tails(f: f64, df_above: f64, df_below: f64) -> Result<super::Tails, OutOfRange> {
    let f = check(f >= 0.0, "F", f, "a number from 0")?;
    let (above, below) = degrees(df_above, df_below)?;
    let ratio = f * (above / below);
    let (x, y) = (1.0 / (1.0 + 1.0 / ratio), 1.0 / (1.0 + ratio));
    Ok(incomplete_beta::tails(above / 2.0, below / 2.0, x, y))
}
