//! The sum of independent weighted yes-or-no's, Σ wᵢ Bᵢ with Bᵢ = 1 in a share qᵢ of cases.
//!
//! That is what unjudged documents add to a measure linear in gain (Park 2016, section 2.1). The one decision: no answer
//! without its error. Few sums are enumerated (`atoms`) and exact up to rounding; many are put on a grid
//! (`grid`), and every probability and quantile comes as [`Enclosed`], within ends that are proved, not hoped for.
//! No term is dropped: one too small for the grid still has its mean in the position and its size in the ends.

mod atoms;
mod grid;

use super::{OutOfRange, check, closed_probability, open_probability, point};
use crate::summation::compensated_sum;

/// Largest weight; sums of squares of anything below stay finite.
const LARGEST: f64 = 1e100;

/// One weighted yes-or-no: `weight` with this probability, else 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    weight: f64,
    probability: f64,
}

impl Term {
    /// A weight from 0 to 1e100 and a probability from 0 to 1.
    pub fn new(weight: f64, probability: f64) -> Result<Term, OutOfRange> {
        check((0.0..=LARGEST).contains(&weight), "weight", weight, "a number from 0 to 1e100")?;
        Ok(Term { weight, probability: closed_probability(probability)? })
    }

    /// w q.
    pub fn mean(self) -> f64 {
        self.weight * self.probability
    }

    /// w² q (1 − q).
    pub fn variance(self) -> f64 {
        self.weight * self.weight * self.probability * (1.0 - self.probability)
    }

    /// The least it can add: its weight where the answer is surely yes.
    pub fn least(self) -> f64 {
        if self.probability == 1.0 { self.weight } else { 0.0 }
    }

    /// The greatest it can add: nothing where the answer is surely no.
    pub fn greatest(self) -> f64 {
        if self.probability > 0.0 { self.weight } else { 0.0 }
    }

    /// The term times `factor`, which is from 0 to 1.
    pub(crate) fn scaled(self, factor: f64) -> Term {
        Term { weight: self.weight * factor, ..self }
    }
}

/// Mean of the sum of these terms (Park 2016, section 2.1: `E[v]`).
pub fn mean(terms: &[Term]) -> f64 {
    compensated_sum(terms.iter().map(|term| term.mean()))
}

/// Variance of the sum of these terms (Park 2016, section 2.1: Var(v)).
pub fn variance(terms: &[Term]) -> f64 {
    compensated_sum(terms.iter().map(|term| term.variance()))
}

/// A number and the ends between which it is proved to lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosed {
    /// The best that is known.
    pub value: f64,
    /// Not less than this.
    pub low: f64,
    /// Not more than this.
    pub high: f64,
}

/// Where probability stands, in ascending order, before the shift that all points share.
#[derive(Clone, Debug)]
enum Points {
    /// Each by itself.
    Atoms(Vec<f64>),
    /// 0, step, 2 step, …
    Grid { step: f64 },
}

/// A stand-in for the sum, and how far it may be from it.
#[derive(Clone, Debug)]
struct StandIn {
    points: Points,
    /// Probability up to and including each point.
    below: Vec<f64>,
    /// Added to every point.
    shift: f64,
    /// The sum is at most this far from the stand-in …
    reach: f64,
    /// … but for this probability, which also covers the rounding of `below`.
    slack: f64,
}

/// The distribution of Σ wᵢ Bᵢ.
///
/// Cost is bounded: at most 2²⁴ steps to enumerate and 2²⁷ on the grid (a fraction of a second), and two arrays of at
/// most 2²¹ numbers, whatever the number of terms. Where that is too little the ends are wide, and say so.
#[derive(Clone, Debug)]
pub struct BernoulliSum {
    mean: f64,
    variance: f64,
    least: f64,
    greatest: f64,
    stand_in: StandIn,
}

impl BernoulliSum {
    /// The sum of these terms; of none it is 0.
    pub fn new(terms: &[Term]) -> BernoulliSum {
        BernoulliSum::within(terms, grid::WORK)
    }

