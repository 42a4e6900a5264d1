//! Two arms compared over their units: which test, its p and intervals, and when no verdict may rest on it.
//!
//! The one decision: what was measured decides (docs/ab-measured.md). Few or unequal units are resampled. With 400 effective units in
//! both arms, and 30 that carry the variance, Welch's t on the jackknife's standard error says the same at once. Below 8 effective
//! units nothing keeps its level when the arms spread differently, so no verdict is given.

use super::{Difference, Lift, NoAnswer, Ratio, Resampled, difference, lift};
use crate::dist::{each_side, student_t};
use crate::seed::Seed;

/// Effective units an arm needs for a verdict.
pub const EFFECTIVE_UNITS: f64 = 8.0;

/// Effective units an arm needs for a verdict when there are more units than are resampled.
pub const EFFECTIVE_UNITS_MANY: f64 = 100.0;

/// Arms with fewer effective units are resampled.
pub const RESAMPLED_BELOW: f64 = 400.0;

/// Arms whose variance rests on fewer units are resampled.
const SPREAD_BELOW: f64 = 30.0;

/// More units than this, both arms together, are not resampled: it would take seconds.
pub const RESAMPLED_TO: usize = 50_000;

/// Permutations, and changes of signs: so many for few units, fewer for many, at a constant cost.
const DRAWS: (u32, u32) = (1999, 9999);
const WORK: usize = 20_000_000;

/// Where more units cannot be resampled: an arm whose variance rests on fewer, and which is this much smaller than the other, has
/// too few events for t.
const RARE: f64 = 10.0;
const UNEQUAL: f64 = 2.0;

/// How arms are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Confidence level.
    pub level: f64,
    /// Seed of the resampling.
    pub seed: Seed,
}

/// Which test p and intervals come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsersTest {
    /// The larger p of a permutation test and a test by random signs, each with so many draws.
    Resampling {
        /// Draws of each.
        draws: u32,
    },
    /// Welch's t on the jackknife's standard error.
    T,
}

/// An arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first.
    Control,
    /// The second.
    Treatment,
}

/// Why no verdict may rest on a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// A few units have most of the denominator.
    FewEffectiveUnits {
        /// The arm with fewer.
        side: Side,
        /// Its effective units.
        effective: f64,
        /// How many are needed.
        need: f64,
        /// Units of this arm that would have so many, if others are like them.
        units: f64,
    },
    /// The smaller of two unequal arms has hardly any events.
    FewEvents {
        /// The arm.
        side: Side,
    },
}

/// Two arms, compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The difference with Welch's t.
    pub difference: Difference,
    /// Where `p` and the intervals come from.
    pub test: UsersTest,
    /// The p-value.
    pub p: f64,
    /// The interval of the difference; `None` where an end is infinite.
    pub interval: Option<(f64, f64)>,
    /// The lift and its intervals.
    pub lift: Result<Lift, NoAnswer>,
    /// Why no verdict may rest on this.
    pub refusal: Option<Refusal>,
}

/// Compares two arms of (numerator, denominator) a unit.
///
/// # Errors
/// An arm has no ratio, nothing varies, or the level is none.
pub fn compare(control: &[(f64, f64)], treatment: &[(f64, f64)], settings: &Settings) -> Result<Comparison, NoAnswer> {
    let (a, b) = (Ratio::of(control)?, Ratio::of(treatment)?);
    let difference = difference(&a, &b, settings.level)?;
    let t = student_t::upper_quantile(each_side(settings.level)?, difference.df)?;
    let fieller = lift(&a, &b, t);
    let (test, refusal) = choose(&a, &b);
    let UsersTest::Resampling { draws } = test else {
        let interval = Some((difference.interval.low, difference.interval.high));
        return Ok(Comparison { difference, test, p: difference.p, interval, lift: fieller, refusal });
    };
    let resampled = Resampled::new(control, treatment, draws, settings.seed)?;
    let lift = resampled.lift_interval(settings.level).map(|interval| Lift::resampled(&a, &b, interval, t));
    let interval = resampled.interval(settings.level)?;
    Ok(Comparison { difference, test, p: resampled.p(), interval, lift, refusal })
}

