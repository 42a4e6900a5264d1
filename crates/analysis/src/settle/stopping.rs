//! Looking more than once: what p a look must reach so that all looks together keep the level.
//!
//! The one decision: estimates of later looks differ from earlier ones by independent amounts (topics are the same in all of them, samples add up),
//! so the usual boundaries of group sequential tests hold, by the share of the final information (1 / variance) that a look has. Alpha is spent as
//! Lan and DeMets (1983) do after O'Brien and Fleming. Where nothing is planned, look k spends alpha / (k (k + 1)), which adds up to alpha for ever.

use karat_stats::dist::normal;

/// Which look at a sample this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Its number, from 1.
    pub number: u32,
    /// How many were planned; `None`: any number.
    pub planned: Option<u32>,
}

impl Look {
    /// Whether it is the first and only one.
    pub fn is_only(self) -> bool {
        (self.number, self.planned) == (1, Some(1))
    }

    /// Its number, and how many were planned; `None` for one look.
    pub fn shown(self) -> Option<(u32, Option<u32>)> {
        (!self.is_only()).then_some((self.number, self.planned))
    }

    /// What p must be below. With a plan by the share of the final information: the variance that the sample adds falls with the number of batches,
    /// that over topics does not.
    pub fn alpha(self, alpha: f64, (topics, sampling): (f64, f64)) -> f64 {
        match self.planned {
            _ if self.is_only() => alpha,
            Some(planned) if self.number <= planned => {
                let variance = |batches: u32| topics + sampling * f64::from(self.number) / f64::from(batches);
                let last = variance(planned);
                let share = |batches: u32| {
                    if last > 0.0 { last / variance(batches) } else { f64::from(batches) / f64::from(planned) }
                };
                let information: Vec<f64> = (1..=self.number).map(share).collect();
                planned_limits(&information, alpha).last().copied().unwrap_or(0.0)
            }
            _ => unplanned(self.number as usize, alpha),
        }
    }
}

/// Points of the grid on each side of 0.
const GRID: i32 = 240;
/// As far as the grid reaches, in standard deviations of the last look.
const REACH: f64 = 7.0;

/// What p each look must be below; `information` are shares of the final information, rising, the last one 1.
pub fn planned_limits(information: &[f64], alpha: f64) -> Vec<f64> {
    let mut spent = 0.0;
    let mut density: Option<Vec<f64>> = None;
    let mut before = 0.0;
    let mut found = Vec::with_capacity(information.len());
    for &share in information {
        let share = share.clamp(before + 1e-6, 1.0f64.max(before + 1e-6));
        let wanted = (spending(share, alpha) - spent).max(0.0);
        let bound = bound(density.as_deref(), share - before, share, wanted);
        found.push(2.0 * normal::sf(bound / share.sqrt()).unwrap_or(0.0));
        density = Some(inside(density.as_deref(), share - before, bound));
        (spent, before) = (spent + wanted, share);
    }
    found
}

/// What p look number `look`, from 1, must be below when the number of looks is not planned.
pub fn unplanned(look: usize, alpha: f64) -> f64 {
    alpha / (look as f64 * (look as f64 + 1.0))
}

/// Alpha spent up to a share of the information, on both sides together: 2 − 2 Φ(z / sqrt(share)) on each, with z for a quarter of alpha.
fn spending(share: f64, alpha: f64) -> f64 {
    let quantile = normal::upper_quantile(0.25 * alpha).unwrap_or(f64::INFINITY);
    4.0 * normal::sf(quantile / share.sqrt()).unwrap_or(0.0)
}

fn step() -> f64 {
    REACH / f64::from(GRID)
}

fn points() -> impl Iterator<Item = f64> {
    (-GRID..=GRID).map(|place| f64::from(place) * step())
}

/// The probability to be beyond `bound` on either side after an increment of this variance.
fn beyond(density: Option<&[f64]>, variance: f64, bound: f64) -> f64 {
    let sd = variance.sqrt();
    let outside =
        |from: f64| normal::sf((bound - from) / sd).unwrap_or(0.0) + normal::sf((bound + from) / sd).unwrap_or(0.0);
    match density {
        None => outside(0.0),
        Some(density) => points().zip(density).map(|(from, mass)| mass * outside(from)).sum(),
    }
}

/// The bound beyond which lies this much.
fn bound(density: Option<&[f64]>, variance: f64, share: f64, wanted: f64) -> f64 {
    let (mut low, mut high) = (0.0, REACH * share.sqrt().max(1.0));
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if beyond(density, variance, middle) > wanted { low = middle } else { high = middle }
    }
    high
}

/// Masses at the points of the grid, inside the bound.
fn inside(density: Option<&[f64]>, variance: f64, bound: f64) -> Vec<f64> {
    let sd = variance.sqrt();
    let near = |to: f64, from: f64| {
        let below = |end: f64| normal::cdf((end - from) / sd).unwrap_or(0.0);
        let (left, right) = ((to - 0.5 * step()).max(-bound), (to + 0.5 * step()).min(bound));
        if right > left { below(right) - below(left) } else { 0.0 }
    };
    match density {
        None => points().map(|to| near(to, 0.0)).collect(),
        Some(density) => points()
            .map(|to| {
                points().zip(density).filter(|(_, mass)| **mass > 0.0).map(|(from, mass)| mass * near(to, from)).sum()
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_by_its_information() {
        let look = |number, planned| Look { number, planned };
        // One planned look has all of alpha; an unplanned second one .05 / (2 x 3).
        assert_eq!(look(1, Some(1)).alpha(0.05, (1.0, 1.0)), 0.05);
        assert!((look(2, Some(1)).alpha(0.05, (1.0, 1.0)) - 0.05 / 6.0).abs() < 1e-15);
        // Without variance over topics information grows evenly: the last of five looks, as in the table below.
        let even = look(5, Some(5)).alpha(0.05, (0.0, 1.0));
        assert_eq!(even, *planned_limits(&[0.2, 0.4, 0.6, 0.8, 1.0], 0.05).last().unwrap());
        // Topics alone: the first look has all the information.
        assert!((look(1, Some(5)).alpha(0.05, (1.0, 0.0)) - 0.05).abs() < 1e-6);
    }

    #[test]
    fn one_look_has_it_all() {
        let found = planned_limits(&[1.0], 0.05);
        assert!((found[0] - 0.05).abs() < 1e-6, "{found:?}");
        assert_eq!((unplanned(1, 0.05), unplanned(2, 0.06)), (0.025, 0.01));
    }

    #[test]
    fn five_even_looks_as_in_tables() {
        // Lan-DeMets with O'Brien-Fleming spending, two-sided .05, five even looks: bounds 4.877, 3.357, 2.680, 2.290, 2.031 (Jennison and Turnbull
        // 2000, table 7.4, and R's ldbounds). Two-sided p of 2.031: .0423.
        let found = planned_limits(&[0.2, 0.4, 0.6, 0.8, 1.0], 0.05);
        for (found, bound) in found.iter().zip([4.877, 3.357, 2.680, 2.290, 2.031]) {
            let z = normal::upper_quantile(0.5 * found).unwrap();
            assert!((z - bound).abs() < 0.01, "{z} {bound}");
        }
    }
}
