//! A confidence sequence: intervals that hold at all looks together, however often one looks and whenever one stops.
//!
//! The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2021) with Robbins' normal mixture: at
//! every look the difference ± its standard error × √((1 + 1/(tρ²)) (ln(1 + tρ²) + 2 ln(1/α))), where ρ² is chosen so that it is
//! tightest at one number of units t*, the tuning point: ρ² = (2 ln(1/α) + ln(2 ln(1/α)) + 1)/t*. The p that is valid at any time is
//! the smallest 1/Λ so far, Λ = exp(z² tρ²/(2(1 + tρ²)))/√(1 + tρ²), the mixture's likelihood ratio (the mSPRT of Johari and others).
//!
//! The one decision: the clock. When every unit is done before the next comes, t is the number of units. When units come back, the
//! standard error falls without new ones, and t must run on with it. So t is counted in information: the units of the first look,
//! times how much the variance of the difference has fallen since. For units that do not come back that is their number.
//!
//! z is [`Studentised`]: corrected for what small, unequal arms do to it. What is known too badly to be corrected does not count yet.

use super::studentised::Studentised;
use super::{Difference, NoAnswer, Ratio, Side, difference};
use crate::dist::OutOfRange;
use crate::dist::each_side;

/// The tuning point when none is given, in units of both arms.
pub const DEFAULT_TUNING: u64 = 5000;

/// Units each arm has before a look counts: the sequence is asymptotic, and with fewer a variance may be tiny by luck.
pub const MINIMUM_UNITS: u64 = 50;

/// Effective units each arm has before a look counts. Without this rule, heavy-tailed users whose arms spread differently reject in up
/// to 10% of tests instead of 4% (docs/ab-measured.md).
pub const MINIMUM_EFFECTIVE_UNITS: f64 = 15.0;

/// Units that carry the variance of each arm before a look counts: two users who convert say nothing of the variance of an arm.
pub const MINIMUM_SPREAD_UNITS: f64 = 3.0;

/// From so many units on, an arm whose variance fewer carry counts too: what none of 300 do is done by less than 1% (95% confidence).
pub const UNITS_WITHOUT_SPREAD: u64 = 300;

/// Units that carry the variance of an arm before it has an interval of its own. Its skewness is not cancelled by another arm's.
pub const SPREAD_UNITS_OF_AN_ARM: f64 = 20.0;

/// A sequence of looks at one comparison.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    level: f64,
    alpha: f64,
    tuning: u64,
    rho2: f64,
    /// Units times variance of the difference at the first look.
    unit: Option<f64>,
    smallest_p: f64,
    common: (f64, f64),
}

/// What a look shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// As if this were the only look.
    pub fixed: Difference,
    /// Standard errors of `fixed` below and above its value that hold at all looks together.
    pub reach: (f64, f64),
    /// What the intervals of this look and all before have in common; none where two of them exclude each other. It holds at all looks
    /// together, as each of them does, and it excludes 0 if and only if p is below 1 − level.
    pub interval: Option<(f64, f64)>,
    /// The p that holds at all looks together: the smallest so far.
    pub p: f64,
}

impl Sequence {
    /// Looks at this level, tuned for so many units of both arms.
    ///
    /// # Errors
    /// The level or the tuning point is none.
    pub fn new(level: f64, tuning: u64) -> Result<Sequence, NoAnswer> {
        let alpha = 2.0 * each_side(level)?;
        if tuning == 0 {
            return Err(OutOfRange { argument: "tuning point", found: 0.0, legal: "at least 1 unit" }.into());
        }
        // Levels below 39% have a 2 ln(1/α) below 1; the formula still wants a logarithm that is not negative.
        let twice = -2.0 * libm::log(alpha);
        let rho2 = (twice + libm::log(twice.max(1.0)) + 1.0) / tuning as f64;
        Ok(Sequence {
            level,
            alpha,
            tuning,
            rho2,
            unit: None,
            smallest_p: 1.0,
            common: (f64::NEG_INFINITY, f64::INFINITY),
        })
    }

