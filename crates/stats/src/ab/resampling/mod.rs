//! Two arms compared by resampling their units: two tests of one studentised difference, of which the larger p counts.
//!
//! - [`permutation`]: units are dealt to the arms anew. If the change does nothing to anybody, every deal is as likely, so this test is
//!   exact however heavy-tailed the units are. It errs if units of one arm spread more than those of the other.
//! - [`signs`]: each unit's deviation from the common ratio gets a random sign, within its arm and with its denominator (restricted wild
//!   bootstrap; Cameron, Gelbach and Miller 2008, MacKinnon, Nielsen and Webb 2023). It knows each arm's spread, and errs if deviations
//!   are skewed and the arms unequal.
//!
//! The one decision: both must reject. Each keeps its level where the other does not (docs/ab-measured.md).
//!
//! Other differences than 0 are tested by shifting the treatment: its numerators become x + λ z, with z = −y for a difference of λ, and
//! z = x for a lift. The difference of any resample is linear in λ and its variance quadratic, so five numbers keep an [`Outcome`], and
//! intervals are found by bisection without another draw.

mod permutation;
mod signs;

use std::cmp::Ordering;

use super::ratio::residual;
use super::{NoAnswer, Ratio};
use crate::dist::each_side;
use crate::seed::Seed;
use crate::summation::compensated_sum;

/// The difference of the two ratios and its variance, as functions of the shift λ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Outcome {
    difference: [f64; 2],
    variance: [f64; 3],
}

impl Outcome {
    /// The difference squared and its variance at one shift.
    fn at(&self, shift: f64) -> (f64, f64) {
        let difference = self.difference[0] + shift * self.difference[1];
        let [constant, linear, square] = self.variance;
        (difference * difference, (constant + shift * (linear + shift * square)).max(0.0))
    }
}

/// Differences of t² smaller than this share are rounding: the two outcomes are a tie.
const SAME: f64 = 1e-9;

/// Where t² of an outcome stands to the observed one: beyond it, level with it, or within.
fn compare(outcome: f64, observed: f64) -> Ordering {
    let level = outcome == observed || (outcome - observed).abs() <= SAME * observed;
    if level { Ordering::Equal } else { outcome.total_cmp(&observed) }
}

/// How the treatment is shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shift {
    /// By −λ y: a difference of λ.
    Difference,
    /// By λ x: a lift of 1/(1 + λ) − 1.
    Lift,
}

const SHIFTS: [Shift; 2] = [Shift::Difference, Shift::Lift];

/// One unit: x − R y with the ratio R of both arms together, y, and whether it is in the treatment (1 or 0).
#[derive(Clone, Copy, Debug)]
struct Unit {
    deviation: f64,
    denominator: f64,
    treated: f64,
}

/// The units of both arms, in an order that depends neither on that of the data nor on which arm is the control.
struct Units {
    all: Vec<Unit>,
    treated: usize,
    /// The ratio of both arms together.
    ratio: f64,
    /// Whether the treatment's signs are drawn first.
    treatment_first: bool,
}

impl Units {
    fn new(control: &[(f64, f64)], treatment: &[(f64, f64)]) -> Units {
        let (control, treatment) = (sorted(control), sorted(treatment));
        let smaller = treatment.len().cmp(&control.len());
        let by_values = || treatment.iter().zip(&control).map(|(a, b)| order(a, b)).find(|order| order.is_ne());
        let treatment_first = smaller.then_with(|| by_values().unwrap_or(Ordering::Equal)).is_lt();
        let mut all: Vec<((f64, f64), f64)> = control.iter().map(|unit| (*unit, 0.0)).collect();
        all.extend(treatment.iter().map(|unit| (*unit, 1.0)));
        all.sort_by(|a, b| order(&a.0, &b.0).then(a.1.total_cmp(&b.1)));
        let sum = |of: fn(&(f64, f64)) -> f64| compensated_sum(all.iter().map(|unit| of(&unit.0)));
        let ratio = sum(|unit| unit.0) / sum(|unit| unit.1);
        let unit = |&(unit, treated): &_| Unit { deviation: residual(unit, ratio), denominator: unit.1, treated };
        Units { all: all.iter().map(unit).collect(), treated: treatment.len(), ratio, treatment_first }
    }
}

fn sorted(units: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted = units.to_vec();
    sorted.sort_by(order);
    sorted
}

/// By denominator, then by numerator.
fn order(a: &(f64, f64), b: &(f64, f64)) -> Ordering {
    a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0))
}

/// What one way of shifting gives: the outcome observed, and those of each kind of resample.
#[derive(Debug)]
struct Reference {
    observed: Outcome,
    permuted: Vec<Outcome>,
    signed: Vec<Outcome>,
    /// A difference whose square is not above this is rounding.
    rounding: f64,
}

impl Reference {
    /// t² at one shift. Without variance it is 0 where there is no difference either, and infinite where there is one.
    fn t_squared(&self, outcome: &Outcome, shift: f64) -> f64 {
        let (difference, variance) = outcome.at(shift);
        if difference <= self.rounding { 0.0 } else { difference / variance }
    }