    /// The same with about `steps` steps on the grid: the fewer, the sooner, and the wider the ends that are told.
    pub fn within(terms: &[Term], steps: f64) -> BernoulliSum {
        let least = compensated_sum(terms.iter().map(|term| term.least()));
        let mut open: Vec<Term> = terms.iter().copied().filter(|term| term.least() < term.greatest()).collect();
        // Small weights first: the sums so far, which are what each step costs, then stay short for longest.
        open.sort_by(|a, b| a.weight.total_cmp(&b.weight));
        let greatest = least + compensated_sum(open.iter().map(|term| term.weight));
        let mut stand_in = atoms::enumerate(&open).unwrap_or_else(|| grid::convolve(&open, steps));
        stand_in.shift += least;
        BernoulliSum { mean: mean(terms), variance: variance(terms), least, greatest, stand_in }
    }

    /// Mean, in closed form.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Variance, in closed form.
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// The least value the sum can take.
    pub fn least(&self) -> f64 {
        self.least
    }

    /// The greatest value the sum can take.
    pub fn greatest(&self) -> f64 {
        self.greatest
    }

    /// Whether every sum was enumerated, so that only rounding is left.
    pub fn is_enumerated(&self) -> bool {
        matches!(self.stand_in.points, Points::Atoms(_))
    }

    /// How far a quantile's position may be off, and with how much probability besides: the error bound of everything
    /// told here.
    pub fn error_bound(&self) -> (f64, f64) {
        (self.stand_in.reach, self.stand_in.slack)
    }

    /// Probability of a sum of at most `x`.
    pub fn cdf(&self, x: f64) -> Result<Enclosed, OutOfRange> {
        let x = point(x)?;
        let StandIn { reach, slack, .. } = self.stand_in;
        // Of atoms, those that are x but for rounding count as x.
        let tie = if self.is_enumerated() { reach } else { 0.0 };
        Ok(Enclosed {
            value: self.up_to(x + tie),
            low: if x >= self.greatest { 1.0 } else { (self.up_to(x - reach) - slack).max(0.0) },
            high: if x < self.least { 0.0 } else { (self.up_to(x + reach) + slack).min(1.0) },
        })
    }

    /// The least x with probability p of a sum of at most x, for p above 0 and below 1.
    pub fn quantile(&self, p: f64) -> Result<Enclosed, OutOfRange> {
        let p = open_probability(p)?;
        let StandIn { reach, slack, .. } = self.stand_in;
        let within = |x: f64| x.clamp(self.least, self.greatest);
        Ok(Enclosed {
            value: within(self.least_with(p)),
            low: if p <= slack { self.least } else { within(self.least_with(p - slack) - reach) },
            high: if p + slack >= 1.0 { self.greatest } else { within(self.least_with(p + slack) + reach) },
        })
    }

    /// The stand-in's probability up to and including x.
    fn up_to(&self, x: f64) -> f64 {
        let StandIn { points, below, shift, .. } = &self.stand_in;
        let many = match points {
            Points::Atoms(atoms) => atoms.partition_point(|atom| atom + shift <= x),
            Points::Grid { step } => {
                let place = (x - shift) / step;
                if place < 0.0 { 0 } else { (place as usize).saturating_add(1).min(below.len()) }
            }
        };
        if many == 0 { 0.0 } else { below[many - 1].min(1.0) }
    }

    /// The stand-in's least point with probability p up to it.
    fn least_with(&self, p: f64) -> f64 {
        let StandIn { points, below, shift, slack, .. } = &self.stand_in;
        // A cumulative probability that equals p but for its rounding is enough.
        let fuzz = if matches!(points, Points::Atoms(_)) { *slack } else { 0.0 };
        let at = below.partition_point(|&sum| sum < p - fuzz).min(below.len() - 1);
        match points {
            Points::Atoms(atoms) => atoms[at] + shift,
            Points::Grid { step } => at as f64 * step + shift,
        }
    }
}

/// Running sums of the probabilities of the points.
fn running(masses: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    masses
        .into_iter()
        .map(|mass| {
            sum += mass;
            sum
        })
        .collect()
}

#[cfg(test)]
mod tests;