/// The test for these arms, and whether a verdict may rest on it.
fn choose(a: &Ratio, b: &Ratio) -> (UsersTest, Option<Refusal>) {
    let units = (a.units + b.units) as usize;
    let fewest = a.effective_units.min(b.effective_units);
    let enough = fewest >= RESAMPLED_BELOW && a.spread_units.min(b.spread_units) >= SPREAD_BELOW;
    if !enough && units <= RESAMPLED_TO {
        let draws = (WORK / units.max(1)).clamp(DRAWS.0 as usize, DRAWS.1 as usize) as u32;
        return (UsersTest::Resampling { draws }, few(a, b, EFFECTIVE_UNITS));
    }
    let rare = |small: &Ratio, large: &Ratio, side| {
        let unequal = large.units as f64 > UNEQUAL * small.units as f64;
        (unequal && small.spread_units < RARE).then_some(Refusal::FewEvents { side })
    };
    let refusal =
        few(a, b, EFFECTIVE_UNITS_MANY).or_else(|| rare(a, b, Side::Control)).or_else(|| rare(b, a, Side::Treatment));
    (UsersTest::T, refusal)
}

/// Whether an arm has fewer effective units than needed.
fn few(a: &Ratio, b: &Ratio, need: f64) -> Option<Refusal> {
    let (side, arm) = if b.effective_units < a.effective_units { (Side::Treatment, b) } else { (Side::Control, a) };
    let effective = arm.effective_units;
    (effective < need).then(|| Refusal::FewEffectiveUnits {
        side,
        effective,
        need,
        units: (arm.units as f64 * need / effective).ceil(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(units: u64, effective_units: f64) -> Ratio {
        Ratio { effective_units, ..Ratio::of_equal_units(0.2, 1.0, units) }
    }

    fn few_units(side: Side, effective: f64, need: f64, units: f64) -> Option<Refusal> {
        Some(Refusal::FewEffectiveUnits { side, effective, need, units })
    }

    #[test]
    fn the_test_and_its_refusal_follow_from_sizes() {
        use Side::{Control, Treatment};
        let resampling = |draws| UsersTest::Resampling { draws };
        for (a, b, spread, expected) in [
            (ratio(30, 12.0), ratio(30, 20.0), [9.0, 9.0], (resampling(9999), None)),
            // 30 units are 6 effective ones: 40 would be 8.
            (ratio(30, 20.0), ratio(30, 6.0), [9.0, 9.0], (resampling(9999), few_units(Treatment, 6.0, 8.0, 40.0))),
            // 20 million units drawn: 5000 times 4000.
            (ratio(2000, 1999.0), ratio(2000, 399.0), [99.0, 99.0], (resampling(5000), None)),
            (ratio(25_000, 99.0), ratio(25_000, 399.0), [99.0, 99.0], (resampling(1999), None)),
            (ratio(2000, 400.0), ratio(2000, 400.0), [30.0, 30.0], (UsersTest::T, None)),
            // Few events: resampled as long as that is possible.
            (ratio(20_000, 2e4), ratio(20_000, 2e4), [30.0, 29.0], (resampling(1999), None)),
            (ratio(40_000, 4e4), ratio(20_000, 2e4), [30.0, 9.0], (UsersTest::T, None)),
            (
                ratio(80_000, 8e4),
                ratio(20_000, 2e4),
                [30.0, 9.0],
                (UsersTest::T, Some(Refusal::FewEvents { side: Treatment })),
            ),
            (
                ratio(30_000, 50.0),
                ratio(30_000, 3e4),
                [30.0, 30.0],
                (UsersTest::T, few_units(Control, 50.0, 100.0, 60_000.0)),
            ),
        ] {
            let [a, b] = [(a, spread[0]), (b, spread[1])].map(|(arm, spread_units)| Ratio { spread_units, ..arm });
            assert_eq!(choose(&a, &b), expected, "{a:?} {b:?}");
        }
    }
}
