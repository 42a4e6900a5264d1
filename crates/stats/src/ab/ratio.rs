//! A ratio of two means over units, clicks over searches with users as units, and its variance by the jackknife.
//!
//! The one decision: the variance comes from leaving out one unit at a time, not from the delta method. Without unit i the ratio is
//! R − (x − R y)/(Y − y): the delta method's residual over what the others have in the denominator, in place of over everything. A user
//! who has half of all searches pulls the ratio to itself, so its residual is small, and the delta method takes that for certainty. For
//! units with one denominator each the two are the same: the variance of a mean. (Hansen 2022; MacKinnon, Nielsen and Webb 2023, "CV3".)
//! [`super::Running`] is the same from sums that change as units come back, for looks day by day; a test equates the two.

use super::NoAnswer;
use crate::summation::compensated_sum;

/// A ratio, and what its units say of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Sum of numerators over sum of denominators.
    pub value: f64,
    /// Variance of the ratio times the number of units: that of one unit.
    pub unit_variance: f64,
    /// Units.
    pub units: u64,
    /// Units with equal denominators that would weigh as much: (Σ y)²/Σ y² (Kish 1965).
    pub effective_units: f64,
    /// Third central moment of the ratio: the sum of its units' cubed residuals over the denominator cubed.
    pub third_moment: f64,
    /// How many units carry the variance: (Σ e²)²/Σ e⁴ of the residuals; 0 where nothing varies. Of users who convert or do not it is
    /// the number of the rarer kind, nearly.
    pub spread_units: f64,
}

impl Ratio {
    /// Of one (numerator, denominator) a unit.
    ///
    /// # Errors
    /// Fewer than two units, numbers that are not finite, or nothing in the denominator.
    pub fn of(units: &[(f64, f64)]) -> Result<Ratio, NoAnswer> {
        let n = units.len() as f64;
        let x = compensated_sum(units.iter().map(|unit| unit.0));
        let y = compensated_sum(units.iter().map(|unit| unit.1));
        let value = quotient(x, y)?;
        if units.len() < 2 {
            return Err(NoAnswer::TooFew { what: "units", have: units.len() as u64, need: 2 });
        }
        let squares = compensated_sum(units.iter().map(|unit| {
            let change = residual(*unit, value) / rest(unit.1, y);
            change * change
        }));
        let unit_variance = (n - 1.0) * squares;
        if !unit_variance.is_finite() {
            return Err(NoAnswer::NoDenominator);
        }
        let residuals = |power| compensated_sum(units.iter().map(|unit| residual(*unit, value).powi(power)));
        Ok(Ratio {
            value,
            unit_variance,
            units: units.len() as u64,
            effective_units: y * y / compensated_sum(units.iter().map(|unit| unit.1 * unit.1)),
            third_moment: residuals(3) / (y * y * y),
            spread_units: spread_units(residuals(2), residuals(4)),
        })
    }

    /// Of units that weigh the same, and deviate as much to either side.
    pub fn of_equal_units(value: f64, unit_variance: f64, units: u64) -> Ratio {
        let all = units as f64;
        let spread_units = if unit_variance > 0.0 { all } else { 0.0 };
        Ratio { value, unit_variance, units, effective_units: all, third_moment: 0.0, spread_units }
    }

    /// Variance of the ratio.
    pub fn variance(&self) -> f64 {
        self.unit_variance / self.units as f64
    }

    /// Its standard error.
    pub fn std_error(&self) -> f64 {
        self.variance().sqrt()
    }
}

/// x / y, where there is such a number.
pub(super) fn quotient(x: f64, y: f64) -> Result<f64, NoAnswer> {
    if y > 0.0 && x.is_finite() && y.is_finite() { Ok(x / y) } else { Err(NoAnswer::NoDenominator) }
}

/// x − R y. Where the two cancel, what is left is rounding and not variance: users who all have a third give exactly none.
pub(super) fn residual((x, y): (f64, f64), ratio: f64) -> f64 {
    let left = x - ratio * y;
    if left.abs() > 1e-14 * (x.abs() + (ratio * y).abs()) { left } else { 0.0 }
}

/// What is in the denominator without this unit. A unit that has all of it cannot be left out; it counts as by the delta method, and
/// nothing is decided on one effective unit.
pub(super) fn rest(own: f64, all: f64) -> f64 {
    if own < all { all - own } else { all }
}

