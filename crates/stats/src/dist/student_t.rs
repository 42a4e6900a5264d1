//! Student's t distribution, for real degrees of freedom (Welch's are fractional).
//!
//! The one decision: t² / (df + t²) is Beta(½, df/2), and both that share and its complement are computed directly
//! from t, so neither the far tail nor the centre loses digits.

use super::{OutOfRange, check, incomplete_beta, open_probability, representable, shape, solve::Target};

const DF: &str = "degrees of freedom";

/// Probability below t. `df` from 0.01 to 1e10.
pub fn cdf(t: f64, df: f64) -> Result<f64, OutOfRange> {
    sf(-t, df)
}

/// Probability above t. `df` from 0.01 to 1e10.
pub fn sf(t: f64, df: f64) -> Result<f64, OutOfRange> {
    let half = two_sided(t, df)? / 2.0;
    Ok(if t < 0.0 { 1.0 - half } else { half })
}

/// Probability of a value at least as far from zero as t, on either side: the p-value of a two-sided t test.
pub fn two_sided(t: f64, df: f64) -> Result<f64, OutOfRange> {
    let df = shape(DF, df)?;
    check(t.abs() <= 1e150 || t.is_infinite(), "t", t, "a number within ±1e150, or an infinity")?;
    let ratio = (t / df.sqrt()) * (t / df.sqrt());
    let (x, y) = (1.0 / (1.0 + 1.0 / ratio), 1.0 / (1.0 + ratio));
    Ok(incomplete_beta::tails(0.5, df / 2.0, x, y).upper)
}

/// The point with probability p below it, for p above 0 and below 1.
pub fn quantile(p: f64, df: f64) -> Result<f64, OutOfRange> {
    let p = open_probability(p)?;
    let df = shape(DF, df)?;
    let t = if p <= 0.5 { -above_median(p, df) } else { above_median(1.0 - p, df) };
    representable(t)
}

/// The point with probability p above it; for p near 0 more precise than `quantile(1 − p)`.
pub fn upper_quantile(p: f64, df: f64) -> Result<f64, OutOfRange> {
    quantile(p, df).map(|t| -t)
}

/// t ≥ 0 with probability p ≤ ½ above it.
fn above_median(p: f64, df: f64) -> f64 {
    if p >= 0.5 {
        return 0.0;
    }
    let asked = (p.to_bits(), df.to_bits());
    let place = ((asked.0 ^ asked.1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60) as usize;
    let (known, t) = LAST.get()[place];
    if known == asked {
        return t;
    }
    // 1 − 2p is exact for p ≥ ¼, which is where the lower tail of t² is the smaller one.
    let target = if p >= 0.25 { Target::Lower(1.0 - 2.0 * p) } else { Target::Upper(2.0 * p) };
    let t = df.sqrt() * libm::exp(incomplete_beta::log_odds(0.5, df / 2.0, target) / 2.0);
    let mut last = LAST.get();
    last[place] = (asked, t);
    LAST.set(last);
    t
}

/// A probability and degrees of freedom, by their bits, and the quantile.
type Known = ((u64, u64), f64);

thread_local! {
    /// The quantiles last found: thousands of intervals on as many topics ask for the same few. No probability has the bits of (0, 0).
    static LAST: std::cell::Cell<[Known; 16]> = const { std::cell::Cell::new([((0, 0), 0.0); 16]) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        // df 1 is Cauchy: P(T > 1) = ½ − atan(1)/π = ¼. df 2: P(T > t) = ½ − t / (2√(2 + t²)), at t = 2: ½ − 1/√6.
        assert!((sf(1.0, 1.0).unwrap() - 0.25).abs() < 1e-15);
        assert!((sf(2.0, 2.0).unwrap() - (0.5 - 1.0 / 6f64.sqrt())).abs() < 1e-15);
        assert!((quantile(0.75, 1.0).unwrap() - 1.0).abs() < 1e-14);
        assert_eq!(quantile(0.5, 7.0), Ok(0.0));
        assert_eq!(two_sided(f64::INFINITY, 7.0), Ok(0.0));
        assert_eq!(two_sided(0.0, 7.0), Ok(1.0));
    }

    #[test]
    fn a_quantile_too_large_for_a_float_is_an_error_not_infinity() {
        assert!(quantile(1e-12, 0.01).is_err());
    }
}
