//! The chi-squared distribution.
//!
//! The one decision: it is Gamma(df/2) at x/2, and nothing else is computed here.

use super::{OutOfRange, check, incomplete_gamma, open_probability, representable, shape, solve::Target};

const DF: &str = "degrees of freedom";

/// Probability below x ≥ 0. `df` from 0.01 to 1e10.
pub fn cdf(x: f64, df: f64) -> Result<f64, OutOfRange> {
    Ok(tails(x, df)?.lower)
}

/// Probability above x ≥ 0. `df` from 0.01 to 1e10.
pub fn sf(x: f64, df: f64) -> Result<f64, OutOfRange> {
    Ok(tails(x, df)?.upper)
}

/// The point with probability p below it, for p above 0 and below 1; 0 where the point is below the smallest float.
pub fn quantile(p: f64, df: f64) -> Result<f64, OutOfRange> {
    let target = Target::below(open_probability(p)?);
    representable(2.0 * libm::exp(incomplete_gamma::log_point(shape(DF, df)? / 2.0, target)))
}

fn tails(x: f64, df: f64) -> Result<super::Tails, OutOfRange> {
    let x = check(x >= 0.0, "chi-squared", x, "a number from 0")?;
    Ok(incomplete_gamma::tails(shape(DF, df)? / 2.0, x.min(f64::MAX) / 2.0))
}
