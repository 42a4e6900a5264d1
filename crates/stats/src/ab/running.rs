//! The ratio from sums over units, as they are so far.
//!
//! The one decision: the jackknife's 1/(1 − h)², h a unit's share of the denominator, is a series in h to the fourth power, so that a
//! unit that comes back changes fifteen sums and no other unit is visited. Looks count from 15 effective units on, where no h is above
//! .26 and the series is short by at most half a percent of one unit's square.

use super::ratio::quotient;
use super::{NoAnswer, Ratio};

/// Powers of the denominator that are summed: 0 to 4.
const POWERS: usize = 5;

/// Sums over units, as they are so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Running {
    units: u64,
    x: f64,
    y: f64,
    /// Sums of x² yᵏ.
    xx: [f64; POWERS],
    /// Sums of x y yᵏ.
    xy: [f64; POWERS],
    /// Sums of y² yᵏ.
    yy: [f64; POWERS],
}

impl Running {
    /// A unit that was at `before` (none when it is new) has come to `now`. Counts stay exact in floats to 2⁵³.
    pub fn change(&mut self, before: Option<(f64, f64)>, now: (f64, f64)) {
        self.units += u64::from(before.is_none());
        if let Some(before) = before {
            self.add(before, -1.0);
        }
        self.add(now, 1.0);
    }

    fn add(&mut self, (x, y): (f64, f64), sign: f64) {
        self.x += sign * x;
        self.y += sign * y;
        let (mut xx, mut xy, mut yy) = (sign * x * x, sign * x * y, sign * y * y);
        for power in 0..POWERS {
            self.xx[power] += xx;
            self.xy[power] += xy;
            self.yy[power] += yy;
            (xx, xy, yy) = (xx * y, xy * y, yy * y);
        }
    }

    /// Units so far.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// The ratio so far: (n − 1)/n Σ e² (1 + 2h + 3h² + 4h³ + 5h⁴)/Y², with Σ e² yᵏ = Σ x² yᵏ − 2R Σ xy yᵏ + R² Σ y² yᵏ.
    ///
    /// # Errors
    /// As [`Ratio::of`].
    pub fn ratio(&self) -> Result<Ratio, NoAnswer> {
        let value = quotient(self.x, self.y)?;
        if self.units < 2 {
            return Err(NoAnswer::TooFew { what: "units", have: self.units, need: 2 });
        }
        let (mut squares, mut size, mut scale) = (0.0, 0.0, 1.0 / (self.y * self.y));
        for power in 0..POWERS {
            let (xx, yy) = (self.xx[power], value * value * self.yy[power]);
            let factor = (power + 1) as f64 * scale;
            squares += factor * (xx + yy - 2.0 * value * self.xy[power]);
            size += factor * (xx + yy);
            scale /= self.y;
        }
        // What is left of squares that cancel is rounding, not variance.
        let squares = if squares > 1e-12 * size { squares } else { 0.0 };
        let unit_variance = (self.units - 1) as f64 * squares;
        Ok(Ratio { value, unit_variance, units: self.units, effective_units: self.y * self.y / self.yy[0] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn running_sums_say_the_same_as_leaving_out_each_unit() {
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
            if step < 60 {
                continue;
            }
            let (ours, theirs) = (running.ratio().unwrap(), Ratio::of(&present).unwrap());
            assert!((ours.value - theirs.value).abs() < 1e-14 && ours.units == theirs.units);
            assert!((ours.effective_units - theirs.effective_units).abs() < 1e-9);
            // The first term left out is 6 h⁵, and no user has more than .1 of the searches.
            assert!((ours.unit_variance / theirs.unit_variance - 1.0).abs() < 1e-4, "{ours:?} {theirs:?}");
        }
    }

    #[test]
    fn at_the_bound_of_looks_the_series_is_short_by_less_than_half_a_percent() {
        // 100 users with 10 searches and one with 300: 1300²/(100 · 100 + 300²) = 16.9 effective, and a share of 3/13 = .23.
        let mut units: Vec<(f64, f64)> = (0..100).map(|at| (f64::from(at % 10), 10.0)).collect();
        units.push((20.0, 300.0));
        let mut running = Running::default();
        units.iter().for_each(|unit| running.change(None, *unit));
        let (ours, theirs) = (running.ratio().unwrap(), Ratio::of(&units).unwrap());
        assert!(ours.effective_units > 15.0 && ours.effective_units < 17.0);
        let short = 1.0 - ours.unit_variance / theirs.unit_variance;
        assert!((0.0..0.005).contains(&short), "{short}");
    }

    #[test]
    fn no_variance_is_exactly_none() {
        // Everybody clicks on every search.
        let mut running = Running::default();
        for unit in [(3.0, 3.0), (1.0, 1.0), (7.0, 7.0)] {
            running.change(None, unit);
        }
        assert_eq!(running.ratio().unwrap().unit_variance, 0.0);
    }
}
