//! A ratio of two means over units, clicks over searches with users as units, and its variance by the delta method.
//!
//! The one decision: the ratio is linearised. To first order R − E R is the mean over units of (x − R y)/ȳ, so one number a unit
//! carries numerator, denominator and their covariance, and everything known of means holds for it (Deng, Knoblich, Lu 2018).
//! [`Running`] is the same from sums that change as units come back, for looks day by day; a test equates the two.

use super::NoAnswer;
use crate::sample::Sample;
use crate::summation::compensated_sum;

/// A ratio, and what its units say of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Sum of numerators over sum of denominators.
    pub value: f64,
    /// Variance of one unit's linearised value.
    pub unit_variance: f64,
    /// Units.
    pub units: u64,
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
        // Where x and R y cancel, what is left is rounding and not variance: users who all have a third give exactly none.
        let residual = |(x, own): &(f64, f64)| {
            let left = x - value * own;
            if left.abs() > 1e-14 * (x.abs() + (value * own).abs()) { left / (y / n) } else { 0.0 }
        };
        let linearised: Vec<f64> = units.iter().map(residual).collect();
        let sample = Sample::new(&linearised);
        let variance = sample.and_then(|sample| sample.variance());
        let too_few = NoAnswer::TooFew { what: "units", have: units.len() as u64, need: 2 };
        Ok(Ratio { value, unit_variance: variance.map_err(|_| too_few)?, units: units.len() as u64 })
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

fn quotient(x: f64, y: f64) -> Result<f64, NoAnswer> {
    if y > 0.0 && x.is_finite() && y.is_finite() { Ok(x / y) } else { Err(NoAnswer::NoDenominator) }
}

/// Sums over units, as they are so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Running {
    units: u64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Running {
    /// A unit that was at `before` (none when it is new) has come to `now`. Counts stay exact in floats to 2⁵³.
    pub fn change(&mut self, before: Option<(f64, f64)>, now: (f64, f64)) {
        let (x0, y0) = before.unwrap_or((0.0, 0.0));
        self.units += u64::from(before.is_none());
        self.x += now.0 - x0;
        self.y += now.1 - y0;
        self.xx += now.0 * now.0 - x0 * x0;
        self.yy += now.1 * now.1 - y0 * y0;
        self.xy += now.0 * now.1 - x0 * y0;
    }

    /// Units so far.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// The ratio so far: V\[R\] = (s_x² + R² s_y² − 2 R s_xy) / (n ȳ²).
    ///
    /// # Errors
    /// As [`Ratio::of`].
    pub fn ratio(&self) -> Result<Ratio, NoAnswer> {
        let value = quotient(self.x, self.y)?;
        if self.units < 2 {
            return Err(NoAnswer::TooFew { what: "units", have: self.units, need: 2 });
        }
        let n = self.units as f64;
        // Residuals x − R y have mean 0, so their squares need no correction for it.
        let squares = self.xx + value * value * self.yy - 2.0 * value * self.xy;
        let size = self.xx + value * value * self.yy;
        // What is left of squares that cancel is rounding, not variance.
        let squares = if squares > 1e-12 * size { squares } else { 0.0 };
        let mean = self.y / n;
        Ok(Ratio { value, unit_variance: squares / (n - 1.0) / (mean * mean), units: self.units })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn users_who_are_alike_have_no_variance() {
        // A third each, of 3, 6, ... searches: 1/3 is no float, and the residuals must be 0 all the same.
        let alike: Vec<(f64, f64)> = (1..60).map(|k| (f64::from(k), 3.0 * f64::from(k))).collect();
        assert_eq!(Ratio::of(&alike).unwrap().unit_variance, 0.0);
    }

    #[test]
    fn three_users_by_hand() {
        // Clicks 1, 0, 2 of searches 2, 1, 3: R = 3/6, mean of searches 2. Residuals 0, −½, ½: squares ½, variance ¼ over 2² = 1/16.
        let found = Ratio::of(&[(1.0, 2.0), (0.0, 1.0), (2.0, 3.0)]).unwrap();
        assert_eq!((found.value, found.unit_variance, found.units), (0.5, 1.0 / 16.0, 3));
        assert!((found.std_error() - (1.0f64 / 48.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn a_mean_is_a_ratio_with_ones_below() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, variance 32/7.
        let units: Vec<_> = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].map(|x| (x, 1.0)).to_vec();
        let found = Ratio::of(&units).unwrap();
        assert!(found.value == 5.0 && (found.unit_variance - 32.0 / 7.0).abs() < 1e-14);
    }

    #[test]
    fn running_sums_say_the_same_as_the_literal_formula_and_as_residuals() {
        let mut running = Running::default();
        let mut units = [(0.0, 0.0); 40];
        let mut stream = Seed(5).stream("units", 0);
        let mut seen = [false; 40];
        for step in 0..400 {
            let unit = stream.below(40) as usize;
            let before = units[unit];
            let now = (before.0 + stream.below(2) as f64, before.1 + 1.0);
            running.change(seen[unit].then_some(before), now);
            (units[unit], seen[unit]) = (now, true);
            let present: Vec<_> = (0..40).filter(|&unit| seen[unit]).map(|unit| units[unit]).collect();
            if step < 5 {
                continue;
            }
            let (ours, theirs) = (running.ratio().unwrap(), Ratio::of(&present).unwrap());
            assert!((ours.value - theirs.value).abs() < 1e-14 && ours.units == theirs.units);
            assert!((ours.unit_variance - theirs.unit_variance).abs() < 1e-12);
            // (s_x² + R² s_y² − 2 R s_xy)/ȳ², each from its definition.
            let n = present.len() as f64;
            let mean = |of: fn(&(f64, f64)) -> f64| present.iter().map(of).sum::<f64>() / n;
            let (x, y) = (mean(|unit| unit.0), mean(|unit| unit.1));
            let sum = |of: &dyn Fn(f64, f64) -> f64| {
                present.iter().map(|unit| of(unit.0 - x, unit.1 - y)).sum::<f64>() / (n - 1.0)
            };
            let r = x / y;
            let literal = (sum(&|x, _| x * x) + r * r * sum(&|_, y| y * y) - 2.0 * r * sum(&|x, y| x * y)) / (y * y);
            assert!((ours.unit_variance - literal).abs() < 1e-12, "{ours:?} {literal}");
        }
    }

    #[test]
    fn reasons_instead_of_nan() {
        assert_eq!(Ratio::of(&[]), Err(NoAnswer::NoDenominator));
        assert_eq!(Ratio::of(&[(0.0, 0.0), (0.0, 0.0)]), Err(NoAnswer::NoDenominator));
        assert_eq!(Ratio::of(&[(1.0, 1.0)]), Err(NoAnswer::TooFew { what: "units", have: 1, need: 2 }));
        assert_eq!(Ratio::of(&[(f64::NAN, 1.0), (1.0, 1.0)]), Err(NoAnswer::NoDenominator));
        // Everybody clicks on every search: no variance, exactly.
        let mut running = Running::default();
        for unit in [(3.0, 3.0), (1.0, 1.0), (7.0, 7.0)] {
            running.change(None, unit);
        }
        assert_eq!(running.ratio().unwrap().unit_variance, 0.0);
    }
}
