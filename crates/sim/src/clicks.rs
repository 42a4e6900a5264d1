//! Users who search and click at rates of their own, in two arms that are alike or differ by a known lift.
//!
//! The one decision: what makes searches of one user alike is one number, the user's rate of clicking, drawn once. So the truth is
//! known (the same mean rate in both arms, or one times 1 + lift), and every test can be asked how often it cries wolf.

use std::fmt;

use karat_runtime::jobs::in_order;
use karat_stats::Seed;
use karat_stats::ab::{Proportion, Running, Sequence, difference, naive};
use karat_stats::dist::OutOfRange;
use karat_stats::seed::Stream;

/// A world with a known truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClickWorld {
    /// The mean over users of the chance to click on a search, in the control.
    pub rate: f64,
    /// How much users differ, 0 (all alike) to 1: a user's rate is uniform from (1 − spread) to (1 + spread) times the mean.
    pub spread: f64,
    /// Mean searches of a user: 1 and a geometric number more.
    pub searches: f64,
    /// Users of both arms together; each has an arm by the throw of a fair coin.
    pub users: u32,
    /// What the treatment does to every user's rate: times 1 + lift. 0 for a test of two equal arms.
    pub lift: f64,
}

/// When searches happen, which matters to whoever looks before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// A user makes all searches, then the next user comes.
    OneByOne,
    /// All users' searches are mixed: users come back all the time.
    ComeBack,
}

/// How often tests of two arms said that they differ, at 5%.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The z test on clicks and searches.
    pub naive: f64,
    /// Welch's t with users as units.
    pub t: f64,
    /// Tests made.
    pub runs: u32,
}

/// How often somebody who looks again and again saw a difference at any look, at 5%.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peeked {
    /// The test that is made for one look, at every look.
    pub fixed: f64,
    /// The same test at the end only.
    pub at_end: f64,
    /// The confidence sequence.
    pub sequence: f64,
    /// Looks of a run, in the mean.
    pub looks: f64,
}

/// Numbers that make no world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClickError(pub OutOfRange);

impl fmt::Display for ClickError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for ClickError {}

/// A search: whose it was, in which arm, and whether it was clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The user, from 0.
    pub user: u32,
    /// In the treatment.
    pub treated: bool,
    /// Clicked.
    pub clicked: bool,
}

const LEVEL: f64 = 0.95;

impl ClickWorld {
    /// Checks the numbers.
    ///
    /// # Errors
    /// One is out of its range.
    pub fn check(&self) -> Result<(), ClickError> {
        let greatest = self.rate * (1.0 + self.spread) * (1.0 + self.lift.max(0.0));
        let checks = [
            ("spread", self.spread, (0.0..=1.0).contains(&self.spread), "a number from 0 to 1"),
            ("searches of a user", self.searches, (1.0..=1000.0).contains(&self.searches), "a mean from 1 to 1000"),
            ("lift", self.lift, self.lift > -1.0 && self.lift.is_finite(), "a number above -1"),
            (
                "greatest rate",
                greatest,
                self.rate > 0.0 && greatest <= 1.0,
                "a rate above 0; with spread and lift at most 1",
            ),
            ("users", f64::from(self.users), self.users >= 4, "at least 4"),
        ];
        match checks.into_iter().find(|check| !check.2) {
            Some((argument, found, _, legal)) => Err(ClickError(OutOfRange { argument, found, legal })),
            None => Ok(()),
        }
    }

    /// All searches, user by user.
    pub fn searches(&self, stream: &mut Stream) -> Vec<Search> {
        let mut all = Vec::new();
        let more = 1.0 - 1.0 / self.searches;
        for user in 0..self.users {
            let treated = stream.unit() < 0.5;
            let rate = self.rate * (1.0 + self.spread * (2.0 * stream.unit() - 1.0));
            let rate = if treated { rate * (1.0 + self.lift) } else { rate };
            loop {
                all.push(Search { user, treated, clicked: stream.unit() < rate });
                if stream.unit() >= more {
                    break;
                }
            }
        }
        all
    }

