//! The two numerical loops every distribution shares: a continued fraction and the inversion of a tail.
//!
//! The one decision: inversion solves for the logarithm of the tail that was asked for, by Newton steps kept inside
//! a bracket. The logarithm makes 1e-300 as easy as 0.3; the bracket makes a wrong step harmless.

use super::Tails;

/// Widest bracket in a logarithmic coordinate: beyond it the exponential over- or underflows.
pub(super) const LIMIT: f64 = 708.0;

/// Which tail must have which probability.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Lower(f64),
    Upper(f64),
}

impl Target {
    /// The point with probability p below it, asked of whichever tail is smaller (1 − p is exact for p ≥ ½).
    pub(super) fn below(p: f64) -> Target {
        if p <= 0.5 { Target::Lower(p) } else { Target::Upper(1.0 - p) }
    }
}

/// b₀ + a₁/(b₁ + a₂/(b₂ + …)) by the modified Lentz algorithm; `term(m)` gives (aₘ, bₘ), and a₀ is ignored.
pub(super) fn continued_fraction(term: impl Fn(f64) -> (f64, f64)) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut value = away_from_zero(term(0.0).1);
    let (mut c, mut d) = (value, 0.0);
    // Steps grow with the square root of the shapes: about 1e5 at the legal limit of 1e10.
    for m in 1..10_000_000 {
        let (numerator, denominator) = term(f64::from(m));
        d = 1.0 / away_from_zero(denominator + numerator * d);
        c = away_from_zero(denominator + numerator / c);
        let change = c * d;
        value *= change;
        // Not tighter: the product of c and d itself rounds by two units in the last place.
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// The u in (low, high) where `at(u)`'s tail meets the target; `at` gives the tails and the density in u.
/// Outside the bracket the answer is −∞ or ∞.
pub(super) fn invert(target: Target, low: f64, high: f64, start: f64, at: impl Fn(f64) -> (Tails, f64)) -> f64 {
    // Signed gap: negative while u is too small, whichever tail is asked for; second is its Newton step.
    let gap = |u: f64| {
        let (tails, density) = at(u);
        let (tail, wanted, sign) = match target {
            Target::Lower(p) => (tails.lower, p, 1.0),
            Target::Upper(p) => (tails.upper, p, -1.0),
        };
        let gap = sign * (libm::log(tail) - libm::log(wanted));
        (gap, gap * tail / density)
    };
    if gap(low).0 > 0.0 {
        return f64::NEG_INFINITY;
    }
    if gap(high).0 < 0.0 {
        return f64::INFINITY;
    }
    let (mut below, mut above, mut u) = (low, high, start.clamp(low, high));
    let mut last_step = f64::INFINITY;
    for _ in 0..500 {
        let (difference, step) = gap(u);
        let size = step.abs();
        // Done when Newton would not move, or when its small steps no longer shrink: then they are rounding.
        if size <= 2e-16 * u.abs().max(1.0) || (size < 1e-10 && size >= last_step / 2.0) {
            break;
        }
        if difference < 0.0 {
            below = u;
        } else {
            above = u;
        }
        let newton = u - step;
        u = if newton > below && newton < above { newton } else { below + (above - below) / 2.0 };
        last_step = size;
    }
    u
}
