//! The ratio from sums over units, as they are so far.
//!
//! The one decision: the jackknife's 1/(1 − h)², h a unit's share of the denominator, is a series in h to the fourth power, so that a
//! unit that comes back changes eighteen sums and no other unit is visited. Looks count from 15 effective units on, where no h is above
//! .26 and the series is short by at most half a percent of one unit's square.

use super::ratio::{quotient, spread_units};
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
    /// Sums of x³, x³ y and x⁴.
    higher: [f64; 3],
}

/// What is left of terms that cancel is rounding when it is a smaller share of them than this.
const ROUNDING: f64 = 1e-12;

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
        let cube = sign * x * x * x;
        for (sum, change) in self.higher.iter_mut().zip([cube, cube * y, cube * x]) {
            *sum += change;
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
        let squares = if squares > ROUNDING * size { squares } else { 0.0 };
        Ok(Ratio {
            value,
            unit_variance: (self.units - 1) as f64 * squares,
            units: self.units,
            effective_units: self.y * self.y / self.yy[0],
            third_moment: self.third(value) / (self.y * self.y * self.y),
            spread_units: if squares > 0.0 { self.spread_units(value) } else { 0.0 },
        })
    }

    /// Σ e³ = Σ x³ − 3R Σ x²y + 3R² Σ xy² − R³ Σ y³.
    fn third(&self, r: f64) -> f64 {
        let terms = [self.higher[0], -3.0 * r * self.xx[1], 3.0 * r * r * self.xy[1], -r * r * r * self.yy[1]];
        added(&terms).unwrap_or(0.0)
    }

    /// From Σ e² and Σ e⁴ = Σ x⁴ − 4R Σ x³y + 6R² Σ x²y² − 4R³ Σ xy³ + R⁴ Σ y⁴. Where that is rounding, no unit stands out.
    fn spread_units(&self, r: f64) -> f64 {
        let second = self.xx[0] - 2.0 * r * self.xy[0] + r * r * self.yy[0];
        let (square, cube) = (r * r, r * r * r);
        let terms = [
            self.higher[2],
            -4.0 * r * self.higher[1],
            6.0 * square * self.xx[2],
            -4.0 * cube * self.xy[2],
            cube * r * self.yy[2],
        ];
        added(&terms).map_or(self.units as f64, |fourth| spread_units(second, fourth))
    }
}

/// The sum, unless it is rounding.
fn added(terms: &[f64]) -> Option<f64> {
    let size: f64 = terms.iter().map(|term| term.abs()).sum();
    Some(terms.iter().sum::<f64>()).filter(|sum| sum.abs() > ROUNDING * size)
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
            assert!((ours.spread_units / theirs.spread_units - 1.0).abs() < 1e-9, "{ours:?} {theirs:?}");
            assert!((ours.third_moment - theirs.third_moment).abs() < 1e-14, "{ours:?} {theirs:?}");
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
    fn where_fourth_powers_are_rounding_no_unit_stands_out() {
        // Means of 100,000 ± 1: fourth powers of 1e20 each, whose sixteenth digit is far above the 1 that is left of them.
        let mut running = Running::default();
        (0..80).for_each(|at| running.change(None, (1e5 + f64::from(at % 2), 1.0)));
        let found = running.ratio().unwrap();
        assert!((found.unit_variance - 0.25 * 80.0 / 79.0).abs() < 1e-3, "{found:?}");
        assert_eq!((found.spread_units, found.third_moment), (80.0, 0.0));
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
