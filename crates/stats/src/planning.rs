//! What a plan needs next to power: the uncertainty of a pilot's standard deviation, and the level per pair for many pairs.
//!
//! The one decision: Tukey's level per pair is that of many topics (normal scores, spread known). With few topics Tukey's test allows each
//! pair a little more, so a plan made with this level has topics enough, never too few.

use crate::dist::{OutOfRange, check, chi_squared, each_side, normal, open_probability};

/// The interval of a standard deviation that was estimated with `df` degrees of freedom from normal values: sd √(df/χ²) at both ends.
///
/// # Errors
/// A standard deviation below 0, fewer than 1 degree of freedom, a level that is none.
pub fn sd_interval(sd: f64, df: f64, level: f64) -> Result<(f64, f64), OutOfRange> {
    let side = each_side(level)?;
    check(sd >= 0.0 && sd.is_finite(), "standard deviation", sd, "a number from 0")?;
    check(df >= 1.0, "degrees of freedom", df, "at least 1")?;
    let end = |p: f64| Ok::<f64, OutOfRange>(sd * (df / chi_squared::quantile(p, df)?).sqrt());
    Ok((end(1.0 - side)?, end(side)?))
}

/// Pairs among so many systems.
pub fn pairs(systems: u32) -> f64 {
    let systems = f64::from(systems);
    systems * (systems - 1.0) / 2.0
}

/// The level of each comparison when all of `comparisons` together are to keep `alpha` (Bonferroni).
///
/// # Errors
/// An alpha that is none, or no comparison.
pub fn bonferroni_level(alpha: f64, comparisons: f64) -> Result<f64, OutOfRange> {
    check(comparisons >= 1.0, "number of comparisons", comparisons, "at least 1")?;
    Ok(open_probability(alpha)? / comparisons)
}

/// The level of each pair when Tukey's test of all pairs of `systems` keeps `alpha`: P(|Z| > q/√2) for the q that the range of so many
/// normal values exceeds with probability alpha.
///
/// # Errors
/// An alpha that is none, or fewer than 2 or more than 10 000 systems.
pub fn tukey_level(alpha: f64, systems: u32) -> Result<f64, OutOfRange> {
    open_probability(alpha)?;
    check((2..=10_000).contains(&systems), "number of systems", f64::from(systems), "from 2 to 10000")?;
    let (mut low, mut high) = (0.0, 60.0);
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        if 1.0 - range_cdf(middle, systems) > alpha {
            low = middle;
        } else {
            high = middle;
        }
    }
    normal::two_sided(high / std::f64::consts::SQRT_2)
}

/// P(range of k standard normal values ≤ w) = k ∫ φ(z) (Φ(z + w) − Φ(z))^(k−1) dz, z the least of them. The trapezoidal rule: the integrand
/// is smooth and dies off at both ends, so it is right to the last digits.
fn range_cdf(w: f64, systems: u32) -> f64 {
    const STEP: f64 = 0.05;
    let k = f64::from(systems);
    let density = |z: f64| libm::exp(-0.5 * z * z) / std::f64::consts::TAU.sqrt();
    // NaN cannot come in: z and w are finite.
    let above = |z: f64| normal::sf(z).unwrap_or(0.0);
    let at = |step: i32| {
        let z = f64::from(step) * STEP;
        density(z) * (above(z) - above(z + w)).max(0.0).powf(k - 1.0)
    };
    (k * STEP * (-180..=180).map(at).sum::<f64>()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_a_pilot_by_table() {
        // χ² with 9 degrees of freedom: 2.7004 and 19.0228 (any table). sd 1: √(9/19.0228) = 0.6878, √(9/2.7004) = 1.8256.
        let (low, high) = sd_interval(1.0, 9.0, 0.95).unwrap();
        assert!((low - 0.687_836).abs() < 1e-5 && (high - 1.825_62).abs() < 1e-5, "{low} {high}");
        assert_eq!(sd_interval(0.0, 9.0, 0.95), Ok((0.0, 0.0)));
        assert!(sd_interval(-1.0, 9.0, 0.95).is_err() && sd_interval(1.0, 0.0, 0.95).is_err());
        assert!(sd_interval(1.0, 9.0, 1.0).is_err());
    }

    #[test]
    fn levels_per_pair() {
        // Two systems are one pair. SciPy 1.17.1, studentized_range.ppf(.95, k, inf): q = 3.314493 for 3, 3.857656 for 5, 6.084638 for 100
        // systems; 2 norm.sf(q/√2) beside them.
        for (systems, expected) in
            [(2, 0.05), (3, 0.0190934922920007), (5, 0.006376320562671766), (100, 1.6889046717085936e-05)]
        {
            let found = tukey_level(0.05, systems).unwrap();
            assert!((found / expected - 1.0).abs() < 1e-8, "{systems}: {found}");
        }
        assert!((range_cdf(3.0, 10) - 0.48781592602919316).abs() < 1e-12);
        assert_eq!((pairs(5), bonferroni_level(0.05, 10.0)), (10.0, Ok(0.005)));
        // Tukey never asks for more than Bonferroni.
        assert!([3, 10, 50].iter().all(|&k| tukey_level(0.05, k).unwrap() > 0.05 / pairs(k)));
        assert!(tukey_level(0.05, 1).is_err() && tukey_level(1.0, 3).is_err() && bonferroni_level(0.05, 0.0).is_err());
    }
}
