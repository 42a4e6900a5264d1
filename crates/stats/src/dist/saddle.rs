//! The saddle-point pieces from which binomial-like and Poisson-like densities are built.
//!
//! The one decision: densities are computed as Loader (2000, "Fast and Accurate Computation of Binomial
//! Probabilities") does, never as a difference of large log-gammas. At shapes of 1e5 the log-gammas are near 1e6,
//! and their rounding alone would cost six digits.

use std::f64::consts::TAU;

/// Half the logarithm of 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// Error of Stirling's formula, δ(n) = ln Γ(n+1) − (n + ½) ln n + n − ½ ln 2π, for real n > 0.
fn stirling_error(n: f64) -> f64 {
    if n <= 15.0 {
        return libm::lgamma(n + 1.0) - (n + 0.5) * libm::log(n) + n - HALF_LN_TAU;
    }
    // Bernoulli series; the first term left out is 691/360360 n⁻¹¹, below 3e-16 for n > 15.
    let s = 1.0 / (n * n);
    (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s / 1188.0)))) / n
}

/// Deviance term D(x, m) = x ln(x/m) + m − x, without cancellation when x is near m.
fn deviance(x: f64, m: f64) -> f64 {
    if (x - m).abs() >= 0.1 * (x + m) {
        return x * libm::log(x / m) + m - x;
    }
    // With v = (x−m)/(x+m): ln(x/m) = 2 (v + v³/3 + v⁵/5 + …).
    let v = (x - m) / (x + m);
    let mut sum = (x - m) * v;
    let mut power = 2.0 * x * v;
    for odd in (3..1000).step_by(2) {
        power *= v * v;
        let next = sum + power / f64::from(odd);
        if next.to_bits() == sum.to_bits() {
            break;
        }
        sum = next;
    }
    sum
}

/// xᵃ yᵇ / B(a, b) with y = 1 − x given apart: the beta density in the coordinate ln(x/y).
pub(super) fn beta_density(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let exponent = stirling_error(n) - stirling_error(a) - stirling_error(b) - deviance(a, n * x) - deviance(b, n * y);
    libm::exp(exponent) * (a / n * b / TAU).sqrt()
}

/// xᵃ e⁻ˣ / Γ(a): the gamma density in the coordinate ln x.
pub(super) fn gamma_density(a: f64, x: f64) -> f64 {
    libm::exp(-stirling_error(a) - deviance(a, x)) * (a / TAU).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_cases_by_hand() {
        // B(2,3) = 1!2!/4! = 1/12, so at x = 1/4: (1/16)(27/64)·12 = 324/1024.
        assert!((beta_density(2.0, 3.0, 0.25, 0.75) - 324.0 / 1024.0).abs() < 1e-15);
        // Γ(3) = 2, so at x = 2: 8 e⁻² / 2.
        assert!((gamma_density(3.0, 2.0) - 4.0 * libm::exp(-2.0)).abs() < 1e-15);
    }

    #[test]
    fn stirling_series_meets_the_direct_form() {
        // δ(n) − δ(n+1) = (n + ½) ln(1 + 1/n) − 1 from Γ(n+2) = (n+1) Γ(n+1); at n = 14.5 it spans the switch.
        let step = 15.0 * libm::log1p(1.0 / 14.5) - 1.0;
        assert!((stirling_error(14.5) - stirling_error(15.5) - step).abs() < 2e-14);
    }
}
