//! The regularized incomplete gamma functions P(a, x) and Q(a, x), behind the chi-squared distribution.
//!
//! The one decision: series below the mean, continued fraction above it, both scaled by a saddle-point density, so
//! the small tail is always the one computed.

use super::{Tails, saddle, solve, solve::LIMIT};

/// Both tails of Gamma(a) at x.
pub(super) fn tails(a: f64, x: f64) -> Tails {
    if x <= 0.0 {
        return Tails::AT_BOTTOM;
    }
    let density = saddle::gamma_density(a, x);
    if x < a + 1.0 {
        let lower = (density * series(a, x)).min(1.0);
        Tails { lower, upper: 1.0 - lower }
    } else if density <= 0.0 {
        Tails::AT_TOP
    } else {
        // Legendre's fraction: Q = density / (x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))).
        let fraction = solve::continued_fraction(|m| (m * (a - m), x - a + 1.0 + 2.0 * m));
        let upper = (density / fraction).min(1.0);
        Tails { lower: 1.0 - upper, upper }
    }
}

/// Σ xⁿ / (a (a+1) … (a+n)).
fn series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    let mut next = a;
    while term > sum * 1e-17 {
        next += 1.0;
        term *= x / next;
        sum += term;
    }
    sum
}

/// ln x where the lower (or upper) tail of Gamma(a) equals `target`; −∞ when x is below the smallest float.
pub(super) fn log_point(a: f64, target: solve::Target) -> f64 {
    solve::invert(target, -LIMIT, LIMIT, libm::log(a), |u| {
        let x = libm::exp(u);
        (tails(a, x), saddle::gamma_density(a, x))
    })
}
