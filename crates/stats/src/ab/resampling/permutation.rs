//! Units dealt to the arms anew, each deal as likely as any other (Janssen 1997; Chung and Romano 2013: with a studentised difference the
//! test is also right for unequal arms, once they are large).
//!
//! The one decision: the standard error of a deal is the jackknife's, as that of the data is, so each unit's weight depends on which
//! arm it is dealt to and every deal visits every unit. That is 20 nanoseconds a unit.

use super::super::ratio::rest;
use super::{Outcome, Reference, SHIFTS, Shift, Unit, Units};
use crate::seed::{Seed, Stream};

/// Deals that share a stream.
const PIECE: u32 = 64;

/// What a deal puts into one arm: sums of deviations d and denominators y, over all units and over those of the treatment, and sums of
/// squares weighted by the jackknife's 1/(1 − h)².
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    units: f64,
    d: f64,
    y: f64,
    treated_y: f64,
    treated_d: f64,
    dd: f64,
    dy: f64,
    yy: f64,
    treated_dd: f64,
    treated_dy: f64,
    treated_yy: f64,
}

impl Side {
    fn of<'u>(units: impl Iterator<Item = &'u Unit> + Clone) -> Side {
        let mut side = Side::default();
        for unit in units.clone() {
            side.units += 1.0;
            side.d += unit.deviation;
            side.y += unit.denominator;
            side.treated_d += unit.treated * unit.deviation;
            side.treated_y += unit.treated * unit.denominator;
        }
        for unit in units {
            let (d, y) = (unit.deviation, unit.denominator);
            let weight = side.y / rest(y, side.y);
            let (d, y) = (weight * d, weight * y);
            side.dd += d * d;
            side.dy += d * y;
            side.yy += y * y;
            side.treated_dd += unit.treated * d * d;
            side.treated_dy += unit.treated * d * y;
            side.treated_yy += unit.treated * y * y;
        }
        side
    }

    /// Ratio and variance of this arm, with numerators d + λ z.
    fn arm(&self, shift: Shift, ratio: f64) -> ([f64; 2], [f64; 3]) {
        // Sums of z, and of weighted d z, z z and z y.
        let (z, dz, zz, zy) = match shift {
            Shift::Difference => (-self.treated_y, -self.treated_dy, self.treated_yy, -self.treated_yy),
            // x is d + R y.
            Shift::Lift => (
                self.treated_d + ratio * self.treated_y,
                self.treated_dd + ratio * self.treated_dy,
                self.treated_dd + ratio * (2.0 * self.treated_dy + ratio * self.treated_yy),
                self.treated_dy + ratio * self.treated_yy,
            ),
        };
        let (r0, r1) = (self.d / self.y, z / self.y);
        let scale = (self.units - 1.0) / self.units / (self.y * self.y);
        let constant = self.dd - 2.0 * r0 * self.dy + r0 * r0 * self.yy;
        let linear = 2.0 * (dz - r1 * self.dy - r0 * zy + r0 * r1 * self.yy);
        let square = zz - 2.0 * r1 * zy + r1 * r1 * self.yy;
        // What is left of squares that cancel is rounding.
        let constant = if constant > 1e-13 * (self.dd + r0 * r0 * self.yy) { constant } else { 0.0 };
        ([r0, r1], [constant, linear, square].map(|term| scale * term))
    }
}

/// The outcome when one side is the control and the other the treatment.
fn outcome(control: &Side, treatment: &Side, shift: Shift, ratio: f64) -> Outcome {
    if !(control.y > 0.0 && treatment.y > 0.0) {
        // An arm without denominator has no ratio. It counts as extreme.
        return Outcome { difference: [f64::MAX.sqrt(), 0.0], variance: [0.0; 3] };
    }
    let (a, b) = (control.arm(shift, ratio), treatment.arm(shift, ratio));
    Outcome {
        difference: [b.0[0] - a.0[0], b.0[1] - a.0[1]],
        variance: [a.1[0] + b.1[0], a.1[1] + b.1[1], a.1[2] + b.1[2]],
    }
}

/// The outcome observed and those of so many deals, for each way to shift.
pub(super) fn references(units: &Units, draws: u32, seed: Seed) -> [Reference; 2] {
    let own = |treated: f64| units.all.iter().filter(move |unit| unit.treated == treated);
    let observed = [Side::of(own(0.0)), Side::of(own(1.0))];
    let mut references = SHIFTS.map(|shift| Reference {
        observed: outcome(&observed[0], &observed[1], shift, units.ratio),
        permuted: Vec::with_capacity(draws as usize),
        signed: Vec::new(),
        rounding: 0.0,
    });
    // The smaller arm is dealt, so that swapping the arms changes nothing.
    let dealt = units.treated.min(units.all.len() - units.treated);
    let streams = seed.streams("permuted units");
    let mut deck = units.all.clone();
    for piece in 0..draws.div_ceil(PIECE) {
        let mut stream = streams.at(u64::from(piece));
        for _ in 0..PIECE.min(draws - piece * PIECE) {
            deal(&mut deck, dealt, &mut stream);
            let (small, large) = (Side::of(deck[..dealt].iter()), Side::of(deck[dealt..].iter()));
            for (reference, shift) in references.iter_mut().zip(SHIFTS) {
                reference.permuted.push(outcome(&small, &large, shift, units.ratio));
            }
        }
    }
    references
}

/// Puts as many units as asked for, all sets as likely, to the front.
fn deal(deck: &mut [Unit], dealt: usize, stream: &mut Stream) {
    for at in 0..dealt {
        let other = at + stream.below((deck.len() - at) as u64) as usize;
        deck.swap(at, other);
    }
}
