//! The regularized incomplete beta function I_x(a, b), behind the t, F, beta and binomial distributions.
//!
//! The one decision: the caller gives x and y = 1 − x separately, because each loses digits when
//! taken from the other, and the continued fraction always runs on the side of the mean where it converges fast.

use super::{Tails, saddle, solve, solve::LIMIT};

/// Both tails of Beta(a, b) at x, with y = 1 − x.
pub(super) fn tails(a: f64, b: f64, x: f64, y: f64) -> Tails {
    if x <= 0.0 {
        Tails::AT_BOTTOM
    } else if y <= 0.0 {
        Tails::AT_TOP
    } else if a * y >= b * x {
        let lower = lower_tail(a, b, x, y);
        Tails { lower, upper: 1.0 - lower }
    } else {
        tails(b, a, y, x).swapped()
    }
}

/// I_x(a, b) for x ≤ a/(a+b) by the continued fraction of Didonato and Morris (1992, TOMS 18, eq. 9).
fn lower_tail(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let density = saddle::beta_density(a, b, x, y);
    if density <= 0.0 {
        return 0.0;
    }
    let excess = a * y - b * x + 1.0;
    let fraction = solve::continued_fraction(|m| {
        let odd = a + 2.0 * m - 1.0;
        // Zero at m = 0, where `odd` is zero too when a = 1.
        let through = if m > 0.0 { m * (b - m) * x / odd } else { 0.0 };
        let numerator = (a + m - 1.0) * (a + b + m - 1.0) * x * through / odd;
        (numerator, m + through + (a + m) * (excess + m * (1.0 + y)) / (odd + 2.0))
    });
    (density / fraction).min(1.0)
}

/// The log-odds u = ln(x/y) at which the lower (or upper) tail of Beta(a, b) equals `target`.
///
/// In log-odds the beta density is log-concave, so Newton on the logarithm of a tail is safe, and
/// x, y and x/y are all recovered to full relative precision. −∞ or ∞ when x or y is below the smallest float.
pub(super) fn log_odds(a: f64, b: f64, target: solve::Target) -> f64 {
    solve::invert(target, -LIMIT, LIMIT, libm::log(a / b), |u| {
        let (x, y) = from_log_odds(u);
        (tails(a, b, x, y), saddle::beta_density(a, b, x, y))
    })
}

/// x = 1/(1+e⁻ᵘ) and y = 1/(1+eᵘ).
pub(super) fn from_log_odds(u: f64) -> (f64, f64) {
    (1.0 / (1.0 + libm::exp(-u)), 1.0 / (1.0 + libm::exp(u)))
}