    /// How often the tests find a difference, over many tests.
    ///
    /// # Errors
    /// The numbers make no world.
    pub fn test(&self, runs: u32, seed: Seed, threads: usize) -> Result<Found, ClickError> {
        self.check()?;
        let streams = seed.streams("clicks");
        let found = in_order(runs as usize, threads, |run| {
            let mut tally = Tally::new(self.users);
            self.searches(&mut streams.at(run as u64)).iter().for_each(|search| tally.add(search));
            (tally.naive().is_some_and(|p| p < 1.0 - LEVEL), tally.t().is_some_and(|p| p < 1.0 - LEVEL))
        });
        let share = |of: fn(&(bool, bool)) -> bool| {
            found.iter().filter(|found| of(found)).count() as f64 / f64::from(runs.max(1))
        };
        Ok(Found { naive: share(|found| found.0), t: share(|found| found.1), runs })
    }

    /// How often a difference is seen at any look, when one looks after every search.
    ///
    /// # Errors
    /// The numbers make no world.
    pub fn peek(
        &self,
        arrival: Arrival,
        tuning: u64,
        runs: u32,
        seed: Seed,
        threads: usize,
    ) -> Result<Peeked, ClickError> {
        self.check()?;
        let start = match Sequence::new(LEVEL, tuning) {
            Ok(start) => start,
            Err(_) => {
                let (argument, legal) = ("tuning point", "at least 1 unit");
                return Err(ClickError(OutOfRange { argument, found: tuning as f64, legal }));
            }
        };
        let streams = seed.streams("peeking");
        let found = in_order(runs as usize, threads, |run| {
            let mut stream = streams.at(run as u64);
            let mut searches = self.searches(&mut stream);
            if arrival == Arrival::ComeBack {
                for last in (1..searches.len()).rev() {
                    let other = stream.below(last as u64 + 1) as usize;
                    searches.swap(last, other);
                }
            }
            self.looks(&searches, start)
        });
        let share =
            |of: fn(&(bool, bool, bool, u64)) -> f64| found.iter().map(of).sum::<f64>() / f64::from(runs.max(1));
        Ok(Peeked {
            fixed: share(|found| f64::from(found.0)),
            at_end: share(|found| f64::from(found.1)),
            sequence: share(|found| f64::from(found.2)),
            looks: share(|found| found.3 as f64),
        })
    }

    /// Whether the fixed test found something at any look and at the last, whether the sequence did, and the looks.
    fn looks(&self, searches: &[Search], mut sequence: Sequence) -> (bool, bool, bool, u64) {
        let mut tally = Tally::new(self.users);
        let (mut fixed, mut last, mut always, mut looks) = (false, false, false, 0);
        for search in searches {
            tally.add(search);
            let (Ok(a), Ok(b)) = (tally.arms[0].ratio(), tally.arms[1].ratio()) else { continue };
            let Some(p) = sequence.advance(&a, &b) else { continue };
            looks += 1;
            // No t below the normal's 1.96 is significant at 5%: the costly p is only asked for beyond it.
            let t = (b.value - a.value) / (a.variance() + b.variance()).sqrt();
            last = t.abs() > 1.95 && difference(&a, &b, LEVEL).is_ok_and(|found| found.p < 1.0 - LEVEL);
            fixed |= last;
            always |= p < 1.0 - LEVEL;
        }
        (fixed, last, always, looks)
    }
}

/// Counts and users' sums so far.
struct Tally {
    arms: [Running; 2],
    counts: [(u64, u64); 2],
    users: Vec<(f64, f64)>,
}

impl Tally {
    fn new(users: u32) -> Tally {
        Tally { arms: [Running::default(); 2], counts: [(0, 0); 2], users: vec![(0.0, 0.0); users as usize] }
    }