    /// The tuning point.
    pub fn tuning(&self) -> u64 {
        self.tuning
    }

    /// The next look; `None` while an arm waits.
    pub fn look(&mut self, control: &Ratio, treatment: &Ratio) -> Option<Look> {
        let (found, reach, p) = self.judged(control, treatment)?;
        let fixed = difference(control, treatment, self.level).ok()?;
        let error = found.variance.sqrt();
        let (low, high) = (fixed.value - reach.0 * error, fixed.value + reach.1 * error);
        self.common = (self.common.0.max(low), self.common.1.min(high));
        let interval = Some(self.common).filter(|common| common.0 <= common.1);
        let wider = error / fixed.std_error;
        Some(Look { fixed, reach: (reach.0 * wider, reach.1 * wider), interval, p })
    }

    /// The p of the same look, without the test for one look, which costs most.
    pub fn advance(&mut self, control: &Ratio, treatment: &Ratio) -> Option<f64> {
        self.judged(control, treatment).map(|(_, _, p)| p)
    }

    /// The difference, its standard errors below and above, and the smallest p so far.
    fn judged(&mut self, control: &Ratio, treatment: &Ratio) -> Option<(Studentised, (f64, f64), f64)> {
        if waiting(control, treatment).is_some() {
            return None;
        }
        let found = Studentised::difference(control, treatment)?;
        let time = self.time(control.units + treatment.units, found.variance)?;
        let (reach, p) = self.at(time, found.score());
        self.smallest_p = self.smallest_p.min(p);
        Some((found, found.reach(reach), self.smallest_p))
    }

    /// The interval of one arm's value at this look. It is a sequence of its own: use one for each arm.
    pub fn value(&mut self, arm: &Ratio) -> Option<(f64, f64)> {
        let enough = enough_units(arm) && arm.spread_units >= SPREAD_UNITS_OF_AN_ARM;
        let found = Studentised::value(arm).filter(|_| enough)?;
        let time = self.time(arm.units, found.variance)?;
        let (below, above) = found.reach(self.at(time, 0.0).0);
        let error = found.variance.sqrt();
        Some((arm.value - below * error, arm.value + above * error))
    }

    /// The time: units of the first look, times how much the variance has fallen since; `None` without variance.
    fn time(&mut self, units: u64, variance: f64) -> Option<f64> {
        let unit = Some(units as f64 * variance).filter(|unit| *unit > 0.0)?;
        Some(*self.unit.get_or_insert(unit) / variance)
    }

    /// Standard errors to either side at this time, and 1/Λ for this z.
    fn at(&self, time: f64, z: f64) -> (f64, f64) {
        let r = time * self.rho2;
        let reach = ((1.0 + 1.0 / r) * (libm::log(1.0 + r) - 2.0 * libm::log(self.alpha))).sqrt();
        let log_ratio = z * z * r / (2.0 * (1.0 + r)) - 0.5 * libm::log(1.0 + r);
        (reach, libm::exp(-log_ratio).min(1.0))
    }
}

/// What a look still needs of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Waiting {
    /// Units.
    Units {
        /// The arm.
        side: Side,
        /// How many it has.
        have: u64,
    },
    /// Effective units.
    EffectiveUnits {
        /// The arm.
        side: Side,
        /// How many it has.
        have: f64,
    },
    /// Units that carry its variance, or else many more units.
    SpreadUnits {
        /// The arm.
        side: Side,
        /// How many units it has.
        units: u64,
    },
}

/// What a look at these arms still needs, if anything.
pub fn waiting(control: &Ratio, treatment: &Ratio) -> Option<Waiting> {
    [(control, Side::Control), (treatment, Side::Treatment)].into_iter().find_map(|(arm, side)| {
        if arm.units < MINIMUM_UNITS {
            Some(Waiting::Units { side, have: arm.units })
        } else if !enough_units(arm) {
            Some(Waiting::EffectiveUnits { side, have: arm.effective_units })
        } else {
            let few = arm.units < UNITS_WITHOUT_SPREAD && arm.spread_units < MINIMUM_SPREAD_UNITS;
            few.then_some(Waiting::SpreadUnits { side, units: arm.units })
        }
    })
}

