//! How large a difference is against its spread.
//!
//! The one decision: two numbers are called d, and they differ. [`paired_d`] divides by the standard deviation of the differences of two
//! systems; [`residual_d`] by that of the rest of a two-way decomposition of all systems, one yardstick for all pairs. Each goes by its own name.

use crate::anova::Decomposition;
use crate::dist::{each_side, noncentral_t};
use crate::estimate::{Interval, Method};
use crate::power::expected_sd;
use crate::sample::Sample;
use crate::test::NoTest;

/// An effect size of two systems' differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedEffect {
    /// Cohen's d of paired differences (d_z): mean / sd.
    pub d: f64,
    /// Hedges' correction of it, for d is too large in the mean at few topics: d times its factor.
    pub hedges: f64,
    /// Interval of d, from the noncentralities that make the t seen just likely enough; `None` where d is beyond its reach.
    pub interval: Option<Interval>,
}

/// Mean over standard deviation of differences, with its interval at `level`.
///
/// # Errors
/// Fewer than two differences, no spread among them, or a level that is none.
pub fn paired_d(differences: &Sample<'_>, level: f64) -> Result<PairedEffect, NoTest> {
    let n = differences.len() as f64;
    let side = each_side(level).map_err(|error| NoTest::Setting {
        what: error.argument,
        found: error.found,
        expected: error.legal,
    })?;
    let sd = differences.sd().map_err(|_| NoTest::TooFew { have: differences.len(), need: 2 })?;
    if differences.is_constant() || sd == 0.0 {
        let value = differences.mean();
        return Err(if value == 0.0 { NoTest::AllZero } else { NoTest::Constant { value } });
    }
    let (d, df) = (differences.mean() / sd, n - 1.0);
    let end = |p: f64| noncentral_t::noncentrality(d * n.sqrt(), df, p).map(|found| found / n.sqrt());
    let interval = end(side).and_then(|low| Ok((low, end(1.0 - side)?)));
    let interval = interval.map(|(low, high)| Interval { low, high, level, method: Method::NoncentralT }).ok();
    Ok(PairedEffect { d, hedges: d * hedges(df), interval })
}

/// Difference of two systems' means over the standard deviation of the rest of a decomposition; `None` where that is 0.
pub fn residual_d(difference: f64, decomposition: &Decomposition) -> Option<f64> {
    let sd = decomposition.residual_sd();
    (sd > 0.0).then(|| difference / sd)
}

/// Γ(df/2) / (√(df/2) Γ((df − 1)/2)), exact (Hedges 1981); with 1 degree of freedom the mean of d does not exist and the factor is 0.
fn hedges(df: f64) -> f64 {
    if df <= 1.0 {
        return 0.0;
    }
    // Γ(df/2)/Γ((df − 1)/2) = c₄(df − 1) √((df − 1)/2).
    expected_sd(df - 1.0) * ((df - 1.0) / df).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::decompose;
    use crate::two_way::TwoWay;

    #[test]
    fn by_hand() {
        // 1, 2, 3: mean 2, sd 1, d = 2. Hedges with df 2: Γ(1) / (1 · Γ(½)) = 1/√π.
        let found = paired_d(&Sample::new(&[1.0, 2.0, 3.0]).unwrap(), 0.95).unwrap();
        assert_eq!(found.d, 2.0);
        assert!((found.hedges - 2.0 / std::f64::consts::PI.sqrt()).abs() < 1e-12);
        // The usual approximation 1 − 3/(4 df − 1) at df 24.
        assert!((hedges(24.0) - (1.0 - 3.0 / 95.0)).abs() < 2e-4);
        // The ends are the noncentralities that leave 2.5% beyond t = 2√3 on either side.
        let interval = found.interval.unwrap();
        assert_eq!((interval.method.name(), interval.level), ("noncentral_t", 0.95));
        let t = 2.0 * 3f64.sqrt();
        let beyond = noncentral_t::sf(t, 2.0, interval.low * 3f64.sqrt()).unwrap();
        assert!((beyond - 0.025).abs() < 1e-10 && interval.contains(2.0));
    }

    #[test]
    fn the_two_called_d_are_two_numbers() {
        // Systems 1 3 2 and 2 6 4: differences 1, 3, 2, d = 2 / 1. The rest has mean square 1/2 (see anova): 2 / √½ = 2.83. For two systems
        // the differences' variance is twice the rest's, so the factor is √2.
        let table = TwoWay::new(&[[1.0, 3.0, 2.0], [2.0, 6.0, 4.0]]).unwrap();
        assert!((residual_d(2.0, &decompose(&table)).unwrap() - 2.0 * 2f64.sqrt()).abs() < 1e-14);
        let d = paired_d(&Sample::new(&[1.0, 3.0, 2.0]).unwrap(), 0.9).unwrap().d;
        assert!((d - 2.0).abs() < 1e-15);
    }

    #[test]
    fn reasons_instead_of_nan() {
        let of = |values: &[f64], level| paired_d(&Sample::new(values).unwrap(), level).unwrap_err();
        assert_eq!(of(&[1.0], 0.95), NoTest::TooFew { have: 1, need: 2 });
        assert_eq!(of(&[0.0, 0.0], 0.95), NoTest::AllZero);
        assert_eq!(of(&[0.1, 0.1], 0.95), NoTest::Constant { value: 0.1 });
        assert!(matches!(of(&[0.1, 0.2], 95.0), NoTest::Setting { .. }));
        let flat = TwoWay::new(&[[0.1, 0.1], [0.1, 0.1]]).unwrap();
        assert_eq!(residual_d(0.0, &decompose(&flat)), None);
        // Differences nearly the same: d is huge and its interval out of reach, which is said and not made up.
        let tight = paired_d(&Sample::new(&[1.0, 1.0 + 1e-9, 1.0]).unwrap(), 0.95).unwrap();
        assert!(tight.d > 1e8 && tight.interval.is_none());
    }
}
