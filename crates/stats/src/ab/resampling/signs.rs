//! Random signs for the deviations from the common ratio, each unit in its arm.
//!
//! The one decision: denominators stay, so the jackknife's weights are the same for all draws, and a draw is four signed sums an arm.

use super::super::ratio::rest;
use super::{Outcome, SHIFTS, Shift, Unit, Units};
use crate::seed::{Seed, Stream};

/// Draws that share a stream.
const PIECE: u32 = 64;

/// Sums over an arm that no sign changes, and its units.
struct Arm {
    /// Deviation d, denominator y, and both times y times the weight 1/(1 − h)².
    terms: Vec<[f64; 4]>,
    y: f64,
    /// Weighted sums of d d, d y and y y.
    dd: f64,
    dy: f64,
    yy: f64,
    treated: f64,
    scale: f64,
}

impl Arm {
    fn new(units: &Units, treated: f64) -> Arm {
        let own = || units.all.iter().filter(|unit| unit.treated == treated);
        let y: f64 = own().map(|unit| unit.denominator).sum();
        let count = own().count() as f64;
        let mut arm =
            Arm { terms: Vec::new(), y, dd: 0.0, dy: 0.0, yy: 0.0, treated, scale: (count - 1.0) / count / (y * y) };
        for &Unit { deviation, denominator, .. } in own() {
            let weight = (y / rest(denominator, y)).powi(2);
            let weighted = weight * denominator;
            arm.terms.push([deviation, denominator, weighted * deviation, weighted * denominator]);
            arm.dd += weight * deviation * deviation;
            arm.dy += weighted * deviation;
            arm.yy += weighted * denominator;
        }
        arm
    }

    /// The four sums under random signs.
    fn sums(&self, stream: &mut Stream) -> [f64; 4] {
        let mut sums = [0.0; 4];
        for word in self.terms.chunks(64) {
            let mut signs = stream.signs();
            for term in word {
                let sign = 1.0 - 2.0 * (signs & 1) as f64;
                signs >>= 1;
                for (sum, term) in sums.iter_mut().zip(term) {
                    *sum += sign * term;
                }
            }
        }
        sums
    }

    /// Ratio and variance of the arm under the signs that gave these sums. Deviations from the common ratio of the shifted units are
    /// d (1 + λ own) + λ y per: `own` and `per` say how the shift changes them.
    fn ratio(&self, [d, y, wd, wy]: [f64; 4], own: f64, per: f64) -> ([f64; 2], [f64; 3]) {
        let (r0, r1) = (d / self.y, (own * d + per * y) / self.y);
        // The weighted sums of y e, signed, and of e e: constants, and terms of λ and λ².
        let (ye0, ye1) = (wd, own * wd + per * wy);
        let ee = [
            self.dd,
            2.0 * (own * self.dd + per * self.dy),
            own * own * self.dd + 2.0 * own * per * self.dy + per * per * self.yy,
        ];
        let variance = [
            ee[0] - 2.0 * r0 * ye0 + r0 * r0 * self.yy,
            ee[1] - 2.0 * (r0 * ye1 + r1 * ye0) + 2.0 * r0 * r1 * self.yy,
            ee[2] - 2.0 * r1 * ye1 + r1 * r1 * self.yy,
        ];
        ([r0, r1], variance.map(|term| self.scale * term))
    }
}

/// Outcomes under so many changes of signs, for each way to shift.
pub(super) fn outcomes(units: &Units, draws: u32, seed: Seed) -> [Vec<Outcome>; 2] {
    let arms = [Arm::new(units, 0.0), Arm::new(units, 1.0)];
    let (all, treated) = (arms[0].y + arms[1].y, arms[1].y);
    let x: f64 = arms[1].terms.iter().map(|term| term[0] + units.ratio * term[1]).sum();
    // The shift moves the common ratio by λ Σ z/Σ y, and a unit of the treatment by λ z: −y, or x = d + R y.
    let shifted = |shift: Shift, arm: &Arm| match shift {
        Shift::Difference => (0.0, treated / all - arm.treated),
        Shift::Lift => (arm.treated, arm.treated * units.ratio - x / all),
    };
    let streams = seed.streams("signs of units");
    let mut found = [Vec::with_capacity(draws as usize), Vec::with_capacity(draws as usize)];
    for piece in 0..draws.div_ceil(PIECE) {
        let mut stream = streams.at(u64::from(piece));
        for _ in 0..PIECE.min(draws - piece * PIECE) {
            let mut sums = [[0.0; 4]; 2];
            let first = usize::from(units.treatment_first);
            for arm in [first, 1 - first] {
                sums[arm] = arms[arm].sums(&mut stream);
            }
            for (outcomes, shift) in found.iter_mut().zip(SHIFTS) {
                let side = |arm: usize| {
                    let (own, per) = shifted(shift, &arms[arm]);
                    arms[arm].ratio(sums[arm], own, per)
                };
                let (a, b) = (side(0), side(1));
                outcomes.push(Outcome {
                    difference: [b.0[0] - a.0[0], b.0[1] - a.0[1]],
                    variance: [a.1[0] + b.1[0], a.1[1] + b.1[1], a.1[2] + b.1[2]],
                });
            }
        }
    }
    found
}
