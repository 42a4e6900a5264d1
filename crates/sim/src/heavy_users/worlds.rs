//! The worlds that tests of A/B experiments are measured in.

use super::{ClickRate, HeavyUsers, HeavyWorld, Searches};

/// What is alike in the two arms of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Everything: the change does nothing to anybody.
    Same,
    /// Everything, and a user is a conversion or none.
    Conversions,
    /// The true ratio only: users of the control spread more.
    OtherSpread,
    /// The true mean of a user only: users of the control spread more.
    OtherSpreadOfMeans,
}

use ClickRate::{Beta, Falling, HalfNever, Some};
use Searches::{Geometric, Lognormal, One, Pareto};

/// Rates with mean ¼.
const USUAL: ClickRate = Beta(2.0, 6.0);
/// Rates that hardly differ, with mean ¼.
const ALIKE: ClickRate = Beta(20.0, 60.0);
/// Rates with mean .05.
const LOW: ClickRate = Beta(0.5, 9.5);

const fn users(searches: Searches, rate: ClickRate) -> HeavyUsers {
    HeavyUsers { searches, rate }
}

const fn same(name: &'static str, searches: Searches, rate: ClickRate, per_user: bool) -> HeavyWorld {
    let users = users(searches, rate);
    HeavyWorld { name, kind: Kind::Same, control: users, treatment: users, per_user }
}

const fn conversions(name: &'static str, rate: ClickRate) -> HeavyWorld {
    HeavyWorld { kind: Kind::Conversions, ..same(name, One, rate, true) }
}

const fn other(name: &'static str, control: HeavyUsers, treatment: HeavyUsers) -> HeavyWorld {
    HeavyWorld { name, kind: Kind::OtherSpread, control, treatment, per_user: false }
}

const fn other_means(name: &'static str, searches: Searches) -> HeavyWorld {
    let (control, treatment) = (users(searches, HalfNever), users(searches, ALIKE));
    HeavyWorld { name, kind: Kind::OtherSpreadOfMeans, control, treatment, per_user: true }
}

const fn even(name: &'static str, share: f64) -> HeavyWorld {
    let (control, treatment) =
        (users(Geometric(5.0), Some(share)), users(Geometric(5.0), Beta(400.0 * share, 400.0 - 400.0 * share)));
    HeavyWorld { name, kind: Kind::OtherSpreadOfMeans, control, treatment, per_user: true }
}

/// Further worlds, for looks only: rarer conversions, purchases, other tails, and clicks of few users that the change gives to all.
pub const OTHER_WORLDS: [HeavyWorld; 12] = [
    conversions("1% convert", Beta(0.1, 9.9)),
    conversions("2% convert", Beta(0.2, 9.8)),
    conversions("95% convert", Beta(9.5, 0.5)),
    same("5% buy, lognormal 1", Lognormal(1.0), Some(0.05), true),
    same("20% buy, lognormal 1", Lognormal(1.0), Some(0.2), true),
    same("clicks per user, lognormal 2", Lognormal(2.0), USUAL, true),
    same("clicks per user, Pareto 3", Pareto(3.0), USUAL, true),
    same("Pareto 3, 5% clicked", Pareto(3.0), LOW, false),
    other("Pareto 2 / geometric, half never click", users(Pareto(2.0), USUAL), users(Geometric(5.0), HalfNever)),
    other_means("clicks per user, lognormal 1.5, half never click / alike", Lognormal(1.5)),
    even("clicks per user, geometric, 20% always click / alike", 0.2),
    even("clicks per user, geometric, 5% always click / alike", 0.05),
];

/// The worlds of every table.
pub const HEAVY_WORLDS: [HeavyWorld; 22] = [
    same("geometric", Geometric(5.0), USUAL, false),
    same("lognormal 1.5", Lognormal(1.5), USUAL, false),
    same("lognormal 2", Lognormal(2.0), USUAL, false),
    same("Pareto 2", Pareto(2.0), USUAL, false),
    same("Pareto 1.5", Pareto(1.5), USUAL, false),
    same("Pareto 1.5, half never click", Pareto(1.5), HalfNever, false),
    same("Pareto 1.5, 5% clicked", Pareto(1.5), LOW, false),
    same("Pareto 1.5, heavy users click less", Pareto(1.5), Falling, false),
    same("clicks per user, lognormal 1.5", Lognormal(1.5), USUAL, true),
    same("clicks per user, Pareto 1.5", Pareto(1.5), USUAL, true),
    conversions("5% convert", LOW),
    conversions("20% convert", Beta(2.0, 8.0)),
    conversions("50% convert", Beta(2.0, 2.0)),
    other("geometric, half never click / alike", users(Geometric(5.0), HalfNever), users(Geometric(5.0), ALIKE)),
    other("lognormal 1.5, half never click / alike", users(Lognormal(1.5), HalfNever), users(Lognormal(1.5), ALIKE)),
    other("Pareto 2, half never click / alike", users(Pareto(2.0), HalfNever), users(Pareto(2.0), ALIKE)),
    other("Pareto 1.5, half never click / alike", users(Pareto(1.5), HalfNever), users(Pareto(1.5), ALIKE)),
    other("Pareto 1.5, half never click / usual", users(Pareto(1.5), HalfNever), users(Pareto(1.5), USUAL)),
    other("Pareto 1.5 / geometric", users(Pareto(1.5), USUAL), users(Geometric(5.0), USUAL)),
    other("lognormal 2 / geometric", users(Lognormal(2.0), USUAL), users(Geometric(5.0), USUAL)),
    other_means("clicks per user, geometric, half never click / alike", Geometric(5.0)),
    other_means("clicks per user, Pareto 2, half never click / alike", Pareto(2.0)),
];