    /// p of both tests. The permutation test counts ties by half (mid-p; Lancaster 1961): yes-or-no metrics have few outcomes, and
    /// counting ties in full finds 3% where 5% is meant.
    fn both(&self, shift: f64) -> (f64, f64) {
        let observed = self.t_squared(&self.observed, shift);
        let count = |outcomes: &[Outcome]| {
            let orders = outcomes.iter().map(|outcome| compare(self.t_squared(outcome, shift), observed));
            orders.fold((0u32, 0u32), |(beyond, level), order| match order {
                Ordering::Greater => (beyond + 1, level),
                Ordering::Equal => (beyond, level + 1),
                Ordering::Less => (beyond, level),
            })
        };
        let share = |extreme: f64, outcomes: &[Outcome]| (extreme / (outcomes.len() as f64 + 1.0)).min(1.0);
        let (beyond, level) = count(&self.permuted);
        let permutation = share(f64::from(beyond) + 0.5 * f64::from(level) + 0.5, &self.permuted);
        let (beyond, level) = count(&self.signed);
        (permutation, share(f64::from(beyond) + f64::from(level) + 1.0, &self.signed))
    }

    fn p(&self, shift: f64) -> f64 {
        let (permutation, signs) = self.both(shift);
        permutation.max(signs)
    }
}

/// Two arms, resampled.
#[derive(Debug)]
pub struct Resampled {
    difference: Reference,
    lift: Reference,
    ratios: [Ratio; 2],
    std_error: f64,
}

impl Resampled {
    /// So many permutations, and as many changes of signs.
    ///
    /// # Errors
    /// An arm has no ratio, or nothing varies.
    pub fn new(
        control: &[(f64, f64)],
        treatment: &[(f64, f64)],
        draws: u32,
        seed: Seed,
    ) -> Result<Resampled, NoAnswer> {
        let ratios = [Ratio::of(control)?, Ratio::of(treatment)?];
        let std_error = (ratios[0].variance() + ratios[1].variance()).sqrt();
        if !matches!(std_error, error if error > 0.0) {
            return Err(NoAnswer::Constant);
        }
        let units = Units::new(control, treatment);
        let mut references = permutation::references(&units, draws, seed);
        let rounding = (1e-12 * (ratios[0].value.abs() + ratios[1].value.abs())).powi(2);
        for (reference, signed) in references.iter_mut().zip(signs::outcomes(&units, draws, seed)) {
            reference.signed = signed;
            reference.rounding = rounding;
        }
        let [difference, lift] = references;
        Ok(Resampled { difference, lift, ratios, std_error })
    }

    /// The larger p of the two tests of no difference.
    pub fn p(&self) -> f64 {
        self.difference.p(0.0)
    }

    /// p of the permutation test and of the test by signs.
    pub fn both(&self) -> (f64, f64) {
        self.difference.both(0.0)
    }

    /// The differences that the tests do not reject, from the least to the greatest; `None` where an end is infinite. It excludes 0 if
    /// and only if no difference is rejected.
    ///
    /// # Errors
    /// The level is none.
    pub fn interval(&self, level: f64) -> Result<Option<(f64, f64)>, NoAnswer> {
        let alpha = 2.0 * each_side(level)?;
        let rejected = |value: f64| self.difference.p(value) < alpha;
        let point = self.ratios[1].value - self.ratios[0].value;
        let end = |sign: f64| {
            // Where 0 lies on this side, it decides first, so that interval and p are one test.
            let towards_zero = -point * sign > 0.0;
            if towards_zero && rejected(0.0) {
                return Some(bisect(point, 0.0, &rejected));
            }
            let start = if towards_zero { 0.0 } else { point };
            let steps = (0..40).map(|power| start + sign * self.std_error * 2f64.powi(power));
            outwards(start, steps, &rejected)
        };
        Ok(end(-1.0).zip(end(1.0)))
    }

    /// The lifts that the tests do not reject, found like [`Resampled::interval`]; from −1 on where they do not tell the treatment from 0.
    ///
    /// # Errors
    /// The control may be 0, an arm is, or the level is none.
    pub fn lift_interval(&self, level: f64) -> Result<(f64, f64), NoAnswer> {
        let alpha = 2.0 * each_side(level)?;
        let [a, b] = [self.ratios[0].value, self.ratios[1].value];
        if !(a > 0.0 && b > 0.0) {
            return Err(NoAnswer::Constant);
        }
        let rejected = |factor: f64| self.lift.p(1.0 / factor - 1.0) < alpha;
        let unbounded = NoAnswer::DenominatorMayBeZero { value: a, low: 0.0, high: a };
        // λ = −1 leaves the treatment nothing: is the control told from 0?
        if self.lift.p(-1.0) >= alpha {
            return Err(unbounded);
        }
        let end = |up: bool| {
            let towards_one = if up { b < a } else { b > a };
            if towards_one && rejected(1.0) {
                return Some(bisect(b / a, 1.0, &rejected));
            }
            let start = if towards_one { 1.0 } else { b / a };
            let steps = (0..40).map(|power| start * if up { 1.5f64.powi(power + 1) } else { 1.5f64.powi(-power - 1) });
            outwards(start, steps, &rejected)
        };
        let high = end(true).ok_or(unbounded)?;
        Ok((end(false).unwrap_or(0.0) - 1.0, high - 1.0))
    }
}

/// The end of an interval beyond `start`, between the first of `steps` that is rejected and the one before.
fn outwards(start: f64, steps: impl Iterator<Item = f64>, rejected: &impl Fn(f64) -> bool) -> Option<f64> {
    let mut inside = start;
    for step in steps {
        if rejected(step) {
            return Some(bisect(inside, step, rejected));
        }
        inside = step;
    }
    None
}

/// The last value that is not rejected on the way from one that is not to one that is.
fn bisect(mut inside: f64, mut outside: f64, rejected: &impl Fn(f64) -> bool) -> f64 {
    // 30 halvings: a billionth of the bracket.
    for _ in 0..30 {
        let middle = 0.5 * (inside + outside);
        if rejected(middle) { outside = middle } else { inside = middle }
    }
    inside
}

#[cfg(test)]
mod tests;