fn enough_units(arm: &Ratio) -> bool {
    arm.units >= MINIMUM_UNITS && arm.effective_units >= MINIMUM_EFFECTIVE_UNITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_by_hand() {
        // α = .05: 2 ln 20 = 5.99146, ln of it 1.79033, plus 1: ρ² t* = 8.78180. At t = t* the reach is
        // √((1 + 1/8.78180)(ln 9.78180 + 5.99146)) = √(1.113872 · 8.271988) = 3.035446.
        let sequence = Sequence::new(0.95, 1000).unwrap();
        assert!((sequence.rho2 * 1000.0 - 8.78180).abs() < 1e-5);
        let (reach, p) = sequence.at(1000.0, 3.035446);
        assert!((reach - 3.035446).abs() < 1e-5, "{reach}");
        // Where z is the reach, p is α: interval and p are one test.
        assert!((p - 0.05).abs() < 1e-6, "{p}");
        for time in [10.0, 100.0, 1e4, 1e7] {
            let (reach, _) = sequence.at(time, 0.0);
            assert!((sequence.at(time, reach).1 - 0.05).abs() < 1e-12);
            // The tuning point is where the boundary, as a multiple of the standard error, is lowest.
            assert!(reach > sequence.at(1000.0, 0.0).0, "{time}: {reach}");
        }
    }

    #[test]
    fn it_is_the_papers_formula() {
        // Waudby-Smith and others: σ √(2 (tρ² + 1)/(t²ρ²) · ln(√(tρ² + 1)/α)), here with σ/√t for the standard error.
        let sequence = Sequence::new(0.9, 300).unwrap();
        let (t, rho2, alpha) = (70.0f64, sequence.rho2, 0.1f64);
        let literal = (2.0 * (t * rho2 + 1.0) / (t * t * rho2) * ((t * rho2 + 1.0).sqrt() / alpha).ln()).sqrt();
        assert!((sequence.at(t, 0.0).0 / t.sqrt() - literal).abs() < 1e-12);
    }

    #[test]
    fn p_never_rises_and_the_clock_runs_with_information() {
        let mut sequence = Sequence::new(0.95, 400).unwrap();
        let of = Ratio::of_equal_units;
        assert!(sequence.look(&of(0.2, 1.0, 49), &of(0.9, 1.0, 500)).is_none());
        let first = sequence.look(&of(0.0, 1.0, 100), &of(0.5, 1.0, 100)).unwrap();
        let later = sequence.look(&of(0.0, 1.0, 400), &of(0.1, 1.0, 400)).unwrap();
        assert_eq!(later.p, first.p);
        assert!(later.fixed.p > first.fixed.p);
        // 200 units with a quarter of the variance stand where 800 units would.
        let mut other = Sequence::new(0.95, 400).unwrap();
        other.look(&of(0.0, 1.0, 100), &of(0.5, 1.0, 100)).unwrap();
        let same = other.look(&of(0.0, 0.25, 100), &of(0.1, 0.25, 100)).unwrap();
        assert!((same.reach.0 - later.reach.0).abs() < 1e-12 && same.reach.0 == same.reach.1);
        // Few effective units: no look.
        assert!(other.look(&Ratio { effective_units: 14.9, ..of(0.0, 0.25, 100) }, &of(0.1, 0.25, 100)).is_none());
        assert!(Sequence::new(1.0, 5).is_err() && Sequence::new(0.95, 0).is_err());
        assert!(sequence.look(&of(0.1, 0.0, 100), &of(0.1, 0.0, 100)).is_none());
    }

    #[test]
    fn the_interval_is_what_all_looks_have_in_common() {
        let mut sequence = Sequence::new(0.95, 400).unwrap();
        let mut look = |difference| {
            sequence.look(&Ratio::of_equal_units(0.0, 1.0, 200), &Ratio::of_equal_units(difference, 1.0, 200)).unwrap()
        };
        // The standard error is .1, so with a reach r the looks at .5, .2 and −.4 are .5 ± r/10 and so on.
        let first = look(0.5);
        let r = first.reach.0 / 10.0;
        assert!((2.9..3.1).contains(&first.reach.0), "{first:?}");
        assert_eq!(first.interval, Some((0.5 - r, 0.5 + r)));
        // .2 ± .3 has 0 in it; .5 ± .3 has not, and p knows that.
        let second = look(0.2);
        assert_eq!(second.interval, Some((0.5 - r, 0.2 + r)));
        assert!(second.p == first.p && second.p < 0.05 && second.interval.unwrap().0 > 0.0);
        assert_eq!(look(-0.4).interval, None);
    }

    #[test]
    fn looks_wait_for_what_they_need() {
        let arm = |units, effective_units, spread_units| Ratio {
            effective_units,
            spread_units,
            ..Ratio::of_equal_units(0.2, 1.0, units)
        };
        let full = arm(400, 400.0, 400.0);
        for (own, expected) in [
            (arm(49, 49.0, 49.0), Some(Waiting::Units { side: Side::Treatment, have: 49 })),
            (arm(50, 14.9, 50.0), Some(Waiting::EffectiveUnits { side: Side::Treatment, have: 14.9 })),
            (arm(299, 299.0, 2.9), Some(Waiting::SpreadUnits { side: Side::Treatment, units: 299 })),
            (arm(299, 299.0, 3.0), None),
            // (1 − .01)³⁰⁰ = .049: nobody of 300 converts, and 1% is excluded.
            (arm(300, 300.0, 0.0), None),
        ] {
            assert_eq!(waiting(&full, &own), expected, "{own:?}");
            let looked = Sequence::new(0.95, 400).unwrap().look(&full, &own);
            assert_eq!(looked.is_none(), expected.is_some(), "{own:?}");
        }
        assert!(matches!(waiting(&arm(49, 49.0, 49.0), &full), Some(Waiting::Units { side: Side::Control, .. })));
        // An arm alone needs more that carry its variance.
        let alone = |arm: &Ratio| Sequence::new(0.95, 400).unwrap().value(arm);
        assert!(alone(&arm(400, 400.0, 19.9)).is_none() && alone(&arm(400, 400.0, 20.0)).is_some());
    }

    #[test]
    fn unequal_arms_have_the_wider_interval_and_the_same_verdict() {
        // The smaller arm seems to vary less and is skewed to the right, so that its value may be too low: the interval reaches further
        // down than up, and p knows that.
        let small = Ratio { third_moment: 1e-4, ..Ratio::of_equal_units(0.0, 0.5, 60) };
        let large = |value| Ratio::of_equal_units(value, 1.0, 540);
        for value in [0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7] {
            let look = Sequence::new(0.95, 400).unwrap().look(&small, &large(value)).unwrap();
            let (low, high) = look.interval.unwrap();
            assert!(value - low > high - value && look.reach.0 > look.reach.1, "{look:?}");
            assert!((value - low - look.reach.0 * look.fixed.std_error).abs() < 1e-12);
            assert_eq!(look.p < 0.05, low > 0.0, "{look:?}");
        }
    }

    #[test]
    fn one_arm_has_the_boundary_of_its_own_units() {
        let mut sequence = Sequence::new(0.95, 1000).unwrap();
        let (low, high) = sequence.value(&Ratio::of_equal_units(0.3, 4.0, 1000)).unwrap();
        // At the tuning point the reach is 3.035446 (above), the standard error 2/√1000.
        assert!(
            ((high - low) / 2.0 - 3.035446 * 2.0 / 1000f64.sqrt()).abs() < 1e-6 && (low + high - 0.6).abs() < 1e-12
        );
    }
}