/// How many units carry the variance, from sums of squares and of fourth powers.
pub(super) fn spread_units(second: f64, fourth: f64) -> f64 {
    if fourth > 0.0 { second * second / fourth } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_who_are_alike_have_no_variance() {
        // A third each, of 3, 6, ... searches: 1/3 is no float, and the residuals must be 0 all the same.
        let alike: Vec<(f64, f64)> = (1..60).map(|k| (f64::from(k), 3.0 * f64::from(k))).collect();
        assert_eq!(Ratio::of(&alike).unwrap().unit_variance, 0.0);
    }

    #[test]
    fn three_users_by_hand() {
        // Clicks 1, 0, 2 of searches 2, 1, 3: R = 3/6. Without one of them 2/4, 3/5, 1/3: changes 0, 1/10, −1/6.
        // Jackknife variance 2/3 (1/100 + 1/36) = 2/3 · 34/900 = 17/675; of one unit three times that. Effective units 36/14.
        let found = Ratio::of(&[(1.0, 2.0), (0.0, 1.0), (2.0, 3.0)]).unwrap();
        assert_eq!((found.value, found.units), (0.5, 3));
        assert!(
            (found.unit_variance - 17.0 / 225.0).abs() < 1e-15 && (found.effective_units - 18.0 / 7.0).abs() < 1e-14
        );
        assert!((found.std_error() - (17.0f64 / 675.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn leaving_out_each_unit_literally_gives_the_same() {
        let units = [(3.0, 9.0), (0.0, 2.0), (40.0, 55.0), (1.0, 1.0), (2.0, 8.0)];
        let all = Ratio::of(&units).unwrap();
        let without = |left: usize| {
            let others = || units.iter().enumerate().filter(|(at, _)| *at != left).map(|(_, unit)| unit);
            others().map(|unit| unit.0).sum::<f64>() / others().map(|unit| unit.1).sum::<f64>()
        };
        let squares: f64 = (0..5).map(|left| (without(left) - all.value).powi(2)).sum();
        assert!((all.variance() / (0.8 * squares) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_mean_is_a_ratio_with_ones_below() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, variance 32/7.
        let units: Vec<_> = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].map(|x| (x, 1.0)).to_vec();
        let found = Ratio::of(&units).unwrap();
        assert!(found.value == 5.0 && (found.unit_variance - 32.0 / 7.0).abs() < 1e-14 && found.effective_units == 8.0);
    }

    #[test]
    fn units_that_carry_the_variance() {
        // 3 of 12 convert: residuals ¾ thrice and −¼ nine times: (3 · 9/16 + 9/16)² / (3 · 81/256 + 9/256) = (9/4)²/(252/256) = 5.142857.
        let units: Vec<_> = (0..12).map(|at| (f64::from(u8::from(at < 3)), 1.0)).collect();
        let found = Ratio::of(&units).unwrap();
        assert!((found.spread_units - 36.0 / 7.0).abs() < 1e-12);
        // Third moment: (3 · 27/64 − 9/64)/12³.
        assert!((found.third_moment - 72.0 / 64.0 / 1728.0).abs() < 1e-15);
        assert_eq!(Ratio::of(&[(0.0, 1.0), (0.0, 2.0)]).unwrap().spread_units, 0.0);
    }

    #[test]
    fn reasons_instead_of_nan() {
        assert_eq!(Ratio::of(&[]), Err(NoAnswer::NoDenominator));
        assert_eq!(Ratio::of(&[(0.0, 0.0), (0.0, 0.0)]), Err(NoAnswer::NoDenominator));
        assert_eq!(Ratio::of(&[(1.0, 1.0)]), Err(NoAnswer::TooFew { what: "units", have: 1, need: 2 }));
        assert_eq!(Ratio::of(&[(f64::NAN, 1.0), (1.0, 1.0)]), Err(NoAnswer::NoDenominator));
        // One user has every search: nothing is infinite.
        let alone = Ratio::of(&[(2.0, 4.0), (0.0, 0.0), (0.0, 0.0)]).unwrap();
        assert_eq!((alone.unit_variance, alone.effective_units), (0.0, 1.0));
    }
}