    fn add(&mut self, search: &Search) {
        let arm = usize::from(search.treated);
        self.counts[arm].0 += u64::from(search.clicked);
        self.counts[arm].1 += 1;
        if let Some(user) = self.users.get_mut(search.user as usize) {
            let before = (user.1 > 0.0).then_some(*user);
            *user = (user.0 + f64::from(u8::from(search.clicked)), user.1 + 1.0);
            self.arms[arm].change(before, *user);
        }
    }

    fn naive(&self) -> Option<f64> {
        let [a, b] = self.counts.map(|(clicks, searches)| Proportion::new(clicks, searches));
        naive(a.ok()?, b.ok()?, LEVEL).ok().map(|found| found.p)
    }

    fn t(&self) -> Option<f64> {
        difference(&self.arms[0].ratio().ok()?, &self.arms[1].ratio().ok()?, LEVEL).ok().map(|found| found.p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: ClickWorld = ClickWorld { rate: 0.4, spread: 0.9, searches: 10.0, users: 400, lift: 0.0 };

    #[test]
    fn the_world_is_as_it_says() {
        // 20,000 users, 10 searches each in the mean, .4 clicked. Variance between users of their rate: (.9 · .4)²/3 = .0432.
        let world = ClickWorld { users: 20_000, lift: 0.25, spread: 0.5, ..WORLD };
        let searches = world.searches(&mut Seed(2).stream("w", 0));
        assert!((searches.len() as f64 / 200_000.0 - 1.0).abs() < 0.03, "{}", searches.len());
        for (treated, rate) in [(false, 0.4), (true, 0.5)] {
            let own: Vec<_> = searches.iter().filter(|search| search.treated == treated).collect();
            let clicked = own.iter().filter(|search| search.clicked).count() as f64 / own.len() as f64;
            assert!((clicked - rate).abs() < 0.01, "{clicked}");
        }
    }

    #[test]
    fn users_who_repeat_fool_the_naive_test_and_not_t() {
        // 4000 tests: the standard error of 5% is .34%, so 4% to 6% is three of them either way.
        let found = WORLD.test(4000, Seed(7), 2).unwrap();
        assert!((0.04..=0.06).contains(&found.t), "{found:?}");
        assert!(found.naive > 0.10, "{found:?}");
        // One search a user: both are right.
        let single = ClickWorld { searches: 1.0, users: 1000, ..WORLD }.test(4000, Seed(8), 2).unwrap();
        assert!((0.04..=0.06).contains(&single.t) && (0.04..=0.06).contains(&single.naive), "{single:?}");
        // And what is there is found: a lift of 30% in nearly every test.
        let there = ClickWorld { lift: 0.3, ..WORLD }.test(300, Seed(9), 2).unwrap();
        assert!(there.t > 0.9, "{there:?}");
    }

    #[test]
    fn who_looks_after_every_search_is_fooled_by_a_fixed_test_and_not_by_the_sequence() {
        for arrival in [Arrival::OneByOne, Arrival::ComeBack] {
            let few = ClickWorld { searches: 3.0, users: 250, ..WORLD };
            let found = few.peek(arrival, 250, 1000, Seed(3), 2).unwrap();
            // The example ab finds .4% to 3.6% in 4000 runs, as the tuning point and arrival have it.
            assert!(found.sequence < 0.05, "{arrival:?} {found:?}");
            assert!(found.fixed > 0.10, "{arrival:?} {found:?}");
        }
    }

    #[test]
    fn one_seed_one_answer_and_what_is_no_world() {
        assert_eq!(WORLD.test(50, Seed(1), 1), WORLD.test(50, Seed(1), 2));
        for wrong in [
            ClickWorld { rate: 0.9, ..WORLD },
            ClickWorld { spread: 1.5, ..WORLD },
            ClickWorld { searches: 0.5, ..WORLD },
            ClickWorld { lift: -1.0, ..WORLD },
            ClickWorld { users: 1, ..WORLD },
            ClickWorld { rate: f64::NAN, ..WORLD },
        ] {
            assert!(wrong.test(1, Seed(1), 1).is_err(), "{wrong:?}");
        }
        assert!(WORLD.peek(Arrival::OneByOne, 0, 1, Seed(1), 1).is_err());
    }
}
