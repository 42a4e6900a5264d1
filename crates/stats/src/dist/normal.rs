//! The standard normal distribution.
//!
//! The one decision: everything comes from `libm::erfc`, which keeps full relative precision to z = 37 and does not
//! depend on the machine's C library.

use super::{OutOfRange, open_probability, point};
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2, TAU};

/// Probability below z.
pub fn cdf(z: f64) -> Result<f64, OutOfRange> {
    sf(-z)
}

/// Probability above z.
pub fn sf(z: f64) -> Result<f64, OutOfRange> {
    point(z).map(upper)
}

/// Probability of a value at least as far from zero as z, on either side.
pub fn two_sided(z: f64) -> Result<f64, OutOfRange> {
    point(z).map(|z| libm::erfc(z.abs() * FRAC_1_SQRT_2))
}

/// The point with probability p below it, for p above 0 and below 1.
pub fn quantile(p: f64) -> Result<f64, OutOfRange> {
    open_probability(p).map(|p| if p <= 0.5 { -above_median(p) } else { above_median(1.0 - p) })
}

/// The point with probability p above it; for p near 0 more precise than `quantile(1 − p)`.
pub fn upper_quantile(p: f64) -> Result<f64, OutOfRange> {
    quantile(p).map(|z| -z)
}

fn upper(z: f64) -> f64 {
    0.5 * libm::erfc(z * FRAC_1_SQRT_2)
}

fn density(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / TAU.sqrt()
}

/// z ≥ 0 with probability p ≤ ½ above it.
fn above_median(p: f64) -> f64 {
    if p >= 0.5 {
        return 0.0;
    }
    // Abramowitz & Stegun 26.2.23 is right to 4.5e-4; Newton squares that error at each step.
    let t = (-2.0 * libm::log(p)).sqrt();
    let top = 2.515517 + t * (0.802853 + t * 0.010328);
    let mut z = t - top / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for _ in 0..4 {
        z -= if p > 0.25 {
            // Near the median solve erf(z/√2) = 1 − 2p, both sides exact, so that a tiny z keeps its digits.
            (libm::erf(z / SQRT_2) - (1.0 - 2.0 * p)) / (2.0 * density(z))
        } else {
            let tail = upper(z);
            (libm::log(p) - libm::log(tail)) * tail / density(z)
        };
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landmarks() {
        // Half on each side; the two-sided 5 % point is the textbook 1.959963984540054.
        assert_eq!((cdf(0.0), quantile(0.5)), (Ok(0.5), Ok(0.0)));
        assert!((upper_quantile(0.025).unwrap() - 1.959963984540054).abs() < 1e-15);
        assert_eq!((sf(f64::INFINITY), cdf(f64::INFINITY)), (Ok(0.0), Ok(1.0)));
        assert!(quantile(0.0).is_err() && quantile(1.0).is_err());
    }
}
