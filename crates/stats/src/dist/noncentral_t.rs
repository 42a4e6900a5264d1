//! The noncentral t distribution: what the t statistic does when there is a difference.
//!
//! The one decision: given the estimated standard deviation s (in units of the true one), t is normal; so a tail is the mean of a normal tail
//! over s, and nothing ever cancels. In u = ln s both factors are analytic and die fast, so the trapezoidal rule with a step below their
//! widths has all digits; dividing by the same sum of weights spares the constant of the density.

use super::{OutOfRange, check, normal};

/// Weights below e^−60 of the greatest are left out: tails from about 1e-14 on have nine digits.
const DEPTH: f64 = 60.0;

/// Probability below t, for `df` from 1 to 1e7 and a noncentrality and t within ±1e4.
pub fn cdf(t: f64, df: f64, noncentrality: f64) -> Result<f64, OutOfRange> {
    legal(t, df, noncentrality)?;
    Ok(mean_over_s(t, df, |s| normal::cdf(t * s - noncentrality).unwrap_or(0.0)))
}

/// Probability above t, for `df` from 1 to 1e7 and a noncentrality and t within ±1e4.
pub fn sf(t: f64, df: f64, noncentrality: f64) -> Result<f64, OutOfRange> {
    legal(t, df, noncentrality)?;
    Ok(mean_over_s(t, df, |s| normal::sf(t * s - noncentrality).unwrap_or(0.0)))
}

/// The noncentrality with probability `p` above t: with p = 0.025 the lower end of a 95% interval, with 0.975 the upper one.
pub fn noncentrality(t: f64, df: f64, p: f64) -> Result<f64, OutOfRange> {
    super::open_probability(p)?;
    legal(t, df, 0.0)?;
    // More noncentrality, more above t. The spread of t at noncentrality d is about √(1 + d²/2df).
    let (mut low, mut high) = (t, t);
    let mut reach = 1.0 + t.abs() / df.sqrt();
    while sf(t, df, low)? > p {
        low -= reach;
        reach *= 2.0;
    }
    let mut reach = 1.0 + t.abs() / df.sqrt();
    while sf(t, df, high)? < p {
        high += reach;
        reach *= 2.0;
    }
    // Halving: 60 steps leave less than a unit in the last place.
    for _ in 0..60 {
        let middle = low + (high - low) / 2.0;
        if sf(t, df, middle)? < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low + (high - low) / 2.0)
}

fn legal(t: f64, df: f64, noncentrality: f64) -> Result<(), OutOfRange> {
    check((1.0..=1e7).contains(&df), "degrees of freedom", df, "a number from 1 to 1e7")?;
    check(t.abs() <= 1e4, "t", t, "a number within ±1e4")?;
    check(noncentrality.abs() <= 1e4, "noncentrality", noncentrality, "a number within ±1e4")?;
    Ok(())
}

/// The mean of `value(s)` where df s² is chi-squared with df degrees of freedom.
fn mean_over_s(t: f64, df: f64, value: impl Fn(f64) -> f64) -> f64 {
    // Log density of u = ln s, less its greatest value, which is at 0: df (u − (e^2u − 1)/2).
    let log_weight = |u: f64| df * (u - libm::expm1(2.0 * u) / 2.0);
    // Where it is −DEPTH: on the left at the furthest −(DEPTH/df + ½), on the right √(DEPTH/df).
    let (left, right) = (edge(-(DEPTH / df + 0.5), log_weight), edge((DEPTH / df).sqrt(), log_weight));
    // The widths of the two factors: 1/√(2 df) of the weight, 1/(t s) of the normal tail. For a bell of width w a step of w / 4 errs
    // by e^(−2π² 4²).
    let step = (1.0 / (2.0 * df).sqrt()).min(1.0 / (1.0 + t.abs())) / 4.0;
    let steps = ((right - left) / step).ceil();
    let step = (right - left) / steps;
    let (mut total, mut weights) = (0.0, 0.0);
    for place in 0..=steps as u64 {
        let u = left + place as f64 * step;
        let weight = libm::exp(log_weight(u));
        weights += weight;
        total += weight * value(libm::exp(u));
    }
    total / weights
}

/// The point between 0 and `far` where the log weight falls to −DEPTH, or somewhat beyond.
fn edge(far: f64, log_weight: impl Fn(f64) -> f64) -> f64 {
    let (mut near, mut far) = (0.0, far);
    for _ in 0..10 {
        let middle = near + (far - near) / 2.0;
        if log_weight(middle) > -DEPTH {
            near = middle;
        } else {
            far = middle;
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::student_t;

    #[test]
    fn without_noncentrality_it_is_students() {
        for df in [1.0, 2.0, 7.5, 49.0, 1e4, 1e7] {
            for t in [-3.0, -0.4, 0.0, 1.3, 6.0] {
                let (found, expected) = (sf(t, df, 0.0).unwrap(), student_t::sf(t, df).unwrap());
                assert!((found / expected - 1.0).abs() < 1e-10, "{t} {df}: {found} {expected}");
            }
        }
    }

    #[test]
    fn at_zero_it_is_the_normal() {
        // t < 0 exactly when the normal part is: P(T < 0) = Φ(−noncentrality).
        for (df, noncentrality) in [(1.0, 0.7), (24.0, 2.5), (49.0, -1.0)] {
            let expected = normal::cdf(-noncentrality).unwrap();
            assert!((cdf(0.0, df, noncentrality).unwrap() / expected - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_noncentrality_is_found_again() {
        for (t, df, p) in
            [(2.5, 24.0, 0.025), (2.5, 24.0, 0.975), (-1.0, 3.0, 0.05), (0.0, 9.0, 0.5), (40.0, 49.0, 0.975)]
        {
            let found = noncentrality(t, df, p).unwrap();
            assert!((sf(t, df, found).unwrap() - p).abs() < 1e-12, "{t} {df} {p}: {found}");
        }
        assert!(
            noncentrality(1.0, 5.0, 0.0).is_err() && sf(1.0, 0.5, 0.0).is_err() && cdf(f64::NAN, 5.0, 0.0).is_err()
        );
        assert!(sf(1.0, 5.0, f64::NAN).is_err() && sf(1e9, 5.0, 0.0).is_err());
    }
}
