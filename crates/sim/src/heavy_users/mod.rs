//! Heavy-tailed users in two arms of one truth: who searches how often, and how often each clicks.
//!
//! The one decision: the arms always have the same true ratio, and nearly everything else may differ. So any test of an A/B experiment
//! can be asked how often it finds a difference where there is none. Draws use libm besides plain arithmetic, which is the same
//! everywhere too.

mod draws;
mod levels;
mod peeking;
mod truth;
mod worlds;

pub use levels::{Agreement, Coverage, Level};
pub use peeking::{HeavyPeeked, Looks};
pub use worlds::{HEAVY_WORLDS, Kind, OTHER_WORLDS};

use karat_stats::seed::Stream;

use draws::{beta, binomial, normal};

/// How many searches a user makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Searches {
    /// One.
    One,
    /// One and a geometric number more, with this mean in all.
    Geometric(f64),
    /// e to the power of a normal number with mean 1 and this standard deviation, rounded up.
    Lognormal(f64),
    /// 2 U^(−1/α), rounded down: with α = 1.5 the variance is infinite.
    Pareto(f64),
}

/// How likely a user clicks on a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClickRate {
    /// Beta(a, b).
    Beta(f64, f64),
    /// 0 for half of the users, Beta(2, 2) for the others.
    HalfNever,
    /// Lower for users with more searches: mean .4/(1 + ½ ln searches).
    Falling,
    /// 1 for this share of users, 0 for the others.
    Some(f64),
}

/// The users of one arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeavyUsers {
    /// Their searches.
    pub searches: Searches,
    /// Their rates.
    pub rate: ClickRate,
}

/// Two arms with the same true ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeavyWorld {
    /// Its name in tables.
    pub name: &'static str,
    /// What is alike in the arms.
    pub kind: Kind,
    /// The control.
    pub control: HeavyUsers,
    /// The treatment.
    pub treatment: HeavyUsers,
    /// Whether clicks are divided by users, and not by searches.
    pub per_user: bool,
}

impl HeavyUsers {
    /// Searches and the chance to click on each.
    fn user(&self, stream: &mut Stream) -> (u64, f64) {
        let whole = |count: f64| count.min(1e9) as u64;
        let searches = match self.searches {
            Searches::One => 1,
            Searches::Geometric(mean) => {
                1 + whole((libm::log(1.0 - stream.unit()) / libm::log(1.0 - 1.0 / mean)).floor())
            }
            Searches::Lognormal(spread) => whole(libm::exp(1.0 + spread * normal(stream)).ceil()),
            Searches::Pareto(alpha) => whole((2.0 * libm::pow(1.0 - stream.unit(), -1.0 / alpha)).floor()),
        };
        let rate = match self.rate {
            ClickRate::Beta(a, b) => beta(a, b, stream),
            ClickRate::HalfNever if stream.unit() < 0.5 => 0.0,
            ClickRate::HalfNever => beta(2.0, 2.0, stream),
            ClickRate::Some(share) => f64::from(u8::from(stream.unit() < share)),
            ClickRate::Falling => {
                let mean = 0.4 / (1.0 + 0.5 * libm::log(searches as f64));
                beta(4.0 * mean, 4.0 * (1.0 - mean), stream)
            }
        };
        (searches, rate)
    }

    /// So many users' clicks and searches; every click is lost with this chance.
    fn draw(&self, users: usize, lost: f64, per_user: bool, stream: &mut Stream) -> Vec<(f64, f64)> {
        let mut user = || {
            let (searches, rate) = self.user(stream);
            let clicks = binomial(searches, rate * (1.0 - lost), stream);
            (clicks as f64, if per_user { 1.0 } else { searches as f64 })
        };
        (0..users).map(|_| user()).collect()
    }
}

#[cfg(test)]
mod tests;
