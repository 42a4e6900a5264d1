//! The sum on a grid: every weight rounded to a multiple of one step, and the rounding accounted for.
//!
//! With aᵢ the rounded weight and δᵢ = wᵢ − aᵢ, the sum is Σ aᵢBᵢ + Σ δᵢBᵢ. The first part is convolved without error. The
//! second has the known mean Σ δᵢqᵢ, which shifts the grid, and strays from it no further than
//!
//! ```text
//! always:                    max(Σ max(δᵢ,0) − Σ δᵢqᵢ, Σ δᵢqᵢ − Σ min(δᵢ,0))
//! with probability 1 − ε:    √(Σ δᵢ² ln(2/ε) / 2)        Hoeffding (1963), theorem 2
//! ```
//!
//! The one decision: whichever is less is the error bound that is told. A term below half a step rounds to 0 and is all δ.

use super::{Points, StandIn, Term, running};

/// Most points of the grid.
const POINTS: f64 = (1 << 21) as f64;
/// Most additions to points, where nobody says.
pub(super) const WORK: f64 = (1 << 27) as f64;
/// ε, the probability that Hoeffding's bound is paid with.
const ASIDE: f64 = 1e-9;

/// The sum of these terms (ascending weights, all open, at least one) with about so many additions.
pub(super) fn convolve(terms: &[Term], work: f64) -> StandIn {
    let mut total = 0.0;
    // Adding a term costs as many additions as the sums so far have points.
    let mut lengths = 0.0;
    for term in terms {
        total += term.weight;
        lengths += total;
    }
    let step = (total / POINTS).max(lengths / work);
    let (mut masses, mut next) = (vec![1.0], Vec::new());
    let (mut shift, mut above, mut under, mut squares) = (0.0, 0.0, 0.0, 0.0);
    for term in terms {
        let places = (term.weight / step).round();
        let left = term.weight - places * step;
        shift += left * term.probability;
        above += left.max(0.0);
        under += left.min(0.0);
        squares += left * left;
        if places > 0.0 {
            add(&masses, places as usize, term.probability, &mut next);
            std::mem::swap(&mut masses, &mut next);
        }
    }
    let always = (above - shift).max(shift - under);
    let nearly = (squares * libm::log(2.0 / ASIDE) / 2.0).sqrt();
    // Masses round twice a term and once a point in adding up; positions by a unit in the last place for each term.
    let rounding = (4.0 * terms.len() as f64 + masses.len() as f64) * f64::EPSILON;
    let places = 4.0 * terms.len() as f64 * f64::EPSILON * total;
    StandIn {
        below: running(masses),
        points: Points::Grid { step },
        shift,
        reach: always.min(nearly) + places,
        slack: rounding + if nearly < always { ASIDE } else { 0.0 },
    }
}

/// The masses with one more yes-or-no of this many places: two passes over contiguous memory.
fn add(masses: &[f64], places: usize, probability: f64, out: &mut Vec<f64>) {
    out.clear();
    out.extend(masses.iter().map(|mass| mass * (1.0 - probability)));
    out.resize(masses.len() + places, 0.0);
    out[places..].iter_mut().zip(masses).for_each(|(sum, mass)| *sum += mass * probability);
}
